//===- SingleCase.cpp - The one case that a command looks at ----------------------------------------------------------------===//

#include "SingleCase.h"

#include "Given.h"

#include "report/VerdictReport.h"

namespace quadrille::compiler {

std::optional<Case> singleCase(Session &session, const ir::Schedule &schedule, std::int64_t defaultRanks, TreeCache &trees) {
  const Options &options = session.options;
  auto fail = [&](diag::Facts facts) {
    session.diagnostics.report(schedule.nameRange, std::move(facts));
    return std::nullopt;
  };
  Case instance;
  instance.p = options.ps.empty() ? defaultRanks : options.ps[0];
  if (!options.ks.empty() && schedule.parameterCount == 0)
    return fail(diag::RunParameters{.schedule = schedule.path(), .given = options.ks.size()});
  warnOfUnreadOptions(&schedule, session);
  instance.numbers.assign(schedule.parameterCount, options.ks.empty() ? 4 : options.ks[0]);
  std::int64_t root = options.root.value_or(0);
  if (schedule.rootVariable() && root >= instance.p)
    return fail(diag::RootOutOfRange{.root = root, .p = instance.p});
  instance.numbers.resize(schedule.numberCount, root);
  instance.nodes = options.nodes.at(instance.p);
  if (!admits(schedule, instance, trees)) {
    CheckOptions asked;
    asked.ps = {instance.p};
    session.diagnostics.report(noAdmissibleCase(schedule, asked));
    return std::nullopt;
  }
  return instance;
}

std::string headingOf(const ir::Schedule &schedule, const Case &instance, const Nodes &nodes) {
  constexpr size_t mostShown = 16;
  diag::Values values = valuesOf(schedule, instance);
  if (nodes)
    values.nodes = nodes->nodeOf;
  const bool isCut = values.nodes.size() > mostShown;
  if (isCut)
    values.nodes.resize(mostShown);
  return diag::text(values) + (isCut ? ",..." : "");
}

} // namespace quadrille::compiler
