//===- Plans.cpp - quadrille emit --explain and draw --plan ---------------------------------------------------------------===//

#include "Plans.h"

#include "Given.h"
#include "Pictures.h"
#include "SingleCase.h"

#include "diagnostics/OutputFile.h"
#include "draw/PlanDiagram.h"
#include "limits/Limits.h"
#include "plan/PlanText.h"
#include "run/RecordPlans.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace quadrille::compiler {

namespace {

constexpr std::int64_t lengthElements = 7; // as for --validate, since a few elements show as much as many

/// Plans of one schedule, and the text of their case.
struct Plans {
  std::string caseText;
  std::vector<plan::RankPlan> plans;
};

run::RunRequest requestFor(Session &session, const ir::Schedule &schedule, const Case &instance) {
  const Options &options = session.options;
  run::RunRequest request;
  request.program = &session.library.program();
  request.backend = options.backend == BackendChoice::Mpi ? emit::Backend::Mpi : emit::Backend::Shm;
  request.ns = {lengthElements};
  request.roots = {options.root.value_or(0)};
  if (schedule.parameterCount > 0)
    request.parameters = {instance.numbers[0]};
  request.validate = true;
  if (const Nodes nodes = nodesOf(schedule, instance))
    request.nodes = {0, nodes->nodeOf};
  request.executable = options.executable;
  // The only progress that is shown is that of compiling the emitted code, which takes seconds.
  request.progress = [](const std::string &what) { llvm::errs() << "quadrille: " << what << '\n'; };
  return request;
}

/// Records the plans of a schedule in the case of the options; nothing after an error, which has been reported. Throws Finding.
std::optional<Plans> plansOf(Session &session, const ir::Schedule &schedule, std::int64_t defaultRanks) {
  const Options &options = session.options;
  TreeCache trees;
  const std::optional<Case> instance = singleCase(session, schedule, defaultRanks, trees);
  if (!instance)
    return std::nullopt;
  const std::vector<std::int64_t> ranks = options.planRanks.empty() ? std::vector<std::int64_t>{0} : options.planRanks;
  for (std::int64_t rank : ranks)
    if (rank >= instance->p) {
      session.diagnostics.report(schedule.nameRange, diag::RankOutOfRange{.rank = rank, .p = instance->p});
      return std::nullopt;
    }
  // Emission relies on the checks.
  CheckOptions check = checkOptions(options);
  check.ps = {instance->p};
  check.root = options.root.value_or(0);
  if (schedule.parameterCount > 0)
    check.parameters = {instance->numbers[0]};
  if (const Nodes nodes = nodesOf(schedule, *instance))
    check.nodes = {0, nodes->nodeOf};
  if (Verdict verdict = checkSchedule(schedule, check); verdict.failure) {
    session.diagnostics.report(*verdict.failure);
    return std::nullopt;
  }
  std::optional<std::vector<plan::RankPlan>> plans = run::recordPlans(schedule, instance->p, ranks, requestFor(session, schedule, *instance),
                                                                      session.sources, session.diagnostics);
  if (!plans)
    return std::nullopt;
  Plans result;
  result.caseText = headingOf(schedule, *instance);
  bool isEveryLength = schedule.tables.empty();
  for (plan::RankPlan &plan : *plans) {
    if (plan.operations.size() > limits::planOperations) {
      session.diagnostics.report(schedule.nameRange, diag::PlanTooLong{.operations = plan.operations.size(), .parameter = schedule.parameterCount > 0, .limit = limits::planOperations});
      return std::nullopt;
    }
    plan.everyLength &= isEveryLength;
    isEveryLength &= plan.everyLength;
  }
  if (!isEveryLength)
    result.caseText += (schedule.tables.empty() ? ", n = " : ", lengths around ") + std::to_string(lengthElements);
  result.plans = std::move(*plans);
  return result;
}

/// Calls `what` with the plans of a schedule; errors are reported.
template <class What> void withPlans(Session &session, const ir::Schedule &schedule, std::int64_t defaultRanks, What what) {
  try {
    if (std::optional<Plans> plans = plansOf(session, schedule, defaultRanks))
      what(*plans);
  } catch (Finding &finding) {
    if (!finding.diagnostic.range.isValid())
      finding.diagnostic.range = schedule.nameRange;
    session.diagnostics.report(std::move(finding.diagnostic));
  } catch (const EvaluationError &error) {
    session.diagnostics.report(error.range, error.facts);
  }
}

} // namespace

int explainPlans(Session &session) {
  bool isFirst = true;
  for (const std::string &file : session.options.files)
    for (const ir::Schedule *schedule : session.library.find(file))
      withPlans(session, *schedule, /*defaultRanks=*/4, [&](const Plans &plans) {
        for (const plan::RankPlan &plan : plans.plans) {
          llvm::outs() << (isFirst ? "" : "\n");
          isFirst = false;
          plan::writeExplanation(plan, schedule->path(), plans.caseText, llvm::outs());
        }
      });
  return session.diagnostics.errorCount() ? 1 : 0;
}

int drawPlans(Session &session) {
  const Options &options = session.options;
  const std::vector<const ir::Schedule *> schedules = session.library.find(options.files[0]);
  if (schedules.size() > 1)
    session.diagnostics.reportFile(options.files[0], diag::SeveralSchedules{.schedules = schedules.size(), .command = "draw"});
  if (schedules.size() != 1)
    return 1;
  const ir::Schedule &schedule = *schedules[0];
  const std::optional<scene::PictureFormat> format = wantedPicture(options);
  if (format && !canWrite(*format, session.diagnostics))
    return 1;
  withPlans(session, schedule, /*defaultRanks=*/8, [&](Plans &plans) {
    plan::waitForMessages(plans.plans);
    const draw::PlanDiagram diagram{schedule.path(), plans.caseText, std::move(plans.plans)};
    if (format && diagram.operations() > limits::planBoxes) {
      session.diagnostics.report(schedule.nameRange, diag::PictureTooLarge{.count = diagram.operations(), .more = false, .what = diag::ShownOperations{}, .limit = limits::planBoxes});
      return;
    }
    if (format)
      return writePicture(session, {draw::planScene(diagram, options.look), {}, {}}, *format);
    unsigned width = 100;
    if (options.output.empty() && llvm::sys::Process::StandardOutIsDisplayed())
      if (unsigned terminal = llvm::sys::Process::StandardOutColumns())
        width = std::max(60u, terminal);
    if (options.look.width)
      width = static_cast<unsigned>(*options.look.width);
    writeOutput(options.output, [&](llvm::raw_ostream &out) { draw::writePlanText(diagram, width, options.look.title, out); }, session.diagnostics);
  });
  return session.diagnostics.errorCount() ? 1 : 0;
}

} // namespace quadrille::compiler
