//===- Oracle.h - Do verdicts agree with what happens? --------------------------------------------------------*- C++ -*-===//
//
// A text goes through the compiler, and every answer is compared with the others: what the checks accept runs on data as
// promised and in both engines alike, costs what formulas say and can be drawn and emitted; what is proved holds where p, the
// roots and parameters are larger; what is refused is not proved, and fails when it runs.
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

/// The compiler with the library in memory. What is analyzed stays there.
class Compiler {
public:
  explicit Compiler(const std::string &libraryRoot);

  /// Loads all of the library. False, after a message on standard error, if it cannot be read.
  bool load();
  /// The schedules of a file; if there are errors, `messages` holds them.
  std::vector<const ir::Schedule *> analyze(const std::string &path);
  /// The syntax tree of a text, which stays; nothing if it has an error.
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
  AskRounds,   // port models and costs, counted once more
  AskCosts,    // clauses at other lengths
  AskFormulas, // that `cost` finds
  AskEmission, // texts only
  AskProofs,
};

struct Questions {
  std::set<Question> asked = {AskEngines, AskData, AskPictures, AskRounds, AskCosts, AskFormulas, AskEmission, AskProofs};
  std::vector<std::int64_t> ps = {1, 2, 3, 4, 5, 6, 7}, parameters = {1, 2, 3};
  std::uint64_t effort = 20000000; // of the proofs of one schedule
};

/// Tells
///   stage    what is being done, so that a crash has a place
///   verdict  of the last schedule of the text: "accepted", "refused by a check", ...
///   code     of the diagnostic, if it is refused
///   proof    "proved", "refuted" or "open", if the prover was asked
///   finding  where two answers disagree: their names, a line feed, and what they say
void examine(Compiler &compiler, const std::string &path, const Questions &questions, const Teller &teller);

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_ORACLE_H
