//===- WidthsOfClauses.cpp - Whether the fractions of cost clauses fit -------------------------------------------------------===//
//
// Clauses are evaluated in fractions of 64 bits each, one for the terms in alpha, one for those in beta, and so on.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "WidthsWalk.h"

namespace quadrille::prove::widths {

Widths::Fractions Widths::clause(const ir::Expr &expr, Frame frame) {
  using ir::Op;
  if (!ir::anyPart(expr, [](const ir::Expr &part) { return ir::isCostOnly(part.op); }))
    return {{0u, {std::max(1.0L, of(expr, frame).magnitude()), 1}}};
  auto operand = [&](unsigned i) { return clause(*expr.operands[i], frame); };
  auto checked = [&](Fractions result) {
    for (const auto &[kind, fraction] : result)
      if (!(std::max(fraction.first, fraction.second) < tooWide)) {
        const std::string text = shortText(expr.range);
        throw Found{{text.empty() ? "whether a clause fits in 64 bits" : "whether `" + text + "` fits in 64 bits", expr.range}};
      }
    return result;
  };
  switch (expr.op) {
  case Op::Alpha:
  case Op::Beta:
  case Op::Gamma:
    return {{1u << (static_cast<unsigned>(expr.op) - static_cast<unsigned>(Op::Alpha)), {1, 1}}};
  case Op::Length:
  case Op::Element: // are given, and nobody can say how large
    for (const ir::Expr *index : expr.operands)
      of(*index, frame);
    return {{0u, {1, 1}}};
  case Op::Add:
  case Op::Subtract: {
    Fractions sum = operand(0);
    for (const auto &[kind, b] : operand(1))
      if (auto [a, isNew] = sum.try_emplace(kind, b); !isNew) {
        const auto [number, divisor] = a->second;
        a->second = divisor == b.second ? std::pair(number + b.first, divisor)
                                        : std::pair(number * b.second + b.first * divisor, divisor * b.second);
      }
    return checked(sum);
  }
  case Op::Multiply:
  case Op::Ratio: {
    Fractions product;
    const Fractions left = operand(0), right = operand(1);
    for (const auto &[kindA, a] : left)
      for (const auto &[kindB, b] : right) {
        const bool isRatio = expr.op == Op::Ratio;
        auto &into = product[kindA | kindB];
        into.first = std::max(into.first, a.first * (isRatio ? b.second : b.first));
        into.second = std::max(into.second, a.second * (isRatio ? b.first : b.second));
      }
    return checked(product);
  }
  case Op::SumOver: // taken to fit if its terms do: the count of them times the largest would say too little
  case Op::MinimumOver:
  case Op::MaximumOver: {
    const Interval lo = of(*expr.operands[0], frame), hi = of(*expr.operands[1], frame);
    frame[expr.variable] = {lo.lo, std::max(lo.lo, hi.hi - 1)};
    if (expr.operands.size() > 3)
      clause(*expr.operands[3], frame);
    return clause(*expr.operands[2], frame);
  }
  default: { // one of them, or what is not larger than any
    Fractions largest;
    for (const ir::Expr *part : expr.operands)
      for (const auto &[kind, fraction] : clause(*part, frame)) {
        auto &into = largest[kind];
        into = {std::max(into.first, fraction.first), std::max(into.second, fraction.second)};
      }
    return largest;
  }
  }
}

} // namespace quadrille::prove::widths
