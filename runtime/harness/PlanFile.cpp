//===- PlanFile.cpp - Plans, for the compiler to explain ------------------===//

#include "PlanFile.h"

#include "../plan/PlanText.h"

#include <algorithm>
#include <fstream>
#include <memory>

using namespace quadrille;
using namespace quadrille::harness;
using namespace quadrille::detail;

namespace {

/// Keeps the plan of one call, and facts about its recording.
class Keeper final : public PlanObserver {
public:
  Keeper(bool isRecorded, bool receivesFirst) : isRecorded_(isRecorded), receivesFirst_(receivesFirst) {}

  Stage stage() const override {
    return isRecorded_ ? Stage::Recorded : receivesFirst_ ? Stage::CombinesFromMemory : Stage::CombinesOnArrival;
  }
  bool receivesFirst() const override { return receivesFirst_; }
  Status see(std::shared_ptr<Plan> seen, const Recorder &recorder, Index n) override {
    plan = std::move(seen);
    for (const Argument &argument : recorder.arguments)
      names.push_back(argument.name);
    fates = recorder.fates();
    isExact = recorder.isExact() || recorder.isSingular();
    length = n;
    return {};
  }

  std::shared_ptr<Plan> plan;
  std::vector<const char *> names;
  std::vector<Fate> fates;
  bool isExact = false;
  Index length = 0;

private:
  bool isRecorded_, receivesFirst_;
};

class Writer {
public:
  Writer(const Case &c, Keeper &seen, std::ostream &out)
      : seen_(seen), plan_(*seen.plan), bound_(plan_.bind(seen.length, c.collective.c_str(), 0)), out_(out) {}

  /// Writes the operations of the plan. `more(i)` writes further fields of operation i.
  template <class More> void operations(More more) {
    for (std::size_t i = 0; i < plan_.operations.size(); ++i) {
      const Operation &operation = plan_.operations[i];
      out_ << (i == 0 ? "\n" : ",\n") << "{\"kind\": \"" << kind(operation) << '"';
      if (operation.line != 0)
        out_ << ", \"line\": " << operation.line;
      if (operation.isMessage())
        out_ << ", \"step\": " << operation.step << ", \"partner\": " << operation.partner << ", \"message\": " << operation.message
             << ", \"lockstep\": " << (operation.lockstep ? "true" : "false");
      if (operation.kind == Operation::Kind::ReceiveCombine)
        out_ << ", \"side\": \"" << (operation.side == Side::Left ? "left" : "right") << '"';
      out_ << ", \"operands\": [";
      for (std::size_t k = 0; k < operation.operandCount; ++k)
        operand(operation.operands + k, k == 0);
      out_ << ']';
      more(i);
      out_ << '}';
    }
  }

private:
  static const char *kind(const Operation &operation) {
    switch (operation.kind) {
    case Operation::Kind::Send:
      return "send";
    case Operation::Kind::Receive:
      return "receive";
    case Operation::Kind::ReceiveUpTo:
      return "receive-up-to";
    case Operation::Kind::ReceiveCombine:
      return "receive-combine";
    case Operation::Kind::Copy:
      return "copy";
    case Operation::Kind::Combine:
      break;
    }
    return "combine";
  }
  void operand(std::size_t i, bool isFirst) {
    const Blocks &blocks = plan_.operands[i];
    BlockRange one{};
    std::size_t count = 0;
    const BlockRange *ranges = plan_.divisions.ranges(blocks, one, count);
    Index sum = 0;
    for (std::size_t k = 0; k < count; ++k)
      sum += ranges[k].len;
    const Operand &bound = bound_.operands[i];
    out_ << (isFirst ? "" : ", ") << "{\"text\": \"" << textOf(plan_, blocks, seen_.names) << "\", \"blocks\": " << sum
         << ", \"pieces\": " << (bound.pieces == 0 ? 1 : bound.offset) << '}';
  }

  const Keeper &seen_;
  Plan &plan_;
  const BoundPlan &bound_;
  std::ostream &out_;
};

const char *text(Fate fate) {
  constexpr const char *texts[] = {"kept", "narrowed", "forwarded", "written-through", "renamed", "on-arrival"};
  return texts[static_cast<std::size_t>(fate)];
}

} // namespace

Status harness::writePlan(const Case &c, Index rank, const RecordCall &record, bool receivesFirst, const std::string &prefix) {
  Keeper recorded(true, receivesFirst), planned(false, receivesFirst);
  for (Keeper *keeper : {&recorded, &planned}) {
    Data data(c, rank, 0);
    data.arguments.isRecorded = true;
    if (Status bad = record(rank, data, *keeper))
      return bad;
  }
  const std::string name = prefix + std::to_string(rank) + ".plan";
  std::ofstream out(name);
  out << "{\"rank\": " << rank << ", \"window\": " << window << ", \"everyLength\": " << (planned.isExact ? "false" : "true")
      << ", \"recorded\": [";
  Writer before(c, recorded, out);
  before.operations([](std::size_t) {});
  out << "],\n\"fates\": [";
  std::vector<std::size_t> origins;
  for (std::size_t i = 0; i < planned.fates.size(); ++i) {
    out << (i == 0 ? "" : ", ") << '"' << text(planned.fates[i]) << '"';
    if (planned.fates[i] <= Fate::Narrowed)
      origins.push_back(i);
  }
  out << "],\n\"operations\": [";
  Writer after(c, planned, out);
  after.operations([&](std::size_t i) {
    const Operation &operation = planned.plan->operations[i];
    out << ", \"recorded\": " << origins[i] << ", \"follows\": " << operation.follows << ", \"after\": [";
    bool isFirst = true;
    for (std::size_t back = quadrille::detail::window - 1; back > 0; --back)
      if (back <= i && (operation.waitsFor >> (quadrille::detail::window - back) & 1) != 0) {
        out << (isFirst ? "" : ", ") << i - back;
        isFirst = false;
      }
    out << ']';
  });
  out << "]}\n";
  return {};
}
