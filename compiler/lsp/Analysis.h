//===- Analysis.h - A document of an editor, analyzed ---------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_LSP_ANALYSIS_H
#define QUADRILLE_LSP_ANALYSIS_H

#include "Documents.h"

#include "check/Check.h"
#include "library/Library.h"
#include "prove/Prove.h"
#include "sema/Mentions.h"

#include <functional>

namespace quadrille::compiler::lsp {

/// The options of the command line; they hold for all documents.
struct Settings {
  std::string root;                  // the folder of the library
  std::vector<std::string> searched; // folders in which used schedules are looked for before that
  std::string executable, documentation; // the path of this program; the folder docs/
  CheckOptions checks;
  prove::ProofOptions proofs;
  bool wantProof = true, useCache = true, warningsAreErrors = false;
  std::uint64_t memoryBytes = 0;
  std::optional<std::uint64_t> maxSeconds; // of the checks of a schedule
  /// Runs a command of the command line on FILE:SCHEDULE, prints to standard output.
  std::function<void(llvm::StringRef command, const std::string &schedule, Sources &, Diagnostics &, Library &)> runCommand;
};

/// All that answers to requests depend on.
struct World {
  const Settings &settings;
  Documents documents;
  std::vector<std::string> folders; // of the workspace
};

/// Thrown by a feature that has no answer.
struct NoAnswer {
  std::string message;
};

/// The analysis of a document and of all files that it uses. Texts of open documents replace their files.
class Analysis {
public:
  Analysis(const World &world, const Document &document);
  Analysis(const Analysis &) = delete;

  /// Also reads all open documents and the files of the workspace, as many as `limits::editorFiles` allows.
  void readWorkspace();

  // Places. A place is in the document if it points into the document's buffer; the offset of any other place is 0.
  bool isHere(llvm::SMLoc loc) const;
  std::size_t offset(llvm::SMLoc loc) const;
  llvm::SMLoc place(const Position &position) const { return llvm::SMLoc::getFromPointer(text().data() + lines.offset(position)); }
  Range range(llvm::SMRange range) const { return lines.range(offset(range.Start), offset(range.End)); }
  llvm::json::Object location(llvm::SMRange range) const;
  std::string uri(unsigned buffer) const;
  llvm::StringRef text() const { return sources.text(buffer); }

  /// The name at a place; null if there is none, or if its declaration is not known.
  const Mention *mentionAt(llvm::SMLoc loc) const;
  /// The path of the file that an import at a place names; nothing if there is none.
  std::optional<std::string> importedAt(llvm::SMLoc loc) const;
  /// All schedules of the document, also those with errors.
  std::vector<const ast::Schedule *> schedulesHere() const;
  /// The schedule whose declaration is around a place; null if there is none.
  const ast::Schedule *scheduleAround(llvm::SMLoc loc) const;
  /// The schedule in the IR; null if it has errors, or a tree as a parameter, which only its instances set.
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

/// The syntax tree of a text, without the files that it uses; an empty one after a syntax error.
ast::File parsed(Sources &sources, unsigned buffer);

/// The whole word around an offset of a text; empty if there is none.
llvm::StringRef wordAt(llvm::StringRef text, std::size_t offset);

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_ANALYSIS_H
