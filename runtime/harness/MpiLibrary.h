//===- MpiLibrary.h - The collectives of the MPI library --------*- C++ -*-===//
//
// Schedules are compared with the MPI library's own collective, on the same data.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_HARNESS_MPILIBRARY_H
#define QUADRILLE_HARNESS_MPILIBRARY_H

#include "Cases.h"

#include "quadrille/harness.h"
#include "quadrille/mpi.h"

#include <string>
#include <vector>

namespace quadrille {
namespace harness {

/// The calls of one case.
class MpiLibrary {
public:
  /// `c` and `arguments` have to live as long as this object. `arguments`: those of a call
  /// of the schedule.
  MpiLibrary(const Case &c, const Arguments &arguments, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

  /// An error if the library has no such collective, or lengths exceed its ints.
  Status status() const { return status_; }
  Status call() const;

private:
  void setLengths();
  int callByName() const;

  const Case &case_;
  const Arguments &arguments_;
  MPI_Datatype type_;
  MPI_Op op_;
  MPI_Comm comm_;
  int rank_ = 0, size_ = 0, root_ = 0, n_ = 0;
  /// For the v-forms: the elements to and from each rank, and where they begin.
  std::vector<int> sent_, sentAt_, received_, receivedAt_;
  Status status_;
};

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_MPILIBRARY_H
