//===- Shifts.cpp - Divisors that are a variable and a constant --------------------------------------------------------------===//

#include "Shifts.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

Shifts::Shifts(TermPool &pool, const Question &question) : pool(pool) {
  std::vector<Term> formulas = question.hypotheses;
  llvm::append_range(formulas, question.suppositions);
  formulas.push_back(question.goal);
  llvm::DenseSet<Term> factors;
  std::vector<Term> divisors;
  forEachNode(formulas, [&](Term node) {
    if (node->kind == TermKind::Product)
      factors.insert(node->operands.begin(), node->operands.end());
    if (node->kind == TermKind::Modulo || node->kind == TermKind::Quotient)
      divisors.push_back(node->operands[1]);
  });
  for (Term divisor : divisors) {
    const auto parts = TermPool::monomialsOf(divisor);
    const std::int64_t constant = TermPool::constantOf(divisor);
    if (parts.size() != 1 || parts[0].coefficient != 1 || constant == 0)
      continue;
    const Term variable = parts[0].atom;
    const bool isKnown = llvm::any_of(shifts, [&](const Shift &shift) { return shift.variable == variable; });
    const bool isDivisor = llvm::is_contained(divisors, variable); // by itself: one of the two has to be a sum
    if (variable->kind == TermKind::Variable && !variable->isPower && factors.contains(variable) && !isKnown && !isDivisor)
      shifts.push_back({variable, pool.variable(variable->name + (constant > 0 ? " + " : " - ") + std::to_string(std::abs(constant))), constant});
  }
}

Question Shifts::apply(const Question &question) const {
  TermPool::Substitution by;
  for (const Shift &shift : shifts)
    by[shift.variable.get()] = pool.subtract(shift.shifted, pool.integer(shift.constant));
  Question result = question;
  for (std::vector<Term> *terms : {&result.hypotheses, &result.suppositions})
    for (Term &term : *terms)
      term = pool.substitute(term, by);
  result.goal = pool.substitute(result.goal, by);
  return result;
}

SolverResult Shifts::undo(SolverResult outcome, const Question &question) const {
  for (auto &[variable, value] : outcome.model.values)
    for (const Shift &shift : shifts)
      if (variable == shift.shifted) {
        variable = shift.variable;
        value -= shift.constant;
      }
  const std::vector<Term> changed = apply(question).suppositions;
  for (Term &used : outcome.restsOn)
    used = question.suppositions[static_cast<size_t>(llvm::find(changed, used) - changed.begin())];
  return outcome;
}

} // namespace quadrille::compiler::prove
