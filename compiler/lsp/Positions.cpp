//===- Positions.cpp - Places in texts, as editors count them ----------------------------------------------------------------------===//

#include "Positions.h"

#include "source/Utf8.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

namespace {

/// Units of UTF-16 of the character that begins with this byte.
std::int64_t unitsOf(char first) { return static_cast<unsigned char>(first) >= 0xF0 ? 2 : 1; }

} // namespace

TextLines::TextLines(llvm::StringRef text) : text(text) {
  begins.push_back(0);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')))
      begins.push_back(i + 1);
}

Position TextLines::at(std::size_t offset) const {
  offset = std::min(offset, text.size());
  assert(!begins.empty() && begins.front() == 0 && "the first line begins with the text");
  const auto line = std::prev(llvm::upper_bound(begins, offset));
  Position result{line - begins.begin(), 0};
  for (std::size_t i = *line; i < offset; ++i)
    if (!continuesCharacter(text[i]))
      result.character += unitsOf(text[i]);
  return result;
}

std::size_t TextLines::offset(const Position &position) const {
  if (position.line < 0)
    return 0;
  if (position.line >= static_cast<std::int64_t>(begins.size()))
    return text.size();
  std::size_t offset = begins[static_cast<std::size_t>(position.line)];
  for (std::int64_t left = position.character; offset < text.size() && text[offset] != '\n' && text[offset] != '\r';) {
    left -= unitsOf(text[offset]);
    if (left < 0)
      break;
    do
      ++offset;
    while (offset < text.size() && continuesCharacter(text[offset]));
  }
  return offset;
}

json::Value toJson(const Position &position) {
  return json::Object{{"line", position.line}, {"character", position.character}};
}

json::Value toJson(const Range &range) { return json::Object{{"start", toJson(range.start)}, {"end", toJson(range.end)}}; }

std::optional<Position> positionFrom(const json::Value *value) {
  const json::Object *object = value ? value->getAsObject() : nullptr;
  const auto line = object ? object->getInteger("line") : std::nullopt, character = object ? object->getInteger("character") : std::nullopt;
  if (!line || !character)
    return std::nullopt;
  return Position{*line, *character};
}

std::optional<Range> rangeFrom(const json::Value *value) {
  const json::Object *object = value ? value->getAsObject() : nullptr;
  const auto start = positionFrom(object ? object->get("start") : nullptr), end = positionFrom(object ? object->get("end") : nullptr);
  if (!start || !end)
    return std::nullopt;
  return Range{*start, *end};
}

} // namespace quadrille::compiler::lsp
