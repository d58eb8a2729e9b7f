//===- TermValue.cpp - The value of a term ---------------------------------------------------------------------------===//

#include "TermTable.h"

#include "arithmetic/Checked.h"

namespace quadrille::compiler::prove {

namespace checked = arithmetic::checked;

static std::optional<std::int64_t> exact(arithmetic::Checked result) {
  return result ? std::optional(result.value) : std::nullopt;
}

/// The value of `a`, where operand(i) returns that of its i-th operand or, for a sum, of its i-th atom. Nothing for variables.
template <typename Operand> static std::optional<std::int64_t> valueOfNode(const TermNode &a, Operand operand) {
  switch (a.kind) {
  case TermKind::True:
    return 1;
  case TermKind::False:
    return 0;
  case TermKind::Select: {
    const std::optional<std::int64_t> condition = operand(0);
    if (!condition)
      return std::nullopt;
    return operand(*condition ? 1 : 2);
  }
  case TermKind::And:
  case TermKind::Or: {
    const std::int64_t zero = a.kind == TermKind::And ? 0 : 1;
    bool unknown = false;
    for (unsigned i = 0; i < a.operands.size(); ++i) {
      const std::optional<std::int64_t> value = operand(i);
      if (value && *value == zero)
        return zero;
      unknown |= !value;
    }
    return unknown ? std::nullopt : std::optional<std::int64_t>(1 - zero);
  }
  case TermKind::Sum: {
    std::int64_t total = a.constant;
    for (unsigned i = 0; i < a.monomials.size(); ++i) {
      const std::optional<std::int64_t> value = operand(i);
      std::int64_t part;
      if (!value || __builtin_mul_overflow(*value, a.monomials[i].coefficient, &part) || __builtin_add_overflow(total, part, &total))
        return std::nullopt;
    }
    return total;
  }
  case TermKind::Product: {
    std::int64_t total = 1;
    for (unsigned i = 0; i < a.operands.size(); ++i) {
      const std::optional<std::int64_t> value = operand(i);
      if (!value || __builtin_mul_overflow(total, *value, &total))
        return std::nullopt;
    }
    return total;
  }
  case TermKind::Variable:
  case TermKind::Apply:
    return std::nullopt;
  default:
    break;
  }
  const std::optional<std::int64_t> x = operand(0);
  const std::optional<std::int64_t> y = a.operands.size() > 1 ? operand(1) : x;
  if (!x || !y)
    return std::nullopt;
  switch (a.kind) {
  // A term has a known value for positive divisors only: an expression is required to have one (Numbers.cpp).
  case TermKind::Modulo:
    return *y > 0 ? exact(checked::modulo(*x, *y)) : std::nullopt;
  case TermKind::Quotient:
    return *y > 0 ? exact(checked::divide(*x, *y)) : std::nullopt;
  case TermKind::Power2:
    return *x < 62 ? exact(checked::power(2, *x)) : std::nullopt;
  case TermKind::Power:
    return *y >= 0 ? exact(checked::power(*x, *y)) : std::nullopt;
  case TermKind::CeilLog2:
    return exact(checked::ceilLog2(*x));
  case TermKind::FloorLog2:
    return exact(checked::floorLog2(*x));
  case TermKind::BitXor:
    return exact(checked::bitXor(*x, *y));
  case TermKind::BitAnd:
    return exact(checked::bitAnd(*x, *y));
  case TermKind::BitOr:
    return exact(checked::bitOr(*x, *y));
  case TermKind::AtLeastZero:
    return *x >= 0;
  case TermKind::IsZero:
    return *x == 0;
  case TermKind::Bit:
    return *y > 0 ? std::optional(arithmetic::floorMod(arithmetic::floorDiv(*x, *y), 2)) : std::nullopt;
  case TermKind::IsPower2:
    return exact(checked::isPow2(*x));
  case TermKind::Not:
    return !*x;
  default:
    return std::nullopt;
  }
}

std::optional<std::int64_t> evaluate(Term root, llvm::function_ref<std::int64_t(Term)> valueOf) {
  llvm::DenseMap<Term, std::optional<std::int64_t>> done;
  auto visit = [&](auto &self, Term a) -> std::optional<std::int64_t> {
    if (a->kind == TermKind::Variable)
      return valueOf(a);
    if (auto known = done.find(a); known != done.end())
      return known->second;
    const std::optional<std::int64_t> result = valueOfNode(
        *a.get(), [&](unsigned i) { return self(self, a->kind == TermKind::Sum ? a->monomials[i].atom : a->operands[i]); });
    done[a] = result;
    return result;
  };
  return visit(visit, root);
}

TermTable::TermTable(llvm::ArrayRef<Term> roots) {
  llvm::DenseMap<Term, unsigned> places;
  forEachNode(roots, [&](Term a) { // operands first
    places[a] = static_cast<unsigned>(nodes.size());
    nodes.push_back({a, static_cast<unsigned>(operands.size())});
    for (const Monomial &m : a->monomials)
      operands.push_back(places.lookup(m.atom));
    for (Term operand : a->operands)
      operands.push_back(places.lookup(operand));
  });
  for (Term root : roots)
    rootPlaces.push_back(places.lookup(root));
  values.resize(nodes.size());
}

void TermTable::evaluate(llvm::function_ref<std::int64_t(Term)> valueOf) {
  for (size_t place = 0; place < nodes.size(); ++place) {
    const Node &node = nodes[place];
    const unsigned *of = operands.data() + node.firstOperand;
    values[place] = node.term->kind == TermKind::Variable ? valueOf(node.term)
                                                          : valueOfNode(*node.term.get(), [&](unsigned i) { return values[of[i]]; });
  }
}

} // namespace quadrille::compiler::prove
