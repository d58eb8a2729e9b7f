//===- Translation.cpp - Terms to Z3 -------------------------------------------------------------------------------------===//

#include "Translation.h"

#include "prove/terms/Operations.h"

namespace quadrille::compiler::prove {

z3::expr Translation::operator()(Term root) {
  // Operands first. Those of a term that is known are known.
  auto visit = [&](auto &self, Term a) -> void {
    if (known.contains(a))
      return;
    for (const Monomial &m : a->monomials)
      self(self, m.atom);
    for (Term operand : a->operands)
      self(self, operand);
    z3::expr translated = translate(a);
    known[a] = static_cast<unsigned>(translations.size());
    translations.push_back(translated);
  };
  visit(visit, root);
  return of(root);
}

z3::expr Translation::translate(Term a) {
  auto operand = [&](unsigned i) { return of(a->operands[i]); };
  switch (a->kind) {
  case TermKind::Select:
    return z3::ite(operand(0), operand(1), operand(2));
  case TermKind::True:
  case TermKind::False:
    return context.bool_val(a->kind == TermKind::True);
  case TermKind::AtLeastZero:
    return operand(0) >= 0;
  case TermKind::IsZero:
    return operand(0) == 0;
  case TermKind::Not:
    return !operand(0);
  case TermKind::And:
  case TermKind::Or: {
    z3::expr_vector parts(context);
    for (Term part : a->operands)
      parts.push_back(of(part));
    return a->kind == TermKind::And ? z3::mk_and(parts) : z3::mk_or(parts);
  }
  default:
    return arithmetic(a);
  }
}

// ---- over the integers -------------------------------------------------------------------------------------------------

IntegerTranslation::IntegerTranslation(z3::context &context) : Translation(context) {
  for (const TermOperation &f : operations) {
    std::vector<z3::sort> domain(f.arity, context.int_sort());
    declarations.push_back(
        context.function(f.name, f.arity, domain.data(), f.isTruth() ? context.bool_sort() : context.int_sort()));
  }
}

z3::expr IntegerTranslation::isOdd(Term a) {
  if (auto entry = knownOdd.find(a); entry != knownOdd.end())
    return odd[entry->second];
  z3::expr result = findOdd(a);
  knownOdd[a] = static_cast<unsigned>(odd.size());
  odd.push_back(result);
  return result;
}

z3::expr IntegerTranslation::findOdd(Term a) {
  const Oddness how = oddness(a);
  switch (how.by) {
  case Oddness::By::Number:
    return z3::mod(of(a), context.int_val(2)) == 1;
  case Oddness::By::Part:
    return isOdd(how.parts[0]);
  case Oddness::By::Choice:
    return z3::ite(of(how.parts[0]), isOdd(how.parts[1]), isOdd(how.parts[2]));
  case Oddness::By::Count:
    break;
  }
  z3::expr result = context.bool_val(how.constant);
  for (Term part : how.parts)
    result = result != isOdd(part);
  return result;
}

z3::expr IntegerTranslation::arithmetic(Term a) {
  auto number = [&](std::int64_t value) { return context.int_val(value); };
  auto operand = [&](unsigned i) { return of(a->operands[i]); };
  switch (a->kind) {
  case TermKind::Variable:
    return context.int_const(a->name.c_str());
  case TermKind::Sum: {
    z3::expr_vector parts(context);
    for (const Monomial &m : a->monomials)
      parts.push_back(m.coefficient == 1 ? of(m.atom) : number(m.coefficient) * of(m.atom));
    if (a->constant != 0 || parts.empty())
      parts.push_back(number(a->constant));
    return parts.size() == 1 ? parts[0] : z3::sum(parts);
  }
  default:
    break;
  }
  if (auto divisor = literalDivisor(a)) {
    if (isOddByParts(a))
      return z3::ite(isOdd(a->operands[0]), number(1), number(0));
    if (a->kind == TermKind::Modulo)
      return z3::mod(operand(0), number(*divisor));
    z3::expr quotient = operand(0) / number(*divisor);
    return a->kind == TermKind::Quotient ? quotient : z3::mod(quotient, number(2)) == 1;
  }
  if (a->kind == TermKind::Apply) {
    std::vector<z3::sort> domain(a->operands.size(), context.int_sort());
    z3::func_decl applied =
        context.function(a->name.c_str(), static_cast<unsigned>(domain.size()), domain.data(), context.int_sort());
    z3::expr_vector arguments(context);
    for (Term argument : a->operands)
      arguments.push_back(of(argument));
    return applied(arguments);
  }
  z3::func_decl function = declarations[static_cast<size_t>(operationOf(a->kind) - operations)];
  if (a->operands.size() == 1)
    return function(operand(0));
  z3::expr result = function(operand(0), operand(1));
  for (unsigned i = 2; i < a->operands.size(); ++i) // a product of more than two factors
    result = function(result, operand(i));
  return result;
}

// ---- over bit-vectors ---------------------------------------------------------------------------------------------------

z3::expr BitVectorTranslation::number(std::int64_t value) {
  if (value >= (std::int64_t(1) << (bits - 1)) || value < -(std::int64_t(1) << (bits - 1)))
    throw TooNarrow{};
  return context.bv_val(value, bits);
}

z3::expr BitVectorTranslation::powerOf(z3::expr exponent) {
  side.push_back(exponent < number(bits - 3));
  return z3::ite(exponent >= 0, z3::shl(number(1), exponent), number(0));
}

static bool isSurelyPower(Term a) {
  if (auto value = TermPool::asInteger(a))
    return *value > 0 && (*value & (*value - 1)) == 0;
  if (a->kind == TermKind::Sum && a->constant == 0 && a->monomials.size() == 1) {
    std::int64_t factor = a->monomials[0].coefficient;
    return factor > 0 && (factor & (factor - 1)) == 0 && isSurelyPower(a->monomials[0].atom);
  }
  return a->kind == TermKind::Power2 || (a->kind == TermKind::Variable && a->isPower);
}

z3::expr BitVectorTranslation::arithmetic(Term a) {
  auto operand = [&](unsigned i) { return of(a->operands[i]); };
  switch (a->kind) {
  case TermKind::Variable: {
    z3::expr result = context.bv_const(a->name.c_str(), bits);
    std::int64_t limit = std::int64_t(1) << (bits - 3);
    side.push_back(result < number(limit) && result > number(-limit));
    if (a->isPower)
      side.push_back(result > 0 && (result & (result - number(1))) == 0);
    return result;
  }
  case TermKind::Sum: {
    z3::expr total = number(a->constant);
    bool first = a->constant == 0;
    for (const Monomial &m : a->monomials) {
      z3::expr part = m.coefficient == 1    ? of(m.atom)
                      : m.coefficient == -1 ? -of(m.atom)
                                            : number(m.coefficient) * of(m.atom);
      total = first ? part : total + part;
      first = false;
    }
    return total;
  }
  case TermKind::Apply: // functions occur over the integers only
    throw TooNarrow{};
  case TermKind::Product: {
    z3::expr result = operand(0);
    for (unsigned i = 1; i < a->operands.size(); ++i) {
      z3::expr wide = z3::sext(result, bits) * z3::sext(operand(i), bits);
      result = wide.extract(bits - 1, 0);
      side.push_back(z3::sext(result, bits) == wide);
    }
    return result;
  }
  case TermKind::Modulo:
    if (isSurelyPower(a->operands[1]))
      return operand(0) & (operand(1) - number(1));
    return z3::smod(operand(0), operand(1));
  case TermKind::Quotient:
    return (operand(0) - z3::smod(operand(0), operand(1))) / operand(1);
  case TermKind::Power2:
    return powerOf(operand(0));
  case TermKind::Power: {
    z3::expr base = operand(0), exponent = operand(1), result = number(1), power = number(1);
    const z3::expr isLarge = exponent >= number(bits - 3); // powers of other bases do not fit then
    side.push_back(!isLarge || (base >= number(-1) && base <= number(1)));
    for (unsigned i = 1; i < bits - 3; ++i) {
      z3::expr wide = z3::sext(power, bits) * z3::sext(base, bits);
      power = wide.extract(bits - 1, 0);
      side.push_back(exponent < number(i) || z3::sext(power, bits) == wide);
      result = z3::ite(exponent >= number(i), power, result);
    }
    const z3::expr ofMinusOne = z3::ite(exponent.extract(0, 0) == 1, number(-1), number(1));
    return z3::ite(isLarge, z3::ite(base == number(-1), ofMinusOne, base), result);
  }
  case TermKind::CeilLog2:
  case TermKind::FloorLog2: {
    z3::expr x = a->kind == TermKind::FloorLog2 ? operand(0) : operand(0) - number(1);
    int none = a->kind == TermKind::FloorLog2 ? 0 : -1;
    z3::expr result = number(none);
    for (unsigned i = 0; i + 1 < bits; ++i) // the highest bit of x
      result = z3::ite(x.extract(i, i) == 1, number(i), result);
    return a->kind == TermKind::FloorLog2 ? result : result + number(1);
  }
  case TermKind::BitXor:
    return operand(0) ^ operand(1);
  case TermKind::BitAnd:
    return operand(0) & operand(1);
  case TermKind::BitOr:
    return operand(0) | operand(1);
  case TermKind::Bit:
    if (isSurelyPower(a->operands[1]))
      return (operand(0) & operand(1)) != 0;
    return ((operand(0) - z3::smod(operand(0), operand(1))) / operand(1)).extract(0, 0) == 1;
  case TermKind::IsPower2:
    return operand(0) > 0 && (operand(0) & (operand(0) - number(1))) == 0;
  default:
    throw TooNarrow{};
  }
}

} // namespace quadrille::compiler::prove
