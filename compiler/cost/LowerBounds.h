//===- LowerBounds.h - Lower bounds on the cost of collectives --------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_LOWERBOUNDS_H
#define QUADRILLE_COST_LOWERBOUNDS_H

#include "algebra/Formula.h"
#include "ir/ModelInForce.h"

namespace quadrille::compiler {

/// A number of rounds, or of words in the synchronous cost, that every schedule of a collective needs: a formula in p, n and
/// entries of tables. The number of rounds for blocks sent in packets also depends on their number k.
struct LowerBound {
  Formula formula;
  std::string source; // "Bar-Noy and Kipnis, 1994", or the argument in a few words
};

/// The best bound known for a collective of the standard library, by its name, under a port model; nothing for others.
std::optional<LowerBound> roundsBound(llvm::StringRef collective, const ModelInForce &model);
std::optional<LowerBound> wordsBound(llvm::StringRef collective, const ModelInForce &model);

/// Rounds for blocks sent in packets, one packet per message. `k`: the symbol for the number of packets.
std::optional<LowerBound> packetRoundsBound(llvm::StringRef collective, const ModelInForce &model, llvm::StringRef k);

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_LOWERBOUNDS_H
