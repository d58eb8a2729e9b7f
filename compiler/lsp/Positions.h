//===- Positions.h - Places in texts, as editors count them ---------------------------------------------------------------*- C++ -*-===//
//
// Editors count lines and, in a line, units of UTF-16, both from 0; we count bytes of UTF-8.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_LSP_POSITIONS_H
#define QUADRILLE_LSP_POSITIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <vector>

namespace quadrille::compiler::lsp {

struct Position {
  std::int64_t line = 0, character = 0;
  auto operator<=>(const Position &) const = default;
};

struct Range {
  Position start, end;
};

/// The lines of a text, which must outlive this object. Lines end with "\n", "\r\n" or "\r".
class TextLines {
public:
  explicit TextLines(llvm::StringRef text);

  Position at(std::size_t offset) const;
  /// The offset of a position. A position beyond the end of its line or of the text gives that end; one inside a character gives the
  /// character's beginning.
  std::size_t offset(const Position &position) const;
  Range range(std::size_t begin, std::size_t end) const { return {at(begin), at(end)}; }

private:
  llvm::StringRef text;
  std::vector<std::size_t> begins;
};

llvm::json::Value toJson(const Position &position);
llvm::json::Value toJson(const Range &range);
std::optional<Position> positionFrom(const llvm::json::Value *value);
std::optional<Range> rangeFrom(const llvm::json::Value *value);

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_POSITIONS_H
