//===- Text.cpp - Numbers and tables as reports print them -------------------------------------------------------------------===//

#include "Text.h"

#include "source/Utf8.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <tuple>

#include <sys/ioctl.h>
#include <unistd.h>

namespace quadrille::compiler {

std::string placeText(const Sources &sources, llvm::SMRange range) {
  if (!range.isValid())
    return "";
  Place place = sources.place(range.Start);
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string bytesText(std::uint64_t bytes) {
  if (bytes < 1000)
    return counted(bytes, "byte");
  constexpr llvm::StringLiteral units[] = {"KB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  for (; value >= 999.95; value /= 1000)
    ++unit;
  std::string result;
  llvm::raw_string_ostream(result) << llvm::format("%.1f ", value) << units[unit];
  return result;
}

static constexpr size_t gap = 2; // between columns

/// How wide each column is.
static std::vector<size_t> widthsOf(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columnsOf(row[i]));
  }
  return widths;
}

size_t printColumns(const std::vector<std::vector<std::string>> &rows, unsigned width, llvm::raw_ostream &out) {
  const std::vector<size_t> widths = widthsOf(rows);
  size_t shown = 0, used = 0;
  while (shown < widths.size() && (width == 0 || shown < 2 || used + widths[shown] <= width))
    used += widths[shown++] + gap;
  if (width > 0 && used > width + gap) {
    std::vector<std::vector<std::string>> narrow;
    for (const std::vector<std::string> &row : rows)
      narrow.emplace_back(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(std::min(shown, row.size())));
    printWrapped(narrow, width, out);
    return shown;
  }
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
  return shown;
}

unsigned terminalColumns(const llvm::raw_ostream &out) {
  const bool isErrors = &out == &llvm::errs();
  if (isErrors ? !llvm::sys::Process::StandardErrIsDisplayed() : &out != &llvm::outs() || !llvm::sys::Process::StandardOutIsDisplayed())
    return 0;
  // This reads $COLUMNS, which overrides the size of the terminal, as in other programs.
  if (unsigned columns = isErrors ? llvm::sys::Process::StandardErrColumns() : llvm::sys::Process::StandardOutColumns())
    return columns;
  winsize size{};
  return ioctl(isErrors ? STDERR_FILENO : STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
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

void printBeside(llvm::StringRef label, size_t width, llvm::StringRef text, unsigned columns, llvm::raw_ostream &out) {
  constexpr size_t room = 20; // columns in which a text can be read
  const bool isBeside = columns == 0 || columns >= width + room;
  const size_t indent = isBeside ? width : label.take_while([](char c) { return c == ' '; }).size() + 4;
  const std::vector<std::string> lines = wrapped(text, columns == 0 ? text.size() : columns > indent ? columns - indent : 1);
  out << label;
  if (isBeside && !text.empty())
    out.indent(static_cast<unsigned>(width - std::min(width, columnsOf(label))));
  else if (!isBeside)
    out << '\n';
  for (size_t i = 0; i < lines.size(); ++i)
    out.indent(i == 0 && isBeside ? 0 : static_cast<unsigned>(indent)) << lines[i] << '\n';
}

static constexpr size_t leastWidth = 9; // cells that go on below in narrower columns cannot be read

/// Widths of columns that fit into `width` together, or nearly. Narrow columns get the width that they want; wide ones share the rest evenly.
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
  std::vector<size_t> result;
  for (size_t want : wanted)
    result.push_back(std::min(want, std::max(most, leastWidth)));
  return result;
}

/// Breaks a text into lines of at most `width` columns, at blanks if it can be, else within words, which are names, lists and formulas.
static std::vector<std::string> brokenLines(llvm::StringRef text, size_t width) {
  assert((width > 0 || text.empty()) && "nothing fits into no columns");
  std::vector<std::string> result;
  for (const std::string &line : wrapped(text, width)) {
    llvm::StringRef rest = line;
    while (columnsOf(rest) > width) {
      size_t end = 0, columns = 0; // of what fits
      while (end < rest.size() && (columns < width || continuesCharacter(rest[end])))
        columns += !continuesCharacter(rest[end++]);
      const size_t mark = rest.take_front(end).find_last_of(",/_*+-=(");
      if (mark != llvm::StringRef::npos && mark > 0 && !rest.take_front(mark).trim(' ').empty())
        end = mark + 1;
      result.push_back(rest.take_front(end).str());
      rest = rest.drop_front(end);
    }
    result.push_back(rest.str());
  }
  return result;
}

/// Prints each row as a paragraph.
static void printParagraphs(const std::vector<std::vector<std::string>> &rows, unsigned width, llvm::raw_ostream &out) {
  for (const std::vector<std::string> &row : rows) {
    std::string text;
    for (const std::string &cell : row)
      if (!cell.empty())
        text += (text.empty() ? "" : "  ") + cell;
    const size_t indent = llvm::StringRef(text).take_while([](char c) { return c == ' '; }).size() + 4;
    const std::vector<std::string> lines = brokenLines(text, width > indent + leastWidth ? width - indent : width);
    for (size_t i = 0; i < lines.size(); ++i)
      out.indent(i == 0 || width <= indent + leastWidth ? 0 : static_cast<unsigned>(indent)) << lines[i] << '\n';
  }
}

void printWrapped(const std::vector<std::vector<std::string>> &rows, unsigned width, llvm::raw_ostream &out) {
  const std::vector<size_t> wanted = widthsOf(rows);
  const size_t gaps = wanted.empty() ? 0 : gap * (wanted.size() - 1);
  auto sum = [gaps](const std::vector<size_t> &widths) { return std::accumulate(widths.begin(), widths.end(), gaps); };
  if (width == 0 || sum(wanted) <= width) {
    printColumns(rows, 0, out);
    return;
  }
  const std::vector<size_t> widths = sharedWidths(wanted, width > gaps ? width - gaps : 0);
  if (sum(widths) > width)
    return printParagraphs(rows, width, out);
  std::vector<std::vector<std::string>> lines;
  for (const std::vector<std::string> &row : rows) {
    const size_t first = lines.size();
    for (size_t i = 0; i < row.size(); ++i) {
      const std::vector<std::string> cell = brokenLines(row[i], widths[i]);
      if (lines.size() < first + cell.size())
        lines.resize(first + cell.size(), std::vector<std::string>(row.size()));
      for (size_t line = 0; line < cell.size(); ++line)
        lines[first + line][i] = cell[line];
    }
  }
  printColumns(lines, 0, out);
}

} // namespace quadrille::compiler
