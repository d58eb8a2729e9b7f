//===- Measurements.cpp - Times that were measured, read again ---------------------------------------------------------===//

#include "Measurements.h"

#include "llvm/Support/JSON.h"

#include <cmath>
#include <limits>

namespace quadrille::compiler {

using llvm::json::Object;

namespace {
struct WrongOperation {
  size_t number;
  diag::BadOperation problem;
};
} // namespace

/// A trace of p ranks as RunData writes it. Nothing after a mistake, which `wrong` tells.
static std::optional<run::CallTrace> readTrace(const Object &read, std::int64_t p, std::optional<WrongOperation> &wrong) {
  run::CallTrace trace;
  trace.hasOneClock = read.getString("clock") == llvm::StringRef("one");
  trace.call = read.getInteger("call").value_or(0);
  trace.calls = read.getInteger("calls").value_or(0);
  trace.seconds = read.getNumber("seconds").value_or(0);
  const llvm::json::Array *operations = read.getArray("operations");
  for (const llvm::json::Value &each : operations ? *operations : llvm::json::Array()) {
    auto fail = [&](diag::BadOperation what) {
      wrong = {trace.operations.size(), std::move(what)};
      return std::nullopt;
    };
    const Object *operation = each.getAsObject();
    if (!operation)
      return fail(diag::BadOperationNone{});
    auto number = [&](llvm::StringRef name, std::int64_t otherwise) { return operation->getInteger(name).value_or(otherwise); };
    auto seconds = [&](llvm::StringRef name) { return operation->getNumber(name).value_or(0); };
    run::OperationTimes times{number("rank", -1), operation->getString("kind").value_or("").str(), number("line", 0), number("step", 0), number("partner", -1),
                              number("message", 0), number("bytes", 0), seconds("ready"), seconds("begin"), seconds("end")};
    const bool isMessage = times.isSend() || times.isReceive();
    if (times.rank < 0 || times.rank >= p || times.partner >= p || (isMessage && times.partner < 0))
      return fail(diag::BadOperationOtherRank{.ranks = p});
    const auto isCount = [](std::int64_t value) { return 0 <= value && value <= std::numeric_limits<std::uint32_t>::max(); };
    if (!isCount(times.line) || !isCount(times.step) || times.bytes < 0)
      return fail(diag::BadOperationPlace{});
    // A rank may be ready before the call of the first one begins to count.
    if (!std::isfinite(times.ready) || !std::isfinite(times.end) || !(times.begin <= times.end) || !std::isfinite(times.begin))
      return fail(diag::BadOperationTimes{});
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

std::optional<std::vector<MeasuredCase>> readMeasurements(llvm::StringRef text, Measured what, std::optional<diag::NoResults> &wrong) {
  constexpr std::int64_t mostRanks = std::numeric_limits<std::int32_t>::max();
  const std::string option = what == Measured::Trace ? "--trace-times" : "--repeat=R";
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    wrong = diag::NoResultsNoJson{.said = llvm::StringRef(llvm::toString(value.takeError())).trim()};
    return std::nullopt;
  }
  const Object *root = value->getAsObject();
  const llvm::json::Array *schedules = root ? root->getArray("schedules") : nullptr;
  if (!schedules || root->getString("command") != llvm::StringRef("run")) {
    wrong = diag::NoResultsOfOther{.option = option};
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
      auto fail = [&](diag::NoResults how) {
        wrong = std::move(how);
        return std::nullopt;
      };
      if (measured.p < 1 || measured.p > mostRanks)
        return fail(diag::NoResultsNoRanks{.schedule = measured.schedule});
      std::optional<WrongOperation> why;
      if (what == Measured::Trace && !(measured.trace = readTrace(*found, measured.p, why)))
        return fail(diag::NoResultsBadTrace{.schedule = measured.schedule, .number = why->number, .problem = why->problem});
      if (what == Measured::Seconds)
        measured.seconds = found->getNumber("median").value_or(0);
      if (what == Measured::Seconds && !(measured.seconds > 0 && std::isfinite(measured.seconds)))
        return fail(diag::NoResultsNoMedian{.schedule = measured.schedule});
      result.push_back(std::move(measured));
    }
  }
  if (result.empty()) {
    if (what == Measured::Trace)
      wrong = diag::NoResultsNotTraced{};
    else
      wrong = diag::NoResultsNotTimed{};
    return std::nullopt;
  }
  return result;
}

} // namespace quadrille::compiler
