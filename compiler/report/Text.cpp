//===- Text.cpp - Numbers and tables as reports print them -------------------------------------------------------------------===//

#include "Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>

namespace quadrille::compiler {

std::string rangeText(llvm::ArrayRef<std::int64_t> values) {
  std::string result;
  for (size_t i = 0; i < values.size();) {
    size_t j = i;
    while (j + 1 < values.size() && values[j + 1] == values[j] + 1)
      ++j;
    if (!result.empty())
      result += ",";
    result += std::to_string(values[i]);
    if (j > i)
      result += (j == i + 1 ? "," : "..") + std::to_string(values[j]);
    i = j + 1;
  }
  return result.empty() ? "none" : result;
}

std::string placeText(const Sources &sources, llvm::SMRange range) {
  if (!range.isValid())
    return "";
  Place place = sources.place(range.Start);
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

/// Columns of UTF-8 text; all our characters are one column wide.
static size_t columnsOf(llvm::StringRef text) {
  return static_cast<size_t>(llvm::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string bytesText(std::uint64_t bytes) {
  if (bytes < 1000)
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  constexpr llvm::StringLiteral units[] = {"KB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  for (; value >= 999.95; value /= 1000)
    ++unit;
  std::string result;
  llvm::raw_string_ostream(result) << llvm::format("%.1f ", value) << units[unit];
  return result;
}

void printColumns(const std::vector<std::vector<std::string>> &rows, unsigned width, llvm::raw_ostream &out) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columnsOf(row[i]));
  }
  constexpr size_t gap = 2;
  size_t shown = 0, used = 0;
  while (shown < widths.size() && (width == 0 || shown < 2 || used + widths[shown] <= width))
    used += widths[shown++] + gap;
  for (const std::vector<std::string> &row : rows) {
    size_t pending = 0; // blanks that the next cell needs before it
    for (size_t i = 0; i < std::min(shown, row.size()); ++i) {
      if (row[i].empty()) {
        pending += widths[i] + gap;
        continue;
      }
      out.indent(static_cast<unsigned>(pending)) << row[i];
      pending = widths[i] - columnsOf(row[i]) + gap;
    }
    out << '\n';
  }
}

} // namespace quadrille::compiler
