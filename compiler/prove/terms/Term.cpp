//===- Term.cpp - Building terms ---------------------------------------------------------------------------------------===//

#include "Factors.h"
#include "TermCheck.h"

#include "arithmetic/Integers.h"
#include "evaluate/Evaluate.h"
#include "limits/Limits.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cassert>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

namespace quadrille::compiler::prove {

using arithmetic::floorDiv, arithmetic::floorMod;

// ---- nodes ------------------------------------------------------------------------------------------------------------

namespace {
/// The nodes of a pool by what they consist of: a hash table with open addressing, which keeps hashes beside the nodes so that a search
/// reads few nodes.
class NodeIndex {
public:
  static std::uint64_t hashOf(const TermNode &n) {
    std::uint64_t hash = static_cast<std::uint64_t>(n.kind) << 1 | n.isPower;
    auto add = [&](std::uint64_t part) {
      hash = (hash ^ part) * 0x9E3779B97F4A7C15ull;
      hash ^= hash >> 32;
    };
    auto addTerm = [&](Term term) { add(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(term.get()))); };
    add(static_cast<std::uint64_t>(n.constant));
    if (!n.name.empty())
      add(llvm::hash_value(llvm::StringRef(n.name)));
    for (const Monomial &m : n.monomials) {
      add(static_cast<std::uint64_t>(m.coefficient));
      addTerm(m.atom);
    }
    for (Term operand : n.operands)
      addTerm(operand);
    return hash;
  }

  /// The node like this one; null if there is none.
  const TermNode *find(const TermNode &node, std::uint64_t hash) const {
    for (std::size_t i = hash & mask(); slots[i].node; i = (i + 1) & mask())
      if (slots[i].hash == hash && areEqual(*slots[i].node, node))
        return slots[i].node;
    return nullptr;
  }

  /// Adds a node that is not there.
  void insert(const TermNode &node, std::uint64_t hash) {
    if (++count * 2 > slots.size()) {
      std::vector<Slot> old(slots.size() * 2);
      old.swap(slots);
      for (const Slot &slot : old)
        if (slot.node)
          place(slot);
    }
    place({hash, &node});
  }

private:
  struct Slot {
    std::uint64_t hash = 0;
    const TermNode *node = nullptr; // null: the slot is empty
  };

  static bool areEqual(const TermNode &a, const TermNode &b) {
    return a.kind == b.kind && a.isPower == b.isPower && a.constant == b.constant && a.monomials == b.monomials &&
           a.operands == b.operands && a.name == b.name;
  }
  std::size_t mask() const { return slots.size() - 1; }
  void place(const Slot &slot) {
    std::size_t i = slot.hash & mask();
    while (slots[i].node)
      i = (i + 1) & mask();
    slots[i] = slot;
  }

  std::vector<Slot> slots = std::vector<Slot>(1024); // a power of two, at most half of them used
  std::size_t count = 0;
};
} // namespace

struct TermPool::Store {
  std::deque<TermNode> nodes;
  NodeIndex index;
  unsigned nextFresh = 0;
  llvm::DenseMap<Term, Term> negations; // of conjunctions and disjunctions
};

TermPool::TermPool() : store(std::make_unique<Store>()) {
  trueTerm = make(TermKind::True, {});
  falseTerm = make(TermKind::False, {});
}
TermPool::~TermPool() = default;

Term TermPool::intern(TermNode node) {
  assert(isWellFormed(node));
  const std::uint64_t hash = NodeIndex::hashOf(node);
  if (const TermNode *known = store->index.find(node, hash))
    return Term(known);
  node.number = static_cast<unsigned>(store->nodes.size());
  store->nodes.push_back(std::move(node));
  store->index.insert(store->nodes.back(), hash);
  return Term(&store->nodes.back());
}

Term TermPool::make(TermKind kind, std::initializer_list<Term> operands) {
  TermNode node{};
  node.kind = kind;
  node.operands.assign(operands.begin(), operands.end());
  return intern(std::move(node));
}

// ---- sums ---------------------------------------------------------------------------------------------------------------

static std::int64_t exactSum(std::int64_t a, std::int64_t b) {
  if (__builtin_add_overflow(a, b, &a))
    throw TermOverflow{};
  return a;
}

static std::int64_t exactProduct(std::int64_t a, std::int64_t b) {
  if (__builtin_mul_overflow(a, b, &a))
    throw TermOverflow{};
  return a;
}

std::optional<std::int64_t> TermPool::asInteger(Term a) {
  if (a->kind == TermKind::Sum && a->monomials.empty())
    return a->constant;
  return std::nullopt;
}

std::int64_t TermPool::constantOf(Term a) { return a->kind == TermKind::Sum ? a->constant : 0; }

llvm::SmallVector<Monomial, 3> TermPool::monomialsOf(Term a) {
  if (a->kind == TermKind::Sum)
    return a->monomials;
  return {{1, a}};
}

Term TermPool::sum(std::int64_t constant, llvm::SmallVector<Monomial, 3> monomials) {
  if (constant == 0 && monomials.size() == 1 && monomials[0].coefficient == 1)
    return monomials[0].atom;
  // The least number has no opposite: without it, all coefficients can be negated.
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  if (constant == least || llvm::any_of(monomials, [](const Monomial &m) { return m.coefficient == least; }))
    throw TermOverflow{};
  TermNode node{};
  node.kind = TermKind::Sum;
  node.constant = constant;
  node.monomials = std::move(monomials);
  return intern(std::move(node));
}

Term TermPool::integer(std::int64_t value) { return sum(value, {}); }

Term TermPool::combine(Term a, std::int64_t factor, Term b) {
  llvm::SmallVector<Monomial, 3> left = monomialsOf(a), right = monomialsOf(b), result;
  size_t i = 0, j = 0;
  while (i < left.size() || j < right.size()) {
    unsigned l = i < left.size() ? left[i].atom->number : ~0u, r = j < right.size() ? right[j].atom->number : ~0u;
    if (l < r) {
      result.push_back(left[i++]);
      continue;
    }
    Monomial next{exactProduct(factor, right[j].coefficient), right[j].atom};
    ++j;
    if (l == r)
      next.coefficient = exactSum(next.coefficient, left[i++].coefficient);
    if (next.coefficient != 0)
      result.push_back(next);
  }
  return sum(exactSum(constantOf(a), exactProduct(factor, constantOf(b))), std::move(result));
}

Term TermPool::multiply(Term a, Term b) {
  if (auto value = asInteger(a))
    return scale(*value, b);
  if (auto value = asInteger(b))
    return scale(*value, a);
  Term result = integer(0);
  auto addProduct = [&](std::int64_t coefficient, Term left, Term right) {
    llvm::SmallVector<Term, 4> factors;
    if (left)
      llvm::append_range(factors, factorsOf(left));
    if (right)
      llvm::append_range(factors, factorsOf(right));
    if (factors.size() > limits::termFactors)
      throw TermOverflow(limits::termFactors);
    // (if c then 2 else 3) * x becomes if c then 2*x else 3*x.
    for (size_t i = 0; i < factors.size() && factors.size() > 1; ++i) {
      if (factors[i]->kind != TermKind::Select)
        continue;
      auto yes = asInteger(factors[i]->operands[1]), no = asInteger(factors[i]->operands[2]);
      if (!yes || !no)
        continue;
      Term rest = integer(coefficient);
      for (size_t j = 0; j < factors.size(); ++j)
        if (j != i)
          rest = multiply(rest, factors[j]);
      result = add(result, select(factors[i]->operands[0], scale(*yes, rest), scale(*no, rest)));
      return;
    }
    // m * (x div m) is x - x mod m. m may be a product, of which all factors are there.
    for (size_t i = 0; i < factors.size(); ++i) {
      if (factors[i]->kind != TermKind::Quotient)
        continue;
      const Term x = factors[i]->operands[0], m = factors[i]->operands[1];
      llvm::SmallVector<Term, 4> others(factors);
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      if (!takeOut(m, others))
        continue;
      Term rest = scale(coefficient, subtract(x, modulo(x, m)));
      for (Term other : others)
        rest = multiply(rest, other);
      result = add(result, rest);
      return;
    }
    llvm::sort(factors, [](Term x, Term y) { return x->number < y->number; });
    Term atom;
    if (factors.empty()) {
      result = add(result, integer(coefficient));
      return;
    }
    if (factors.size() == 1) {
      atom = factors[0];
    } else {
      TermNode node{};
      node.kind = TermKind::Product;
      node.operands.assign(factors.begin(), factors.end());
      atom = intern(std::move(node));
    }
    result = combine(result, coefficient, atom);
  };
  // The same for a divisor that is not an atom: (2*w) * (x div (2*w)) is x - x mod (2*w).
  for (auto [one, other] : {std::pair(a, b), std::pair(b, a)})
    if (one->kind == TermKind::Quotient && one->operands[1] == other)
      return subtract(one->operands[0], modulo(one->operands[0], other));
  llvm::SmallVector<Monomial, 3> left = monomialsOf(a), right = monomialsOf(b);
  if (left.size() * right.size() > limits::termParts)
    throw TermOverflow(limits::termParts);
  std::int64_t leftConstant = constantOf(a), rightConstant = constantOf(b);
  for (const Monomial &l : left)
    for (const Monomial &r : right)
      addProduct(exactProduct(l.coefficient, r.coefficient), l.atom, r.atom);
  for (const Monomial &l : left)
    if (rightConstant)
      addProduct(exactProduct(l.coefficient, rightConstant), l.atom, {});
  for (const Monomial &r : right)
    if (leftConstant)
      addProduct(exactProduct(leftConstant, r.coefficient), {}, r.atom);
  return add(result, integer(exactProduct(leftConstant, rightConstant)));
}

// ---- other integers ------------------------------------------------------------------------------------------------------

Term TermPool::variable(llvm::StringRef name, bool isPower) {
  TermNode node{};
  node.kind = TermKind::Variable;
  node.name = name.str();
  node.isPower = isPower;
  return intern(std::move(node));
}

Term TermPool::fresh(llvm::StringRef name, bool isPower) {
  return variable(name.str() + "!" + std::to_string(++store->nextFresh), isPower);
}

Term TermPool::modulo(Term a, Term b) {
  auto x = asInteger(a), m = asInteger(b);
  if (m && *m == 1)
    return integer(0);
  if (x && m && *m > 0)
    return integer(floorMod(*x, *m));
  if (a == b || (x && *x == 0))
    return integer(0);
  if (m && *m > 0) {
    // Drop multiples of the modulus.
    llvm::SmallVector<Monomial, 3> rest;
    for (Monomial part : monomialsOf(a))
      if ((part.coefficient = floorMod(part.coefficient, *m)) != 0)
        rest.push_back(part);
    Term reduced = sum(floorMod(constantOf(a), *m), std::move(rest));
    if (reduced != a)
      return modulo(reduced, b);
  }
  if (a->kind == TermKind::Modulo && a->operands[1] == b)
    return a;
  if (a->kind == TermKind::BitXor && a->operands[1] == b && (b->isPower || b->kind == TermKind::Power2)) // the bit that is flipped is above
    return modulo(a->operands[0], b);
  return make(TermKind::Modulo, {a, b});
}

Term TermPool::quotient(Term a, Term b) {
  auto x = asInteger(a), m = asInteger(b);
  if (m && *m == 1)
    return a;
  if (x && m && *m > 0)
    return integer(floorDiv(*x, *m));
  if (a->kind == TermKind::Quotient && m && *m > 0)
    if (auto inner = asInteger(a->operands[1]); inner && *inner > 0)
      return quotient(a->operands[0], integer(exactProduct(*inner, *m)));
  if (m && *m > 0) {
    // Take multiples of the divisor out of the quotient.
    Term whole = integer(floorDiv(constantOf(a), *m)), rest = integer(floorMod(constantOf(a), *m));
    for (const Monomial &part : monomialsOf(a)) {
      whole = combine(whole, floorDiv(part.coefficient, *m), part.atom);
      rest = combine(rest, floorMod(part.coefficient, *m), part.atom);
    }
    if (rest != a)
      return add(whole, quotient(rest, b));
  }
  return make(TermKind::Quotient, {a, b});
}

Term TermPool::power2(Term exponent) {
  if (auto value = asInteger(exponent); value && *value >= 0 && *value < 62)
    return integer(std::int64_t(1) << *value);
  return make(TermKind::Power2, {exponent});
}

Term TermPool::power(Term base, Term exponent) {
  constexpr std::int64_t writtenOut = 4; // a power with more factors stays one
  if (asInteger(base) == 2)
    return power2(exponent);
  if (auto factors = asInteger(exponent); factors && *factors >= 0 && *factors <= writtenOut) {
    Term result = integer(1);
    for (std::int64_t i = 0; i < *factors; ++i)
      result = multiply(result, base);
    return result;
  }
  return make(TermKind::Power, {base, exponent});
}

Term TermPool::ceilLog2(Term a) {
  if (auto value = asInteger(a); value && *value >= 1) {
    std::int64_t result = 0;
    while (result < 62 && (std::int64_t(1) << result) < *value)
      ++result;
    if ((std::int64_t(1) << result) >= *value)
      return integer(result);
  }
  return make(TermKind::CeilLog2, {a});
}

Term TermPool::floorLog2(Term a) {
  if (auto value = asInteger(a); value && *value >= 1)
    return integer(63 - __builtin_clzll(static_cast<unsigned long long>(*value)));
  return make(TermKind::FloorLog2, {a});
}

Term TermPool::apply(llvm::StringRef function, llvm::ArrayRef<Term> arguments) {
  TermNode node{};
  node.kind = TermKind::Apply;
  node.name = function.str();
  node.operands.assign(arguments.begin(), arguments.end());
  return intern(std::move(node));
}

Term TermPool::select(Term condition, Term yes, Term no) {
  assert(condition->isBoolean() && yes->isBoolean() == no->isBoolean() && "both sides are of one type");
  if (isTrue(condition) || yes == no)
    return yes;
  if (isFalse(condition))
    return no;
  if (condition->kind == TermKind::Not)
    return select(condition->operands[0], no, yes);
  if (yes->isBoolean()) {
    const Term otherwise = both(negate(condition), no); // the order in which terms are made must not depend on the compiler
    return either(both(condition, yes), otherwise);
  }
  if (yes->kind == TermKind::Select && yes->operands[0] == condition)
    yes = yes->operands[1];
  if (no->kind == TermKind::Select && no->operands[0] == condition)
    no = no->operands[2];
  return make(TermKind::Select, {condition, yes, no});
}

// ---- truth values -----------------------------------------------------------------------------------------------------------

/// The greatest common divisor of the coefficients; 0 if there are none.
static std::int64_t commonFactor(llvm::ArrayRef<Monomial> monomials) {
  std::int64_t factor = 0;
  for (const Monomial &m : monomials) {
    std::int64_t a = factor, b = m.coefficient < 0 ? -m.coefficient : m.coefficient;
    while (b)
      std::tie(a, b) = std::pair(b, a % b);
    factor = a;
  }
  return factor;
}

/// The first Select of a sum that consists of at most two Selects between constants; null for other terms. A comparison of such a
/// sum becomes a choice between truth values: `(if c then 1 else 0) == 1` is `c`.
static Term choiceIn(Term a) {
  llvm::SmallVector<Monomial, 3> parts = TermPool::monomialsOf(a);
  if (parts.size() > 2)
    return {};
  for (const Monomial &part : parts)
    if (part.atom->kind != TermKind::Select || !TermPool::asInteger(part.atom->operands[1]) ||
        !TermPool::asInteger(part.atom->operands[2]))
      return {};
  return parts[0].atom;
}

Term TermPool::withChoice(Term a, Term choice, unsigned operand) {
  return rebuild(a, [&](Term node) { return node == choice ? choice->operands[operand] : Term(); });
}

Term TermPool::atLeastZero(Term a) {
  if (auto value = asInteger(a))
    return truth(*value >= 0);
  if (Term choice = choiceIn(a))
    return select(choice->operands[0], atLeastZero(withChoice(a, choice, 1)), atLeastZero(withChoice(a, choice, 2)));
  if (a->kind == TermKind::Modulo)
    if (auto m = asInteger(a->operands[1]); m && *m > 0)
      return trueTerm;
  llvm::SmallVector<Monomial, 3> parts = monomialsOf(a);
  if (std::int64_t factor = commonFactor(parts); factor > 1) {
    for (Monomial &m : parts)
      m.coefficient /= factor;
    return atLeastZero(sum(floorDiv(constantOf(a), factor), std::move(parts)));
  }
  return make(TermKind::AtLeastZero, {a});
}

Term TermPool::isZero(Term a) {
  if (auto value = asInteger(a))
    return truth(*value == 0);
  if (Term choice = choiceIn(a))
    return select(choice->operands[0], isZero(withChoice(a, choice, 1)), isZero(withChoice(a, choice, 2)));
  llvm::SmallVector<Monomial, 3> parts = monomialsOf(a);
  std::int64_t constant = constantOf(a), factor = commonFactor(parts);
  if (parts[0].coefficient < 0)
    factor = -factor;
  if (factor != 1) {
    if (constant % factor != 0)
      return falseTerm;
    for (Monomial &m : parts)
      m.coefficient /= factor;
    return isZero(sum(constant / factor, std::move(parts)));
  }
  return make(TermKind::IsZero, {a});
}

Term TermPool::equal(Term a, Term b) {
  if (!a->isBoolean())
    return isZero(subtract(a, b));
  if (a == b)
    return trueTerm;
  return select(a, b, negate(b));
}

Term TermPool::bit(Term a, Term b) {
  auto x = asInteger(a), m = asInteger(b);
  if (x && m && *m > 0)
    return truth(floorMod(floorDiv(*x, *m), 2) == 1);
  if (x && *x == 0)
    return falseTerm;
  if (m && *m == 1)
    return equal(modulo(a, integer(2)), integer(1));
  return make(TermKind::Bit, {a, b});
}

Term TermPool::isPower2(Term a) {
  if (auto value = asInteger(a))
    return truth(*value > 0 && (*value & (*value - 1)) == 0);
  if (a->kind == TermKind::Variable && a->isPower)
    return trueTerm;
  return make(TermKind::IsPower2, {a});
}

Term TermPool::negate(Term a) {
  switch (a->kind) {
  case TermKind::True:
    return falseTerm;
  case TermKind::False:
    return trueTerm;
  case TermKind::Not:
    return a->operands[0];
  case TermKind::AtLeastZero: // a < 0
    return atLeastZero(subtract(integer(-1), a->operands[0]));
  case TermKind::And:
  case TermKind::Or: {
    // Cached, since every And and Or asks for the negations of its parts.
    if (Term known = store->negations.lookup(a))
      return known;
    llvm::SmallVector<Term, 4> negated;
    for (Term operand : a->operands)
      negated.push_back(negate(operand));
    Term result = junction(a->kind == TermKind::And ? TermKind::Or : TermKind::And, negated);
    store->negations[a] = result;
    return result;
  }
  default:
    return make(TermKind::Not, {a});
  }
}

Term TermPool::junction(TermKind kind, llvm::ArrayRef<Term> terms) {
  const Term neutral = truth(kind == TermKind::And), zero = truth(kind != TermKind::And);
  llvm::SmallVector<Term, 4> flat;
  for (Term term : terms) {
    if (term == zero)
      return zero;
    if (term == neutral)
      continue;
    if (term->kind == kind)
      flat.append(term->operands.begin(), term->operands.end());
    else
      flat.push_back(term);
  }
  llvm::sort(flat, [](Term a, Term b) { return a->number < b->number; });
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  llvm::DenseSet<Term> present(flat.begin(), flat.end());
  for (Term term : flat)
    if (present.contains(negate(term)))
      return zero;
  if (flat.empty())
    return neutral;
  if (flat.size() == 1)
    return flat[0];
  TermNode node{};
  node.kind = kind;
  node.operands.assign(flat.begin(), flat.end());
  return intern(std::move(node));
}

Term TermPool::conjunction(llvm::ArrayRef<Term> terms) { return junction(TermKind::And, terms); }
Term TermPool::disjunction(llvm::ArrayRef<Term> terms) { return junction(TermKind::Or, terms); }

} // namespace quadrille::compiler::prove
