//===- FormulaNumbers.cpp - Functions of formulas at numbers ----------------------------------------------------------===//

#include "FormulaImpl.h"

#include <cln/integer.h>
#include <cln/rational.h>

namespace quadrille::compiler {

static cln::cl_RA rational(const Number &n) { return cln::the<cln::cl_RA>(n.to_cl_N()); }
static cln::cl_I integer(const Number &n) { return cln::the<cln::cl_I>(n.to_cl_N()); }

std::optional<Rational> toRational(const Number &n) {
  if (!n.is_rational() || cln::integer_length(integer(n.numer())) > 62 || cln::integer_length(integer(n.denom())) > 62)
    return std::nullopt;
  return Rational(n.numer().to_long(), n.denom().to_long());
}

Number toNumber(const Rational &r) { return Number(static_cast<long>(r.num())) / Number(static_cast<long>(r.den())); }

Number floorOf(const Number &x) { return Number(cln::floor1(rational(x))); }

std::int64_t floorLog2(const Number &x) {
  return static_cast<std::int64_t>(cln::integer_length(integer(floorOf(x)))) - 1;
}

/// `mod` of the language: in 0 ..< |b|.
static Number moduloOf(const Number &a, const Number &b) {
  Number size = b.is_negative() ? -b : b;
  return a - size * floorOf(a / size);
}

std::optional<Number> valueOf(FormulaFunction function, llvm::ArrayRef<Number> x) {
  using F = FormulaFunction;
  auto truth = [](bool value) { return std::optional<Number>(value ? 1 : 0); };
  auto isPow2 = [](const Number &n) { return n.is_pos_integer() && cln::power2p(integer(n)) != 0; };
  bool areIntegers = true;
  for (const Number &operand : x)
    areIntegers &= operand.is_integer();
  switch (function) {
  case F::Ceiling:
    return -floorOf(-x[0]);
  case F::Floor:
    return floorOf(x[0]);
  case F::Minimum:
    return x[0] < x[1] ? x[0] : x[1];
  case F::Maximum:
    return x[0] < x[1] ? x[1] : x[0];
  case F::Equal:
    return truth(x[0].is_equal(x[1]));
  case F::Less:
    return truth(x[0] < x[1]);
  case F::LessEqual:
    return truth(x[0] <= x[1]);
  case F::Select:
    return x[0].is_zero() ? x[2] : x[1];
  case F::SquareRoot: {
    cln::cl_RA root;
    if (x[0].is_negative() || !cln::sqrtp(rational(x[0]), &root))
      return std::nullopt;
    return Number(root);
  }
  default:
    break;
  }
  if (!areIntegers)
    return std::nullopt;
  switch (function) {
  case F::Log2:
    return isPow2(x[0]) ? std::optional<Number>(static_cast<long>(floorLog2(x[0]))) : std::nullopt;
  case F::FloorLog2:
    return x[0].is_pos_integer() ? std::optional<Number>(static_cast<long>(floorLog2(x[0]))) : std::nullopt;
  case F::CeilLog2:
    return x[0].is_pos_integer() ? std::optional<Number>(static_cast<long>(floorLog2(x[0]) + (isPow2(x[0]) ? 0 : 1)))
                                 : std::nullopt;
  case F::IsPow2:
    return truth(isPow2(x[0]));
  case F::IsEven:
    return truth(x[0].is_even());
  case F::TrailingZeros:
    return x[0].is_zero() ? std::nullopt : std::optional<Number>(static_cast<long>(cln::ord2(integer(x[0]))));
  case F::Not:
    return truth(x[0].is_zero());
  case F::Divide:
    return x[1].is_zero() ? std::nullopt : std::optional<Number>(floorOf(x[0] / x[1]));
  case F::Modulo:
    return x[1].is_zero() ? std::nullopt : std::optional<Number>(moduloOf(x[0], x[1]));
  case F::BitXor:
    return Number(cln::logxor(integer(x[0]), integer(x[1])));
  case F::BitAnd:
    return Number(cln::logand(integer(x[0]), integer(x[1])));
  case F::BitOr:
    return Number(cln::logior(integer(x[0]), integer(x[1])));
  case F::Bit:
    return x[1].is_negative() ? std::nullopt : truth(cln::logbitp(integer(x[1]), integer(x[0])));
  case F::And:
    return truth(!x[0].is_zero() && !x[1].is_zero());
  case F::Or:
    return truth(!x[0].is_zero() || !x[1].is_zero());
  default:
    return std::nullopt;
  }
}

} // namespace quadrille::compiler
