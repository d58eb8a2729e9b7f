//===- Elements.cpp - Places, blanks ----------------------------------------------------------------------------===//

#include "Elements.h"

#include "Roles.h"

#include "source/Utf8.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::format {

unsigned moved(unsigned blanks, unsigned from, unsigned to) {
  return to >= from ? blanks + (to - from) : blanks - std::min(blanks, from - to);
}

llvm::SmallVector<llvm::StringRef, 4> linesOf(llvm::StringRef comment) {
  llvm::SmallVector<llvm::StringRef, 4> lines;
  for (;;) {
    const size_t end = comment.find_first_of("\r\n");
    lines.push_back(comment.take_front(end).rtrim(" \t\v\f"));
    if (end == llvm::StringRef::npos)
      return lines;
    comment = comment.drop_front(comment.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
  }
}

unsigned width(llvm::StringRef text) {
  const size_t lineBreak = text.find_last_of("\r\n");
  if (lineBreak != llvm::StringRef::npos)
    text = text.drop_front(lineBreak + 1);
  return static_cast<unsigned>(columnsOf(text));
}

static unsigned countLineBreaks(llvm::StringRef text) {
  unsigned count = 0;
  for (size_t i = 0; i < text.size(); ++i)
    // "\r\n" is one line break.
    if (text[i] == '\n' ? i == 0 || text[i - 1] != '\r' : text[i] == '\r')
      ++count;
  return count;
}

Elements::Elements(llvm::StringRef text, const ast::TokenTree &tree) : tree(tree) {
  list.reserve(tree.tokens.size());
  for (const ast::Token &token : tree.tokens) {
    Element element;
    element.kind = token.kind;
    element.text = token.text;
    list.push_back(element);
  }
  locate(text);
  assignRoles(*this);
  chooseProducts();
  moveBreaks();
}

void Elements::locate(llvm::StringRef text) {
  constexpr unsigned tabWidth = 8;
  unsigned line = 0, column = 0;
  const char *at = text.begin();
  for (Element &element : list) {
    const llvm::StringRef space(at, static_cast<size_t>(element.text.begin() - at));
    element.newlines = countLineBreaks(space);
    if (element.newlines) {
      line += element.newlines;
      column = 0;
    }
    const llvm::StringRef blanks = space.drop_front(space.find_last_of("\r\n") + 1); // npos + 1 is 0
    for (char c : blanks)
      column = c == '\t' ? (column / tabWidth + 1) * tabWidth : c == ' ' ? column + 1 : column;
    element.line = line;
    element.column = column;
    const unsigned inside = countLineBreaks(element.text);
    line += inside;
    column = inside ? width(element.text) : column + width(element.text);
    element.lastLine = line;
    element.end = column;
    at = element.text.end();
  }
}

/// A `*` or `/` has blanks on both sides where the author has written them on both sides.
void Elements::chooseProducts() {
  for (unsigned i = 1; i + 1 < size(); ++i)
    if (list[i].role == Role::Product) {
      const Element &before = list[i - 1], &after = list[i + 1];
      const bool blankBefore = list[i].newlines || list[i].column > before.end;
      const bool blankAfter = after.newlines || after.column > list[i].end;
      list[i].spaced = blankBefore && blankAfter;
    }
}

/// Moves a line break behind a word that leads lines to the place before it. Behind an operator it may stay, unless there is another one
/// before the operator.
void Elements::moveBreaks() {
  for (unsigned i = size(); i-- > 1;)
    if (list[i].newlines && list[i].isCode() && list[i - 1].leads) {
      if (!list[i].follows && !list[i - 1].newlines)
        list[i - 1].newlines = 1;
      if (!list[i].follows || list[i - 1].newlines)
        list[i].newlines = 0;
    }
}

unsigned Elements::blanksBefore(unsigned element) const {
  const Element &after = list[element], &before = list[element - 1];
  if (!before.isCode() || !after.isCode()) {
    if (before.isCode() && llvm::is_contained({"(", "["}, before.text))
      return 0;
    return after.isCode() && llvm::is_contained({")", "]", ",", ";"}, after.text) ? 0 : 1;
  }
  if (after.role == Role::Tight || before.role == Role::Tight || before.role == Role::Sign)
    return 0;
  if (after.role == Role::Product || before.role == Role::Product)
    return (after.role == Role::Product ? after : before).spaced ? 1 : 0;
  const bool opens = llvm::is_contained({"(", "["}, before.text);
  const bool ends = llvm::is_contained({")", "]", ",", ";"}, after.text);
  if (opens || ends || after.role == Role::Colon || after.text == "[" || (before.text == "{" && after.text == "}"))
    return 0;
  if (after.text == "(")
    return before.role == Role::Name || before.text == ")" ? 0 : 1;
  return 1;
}

unsigned endAt(const Elements &elements, unsigned number, unsigned column, bool beginsLine) {
  const Element &element = elements.list[number];
  if (!element.isMultiline())
    return column + width(element.text);
  const llvm::StringRef last = linesOf(element.text).back(), text = last.ltrim(' ');
  const unsigned blanks = static_cast<unsigned>(last.size() - text.size());
  return (beginsLine ? moved(blanks, element.column, column) : blanks) + width(text);
}

} // namespace quadrille::compiler::format
