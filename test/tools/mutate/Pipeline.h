//===- Pipeline.h - A text through the whole compiler, in process ------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_MUTATE_PIPELINE_H
#define QUADRILLE_TEST_MUTATE_PIPELINE_H

#include "Claims.h"

#include "check/Check.h"
#include "diagnostics/Diagnostics.h"
#include "sema/Sema.h"
#include "source/Sources.h"

#include <map>

namespace quadrille::compiler::mutate {

/// What the compiler says about a text.
struct Outcome {
  bool refused = false;
  bool bySema = false;     // before anything was run
  std::string code;        // "Q0301"
  std::string message;     // of the error
  bool namesP = false, namesRank = false, namesRound = false, namesLine = false;
  // What the prover says, if it was asked.
  bool wasProved = false;              // every claim
  std::vector<prove::Claim> openClaims; // that are not proved
  std::string open;                    // why not all

  /// Claims one of which cannot be true if the checks are right to refuse.
  std::vector<prove::Claim> broken() const { return claimsBrokenBy(code); }

  /// About what ranks say to each other, at some p, in some round: Q03xx.
  bool isCommunication() const { return code.starts_with("Q03"); }
};

/// The standard files and the schedules of the library that others use, loaded once.
class Pipeline {
public:
  explicit Pipeline(std::string libraryRoot) : root(std::move(libraryRoot)) {}

  /// False, after a message on standard error, if the library cannot be read.
  bool load();
  /// What is to be done with a text that has passed the parser and sema.
  struct Work {
    std::vector<std::int64_t> ps;   // to be checked
    std::string schedule;           // this one, "collective/name"; empty: all of the file
    bool prove = false;             // on its own: nothing is tried first
    const ir::Schedule *like = nullptr; // what it is a mutant of: the prover may try the invariants of that
  };
  /// Parses, analyzes and checks a text. `path` is its place in the library: <collective>/<algorithm>.quad.
  Outcome run(std::string text, const std::string &path, const Work &work);
  /// A schedule as it is in the library.
  const ir::Schedule *original(const std::string &collective, const std::string &name) {
    return resolve(collective, name).schedule;
  }
  /// The syntax tree of a file; its places point into `textOut`.
  std::optional<ast::File> syntax(const std::string &path, llvm::StringRef &textOut);

private:
  struct Used {
    FileScope scope;
    std::vector<const ir::Schedule *> schedules;
  };

  std::vector<const ir::Schedule *> analyzeText(unsigned buffer, const std::string &path, Sources &sources,
                                                Diagnostics &diagnostics, FileScope &scope, ir::Program &program);
  UsedSchedule resolve(llvm::StringRef collective, llvm::StringRef algorithm);

  std::string root;
  Sources librarySources;
  ir::Program libraryProgram;
  FileScope standard;
  std::map<std::string, Used> used;
};

} // namespace quadrille::compiler::mutate

#endif // QUADRILLE_TEST_MUTATE_PIPELINE_H
