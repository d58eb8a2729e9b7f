//===- Emission.cpp - Emitted code, and the bounds of the emitter -----------------------------------------------------===//

#include "Evaluators.h"

#include "emit/IrToCpp.h"
#include "run/Toolchain.h"
#include "source/Sources.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::differential {

namespace {

namespace cpp = emit::cpp;

/// Compiles a program with a function for each expression, which prints the values where the reference has one.
class Code : public Evaluator {
public:
  explicit Code(std::string executable) : Evaluator("emitted C++"), executable(std::move(executable)) {}
  ~Code() override { llvm::sys::fs::remove_directories(folder); }

  Answers ask(Subject &subject, llvm::ArrayRef<Task> tasks, llvm::ArrayRef<Sample> samples) override {
    Answers result(tasks.size(), std::vector<Answer>(samples.size()));
    // Several programs: a single large one takes long to compile.
    constexpr size_t most = 250;
    std::vector<size_t> some;
    for (size_t i = 0; i <= tasks.size(); ++i) {
      if (some.size() == most || (i == tasks.size() && !some.empty())) {
        askSome(subject, tasks, some, samples, result);
        some.clear();
      }
      if (i < tasks.size() && !isOfCosts(*tasks[i].expr))
        some.push_back(i);
    }
    return result;
  }

private:
  void askSome(Subject &subject, llvm::ArrayRef<Task> tasks, llvm::ArrayRef<size_t> which, llvm::ArrayRef<Sample> samples, Answers &result) {
    const std::string output = run(textOf(subject, tasks, which, samples));
    llvm::SmallVector<llvm::StringRef, 0> words;
    llvm::StringRef(output).split(words, ' ', -1, /*KeepEmpty=*/false);
    size_t next = 0;
    for (size_t i : which)
      for (size_t s = 0; s < samples.size(); ++s) {
        if (!tasks[i].known[s].value)
          continue;
        std::int64_t value = 0;
        if (next < words.size() && !words[next++].getAsInteger(10, value)) {
          result[i][s] = answerOf(tasks[i].known[s], value);
        } else {
          // The program ended before it printed this value.
          result[i][s] = {Answer::Differs, output.empty() ? "nothing: it does not compile, or ends at once" : "nothing: it ends there"};
          return;
        }
      }
  }

  static std::string textOf(Subject &subject, llvm::ArrayRef<Task> tasks, llvm::ArrayRef<size_t> which, llvm::ArrayRef<Sample> samples) {
    const Sources sources;
    emit::Module module(subject.program, sources);
    cpp::File file;
    file.systemIncludes = {"cstdio", "quadrille/math.h"};
    file.usings = {"quadrille::Index", "quadrille::none"};
    for (size_t i : which) {
      emit::ExprLowering lowering(module, variableCount);
      lowering.frame = emit::boundVariables(subject.schedule);
      cpp::Function function;
      function.result = "Index";
      function.name = "f" + std::to_string(i);
      for (unsigned v = 0; v < variableCount; ++v) {
        lowering.bind(v, cpp::atom(variableNames[v]));
        function.parameters.push_back({"Index", variableNames[v]});
      }
      function.body.push_back(cpp::returns(lowering.lower(*tasks[i].expr)));
      file.visible.push_back(std::move(function));
    }
    std::string text = cpp::print(file) + "\nstatic const long long values[][" + std::to_string(variableCount) + "] = {";
    for (const Sample &sample : samples)
      text += "{" + llvm::join(llvm::map_range(sample.values, [](std::int64_t v) { return std::to_string(v) + "LL"; }), ", ") + "},\n";
    text += "};\nusing Function = Index (*)(Index, Index, Index, Index, Index);\nstatic void all(Function f, const char *which) {\n"
            "  for (int s = 0; which[s]; ++s)\n    if (which[s] == '1') {\n"
            "      std::printf(\"%lld \", static_cast<long long>(f(values[s][0], values[s][1], values[s][2], values[s][3], values[s][4])));\n"
            "      std::fflush(stdout);\n    }\n}\n\nint main() {\n";
    for (size_t i : which) {
      std::string mask;
      for (const Known &known : tasks[i].known)
        mask += known.value ? '1' : '0';
      text += "  all(f" + std::to_string(i) + ", \"" + mask + "\");\n";
    }
    return text + "}\n";
  }

  std::string run(const std::string &text) {
    if (!toolchain) {
      Sources sources;
      Diagnostics diagnostics(sources, llvm::errs(), DiagnosticsFormat::Text, /*colour=*/false);
      toolchain = run::findToolchain(emit::Backend::Shm, executable, /*launcher=*/"", diagnostics);
      if (!toolchain || llvm::sys::fs::createUniqueDirectory("quadrille-differential", folder))
        std::exit(2);
    }
    auto path = [&](const char *name) {
      llvm::SmallString<128> result(folder);
      llvm::sys::path::append(result, name);
      return result.str().str();
    };
    const std::string source = path("expressions.cpp"), program = path("expressions"), output = path("output"), errors = path("errors");
    std::error_code error;
    llvm::raw_fd_ostream(source, error) << text;
    // With assertions, and without optimization.
    std::vector<std::string> command = {toolchain->compiler};
    for (const std::string &flag : toolchain->compileFlags)
      command.push_back(flag == "-O2" ? "-O1" : flag);
    for (const std::string &word : {std::string("-w"), "-I" + toolchain->includeDir, source, std::string("-o"), program})
      command.push_back(word);
    const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), llvm::StringRef(output), llvm::StringRef(errors)};
    const std::vector<llvm::StringRef> words(command.begin(), command.end());
    if (llvm::sys::ExecuteAndWait(toolchain->compiler, words, std::nullopt, redirects) != 0) {
      if (auto said = llvm::MemoryBuffer::getFile(errors))
        llvm::errs() << (*said)->getBuffer();
      return "";
    }
    llvm::sys::ExecuteAndWait(program, {program}, std::nullopt, redirects);
    auto said = llvm::MemoryBuffer::getFile(output);
    return said ? (*said)->getBuffer().str() : "";
  }

  const std::string executable;
  std::optional<run::Toolchain> toolchain;
  llvm::SmallString<128> folder;
};

/// The intervals of emit/Bounds.h.
class Bounds : public SingleEvaluator {
public:
  Bounds() : SingleEvaluator("bounds for emission") {}

private:
  void one(Subject &subject, const Task &task, llvm::ArrayRef<Sample> samples, std::vector<Answer> &answers) override {
    if (isOfCosts(*task.expr))
      return;
    const emit::Bounds bounds = emit::boundsOf(*task.expr, emit::boundVariables(subject.schedule));
    for (size_t i = 0; i < samples.size(); ++i) {
      if (!task.known[i].value)
        continue;
      auto at = [&](const emit::Linear &end) { return static_cast<__int128>(end.perRank) * samples[i].values[P] + end.constant; };
      const std::int64_t value = *task.known[i].value;
      const bool holds = bounds.numbers.contains(arithmetic::point(value)) && (!bounds.lower || at(*bounds.lower) <= value) &&
                         (!bounds.upper || value <= at(*bounds.upper));
      auto text = [](const std::optional<emit::Linear> &end) {
        return end ? std::to_string(end->perRank) + "*p + " + std::to_string(end->constant) : "...";
      };
      answers[i] = {holds ? Answer::Agrees : Answer::Differs, textOf(bounds.numbers) + ", " + text(bounds.lower) + " .. " + text(bounds.upper)};
    }
  }
};

} // namespace

void addEmission(Evaluators &to, std::string executable) {
  to.push_back(std::make_unique<Bounds>());
  to.push_back(std::make_unique<Code>(std::move(executable)));
}

} // namespace quadrille::compiler::differential
