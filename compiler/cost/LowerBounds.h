//===- LowerBounds.h - What no schedule of a collective can do without ------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_COST_LOWERBOUNDS_H
#define QUADRILLE_COST_LOWERBOUNDS_H

#include "algebra/Formula.h"
#include "ir/ModelInForce.h"

namespace quadrille::compiler {

/// A number of rounds or of words (on the longest path, messages of a round side by side) that every schedule needs, as a
/// formula in p, n, and entries of tables; of rounds also in `k` where blocks are sent in packets.
struct LowerBound {
  Formula formula;
  std::string source; // "Bar-Noy and Kipnis, 1994"; or how it is shown, in a few words
};

/// What is known for a collective of the standard library, by its name; nothing for others. `model`: the ports that ranks
/// have.
std::optional<LowerBound> roundsBound(llvm::StringRef collective, const ModelInForce &model);
std::optional<LowerBound> wordsBound(llvm::StringRef collective, const ModelInForce &model);

/// Rounds for blocks that are sent in packets, one in a message; `k` is the number of packets.
std::optional<LowerBound> packetRoundsBound(llvm::StringRef collective, const ModelInForce &model, llvm::StringRef k);

} // namespace quadrille::compiler

#endif // QUADRILLE_COST_LOWERBOUNDS_H
