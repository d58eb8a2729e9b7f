//===- Analysis.h - A text of an editor, and what the compiler knows of it ------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_LSP_ANALYSIS_H
#define QUADRILLE_LSP_ANALYSIS_H

#include "Documents.h"

#include "check/Check.h"
#include "library/Library.h"
#include "prove/Prove.h"
#include "sema/Mentions.h"

#include <functional>

namespace quadrille::compiler::lsp {

/// What the command line says, for all texts.
struct Settings {
  std::string root;                  // the folder of the library
  std::vector<std::string> searched; // for schedules that are used
  std::string executable, documentation; // our own path; the folder docs/
  CheckOptions checks;
  prove::ProofOptions proofs;
  bool wantProof = true, useCache = true, warningsAreErrors = false;
  std::uint64_t memoryBytes = 0;
  std::optional<std::uint64_t> maxSeconds; // of the checks of a schedule
  /// Runs a command of the command line on FILE:SCHEDULE, prints to standard output.
  std::function<void(llvm::StringRef command, const std::string &schedule, Sources &, Diagnostics &, Library &)> runCommand;
};

/// What an answer is found with.
struct World {
  const Settings &settings;
  Documents documents;
  std::vector<std::string> folders; // of the workspace
};

/// Thrown by those who find no answer.
struct NoAnswer {
  std::string message;
};

/// A document, with all that it reads, analyzed. Texts of open documents take the place of their files.
class Analysis {
public:
  Analysis(const World &world, const Document &document);
  Analysis(const Analysis &) = delete;

  /// Reads all files of the workspace, too, up to a limit.
  void readWorkspace();

  // Places. Those of the document have its buffer.
  bool isHere(llvm::SMLoc loc) const;
  std::size_t offset(llvm::SMLoc loc) const;
  llvm::SMLoc place(const Position &position) const { return llvm::SMLoc::getFromPointer(text().data() + lines.offset(position)); }
  Range range(llvm::SMRange range) const { return lines.range(offset(range.Start), offset(range.End)); }
  llvm::json::Object location(llvm::SMRange range) const;
  std::string uri(unsigned buffer) const;
  llvm::StringRef text() const { return sources.text(buffer); }

  /// The name at a position; null if nothing is known of it, or none is there.
  const Mention *mentionAt(llvm::SMLoc loc) const;
  /// All schedules of the document, also those with errors.
  std::vector<const ast::Schedule *> schedulesHere() const;
  /// The schedule whose declaration is around a place; null if there is none.
  const ast::Schedule *scheduleAround(llvm::SMLoc loc) const;
  /// Null if it has errors, or leaves a tree open.
  const ir::Schedule *analyzed(const ast::Schedule &schedule) const;

  const World &world;
  const Document &document;
  Sources sources;
  Diagnostics diagnostics;
  Mentions mentions;
  Library library;
  bool isStandardRead = false;
  Library::FileKnown file;
  unsigned buffer = 0; // of the document
  TextLines lines;

private:
  unsigned readDocument();
};

/// The syntax tree of a text by itself; an empty one after a syntax error.
ast::File parsed(Sources &sources, unsigned buffer);

/// The whole word at a place of a text; empty if there is none.
llvm::StringRef wordAt(llvm::StringRef text, std::size_t offset);

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_ANALYSIS_H
