//===- Measurements.cpp - Times that were measured, read again ---------------------------------------------------------===//

#include "Measurements.h"

#include "llvm/Support/JSON.h"

#include <cmath>
#include <limits>

namespace quadrille::compiler {

using llvm::json::Object;

/// A trace of p ranks as RunData writes it. Nothing after a mistake, which `wrong` tells.
static std::optional<run::CallTrace> readTrace(const Object &read, std::int64_t p, std::string &wrong) {
  run::CallTrace trace;
  trace.hasOneClock = read.getString("clock") == llvm::StringRef("one");
  trace.call = read.getInteger("call").value_or(0);
  trace.calls = read.getInteger("calls").value_or(0);
  trace.seconds = read.getNumber("seconds").value_or(0);
  const llvm::json::Array *operations = read.getArray("operations");
  for (const llvm::json::Value &each : operations ? *operations : llvm::json::Array()) {
    auto fail = [&](const std::string &what) {
      wrong = "operation " + std::to_string(trace.operations.size()) + " of it " + what;
      return std::nullopt;
    };
    const Object *operation = each.getAsObject();
    if (!operation)
      return fail("is none");
    auto number = [&](llvm::StringRef name, std::int64_t otherwise) { return operation->getInteger(name).value_or(otherwise); };
    auto seconds = [&](llvm::StringRef name) { return operation->getNumber(name).value_or(0); };
    run::OperationTimes times{number("rank", -1), operation->getString("kind").value_or("").str(), number("line", 0), number("step", 0), number("partner", -1),
                              number("message", 0), number("bytes", 0), seconds("ready"), seconds("begin"), seconds("end")};
    const bool isMessage = times.isSend() || times.isReceive();
    if (times.rank < 0 || times.rank >= p || times.partner >= p || (isMessage && times.partner < 0))
      return fail("is not one of " + std::to_string(p) + " ranks");
    const auto isCount = [](std::int64_t value) { return 0 <= value && value <= std::numeric_limits<std::uint32_t>::max(); };
    if (!isCount(times.line) || !isCount(times.step) || times.bytes < 0)
      return fail("has a `line`, `step` or `bytes` that cannot be");
    // A rank may be ready before the call of the first one begins to count.
    if (!std::isfinite(times.ready) || !std::isfinite(times.end) || !(times.begin <= times.end) || !std::isfinite(times.begin))
      return fail("has a `ready`, `begin` or `end` that cannot be");
    trace.operations.push_back(std::move(times));
  }
  return trace;
}

static MeasuredCase readCase(const Object &c) {
  MeasuredCase measured;
  measured.p = c.getInteger("p").value_or(0);
  measured.n = c.getInteger("n").value_or(0);
  measured.root = c.getInteger("root").value_or(0);
  measured.text = "p = " + std::to_string(measured.p);
  // All other numbers are parameters of the schedule.
  for (const auto &[name, number] : c)
    if (const std::string key = name.str(); key != "p" && key != "n" && number.getAsInteger()) {
      if (key != "root")
        measured.k = *number.getAsInteger();
      measured.text += ", " + key + " = " + std::to_string(*number.getAsInteger());
    }
  if (c.getInteger("n"))
    measured.text += ", n = " + std::to_string(measured.n);
  for (const char *word : {"type", "backend"})
    if (const auto value = c.getString(word))
      measured.text += ", " + value->str();
  return measured;
}

std::optional<std::vector<MeasuredCase>> readMeasurements(llvm::StringRef text, Measured what, std::string &wrong) {
  constexpr std::int64_t mostRanks = std::numeric_limits<std::int32_t>::max();
  const std::string option = what == Measured::Trace ? "--trace-times" : "--repeat=R";
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    wrong = "it is not JSON: " + llvm::StringRef(llvm::toString(value.takeError())).trim().str();
    return std::nullopt;
  }
  const Object *root = value->getAsObject();
  const llvm::json::Array *schedules = root ? root->getArray("schedules") : nullptr;
  if (!schedules || root->getString("command") != llvm::StringRef("run")) {
    wrong = "it holds no results of `quadrille run " + option + " --format=json`";
    return std::nullopt;
  }
  std::vector<MeasuredCase> result;
  for (const llvm::json::Value &one : *schedules) {
    const Object *schedule = one.getAsObject();
    const llvm::json::Array *cases = schedule ? schedule->getArray("cases") : nullptr;
    for (const llvm::json::Value &each : cases ? *cases : llvm::json::Array()) {
      const Object *c = each.getAsObject();
      const Object *found = c ? c->getObject(what == Measured::Trace ? "trace" : "seconds") : nullptr;
      if (!found || c->getString("verdict") == llvm::StringRef("failed"))
        continue;
      MeasuredCase measured = readCase(*c);
      measured.schedule = schedule->getString("schedule").value_or("").str();
      auto fail = [&](const std::string &about, const std::string &how) {
        wrong = about + " of " + (measured.schedule.empty() ? "a schedule without a name" : measured.schedule) + " " + how;
        return std::nullopt;
      };
      if (measured.p < 1 || measured.p > mostRanks)
        return fail("a case", "has no number of ranks `p`");
      std::string why;
      if (what == Measured::Trace && !(measured.trace = readTrace(*found, measured.p, why)))
        return fail("a trace", "is damaged: " + why);
      if (what == Measured::Seconds)
        measured.seconds = found->getNumber("median").value_or(0);
      if (what == Measured::Seconds && !(measured.seconds > 0 && std::isfinite(measured.seconds)))
        return fail("a case", "has no `median` of its `seconds`");
      result.push_back(std::move(measured));
    }
  }
  if (result.empty()) {
    wrong = what == Measured::Trace ? "no call in it was traced; `quadrille run --trace-times` does that" : "no call in it was timed; `quadrille run --repeat=R` times them";
    return std::nullopt;
  }
  return result;
}

} // namespace quadrille::compiler
