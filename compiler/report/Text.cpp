//===- Text.cpp - Numbers and tables as reports print them -------------------------------------------------------------------===//

#include "Text.h"

#include "source/Utf8.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <tuple>

#include <sys/ioctl.h>
#include <unistd.h>

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

unsigned terminalColumns(const llvm::raw_ostream &out) {
  if (&out != &llvm::outs() || !llvm::sys::Process::StandardOutIsDisplayed())
    return 0;
  // This reads $COLUMNS, which overrides the size of the terminal, as in other programs.
  if (unsigned columns = llvm::sys::Process::StandardOutColumns())
    return columns;
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::vector<std::string> wrapped(llvm::StringRef text, size_t width) {
  std::vector<std::string> lines{""};
  while (!text.empty()) {
    // A word, with the blanks before it.
    const size_t word = std::min(text.find_first_not_of(' '), text.size());
    const llvm::StringRef piece = text.take_front(text.find(' ', word));
    text = text.drop_front(piece.size());
    if (!lines.back().empty() && columnsOf(lines.back()) + columnsOf(piece) > width)
      lines.push_back(piece.ltrim(' ').str());
    else
      lines.back() += piece;
  }
  return lines;
}

void printLines(llvm::StringRef lines, unsigned width, unsigned indent, llvm::raw_ostream &out) {
  while (!lines.empty()) {
    llvm::StringRef line;
    std::tie(line, lines) = lines.split('\n');
    if (width <= indent || columnsOf(line) <= width) {
      out << line << '\n';
      continue;
    }
    const std::vector<std::string> parts = wrapped(line, width - indent);
    for (size_t i = 0; i < parts.size(); ++i)
      out.indent(i == 0 ? 0 : indent) << parts[i] << '\n';
  }
}

/// Widths of columns that fit into `width` together. Narrow columns get the width that they want; wide ones share the rest evenly.
static std::vector<size_t> sharedWidths(const std::vector<size_t> &wanted, size_t width) {
  std::vector<size_t> ascending = wanted;
  llvm::sort(ascending);
  size_t most = 0, left = width;
  for (size_t i = 0; i < ascending.size(); ++i) {
    most = left / (ascending.size() - i);
    if (ascending[i] > most)
      break;
    left -= ascending[i];
  }
  constexpr size_t least = 12; // narrower ones cannot be read
  std::vector<size_t> result;
  for (size_t want : wanted)
    result.push_back(std::min(want, std::max(most, least)));
  return result;
}

void printWrapped(const std::vector<std::vector<std::string>> &rows, unsigned width, llvm::raw_ostream &out) {
  std::vector<size_t> wanted;
  for (const std::vector<std::string> &row : rows) {
    wanted.resize(std::max(wanted.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i)
      wanted[i] = std::max(wanted[i], columnsOf(row[i]));
  }
  constexpr size_t gap = 2;
  size_t all = wanted.empty() ? 0 : gap * (wanted.size() - 1);
  const size_t gaps = all;
  for (size_t want : wanted)
    all += want;
  if (width == 0 || all <= width)
    return printColumns(rows, 0, out);
  const std::vector<size_t> widths = sharedWidths(wanted, width > gaps ? width - gaps : 0);
  std::vector<std::vector<std::string>> lines;
  for (const std::vector<std::string> &row : rows) {
    const size_t first = lines.size();
    for (size_t i = 0; i < row.size(); ++i) {
      const std::vector<std::string> cell = wrapped(row[i], widths[i]);
      if (lines.size() < first + cell.size())
        lines.resize(first + cell.size(), std::vector<std::string>(row.size()));
      for (size_t line = 0; line < cell.size(); ++line)
        lines[first + line][i] = cell[line];
    }
  }
  printColumns(lines, 0, out);
}

} // namespace quadrille::compiler
