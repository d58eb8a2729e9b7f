//===- Diagnostics.cpp - Collecting diagnostics, and printing them as text ---------------------------------------------===//

#include "Diagnostics.h"

#include "Json.h"
#include "Sarif.h"

#include "limits/Limits.h"
#include "source/Sources.h"
#include "source/Utf8.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

namespace quadrille::compiler {

namespace diag {

static const Entry entries[] = {
#define DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT, ...) {CODE, Severity::SEVERITY, #NAME, TEXT},
#define NOTE(NAME, TEXT, ...) {0, Severity::Note, #NAME, TEXT},
#include "Catalogue.def"
};

const Entry &entry(Id id) { return entries[static_cast<unsigned>(id)]; }

std::vector<Id> all() {
  std::vector<Id> ids;
  for (unsigned i = 0; i < std::size(entries); ++i)
    if (entries[i].code != 0)
      ids.push_back(static_cast<Id>(i));
  return ids;
}

std::string codeText(Id id) {
  std::string digits = std::to_string(entry(id).code);
  return digits == "0" ? "" : "Q" + std::string(4 - digits.size(), '0') + digits;
}

} // namespace diag

llvm::StringRef severityText(diag::Severity severity) {
  switch (severity) {
  case diag::Severity::Error:
    return "error";
  case diag::Severity::Warning:
    return "warning";
  case diag::Severity::Note:
    return "note";
  }
  return "";
}

void Diagnostics::reportFile(llvm::StringRef file, diag::Facts facts) {
  Diagnostic diagnostic({}, std::move(facts));
  diagnostic.file = file.str();
  report(std::move(diagnostic));
}

diag::Severity Diagnostics::severityOf(const Diagnostic &diagnostic) const {
  const diag::Severity severity = diag::entry(diagnostic.id()).severity;
  return severity == diag::Severity::Warning && warningsAreErrors ? diag::Severity::Error : severity;
}

void Diagnostics::report(Diagnostic diagnostic) {
  for (const Note &note : llvm::reverse(during))
    diagnostic.notes.push_back(note);
  if (severityOf(diagnostic) == diag::Severity::Error)
    ++errors;
  if (errors > limits::shownErrors) {
    if (errors == limits::shownErrors + 1 && format == DiagnosticsFormat::Text)
      out << "more than " << limits::shownErrors << " errors; the rest is not shown\n";
    return;
  }
  if (format == DiagnosticsFormat::Text)
    printText(diagnostic);
  kept.push_back(std::move(diagnostic));
}

/// Prints the line of a place, and below it `^~~~` under the range, or the part of it in this line.
static void printLine(Sources &sources, llvm::raw_ostream &out, bool colour, llvm::SMRange range) {
  unsigned buffer = sources.manager().FindBufferContainingLoc(range.Start);
  llvm::StringRef text = sources.text(buffer);
  size_t at = range.Start.getPointer() - text.data();
  size_t begin = text.take_front(at).rfind('\n') + 1; // npos + 1 is 0
  llvm::StringRef line = text.drop_front(begin).take_until([](char c) { return c == '\n' || c == '\r'; });
  constexpr size_t tooLongToRead = 400;
  if (line.size() > tooLongToRead)
    return;
  size_t start = std::min(at - begin, line.size());
  size_t end = std::min<size_t>(range.End.getPointer() - text.data() - begin, line.size());
  // Print tabs as one blank, since they count as one column, and likewise other control characters, which could affect a terminal.
  for (char c : line)
    out << (static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  out << '\n';
  out.indent(columnsOf(line.take_front(start)));
  if (colour)
    out.changeColor(llvm::raw_ostream::GREEN, /*Bold=*/true);
  out << '^';
  for (size_t i = 1, count = end > start ? columnsOf(line.slice(start, end)) : 1; i < count; ++i)
    out << '~';
  if (colour)
    out.resetColor();
  out << '\n';
}

static void printMessage(Sources &sources, llvm::raw_ostream &out, bool colour, llvm::SMRange range,
                         diag::Severity severity, const std::string &message, llvm::StringRef file) {
  if (colour)
    out.changeColor(llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  if (range.isValid()) {
    Place place = sources.place(range.Start);
    out << place.file << ':' << place.line << ':' << place.column << ": ";
  } else if (!file.empty()) {
    out << file << ": ";
  }
  static const llvm::raw_ostream::Colors colours[] = {llvm::raw_ostream::RED, llvm::raw_ostream::MAGENTA,
                                                      llvm::raw_ostream::BLACK};
  if (colour)
    out.changeColor(colours[static_cast<int>(severity)], /*Bold=*/true);
  out << severityText(severity) << ": ";
  if (colour) {
    out.resetColor();
    out.changeColor(llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  }
  out << message << '\n';
  if (colour)
    out.resetColor();
  if (range.isValid())
    printLine(sources, out, colour, range);
}

void Diagnostics::printText(const Diagnostic &diagnostic) {
  const diag::Entry &entry = diag::entry(diagnostic.id());
  std::string message = formatMessage(diagnostic.facts);
  const diag::Severity severity = severityOf(diagnostic);
  message += " [" + diag::codeText(diagnostic.id()) + (severity == entry.severity ? "]" : ", -Werror]");
  printMessage(sources, out, colour, diagnostic.range, severity, message, diagnostic.file);
  for (const Note &note : diagnostic.notes)
    printMessage(sources, out, colour, note.range, diag::Severity::Note, formatMessage(note.facts), "");
}

void Diagnostics::finish() {
  if (format == DiagnosticsFormat::Json)
    printJson(*this, sources, out);
  else if (format == DiagnosticsFormat::Sarif)
    printSarif(*this, sources, documentation, out);
  out.flush();
}

} // namespace quadrille::compiler
