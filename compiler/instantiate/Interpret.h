//===- Interpret.h - A schedule on real data ------------------------------------------------------------------------------*- C++ -*-===//
//
// The reference interpreter: executes the programs of all ranks, message by message, on bytes. It shares the unfolding of
// programs with the simulation, and nothing with lockstep or with emitted code, whose results must be the same.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_INTERPRET_H
#define QUADRILLE_INSTANTIATE_INTERPRET_H

#include "Machine.h"

#include <functional>

namespace quadrille::compiler {

using Bytes = std::vector<unsigned char>;

/// A message that a rank sends or receives in a step.
struct DataMessage {
  bool isSend = false;
  bool lockstep = false; // its step is a `lockstep` step
  std::uint32_t partner = 0;
  Bytes content; // without empty blocks
};

struct DataCase {
  const ir::Schedule *schedule = nullptr;
  Case instance;
  Lengths lengths;
  std::uint64_t elementBytes = 0;
  /// into := left <> right on `count` elements; `into` may be either operand.
  std::function<void(void *into, const void *left, const void *right, std::uint64_t count)> combine;
  /// Called when a rank has completed a step, with its messages in the order of the text. May be null.
  std::function<void(std::uint32_t rank, const std::vector<DataMessage> &messages)> onStep;
  /// Called after each combination, with the number of elements that the rank has combined. May be null.
  std::function<void(std::uint32_t rank, std::uint64_t elements)> onCombine;
  std::vector<std::vector<Bytes>> inputs;  // [rank][input]: its blocks side by side; empty where the rank has none
  std::vector<std::vector<Bytes>> outputs; // [rank][output]: filled where the schedule leaves a value
  std::vector<std::vector<Bytes>> isSet;   // [rank][output]: for each byte of `outputs`, 1 if it is filled, else 0
  std::string problem;                     // why the run did not end: "rank 2 waits forever"; empty: it ended
};

/// Runs the case. `outputs` must have the size of the collective's results; blocks that stay empty are not changed. Throws Finding
/// and EvaluationError like the checks. A case that passes the checks neither throws nor has a problem.
void interpret(DataCase &dataCase, const Limits &limits);

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_INTERPRET_H
