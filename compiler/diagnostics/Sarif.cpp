//===- Sarif.cpp - Diagnostics as a SARIF log -------------------------------------------------------------------------------===//

#include "Sarif.h"

#include "Json.h"

#include "source/Sources.h"
#include "source/Utf8.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace quadrille::compiler {

namespace {

/// The name of the folder that relative paths begin at: where Quadrille was run. The reader of the log knows where that is.
constexpr llvm::StringLiteral rootName = "SRCROOT";

/// A path as a URI reference; what has a meaning in URIs is escaped.
std::string uriText(llvm::StringRef path) {
  std::string result = llvm::sys::path::is_absolute(path) ? "file://" : "";
  for (char c : path) {
    if (llvm::isAlnum(c) || llvm::StringRef("-._~/").contains(c))
      result += c;
    else
      result += "%" + llvm::utohexstr(static_cast<unsigned char>(c), /*LowerCase=*/false, /*Width=*/2);
  }
  return result;
}

/// The help of a rule: a page of the documentation, and its title.
struct Page {
  std::string title, markdown;
};

/// Nothing in it if the page cannot be read.
Page pageOf(const std::string &code, const std::string &documentation) {
  llvm::SmallString<256> path(documentation);
  llvm::sys::path::append(path, code + ".md");
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return {};
  const llvm::StringRef text = (*file)->getBuffer();
  // The first line is "# Q0301: a receive without its send".
  const llvm::StringRef title = text.split('\n').first.split(": ").second;
  std::string markdown;
  for (llvm::StringRef line : llvm::split(text, '\n'))
    if (!line.starts_with("<!--")) // notes to the tests of the documentation
      markdown += line.str() + "\n";
  return {title.str(), llvm::StringRef(markdown).rtrim().str() + "\n"};
}

class SarifWriter {
public:
  SarifWriter(const Diagnostics &diagnostics, const Sources &sources, const std::string &documentation, llvm::raw_ostream &out)
      : diagnostics(diagnostics), sources(sources), documentation(documentation), json(out, 2) {}

  void write() {
    for (const Diagnostic &diagnostic : diagnostics.reported())
      rules.insert({diagnostic.id(), rules.size()});
    json.object([&] {
      json.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
      json.attribute("version", "2.1.0");
      json.attributeArray("runs", [&] { json.object([&] { writeRun(); }); });
    });
  }

private:
  void writeRun() {
    json.attributeObject("tool", [&] {
      json.attributeObject("driver", [&] {
        json.attribute("name", "quadrille");
        json.attribute("version", QUADRILLE_VERSION);
        json.attributeArray("rules", [&] {
          for (const auto &[id, index] : rules)
            json.object([&, id = id] { writeRule(id); });
        });
      });
    });
    json.attribute("columnKind", "unicodeCodePoints");
    json.attributeObject("originalUriBaseIds", [&] {
      json.attributeObject(rootName, [&] { writeMessage("description", "the folder in which quadrille was run"); });
    });
    json.attributeArray("results", [&] {
      for (const Diagnostic &diagnostic : diagnostics.reported())
        json.object([&] { writeResult(diagnostic); });
    });
  }

  void writeMessage(llvm::StringRef name, const std::string &text) {
    json.attributeObject(name, [&] { json.attribute("text", text); });
  }

  void writeRule(diag::Id id) {
    const Page page = pageOf(diag::codeText(id), documentation);
    json.attribute("id", diag::codeText(id));
    json.attribute("name", diag::entry(id).name);
    writeMessage("shortDescription", page.title.empty() ? std::string(diag::entry(id).text) : page.title);
    if (!page.markdown.empty())
      json.attributeObject("help", [&] {
        json.attribute("text", page.markdown);
        json.attribute("markdown", page.markdown);
      });
    json.attributeObject("defaultConfiguration", [&] { json.attribute("level", severityText(diag::entry(id).severity)); });
  }

  void writeResult(const Diagnostic &diagnostic) {
    json.attribute("ruleId", diag::codeText(diagnostic.id()));
    json.attribute("ruleIndex", static_cast<std::int64_t>(rules.lookup(diagnostic.id())));
    json.attribute("level", severityText(diagnostics.severityOf(diagnostic)));
    writeMessage("message", formatMessage(diagnostic.facts));
    json.attributeArray("locations", [&] { writeLocation(diagnostic.range, diagnostic.file, nullptr); });
    json.attributeArray("relatedLocations", [&] {
      for (const Note &note : diagnostic.notes)
        writeLocation(note.range, "", &note.facts);
    });
    if (const std::vector<Mend> mends = mendsOf(diagnostic); !mends.empty())
      json.attributeArray("fixes", [&] {
        for (const Mend &mend : mends)
          json.object([&] { writeFix(mend); });
      });
    writeProperties(diagnostic.facts);
  }

  void writeFix(const Mend &mend) {
    writeMessage("description", mend.title);
    json.attributeArray("artifactChanges", [&] {
      json.object([&] {
        writeArtifact(sources.place(mend.range.Start).file);
        json.attributeArray("replacements", [&] {
          json.object([&] {
            writeRegion("deletedRegion", mend.range);
            writeMessage("insertedContent", mend.replacement);
          });
        });
      });
    });
  }

  void writeArtifact(const std::string &file) {
    json.attributeObject("artifactLocation", [&] {
      const std::string path = pathFromHere(file);
      json.attribute("uri", uriText(path));
      if (!llvm::sys::path::is_absolute(path))
        json.attribute("uriBaseId", rootName);
    });
  }

  void writeRegion(llvm::StringRef name, llvm::SMRange range) {
    json.attributeObject(name, [&] {
      json.attribute("startLine", sources.place(range.Start).line);
      json.attribute("startColumn", codePointColumn(range.Start));
      json.attribute("endLine", sources.place(range.End).line);
      json.attribute("endColumn", codePointColumn(range.End));
    });
  }

  /// Our columns count bytes.
  unsigned codePointColumn(llvm::SMLoc loc) const {
    const unsigned bytes = sources.place(loc).column - 1;
    const llvm::StringRef before(loc.getPointer() - bytes, bytes);
    return 1 + static_cast<unsigned>(columnsOf(before));
  }

  void writeLocation(llvm::SMRange range, llvm::StringRef file, const diag::Facts *note) {
    const Place begin = sources.place(range.Start);
    const std::string path = begin.line ? begin.file : file.str();
    json.object([&] {
      if (!path.empty())
        json.attributeObject("physicalLocation", [&] {
          writeArtifact(path);
          if (begin.line)
            writeRegion("region", range);
        });
      if (note) {
        writeMessage("message", formatMessage(*note));
        writeProperties(*note);
      }
    });
  }

  void writeProperties(const diag::Facts &facts) {
    json.attributeObject("properties", [&] {
      json.attribute("name", diag::entry(facts.id()).name);
      writeFacts(json, facts);
    });
  }

  const Diagnostics &diagnostics;
  const Sources &sources;
  const std::string &documentation;
  llvm::json::OStream json;
  llvm::MapVector<diag::Id, size_t> rules; // with their places in the list
};

} // namespace

void printSarif(const Diagnostics &diagnostics, const Sources &sources, const std::string &documentation, llvm::raw_ostream &out) {
  SarifWriter(diagnostics, sources, documentation, out).write();
  out << '\n';
}

} // namespace quadrille::compiler
