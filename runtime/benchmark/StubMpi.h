//===- StubMpi.h - An MPI library that communicates with nobody -----------===//
//
// One process that pretends to be a rank of many: every message that is expected
// has arrived, with the right length, and every message that is sent is received
// at once. A program that is linked with StubMpi.cpp calls these functions
// instead of its MPI library's, of which it uses only the handles; MPI is not
// initialized. What is not here is not to be called while a program counts.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_BENCHMARK_STUBMPI_H
#define QUADRILLE_BENCHMARK_STUBMPI_H

#include <string>

namespace stub {

/// From here on this is rank `rank` of `size`; for communicators made later.
void pretend(int rank, int size);

/// Which functions have been called since the last time that somebody asked, in
/// alphabetical order and how often: "Get_count 1, Sendrecv 1".
std::string takeCalls();

} // namespace stub

#endif // QUADRILLE_BENCHMARK_STUBMPI_H
