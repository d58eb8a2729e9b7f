//===- Inspection.cpp - The diagnostics of a document ----------------------------------------------------------------------------------===//

#include "Inspection.h"

#include "cache/Proofs.h"
#include "check/CaseSearch.h"
#include "report/ProofReport.h"
#include "report/VerdictReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

namespace {

enum Severity { error = 1, warning = 2, information = 3 };

json::Value edit(const Mend &mend, const Analysis &analysis) {
  json::Object change = analysis.location(mend.range);
  change["newText"] = mend.replacement;
  change["title"] = mend.title;
  return change;
}

class Inspection {
public:
  Inspection(const World &world, const Document &document, const Send &send) : analysis(world, document), settings(world.settings), send(send) {}

  void run() {
    json::Array files;
    for (const std::string &file : analysis.sources.files())
      files.push_back(realPath(file));
    send(json::Object{{"method", inspectionRead}, {"files", std::move(files)}});
    for (const Diagnostic &diagnostic : analysis.diagnostics.reported())
      found.push_back(diagnosticOf(diagnostic, analysis));
    // The editor keeps the previous diagnostics until there are new ones, so that nothing flickers; but not for long.
    if (!found.empty())
      publish();
    std::vector<std::pair<const ir::Schedule *, Verdict>> checked;
    {
      std::thread publisher([&] { publishWhenLate(); });
      const auto atLast = llvm::make_scope_exit([&] { // also if checking throws
        publish();
        publisher.join();
      });
      for (const ast::Schedule *text : analysis.schedulesHere())
        if (const ir::Schedule *schedule = analysis.analyzed(*text))
          if (Verdict verdict = check(*schedule); verdict.ok)
            checked.push_back({schedule, std::move(verdict)});
    }
    if (settings.wantProof)
      prove(checked);
  }

private:
  static constexpr std::chrono::milliseconds patience{500};

  void add(const Diagnostic &diagnostic) { add(diagnosticOf(diagnostic, analysis)); }
  void add(json::Object diagnostic) {
    const std::lock_guard lock(mutex);
    found.push_back(std::move(diagnostic));
  }

  void publish() {
    const std::lock_guard lock(mutex);
    publishLocked();
  }
  void publishLocked() {
    if (published == found)
      return;
    published = found;
    json::Array copy = found;
    send(json::Object{{"method", inspectionFound}, {"diagnostics", std::move(copy)}});
    isDone.notify_all();
  }
  void publishWhenLate() {
    std::unique_lock lock(mutex);
    if (!published && !isDone.wait_for(lock, patience, [&] { return published.has_value(); }))
      publishLocked();
  }

  void progress(const std::string &message) {
    const std::lock_guard lock(mutex);
    send(json::Object{{"method", inspectionProgress}, {"message", message}});
  }

  Verdict check(const ir::Schedule &schedule) {
    CheckOptions options = settings.checks;
    const auto begun = Clock::now();
    options.goesOn = [&](std::int64_t p) {
      const auto taken = Clock::now() - begun;
      if (taken > patience)
        progress("checking " + schedule.path() + ", p = " + std::to_string(p));
      return !settings.maxSeconds || taken < std::chrono::seconds(*settings.maxSeconds) || p == options.ps.front();
    };
    Verdict verdict = checkSchedule(schedule, admittedOptions(schedule, options));
    if (verdict.ok && verdict.checkedPs.empty()) {
      verdict.ok = false;
      verdict.failure = noAdmissibleCase(schedule, settings.checks);
    }
    if (verdict.failure)
      add(*verdict.failure);
    if (verdict.endedBefore)
      add(Diagnostic(schedule.nameRange, diag::CheckEnded{.runs = false, .schedule = schedule.path(), .p = *verdict.endedBefore, .seconds = *settings.maxSeconds}));
    for (const Diagnostic &one : verdict.warnings)
      add(one);
    return verdict;
  }

  void prove(std::vector<std::pair<const ir::Schedule *, Verdict>> &checked) {
    Proofs proofs(settings.useCache ? std::make_unique<ProofCache>(analysis.library, analysis.sources, settings.executable, analysis.diagnostics)
                                    : nullptr,
                  settings.memoryBytes, /*jobs=*/1);
    for (auto &[schedule, verdict] : checked) {
      progress("proving " + schedule->path());
      prove::ProofOptions options = settings.proofs;
      options.checked = &verdict;
      const prove::ProofVerdict proved = proofs.prove(*schedule, options);
      if (proved.isRefuted())
        add(*proved.checked.failure);
      else if (const std::string why = whyNotProved(proved, analysis.sources); !why.empty())
        add(json::Object{{"range", toJson(analysis.range(schedule->nameRange))},
                                     {"severity", static_cast<int>(information)},
                                     {"source", "quadrille"},
                                     {"message", "not proved for all p: " + openClaims(proved) + "; " + why}});
      for (const Diagnostic &one : proved.warnings)
        add(one);
      publish();
    }
  }

  Analysis analysis;
  const Settings &settings;
  const Send &send;
  json::Array found;
  std::optional<json::Array> published;
  std::mutex mutex; // of both, and of what is handed over
  std::condition_variable isDone;
};

} // namespace

json::Object diagnosticOf(const Diagnostic &diagnostic, const Analysis &analysis) {
  const bool isHere = analysis.isHere(diagnostic.range.Start);
  const std::string code = diag::codeText(diagnostic.id());
  std::string message = formatMessage(diagnostic.facts);
  json::Array related;
  auto relate = [&](llvm::SMRange range, const std::string &text) {
    related.push_back(json::Object{{"location", analysis.location(range)}, {"message", text}});
  };
  // A diagnostic of another file is shown where this one imports or uses it, else at the beginning.
  llvm::SMRange here = diagnostic.range;
  if (!isHere)
    for (const Note &note : diagnostic.notes)
      if (analysis.isHere(note.range.Start))
        here = note.range;
  if (diagnostic.range.isValid() && !isHere) {
    relate(diagnostic.range, message);
    const Place place = analysis.sources.place(diagnostic.range.Start);
    message = place.file + ":" + std::to_string(place.line) + ": " + message;
  } else if (!diagnostic.range.isValid() && !diagnostic.file.empty() && realPath(diagnostic.file) != realPath(analysis.document.path)) {
    message = diagnostic.file + ": " + message;
  }
  for (const Note &note : diagnostic.notes)
    if (note.range.isValid())
      relate(note.range, formatMessage(note.facts));
    else
      message += "\n" + formatMessage(note.facts);
  json::Array mends;
  for (const Mend &mend : mendsOf(diagnostic))
    mends.push_back(edit(mend, analysis));
  json::Object result{{"range", toJson(analysis.isHere(here.Start) ? analysis.range(here) : Range())},
                      {"severity", static_cast<int>(analysis.diagnostics.severityOf(diagnostic) == diag::Severity::Error ? error : warning)},
                      {"code", code},
                      {"source", "quadrille"},
                      {"message", std::move(message)},
                      {"data", json::Object{{"mends", std::move(mends)}}}};
  if (!related.empty())
    result["relatedInformation"] = std::move(related);
  const std::string page = analysis.world.settings.documentation + "/diagnostics/" + code + ".md";
  if (llvm::sys::fs::exists(page))
    result["codeDescription"] = json::Object{{"href", uriOfPath(realPath(page))}};
  return result;
}

void inspect(const World &world, const Document &document, const Send &send) { Inspection(world, document, send).run(); }

} // namespace quadrille::compiler::lsp
