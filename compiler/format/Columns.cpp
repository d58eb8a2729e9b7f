//===- Columns.cpp - Where on its line everything stands --------------------------------------------------------===//

#include "Columns.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

namespace quadrille::compiler::format {

namespace {

constexpr unsigned indentation = 2;             // of a body
constexpr unsigned continuation = 4;            // of a line that continues a statement
constexpr unsigned commentColumn = 48;          // of comments behind code, where there is room
constexpr unsigned commentBlanks = 3;           // before a comment behind longer code,
constexpr unsigned mostCommentBlanks = 5;       // unless the author wrote fewer, or up to so many
constexpr unsigned reach = 8;                   // lines between two that have a column in common

/// What may stand in one column. Operands stand below operands, operators below operators.
enum class Class : unsigned char { None, Operand, Operator, Equals, Brace, Preposition, Then, Else, Condition, Word };

Class classOf(const Element &element) {
  if (!element.isCode() || element.role == Role::Tight || element.role == Role::Colon)
    return Class::None;
  return llvm::StringSwitch<Class>(element.text)
      .Cases("=", ":=", Class::Equals)
      .Cases("{", "}", Class::Brace)
      .Cases("to", "from", "with", "into", "among", "->", Class::Preposition)
      .Case("then", Class::Then)
      .Case("else", Class::Else)
      .Cases("if", "for", Class::Condition)
      .Cases("send", "recv", "exchange", "step", "let", "var", "use", "split", Class::Word)
      .Cases(",", ";", ")", "]", "[", ".", "@", Class::None)
      .Default(element.leads ? Class::Operator : Class::Operand);
}

/// Elements that stand in one column.
struct Column {
  std::vector<unsigned> elements;
  bool isWanted = false;
};

/// Lines without an empty one between them. Nothing is aligned beyond them.
class Paragraph {
public:
  Paragraph(const Elements &elements, llvm::ArrayRef<Line> lines, const Lines &all, std::vector<unsigned> &columns)
      : elements(elements), lines(lines), all(all), columns(columns), below(lines.size()) {}

  /// `branches`: those of the paragraph.
  void place(llvm::ArrayRef<std::vector<Branch>> branches) {
    for (const std::vector<Branch> &row : branches)
      alignBranches(row);
    for (unsigned i = 0; i < lines.size(); ++i)
      if (lines[i].continues && elements.list[lines[i].first].isCode())
        below[i] = whatIsAbove(i);
    collectColumns();
    settle();
    placeComments();
  }

private:
  /// What the first element of a line stands below; `left`: how many columns to the left of it.
  struct Below {
    std::optional<unsigned> element;
    unsigned left = 0;
    bool isChosen = false; // by the author
    bool isInBranch = false;
  };

  const Element &at(unsigned element) const { return elements.list[element]; }

  /// The last element of a line that is not a comment behind code.
  unsigned endOfCode(const Line &line) const {
    return line.last > line.first && !at(line.last).isCode() ? line.last - 1 : line.last;
  }

  bool hasComment(const Line &line) const { return endOfCode(line) != line.last; }

  unsigned indent(const Line &line) const {
    return line.depth * indentation + (line.continues ? continuation : 0);
  }

  /// What the author has put a line below, or, if there is nothing, what it stands below by itself.
  Below whatIsAbove(unsigned number) const {
    const Line &line = lines[number];
    Below result;
    if (line.kept) {
      const Element &first = at(line.first);
      // An operator may stand before the column of the operands, too.
      const bool isHanging = first.leads && line.last > line.first && at(line.first + 1).isCode() && !elements.isWide(line.first + 1);
      for (bool hangs : {false, true}) {
        if (hangs && !isHanging)
          break;
        const unsigned wanted = hangs ? at(line.first + 1).column : first.column;
        if (std::optional<unsigned> found = standsAbove(number, wanted)) {
          result.element = found;
          result.left = hangs ? width(first.text) + elements.blanksBefore(line.first + 1) : 0;
          result.isChosen = true;
          break;
        }
      }
    }
    if (!result.isChosen)
      result.element = at(line.first).anchor;
    if (result.element)
      result.isInBranch = isBehindBranch(number, *result.element);
    return result;
  }

  /// The nearest operand in this column on the lines above, in the same statement.
  std::optional<unsigned> standsAbove(unsigned number, unsigned column) const {
    for (unsigned i = number; i-- > 0;) {
      const Line &line = lines[i];
      if (line.kept)
        for (unsigned element = line.first; element <= endOfCode(line); ++element)
          if (at(element).column == column && at(element).isCode() && (element == line.first ? line.continues : isOperand(element)))
            return element;
      if (!line.continues)
        break;
    }
    return std::nullopt;
  }

  bool isOperand(unsigned element) const {
    const Class kind = classOf(at(element));
    return kind == Class::Operand || (kind == Class::Condition && !at(element).leads);
  }

  /// Whether an element, on a line above, stands behind the brace of a branch.
  bool isBehindBranch(unsigned number, unsigned element) const {
    for (unsigned i = number; i-- > 0;) {
      if (lines[i].first <= element)
        return braces.count(i) ? element >= braces.at(i) : below[i].isInBranch;
      if (!lines[i].continues)
        break;
    }
    return false;
  }

  std::optional<unsigned> lineOf(unsigned element) const {
    if (lines.empty() || element < lines.front().first || element > lines.back().last)
      return std::nullopt;
    const Line *after = llvm::upper_bound(lines, element, [](unsigned e, const Line &line) { return e < line.first; });
    return static_cast<unsigned>(after - lines.begin()) - 1;
  }

  /// Bodies of branches on lines of their own stand below each other.
  void alignBranches(const std::vector<Branch> &row) {
    Column column;
    auto finish = [&] {
      if (column.elements.size() > 1) {
        column.isWanted = true;
        for (unsigned open : column.elements)
          braces[*lineOf(open)] = open;
        wanted.push_back(column);
      }
      column.elements.clear();
    };
    std::optional<unsigned> before;
    for (const Branch &branch : row) {
      const std::optional<unsigned> line = lineOf(branch.first);
      const bool standsAlone = line && lines[*line].first == branch.first && lineOf(branch.close) == line;
      if (!standsAlone || (before && *before + 1 != *line))
        finish();
      if (standsAlone)
        column.elements.push_back(branch.open);
      before = line;
    }
    finish();
  }

  void collectColumns() {
    struct Key {
      unsigned depth, column;
      Class kind;
      bool isBehindBranch;
      auto operator<=>(const Key &) const = default;
    };
    struct Last {
      size_t column;
      unsigned line;
    };
    std::vector<Column> found;
    std::map<Key, Last> last;
    for (unsigned i = 0; i < lines.size(); ++i) {
      const Line &line = lines[i];
      // What lies between the lines of a body is not in it.
      last.erase(last.lower_bound({line.depth + 1, 0, Class::None, false}), last.end());
      if (!line.kept || !at(line.first).isCode() || (line.continues && !below[i].isChosen))
        continue;
      for (unsigned element = line.first + (below[i].left ? 2 : 1); element <= endOfCode(line); ++element) {
        const Class kind = classOf(at(element));
        const bool isBrace = braces.count(i) && braces.at(i) == element;
        if (kind == Class::None || isBrace)
          continue;
        const bool isBehind = braces.count(i) ? element > braces.at(i) : below[i].isInBranch;
        auto [place, isNew] = last.insert({{line.depth, at(element).column, kind, isBehind}, {found.size(), i}});
        if (isNew || i - place->second.line > reach) {
          place->second.column = found.size();
          found.emplace_back();
        }
        place->second.line = i;
        Column &column = found[place->second.column];
        column.elements.push_back(element);
        column.isWanted |= elements.isWide(element);
      }
    }
    for (Column &column : found)
      if (column.isWanted && column.elements.size() > 1)
        wanted.push_back(std::move(column));
  }

  /// Moves everything to the right until columns are straight. What a column waits for stood to the left of it, before a branch or
  /// in the branch, so this ends.
  void settle() {
    least.assign(lines.back().last - lines.front().first + 1, 0);
    for (bool isMoving = true; isMoving;) {
      isMoving = false;
      for (unsigned i = 0; i < lines.size(); ++i)
        layOut(i);
      for (const Column &column : wanted) {
        unsigned place = 0;
        for (unsigned element : column.elements)
          place = std::max(place, columns[element]);
        for (unsigned element : column.elements)
          if (columns[element] < place) {
            least[element - lines.front().first] = place;
            isMoving = true;
          }
      }
    }
  }

  void layOut(unsigned number) {
    const Line &line = lines[number];
    unsigned end = indent(line);
    if (below[number].element) {
      const unsigned column = columns[*below[number].element];
      end = column > below[number].left ? column - below[number].left : 0;
    }
    for (unsigned element = line.first; element <= endOfCode(line); ++element) {
      const unsigned blanks = element > line.first ? elements.blanksBefore(element) + all.padding[element - 1] : 0;
      columns[element] = std::max(end + blanks, least[element - lines.front().first]);
      end = endAt(element);
    }
  }

  unsigned endAt(unsigned element) const {
    const Element &self = at(element);
    return (self.isMultiline() ? 0 : columns[element]) + width(self.text);
  }

  // ---- comments behind code --------------------------------------------------------------------------------------------------

  void placeComments() {
    std::map<unsigned, std::vector<unsigned>> byColumn; // lines whose comments stood in one column, to the right of the usual one
    for (unsigned i = 0; i < lines.size(); ++i)
      if (lines[i].kept && hasComment(lines[i]) && at(lines[i].last).column > commentColumn)
        byColumn[at(lines[i].last).column].push_back(i);
    for (unsigned i = 0; i < lines.size(); ++i)
      if (hasComment(lines[i]))
        columns[lines[i].last] = commentPlace(lines[i]);
    for (const auto &[column, numbers] : byColumn) {
      if (numbers.size() < 2)
        continue;
      unsigned place = column;
      for (unsigned number : numbers)
        place = std::max(place, endAt(endOfCode(lines[number])) + 1);
      for (unsigned number : numbers)
        columns[lines[number].last] = place;
    }
    bool isBelowComment = false; // behind code, or one that continues it
    for (unsigned i = 1; i < lines.size(); ++i) {
      isBelowComment = (isBelowComment || hasComment(lines[i - 1])) && goesOn(lines[i - 1], lines[i]);
      if (isBelowComment)
        columns[lines[i].first] = columns[lines[i - 1].last];
    }
  }

  unsigned commentPlace(const Line &line) const {
    const unsigned end = endAt(endOfCode(line)), was = at(line.last).column;
    const unsigned blanks = was > at(line.last - 1).end ? was - at(line.last - 1).end : 0;
    if (line.kept && end + commentBlanks >= commentColumn && blanks >= 1 && blanks <= mostCommentBlanks)
      return std::max(commentColumn, end + blanks);
    // Declarations on a line of their own are as long as they are, and comments beside them stand where the author wants.
    if (line.kept && line.depth == 0 && was > commentColumn && was > end)
      return was;
    return end < commentColumn ? commentColumn : end + commentBlanks;
  }

  /// A comment on a line of its own that stood below a comment.
  bool goesOn(const Line &above, const Line &line) const {
    return line.first == line.last && at(line.first).kind == ast::TokenKind::LineComment &&
           at(above.last).kind == ast::TokenKind::LineComment && at(line.first).column == at(above.last).column;
  }

  const Elements &elements;
  llvm::ArrayRef<Line> lines;
  const Lines &all;
  std::vector<unsigned> &columns;
  std::vector<Below> below;              // by line
  std::map<unsigned, unsigned> braces;   // of branches, by line
  std::vector<Column> wanted;
  std::vector<unsigned> least; // what the columns ask for, by element from that of the first line
};

} // namespace

std::vector<unsigned> placeColumns(const Elements &elements, const Lines &lines) {
  std::vector<unsigned> columns(elements.size());
  llvm::ArrayRef<std::vector<Branch>> branches = lines.branches;
  for (size_t begin = 0; begin < lines.list.size();) {
    size_t end = begin + 1;
    while (end < lines.list.size() && !lines.list[end].blankBefore)
      ++end;
    const llvm::ArrayRef<Line> paragraph = llvm::ArrayRef(lines.list).slice(begin, end - begin);
    // Rows that begin in it; what lies beyond it stands alone.
    const auto isIn = [&](const std::vector<Branch> &row) { return row.front().first <= paragraph.back().last; };
    const llvm::ArrayRef<std::vector<Branch>> rows = branches.take_while(isIn);
    branches = branches.drop_front(rows.size());
    Paragraph(elements, paragraph, lines, columns).place(rows);
    begin = end;
  }
  return columns;
}

} // namespace quadrille::compiler::format
