//===- LoopModels.cpp - What a loop does to its variables, and what it writes -------------------------------------------===//

#include "Execution.h"

#include "ir/Walk.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

// ---- what a loop does to its variables ---------------------------------------------------------------------------------

/// The factor c of a term that is c times a power of two; a constant itself; nothing for other terms.
static std::optional<std::int64_t> multipleOfPower(Term a) {
  if (auto value = TermPool::asInteger(a))
    return value;
  llvm::SmallVector<Monomial, 3> parts = TermPool::monomialsOf(a);
  if (parts.size() == 1 && TermPool::constantOf(a) == 0 &&
      (parts[0].atom->kind == TermKind::Power2 || (parts[0].atom->kind == TermKind::Variable && parts[0].atom->isPower)))
    return parts[0].coefficient;
  return std::nullopt;
}

/// Whether the goal is proved at this place. Adds no obligation, so use it for simplifications only.
bool Execution::holds(Term goal, Term guard, llvm::SMRange range) {
  Obligation question{Claim::Defined, "bounds are in order", range, facts, goal};
  question.hypotheses.push_back(guard);
  complete(question);
  return oracle.isProved(question);
}

/// Makes the model of one loop.
class Execution::LoopModelling {
public:
  LoopModelling(Execution &execution, const ir::ForStmt &stmt, Frame &frame, Term guard)
      : execution(execution), pool(execution.pool), stmt(stmt), variables(frame.schedule.variables), guard(guard),
        zero(pool.integer(0)), one(pool.integer(1)), two(pool.integer(2)) {
    auto bound = [&](const ir::Expr *expr, Term otherwise) { return expr ? execution.termOf(*expr, frame, guard) : otherwise; };
    lo = bound(stmt.lo, zero);
    hi = bound(stmt.hi, zero);
    factor = bound(stmt.factor, one);
    model.limit = hi;
  }

  LoopModel run() {
    switch (stmt.loop) {
    case ir::LoopKind::Ascending: ascending(); break;
    case ir::LoopKind::Descending: descending(); break;
    case ir::LoopKind::Times:
      times();
      keepRequirements();
      break;
    case ir::LoopKind::Half: half(); break;
    case ir::LoopKind::Halvings: halvings(); break;
    case ir::LoopKind::HalvingsReversed: halvingsReversed(); break;
    case ir::LoopKind::Others:
    case ir::LoopKind::Children: throw NotModelled{Gap::LoopOverRanks, stmt.keyword};
    }
    return std::move(model);
  }

private:
  llvm::StringRef name() const { return variables[stmt.variable].name; }
  bool holds(Term goal) { return execution.holds(goal, guard, stmt.keyword); }
  void require(const char *what, Term goal) { execution.require(Claim::Defined, what, stmt.keyword, guard, goal); }

  /// Requires that the factor is `least` or more where the loop is executed. Elsewhere it may be less, and then the facts of the
  /// model need not hold: this makes them depend on the factor. To be called when the model has its facts.
  void requireFactor(const char *what, Term least) {
    const Term right = pool.lessEqual(least, factor);
    require(what, right);
    if (execution.holds(right, pool.truth(true), stmt.keyword))
      return;
    for (std::vector<Term> *known : {&model.facts, &model.atExit})
      for (Term &fact : *known)
        fact = pool.implies(right, fact);
  }

  void ascending() {
    const auto by = TermPool::asInteger(factor);
    if (by && *by < 1)
      throw NotModelled{Gap::LoopOfUnknownStep, stmt.keyword};
    model.head = model.atBody = model.first = pool.fresh(name());
    model.entry = lo;
    model.next = pool.add(model.head, factor);
    model.facts = {pool.lessEqual(lo, model.head),
                   pool.either(pool.equal(model.head, lo), pool.less(model.head, pool.add(hi, factor)))};
    if (by != 1)
      model.facts.push_back(pool.equal(pool.modulo(pool.subtract(model.head, lo), factor), zero));
    else
      model.exit = holds(pool.lessEqual(lo, hi)) ? hi : pool.maximum(lo, hi);
    model.inBody = {pool.less(model.head, hi)};
    model.atExit = {pool.lessEqual(hi, model.head)};
    if (!by)
      requireFactor("a loop counts by 1 or more", one);
  }

  /// The head is one more than the next value of the variable: the number of remaining iterations if the last value is 0.
  void descending() {
    auto by = TermPool::asInteger(factor);
    if (!by || *by != 1)
      throw NotModelled{Gap::DescendingStep, stmt.keyword};
    model.head = pool.fresh(name());
    model.first = pool.fresh(name());
    model.atBody = pool.add(model.first, one);
    model.entry = pool.add(hi, one);
    if (!holds(pool.lessEqual(lo, model.entry)))
      model.entry = pool.maximum(model.entry, lo);
    model.next = model.first;
    model.facts = {pool.lessEqual(lo, model.head), pool.lessEqual(model.head, model.entry)};
    model.inBody = {pool.lessEqual(lo, model.first)};
    model.exit = lo;
  }

  /// The variable is its first value times a power of the factor.
  void times() {
    auto by = TermPool::asInteger(factor);
    auto first = multipleOfPower(lo);
    if ((by && *by < 2) || !first || *first < 1)
      throw NotModelled{Gap::MultiplyingByUnknown, stmt.keyword};
    if (by == 2 && TermPool::asInteger(lo)) {
      std::int64_t odd = *first;
      while (odd % 2 == 0)
        odd /= 2;
      model.head = pool.fresh(name(), odd == 1);
      if (odd != 1) {
        Term power = pool.fresh(name().str() + "'", true);
        model.facts.push_back(pool.equal(model.head, pool.scale(odd, power)));
      }
    } else {
      model.head = pool.fresh(name());
      if (TermPool::asInteger(lo) && by != 2) {
        model.iterations = pool.fresh(name().str() + "'");
        model.facts.push_back(pool.lessEqual(zero, model.iterations));
        model.facts.push_back(pool.equal(model.head, pool.scale(*first, pool.power(factor, model.iterations))));
      }
    }
    model.atBody = model.first = model.head;
    model.entry = lo;
    model.factor = factor;
    model.next = pool.multiply(factor, model.head);
    model.facts.push_back(pool.lessEqual(lo, model.head));
    model.facts.push_back(pool.either(pool.equal(model.head, lo), pool.less(model.head, pool.multiply(factor, hi))));
    model.inBody = {pool.less(model.head, hi)};
    model.atExit = {pool.lessEqual(hi, model.head)};
    if (!by)
      requireFactor("a loop multiplies by 2 or more", two);
  }

  /// A requirement may say of a number m, by a function that divides it by the factor again and again, that it is a power of the factor,
  /// or a multiple of one. If so, the head divides m, and the same holds for m div head. Adds this to the facts where it is shown by
  /// induction on the iterations.
  void keepRequirements() {
    for (Term fact : std::vector<Term>(execution.facts.all())) {
      if (!execution.isFixed(fact))
        continue;
      llvm::SmallVector<std::pair<Term, Term>, 2> numbers; // calls with the factor as an argument, and another argument of them
      forEachNode({fact}, [&](Term node) {
        if (node->kind == TermKind::Apply && execution.defined.equation(node) && llvm::is_contained(node->operands, factor))
          for (Term argument : node->operands)
            if (!argument->isBoolean() && argument != factor && !TermPool::asInteger(argument))
              numbers.push_back({node, argument});
      });
      for (const auto &[call, number] : numbers)
        keepRequirement(fact, call, number);
    }
  }

  void keepRequirement(Term fact, Term call, Term number) {
    const auto callAt = [&](Term value) {
      std::vector<Term> arguments(call->operands.begin(), call->operands.end());
      for (Term &argument : arguments)
        argument = argument == number ? pool.quotient(number, value) : argument;
      return pool.apply(call->name, arguments);
    };
    const auto at = [&](Term value) {
      const Term ofRest = pool.rebuild(fact, [&](Term node) { return node == call ? callAt(value) : Term(); });
      return pool.both(pool.equal(pool.modulo(number, value), zero), ofRest);
    };
    llvm::SmallVector<Term, 8> body{guard, at(model.head), execution.defined.equation(callAt(model.head))};
    llvm::append_range(body, model.facts);
    llvm::append_range(body, model.inBody);
    const Term before = at(model.entry), inBody = pool.conjunction(body), after = at(model.next);
    if (!holds(before) || !execution.holds(after, inBody, stmt.keyword))
      return;
    require("what a requirement says of a number holds before the loop divides it", before);
    execution.require(Claim::Defined, "what a requirement says of a number is kept where the loop divides it", stmt.keyword, inBody, after);
    // Where the loop is not executed, its number need not be divided.
    model.facts.push_back(pool.implies(guard, at(model.head)));
    model.inBody.push_back(pool.implies(guard, after));
  }

  /// The head is twice the next value of the variable: a power of two if the first value is one.
  void half() {
    if (TermPool::asInteger(lo) != 1)
      throw NotModelled{Gap::HalvingNotToOne, stmt.keyword};
    model.head = pool.fresh(name(), true);
    model.first = pool.fresh(name(), true);
    model.atBody = pool.multiply(two, model.first);
    model.entry = pool.select(pool.lessEqual(one, hi), pool.multiply(two, hi), one);
    require("the first value of a halving loop is a power of two", pool.isPower2(model.entry));
    model.next = model.first;
    model.facts = {pool.lessEqual(one, model.head), pool.lessEqual(model.head, model.entry)};
    model.inBody = {pool.lessEqual(one, model.first)};
    model.exit = one;
  }

  void halvings() {
    model.head = model.atBody = model.second = pool.fresh(variables[stmt.second].name);
    model.entry = holds(pool.lessEqual(one, hi)) ? hi : pool.maximum(one, hi);
    model.first = pool.quotient(pool.add(model.head, one), two);
    model.next = model.first;
    // Also where the loop is not executed, the facts must not contradict each other.
    const bool isAlways = execution.holds(pool.lessEqual(one, hi), pool.truth(true), stmt.keyword);
    model.facts = {pool.lessEqual(one, model.head), pool.lessEqual(model.head, isAlways ? hi : pool.maximum(one, hi))};
    model.inBody = {pool.less(one, model.head)};
    model.atExit = {pool.lessEqual(model.head, one)};
  }

  /// Only the relation between consecutive values is known: half < whole <= 2*half.
  void halvingsReversed() {
    model.head = model.atBody = model.first = pool.fresh(name());
    model.second = pool.fresh(variables[stmt.second].name);
    model.entry = pool.minimum(one, hi);
    model.next = model.second;
    model.facts = {pool.lessEqual(model.entry, model.head), pool.lessEqual(model.head, hi)};
    model.inBody = {pool.less(model.head, hi), pool.less(model.head, model.second), pool.lessEqual(model.second, hi),
                    pool.inRange(pool.subtract(pool.multiply(two, model.head), one), model.second,
                                 pool.add(pool.multiply(two, model.head), one)),
                    pool.lessEqual(one, model.head)};
    model.exit = hi;
  }

  Execution &execution;
  TermPool &pool;
  const ir::ForStmt &stmt;
  const std::vector<ir::Variable> &variables;
  const Term guard, zero, one, two;
  Term lo, hi, factor; // the bounds in the text; 0, 0 and 1 where it gives none
  LoopModel model;
};

Execution::LoopModel Execution::modelOf(const ir::ForStmt &stmt, Frame &frame, Term guard) {
  return LoopModelling(*this, stmt, frame, guard).run();
}

// ---- what a loop writes ---------------------------------------------------------------------------------------------------

void Execution::findWritten(const ir::Body &body, const Frame &frame, std::vector<SymbolicBuffer *> &written) {
  for (const ir::Buffer *buffer : ir::writtenBuffers(body))
    if (SymbolicBuffer *storage = frame.views[buffer->index].storage; storage && !llvm::is_contained(written, storage))
      written.push_back(storage);
  if (heard && ir::anyStatement(body, [](const ir::Stmt &stmt) { return llvm::isa<ir::StepStmt, ir::UseStmt>(stmt); }))
    written.push_back(heard);
}

bool Execution::fillsOneSlot(const Written &write, const SymbolicBuffer &storage) {
  const Axis &packet = write.slots.alongPackets();
  const bool isWhole = storage.packets == pool.integer(1) || (packet.kind == Axis::Position && packet.start == pool.integer(0) &&
                                                              packet.count == storage.packets && !packet.modulus);
  return write.storage == &storage && write.loops == heads.size() + 1 && write.slots.alongBlocks().kind == Axis::Single && isWhole;
}

} // namespace quadrille::compiler::prove
