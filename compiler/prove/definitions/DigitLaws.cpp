//===- DigitLaws.cpp - Functions that look at the lower digits of an argument only -----------------------------------------===//
//
// On a hypercube, partners have numbers that differ in one bit. A function that says where a rank's part of a buffer begins, after so many
// halvings, looks at the bits by which it was halved, so it is the same for both ranks where the bit is none of these. This law is tried for
// functions that call themselves: f(v xor 2**e, d, ...) == f(v, d, ...) where d <= e, and the same where powers take the place of exponents.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "DefinedTerms.h"
#include "SamplePoints.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

/// The law for the arguments `which` of the function of `bounds`; it is shown when it is asked for first.
const DefinedTerms::Law &DefinedTerms::digitLaw(const Bounds &bounds, const Digits &which) {
  const std::string function = nameOf(*bounds.function);
  std::unique_ptr<Law> &law = digitLaws[{function, which}];
  if (law)
    return *law;
  law = std::make_unique<Law>();
  law->name = "`" + bounds.function->name + "` does not change with higher digits of its argument " + std::to_string(which.number + 1);
  law->range = bounds.function->range;
  law->names.insert(function);
  law->arguments = bounds.arguments;
  const Term number = bounds.arguments[which.number], count = bounds.arguments[which.count], digit = pool.variable(number->name + "'digit");
  law->arguments.push_back(digit);
  std::vector<Term> flipped = bounds.arguments;
  flipped[which.number] = pool.bitXor(number, which.arePowers ? digit : pool.power2(digit));
  const Term first = pool.apply(function, flipped), second = pool.apply(function, bounds.arguments);
  const Term arePowers = which.arePowers ? pool.conjunction({pool.isPower2(count), pool.isPower2(digit), pool.less(pool.integer(0), count)})
                                         : pool.lessEqual(pool.integer(0), count);
  law->condition = pool.conjunction({pool.lessEqual(pool.integer(0), number), arePowers, pool.lessEqual(count, digit), domain(bounds, bounds.arguments),
                                     domain(bounds, flipped)});
  law->claim = pool.equal(first, second);
  law->triggers = {{first}};
  if (!SamplePoints(*this, pool, {law->condition}).refute(law->claim))
    showLaw(*law);
  if (law->isShown) // it is of use where a call has one digit more
    unfolded.insert(function);
  return *law;
}

/// Appends that functions yield the same for a number with a digit flipped. Adds the calls with that number.
void DefinedTerms::digitLemmas(llvm::SetVector<Term> &calls, std::vector<Term> &result) {
  const std::vector<Term> given(calls.begin(), calls.end());
  for (Term call : given) {
    const auto function = recursive.find(call->name);
    if (function == recursive.end() || function->second->isPlain || function->second->rules.empty() ||
        llvm::is_contained(open, function->second->function))
      continue;
    const Bounds &bounds = *function->second;
    for (unsigned i = 0; i < call->operands.size(); ++i) {
      const Term flipped = call->operands[i];
      if (flipped->kind != TermKind::BitXor)
        continue;
      for (unsigned side : {0, 1}) {
        const Term number = flipped->operands[side], flip = flipped->operands[1 - side];
        const bool arePowers = flip->kind == TermKind::Variable && flip->isPower;
        if (!arePowers && flip->kind != TermKind::Power2)
          continue;
        for (unsigned j = 0; j < call->operands.size(); ++j) {
          if (j == i || call->operands[j]->isBoolean() || TermPool::asInteger(call->operands[j]))
            continue;
          const Law &law = digitLaw(bounds, {i, j, arePowers});
          if (!law.isShown)
            continue;
          TermPool::Substitution by;
          for (auto [argument, value] : llvm::zip(bounds.arguments, call->operands))
            by[argument.get()] = value;
          by[bounds.arguments[i].get()] = number;
          by[law.arguments.back().get()] = arePowers ? flip : flip->operands[0];
          result.push_back(pool.implies(pool.substitute(law.condition, by), pool.substitute(law.claim, by)));
          llvm::SmallVector<Term, 4> same(call->operands.begin(), call->operands.end());
          same[i] = number;
          calls.insert(pool.apply(call->name, same));
        }
      }
    }
  }
}

} // namespace quadrille::compiler::prove
