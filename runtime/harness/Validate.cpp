//===- Validate.cpp - Records and replays emitted code -------------------===//

#include "Validate.h"

#include "Replay.h"
#include "Results.h"

#include <memory>

using namespace quadrille;
using namespace quadrille::harness;
using quadrille::detail::PlanObserver;

namespace {

/// Passes recorded plans to a replay.
class Gatherer final : public PlanObserver {
public:
  Gatherer(Replay &replay, Stage stage) : replay_(replay), stage_(stage) {}

  Stage stage() const override { return stage_; }
  Status see(std::shared_ptr<quadrille::detail::Plan> plan, const quadrille::detail::Recorder &recorder, Index n) override {
    return replay_.add(rank, std::move(plan), recorder, n);
  }

  Index rank = 0; ///< the rank whose call is recorded

private:
  Replay &replay_;
  Stage stage_;
};

/// The validation of one call of a case, on all ranks.
class Validation {
public:
  Validation(const Case &c, std::vector<Report> &reports, PlanObserver::Stage stage)
      : case_(c), reports_(reports), replay_(static_cast<Index>(reports.size()), c.element, c.combiner), stage_(stage) {
    for (std::size_t rank = 0; rank < reports.size(); ++rank) {
      data.push_back(std::make_unique<Data>(c, static_cast<Index>(rank), 0));
      data.back()->arguments.isRecorded = true;
      before_.push_back(hashesOfInputs(*data.back()));
    }
  }

  /// Records the calls of all ranks. False if one failed, which is reported.
  bool record(const RecordCall &call) {
    Gatherer gatherer(replay_, stage_);
    bool isGood = true;
    for (std::size_t i = 0; i < data.size(); ++i) {
      gatherer.rank = static_cast<Index>(i);
      const Status status = call(gatherer.rank, *data[i], gatherer);
      if (status)
        noteStatus(reports_[i], case_, status);
      isGood &= !status;
    }
    return isGood && replay_.isComplete();
  }

  std::vector<Trace> replayInOrder(bool keepSteps) {
    std::vector<Trace> traces(data.size(), Trace(keepSteps));
    note(replay_.inOrder(traces));
    return traces;
  }
  void replayInAnyOrder() { note(replay_.inAnyOrder(case_.seed + static_cast<std::uint64_t>(case_.order))); }

  std::vector<std::unique_ptr<Data>> data;

private:
  void note(const Problem &problem) {
    if (!problem.text.empty())
      noteStatus(reports_[static_cast<std::size_t>(problem.rank)], case_, Status(ErrorCode::Transport, (what() + problem.text).c_str()));
    for (std::size_t i = 0; i < data.size(); ++i)
      noteMisbehaviour(reports_[i], case_, *data[i], before_[i]);
  }
  std::string what() const { return stage_ == PlanObserver::Stage::Recorded ? "" : "as its plan is carried out: "; }

  const Case &case_;
  std::vector<Report> &reports_;
  Replay replay_;
  PlanObserver::Stage stage_;
  std::vector<std::vector<std::uint64_t>> before_;
};

} // namespace

static void noteTrace(Report &report, const Case &c, const Trace &trace) {
  report.line("trace", c.id, trace.stepCount(), trace.hash(), trace.combined());
  for (std::size_t step = 0; step < trace.steps().size(); ++step)
    for (const Message &message : trace.steps()[step])
      report.line("message", c.id, step, message.isSend ? 1 : 0, message.partner, message.elements, message.content, message.lockstep ? 1 : 0);
}

void harness::validate(const Case &c, const RecordCall &record, std::vector<Report> &reports, bool dump) {
  Validation recorded(c, reports, PlanObserver::Stage::Recorded);
  if (recorded.record(record)) {
    const std::vector<Trace> traces = recorded.replayInOrder(dump);
    for (std::size_t i = 0; i < reports.size(); ++i) {
      noteOutputs(reports[i], c, static_cast<Index>(i), *recorded.data[i], dump);
      noteTrace(reports[i], c, traces[i]);
    }
    for (const PlanObserver::Stage stage : {PlanObserver::Stage::CombinesOnArrival, PlanObserver::Stage::CombinesFromMemory}) {
      Validation planned(c, reports, stage);
      if (!planned.record(record))
        break;
      planned.replayInAnyOrder();
      for (std::size_t i = 0; i < reports.size(); ++i)
        noteDifferences(reports[i], c, static_cast<Index>(i), static_cast<std::size_t>(stage), *planned.data[i], *recorded.data[i]);
    }
  }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (recorded.data[i]->arguments.chosen != 0)
      reports[i].line("chose", c.id, recorded.data[i]->arguments.chosen);
    reports[i].line("done", c.id);
    reports[i].flush();
  }
}
