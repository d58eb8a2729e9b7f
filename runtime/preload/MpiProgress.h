//===- MpiProgress.h - What is done while the MPI library waits -*- C++ -*-===//
//
// A rank may wait in any function of MPI for one that waits for a nonblocking call of
// the library. So progress with such calls has to be made in all of them.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_MPIPROGRESS_H
#define QUADRILLE_RUNTIME_PRELOAD_MPIPROGRESS_H

#include <functional>

namespace quadrille {
namespace preload {

/// Has the MPI library call `function` again and again while it waits, whatever for, from
/// inside of its functions: it returns the number of things done. `look` has the MPI library
/// look around once. False if the MPI library does not let others do so.
bool callWhileMpiWaits(int (*function)(), const std::function<void()> &look);

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_MPIPROGRESS_H
