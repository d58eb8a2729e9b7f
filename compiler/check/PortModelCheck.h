//===- PortModelCheck.h - How many transfers a rank takes part in per round ------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CHECK_PORTMODELCHECK_H
#define QUADRILLE_CHECK_PORTMODELCHECK_H

#include "instantiate/Round.h"
#include "ir/ModelInForce.h"

#include <optional>

namespace quadrille::compiler {

/// Finds the strictest model that all rounds keep. Throws Finding for a round that breaks the declared model.
class PortModelCheck : public RunObserver {
public:
  PortModelCheck(std::uint32_t ranks, std::optional<ModelInForce> declared, llvm::SMRange declaredAt)
      : declared(declared), declaredAt(declaredAt), sends(ranks, 0), recvs(ranks, 0), partner(ranks, 0) {}

  bool wantsTransfers() const override { return false; }
  void onRound(const Round &round, const Machine &machine) override;
  const ModelInForce &strictest() const { return found; }

private:
  void onPartners(const Round &round);
  [[noreturn]] void violated(const Round &round, std::uint32_t rank, const ModelInForce &needed) const;

  std::optional<ModelInForce> declared;
  llvm::SMRange declaredAt;
  ModelInForce found;
  std::vector<std::uint32_t> sends, recvs; // per rank in the current round; zero between rounds
  std::vector<std::uint32_t> partner;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_PORTMODELCHECK_H
