//===- LastReceipts.h - The last message that each rank received ------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CHECK_LASTRECEIPTS_H
#define QUADRILLE_CHECK_LASTRECEIPTS_H

#include "instantiate/Round.h"

namespace quadrille::compiler {

/// Recorded for diagnostics about ranks that end with a wrong result.
class LastReceipts : public RunObserver {
public:
  explicit LastReceipts(std::uint32_t ranks) : last(ranks) {}

  void onRound(const Round &round, const Machine &machine) override;
  /// Adds a note: the round and the place of the last message that `rank` received, or that it received none.
  void describe(std::uint32_t rank, Diagnostic &diagnostic) const;

private:
  struct Receipt {
    const ir::TransferStmt *stmt = nullptr;
    std::uint32_t round = 0;
  };
  std::vector<Receipt> last;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_LASTRECEIPTS_H
