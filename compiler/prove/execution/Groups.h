//===- Groups.h - A proof of a schedule by itself, for its use in groups ------------------------------------------*- C++ -*-===//
//
// A schedule that is used in groups of ranks is proved once by itself, for every number of ranks. What its collective promises then
// holds in each group: Groups.cpp shows what a group is, and puts members in the place of ranks.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_EXECUTION_GROUPS_H
#define QUADRILLE_PROVE_EXECUTION_GROUPS_H

#include "State.h"

#include "ir/ModelInForce.h"

#include <optional>
#include <vector>

namespace quadrille::compiler::prove {

/// A schedule that others use in groups, and what its own proof must not assume: unknown inputs may hold anything, and an output may share
/// the memory of an input. Without these, it is proved as an outermost schedule is.
struct UsedAlone {
  const ir::Schedule *callee = nullptr;
  std::vector<std::optional<unsigned>> inPlaceOf; // by output: the input whose memory it shares; nothing: it shares none
  std::vector<char> inOwnBlock;                   // by output: of these, the input is only the block with the rank's number
  bool blocksArePackets = false; // blocks are as long as others with their number; a single block of a rank has the rank's number
  std::vector<char> unknownElsewhere;             // by input: on ranks for which the collective has no such input, it may hold anything
  std::vector<char> unknownBefore;                // by output: it may hold anything when the schedule begins
  std::optional<ModelInForce> model;              // the port model that the outermost schedule claims

  bool hasParts() const { return blocksArePackets || llvm::is_contained(inOwnBlock, 1); }
  bool allowsForUnknown() const {
    return llvm::is_contained(unknownElsewhere, 1) || llvm::is_contained(unknownBefore, 1);
  }
  bool operator==(const UsedAlone &other) const {
    const bool sameModel = model.has_value() == other.model.has_value() &&
                           (!model || (model->model == other.model->model && model->ports == other.model->ports));
    return callee == other.callee && inPlaceOf == other.inPlaceOf && inOwnBlock == other.inOwnBlock &&
           blocksArePackets == other.blocksArePackets && unknownElsewhere == other.unknownElsewhere &&
           unknownBefore == other.unknownBefore && sameModel;
  }
};

/// What is shown of the rounds of a schedule that is used in groups.
struct RoundsAlone {
  bool takePart = false;      // every rank has a message in each round
  bool spread = false;        // each rank hears of each other one: after the last round all have had a message in each one of a chain, if one had before the first
  bool shrink = false;        // no message is longer than the longest one of each round before
  bool shrinkEarly = false;   // so it is for messages that are not in time if one rank is at the front before (RoundsByTime.cpp)
  bool areOfOneBlock = false; // a message has different packets of one block of the using schedule
};

/// What the proof of a schedule by itself has shown.
struct ProofAlone {
  std::optional<NotModelled> open;     // why the promises are not shown; none: they are
  bool isUpToOrder = false;            // products have the promised operands, but perhaps in another order
  std::vector<Obligation> obligations; // those that the promises and the port model rest on
  SymbolicCost cost;                           // over `p` and `numbers`; `unknown` says why there is none
  Term packetsPerBlock;                        // of which the packets of the cost are, over the same; null: there are none
  RoundsAlone rounds;
  std::vector<Term> numbers;           // the numbers of the schedule, as variables
  std::vector<char> emptyElsewhere;    // by output: where nothing is promised, it ends empty if it begins so
  std::vector<Term> packets;           // over `p` and `numbers`: into how many packets it and what it uses split blocks
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_EXECUTION_GROUPS_H
