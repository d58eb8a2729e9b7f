//===- LowerBounds.cpp - Lower bounds on the cost of collectives ----------------------------------------------------===//
//
// Rounds. In a round a rank hears of at most K other ranks, so the number of ranks that it has heard of, directly or not, grows
// at most by the factor K + 1; likewise the number of ranks that have heard of it. If a rank needs data of all ranks, or all
// need its data, at least ceil(log_{K+1} p) rounds are necessary. If all ranks need data of all and talk in pairs, odd p costs
// one more round (Knödel, New gossips and telephones, Discrete Math. 13, 1975).
//
// Words. All that a rank has to receive, or to send, passes its port. If ranks talk in pairs, there are at most floor(p/2) pairs
// in a round, so a round with messages of at most m words moves at most 2*m*floor(p/2) words of the total volume if both
// directions are used at once, else m*floor(p/2).
//
//===--------------------------------------------------------------------------------------------------------------------===//

#include "LowerBounds.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

using F = FormulaFunction;
using ir::PortModel;

namespace {
const Formula &p() {
  static const Formula p = Formula::symbol("p");
  return p;
}
Formula n() { return Formula::symbol("n"); }
Formula half(const Formula &x) { return Formula::apply(F::Divide, {x, 2}); }

/// f, but 0 if p = 1.
Formula unlessAlone(const Formula &f) {
  return Formula::apply(F::Select, {Formula::apply(F::Equal, {p(), 1}), 0, f});
}

bool isOneOf(llvm::StringRef name, std::initializer_list<llvm::StringRef> names) { return llvm::is_contained(names, name); }

/// Whether the result of every rank depends on the data of every rank.
bool isGossip(llvm::StringRef c) {
  return isOneOf(c, {"allgather", "allreduce", "reduce_scatter", "alltoall", "barrier"});
}
bool isWithTables(llvm::StringRef c) {
  return isOneOf(c, {"gatherv", "scatterv", "allgatherv", "reduce_scatterv", "alltoallv"});
}
bool isPaired(const ModelInForce &model) {
  return model.model == PortModel::HalfDuplex || model.model == PortModel::Telephone;
}

/// ceil(log_{base} p): the number of powers base**0, base**1, ... below p.
Formula roundedLog(std::int64_t base) {
  Formula q = Formula::apply(F::CeilLog2, {p()});
  if (base == 2)
    return q;
  Formula i = Formula::symbol("i");
  return Formula::over(Formula::Over::Sum, 1, "i", 0, q, Formula::apply(F::Less, {Formula(base).power(i), p()}));
}

Formula total() {
  return Formula::over(Formula::Over::Sum, Formula::entry("len", {Formula::symbol("j")}), "j", 0, p());
}
} // namespace

std::optional<LowerBound> roundsBound(llvm::StringRef c, const ModelInForce &model) {
  const bool oneToAll = isOneOf(c, {"broadcast", "scatter"});
  const bool needsAll = isGossip(c) || isOneOf(c, {"reduce", "gather", "scan", "exscan"});
  if (!oneToAll && !needsAll)
    return std::nullopt;
  if (model.model == PortModel::Shared) {
    // All ranks may read from one sender at once, but each receives one message per round.
    if (oneToAll)
      return LowerBound{unlessAlone(1), "all ranks read at once"};
    return LowerBound{roundedLog(2), "what a rank knows at most doubles"};
  }
  if (model.model == PortModel::Ports && model.ports > 1)
    return LowerBound{roundedLog(model.ports + 1), "what is known grows by a factor of ports + 1 at most"};
  if (isGossip(c) && isPaired(model)) {
    Formula odd = Formula::apply(F::And, {Formula::apply(F::Less, {1, p()}),
                                          Formula::apply(F::Not, {Formula::apply(F::IsEven, {p()})})});
    return LowerBound{roundedLog(2) + Formula::apply(F::Select, {odd, 1, 0}), "Knödel, 1975"};
  }
  return LowerBound{roundedLog(2), oneToAll ? "who knows at most doubles" : "what a rank knows at most doubles"};
}

std::optional<LowerBound> packetRoundsBound(llvm::StringRef c, const ModelInForce &model, llvm::StringRef k) {
  // An all-reduce contains a reduction, and so does a scan (at the last rank). A reversed reduction is a broadcast.
  if (!isOneOf(c, {"broadcast", "reduce", "allreduce", "scan"}) || model.model == PortModel::Shared ||
      (model.model == PortModel::Ports && model.ports > 1))
    return std::nullopt;
  Formula packets = Formula::symbol(k);
  Formula rounds = packets - 1 + Formula::apply(F::CeilLog2, {p()});
  if (model.model == PortModel::HalfDuplex) {
    // k*(p - 1) packets have to arrive, at most floor(p/2) in a round.
    Formula arrivals = Formula::apply(F::Ceiling, {packets * (p() - 1) / half(p())});
    return LowerBound{unlessAlone(Formula::apply(F::Maximum, {rounds, arrivals})),
                      "Bar-Noy and Kipnis, 1994; floor(p/2) packets in a round"};
  }
  return LowerBound{unlessAlone(rounds), "Bar-Noy and Kipnis, 1994"};
}

std::optional<LowerBound> wordsBound(llvm::StringRef c, const ModelInForce &model) {
  const bool isShared = model.model == PortModel::Shared;
  const Formula ports = model.model == PortModel::Ports ? model.ports : 1;
  if (c == "barrier")
    return LowerBound{0, "no data"};
  // The bound from the total volume in words, if ranks talk in pairs.
  auto inPairs = [&](const Formula &volume) {
    const bool bothWays = model.model == PortModel::Telephone;
    return unlessAlone(volume / (bothWays ? Formula(2) * half(p()) : half(p())));
  };
  if (isOneOf(c, {"broadcast", "reduce", "scan", "exscan"})) {
    if (model.model == PortModel::HalfDuplex)
      return LowerBound{inPairs((p() - 1) * n()), "p - 1 blocks over floor(p/2) pairs"};
    return LowerBound{unlessAlone(n() / ports), "a rank gets a block"};
  }
  if (isShared && isOneOf(c, {"scatter", "allreduce", "reduce_scatter"}))
    return LowerBound{unlessAlone(n()), "a rank gets a block"};
  if (isOneOf(c, {"gather", "scatter"}))
    return LowerBound{(p() - 1) * n() / ports, "the root's port"};
  if (isOneOf(c, {"allgather", "reduce_scatter", "alltoall"})) {
    if (isPaired(model))
      return LowerBound{inPairs(p() * (p() - 1) * n()), "p*(p - 1) blocks over floor(p/2) pairs"};
    return LowerBound{(p() - 1) * n() / ports, "p - 1 blocks through each port"};
  }
  if (c == "allreduce") {
    if (isPaired(model))
      return LowerBound{inPairs(Formula(2) * (p() - 1) * n()), "Patarasuk and Yuan, 2009; over floor(p/2) pairs"};
    return LowerBound{Formula(2) * (p() - 1) * n() / (p() * ports), "Patarasuk and Yuan, 2009"};
  }
  if (isShared || !isWithTables(c))
    return std::nullopt;
  Formula j = Formula::symbol("j"), i = Formula::symbol("i"), own = Formula::entry("len", {j});
  if (c == "gatherv" || c == "scatterv")
    return LowerBound{(total() - Formula::entry("len", {Formula::symbol("root")})) / ports, "the root's port"};
  if (c == "allgatherv" || c == "reduce_scatterv")
    return LowerBound{(total() - Formula::over(Formula::Over::Minimum, own, "j", 0, p())) / ports,
                      "all but the own block through a port"};
  auto volume = [&](const Formula &entry) {
    Formula others = Formula::apply(F::Not, {Formula::apply(F::Equal, {i, j})});
    return Formula::over(Formula::Over::Maximum, Formula::over(Formula::Over::Sum, entry, "j", 0, p(), others), "i", 0, p());
  };
  return LowerBound{Formula::apply(F::Maximum, {volume(Formula::entry("len", {i, j})), volume(Formula::entry("len", {j, i}))}) / ports,
                    "the bottleneck's port"};
}

} // namespace quadrille::compiler
