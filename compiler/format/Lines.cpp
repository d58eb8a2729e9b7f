//===- Lines.cpp - Where lines begin ----------------------------------------------------------------------------===//

#include "Lines.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::format {

using ast::Construct;
using ast::Node;

namespace {

/// Why a token begins a line whatever the author wrote.
enum class Start : unsigned char {
  None,
  Item, // a declaration, a clause, a statement, ...
  Else,
  Close, // the `}` of a body that does not stand on one line
};

/// `{ ... }` of a node, and what is in it.
struct Body {
  unsigned open = 0, close = 0; // tokens
  std::vector<const Node *> parts;
};

bool isStatement(const Node &node) {
  switch (node.form) {
  case Construct::Step:
  case Construct::If:
  case Construct::For:
  case Construct::Use:
  case Construct::Invariant:
  case Construct::Statement:
    return true;
  default:
    return false;
  }
}

/// What the grammar asks for, token by token.
class Structure {
public:
  explicit Structure(const Elements &elements)
      : starts(elements.tree.code.size(), Start::None), depths(elements.tree.code.size(), 0), padding(elements.size(), 0),
        elements(elements) {
    for (const Node &item : elements.tree.file.children)
      declaration(item);
  }

  std::vector<Start> starts; // by token
  std::vector<unsigned> depths;
  std::vector<unsigned> padding; // by element
  std::vector<std::vector<Branch>> branches;

private:
  void begin(unsigned token, unsigned depth, Start start = Start::Item) {
    starts[token] = start;
    depths[token] = depth;
  }

  llvm::StringRef text(unsigned token) const { return elements.code(token).text; }
  bool areOnOneLine(unsigned from, unsigned to) const { return elements.code(from).line == elements.code(to).line; }

  std::vector<Body> bodies(const Node &node) const {
    std::vector<Body> result;
    bool isOpen = false;
    size_t child = 0;
    for (unsigned token = node.first; token <= node.last;) {
      if (child < node.children.size() && node.children[child].first == token) {
        if (isOpen)
          result.back().parts.push_back(&node.children[child]);
        token = node.children[child++].last + 1;
        continue;
      }
      if (text(token) == "{") {
        result.push_back({token, 0, {}});
        isOpen = true;
      } else if (text(token) == "}") {
        result.back().close = token;
        isOpen = false;
      }
      ++token;
    }
    return result;
  }

  bool areAdjacent(unsigned from, unsigned to) const { return elements.ofCode(from) + 1 == elements.ofCode(to); }

  /// A body stands on one line if the author has put it there, with `;` between its statements, or if nothing is in it.
  bool isOnOneLine(const Body &body) const {
    if (areAdjacent(body.open, body.close))
      return true;
    if (!areOnOneLine(body.open, body.close))
      return false;
    for (const Node *part : body.parts)
      if (!isOnOneLine(*part) || (part != body.parts.front() && text(part->first - 1) != ";"))
        return false;
    return true;
  }

  bool isOnOneLine(const Node &statement) const {
    if (statement.form != Construct::Step && statement.form != Construct::If && statement.form != Construct::For)
      return true;
    return llvm::all_of(bodies(statement), [&](const Body &body) { return isOnOneLine(body); }) &&
           llvm::all_of(statement.children, [&](const Node &child) { return child.form != Construct::If || isOnOneLine(child); });
  }

  void declaration(const Node &item) {
    begin(item.first, 0);
    switch (item.form) {
    case Construct::Collective: {
      const Body body = bodies(item).front();
      if (isOnOneLine(body))
        return;
      for (const Node *promise : body.parts)
        begin(promise->first, 1);
      begin(body.close, 0, Start::Close);
      return;
    }
    case Construct::Tree:
      return tree(item);
    case Construct::Schedule: {
      const Body body = bodies(item).front();
      if (areAdjacent(body.open, body.close))
        return;
      align(body.parts);
      statements(body, 1);
      begin(body.close, 0, Start::Close);
      return;
    }
    default:
      return;
    }
  }

  void tree(const Node &item) {
    const Body body = bodies(item).front();
    std::vector<unsigned> words; // `root`, `parent`, `left`, `right`: each before a part
    for (const Node *part : body.parts)
      words.push_back(part->first - 1);
    for (unsigned word : words)
      begin(word, 1);
    align(words);
    begin(body.close, 0, Start::Close);
  }

  /// Aligns what follows the keywords of clauses, without `requires`, which is longer than all others.
  void align(const std::vector<const Node *> &parts) {
    std::vector<unsigned> words;
    for (const Node *part : parts)
      if (part->form == Construct::Clause && part->last > part->first && text(part->first) != "requires")
        words.push_back(part->first);
    align(words);
  }

  void align(const std::vector<unsigned> &words) {
    size_t longest = 0;
    for (unsigned word : words)
      longest = std::max(longest, text(word).size());
    for (unsigned word : words)
      padding[elements.ofCode(word)] = static_cast<unsigned>(longest - text(word).size());
  }

  void statements(const Body &body, unsigned depth) {
    const Node *before = nullptr;
    for (const Node *part : body.parts) {
      const bool isJoined = before && isStatement(*before) && isStatement(*part) && text(part->first - 1) == ";" &&
                            areOnOneLine(before->first, part->last) && isOnOneLine(*before) && isOnOneLine(*part);
      if (!isJoined)
        begin(part->first, depth);
      statement(*part, depth);
      before = part;
    }
  }

  void statement(const Node &node, unsigned depth) {
    if (node.form != Construct::Step && node.form != Construct::If && node.form != Construct::For)
      return;
    std::vector<Branch> row;
    branch(node, node.first, depth, row);
    finish(row);
  }

  void finish(std::vector<Branch> &row) {
    if (row.size() > 1)
      branches.push_back(row);
    row.clear();
  }

  /// Breaks a statement with bodies from the token `first` on: its first one, or an `else`.
  void branch(const Node &node, unsigned first, unsigned depth, std::vector<Branch> &row) {
    const std::vector<Body> all = bodies(node);
    for (const Body &body : all) {
      if (&body != &all.front()) {
        first = body.open - 1; // `else`
        beforeElse(node, all.front(), first, depth);
      }
      if (isOnOneLine(body)) {
        row.push_back({elements.ofCode(first), elements.ofCode(body.open), elements.ofCode(body.close)});
        continue;
      }
      finish(row);
      statements(body, depth + 1);
      begin(body.close, depth, Start::Close);
    }
    if (node.form == Construct::If && node.children.back().form == Construct::If && text(node.children.back().first - 1) == "else") {
      first = node.children.back().first - 1;
      beforeElse(node, all.front(), first, depth);
      branch(node.children.back(), first, depth, row);
    }
  }

  /// `else` stands behind a `}` that begins a line, unless comments lie between, and behind a body on one line if the author has put
  /// it there.
  void beforeElse(const Node &node, const Body &yes, unsigned word, unsigned depth) {
    const bool staysBehind = isOnOneLine(yes) ? areOnOneLine(yes.close, node.last) && isOnOneLine(node) : areAdjacent(yes.close, word);
    if (!staysBehind)
      begin(word, depth, Start::Else);
  }

  const Elements &elements;
};

class Breaker {
public:
  explicit Breaker(const Elements &elements) : elements(elements), structure(elements) {}

  Lines run() {
    const std::vector<unsigned> next = nextTokens();
    for (unsigned i = 0; i < elements.size(); ++i) {
      const Element &element = elements.list[i];
      if (i == 0 || (element.isCode() ? codeBegins(i, next[i]) : element.newlines > 0))
        startLine(i, next[i]);
      else
        result.list.back().last = i;
    }
    for (TextLine &line : result.list)
      line.kept = wasLine(line);
    result.branches = std::move(structure.branches);
    result.padding = std::move(structure.padding);
    return std::move(result);
  }

private:
  /// For each element the first token that does not stand before it, as a number of TokenTree::code.
  std::vector<unsigned> nextTokens() const {
    std::vector<unsigned> next(elements.size());
    unsigned token = 0;
    for (unsigned i = 0; i < elements.size(); ++i) {
      next[i] = token;
      token += elements.list[i].isCode();
    }
    return next;
  }

  bool codeBegins(unsigned element, unsigned token) const {
    const Element &before = elements.list[element - 1], &self = elements.list[element];
    if (before.kind == ast::TokenKind::LineComment)
      return true;
    const bool startsLine = result.list.back().first == element - 1;
    if (!before.isCode() && !self.newlines && startsLine) // /* a comment before it */
      return false;
    if (structure.starts[token] != Start::None)
      return true;
    if (!before.isCode() && startsLine)
      return true;
    return self.newlines && (self.leads || self.follows);
  }

  void startLine(unsigned element, unsigned token) {
    const bool isEnd = token == structure.starts.size();
    const Start start = isEnd ? Start::Item : structure.starts[token];
    if (start != Start::None)
      depth = isEnd ? 0 : structure.depths[token];
    TextLine line;
    line.first = line.last = element;
    line.continues = start == Start::None;
    // A comment before a `}` belongs to the body.
    line.depth = start == Start::Close && !elements.list[element].isCode() ? depth + 1 : depth;
    const bool isFirstInBody = element > 0 && elements.list[endOfCode()].text == "{" && start != Start::None;
    line.blankBefore = element > 0 && elements.list[element].newlines > 1 && !isFirstInBody &&
                       (start == Start::Item || (start == Start::Close && !elements.list[element].isCode()));
    result.list.push_back(line);
  }

  /// The last code on the line that has just ended; its first element if it has none.
  unsigned endOfCode() const {
    unsigned last = result.list.back().last;
    while (last > result.list.back().first && !elements.list[last].isCode())
      --last;
    return last;
  }

  bool wasLine(const TextLine &line) const {
    const auto &list = elements.list;
    return (line.first == 0 || list[line.first - 1].lastLine != list[line.first].line) &&
           (line.last + 1 == list.size() || list[line.last + 1].line != list[line.last].lastLine) &&
           list[line.first].line == list[line.last].lastLine;
  }

  const Elements &elements;
  Structure structure;
  Lines result;
  unsigned depth = 0;
};

} // namespace

Lines breakLines(const Elements &elements) { return Breaker(elements).run(); }

} // namespace quadrille::compiler::format
