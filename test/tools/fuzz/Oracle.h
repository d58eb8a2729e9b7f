//===- Oracle.h - Do verdicts agree with what happens? --------------------------------------------------------*- C++ -*-===//
//
// Passes a text through the compiler and compares all answers. A schedule that the checks accept must keep its promise on data,
// behave equally in both engines, cost what the formulas say, and be drawn and emitted. What is proved must hold for larger p,
// roots and parameters. What is refused must not be proved, and must fail when it runs.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TEST_FUZZ_ORACLE_H
#define QUADRILLE_TEST_FUZZ_ORACLE_H

#include "Isolation.h"

#include "check/Check.h"
#include "library/Library.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <set>

namespace quadrille::compiler::fuzz {

/// The compiler with the library in memory. Analyzed texts are kept.
class Compiler {
public:
  explicit Compiler(const std::string &libraryRoot);

  /// Loads the library. If it cannot be read, prints a message on standard error and returns false.
  bool load();
  /// The schedules of a file; if there are errors, `messages` holds them.
  std::vector<const ir::Schedule *> analyze(const std::string &path);
  /// The syntax tree of a text, which is kept; nothing if it has a syntax error.
  std::optional<ast::File> syntax(const std::string &text, llvm::StringRef &kept);

  const ir::Program &program() const { return library.program(); }

  std::string messages;
  Sources sources;
  std::vector<const ir::Schedule *> schedules; // of the library

private:
  llvm::raw_string_ostream out;
  Diagnostics diagnostics;
  Library library;
};

/// What is compared with the verdict of the checks.
enum Question {
  AskEngines,  // lockstep and simulation
  AskData,     // the interpreter and the promise
  AskPictures,
  AskRounds,   // port models and costs, by an independent count
  AskCosts,    // clauses at other lengths
  AskFormulas, // closed forms
  AskEmission, // emission without compiling
  AskProofs,
};

struct Questions {
  std::set<Question> asked = {AskEngines, AskData, AskPictures, AskRounds, AskCosts, AskFormulas, AskEmission, AskProofs};
  std::vector<std::int64_t> ps = {1, 2, 3, 4, 5, 6, 7}, parameters = {1, 2, 3};
  std::uint64_t effort = 20000000; // of the proofs of one schedule
};

/// Examines a text. Sends messages with these subjects:
///   stage    the current stage, to locate a crash
///   verdict  on the last schedule of the text: "accepted", "refused by a check", ...
///   code     of the diagnostic, if it is refused
///   proof    "proved", "refuted" or "open", if the prover was asked
///   finding  two answers disagree: their names, a line feed, and both answers
void examine(Compiler &compiler, const std::string &path, const Questions &questions, const Teller &teller);

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_ORACLE_H
