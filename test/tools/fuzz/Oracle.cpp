//===- Oracle.cpp - Do verdicts agree with what happens? -----------------------------------------------------------------===//

#include "Examination.h"

#include "emit/Emit.h"
#include "parse/Parser.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace quadrille::compiler::fuzz {

// ---- the compiler

Compiler::Compiler(const std::string &libraryRoot)
    : out(messages), diagnostics(sources, out, DiagnosticsFormat::Text, /*colour=*/false),
      library(libraryRoot, {}, sources, diagnostics) {}

bool Compiler::load() {
  if (library.loadStandard())
    schedules = library.all();
  if (schedules.empty() || diagnostics.errorCount() > 0) {
    llvm::errs() << messages;
    return false;
  }
  return true;
}

std::vector<const ir::Schedule *> Compiler::analyze(const std::string &path) { return library.find(path); }

std::optional<ast::File> Compiler::syntax(const std::string &text, llvm::StringRef &kept) {
  const unsigned buffer = sources.add(text, "generated.quad");
  kept = sources.text(buffer);
  return parse(sources, buffer, diagnostics);
}

// ---- one text

/// The code of the first error printed, "Q0301".
static std::string firstCode(llvm::StringRef messages) {
  const size_t at = messages.find("error: ");
  if (at == llvm::StringRef::npos)
    return "";
  return messages.drop_front(at).split('\n').first.rsplit('[').second.drop_back().str();
}

void examine(Compiler &compiler, const std::string &path, const Questions &questions, const Teller &teller) {
  teller.tell("stage", "analyzing");
  const std::vector<const ir::Schedule *> schedules = compiler.analyze(path);
  if (!compiler.messages.empty()) {
    const std::string code = firstCode(compiler.messages);
    teller.tell("code", code);
    teller.tell("verdict", llvm::StringRef(code).starts_with("Q01") ? "refused by the parser" : "refused by sema");
    if (!llvm::StringRef(code).starts_with("Q0") || compiler.messages.find(path) == std::string::npos)
      teller.tell("finding", "an error without a code or a place\n" + compiler.messages);
    return;
  }
  std::string verdict = "without a schedule";
  for (const ir::Schedule *schedule : schedules)
    verdict = Examination(compiler, *schedule, questions, teller).run();
  teller.tell("verdict", verdict);
  teller.tell("stage", "done");
}

// ---- one schedule

Examination::Examination(Compiler &compiler, const ir::Schedule &schedule, const Questions &questions, const Teller &teller)
    : compiler(compiler), schedule(schedule), questions(questions), teller(teller) {
  options.ps = questions.ps;
  options.parameters = questions.parameters;
  options.limits.memoryBytes = std::uint64_t(256) << 20;
  options.limits.maxSteps = 1 << 20;
}

std::string Examination::textOf(const Diagnostic &diagnostic) const {
  std::string text = formatMessage(diagnostic.facts) + " [" + diag::codeText(diagnostic.id()) + "]";
  if (const diag::Values *instance = smallestCase(diagnostic))
    text += " at " + diag::text(*instance);
  return text;
}

std::vector<Case> Examination::cases(llvm::ArrayRef<std::int64_t> ps, llvm::ArrayRef<std::int64_t> parameters) {
  std::vector<Case> result;
  for (std::int64_t p : ps) {
    std::set<std::int64_t> roots = {0, 1, p / 2, p - 1};
    if (p < 5)
      roots.insert({2, 3});
    std::erase_if(roots, [&](std::int64_t root) { return root >= p; });
    for (Case &instance : allCases(schedule, p, parameters, std::vector<std::int64_t>(roots.begin(), roots.end())))
      if (isAdmitted(schedule, instance, trees))
        result.push_back(std::move(instance));
  }
  return result;
}

std::vector<Case> Examination::laterCases() {
  std::vector<std::int64_t> ps = {8,  9,  10, 11, 12, 13, 15, 16, 17, 18, 19,  20,  23,  24,  25,
                                  26, 27, 31, 32, 33, 36, 40, 48, 49, 63, 64, 65, 96, 100, 128, 129};
  std::vector<Case> result = cases(ps, {1, 3, 7});
  if (schedule.parameterCount > 0)
    llvm::append_range(result, cases({1, 2, 3, 4, 6, 8}, {6, 8, 16, 17, 40, 64, 100}));
  return result;
}

std::string Examination::run() {
  stage("checking");
  verdict = checkSchedule(schedule, options);
  if (verdict.reachedLimit())
    return "not checked: a limit";
  if (verdict.ok && verdict.checkedPs.empty())
    return "without a case";
  if (verdict.failure) {
    teller.tell("code", diag::codeText(verdict.failure->id()));
    if (llvm::none_of(verdict.failure->notes, [](const Note &note) { return note.id() == diag::Id::SmallestCase; }))
      finding("a refusal without a case", textOf(*verdict.failure));
  }
  if (questions.asked.count(AskEngines))
    compareEngines();
  if (questions.asked.count(AskData))
    runOnData();
  if (questions.asked.count(AskPictures))
    draw();
  if (questions.asked.count(AskProofs))
    verdict.failure ? proveAlone() : prove();
  if (verdict.failure)
    return "refused by a check";
  if (questions.asked.count(AskRounds))
    recount();
  if (questions.asked.count(AskCosts))
    compareClauses();
  if (questions.asked.count(AskFormulas))
    compareFormulas();
  if (questions.asked.count(AskEmission))
    emit();
  return "accepted";
}

void Examination::emit() {
  stage("emitting");
  for (emit::Backend backend : {emit::Backend::Shm, emit::Backend::Mpi}) {
    emit::EmitOptions emission;
    emission.backend = backend;
    const emit::EmittedCode first = emit::emitSchedule(schedule, compiler.program(), compiler.sources, emission),
                            second = emit::emitSchedule(schedule, compiler.program(), compiler.sources, emission);
    if (first.header != second.header || first.source != second.source)
      finding("emission differs from one time to the next", emit::backendName(backend).str());
  }
}

} // namespace quadrille::compiler::fuzz
