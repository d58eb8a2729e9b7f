//===- Edits.cpp - Random changes of a program ------------------------------------------------------------------------------===//

#include "Edits.h"

#include "SyntaxVisitor.h"

#include "../mutate/Mutations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

namespace quadrille::compiler::fuzz {

using namespace ast;

namespace {

struct Span {
  size_t lo, hi;
};

/// The places of syntax nodes in their text.
class Places {
public:
  explicit Places(llvm::StringRef text) : text(text) {}

  Span of(llvm::SMRange range) const {
    return {static_cast<size_t>(range.Start.getPointer() - text.data()), static_cast<size_t>(range.End.getPointer() - text.data())};
  }
  std::string source(Span s) const { return text.slice(s.lo, s.hi).str(); }
  /// The text of an expression with its parentheses, which are not in its range.
  std::string source(const Expr &e) const {
    const std::string inner = source(of(e.range));
    return e.parenthesized ? "(" + inner + ")" : inner;
  }
  /// The range of a statement with the semicolon after it.
  Span of(const Statement &s) const {
    Span result = of(s.range);
    const llvm::StringRef rest = text.drop_front(result.hi).ltrim();
    if (rest.starts_with(";"))
      result.hi = text.size() - rest.size() + 1;
    return result;
  }
  std::string source(const Block &block) const {
    std::string result;
    for (const auto &s : block)
      result += (result.empty() ? "" : "\n") + source(of(*s));
    return result;
  }
  /// The position of the last `word` before a name.
  size_t keywordBefore(llvm::StringRef word, const Name &name) const { return text.take_front(of(name.range).lo).rfind(word); }

  llvm::StringRef text;
};

class Editor {
public:
  Editor(llvm::StringRef text, Random &random) : places(text), random(random) {}

  std::vector<Edit> run(const File &file) {
    for (const Schedule &schedule : file.schedules) {
      for (const mutate::Mutation &m : mutate::mutationsOf(schedule, places.text, /*ofClaims=*/true))
        edits.push_back({m.offset, m.offset + m.length, m.replacement});
      for (const auto *list : {&schedule.inputs, &schedule.outputs})
        for (const Name &name : *list)
          buffers.insert(name.text);
      for (const ScheduleParameter &param : schedule.params)
        if (!param.isTree)
          numbers.insert(param.name.text);
    }
    SyntaxVisitor names;
    names.statement = [&](const Statement &s) { declare(s); };
    names.visit(file);
    SyntaxVisitor visitor;
    visitor.block = [&](const Block &b) { block(b); };
    visitor.statement = [&](const Statement &s) { statement(s); };
    visitor.expr = [&](const Expr &e, Role role) { expr(e, role); };
    visitor.visit(file);
    return std::move(edits);
  }

private:
  void declare(const Statement &s) {
    if (s.kind == StatementKind::Var)
      buffers.insert(s.names[0].text);
    if (s.kind == StatementKind::For || s.kind == StatementKind::Let)
      for (const Name &name : s.names)
        numbers.insert(name.text);
    if ((s.kind == StatementKind::Recv && s.message && s.message->kind == ExprKind::Name))
      buffers.insert(s.message->text);
  }

  void replace(Span s, std::string by) {
    if (places.source(s) != by)
      edits.push_back({s.lo, s.hi, std::move(by)});
  }

  void block(const Block &statements) {
    for (size_t i = 0; i + 1 < statements.size(); ++i) {
      const Span a = places.of(*statements[i]), b = places.of(*statements[i + 1]);
      replace({a.lo, b.hi}, places.source(b) + "\n" + places.source(a));
    }
    for (const auto &s : statements) {
      const std::string source = places.source(places.of(*s));
      replace(places.of(*s), source + "\n" + source);
    }
  }

  void statement(const Statement &s) {
    const Span whole = places.of(s);
    const std::string source = places.source(whole);
    const std::string someRanks = random.pick({"me == 0", "odd(me)", "me > 0", "me < p - 1", "p > 2", "even(p)", "me != p - 1"});
    switch (s.kind) {
    case StatementKind::Send:
    case StatementKind::Recv:
    case StatementKind::Exchange:
      replace(whole, "step { " + source + " }");
      replace(whole, "if " + someRanks + " { " + source + " }");
      break;
    case StatementKind::Step:
      replace(whole, places.source(s.body)); // make each transfer a step of its own
      replace(whole, "if " + someRanks + " { " + source + " }");
      break;
    case StatementKind::Assign:
    case StatementKind::Use:
      replace(whole, "if " + someRanks + " { " + source + " }");
      replace(whole, std::string("for again in 0 ..< ") + random.pick({"2", "p", "1", "0"}) + " { " + source + " }");
      break;
    case StatementKind::If:
      if (!s.otherwise.empty())
        replace(whole, "if " + places.source(*s.value) + " {\n" + places.source(s.otherwise) + "\n} else {\n" + places.source(s.body) + "\n}");
      break;
    case StatementKind::Var:
      variable(s);
      break;
    case StatementKind::For:
      if (s.loop == LoopKind::Ascending && !s.factor) {
        const std::string lo = places.source(*s.lo), hi = places.source(*s.hi);
        const Span head{places.of(s.lo->range).lo, places.of(s.hi->range).hi};
        if (!s.lo->parenthesized && !s.hi->parenthesized) {
          replace(head, "(" + hi + ") - 1 downto " + lo);
          replace(head, lo + " ..< " + hi + " by 2");
          replace(head, "max(1, " + lo + ") ..< " + hi + " times 2");
        }
      }
      break;
    case StatementKind::Split:
      for (const std::string &buffer : buffers)
        if (llvm::none_of(s.names, [&](const Name &name) { return name.text == buffer; }))
          replace(places.of(s.names[0].range), s.names[0].text + ", " + buffer);
      if (s.names.size() > 1)
        replace({places.of(s.names[0].range).lo, places.of(s.names[1].range).lo}, "");
      replace(places.of(s.value->range), random.pick({"1", "2", "3", "p", "p + 1", "(p + 1) div 2"}));
      break;
    default:
      break;
    }
  }

  /// Changes the declaration of a buffer.
  void variable(const Statement &s) {
    const std::string name = s.names[0].text;
    if (!s.type)
      return replace(places.of(s), "var " + name + ": block\n" + name + " := " + places.source(*s.value));
    const Span type = places.of(s.type->range);
    replace(type, "block");
    for (const char *count : {"p", "2", "p + 1"})
      replace(type, std::string("block[") + count + "]");
    for (const std::string &other : buffers)
      if (other != name && !s.value)
        replace(places.of(s), "var " + name + " := " + other);
  }

  void expr(const Expr &e, Role role) {
    if (e.kind == ExprKind::Name && buffers.count(e.text) && role == Role::Data) {
      for (const std::string &other : buffers)
        replace(places.of(e.range), other);
      return;
    }
    if (role == Role::Data)
      return;
    if ((e.kind == ExprKind::Name && (numbers.count(e.text) || e.text == "me" || e.text == "p")) || e.kind == ExprKind::Integer) {
      std::vector<std::string> others(numbers.begin(), numbers.end());
      others.insert(others.end(), {"me", "p", "0", "1", "2", "(p - 1)"});
      replace(places.of(e.range), random.pick(others));
    }
    if (e.kind == ExprKind::Binary && role == Role::Number) {
      static const std::vector<std::string> operators = {"+", "-", "*", "div", "mod", "xor", "&", "|", "<<", ">>", "**"};
      if (llvm::is_contained(operators, e.text))
        replace(places.of(e.textRange), random.pick(operators));
    }
    if (role == Role::Partner && e.kind != ExprKind::Select) {
      const std::string source = places.source(e);
      replace(places.of(e.range), "(if " + std::string(random.pick({"me > 0", "me < p - 1", "p > 2"})) + " then " + source + " else none)");
    }
  }

  Places places;
  Random &random;
  std::set<std::string> buffers, numbers;
  std::vector<Edit> edits;
};

class Reducer {
public:
  explicit Reducer(llvm::StringRef text) : places(text) {}

  std::vector<Edit> run(const File &file) {
    for (const Schedule &schedule : file.schedules)
      if (file.schedules.size() > 1)
        add(places.of(schedule.range), "");
    for (const Collective &collective : file.collectives)
      add(places.of(collective.range), "");
    auto declaration = [&](llvm::StringRef word, const Name &name, const ExprPtr &last, llvm::StringRef closing) {
      const size_t from = places.keywordBefore(word, name);
      size_t to = places.of(last->range).hi + last->parenthesized;
      if (!closing.empty())
        to = places.text.find(closing, to) + closing.size();
      if (from != llvm::StringRef::npos && to <= places.text.size())
        add({from, to}, "");
    };
    for (const Function &f : file.functions)
      declaration("fn", f.name, f.body, "");
    for (const Lemma &lemma : file.lemmas)
      declaration("lemma", lemma.name, lemma.condition ? lemma.condition : lemma.claim, "");
    for (const Tree &tree : file.trees)
      declaration("tree", tree.name, tree.right, "}");
    for (const Collective &collective : file.collectives)
      for (const Promise &promise : collective.promises)
        add(places.of(promise.range), "");
    for (const Schedule &schedule : file.schedules)
      for (const Clause &clause : schedule.clauses)
        add(places.of(clause.range), "");
    SyntaxVisitor visitor;
    visitor.block = [&](const Block &b) { block(b); };
    visitor.statement = [&](const Statement &s) { statement(s); };
    visitor.expr = [&](const Expr &e, Role role) { expr(e, role); };
    visitor.visit(file);
    llvm::stable_sort(edits, [](const Edit &a, const Edit &b) {
      return a.hi - a.lo - a.replacement.size() > b.hi - b.lo - b.replacement.size();
    });
    return std::move(edits);
  }

private:
  void add(Span s, std::string by) {
    if (by.size() < s.hi - s.lo)
      edits.push_back({s.lo, s.hi, std::move(by)});
  }

  void block(const Block &statements) {
    // Delete halves, quarters, ..., single statements.
    for (size_t length = statements.size(); length >= 1; length = length == 1 ? 0 : (length + 1) / 2)
      for (size_t i = 0; i + length <= statements.size(); i += std::max<size_t>(length / 2, 1))
        add({places.of(*statements[i]).lo, places.of(*statements[i + length - 1]).hi}, "");
  }

  void statement(const Statement &s) {
    switch (s.kind) {
    case StatementKind::For:
    case StatementKind::Step:
      add(places.of(s), places.source(s.body));
      break;
    case StatementKind::If:
      add(places.of(s), places.source(s.body));
      add(places.of(s), places.source(s.otherwise));
      if (!s.otherwise.empty())
        add(places.of(s), "if " + places.source(*s.value) + " { " + places.source(s.body) + " }");
      break;
    case StatementKind::Exchange: {
      const std::string message = s.message ? places.source(*s.message) + " " : "";
      add(places.of(s), "send " + message + "to " + places.source(*s.value));
      break;
    }
    case StatementKind::Split:
      for (size_t i = 0; i + 1 < s.names.size(); ++i)
        add({places.of(s.names[i].range).lo, places.of(s.names[i + 1].range).lo}, "");
      if (s.names.size() > 1)
        add({places.of(s.names[s.names.size() - 2].range).hi, places.of(s.names.back().range).hi}, "");
      break;
    case StatementKind::Use:
      if (s.member)
        add({places.text.take_front(places.of(s.member->range).lo).rfind("among"), places.of(s.range).hi}, "");
      break;
    case StatementKind::Invariant:
      if (s.condition)
        add({places.of(s.value->range).hi, places.of(s.range).hi}, "");
      break;
    default:
      break;
    }
  }

  void expr(const Expr &e, Role role) {
    Span whole = places.of(e.range);
    if (e.parenthesized) {
      const size_t open = places.text.take_front(whole.lo).rtrim().size();
      const llvm::StringRef behind = places.text.drop_front(whole.hi).ltrim();
      if (open > 0 && places.text[open - 1] == '(' && behind.starts_with(")"))
        whole = {open - 1, places.text.size() - behind.size() + 1};
    }
    const bool isAtom = e.kind == ExprKind::Integer || e.kind == ExprKind::Name || e.kind == ExprKind::None;
    for (size_t i = 0; i < e.operands.size(); ++i) {
      const bool isBase = e.kind == ExprKind::Index || e.kind == ExprKind::AtRank || e.kind == ExprKind::Field;
      if (isBase ? i == 0 && role == Role::Data : true)
        add(whole, places.source(*e.operands[i]));
    }
    if (e.kind == ExprKind::Index && e.indexKind != ast::IndexKind::Point && e.operands.size() > 1)
      add({places.of(e.operands[1]->range).lo, places.of(e.operands.back()->range).hi}, places.source(*e.operands[1]));
    if (role == Role::Condition && !isAtom) {
      add(whole, "true");
      add(whole, "false");
    }
    if ((role == Role::Number || role == Role::Partner) && e.kind != ExprKind::Integer)
      for (const char *small : {"0", "1", "2", "p"})
        add(whole, small);
    if (e.kind == ExprKind::Integer && e.value > 1)
      for (std::int64_t small : {std::int64_t(0), std::int64_t(1), e.value / 2})
        add(whole, std::to_string(small));
  }

  Places places;
  std::vector<Edit> edits;
};

} // namespace

std::vector<Edit> editsOf(const File &file, llvm::StringRef text, Random &random) { return Editor(text, random).run(file); }

std::vector<Edit> reductionsOf(const File &file, llvm::StringRef text) { return Reducer(text).run(file); }

} // namespace quadrille::compiler::fuzz
