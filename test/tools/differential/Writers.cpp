//===- Writers.cpp - Expressions written, and read again -----------------------------------------------------------------===//

#include "Evaluators.h"

#include "ir/ExprWriter.h"
#include "ir/Print.h"
#include "parse/Parser.h"
#include "sema/Sema.h"
#include "source/Sources.h"

namespace quadrille::compiler::differential {

namespace {

/// Writes expressions and reads them again: the result must be equal. All expressions are functions of one file.
class Writer : public Evaluator {
public:
  using Write = std::string (*)(const ir::Expr &expr, const ir::Schedule &schedule);

  Writer(const char *name, Write write) : Evaluator(name), write(write) {}

  Answers ask(Subject &subject, llvm::ArrayRef<Task> tasks, llvm::ArrayRef<Sample> samples) override {
    const ir::ExprWriter writer(subject.schedule.variables);
    std::string file;
    std::vector<std::string> texts;
    for (const Task &task : tasks)
      texts.push_back(write(*task.expr, subject.schedule));
    for (size_t i = 0; i < tasks.size(); ++i)
      if (!isOfCosts(*tasks[i].expr)) // those may occur in clauses only
        file += "fn f" + std::to_string(i) + "(p, me, k, i, root) = " + texts[i] + "\n";
    Sources sources;
    std::string said;
    llvm::raw_string_ostream out(said);
    Diagnostics diagnostics(sources, out, DiagnosticsFormat::Text, /*colour=*/false);
    const unsigned buffer = sources.add(file, "expressions.quad");
    FileScope scope;
    ir::Program program;
    std::vector<const ir::Schedule *> added;
    auto resolver = [](llvm::StringRef, llvm::StringRef) { return UsedSchedule{}; };
    const std::optional<ast::File> syntax = parse(sources, buffer, diagnostics);
    const bool isRead = syntax && analyze(*syntax, "expressions.quad", scope, program, sources, diagnostics, resolver, added);
    Answers result(tasks.size(), std::vector<Answer>(samples.size()));
    if (!isRead && tasks.size() > 1) { // find out which one cannot be read
      for (size_t i = 0; i < tasks.size(); ++i)
        result[i] = ask(subject, tasks[i], samples)[0];
      return result;
    }
    for (size_t i = 0; i < tasks.size(); ++i) {
      if (isOfCosts(*tasks[i].expr))
        continue;
      const ir::Function *function = isRead ? scope.functions.lookup("f" + std::to_string(i)) : nullptr;
      const bool isSameAgain = function && isSame(*function->body, *tasks[i].expr);
      const std::string read = function ? writer.text(*function->body) : said;
      result[i][0] = {isSameAgain ? Answer::Agrees : Answer::Differs, "`" + texts[i] + "` is read as " + (function ? "`" + read + "`" : read)};
    }
    return result;
  }

private:
  const Write write;
};

std::string withParentheses(const ir::Expr &expr, const ir::Schedule &schedule) { return ir::ExprWriter(schedule.variables).text(expr); }
/// As clauses and formulas are shown.
std::string asShown(const ir::Expr &expr, const ir::Schedule &schedule) { return ir::shortText(expr, schedule); }
/// By this program's own reading of the language's grammar.
std::string byGrammar(const ir::Expr &expr, const ir::Schedule &) { return shortText(expr); }

} // namespace

void addWriters(Evaluators &to) {
  to.push_back(std::make_unique<Writer>("texts with all parentheses", withParentheses));
  to.push_back(std::make_unique<Writer>("texts with few parentheses", asShown));
  to.push_back(std::make_unique<Writer>("texts by the grammar", byGrammar));
}

} // namespace quadrille::compiler::differential
