//===- Columns.cpp - Where on its line everything stands --------------------------------------------------------===//

#include "Columns.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>
#include <set>

namespace quadrille::compiler::format {

namespace {

constexpr unsigned indentation = 2;             // of a body
constexpr unsigned continuation = 4;            // of a line that continues a statement
constexpr unsigned commentColumn = 48;          // of comments behind code, where there is room
constexpr unsigned commentBlanks = 3;           // before a comment behind longer code
constexpr unsigned mostCommentBlanks = 5;       // there: the author's number of blanks is kept if it is 1 to 5
constexpr unsigned reachOfColumns = 16;         // lines from one declaration of a column to the next, at most
constexpr unsigned reach = 8;                   // lines above a statement, among which a line that continues it looks for a similar one

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
  struct Member {
    unsigned element, line;
  };
  std::vector<Member> members;
  unsigned floor = 0; // the column is not moved to the left of this
  std::optional<Member> restored; // one more member: see outgrown
};

class Placement {
public:
  Placement(const Elements &elements, const Lines &all)
      : elements(elements), lines(all.list), all(all), columns(elements.size()), below(lines.size()) {}

  std::vector<unsigned> place() {
    for (const std::vector<Branch> &row : all.branches)
      alignBranches(row);
    for (unsigned i = 0; i < lines.size(); ++i)
      if (lines[i].continues && elements.list[lines[i].first].isCode())
        below[i] = whatIsAbove(i);
    collectColumns();
    settle();
    for (size_t begin = 0; begin < lines.size();) {
      size_t end = begin + 1;
      while (end < lines.size() && !lines[end].blankBefore)
        ++end;
      placeComments(lines.slice(begin, end - begin));
      begin = end;
    }
    return std::move(columns);
  }

private:
  /// Below which element a line begins; `left`: by how many columns further to the left.
  struct Below {
    std::optional<unsigned> element;
    unsigned left = 0;
    bool isChosen = false; // by the author
    bool isInBranch = false;
  };

  /// Blanks between an element, which does not begin a line, and the one before it, if nothing else is aligned.
  unsigned blanksBefore(unsigned element) const { return elements.blanksBefore(element) + all.padding[element - 1]; }

  /// Whether an element had more blanks before it than blanksBefore says.
  bool isWide(unsigned element) const {
    return elements.list[element - 1].lastLine == elements.list[element].line &&
           elements.list[element].column > elements.list[element - 1].end + blanksBefore(element);
  }

  const Element &at(unsigned element) const { return elements.list[element]; }

  /// The last element of a line that is not a comment behind code.
  unsigned endOfCode(const TextLine &line) const {
    return line.last > line.first && !at(line.last).isCode() ? line.last - 1 : line.last;
  }

  bool hasComment(const TextLine &line) const { return endOfCode(line) != line.last; }

  unsigned indent(const TextLine &line) const {
    return line.depth * indentation + (line.continues ? continuation : 0);
  }

  /// The element below which the author has put the beginning of a line; if there is none, the anchor of the line's first element.
  Below whatIsAbove(unsigned number) const {
    const TextLine &line = lines[number];
    Below result;
    if (line.kept) {
      const Element &first = at(line.first);
      // If the line begins with an operator, it may be the operand behind it that stands below another operand.
      const bool isHanging = (classOf(first) == Class::Operator || first.text == "[") && line.last > line.first &&
                             at(line.first + 1).isCode() && !isWide(line.first + 1);
      for (bool hangs : {false, true}) {
        if (hangs && !isHanging)
          break;
        const unsigned wanted = hangs ? at(line.first + 1).column : first.column;
        if (std::optional<unsigned> found = standsAbove(number, wanted, hangs)) {
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
  /// `hangs`: there has to be room for an operator to the left of it, even if everything moves to the left.
  std::optional<unsigned> standsAbove(unsigned number, unsigned column, bool hangs) const {
    for (unsigned i = number; i-- > 0;) {
      const TextLine &line = lines[i];
      if (line.kept && (!line.continues || below[i].isChosen))
        for (unsigned element = line.first + (hangs ? (line.depth || line.continues ? 1 : 3) : 0); element <= endOfCode(line); ++element)
          if (at(element).column == column && at(element).isCode() && (element == line.first ? line.continues : isOperand(element)))
            return element;
      if (!line.continues)
        return hangs ? std::nullopt : continuesAlike(i, at(lines[number].first), column);
    }
    return std::nullopt;
  }

  /// The first element of a line not far above `number` that continues another statement, if it has the text of `first` and the author
  /// has put both in this column.
  std::optional<unsigned> continuesAlike(unsigned number, const Element &first, unsigned column) const {
    for (unsigned i = number, most = reach; i-- > 0 && most-- > 0 && lines[i].depth == lines[number].depth;)
      if (below[i].isChosen && at(lines[i].first).text == first.text && at(lines[i].first).column == column)
        return lines[i].first;
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

  unsigned lineOf(unsigned element) const {
    const TextLine *after = llvm::upper_bound(lines, element, [](unsigned e, const TextLine &line) { return e < line.first; });
    return static_cast<unsigned>(after - lines.begin()) - 1;
  }

  /// Puts the bodies of consecutive branches, each on a line of its own, in one column.
  void alignBranches(const std::vector<Branch> &row) {
    Column column;
    auto finish = [&] {
      if (column.members.size() > 1) {
        for (const Column::Member &member : column.members)
          braces[member.line] = member.element;
        wanted.push_back(column);
      }
      column.members.clear();
    };
    std::optional<unsigned> before;
    for (const Branch &branch : row) {
      const unsigned line = lineOf(branch.first);
      const bool standsAlone = lines[line].first == branch.first && lineOf(branch.close) == line;
      if (!standsAlone || (before && *before + 1 != line))
        finish();
      if (standsAlone)
        column.members.push_back({branch.open, line});
      before = line;
    }
    finish();
  }

  void collectColumns() {
    struct Key {
      unsigned depth, column;
      Class kind;
      bool isBehindBranch;
      unsigned paragraph;
      auto operator<=>(const Key &) const = default;
    };
    struct Last {
      size_t column; // index in `found`
      unsigned line; // of its last member
    };
    std::vector<Column> found;
    std::map<Key, Last> last;
    unsigned paragraph = 0;
    for (unsigned i = 0; i < lines.size(); ++i) {
      const TextLine &line = lines[i];
      paragraph += line.blankBefore;
      // This line ends the columns of deeper bodies above it.
      last.erase(last.lower_bound({line.depth + 1, 0, Class::None, false, 0}), last.end());
      if (!mayHaveColumns(i))
        continue;
      for (unsigned element = line.first + (below[i].left ? 2 : 1); element <= endOfCode(line); ++element) {
        if (!mayBeInColumn(i, element))
          continue;
        const bool isBehind = braces.count(i) ? element > braces.at(i) : below[i].isInBranch;
        const Key key{line.depth, at(element).column, classOf(at(element)), isBehind, line.depth ? paragraph : 0};
        auto [place, isNew] = last.insert({key, {found.size(), i}});
        if (isNew || (line.depth == 0 && i - place->second.line > reachOfColumns)) {
          place->second.column = found.size();
          found.emplace_back();
        }
        place->second.line = i;
        found[place->second.column].members.push_back({element, i});
      }
    }
    const auto hasRoom = [&](const Column::Member &member) { return isWide(member.element); };
    std::vector<bool> isTaken(elements.size());
    llvm::erase_if(found, [&](const Column &column) { return llvm::none_of(column.members, hasRoom); });
    for (Column &column : found) {
      column.floor = floorOf(column);
      if (column.members.size() > 1)
        for (const Column::Member &member : column.members)
          isTaken[member.element] = true;
    }
    for (Column &column : found) {
      if (llvm::all_of(column.members, hasRoom) && !column.floor)
        if ((column.restored = outgrown(column, isTaken)))
          isTaken[column.restored->element] = true;
      if (column.members.size() > 1 || column.restored)
        wanted.push_back(std::move(column));
    }
  }

  bool mayHaveColumns(unsigned number) const {
    const TextLine &line = lines[number];
    return line.kept && at(line.first).isCode() && (!line.continues || below[number].isChosen);
  }

  bool mayBeInColumn(unsigned number, unsigned element) const {
    auto brace = braces.find(number);
    return classOf(at(element)) != Class::None && elements.blanksBefore(element) > 0 && (brace == braces.end() || brace->second != element);
  }

  /// A column of declarations does not move to the left of where the author has put it. Such a column is often interrupted between
  /// declarations that belong together; its parts would move apart.
  unsigned floorOf(const Column &column) const {
    for (const Column::Member &member : column.members)
      if (lines[member.line].depth > 0 || lines[member.line].continues || at(lines[member.line].first).column > 0)
        return 0;
    return column.members.size() > 1 ? at(column.members.front().element).column : 0;
  }

  /// The element that has outgrown a column all of whose members have more blanks than they need: on a line next to a member's, and of
  /// the same kind, the element in the same role, if it stands further to the right and needs its blanks.
  std::optional<Column::Member> outgrown(const Column &column, const std::vector<bool> &isTaken) const {
    for (const Column::Member &member : column.members)
      for (unsigned other : {member.line - 1, member.line + 1}) {
        if (other >= lines.size() || !mayHaveColumns(other) || !mayHaveColumns(member.line))
          continue;
        const TextLine &line = lines[member.line], &beside = lines[other];
        if (line.continues || beside.continues || line.depth != beside.depth || !areOfOneKind(at(line.first), at(beside.first)) ||
            lines[std::max(member.line, other)].blankBefore)
          continue;
        std::optional<unsigned> same = inSameRole(line, member.element, beside);
        if (same && !isTaken[*same] && mayBeInColumn(other, *same) && !isWide(*same) &&
            at(*same).column > at(member.element).column)
          return Column::Member{*same, other};
      }
    return std::nullopt;
  }

  static bool areOfOneKind(const Element &first, const Element &other) {
    const auto isTransfer = [](llvm::StringRef word) { return word == "send" || word == "recv" || word == "exchange"; };
    return first.text == other.text || (isTransfer(first.text) && isTransfer(other.text));
  }

  /// The element of `beside` with the role that `element` has in `line`. Both are the n-th of their class, or the operand behind the
  /// n-th preposition.
  std::optional<unsigned> inSameRole(const TextLine &line, unsigned element, const TextLine &beside) const {
    const Class kind = classOf(at(element));
    if (kind == Class::Operand && classOf(at(element - 1)) == Class::Preposition) {
      std::optional<unsigned> before = inSameRole(line, element - 1, beside);
      return before && *before < endOfCode(beside) && classOf(at(*before + 1)) == kind ? std::optional(*before + 1) : std::nullopt;
    }
    unsigned before = 0;
    for (unsigned i = line.first; i < element; ++i)
      before += classOf(at(i)) == kind;
    for (unsigned i = beside.first; i <= endOfCode(beside); ++i)
      if (classOf(at(i)) == kind && before-- == 0)
        return i > beside.first ? std::optional(i) : std::nullopt;
    return std::nullopt;
  }

  void settle() {
    if (moveToColumns())
      return;
    // Restored members have crossed other columns, so that there was no end: do without them.
    for (Column &column : wanted)
      column.restored.reset();
    moveToColumns();
  }

  /// Moves elements to the right until columns are straight. A column depends only on columns that stood to the left of it, so each
  /// round settles one more, unless there are restored members. \returns whether it has come to an end.
  bool moveToColumns() {
    least.assign(elements.size(), 0);
    for (const Column &column : wanted)
      for (const Column::Member &member : column.members)
        least[member.element] = column.floor;
    std::vector<std::vector<unsigned>> ofLine(lines.size()); // the columns with members on the line
    for (unsigned i = 0; i < wanted.size(); ++i)
      for (const Column::Member &member : membersOf(wanted[i]))
        ofLine[member.line].push_back(i);
    std::set<unsigned> moved; // lines
    for (unsigned i = 0; i < lines.size(); ++i)
      moved.insert(i);
    for (size_t rounds = 0; rounds < wanted.size() + 2; ++rounds) {
      // Lines that continue a statement move with it: they are added to the set while it is walked through.
      std::set<unsigned> touched;
      for (unsigned line : moved) {
        layOut(line);
        touched.insert(ofLine[line].begin(), ofLine[line].end());
        if (line + 1 < lines.size() && lines[line + 1].continues)
          moved.insert(line + 1);
      }
      moved.clear();
      for (unsigned i : touched) {
        const std::vector<Column::Member> members = membersOf(wanted[i]);
        unsigned place = 0;
        for (const Column::Member &member : members)
          place = std::max(place, columns[member.element]);
        for (const Column::Member &member : members)
          if (columns[member.element] < place) {
            least[member.element] = place;
            moved.insert(member.line);
          }
      }
      if (moved.empty())
        return true;
    }
    return false;
  }

  static std::vector<Column::Member> membersOf(const Column &column) {
    std::vector<Column::Member> members = column.members;
    if (column.restored)
      members.push_back(*column.restored);
    return members;
  }

  void layOut(unsigned number) {
    const TextLine &line = lines[number];
    unsigned end = indent(line);
    if (below[number].element) {
      const unsigned column = columns[*below[number].element];
      end = column > below[number].left ? column - below[number].left : 0;
    }
    for (unsigned element = line.first; element <= endOfCode(line); ++element) {
      const unsigned blanks = element > line.first ? blanksBefore(element) : 0;
      columns[element] = std::max(end + blanks, least[element]);
      end = behind(element, line);
    }
  }

  /// The column behind an element, where it is placed now.
  unsigned behind(unsigned element, const TextLine &line) const {
    return endAt(elements, element, columns[element], element == line.first);
  }

  // ---- comments behind code --------------------------------------------------------------------------------------------------

  /// `paragraph`: lines without an empty one between them.
  void placeComments(llvm::ArrayRef<TextLine> paragraph) {
    std::map<unsigned, std::vector<unsigned>> byColumn; // lines whose comments stood in one column, to the right of the usual one
    for (unsigned i = 0; i < paragraph.size(); ++i)
      if (paragraph[i].kept && hasComment(paragraph[i]) && at(paragraph[i].last).column > commentColumn)
        byColumn[at(paragraph[i].last).column].push_back(i);
    for (unsigned i = 0; i < paragraph.size(); ++i)
      if (hasComment(paragraph[i]))
        columns[paragraph[i].last] = commentPlace(paragraph[i]);
    for (const auto &[column, numbers] : byColumn) {
      if (numbers.size() < 2)
        continue;
      unsigned place = column;
      for (unsigned number : numbers)
        place = std::max(place, behind(endOfCode(paragraph[number]), paragraph[number]) + 1);
      for (unsigned number : numbers)
        columns[paragraph[number].last] = place;
    }
    bool isBelowComment = false; // the line above ends with a comment behind code, or continues one
    for (unsigned i = 1; i < paragraph.size(); ++i) {
      isBelowComment = (isBelowComment || hasComment(paragraph[i - 1])) && goesOn(paragraph[i - 1], paragraph[i]);
      if (isBelowComment)
        columns[paragraph[i].first] = columns[paragraph[i - 1].last];
    }
  }

  unsigned commentPlace(const TextLine &line) const {
    const unsigned end = behind(endOfCode(line), line), was = at(line.last).column;
    const unsigned blanks = was > at(line.last - 1).end ? was - at(line.last - 1).end : 0;
    if (line.kept && end + commentBlanks >= commentColumn && blanks >= 1 && blanks <= mostCommentBlanks)
      return std::max(commentColumn, end + blanks);
    // Comments beside declarations stay where the author has put them, since declarations have any length.
    if (line.kept && line.depth == 0 && was > commentColumn && was > end)
      return was;
    return end < commentColumn ? commentColumn : end + commentBlanks;
  }

  /// Whether a line is a comment alone, which stood below the comment of the line above.
  bool goesOn(const TextLine &above, const TextLine &line) const {
    return line.first == line.last && at(line.first).kind == ast::TokenKind::LineComment &&
           at(above.last).kind == ast::TokenKind::LineComment && at(line.first).column == at(above.last).column;
  }

  const Elements &elements;
  const llvm::ArrayRef<TextLine> lines;
  const Lines &all;
  std::vector<unsigned> columns;
  std::vector<Below> below;              // by line
  std::map<unsigned, unsigned> braces;   // of branches, by line
  std::vector<Column> wanted;
  std::vector<unsigned> least; // by element: what the columns ask for
};

} // namespace

std::vector<unsigned> placeColumns(const Elements &elements, const Lines &lines) { return Placement(elements, lines).place(); }

} // namespace quadrille::compiler::format
