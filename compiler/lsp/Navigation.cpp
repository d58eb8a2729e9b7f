//===- Navigation.cpp - Where names are declared and mentioned, and other names for them --------------------------------------------===//

#include "Features.h"

#include "parse/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

namespace {

llvm::SMLoc placeGiven(const Analysis &analysis, const json::Object &params) {
  const std::optional<Position> position = positionFrom(params.get("position"));
  return analysis.place(position.value_or(Position()));
}

std::vector<const Mention *> allOf(const Analysis &analysis, llvm::SMRange declaration) {
  std::vector<const Mention *> result;
  for (const Mention &mention : analysis.mentions.all())
    if (mention.declaration.Start == declaration.Start)
      result.push_back(&mention);
  return result;
}

/// Whether other documents may mention the name, too.
bool isShared(const Mention &mention) { return mention.kind >= MentionKind::Function; }

/// Whether a text can be a name wherever the grammar has one: it is no keyword.
bool isName(llvm::StringRef text) {
  if (text.empty() || llvm::isDigit(text[0]) || !llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return false;
  Sources sources;
  Diagnostics unheard(sources, llvm::nulls(), DiagnosticsFormat::Json, /*colour=*/false);
  return parse(sources, sources.add("fn " + text.str() + "(" + text.str() + ") = " + text.str(), "name"), unheard).has_value();
}

/// What the names of a text stand for: for each name its number in the text, and that of the name in its declaration.
std::vector<std::pair<std::size_t, std::size_t>> meaningOf(const Analysis &analysis) {
  std::vector<const Mention *> here;
  for (const Mention &mention : analysis.mentions.all())
    if (analysis.isHere(mention.range.Start))
      here.push_back(&mention);
  llvm::sort(here, [](const Mention *a, const Mention *b) { return a->range.Start.getPointer() < b->range.Start.getPointer(); });
  std::map<const char *, std::size_t> numbers;
  for (const Mention *mention : here)
    numbers.try_emplace(mention->range.Start.getPointer(), numbers.size());
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (const Mention *mention : here) {
    auto declared = numbers.find(mention->declaration.Start.getPointer());
    result.push_back({result.size(), declared == numbers.end() ? numbers.size() : declared->second});
  }
  return result;
}

struct Change {
  std::string before, after;
};
using Changes = std::map<std::string, Change>; // by document

/// Why texts do not mean the same after a change; empty if they do.
std::string whatChanges(const World &world, const Changes &changes) {
  World before{world.settings, world.documents, world.folders}, after = before;
  const auto open = [](World &in, const std::string &uri, const std::string &text) {
    in.documents.open(json::Object{{"textDocument", json::Object{{"uri", uri}, {"text", text}, {"version", 0}}}});
  };
  for (const auto &[uri, change] : changes) {
    open(before, uri, change.before);
    open(after, uri, change.after);
  }
  for (const auto &[uri, change] : changes) {
    const Analysis old(before, *before.documents.find(uri)), changed(after, *after.documents.find(uri));
    if (const auto &reported = changed.diagnostics.reported(); changed.diagnostics.errorCount() > old.diagnostics.errorCount())
      return formatMessage((old.diagnostics.errorCount() ? reported.back() : reported.front()).facts);
    if (meaningOf(changed) != meaningOf(old))
      return "a name would stand for something else";
  }
  return "";
}

} // namespace

json::Value definition(const World &world, const Document &document, const json::Object &params) {
  const Analysis analysis(world, document);
  const llvm::SMLoc place = placeGiven(analysis, params);
  if (const Mention *mention = analysis.mentionAt(place))
    return analysis.location(mention->declaration);
  if (const std::optional<std::string> file = analysis.importedAt(place))
    return json::Object{{"uri", uriOfPath(realPath(*file))}, {"range", toJson(Range{})}};
  return nullptr;
}

json::Value references(const World &world, const Document &document, const json::Object &params) {
  Analysis analysis(world, document);
  const Mention *found = analysis.mentionAt(placeGiven(analysis, params));
  if (!found)
    return nullptr;
  const Mention mention = *found;
  if (isShared(mention))
    analysis.readWorkspace();
  const json::Object *context = params.getObject("context");
  const bool wantsDeclaration = context && context->getBoolean("includeDeclaration").value_or(false);
  json::Array result;
  for (const Mention *one : allOf(analysis, mention.declaration))
    if (wantsDeclaration || !one->isDeclaration())
      result.push_back(analysis.location(one->range));
  return result;
}

json::Value highlights(const World &world, const Document &document, const json::Object &params) {
  const Analysis analysis(world, document);
  const Mention *mention = analysis.mentionAt(placeGiven(analysis, params));
  json::Array result;
  if (mention)
    for (const Mention *one : allOf(analysis, mention->declaration))
      if (analysis.isHere(one->range.Start))
        result.push_back(json::Object{{"range", toJson(analysis.range(one->range))}});
  return result;
}

json::Value prepareRename(const World &world, const Document &document, const json::Object &params) {
  const Analysis analysis(world, document);
  const Mention *mention = analysis.mentionAt(placeGiven(analysis, params));
  return mention ? toJson(analysis.range(mention->range)) : json::Value(nullptr);
}

json::Value rename(const World &world, const Document &document, const json::Object &params) {
  Analysis analysis(world, document);
  const Mention *found = analysis.mentionAt(placeGiven(analysis, params));
  if (!found)
    throw NoAnswer{"there is no name that is declared somewhere"};
  const Mention mention = *found;
  const std::string name = params.getString("newName").value_or("").str();
  if (!isName(name))
    throw NoAnswer{"`" + name + "` is no name: a name has letters, digits and `_`, begins with none of the digits, and is no word of the language"};
  if (isShared(mention))
    analysis.readWorkspace();
  std::map<std::string, std::vector<std::pair<llvm::SMRange, unsigned>>> places; // by document
  for (const Mention *one : allOf(analysis, mention.declaration)) {
    const unsigned buffer = analysis.sources.manager().FindBufferContainingLoc(one->range.Start);
    places[analysis.uri(buffer)].push_back({one->range, buffer});
  }
  json::Object edited;
  Changes changes;
  for (auto &[uri, list] : places) {
    llvm::sort(list, [](const auto &a, const auto &b) { return a.first.Start.getPointer() > b.first.Start.getPointer(); });
    const llvm::StringRef before = analysis.sources.text(list.front().second);
    Change &change = changes[uri] = {before.str(), before.str()};
    json::Array edits;
    for (const auto &[range, buffer] : list) {
      const auto begin = static_cast<std::size_t>(range.Start.getPointer() - before.data());
      change.after.replace(begin, static_cast<std::size_t>(range.End.getPointer() - range.Start.getPointer()), name);
      json::Object place = analysis.location(range);
      edits.push_back(json::Object{{"range", std::move(*place.get("range"))}, {"newText", name}});
    }
    edited[uri] = std::move(edits);
  }
  if (const std::string why = whatChanges(world, changes); !why.empty())
    throw NoAnswer{"not renamed to `" + name + "`: " + why};
  return json::Object{{"changes", std::move(edited)}};
}

} // namespace quadrille::compiler::lsp
