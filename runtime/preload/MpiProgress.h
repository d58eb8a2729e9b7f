//===- MpiProgress.h - What is done while the MPI library waits -*- C++ -*-===//
//
// A rank may wait in any function of MPI for another rank, which waits for a nonblocking
// call of this library. So all of MPI's functions have to make progress with such calls.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_MPIPROGRESS_H
#define QUADRILLE_RUNTIME_PRELOAD_MPIPROGRESS_H

#include <functional>

namespace quadrille {
namespace preload {

/// Has the MPI library call `function` again and again, inside of its functions, while it waits
/// for anything. `function` returns how many things it has done. `look` makes the MPI library make
/// progress once. False if the MPI library cannot be made to call it.
bool callWhileMpiWaits(int (*function)(), const std::function<void()> &look);

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_MPIPROGRESS_H
