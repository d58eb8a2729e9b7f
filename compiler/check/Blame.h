//===- Blame.h - Where and when a failure happened ----------------------------------------------------------*- C++ -*-===//
//
// The engines report what is wrong; here a diagnostic learns in which round it happened, where the rank that ends with
// a wrong result last heard from anybody, and through which `use` the blamed line was reached.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_BLAME_H
#define QUADRILLE_CHECK_BLAME_H

#include "instantiate/Round.h"

namespace quadrille::compiler {

/// Remembers the last message that each rank received.
class LastReceipts : public RunObserver {
public:
  explicit LastReceipts(std::uint32_t ranks) : last(ranks) {}

  void onRound(const Round &round, const Machine &machine) override;
  /// Adds a note about `rank`.
  void describe(std::uint32_t rank, Diagnostic &diagnostic) const;

private:
  struct Receipt {
    const ir::TransferStmt *stmt = nullptr;
    std::uint32_t round = 0;
  };
  std::vector<Receipt> last;
};

/// Does the diagnostic, or a note of it, name a round?
bool namesRound(const Diagnostic &diagnostic);

/// If the blamed place is in a schedule that `schedule` uses, adds a note for each `use` on the way.
void noteUses(const ir::Schedule &schedule, Diagnostic &diagnostic);

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_BLAME_H
