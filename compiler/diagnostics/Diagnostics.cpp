//===- Diagnostics.cpp - Printing diagnostics as text, JSON and SARIF ------------------------------------------------===//

#include "Diagnostics.h"

#include "source/Sources.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"

namespace quadrille {

namespace diag {

static const Entry entries[] = {
#define DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT) {CODE, Severity::SEVERITY, #NAME, TEXT},
#define NOTE(NAME, TEXT) {0, Severity::Note, #NAME, TEXT},
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

std::string formatMessage(diag::Id id, const std::vector<std::string> &args) {
  llvm::StringRef text = diag::entry(id).text;
  std::string result;
  while (!text.empty()) {
    size_t open = text.find('{');
    if (open == llvm::StringRef::npos || open + 2 >= text.size() || text[open + 2] != '}' ||
        !llvm::isDigit(text[open + 1])) {
      size_t taken = open == llvm::StringRef::npos ? text.size() : open + 1;
      result += text.take_front(taken);
      text = text.drop_front(taken);
      continue;
    }
    result += text.take_front(open);
    unsigned index = text[open + 1] - '0';
    if (index < args.size())
      result += args[index];
    text = text.drop_front(open + 3);
  }
  return result;
}

static llvm::StringRef severityText(diag::Severity severity) {
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

void Diagnostics::reportFile(diag::Id id, llvm::StringRef file, std::vector<std::string> args) {
  Diagnostic diagnostic(id, {}, std::move(args));
  diagnostic.file = file.str();
  report(std::move(diagnostic));
}

void Diagnostics::report(Diagnostic diagnostic) {
  if (diag::entry(diagnostic.id).severity == diag::Severity::Error)
    ++errors;
  if (format == DiagnosticsFormat::Text)
    printText(diagnostic);
  else
    kept.push_back(std::move(diagnostic));
}

/// Ranges that span lines would underline to the end of the first one only; that is what we want to see.
static void printMessage(Sources &sources, llvm::raw_ostream &out, bool colour, llvm::SMRange range,
                         diag::Severity severity, const std::string &message, llvm::StringRef file) {
  static const llvm::SourceMgr::DiagKind kinds[] = {llvm::SourceMgr::DK_Error, llvm::SourceMgr::DK_Warning,
                                                    llvm::SourceMgr::DK_Note};
  if (range.isValid()) {
    llvm::ArrayRef<llvm::SMRange> ranges(range);
    llvm::SMDiagnostic text = sources.manager().GetMessage(range.Start, kinds[static_cast<int>(severity)], message,
                                                           range.Start == range.End ? llvm::ArrayRef<llvm::SMRange>()
                                                                                    : ranges);
    text.print(nullptr, out, colour);
    return;
  }
  if (!file.empty())
    out << file << ": ";
  static const llvm::raw_ostream::Colors colours[] = {llvm::raw_ostream::RED, llvm::raw_ostream::MAGENTA,
                                                      llvm::raw_ostream::BLACK};
  if (colour)
    out.changeColor(colours[static_cast<int>(severity)], /*Bold=*/true);
  out << severityText(severity) << ": ";
  if (colour)
    out.resetColor();
  out << message << '\n';
}

void Diagnostics::printText(const Diagnostic &diagnostic) {
  const diag::Entry &entry = diag::entry(diagnostic.id);
  std::string message = formatMessage(diagnostic.id, diagnostic.args);
  message += " [" + diag::codeText(diagnostic.id) + "]";
  printMessage(sources, out, colour, diagnostic.range, entry.severity, message, diagnostic.file);
  for (const Note &note : diagnostic.notes)
    printMessage(sources, out, colour, note.range, diag::Severity::Note, formatMessage(note.id, note.args), "");
}

void Diagnostics::finish() {
  if (format == DiagnosticsFormat::Json)
    printJson();
  else if (format == DiagnosticsFormat::Sarif)
    printSarif();
  out.flush();
}

static void writePlace(llvm::json::OStream &json, Sources &sources, llvm::SMRange range, llvm::StringRef file) {
  Place begin = sources.place(range.Start), end = sources.place(range.End);
  if (begin.line == 0) {
    if (!file.empty())
      json.attribute("file", file);
    return;
  }
  json.attribute("file", begin.file);
  json.attribute("line", begin.line);
  json.attribute("column", begin.column);
  json.attribute("endLine", end.line);
  json.attribute("endColumn", end.column);
}

void Diagnostics::printJson() {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attributeArray("diagnostics", [&] {
      for (const Diagnostic &diagnostic : kept)
        json.object([&] {
          json.attribute("severity", severityText(diag::entry(diagnostic.id).severity));
          json.attribute("code", diag::codeText(diagnostic.id));
          json.attribute("name", diag::entry(diagnostic.id).name);
          json.attribute("message", formatMessage(diagnostic.id, diagnostic.args));
          writePlace(json, sources, diagnostic.range, diagnostic.file);
          json.attributeArray("notes", [&] {
            for (const Note &note : diagnostic.notes)
              json.object([&] {
                json.attribute("message", formatMessage(note.id, note.args));
                writePlace(json, sources, note.range, "");
              });
          });
        });
    });
  });
  out << '\n';
}

static void writeSarifLocation(llvm::json::OStream &json, Sources &sources, llvm::SMRange range, llvm::StringRef file,
                               const std::string *message) {
  Place begin = sources.place(range.Start), end = sources.place(range.End);
  std::string uri = begin.line ? begin.file : file.str();
  json.object([&] {
    if (!uri.empty())
      json.attributeObject("physicalLocation", [&] {
        json.attributeObject("artifactLocation", [&] { json.attribute("uri", uri); });
        if (begin.line)
          json.attributeObject("region", [&] {
            json.attribute("startLine", begin.line);
            json.attribute("startColumn", begin.column);
            json.attribute("endLine", end.line);
            json.attribute("endColumn", end.column);
          });
      });
    if (message)
      json.attributeObject("message", [&] { json.attribute("text", *message); });
  });
}

void Diagnostics::printSarif() {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json.attribute("version", "2.1.0");
    json.attributeArray("runs", [&] {
      json.object([&] {
        json.attributeObject("tool", [&] {
          json.attributeObject("driver", [&] {
            json.attribute("name", "quadrille");
            json.attribute("version", QUADRILLE_VERSION);
          });
        });
        json.attributeArray("results", [&] {
          for (const Diagnostic &diagnostic : kept)
            json.object([&] {
              json.attribute("ruleId", diag::codeText(diagnostic.id));
              json.attribute("level", severityText(diag::entry(diagnostic.id).severity));
              json.attributeObject("message", [&] {
                json.attribute("text", formatMessage(diagnostic.id, diagnostic.args));
              });
              json.attributeArray("locations", [&] {
                writeSarifLocation(json, sources, diagnostic.range, diagnostic.file, nullptr);
              });
              json.attributeArray("relatedLocations", [&] {
                for (const Note &note : diagnostic.notes) {
                  std::string text = formatMessage(note.id, note.args);
                  writeSarifLocation(json, sources, note.range, "", &text);
                }
              });
            });
        });
      });
    });
  });
  out << '\n';
}

} // namespace quadrille
