//===- Mutations.cpp - Mutants of a schedule ------------------------------------------------------===//

#include "Mutations.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <map>
#include <set>

namespace quadrille::compiler::mutate {

using namespace ast;

namespace {

class Mutator {
public:
  Mutator(llvm::StringRef text, bool ofClaims) : text(text), ofClaims(ofClaims) {}

  std::vector<Mutation> run(const Schedule &schedule) {
    for (const Clause &c : schedule.clauses)
      clause(c);
    if (schedule.instance)
      for (const ExprPtr &e : schedule.instance->args)
        expr(*e);
    block(schedule.body);
    return finish();
  }

private:
  // ---- texts

  struct Span {
    size_t lo, hi;
  };

  Span span(llvm::SMRange range) const {
    return {static_cast<size_t>(range.Start.getPointer() - text.data()),
            static_cast<size_t>(range.End.getPointer() - text.data())};
  }
  std::string source(Span s) const { return text.slice(s.lo, s.hi).str(); }
  std::string source(const Expr &e) const {
    std::string inner = source(span(e.range));
    return e.parenthesized ? "(" + inner + ")" : inner; // the range of an expression does not include its parentheses
  }
  static std::string inParens(const std::string &s) { return "(" + s + ")"; }
  std::string grouped(const Expr &e) const {
    bool atomic = e.kind == ExprKind::Name || e.kind == ExprKind::Integer || e.kind == ExprKind::Call ||
                  e.kind == ExprKind::Field || e.kind == ExprKind::Index;
    return atomic ? source(span(e.range)) : inParens(source(span(e.range)));
  }

  void add(const char *kind, Span place, std::string replacement) {
    std::string old = source(place);
    if (old == replacement)
      return;
    Mutation m;
    m.kind = kind;
    m.offset = place.lo;
    m.length = place.hi - place.lo;
    m.replacement = std::move(replacement);
    m.before = oneLine(old);
    m.after = m.replacement.empty() ? "nothing" : oneLine(m.replacement);
    found.push_back(std::move(m));
  }
  void add(const char *kind, const Expr &e, std::string replacement) { add(kind, span(e.range), std::move(replacement)); }

  /// The text without comments, with runs of white space replaced by a blank.
  static std::string oneLine(llvm::StringRef s) {
    std::string result;
    while (!s.empty()) {
      auto [line, rest] = s.split('\n');
      llvm::StringRef words = line.split("//").first;
      while (!(words = words.ltrim()).empty()) {
        llvm::StringRef word = words.take_until([](char c) { return c == ' ' || c == '\t' || c == '\r'; });
        result += (result.empty() ? "" : " ") + word.str();
        words = words.drop_front(word.size());
      }
      s = rest;
    }
    return result;
  }

  /// The range of a statement with the semicolon after it.
  Span statementSpan(const Statement &s) const {
    Span result = span(s.range);
    llvm::StringRef rest = text.drop_front(result.hi).ltrim();
    if (rest.starts_with(";"))
      result.hi = text.size() - rest.size() + 1;
    return result;
  }

  // ---- clauses

  void clause(const Clause &c) {
    switch (c.kind) {
    case ClauseKind::Requires:
    case ClauseKind::Knows:
      add("drop-requires", span(c.range), "");
      return;
    case ClauseKind::RanksFrom:
      add("drop-ranks-from", span(c.range), "");
      return;
    case ClauseKind::Model: {
      static const std::map<std::string, std::string> stricter = {
          {"telephone", "half_duplex"}, {"full_duplex", "telephone"}, {"ports", "full_duplex"}};
      if (auto s = stricter.find(c.name.text); s != stricter.end())
        add("stricter-model", span(c.range), "model " + s->second);
      return;
    }
    case ClauseKind::Lockstep:
      return; // a wish, without which a schedule is as right
    case ClauseKind::Cost:
    case ClauseKind::Rounds:
      add("lower-claim", *c.expr, "(" + source(*c.expr) + ")" + (c.kind == ClauseKind::Cost ? " - alpha" : " - 1"));
      if (ofClaims)
        expr(*c.expr);
      return;
    }
  }

  // ---- statements

  void block(const Block &statements) {
    for (size_t i = 0; i < statements.size(); ++i) {
      const Statement &s = *statements[i];
      if (i + 1 < statements.size() && s.kind == StatementKind::Assign &&
          statements[i + 1]->kind == StatementKind::Assign)
        swapStatements(s, *statements[i + 1]);
      statement(s);
    }
  }

  void swapStatements(const Statement &a, const Statement &b) {
    Span first = span(a.range), second = span(b.range);
    add("swap-assignments", {first.lo, second.hi},
        source(second) + source({first.hi, second.lo}) + source(first));
  }

  void statement(const Statement &s) {
    switch (s.kind) {
    case StatementKind::Let:
    case StatementKind::Var:
      if (s.value)
        expr(*s.value);
      return;
    case StatementKind::Send:
    case StatementKind::Recv:
      add("drop-transfer", statementSpan(s), "");
      if (s.message)
        expr(*s.message);
      partner(*s.value);
      expr(*s.value);
      return;
    case StatementKind::Exchange:
      exchange(s);
      return;
    case StatementKind::Step:
      block(s.body);
      return;
    case StatementKind::If:
      guard(s);
      block(s.body);
      block(s.otherwise);
      return;
    case StatementKind::For:
      loop(s);
      block(s.body);
      return;
    case StatementKind::Clock: // invariants and clocks are used by proofs only
    case StatementKind::Invariant:
      return;
    case StatementKind::Split:
      add("shift-number", *s.value, inParens(source(*s.value)) + " + 1");
      return;
    case StatementKind::Use:
      add("drop-assignment", statementSpan(s), "");
      for (const auto *list : {&s.params, &s.args, &s.results})
        for (const ExprPtr &e : *list)
          expr(*e);
      if (s.member) {
        partner(*s.member);
        add("loop-shorter", *s.hi, inParens(source(*s.hi)) + " - 1");
      }
      return;
    case StatementKind::Assign:
      add("drop-assignment", statementSpan(s), "");
      expr(*s.target);
      expr(*s.value);
      if (s.origin)
        expr(*s.origin);
      return;
    }
  }

  void exchange(const Statement &s) {
    std::string message = s.message ? source(span(s.message->range)) + " " : "";
    std::string peer = source(*s.value);
    add("drop-transfer", span(s.range), "send " + message + "to " + peer);
    if (s.target)
      add("drop-transfer", span(s.range), "recv " + source(*s.target) + " from " + peer);
    if (s.message)
      expr(*s.message);
    partner(*s.value);
    expr(*s.value);
    if (s.target)
      expr(*s.target);
  }

  void guard(const Statement &s) {
    add("drop-guard", *s.value, "true");
    add("never-guard", *s.value, "false");
    condition(*s.value);
  }

  /// Drops a part of a condition, or changes a comparison by one.
  void condition(const Expr &e) {
    if (e.kind == ExprKind::Binary && (e.text == "and" || e.text == "or")) {
      add("drop-guard", e, source(*e.operands[0]));
      add("drop-guard", e, source(*e.operands[1]));
      condition(*e.operands[0]);
      condition(*e.operands[1]);
      return;
    }
    comparison(e);
  }

  void comparison(const Expr &e) {
    static const std::map<std::string, std::vector<const char *>> others = {
        {"<", {"<=", ">"}}, {"<=", {"<", ">="}}, {">", {">=", "<"}}, {">=", {">", "<="}}, {"==", {"!="}}, {"!=", {"=="}}};
    if (e.kind == ExprKind::Binary)
      if (auto op = others.find(e.text); op != others.end())
        for (const char *other : op->second)
          add("change-comparison", span(e.textRange), other);
    for (const ExprPtr &operand : e.operands)
      if (e.kind == ExprKind::Binary && operand->kind == ExprKind::Binary)
        comparison(*operand);
      else
        expr(*operand);
  }

  // ---- loops

  void loop(const Statement &s) {
    auto shift = [&](const char *kind, const ExprPtr &bound, const char *by) {
      add(kind, *bound, inParens(source(*bound)) + by);
    };
    switch (s.loop) {
    case LoopKind::Ascending:
      shift("loop-shorter", s.hi, " - 1");
      shift("loop-shorter", s.lo, " + 1");
      shift("loop-longer", s.hi, " + 1");
      shift("loop-longer", s.lo, " - 1");
      break;
    case LoopKind::Times: // without the last, and without the first value
      shift("loop-shorter", s.hi, " - 1");
      add("loop-shorter", *s.hi, "(" + source(*s.hi) + " - 1) div " + grouped(*s.factor) + " + 1");
      add("loop-shorter", *s.lo, grouped(*s.lo) + "*" + grouped(*s.factor));
      shift("loop-longer", s.hi, " + 1");
      add("loop-longer", *s.hi, grouped(*s.hi) + "*" + grouped(*s.factor));
      add("loop-factor", *s.factor, inParens(source(*s.factor)) + " + 1");
      break;
    case LoopKind::Descending:
      shift("loop-shorter", s.hi, " - 1");
      shift("loop-shorter", s.lo, " + 1");
      shift("loop-longer", s.hi, " + 1");
      shift("loop-longer", s.lo, " - 1");
      add("loop-reversed", {span(s.hi->range).lo, span(s.lo->range).hi}, source(*s.lo) + " .. " + source(*s.hi));
      break;
    case LoopKind::Half:
      shift("loop-shorter", s.hi, " div 2");
      shift("loop-shorter", s.lo, " * 2");
      shift("loop-longer", s.hi, " * 2");
      break;
    case LoopKind::Halvings:
    case LoopKind::HalvingsReversed:
      shift("loop-shorter", s.lo, " - 1");
      shift("loop-longer", s.lo, " + 1");
      break;
    case LoopKind::Set:
      break;
    }
    for (const ExprPtr *bound : {&s.lo, &s.hi, &s.factor})
      if (*bound)
        expr(**bound);
  }

  // ---- partners

  void partner(const Expr &e) {
    switch (e.kind) {
    case ExprKind::Select:
      add("drop-guard", e, source(*e.operands[1]));
      add("drop-guard", e, source(*e.operands[2]));
      partner(*e.operands[1]);
      partner(*e.operands[2]);
      return;
    case ExprKind::None:
      return;
    case ExprKind::Field: // another neighbour in the tree
      for (const char *other : {"parent", "left", "right", "root"})
        if (e.text != other)
          add("other-neighbour", span(e.textRange), other);
      return;
    default:
      for (const char *by : {" + 1", " - 1"}) {
        add("shift-partner", e, "(" + source(e) + by + ") mod p");
        add("shift-partner", e, "(" + source(e) + ")" + by);
      }
    }
  }

  // ---- expressions

  void expr(const Expr &e) {
    switch (e.kind) {
    case ExprKind::Binary:
      binary(e);
      break;
    case ExprKind::Integer:
      add("shift-number", e, std::to_string(e.value + 1));
      break;
    case ExprKind::Call:
      if ((e.text == "min" || e.text == "max") && e.operands.size() == 2) {
        add("one-of-min", e, inParens(source(*e.operands[0])));
        add("one-of-min", e, inParens(source(*e.operands[1])));
      }
      if (e.text == "ceil_log2")
        add("round-down", span(e.textRange), "floor_log2");
      break;
    case ExprKind::Select:
      add("one-of-select", e, inParens(source(*e.operands[1])));
      add("one-of-select", e, inParens(source(*e.operands[2])));
      condition(*e.operands[0]);
      expr(*e.operands[1]);
      expr(*e.operands[2]);
      return;
    case ExprKind::Index:
      slice(e);
      break;
    default:
      break;
    }
    for (const ExprPtr &operand : e.operands)
      expr(*operand);
  }

  void binary(const Expr &e) {
    std::string left = source(*e.operands[0]), right = source(*e.operands[1]);
    if (e.text == "<>") {
      add("swap-operands", e, right + " <> " + left);
      add("drop-operand", e, left);
      add("drop-operand", e, right);
    } else if (e.text == "mod") {
      add("drop-mod", e, left);
    } else if (e.text == "xor") {
      add("shift-mask", e, left + " xor (" + right + " << 1)");
      add("shift-mask", e, left + " xor (" + right + " + 1)");
      add("shift-mask", e, left + " xor (" + right + " >> 1)");
    } else if (e.text == "+" || e.text == "-") {
      add("change-sign", span(e.textRange), e.text == "+" ? "-" : "+");
    } else {
      looseComparison(e);
    }
  }

  /// Changes a comparison in a select or a filter.
  void looseComparison(const Expr &e) {
    if (e.text == "<" || e.text == "<=")
      add("change-comparison", span(e.textRange), e.text == "<" ? "<=" : "<");
    if (e.text == "==" || e.text == "!=")
      add("change-comparison", span(e.textRange), e.text == "==" ? "!=" : "==");
  }

  void slice(const Expr &e) {
    auto part = [&](size_t i) -> const Expr & { return *e.operands[i]; };
    auto shift = [&](const char *kind, size_t i, const char *by) { add(kind, part(i), inParens(source(part(i))) + by); };
    switch (e.indexKind) {
    case ast::IndexKind::Point:
      shift("wrong-slot", 1, " + 1");
      shift("wrong-slot", 1, " - 1");
      add("wrong-slot", part(1), "(" + source(part(1)) + " + 1) mod p");
      add("wrong-slot", part(1), "(" + source(part(1)) + " - 1) mod p");
      break;
    case ast::IndexKind::Range: {
      shift("wrong-slice", 1, " + 1");
      shift("wrong-slice", 2, " - 1");
      Span all{span(part(1).range).lo, span(part(2).range).hi};
      std::string op = e.inclusive ? " .. " : " ..< ";
      add("wrong-slice", all, source(part(2)) + op + source(part(1)));
      add("wrong-slice", all, inParens(source(part(1))) + " + 1" + op + inParens(source(part(2))) + " + 1");
      break;
    }
    case ast::IndexKind::Run:
    case ast::IndexKind::Cyclic:
      shift("wrong-slice", 1, " + 1");
      shift("wrong-slice", 1, " - 1");
      shift("wrong-slice", 2, " - 1");
      shift("wrong-slice", 2, " + 1");
      if (e.indexKind == ast::IndexKind::Cyclic)
        add("drop-mod", {span(part(1).range).lo, span(part(3).range).hi}, source(part(1)) + " ..+ " + source(part(2)));
      break;
    case ast::IndexKind::Filter:
      shift("wrong-slice", 1, " + 1");
      shift("wrong-slice", 2, " - 1");
      add("wrong-slice", part(3), "not (" + source(part(3)) + ")");
      add("wrong-slice", part(3), "true");
      break;
    }
  }

  // ---- the list

  std::vector<Mutation> finish() {
    std::stable_sort(found.begin(), found.end(), [](const Mutation &a, const Mutation &b) { return a.offset < b.offset; });
    std::vector<Mutation> result;
    std::set<std::string> seen = {squeezed(text)};
    std::map<std::string, unsigned> count;
    for (Mutation &m : found) {
      if (!seen.insert(squeezed(m.applyTo(text))).second)
        continue;
      m.id = m.kind + "#" + std::to_string(++count[m.kind]);
      result.push_back(std::move(m));
    }
    return result;
  }

  /// The text without white space, to compare mutants.
  static std::string squeezed(llvm::StringRef s) {
    std::string result;
    for (char c : s)
      if (!llvm::isSpace(c) || c == '\n')
        result += c;
    return result;
  }

  llvm::StringRef text;
  const bool ofClaims;
  std::vector<Mutation> found;
};

} // namespace

std::string Mutation::applyTo(llvm::StringRef text) const {
  return (text.take_front(offset) + replacement + text.drop_front(offset + length)).str();
}

std::vector<Mutation> mutationsOf(const Schedule &schedule, llvm::StringRef text, bool ofClaims) {
  return Mutator(text, ofClaims).run(schedule);
}

} // namespace quadrille::compiler::mutate
