//===- TermValue.cpp - The value of a term ---------------------------------------------------------------------------===//

#include "Term.h"

#include "arithmetic/Checked.h"

namespace quadrille::compiler::prove {

namespace checked = arithmetic::checked;

static std::optional<std::int64_t> exact(arithmetic::Checked result) {
  return result ? std::optional(result.value) : std::nullopt;
}

std::optional<std::int64_t> evaluate(Term root, llvm::function_ref<std::int64_t(Term)> valueOf) {
  llvm::DenseMap<Term, std::optional<std::int64_t>> done;
  std::function<std::optional<std::int64_t>(Term)> visit = [&](Term a) -> std::optional<std::int64_t> {
    auto known = done.find(a);
    if (known != done.end())
      return known->second;
    auto compute = [&]() -> std::optional<std::int64_t> {
      switch (a->kind) {
      case TermKind::Variable:
        return valueOf(a);
      case TermKind::True:
        return 1;
      case TermKind::False:
        return 0;
      case TermKind::Select: {
        auto condition = visit(a->operands[0]);
        if (!condition)
          return std::nullopt;
        return visit(a->operands[*condition ? 1 : 2]);
      }
      case TermKind::And:
      case TermKind::Or: {
        const std::int64_t zero = a->kind == TermKind::And ? 0 : 1;
        bool unknown = false;
        for (Term operand : a->operands) {
          auto value = visit(operand);
          if (value && *value == zero)
            return zero;
          unknown |= !value;
        }
        return unknown ? std::nullopt : std::optional<std::int64_t>(1 - zero);
      }
      case TermKind::Sum: {
        std::int64_t total = a->constant;
        for (const Monomial &m : a->monomials) {
          auto value = visit(m.atom);
          std::int64_t part;
          if (!value || __builtin_mul_overflow(*value, m.coefficient, &part) || __builtin_add_overflow(total, part, &total))
            return std::nullopt;
        }
        return total;
      }
      case TermKind::Product: {
        std::int64_t total = 1;
        for (Term factor : a->operands) {
          auto value = visit(factor);
          if (!value || __builtin_mul_overflow(total, *value, &total))
            return std::nullopt;
        }
        return total;
      }
      case TermKind::Apply:
        return std::nullopt;
      default:
        break;
      }
      auto x = visit(a->operands[0]);
      auto y = a->operands.size() > 1 ? visit(a->operands[1]) : x;
      if (!x || !y)
        return std::nullopt;
      switch (a->kind) {
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
    };
    auto result = compute();
    done[a] = result;
    return result;
  };
  return visit(root);
}

} // namespace quadrille::compiler::prove
