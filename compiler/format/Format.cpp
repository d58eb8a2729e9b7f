//===- Format.cpp - A text in the style of the library ----------------------------------------------------------===//

#include "Format.h"

#include "Columns.h"
#include "Elements.h"
#include "Lines.h"

#include "diagnostics/Diagnostics.h"
#include "parse/Parser.h"
#include "source/Sources.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::format {

namespace {

class Writer {
public:
  Writer(const Elements &elements, const Lines &lines, llvm::StringRef lineEnd)
      : elements(elements), lines(lines), columns(placeColumns(elements, lines)), lineEnd(lineEnd) {}

  std::string write() {
    for (const TextLine &line : lines.list) {
      if (line.blankBefore)
        result += lineEnd;
      unsigned column = 0;
      for (unsigned i = line.first; i <= line.last; ++i) {
        const Element &element = elements.list[i];
        result.append(columns[i] - column, ' ');
        if (element.isCode())
          result += element.text;
        else
          comment(element, columns[i], i == line.first);
        column = endAt(elements, i, columns[i], i == line.first);
      }
      result += lineEnd;
    }
    return std::move(result);
  }

private:
  /// The lines of a comment that begins a line move with it.
  void comment(const Element &element, unsigned column, bool beginsLine) {
    const auto all = linesOf(element.text);
    result += all.front();
    for (llvm::StringRef line : llvm::drop_begin(all)) {
      result += lineEnd;
      const llvm::StringRef text = line.ltrim(' ');
      const unsigned blanks = static_cast<unsigned>(line.size() - text.size());
      if (!text.empty())
        result.append(beginsLine ? moved(blanks, element.column, column) : blanks, ' ');
      result += text;
    }
  }

  const Elements &elements;
  const Lines &lines;
  const std::vector<unsigned> columns;
  const llvm::StringRef lineEnd;
  std::string result;
};

/// Whether two tokens differ by no more than the blanks at the ends of the lines of comments.
bool areAlike(const ast::Token &a, const ast::Token &b) {
  if (a.kind != b.kind)
    return false;
  if (a.kind == ast::TokenKind::Code)
    return a.text == b.text;
  const auto ofA = linesOf(a.text), ofB = linesOf(b.text);
  return llvm::equal(ofA, ofB, [](llvm::StringRef x, llvm::StringRef y) { return x.trim(" \t") == y.trim(" \t"); });
}

/// Ends the program if more than blanks and line breaks has changed.
void verifyTokens(const ast::TokenTree &tree, const std::string &result) {
  Sources sources;
  Diagnostics diagnostics(sources, llvm::nulls(), DiagnosticsFormat::Text, /*colour=*/false);
  const unsigned buffer = sources.add(result, "<formatted>");
  const std::optional<ast::TokenTree> again = parseTokens(sources, buffer, diagnostics);
  if (!again || !llvm::equal(tree.tokens, again->tokens, areAlike))
    llvm::report_fatal_error("formatting would change what the text says");
}

} // namespace

std::optional<std::string> formatText(const Sources &sources, unsigned buffer, Diagnostics &diagnostics) {
  const llvm::StringRef text = sources.text(buffer);
  const std::optional<ast::TokenTree> tree = parseTokens(sources, buffer, diagnostics);
  if (!tree)
    return std::nullopt;
  const Elements elements(text, *tree);
  const Lines lines = breakLines(elements);
  // Line breaks of Windows are kept.
  const size_t lineBreak = text.find('\n');
  const bool isOfWindows = lineBreak != llvm::StringRef::npos && lineBreak > 0 && text[lineBreak - 1] == '\r';
  std::string result = Writer(elements, lines, isOfWindows ? "\r\n" : "\n").write();
  verifyTokens(*tree, result);
  return result;
}

} // namespace quadrille::compiler::format
