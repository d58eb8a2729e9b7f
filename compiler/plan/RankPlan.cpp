//===- RankPlan.cpp - What one rank does in a call, as the runtime plans it ------------------------------------------------===//

#include "RankPlan.h"

#include "limits/Limits.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace quadrille::compiler::plan {

namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

std::string RecordedOperation::data() const {
  auto operand = [&](size_t i) { return i < operands.size() ? operands[i].text : std::string(); };
  switch (kind) {
  case Kind::Send:
  case Kind::Receive:
    return operand(0);
  case Kind::ReceiveUpTo:
    return "up to " + operand(0);
  case Kind::ReceiveCombine:
    return operand(0) + " := " + (incomingIsLeft ? "message <> " + operand(1) : operand(1) + " <> message");
  case Kind::Copy:
    return operand(0) + " := " + operand(1);
  case Kind::Combine:
    return operand(0) + " := " + operand(1) + " <> " + operand(2);
  }
  return {};
}

std::string RecordedOperation::text() const {
  const std::string what = data(), with = std::to_string(partner);
  switch (kind) {
  case Kind::Send:
    return (what.empty() ? "send" : "send " + what) + " to " + with;
  case Kind::Receive:
  case Kind::ReceiveUpTo:
    return (what.empty() ? "receive" : "receive " + what) + " from " + with;
  case Kind::ReceiveCombine:
    return what + " from " + with;
  case Kind::Copy:
  case Kind::Combine:
    break;
  }
  return what;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool fromJSON(const json::Value &value, Operand &region, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("text", region.text) && map.map("blocks", region.blocks) && map.map("pieces", region.pieces);
}

static bool fromJSON(const json::Value &value, RecordedOperation &operation, json::Path path) {
  json::ObjectMapper map(value, path);
  std::string kind, side;
  if (!map || !map.map("kind", kind) || !map.map("operands", operation.operands) || !map.mapOptional("line", operation.line) ||
      !map.mapOptional("step", operation.step) || !map.mapOptional("partner", operation.partner) ||
      !map.mapOptional("message", operation.message) || !map.mapOptional("lockstep", operation.lockstep) || !map.mapOptional("side", side))
    return false;
  using Kind = RecordedOperation::Kind;
  const std::optional<Kind> known = llvm::StringSwitch<std::optional<Kind>>(kind)
                                        .Case("send", Kind::Send)
                                        .Case("receive", Kind::Receive)
                                        .Case("receive-up-to", Kind::ReceiveUpTo)
                                        .Case("receive-combine", Kind::ReceiveCombine)
                                        .Case("copy", Kind::Copy)
                                        .Case("combine", Kind::Combine)
                                        .Default(std::nullopt);
  operation.kind = known.value_or(Kind::Copy);
  operation.incomingIsLeft = side == "left";
  return known.has_value();
}

namespace {
/// An operation as the file has it: with all dependences. It also waits for the first `follows` operations.
struct WrittenOperation : PlannedOperation {
  size_t follows = 0;
};
} // namespace

static bool fromJSON(const json::Value &value, WrittenOperation &operation, json::Path path) {
  json::ObjectMapper map(value, path);
  return fromJSON(value, static_cast<RecordedOperation &>(operation), path) && map && map.map("recorded", operation.recorded) &&
         map.map("follows", operation.follows) && map.map("after", operation.after);
}

static bool fromJSON(const json::Value &value, Fate &fate, json::Path) {
  const auto word = value.getAsString();
  const std::optional<Fate> known = llvm::StringSwitch<std::optional<Fate>>(word.value_or(""))
                                        .Case("kept", Fate::Kept)
                                        .Case("narrowed", Fate::Narrowed)
                                        .Case("forwarded", Fate::Forwarded)
                                        .Case("written-through", Fate::WrittenThrough)
                                        .Case("renamed", Fate::Renamed)
                                        .Case("on-arrival", Fate::OnArrival)
                                        .Default(std::nullopt);
  fate = known.value_or(Fate::Kept);
  return known.has_value();
}

/// Removes the dependences of each operation that follow from its other ones.
static void reduce(std::vector<WrittenOperation> &operations) {
  std::vector<llvm::BitVector> before; // of each operation, all that is done when it begins
  before.reserve(operations.size());
  for (WrittenOperation &operation : operations) {
    llvm::BitVector &mine = before.emplace_back(static_cast<unsigned>(operations.size()));
    std::vector<size_t> direct;
    auto wait = [&](size_t i) {
      assert(i + 1 < before.size() && "an operation waits for earlier ones");
      if (mine.test(static_cast<unsigned>(i)))
        return;
      direct.push_back(i);
      mine |= before[i];
      mine.set(static_cast<unsigned>(i));
    };
    // The latest ones first: operations that these wait for are dropped.
    for (size_t i : llvm::reverse(operation.after))
      if (i >= operation.follows)
        wait(i);
    for (size_t i = operation.follows; i-- > 0;)
      wait(i);
    llvm::sort(direct);
    operation.after = std::move(direct);
  }
}

std::optional<RankPlan> readPlan(llvm::StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  RankPlan plan;
  std::vector<WrittenOperation> operations;
  json::Path::Root root;
  json::ObjectMapper map(*value, root);
  if (!map || !map.map("rank", plan.rank) || !map.map("window", plan.window) || !map.map("everyLength", plan.everyLength) ||
      !map.map("recorded", plan.recorded) || !map.map("fates", plan.fates) || !map.map("operations", operations))
    return std::nullopt;
  for (size_t i = 0; i < operations.size(); ++i)
    if (operations[i].follows > i || operations[i].recorded >= plan.recorded.size() ||
        llvm::any_of(operations[i].after, [&](size_t j) { return j >= i; }))
      return std::nullopt;
  if (plan.fates.size() != plan.recorded.size())
    return std::nullopt;
  const bool isReadable = operations.size() <= limits::planOperations;
  if (isReadable)
    reduce(operations);
  for (WrittenOperation &operation : operations) {
    if (!isReadable)
      operation.after.clear();
    for (size_t i : operation.after)
      operation.time = std::max(operation.time, plan.operations[i].time);
    ++operation.time;
    plan.operations.push_back(std::move(operation));
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

size_t RankPlan::longestChain() const {
  size_t most = 0;
  std::vector<size_t> chain;
  for (const PlannedOperation &operation : operations) {
    size_t before = 0;
    for (size_t i : operation.after)
      before = std::max(before, chain[i]);
    chain.push_back(before + 1);
    most = std::max(most, before + 1);
  }
  return most;
}

void waitForMessages(llvm::MutableArrayRef<RankPlan> plans) {
  // The send of each message, by sender, receiver and the message's number between the two.
  std::map<std::tuple<std::int64_t, std::int64_t, std::uint64_t>, const PlannedOperation *> sent;
  for (const RankPlan &plan : plans)
    for (const PlannedOperation &operation : plan.operations)
      if (operation.isSend())
        sent[{plan.rank, operation.partner, operation.message}] = &operation;
  // This ends because dependences have no cycle: a message waits only for operations that come before it in a run of the schedule.
  for (bool moved = true; moved;) {
    moved = false;
    for (RankPlan &plan : plans)
      for (PlannedOperation &operation : plan.operations) {
        size_t time = 1;
        for (size_t i : operation.after)
          time = std::max(time, plan.operations[i].time + 1);
        if (operation.isMessage() && !operation.isSend())
          if (auto found = sent.find({operation.partner, plan.rank, operation.message}); found != sent.end())
            time = std::max(time, found->second->time);
        moved |= time != operation.time;
        operation.time = time;
      }
  }
}

} // namespace quadrille::compiler::plan
