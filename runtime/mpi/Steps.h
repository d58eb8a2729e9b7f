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

/// A part of a program that is carried out alone: a copy or combination
/// (`move`), or the messages of a step: one, or one in each direction.
struct Step {
  const quadrille::detail::Operation *move = nullptr, *send = nullptr, *receive = nullptr;
};

/// The beginning of a program as far as it is a chain of steps with short
/// messages: no other operation could be under way during such a step. It is
/// carried out by blocking calls of MPI, which cost less than requests.
///
/// A rank that does so waits for the same as in an execution step by step: see
/// docs/runtime.md.
class Steps {
public:
  /// Finds the steps of `program`, whose elements have `elementBytes` bytes of
  /// data. `number` identifies the program. Throws std::bad_alloc.
  void find(const quadrille::detail::Program &program, std::uint64_t number, Index elementBytes);
  /// Whether the steps were found for this program and size.
  bool areOf(std::uint64_t number, Index elementBytes) const {
    return number_ == number && elementBytes_ == elementBytes;
  }

  const Step *begin() const { return steps_.data(); }
  const Step *end() const { return steps_.data() + steps_.size(); }
  /// The number of the program's operations that the steps contain.
  std::size_t count() const { return count_; }

private:
  std::vector<Step> steps_;
  std::size_t count_ = 0;
  std::uint64_t number_ = 0; ///< of the program; 0: none
  Index elementBytes_ = 0;
};

} // namespace detail
} // namespace mpi
} // namespace quadrille

#endif // QUADRILLE_MPI_STEPS_H
