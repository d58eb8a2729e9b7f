//===- Pipeline.h - Passes a text through the whole compiler ------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_MUTATE_PIPELINE_H
#define QUADRILLE_TEST_MUTATE_PIPELINE_H

#include "Claims.h"

#include "check/Check.h"
#include "diagnostics/Diagnostics.h"
#include "sema/Sema.h"
#include "source/Sources.h"

#include <map>

namespace quadrille::compiler::mutate {

/// The answers of the compiler about a text.
struct Outcome {
  bool refused = false;
  bool bySema = false;     // refused by the parser or sema
  std::string code;        // "Q0301"
  std::string message;     // of the error
  bool namesP = false, namesRank = false, namesRound = false, namesLine = false;
  // The answers of the prover, if it was asked.
  bool wasProved = false;              // all claims are proved
  std::vector<prove::Claim> openClaims; // the claims that are not proved
  std::string open;                    // the reason why some are not proved

  /// The claims of which at least one is false if the checks are right.
  std::vector<prove::Claim> broken() const { return claimsBrokenBy(code); }

  /// Whether the error is about communication (Q03xx).
  bool isCommunication() const { return code.starts_with("Q03"); }
};

/// The compiler with the standard files, and the library schedules that others use, loaded once.
class Pipeline {
public:
  explicit Pipeline(std::string libraryRoot) : root(std::move(libraryRoot)) {}

  /// Loads the standard files. If they cannot be read, prints a message on standard error and returns false.
  bool load();
  /// What to do with a text after parser and sema.
  struct Work {
    std::vector<std::int64_t> ps;   // the p to check
    std::string schedule;           // the only schedule to check, "collective/name"; empty: all of the file
    bool prove = false;             // prove, without checks of small cases
    const ir::Schedule *like = nullptr; // the original of a mutant, whose invariants the prover may try
  };
  /// Parses, analyzes and checks a text. `path` is its place in the library: <collective>/<algorithm>.quad.
  Outcome run(std::string text, const std::string &path, const Work &work);
  /// The original schedule of the library.
  const ir::Schedule *original(const std::string &collective, const std::string &name) {
    return resolve(collective, name).schedule;
  }
  /// The syntax tree of a file, whose places point into `textOut`.
  std::optional<ast::File> syntax(const std::string &path, llvm::StringRef &textOut);

private:
  struct Used {
    std::optional<ast::File> text; // the scope refers to it
    FileScope scope;
  };

  std::vector<const ir::Schedule *> analyzeText(unsigned buffer, const std::string &path, Sources &sources,
                                                Diagnostics &diagnostics, std::optional<ast::File> &file, FileScope &scope,
                                                ir::Program &program);
  UsedSchedule resolve(llvm::StringRef collective, llvm::StringRef algorithm);

  std::string root;
  Sources librarySources;
  ir::Program libraryProgram;
  FileScope standard;
  std::map<std::string, Used> used;
};

} // namespace quadrille::compiler::mutate

#endif // QUADRILLE_TEST_MUTATE_PIPELINE_H
