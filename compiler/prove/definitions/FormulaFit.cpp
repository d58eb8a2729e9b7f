//===- FormulaFit.cpp - Formulas that have given values in small cases ----------------------------------------------------===//

#include "FormulaFit.h"

#include "arithmetic/Integers.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace quadrille::compiler::prove {

namespace {

using Values = llvm::ArrayRef<std::int64_t>;

class Search {
public:
  Search(TermPool &pool, llvm::ArrayRef<FitColumn> atoms, const FitColumn &modulus, Values wanted)
      : pool(pool), atoms(atoms), modulus(modulus), wanted(wanted) {}

  Term run() {
    for (const FitColumn &a : atoms)
      if (auto c = distanceTo([&](size_t i) { return a.values[i]; }))
        if (isSmall(*c))
          return pool.add(a.term, pool.integer(*c));
    for (const FitColumn &a : atoms)
      for (const FitColumn &b : atoms)
        if (Term found = ofTwo(a, b))
          return found;
    for (const FitColumn &a : atoms)
      for (const FitColumn &b : atoms)
        if (Term found = moduloOfTwo(a, b))
          return found;
    for (const FitColumn &a : atoms)
      for (const FitColumn &b : atoms)
        if (Term found = extremeOfTwo(a, b))
          return found;
    return {};
  }

private:
  static bool isSmall(std::int64_t c) { return -2 <= c && c <= 2; }

  /// The constant c with wanted == valueAt + c at all points.
  template <typename ValueAt> std::optional<std::int64_t> distanceTo(ValueAt valueAt) const {
    const std::int64_t c = wanted[0] - valueAt(0);
    for (size_t i = 1; i < wanted.size(); ++i)
      if (wanted[i] - valueAt(i) != c)
        return std::nullopt;
    return c;
  }

  Term ofTwo(const FitColumn &a, const FitColumn &b) {
    if (a.term->number <= b.term->number)
      if (auto c = distanceTo([&](size_t i) { return a.values[i] + b.values[i]; }); c && isSmall(*c))
        return pool.add(pool.add(a.term, b.term), pool.integer(*c));
    if (auto c = distanceTo([&](size_t i) { return a.values[i] - b.values[i]; }); c && isSmall(*c))
      return pool.add(pool.subtract(a.term, b.term), pool.integer(*c));
    return {};
  }

  Term moduloOfTwo(const FitColumn &a, const FitColumn &b) {
    for (std::int64_t sign : {1, -1})
      for (std::int64_t c : {0, 1, -1, 2, -2}) {
        auto fits = [&](size_t i) {
          return modulus.values[i] > 0 && arithmetic::floorMod(a.values[i] + sign * b.values[i] + c, modulus.values[i]) == wanted[i];
        };
        size_t i = 0;
        while (i < wanted.size() && fits(i))
          ++i;
        if (i == wanted.size())
          return pool.modulo(pool.add(pool.add(a.term, pool.scale(sign, b.term)), pool.integer(c)), modulus.term);
      }
    return {};
  }

  Term extremeOfTwo(const FitColumn &a, const FitColumn &b) {
    for (std::int64_t c : {0, 1}) {
      bool isMin = true, isMax = true;
      for (size_t i = 0; i < wanted.size() && (isMin || isMax); ++i) {
        isMin &= wanted[i] == std::min(a.values[i] + c, b.values[i]);
        isMax &= wanted[i] == std::max(a.values[i] + c, b.values[i]);
      }
      const Term first = pool.add(a.term, pool.integer(c));
      if (isMin)
        return pool.minimum(first, b.term);
      if (isMax)
        return pool.maximum(first, b.term);
    }
    return {};
  }

  TermPool &pool;
  llvm::ArrayRef<FitColumn> atoms;
  const FitColumn &modulus;
  Values wanted;
};

} // namespace

Term fitFormula(TermPool &pool, llvm::ArrayRef<FitColumn> atoms, const FitColumn &modulus, Values wanted) {
  return wanted.empty() ? Term() : Search(pool, atoms, modulus, wanted).run();
}

std::vector<Term> partsOf(llvm::ArrayRef<Term> terms) {
  std::vector<Term> parts;
  auto add = [&](Term part) {
    if (!part->isBoolean() && !TermPool::asInteger(part) && !llvm::is_contained(parts, part))
      parts.push_back(part);
  };
  forEachNode(terms, [&](Term node) { add(node); });
  return parts;
}

std::vector<Term> endsOfGroup(TermPool &pool, Term partner, Term me) {
  llvm::SmallVector<Term, 2> flipped;
  forEachNode({partner}, [&](Term node) {
    if (node->kind == TermKind::BitXor && !llvm::is_contained(flipped, node))
      flipped.push_back(node);
  });
  if (flipped.size() != 1 || flipped[0] == partner)
    return {};
  std::vector<Term> result;
  const Term one = pool.integer(1);
  const auto dependsOnRank = [&](Term term) { return llvm::is_contained(variablesOf({term}), me); };
  const auto at = [&](Term number) { return pool.rebuild(partner, [&](Term node) { return node == flipped[0] ? number : Term(); }); };
  for (auto [number, width] : {std::pair(flipped[0]->operands[0], flipped[0]->operands[1]), std::pair(flipped[0]->operands[1], flipped[0]->operands[0])})
    if (dependsOnRank(number) && !dependsOnRank(width)) {
      const Term first = pool.subtract(number, pool.modulo(number, width));
      for (Term end : {first, pool.add(first, width)}) { // the first of a pair may stay, or the last one
        result.push_back(at(end));
        result.push_back(pool.add(at(pool.subtract(end, one)), one));
      }
    }
  return result;
}

std::vector<Term> originsByHand(TermPool &pool, llvm::ArrayRef<Term> terms, Term me, Term p) {
  std::vector<Term> result;
  forEachNode(terms, [&](Term node) {
    if (node->kind != TermKind::Modulo || node->operands[1] != p)
      return;
    const Term from = pool.subtract(me, node->operands[0]);
    const auto variables = variablesOf({from});
    if (!variables.empty() && !llvm::is_contained(variables, me) && !llvm::is_contained(result, from))
      result.push_back(from);
  });
  return result;
}

} // namespace quadrille::compiler::prove
