//===- Steps.h - What is carried out step by step ---------------------------===//
//
// Private to runtime/mpi.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_MPI_STEPS_H
#define QUADRILLE_MPI_STEPS_H

#include "../plan/Program.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadrille {
namespace mpi {
namespace detail {

/// What comes next by itself: a copy or a combination; or a step's messages, one,
/// or one in each direction.
struct Step {
  const quadrille::detail::Operation *move = nullptr, *send = nullptr, *receive = nullptr;
};

/// The beginning of a program, as far as it is a chain of steps of short messages:
/// there is nothing that could be under way while such a step is. MPI's calls
/// that block are made for that, and cost less than requests.
///
/// Who carries out a part of a program like this, waits for what a run step by
/// step waits for: see docs/runtime.md.
class Steps {
public:
  /// Finds them in `program`, whose elements have `elementBytes` bytes of data.
  /// `number` is another one for another program. Throws std::bad_alloc.
  void find(const quadrille::detail::Program &program, std::uint64_t number, Index elementBytes);
  /// Whether they are those of this program and this size.
  bool areOf(std::uint64_t number, Index elementBytes) const {
    return number_ == number && elementBytes_ == elementBytes;
  }

  const Step *begin() const { return steps_.data(); }
  const Step *end() const { return steps_.data() + steps_.size(); }
  /// How many operations of the program they are.
  std::size_t count() const { return count_; }

private:
  std::vector<Step> steps_;
  std::size_t count_ = 0;
  std::uint64_t number_ = 0; ///< 0: of none
  Index elementBytes_ = 0;
};

} // namespace detail
} // namespace mpi
} // namespace quadrille

#endif // QUADRILLE_MPI_STEPS_H
