//===- Plan.h - What one rank does in a call, for every n -----------------===//
//
// Private to the runtime. Made by a Recorder, kept by a PlanCache.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_PLAN_H
#define QUADRILLE_PLAN_PLAN_H

#include "Divisions.h"
#include "Program.h"

#include "quadrille/status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace quadrille {
namespace detail {

/// The numbers of a plan for one n.
struct BoundPlan {
  Index n = -1;
  std::vector<Operand> operands;
  std::vector<Piece> pieces;
  /// The offset of each temporary in the memory for all temporaries, in
  /// elements; `temporaryElements` is the size of this memory.
  std::vector<Index> temporaries;
  Index temporaryElements = 0;
  Status failure; ///< lengths that do not fit together
  std::uint32_t users = 0; ///< the number of executions that use these numbers
};

/// A buffer of a plan: an argument of the call, by its number, or a temporary.
struct PlanBuffer {
  static constexpr std::uint32_t temporary = ~std::uint32_t{0};
  std::uint32_t argument = temporary;
  Divisions::Id division = 0; ///< the division of the whole buffer
  const char *name = nullptr; ///< a temporary's name for explanations, or null
};

class Plan {
public:
  Plan() = default;
  Plan(const Plan &) = delete;
  Plan &operator=(const Plan &) = delete;

  /// The plan's numbers for `n`. Numbers for the last few n, and all that are
  /// in use, are kept. Throws std::bad_alloc.
  BoundPlan &bind(Index n, const char *name, Index rank) {
    if (latest_ && latest_->n == n)
      return *latest_;
    return bindSlowly(n, name, rank);
  }

  Program program(const BoundPlan &bound) const {
    return {operations.data(), operations.size(), bound.operands.data(), bound.pieces.data()};
  }

  /// The bytes of memory in use.
  std::size_t bytes() const;

  Divisions divisions;
  std::vector<Operation> operations;
  std::vector<Blocks> operands;
  std::vector<PlanBuffer> buffers;
  std::uint32_t slots = 0; ///< how many lengths arrive with messages
  std::size_t removed = 0; ///< how many recorded operations were superfluous

private:
  BoundPlan &bindSlowly(Index n, const char *name, Index rank);
  void bindOperands(BoundPlan &bound, const Numbers &numbers) const;
  Status check(const BoundPlan &bound, const char *name, Index rank) const;

  /// A user program that alternates between so many lengths binds each one
  /// once.
  static constexpr std::size_t keptLengths = 4;
  std::vector<std::unique_ptr<BoundPlan>> bound_;
  std::size_t oldest_ = 0;
  BoundPlan *latest_ = nullptr;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_PLAN_H
