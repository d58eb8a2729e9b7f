//===- Documents.cpp - The texts that an editor has open -----------------------------------------------------------------------------===//

#include "Documents.h"

#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

std::string uriOf(const json::Object &params) {
  const json::Object *document = params.getObject("textDocument");
  return document ? document->getString("uri").value_or("").str() : "";
}

std::string pathOf(llvm::StringRef uri) {
  llvm::StringRef rest = uri;
  if (!rest.consume_front("file://"))
    return "untitled.quad";
  if (!rest.starts_with("/")) // the name of a host
    rest = rest.drop_until([](char c) { return c == '/'; });
  std::string path;
  for (; !rest.empty(); rest = rest.drop_front())
    if (rest.size() > 2 && rest[0] == '%' && llvm::isHexDigit(rest[1]) && llvm::isHexDigit(rest[2])) {
      path += static_cast<char>(llvm::hexFromNibbles(rest[1], rest[2]));
      rest = rest.drop_front(2);
    } else {
      path += rest[0];
    }
  path.erase(std::find(path.begin(), path.end(), '\0'), path.end());
  return path;
}

std::string uriOfPath(llvm::StringRef path) {
  std::string result = "file://";
  for (char c : path)
    if (llvm::isAlnum(c) || llvm::StringRef("-._~/").contains(c))
      result += c;
    else
      result += "%" + llvm::utohexstr(static_cast<unsigned char>(c), /*LowerCase=*/false, /*Width=*/2);
  return result;
}

Document *Documents::find(llvm::StringRef uri) {
  auto found = byUri.find(uri.str());
  return found == byUri.end() ? nullptr : &found->second;
}

Document *Documents::open(const json::Object &params) {
  const json::Object *given = params.getObject("textDocument");
  const auto text = given ? given->getString("text") : std::nullopt;
  const std::string uri = uriOf(params);
  if (uri.empty() || !text)
    return nullptr;
  Document &document = byUri[uri];
  document = {uri, pathOf(uri), text->str(), given->getInteger("version").value_or(0)};
  return &document;
}

Document *Documents::change(const json::Object &params) {
  Document *document = find(uriOf(params));
  const json::Array *changes = params.getArray("contentChanges");
  if (!document || !changes)
    return nullptr;
  for (const json::Value &value : *changes) {
    const json::Object *change = value.getAsObject();
    const auto text = change ? change->getString("text") : std::nullopt;
    if (!text)
      continue;
    if (const std::optional<Range> range = rangeFrom(change->get("range"))) {
      const TextLines lines(document->text);
      const std::size_t begin = lines.offset(range->start), end = std::max(begin, lines.offset(range->end));
      document->text.replace(begin, end - begin, *text);
    } else {
      document->text = text->str();
    }
  }
  document->version = params.getObject("textDocument")->getInteger("version").value_or(document->version + 1);
  return document;
}

} // namespace quadrille::compiler::lsp
