//===- RunData.cpp - Runs as data ----------------------------------------------------------------------------------------===//

#include "RunData.h"

#include "machines/MachineDescription.h"
#include "run/Cases.h"

namespace quadrille::compiler {

using Json = Results::Json;

void RunData::add(const run::CaseReport &report) {
  const run::CallCase &c = report.c;
  const ir::Schedule &schedule = *c.schedule;
  const bool hasData = !schedule.inputs.empty() || !schedule.outputs.empty();
  Kept kept;
  kept.name = describe(c, request);
  kept.numbers = {{"p", c.p}};
  for (unsigned i = 0; i < schedule.numberCount; ++i)
    kept.numbers.push_back({schedule.variables[ir::Schedule::firstNumber + i].name, c.numbers[i]});
  if (c.nodes)
    kept.words.push_back({"nodes", c.nodes->text()});
  if (hasData) {
    kept.numbers.push_back({"n", static_cast<std::int64_t>(c.n)});
    kept.words.push_back({"type", harness::elementNames[static_cast<size_t>(c.element)].name});
  }
  if (c.lengths.tables)
    kept.words.push_back({"lengths", lengthsText(c.lengths)});
  if (schedule.collective->folds())
    kept.words.push_back({"op", harness::combinerNames[static_cast<size_t>(c.combiner)].name});
  kept.words.push_back({"backend", request.validate ? "none" : emit::backendName(request.backend).str()});
  kept.words.push_back({"form", request.nonblocking ? "nonblocking" : request.persistent ? "persistent" : "blocking"});
  kept.words.push_back({"inPlace", c.inPlace ? "true" : "false"});
  kept.wrong = report.wrong;
  kept.wasRun = report.wasRun;
  kept.timing = report.timing;
  kept.shown = report.shown;
  kept.trace = report.trace;
  cases[&schedule].push_back(std::move(kept));
}

std::string RunData::verdictOf(const Kept &kept) const {
  return !kept.wrong.empty() ? kept.wasRun ? "failed" : "not run" : request.verify ? "ok" : "not verified";
}

static void writeSeconds(Json &json, llvm::StringRef name, const std::vector<double> &times) {
  json.attributeArray(name, [&] {
    for (double seconds : times)
      json.value(seconds);
  });
}

/// Writes each operation on one line, since there may be many.
static void writeTrace(Json &json, const run::CallTrace &trace) {
  json.attribute("clock", trace.hasOneClock ? "one" : "of each rank");
  json.attribute("call", trace.call);
  json.attribute("calls", trace.calls);
  json.attribute("seconds", trace.seconds);
  json.attributeArray("operations", [&] {
    for (const run::OperationTimes &operation : trace.operations)
      json.rawValue([&](llvm::raw_ostream &out) {
        out << "{\"rank\": " << operation.rank << ", \"kind\": \"" << operation.kind << "\", \"line\": " << operation.line;
        if (operation.partner >= 0)
          out << ", \"step\": " << operation.step << ", \"partner\": " << operation.partner << ", \"message\": " << operation.message;
        out << ", \"bytes\": " << operation.bytes << ", \"ready\": " << jsonNumber(operation.ready) << ", \"begin\": " << jsonNumber(operation.begin)
            << ", \"end\": " << jsonNumber(operation.end) << '}';
      });
  });
}

void RunData::write(Json &json, const Kept &kept) const {
  for (const auto &[name, number] : kept.numbers)
    json.attribute(name, number);
  for (const auto &[name, word] : kept.words)
    if (name == "inPlace")
      json.attribute(name, word == "true");
    else
      json.attribute(name, word);
  json.attribute("verdict", verdictOf(kept));
  if (!kept.wrong.empty())
    json.attribute("failure", kept.wrong);
  if (!kept.timing.calls.empty())
    json.attributeObject("seconds", [&] {
      json.attribute("min", fastest(kept.timing.calls));
      json.attribute("median", median(kept.timing.calls));
      if (kept.timing.predicted)
        json.attribute("predicted", *kept.timing.predicted);
      if (!kept.timing.library.empty()) {
        json.attribute("mpiMin", fastest(kept.timing.library));
        json.attribute("mpiMedian", median(kept.timing.library));
        writeSeconds(json, "mpiCalls", kept.timing.library);
      }
      writeSeconds(json, "calls", kept.timing.calls);
    });
  if (kept.trace)
    json.attributeObject("trace", [&] { writeTrace(json, *kept.trace); });
  if (!kept.shown.empty())
    json.attributeArray("shown", [&] {
      for (const std::string &line : kept.shown)
        json.value(line);
    });
}

Results::Row RunData::row(const Kept &kept) const {
  Results::Row row;
  for (const auto &[name, number] : kept.numbers)
    row.push_back({name, std::to_string(number)});
  for (const auto &[name, word] : kept.words)
    row.push_back({name, word});
  row.push_back({"verdict", verdictOf(kept)});
  if (request.repeat > 0) {
    const bool isTimed = !kept.timing.calls.empty();
    row.push_back({"minSeconds", isTimed ? jsonNumber(fastest(kept.timing.calls)) : ""});
    row.push_back({"medianSeconds", isTimed ? jsonNumber(median(kept.timing.calls)) : ""});
    if (request.compareMpi) {
      const bool isCompared = !kept.timing.library.empty();
      const double own = median(kept.timing.calls);
      row.push_back({"mpiMinSeconds", isCompared ? jsonNumber(fastest(kept.timing.library)) : ""});
      row.push_back({"mpiMedianSeconds", isCompared ? jsonNumber(median(kept.timing.library)) : ""});
      row.push_back({"mpiPerOwn", isCompared && own > 0 ? jsonNumber(median(kept.timing.library) / own) : ""});
    }
    row.push_back({"predictedSeconds", kept.timing.predicted ? jsonNumber(*kept.timing.predicted) : ""});
  }
  return row;
}

Results::Entry RunData::entry(const RunReport::Line &line, const std::string &verdict, std::vector<size_t> diagnostics) const {
  Results::Entry entry;
  entry.schedule = line.schedule;
  entry.verdict = verdict;
  entry.diagnostics = std::move(diagnostics);
  const auto found = cases.find(line.schedule);
  const std::vector<Kept> kept = found == cases.end() ? std::vector<Kept>() : found->second;
  if (line.verdict == RunVerdict::LeftOut)
    entry.tests.push_back({Results::Test::LeftOut, "", "left out " + line.text});
  for (const Kept &c : kept) {
    entry.tests.push_back({c.wrong.empty() ? Results::Test::Passed : c.wasRun ? Results::Test::Failed : Results::Test::NotDone, c.name, c.wrong});
    entry.rows.push_back(row(c));
  }
  const bool isLeftOut = line.verdict == RunVerdict::LeftOut;
  entry.members = [this, kept, isLeftOut, text = line.text](Json &json) {
    if (isLeftOut)
      json.attribute("reason", text);
    json.attributeArray("cases", [&] {
      for (const Kept &c : kept)
        json.object([&] { write(json, c); });
    });
  };
  return entry;
}

} // namespace quadrille::compiler
