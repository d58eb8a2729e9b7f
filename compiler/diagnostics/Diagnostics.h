//===- Diagnostics.h - Messages about the input ---------------------------------------*- C++ -*-===//
//
// A diagnostic consists of the facts of an entry of Catalogue.def, which has the words and a stable code; the narrowest range
// of the text to blame; and notes in reading order.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DIAGNOSTICS_DIAGNOSTICS_H
#define QUADRILLE_DIAGNOSTICS_DIAGNOSTICS_H

#include "Facts.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace quadrille::compiler {

class Sources;

namespace diag {

enum class Severity { Error, Warning, Note };

struct Entry {
  unsigned code; // 301 for Q0301; 0 for notes
  Severity severity;
  llvm::StringLiteral name;
  llvm::StringLiteral text;
};

const Entry &entry(Id id);
/// All entries with a code (no notes), in the order of the catalogue.
std::vector<Id> all();
/// The code as text, "Q0301".
std::string codeText(Id id);

} // namespace diag

llvm::StringRef severityText(diag::Severity severity);

struct Note {
  llvm::SMRange range; // invalid: no place
  diag::Facts facts;

  diag::Id id() const { return facts.id(); }
};

/// A change of the text after which a diagnostic is not reported any more. An empty range inserts.
struct Mend {
  std::string title; // "write `mod`"
  llvm::SMRange range;
  std::string replacement;
};

struct Diagnostic {
  llvm::SMRange range;
  diag::Facts facts;
  std::vector<Note> notes;
  std::vector<Mend> mends; // without those that mendsOf finds in the facts
  std::string file; // for diagnostics about a file as a whole

  Diagnostic(llvm::SMRange range, diag::Facts facts) : range(range), facts(std::move(facts)) {}

  diag::Id id() const { return facts.id(); }
  Diagnostic &note(llvm::SMRange noteRange, diag::Facts noteFacts) {
    notes.push_back({noteRange, std::move(noteFacts)});
    return *this;
  }
  Diagnostic &mend(Mend added) {
    mends.push_back(std::move(added));
    return *this;
  }
  /// Adds a mend that replaces the blamed text, with blanks around it where words would run together.
  Diagnostic &instead(llvm::StringRef text);
};

/// A mend that deletes a clause or a comment, and its line if nothing else is on it.
Mend deletion(std::string title, llvm::SMRange range);

/// All mends of a diagnostic: its own, and those that follow from its facts, such as the nearest name for an unknown one.
std::vector<Mend> mendsOf(const Diagnostic &diagnostic);

enum class DiagnosticsFormat { Text, Json, Sarif };

/// Collects and prints diagnostics. Text is printed at once; JSON and SARIF are one document, printed by `finish`.
class Diagnostics {
public:
  /// `warningsAreErrors`: every warning is reported as an error, and counts as one.
  Diagnostics(Sources &sources, llvm::raw_ostream &out, DiagnosticsFormat format, bool colour, bool warningsAreErrors = false)
      : sources(sources), out(out), format(format), colour(colour), warningsAreErrors(warningsAreErrors) {}

  void report(Diagnostic diagnostic);
  void report(llvm::SMRange range, diag::Facts facts) { report(Diagnostic(range, std::move(facts))); }
  /// Reports a diagnostic without a place in a text: about a file that cannot be read, an option, a topology.
  void reportFile(llvm::StringRef file, diag::Facts facts);
  void finish();

  unsigned errorCount() const { return errors; }
  /// All reported diagnostics, in order, up to the limit of errors.
  const std::vector<Diagnostic> &reported() const { return kept; }
  /// The severity of a diagnostic; with -Werror, a warning has that of an error.
  diag::Severity severityOf(const Diagnostic &diagnostic) const;
  /// Sets the folder with the pages of diagnostics, which are the help texts in SARIF.
  void setDocumentation(std::string folder) { documentation = std::move(folder); }

  /// Adds a note to every diagnostic that is reported while this object exists.
  class During {
  public:
    During(Diagnostics &diagnostics, llvm::SMRange range, diag::Facts facts) : diagnostics(diagnostics) {
      diagnostics.during.push_back({range, std::move(facts)});
    }
    During(const During &) = delete;
    During &operator=(const During &) = delete;
    ~During() { diagnostics.during.pop_back(); }

  private:
    Diagnostics &diagnostics;
  };

private:
  void printText(const Diagnostic &diagnostic);

  Sources &sources;
  llvm::raw_ostream &out;
  DiagnosticsFormat format;
  bool colour;
  bool warningsAreErrors;
  unsigned errors = 0;
  std::vector<Note> during; // outermost first
  std::vector<Diagnostic> kept;
  std::string documentation;
};

/// The text of an entry with its facts filled in.
std::string formatMessage(const diag::Facts &facts);

} // namespace quadrille::compiler

#endif // QUADRILLE_DIAGNOSTICS_DIAGNOSTICS_H
