//===- Transport.cpp - Messages as bytes -----------------------------------------------------------------------------------------===//

#include "Transport.h"

#include "limits/Limits.h"

#include "llvm/Support/raw_ostream.h"

#include <cassert>

namespace quadrille::compiler::lsp {

namespace {

constexpr llvm::StringLiteral lengthField = "Content-Length:", endOfHeader = "\r\n\r\n";
constexpr std::size_t longestHeader = 4096;

/// Whether values stand within each other more deeply than can be read.
bool isTooDeep(llvm::StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > limits::editorNesting)
        return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

} // namespace

/// Takes the header that `pending` begins with, if it is there completely. \returns the length of the message.
std::optional<std::size_t> MessageReader::takeHeader(std::string &error) {
  const std::size_t end = pending.find(endOfHeader);
  if (end == std::string::npos) {
    if (pending.size() <= longestHeader)
      return std::nullopt;
    error = "what comes has no header";
    // The next header may have begun at its end.
    pending.erase(0, pending.size() - lengthField.size());
    return std::nullopt;
  }
  // What stands before the last field belongs to something else.
  const llvm::StringRef header = llvm::StringRef(pending).take_front(end);
  const std::size_t field = header.rfind_insensitive(lengthField);
  std::size_t value = 0;
  const bool isLength = field != llvm::StringRef::npos &&
                        !header.drop_front(field + lengthField.size()).split('\r').first.trim().getAsInteger(10, value);
  if (!isLength)
    error = "a header without `Content-Length`";
  else if (llvm::StringRef before = header.take_front(field); !before.empty() && !before.ends_with("\n"))
    error = "bytes that belong to no message";
  pending.erase(0, end + endOfHeader.size());
  return isLength ? std::optional(value) : std::nullopt;
}

std::optional<MessageReader::Received> MessageReader::next() {
  if (passedOver > 0) {
    const std::size_t now = std::min(passedOver, pending.size());
    pending.erase(0, now);
    passedOver -= now;
    assert((passedOver == 0 || pending.empty()) && "what follows is passed over before it is read");
    if (passedOver > 0)
      return std::nullopt;
  }
  if (!length) {
    std::string error;
    length = takeHeader(error);
    if (length && *length > limits::editorMessage) {
      error = "a message of " + std::to_string(*length) + " bytes is too long (`editorMessage`)";
      passedOver = *length;
      length.reset();
    }
    if (!error.empty())
      return Received{{}, error};
    if (!length)
      return std::nullopt;
  }
  if (pending.size() < *length)
    return std::nullopt;
  const std::string text = pending.substr(0, *length);
  pending.erase(0, *length);
  length.reset();
  if (isTooDeep(text))
    return Received{{}, "values are nested too deeply (`editorNesting`)"};
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return Received{{}, llvm::toString(value.takeError())};
  if (llvm::json::Object *object = value->getAsObject())
    return Received{std::move(*object), ""};
  return Received{{}, "a message is an object", /*isRequest=*/false};
}

std::string framed(const llvm::json::Value &message) {
  std::string body;
  llvm::raw_string_ostream(body) << message;
  return (lengthField + " ").str() + std::to_string(body.size()) + endOfHeader.str() + body;
}

} // namespace quadrille::compiler::lsp
