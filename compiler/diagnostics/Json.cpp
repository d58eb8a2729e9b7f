//===- Json.cpp - Diagnostics as JSON ------------------------------------------------------------------------------------===//

#include "Json.h"

#include "source/Sources.h"

namespace quadrille::compiler {

static void writeFact(llvm::json::OStream &json, const diag::Amount &amount) {
  json.object([&] {
    json.attribute("unit", amount.value.packets ? "packet" : "block");
    json.attribute("count", amount.value.count);
  });
}

static void writeFact(llvm::json::OStream &json, const diag::Part &part) {
  json.object([&] {
    json.attribute("unit", part.value.packets ? "packet" : "block");
    json.attribute("first", part.value.first);
    json.attribute("count", part.value.count);
  });
}

template <class T>
constexpr bool holdsNumbers = std::is_same_v<T, diag::Time> || std::is_same_v<T, diag::Cycle> || std::is_same_v<T, diag::NumberSet> || std::is_same_v<T, diag::RankList> ||
                              std::is_same_v<T, diag::Extents>;

static void writeFact(llvm::json::OStream &json, const diag::Gap &gap) {
  json.object([&] {
    json.attribute("name", gap.value.name);
    json.attribute("text", gap.value.words);
  });
}

static void writeFact(llvm::json::OStream &json, const diag::Slot &slot) {
  json.object([&] {
    json.attribute("buffer", slot.value.buffer);
    json.attributeArray("indices", [&] {
      for (std::int64_t index : slot.value.indices)
        json.value(index);
    });
  });
}

static void writeFields(llvm::json::OStream &json, const std::vector<diag::Field> &fields);

/// The kind of a phrase, together with its facts where a phrase of the group has some.
static void writeFact(llvm::json::OStream &json, const diag::Phrase &phrase) {
  const diag::PhraseEntry &entry = diag::entry(phrase.id());
  if (entry.isPlain)
    return json.value(entry.name);
  json.object([&] {
    json.attribute("kind", entry.name);
    writeFields(json, phrase.fields());
  });
}

static void writeValue(llvm::json::OStream &json, const diag::Value &value) {
  std::visit(
      [&](const auto &fact) {
        using T = std::decay_t<decltype(fact)>;
        if constexpr (requires { writeFact(json, fact); }) {
          writeFact(json, fact);
        } else if constexpr (holdsNumbers<T>) {
          json.array([&] {
            for (std::int64_t number : fact.value)
              json.value(number);
          });
        } else if constexpr (std::is_same_v<T, diag::NameList> || std::is_same_v<T, diag::AllNames> || std::is_same_v<T, diag::Cases>) {
          json.array([&] {
            for (const std::string &name : fact.value)
              json.value(name);
          });
        } else if constexpr (std::is_same_v<T, diag::AnyPhrase>) {
          json.array([&] {
            for (const diag::Phrase &phrase : fact.value)
              writeFact(json, phrase);
          });
        } else if constexpr (std::is_same_v<T, diag::Bindings>) {
          json.object([&] {
            for (const auto &[name, number] : fact.value)
              json.attribute(name, number);
          });
        } else if constexpr (std::is_same_v<T, diag::Values>) {
          json.object([&] {
            for (const auto &[name, number] : fact.value)
              json.attribute(name, number);
            if (!fact.nodes.empty())
              json.attributeArray("nodes", [&] {
                for (std::int64_t node : fact.nodes)
                  json.value(node);
              });
          });
        } else if constexpr (std::is_same_v<T, diag::Transfers>) {
          json.array([&] {
            for (const diag::Transfers::Transfer &transfer : fact.value)
              json.object([&] {
                json.attribute("sends", transfer.sends);
                json.attribute("peer", transfer.peer);
              });
          });
        } else if constexpr (std::is_same_v<T, diag::MaybeAmount> || std::is_same_v<T, diag::MaybePart> || std::is_same_v<T, diag::MaybeGap> || std::is_same_v<T, diag::MaybePhrase>) {
          if (fact.value)
            writeFact(json, *fact.value);
          else
            json.value(nullptr);
        } else if constexpr (std::is_same_v<T, diag::Limit>) {
          json.value(fact.value.value());
        } else if constexpr (std::is_same_v<T, diag::LimitName>) {
          json.value(fact.value.name());
        } else {
          json.value(fact.value); // null for an absent fact
        }
      },
      value);
}

static void writeFields(llvm::json::OStream &json, const std::vector<diag::Field> &fields) {
  for (const diag::Field &field : fields) {
    json.attributeBegin(field.name);
    writeValue(json, field.value);
    json.attributeEnd();
  }
}

void writeFacts(llvm::json::OStream &json, const diag::Facts &facts) {
  json.attributeObject("facts", [&] { writeFields(json, facts.fields()); });
}

void writePlace(llvm::json::OStream &json, const Sources &sources, llvm::SMRange range, llvm::StringRef file) {
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

void writeDiagnostic(llvm::json::OStream &json, const Diagnostic &diagnostic, diag::Severity severity, const Sources &sources) {
  json.object([&] {
    json.attribute("severity", severityText(severity));
    json.attribute("code", diag::codeText(diagnostic.id()));
    json.attribute("name", diag::entry(diagnostic.id()).name);
    json.attribute("message", formatMessage(diagnostic.facts));
    writePlace(json, sources, diagnostic.range, diagnostic.file);
    writeFacts(json, diagnostic.facts);
    json.attributeArray("notes", [&] {
      for (const Note &note : diagnostic.notes)
        json.object([&] {
          json.attribute("name", diag::entry(note.id()).name);
          json.attribute("message", formatMessage(note.facts));
          writePlace(json, sources, note.range, "");
          writeFacts(json, note.facts);
        });
    });
    json.attributeArray("mends", [&] {
      for (const Mend &mend : mendsOf(diagnostic))
        json.object([&] {
          json.attribute("title", mend.title);
          writePlace(json, sources, mend.range, "");
          json.attribute("replacement", mend.replacement);
        });
    });
  });
}

void printJson(const Diagnostics &diagnostics, const Sources &sources, llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attributeArray("diagnostics", [&] {
      for (const Diagnostic &diagnostic : diagnostics.reported())
        writeDiagnostic(json, diagnostic, diagnostics.severityOf(diagnostic), sources);
    });
  });
  out << '\n';
}

} // namespace quadrille::compiler
