//===- GrowthLaws.cpp - Functions that do not get smaller when an argument grows ------------------------------------------===//
//
// A timetable compares what a function yields for one rank with what it yields for another, such as the levels of two nodes in a tree.
// Where nobody states a lemma about that, this one is tried: f(a, ...) <= f(b, ...) where a <= b.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "DefinedTerms.h"
#include "SamplePoints.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// The law that the function of `bounds` grows with its argument `number`; it is shown when it is asked for first.
const DefinedTerms::Law &DefinedTerms::growthLaw(const Bounds &bounds, unsigned number) {
  const std::string function = nameOf(*bounds.function);
  std::unique_ptr<Law> &law = growth[{function, number}];
  if (law)
    return *law;
  law = std::make_unique<Law>();
  law->name = "`" + bounds.function->name + "` does not get smaller when its argument " + std::to_string(number + 1) + " grows";
  law->range = bounds.function->range;
  law->names.insert(function);
  law->arguments = bounds.arguments;
  const Term less = bounds.arguments[number], more = pool.variable(less->name + "'larger");
  law->arguments.push_back(more);
  std::vector<Term> larger = bounds.arguments;
  larger[number] = more;
  const Term first = pool.apply(function, bounds.arguments), second = pool.apply(function, larger);
  law->condition = pool.conjunction({pool.lessEqual(less, more), domain(bounds, bounds.arguments), domain(bounds, larger)});
  law->claim = pool.lessEqual(first, second);
  law->triggers = {{first, second}};
  if (!SamplePoints(*this, pool, {law->condition}).refute(law->claim))
    showLaw(*law);
  return *law;
}

/// Appends what functions yield for the ranks of `compared`, and that they grow, for pairs of calls that differ in one argument.
void DefinedTerms::growthLemmas(llvm::SetVector<Term> &calls, std::vector<Term> &result) {
  const auto [rank, peer] = compared;
  const std::vector<Term> given(calls.begin(), calls.end());
  for (Term call : given)
    for (unsigned i = 0; i < call->operands.size(); ++i) {
      if (!llvm::is_contained(variablesOf({call->operands[i]}), rank))
        continue;
      for (Term other : {rank, peer}) {
        llvm::SmallVector<Term, 4> arguments(call->operands.begin(), call->operands.end());
        arguments[i] = other;
        const Term there = pool.apply(call->name, arguments);
        calls.insert(there);
        if (const Term body = equation(there); body && !llvm::is_contained(result, body))
          result.push_back(body);
      }
    }
  for (Term a : calls)
    for (Term b : calls) {
      const auto function = recursive.find(a->name);
      if (a == b || a->name != b->name || function == recursive.end() || function->second->isPlain || function->second->rules.empty() ||
          llvm::is_contained(open, function->second->function))
        continue;
      std::optional<unsigned> other;
      unsigned count = 0;
      for (unsigned i = 0; i < a->operands.size(); ++i)
        if (a->operands[i] != b->operands[i]) {
          other = i;
          ++count;
        }
      if (count != 1 || a->operands[*other]->isBoolean())
        continue;
      const Bounds &bounds = *function->second;
      if (growthLaw(bounds, *other).isShown)
        result.push_back(pool.implies(
            pool.conjunction({pool.lessEqual(a->operands[*other], b->operands[*other]), domain(bounds, a->operands), domain(bounds, b->operands)}),
            pool.lessEqual(a, b)));
    }
}

} // namespace quadrille::compiler::prove
