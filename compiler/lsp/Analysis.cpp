//===- Analysis.cpp - A document of an editor, analyzed ----------------------------------------------------------------------------===//

#include "Analysis.h"

#include "limits/Limits.h"
#include "parse/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

Analysis::Analysis(const World &world, const Document &document)
    : world(world), document(document), diagnostics(sources, llvm::nulls(), DiagnosticsFormat::Json, /*colour=*/false,
                                                        world.settings.warningsAreErrors),
      library(world.settings.root, world.settings.searched, sources, diagnostics), buffer(readDocument()), lines(text()) {}

/// \returns the buffer with the text of the document.
unsigned Analysis::readDocument() {
  for (const auto &[uri, open] : world.documents.all())
    sources.replace(open.path, open.text);
  sources.replace(document.path, document.text);
  library.recordMentions(mentions);
  isStandardRead = library.loadStandard();
  if (isStandardRead)
    file = library.read(pathFromHere(document.path));
  const std::string path = realPath(document.path);
  for (unsigned i = 1; i <= sources.manager().getNumBuffers(); ++i)
    if (realPath(sources.name(i)) == path)
      return i;
  // The text cannot be read, which has been reported: go on with an empty one.
  return sources.add("", document.path);
}

void Analysis::readWorkspace() {
  std::vector<std::string> folders = world.folders;
  if (folders.empty())
    folders.push_back(llvm::sys::path::parent_path(document.path).str());
  std::size_t files = 0;
  for (const std::string &folder : folders)
    for (const std::string &path : quadFiles(folder, /*recursive=*/true))
      if (files++ < limits::editorFiles)
        library.read(pathFromHere(path));
  for (const auto &[uri, open] : world.documents.all())
    library.read(pathFromHere(open.path));
}

bool Analysis::isHere(llvm::SMLoc loc) const {
  const char *at = loc.getPointer();
  return loc.isValid() && at >= text().begin() && at <= text().end();
}

std::size_t Analysis::offset(llvm::SMLoc loc) const { return isHere(loc) ? static_cast<std::size_t>(loc.getPointer() - text().data()) : 0; }

std::string Analysis::uri(unsigned of) const {
  if (of == buffer)
    return document.uri;
  const std::string path = realPath(sources.name(of));
  for (const auto &[uri, open] : world.documents.all())
    if (realPath(open.path) == path)
      return uri;
  return uriOfPath(path);
}

json::Object Analysis::location(llvm::SMRange range) const {
  if (isHere(range.Start))
    return json::Object{{"uri", document.uri}, {"range", toJson(this->range(range))}};
  const unsigned other = sources.manager().FindBufferContainingLoc(range.Start);
  const llvm::StringRef otherText = sources.text(other);
  const auto at = [&](llvm::SMLoc loc) { return static_cast<std::size_t>(loc.getPointer() - otherText.data()); };
  return json::Object{{"uri", uri(other)}, {"range", toJson(TextLines(otherText).range(at(range.Start), at(range.End)))}};
}

const Mention *Analysis::mentionAt(llvm::SMLoc loc) const {
  for (const Mention &mention : mentions.all())
    if (mention.range.Start.getPointer() <= loc.getPointer() && loc.getPointer() <= mention.range.End.getPointer() && isHere(mention.range.Start))
      return &mention;
  return nullptr;
}

std::optional<std::string> Analysis::importedAt(llvm::SMLoc loc) const {
  if (file.text)
    for (const ast::Import &import : file.text->imports)
      if (isHere(import.range.Start) && import.range.Start.getPointer() <= loc.getPointer() && loc.getPointer() <= import.range.End.getPointer())
        return library.fileOfImport(pathFromHere(document.path), import.file);
  return std::nullopt;
}

std::vector<const ast::Schedule *> Analysis::schedulesHere() const {
  std::vector<const ast::Schedule *> result;
  if (file.text)
    for (const ast::Schedule &schedule : file.text->schedules)
      if (isHere(schedule.range.Start))
        result.push_back(&schedule);
  return result;
}

const ast::Schedule *Analysis::scheduleAround(llvm::SMLoc loc) const {
  for (const ast::Schedule *schedule : schedulesHere())
    if (schedule->range.Start.getPointer() <= loc.getPointer() && loc.getPointer() <= schedule->range.End.getPointer())
      return schedule;
  return nullptr;
}

const ir::Schedule *Analysis::analyzed(const ast::Schedule &schedule) const {
  for (const ir::Schedule *candidate : file.schedules)
    if (candidate->nameRange.Start == schedule.name.range.Start)
      return candidate;
  return nullptr;
}

ast::File parsed(Sources &sources, unsigned buffer) {
  Diagnostics unheard(sources, llvm::nulls(), DiagnosticsFormat::Json, /*colour=*/false);
  std::optional<ast::File> file = parse(sources, buffer, unheard);
  return file ? std::move(*file) : ast::File();
}

llvm::StringRef wordAt(llvm::StringRef text, std::size_t offset) {
  const auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  std::size_t first = std::min(offset, text.size());
  while (first > 0 && isPart(text[first - 1]))
    --first;
  return text.drop_front(first).take_while(isPart);
}

} // namespace quadrille::compiler::lsp
