//===- CompareCommand.cpp - quadrille cost --compare ---------------------------------------------------------------------------===//

#include "Given.h"
#include "Pictures.h"

#include "check/NeededModel.h"
#include "closedform/ClosedForms.h"
#include "diagnostics/OutputFile.h"
#include "prove/solver/SharedAnswers.h"
#include "report/CompareReport.h"
#include "report/CostFacts.h"
#include "report/ProgressLine.h"
#include "report/Text.h"
#include "sema/ExprSema.h"
#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

namespace {
class CompareCommand {
public:
  explicit CompareCommand(Session &session) : session(session), options(session.options) { compared.collective = options.compare; }

  int run() {
    if (const std::optional<scene::PictureFormat> picture = wantedPicture(options); picture && !canWrite(*picture, session.diagnostics))
      return 1;
    std::vector<const ir::Schedule *> schedules;
    std::vector<std::string> collectives;
    for (const ir::Schedule *schedule : session.library.all()) {
      collectives.push_back(schedule->collective->name);
      if (schedule->collective->name == options.compare)
        schedules.push_back(schedule);
    }
    for (const std::string &file : options.files)
      for (const ir::Schedule *schedule : session.library.find(file)) {
        named.push_back(schedule);
        if (!llvm::is_contained(schedules, schedule))
          add(*schedule, schedules);
      }
    if (session.diagnostics.errorCount())
      return 1;
    if (schedules.empty()) {
      const std::string near = sema::didYouMean(options.compare, collectives);
      session.diagnostics.reportFile(options.compare, diag::NothingToCompare{.reason = diag::NoneLeftCollective{.near = near}});
      return 2;
    }
    if (std::optional<MachineParameters> given = givenParameters(session))
      compared.machine = *given;
    if (session.diagnostics.errorCount())
      return 1;
    ProgressLine progress;
    for (const ir::Schedule *schedule : schedules) {
      progress.show("the formula of " + schedule->path());
      consider(*schedule);
    }
    progress.hide();
    if (compared.candidates.empty()) {
      session.diagnostics.reportFile(options.compare,
                                     diag::NothingToCompare{
                                         .reason = diag::NoneLeftLeftOut{.schedule = compared.leftOut.front().path, .reason = compared.leftOut.front().reason}});
      return 1;
    }
    compared.ps = options.ps.empty() ? sampled(2, 1024) : options.ps;
    compared.ns = options.ns.empty() ? sampled(1, 1 << 24) : options.ns;
    progress.show("comparing " + counted(compared.candidates.size(), "schedule"));
    compared.comparison = compare(compared.candidates, compared.ps, compared.ns, compared.machine,
                                  [](const Candidate &candidate, std::int64_t p) { return competesAt(candidate, p); });
    progress.hide();
    if (llvm::all_of(compared.comparison.stretches, [](const auto &stretches) { return stretches.empty(); })) {
      session.diagnostics.reportFile(options.compare,
                                     diag::NothingToCompare{.reason = diag::NoneLeftNotAtRanks{.ps = compared.ps}});
      return 1;
    }
    write();
    return session.diagnostics.errorCount() ? 1 : 0;
  }

private:
  // ---- the candidates --------------------------------------------------------------------------------------------------

  void add(const ir::Schedule &schedule, std::vector<const ir::Schedule *> &schedules) {
    if (schedule.collective->name == options.compare)
      schedules.push_back(&schedule);
    else
      session.diagnostics.report(schedule.nameRange,
                                 diag::OtherCollective{.schedule = schedule.path(), .collective = options.compare});
  }

  void consider(const ir::Schedule &schedule) {
    auto leave = [&](diag::LeftOut reason) { compared.leftOut.push_back({schedule.path(), std::move(reason)}); };
    if (!schedule.tables.empty())
      return leave(diag::LeftOutLengths{});
    if (schedule.usesNodes)
      return leave(diag::LeftOutNodes{});
    if (options.noncommutative && schedule.requiresCommutative)
      return leave(diag::LeftOutCommutative{});
    std::optional<ScheduleCost> cost;
    try {
      const ClosedFormOptions formOptions{.limits = checkOptions(options).limits, .shared = &shared};
      cost = scheduleCost(schedule, compared.machine.gamma > 0, formOptions);
    } catch (const Finding &) {
      return leave(diag::LeftOutWrong{});
    }
    if (!cost)
      return leave(diag::LeftOutNoFormula{});
    if (compared.machine.gamma > 0 && schedule.usesOperator && !cost->hasGamma)
      return leave(diag::LeftOutNoGamma{});
    Candidate candidate{&schedule, *cost, packetParameter(schedule, *cost).value_or("")};
    if (schedule.parameterCount > (candidate.k.empty() ? 0 : 1))
      return leave(diag::LeftOutNoPackets{});
    if (!candidate.k.empty() &&
        llvm::any_of(schedule.requirements, [](const ir::Requirement &r) { return mentions(*r.condition, ir::Schedule::firstNumber); }))
      return leave(diag::LeftOutRequirement{.parameter = candidate.k});
    // Ports are free in the cost model, so a schedule that uses several would win everywhere.
    std::optional<ModelInForce> wanted = checkOptions(options).model;
    if (!wanted && !llvm::is_contained(named, &schedule))
      wanted = ModelInForce{ir::PortModel::FullDuplex};
    if (wanted)
      if (std::optional<ModelInForce> needed = neededModel(schedule); !needed || !wanted->contains(*needed))
        return leave(needed ? diag::LeftOut(diag::LeftOutModel{.model = needed->text()}) : diag::LeftOutNoModel{});
    compared.candidates.push_back(std::move(candidate));
  }

  static bool competesAt(const Candidate &candidate, std::int64_t p) {
    Case instance{p, std::vector<std::int64_t>(candidate.schedule->numberCount, 0)};
    std::fill_n(instance.numbers.begin(), candidate.schedule->parameterCount, 1);
    TreeCache trees;
    return isAdmitted(*candidate.schedule, instance, trees);
  }

  void write() {
    if (const std::optional<scene::PictureFormat> picture = wantedPicture(options))
      return writePicture(session, {draw::mapScene(costMap(compared), options.look), {}, {}}, *picture);
    const bool isJson = options.format == "json" || (options.format.empty() && llvm::StringRef(options.output).ends_with(".json"));
    writeOutput(
        options.output,
        [&](llvm::raw_ostream &out) { isJson ? printComparisonJson(compared, out) : printComparisonText(compared, out); },
        session.diagnostics);
  }

  Session &session;
  const Options &options;
  ScheduleComparison compared;
  prove::SharedAnswers shared;
  std::vector<const ir::Schedule *> named; // those that the user names beside the collective
};
} // namespace

int compareCommand(Session &session) { return CompareCommand(session).run(); }

} // namespace quadrille::compiler
