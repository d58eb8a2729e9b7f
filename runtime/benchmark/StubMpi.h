//===- StubMpi.h - An MPI library that communicates with nobody -----------===//
//
// One process pretends to be a rank of many: every message that is expected has
// arrived, with the right length, and every message that is sent is received at
// once. A program that is linked with StubMpi.cpp calls these functions instead
// of its MPI library's, of which it uses only the handles; MPI is not
// initialized. Functions that are not defined in StubMpi.cpp must not be
// called.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_BENCHMARK_STUBMPI_H
#define QUADRILLE_BENCHMARK_STUBMPI_H

#include <string>

namespace stub {

/// Communicators that are made later have `size` ranks; this process is `rank`.
void pretend(int rank, int size);

/// The functions called since the last call of takeCalls, in alphabetical
/// order, with the numbers of calls: "Get_count 1, Sendrecv 1".
std::string takeCalls();

} // namespace stub

#endif // QUADRILLE_BENCHMARK_STUBMPI_H
