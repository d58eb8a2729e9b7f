//===- Measurements.cpp - Times that were measured, read again ---------------------------------------------------------===//

#include "Measurements.h"

#include "llvm/Support/JSON.h"

namespace quadrille::compiler {

std::optional<std::vector<MeasuredCase>> readMeasurements(llvm::StringRef text, std::string &wrong) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    wrong = "it is no JSON: " + llvm::toString(value.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *root = value->getAsObject();
  const llvm::json::Array *schedules = root ? root->getArray("schedules") : nullptr;
  if (!schedules || root->getString("command") != llvm::StringRef("run")) {
    wrong = "it holds no results of `quadrille run --repeat=R --format=json`";
    return std::nullopt;
  }
  std::vector<MeasuredCase> result;
  for (const llvm::json::Value &one : *schedules) {
    const llvm::json::Object *schedule = one.getAsObject();
    const llvm::json::Array *cases = schedule ? schedule->getArray("cases") : nullptr;
    for (const llvm::json::Value &each : cases ? *cases : llvm::json::Array()) {
      const llvm::json::Object *c = each.getAsObject();
      const llvm::json::Object *seconds = c ? c->getObject("seconds") : nullptr;
      if (!seconds || c->getString("verdict") == llvm::StringRef("failed"))
        continue;
      MeasuredCase measured{schedule->getString("schedule").value_or("").str(), c->getInteger("p").value_or(0), c->getInteger("n").value_or(0), 0,
                            seconds->getNumber("median").value_or(0)};
      // Numbers that are no others are the schedule's own.
      for (const auto &[name, number] : *c)
        if (const std::string key = name.str(); key != "p" && key != "n" && key != "root" && number.getAsInteger())
          measured.k = *number.getAsInteger();
      if (measured.p > 0 && measured.seconds > 0)
        result.push_back(std::move(measured));
    }
  }
  if (result.empty()) {
    wrong = "no call in it was timed; `quadrille run --repeat=R` times them";
    return std::nullopt;
  }
  return result;
}

} // namespace quadrille::compiler
