//===- CheckCommand.cpp - quadrille check -----------------------------------------------------------------------------------------===//

#include "Commands.h"
#include "Report.h"

#include "check/Check.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille {

static std::optional<ModelInForce> modelOption(llvm::StringRef text) {
  if (text.empty())
    return std::nullopt;
  ModelInForce model;
  if (text.consume_front("ports(")) {
    model.model = ir::PortModel::Ports;
    text.consume_back(")");
    text.getAsInteger(10, model.ports);
  } else {
    model.model = text == "half_duplex" ? ir::PortModel::HalfDuplex
                  : text == "telephone" ? ir::PortModel::Telephone
                  : text == "shared"    ? ir::PortModel::Shared
                                        : ir::PortModel::FullDuplex;
  }
  return model;
}

CheckOptions checkOptions(const Options &options) {
  CheckOptions result;
  result.ps = options.ps;
  if (result.ps.empty())
    for (std::int64_t p = 1; p <= 17; ++p)
      result.ps.push_back(p);
  result.parameters = options.ks;
  result.root = options.root;
  result.model = modelOption(options.model);
  result.limits.memoryBytes = options.memoryBytes;
  result.limits.maxSteps = options.maxSteps;
  return result;
}

int checkCommand(Session &session) {
  std::vector<const ir::Schedule *> schedules;
  for (const std::string &file : session.options.files)
    llvm::append_range(schedules, session.library.find(file));
  CheckOptions options = checkOptions(session.options);
  VerdictTable table(schedules, session.options.verbose);
  for (const ir::Schedule *schedule : schedules) {
    Verdict verdict = checkSchedule(*schedule, options);
    if (verdict.ok && verdict.checkedPs.empty()) {
      verdict.ok = false;
      verdict.failure = noAdmissibleCase(*schedule, options);
    }
    if (verdict.failure)
      session.diagnostics.report(*verdict.failure);
    for (const Diagnostic &warning : verdict.warnings)
      session.diagnostics.report(warning);
    table.print(verdict, llvm::outs());
  }
  return session.diagnostics.errorCount() ? 1 : 0;
}

} // namespace quadrille
