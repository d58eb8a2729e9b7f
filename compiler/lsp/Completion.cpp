//===- Completion.cpp - What may be written at a place --------------------------------------------------------------------------------===//
//
// While the user writes, the text seldom has a correct syntax. So a similar text is analyzed: the text without the word that is being
// written or, if that has errors too, the part before it, with its braces closed.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Declarations.h"
#include "Features.h"

#include "ir/Operations.h"
#include "parse/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

namespace {

/// Kinds of completions, as the protocol numbers them.
enum ItemKind { asFunction = 3, asField = 5, asVariable = 6, asClass = 7, asInterface = 8, asModule = 9, asKeyword = 14, asConstant = 21, asStruct = 22 };

constexpr llvm::StringLiteral declarations[] = {"import", "schedule", "collective", "fn", "lemma", "tree"},
                              clauses[] = {"requires", "model", "cost", "rounds", "ranks from", "lockstep"},
                              statements[] = {"let", "var", "step", "send", "recv", "exchange", "use", "split", "if", "for", "invariant", "clock"},
                              fields[] = {"root", "parent", "left", "right", "children", "depth", "size", "lo", "hi"};

bool isWordPart(char c) { return llvm::isAlnum(c) || c == '_'; }

bool canBeRead(llvm::StringRef text) {
  Sources sources;
  Diagnostics unheard(sources, llvm::nulls(), DiagnosticsFormat::Json, /*colour=*/false);
  const Sources::Loaded loaded = sources.loadText(text.str(), "text");
  return loaded.problem == Sources::Problem::None && parse(sources, loaded.buffer, unheard).has_value();
}

/// A similar text with a correct syntax, if possible. All before the line of `place` is unchanged.
std::string readable(llvm::StringRef text, std::size_t place, std::size_t wordBegin) {
  if (canBeRead(text))
    return text.str();
  std::string without = text.str();
  for (std::size_t i = wordBegin; i < place; ++i)
    without[i] = ' ';
  if (canBeRead(without))
    return without;
  const std::size_t line = text.take_front(place).rfind('\n') + 1, lineEnd = std::min(text.find('\n', place), text.size());
  for (std::size_t i = line; i < lineEnd; ++i)
    if (without[i] != '{' && without[i] != '}')
      without[i] = ' ';
  if (canBeRead(without))
    return without;
  std::string before = text.take_front(line).str();
  int open = 0;
  for (llvm::StringRef each : llvm::split(before, '\n')) {
    const llvm::StringRef code = each.split("//").first;
    open += static_cast<int>(code.count('{')) - static_cast<int>(code.count('}'));
  }
  return before + std::string(static_cast<std::size_t>(std::clamp(open, 0, 250)), '}') + "\n";
}

/// Whether a declaration in a block is out of sight at a place, since a statement ends between the two.
bool isHidden(const ast::Block &block, const char *declaration, const char *place, bool inStep) {
  const auto contains = [](const ast::Statement &s, const char *at) { return s.range.Start.getPointer() <= at && at < s.range.End.getPointer(); };
  for (const auto &s : block) {
    if (!contains(*s, declaration))
      continue;
    switch (s->kind) {
    case ast::StatementKind::Let:
    case ast::StatementKind::Var:
    case ast::StatementKind::Recv:
    case ast::StatementKind::Exchange:
    case ast::StatementKind::Split:
      return false;
    case ast::StatementKind::If: // what is received in a step is seen until its end
      return (!inStep && !contains(*s, place)) || isHidden(s->body, declaration, place, inStep) || isHidden(s->otherwise, declaration, place, inStep);
    default:
      return !contains(*s, place) || isHidden(s->body, declaration, place, inStep || s->kind == ast::StatementKind::Step);
    }
  }
  return false;
}

/// The scopes of the declarations that a text sees.
llvm::SmallVector<const FileScope *, 4> visibleIn(const Analysis &analysis) {
  return analysis.file.scope ? analysis.file.scope->visible() : llvm::SmallVector<const FileScope *, 4>();
}

/// The names of the schedules that a file declares, and of their collectives. A collective on another line than its schedule is missing.
std::vector<std::pair<std::string, std::string>> schedulesIn(const std::string &file) {
  std::vector<std::pair<std::string, std::string>> result;
  auto text = llvm::MemoryBuffer::getFile(file);
  if (!text)
    return result;
  for (llvm::line_iterator line(**text, /*SkipBlanks=*/true); !line.is_at_eof(); ++line) {
    llvm::StringRef head = line->ltrim();
    if (!head.consume_front("schedule "))
      continue;
    head = head.ltrim();
    const llvm::StringRef name = head.take_while(isWordPart);
    const llvm::StringRef collective = head.split(" for ").second.ltrim().take_while(isWordPart);
    if (!name.empty())
      result.emplace_back(name, collective);
  }
  return result;
}

class Completer {
public:
  Completer(const World &world, const Document &document, std::size_t place) : world(world), document(document), place(place) {
    const llvm::StringRef text = document.text;
    wordBegin = place;
    while (wordBegin > 0 && isWordPart(text[wordBegin - 1]))
      --wordBegin;
    pathBegin = wordBegin;
    while (pathBegin > 0 && (isWordPart(text[pathBegin - 1]) || text[pathBegin - 1] == '/'))
      --pathBegin;
    line = text.slice(text.take_front(place).rfind('\n') + 1, place);
  }

  json::Value items() {
    if (line.contains("//"))
      return json::Array{};
    const llvm::StringRef text = document.text;
    const llvm::StringRef before = text.take_front(pathBegin).rtrim(" ");
    const bool isHead = line.ltrim().starts_with("schedule ");
    const llvm::StringRef word = lastWord(before);
    if (wordBegin > 0 && text[wordBegin - 1] == '.' && !text.take_front(wordBegin).ends_with("..")) {
      addAll(fields, asField);
    } else if (word == "use" || (isHead && before.ends_with("="))) {
      addSchedules();
    } else if (word == "import") {
      const llvm::StringRef folder = text.slice(pathBegin, wordBegin).rtrim('/');
      for (const std::string &file : Analysis(world, around()).library.filesToImport(document.path, folder))
        add(file, asModule);
    } else if (word == "model") {
      addAll(ir::portModelNames, asConstant);
    } else if (isHead && word == "for") {
      const Analysis analysis(world, around());
      for (const FileScope *scope : visibleIn(analysis))
        for (const auto &entry : scope->collectives)
          add(entry.getKey(), asInterface);
    } else {
      addNames();
    }
    return std::move(list);
  }

private:
  static llvm::StringRef lastWord(llvm::StringRef text) {
    std::size_t begin = text.size();
    while (begin > 0 && isWordPart(text[begin - 1]))
      --begin;
    return text.drop_front(begin);
  }

  Document around() const {
    Document copy = document;
    copy.text = readable(document.text, place, wordBegin);
    return copy;
  }

  void add(llvm::StringRef label, ItemKind kind, llvm::StringRef detail = "") {
    if (!seen.insert(label).second)
      return;
    json::Object item{{"label", label.str()}, {"kind", static_cast<int>(kind)}};
    if (!detail.empty())
      item["detail"] = detail.str();
    list.push_back(std::move(item));
  }

  template <typename Words> void addAll(const Words &words, ItemKind kind) {
    for (llvm::StringRef word : words)
      add(word, kind);
  }

  void addSchedules() {
    Analysis analysis(world, around());
    const Range range = TextLines(document.text).range(pathBegin, place);
    auto addPath = [&](const std::string &path) {
      if (seen.insert(path).second)
        list.push_back(json::Object{{"label", path},
                                    {"kind", static_cast<int>(asClass)},
                                    {"filterText", path},
                                    {"textEdit", json::Object{{"range", toJson(range)}, {"newText", path}}}});
    };
    if (analysis.file.scope)
      for (const auto &schedule : analysis.file.scope->schedules)
        addPath(schedule->path());
    const llvm::StringRef folder = llvm::sys::path::parent_path(document.path), folderName = llvm::sys::path::filename(folder);
    for (const std::string &file : quadFiles(folder, /*recursive=*/false)) {
      if (file == document.path)
        continue;
      const llvm::StringRef stem = llvm::sys::path::stem(file);
      for (const auto &[name, collective] : schedulesIn(file)) {
        if (name == stem && collective == folderName) // the file FOLDER/STEM.quad, looked for in the folder above
          addPath((folderName + "/" + stem).str());
        addPath((stem + "/" + name).str()); // the file STEM.quad
      }
    }
    for (const std::string &name : analysis.library.names())
      addPath(name);
  }

  void addNames() {
    const Document text = around();
    const Analysis analysis(world, text);
    const llvm::SMLoc at = llvm::SMLoc::getFromPointer(analysis.text().data() + std::min(wordBegin, analysis.text().size()));
    const ast::Schedule *schedule = analysis.scheduleAround(at);
    const llvm::StringRef beforeWord = line.drop_back(place - wordBegin).rtrim();
    const bool begins = beforeWord.empty() || beforeWord.ends_with("{") || beforeWord.ends_with(";");
    if (begins && !schedule)
      addAll(declarations, asKeyword);
    if (begins && schedule) {
      addAll(statements, asKeyword);
      addAll(clauses, asKeyword);
    }
    if (schedule) {
      for (const Mention &mention : analysis.mentions.all()) {
        const char *declaration = mention.range.Start.getPointer();
        if (mention.isDeclaration() && mention.kind <= MentionKind::Table && analysis.isHere(mention.range.Start) &&
            declaration >= schedule->range.Start.getPointer() && declaration < at.getPointer() &&
            !isHidden(schedule->body, declaration, at.getPointer(), /*inStep=*/false))
          add(llvm::StringRef(declaration, static_cast<std::size_t>(mention.range.End.getPointer() - declaration)), asVariable, mention.what);
      }
      add("me", asConstant, "this rank");
      add("p", asConstant, "the number of ranks");
      add("none", asConstant, "the rank that is not there");
    }
    if (begins)
      return;
    const llvm::StringRef clause = line.ltrim().take_while(isWordPart);
    const bool isCost = clause == "cost";
    for (const ir::Operation &operation : ir::operations())
      if ((operation.form == ir::Form::Function || operation.form == ir::Form::Name) && (isCost || !operation.isCostOnly()))
        add(operation.word, operation.form == ir::Form::Name ? asConstant : asFunction);
    add("height", asFunction);
    for (const FileScope *scope : visibleIn(analysis)) {
      for (const auto &entry : scope->functions)
        add(entry.getKey(), asFunction);
      for (const auto &entry : scope->trees)
        add(entry.getKey(), asStruct, "a tree");
    }
  }

  const World &world;
  const Document &document;
  std::size_t place, wordBegin, pathBegin;
  llvm::StringRef line; // up to the place
  json::Array list;
  llvm::StringSet<> seen;
};

} // namespace

json::Value completion(const World &world, const Document &document, const json::Object &params) {
  const Position position = positionFrom(params.get("position")).value_or(Position());
  return Completer(world, document, TextLines(document.text).offset(position)).items();
}

} // namespace quadrille::compiler::lsp
