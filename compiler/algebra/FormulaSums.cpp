//===- FormulaSums.cpp - Sums, minima and maxima over ranges -----------------------------------------------------------===//

#include "FormulaImpl.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

using F = FormulaFunction;

// ---- atoms -------------------------------------------------------------------------------------------------------------

/// The first free name. With it, sums that differ only in the name of the variable are equal.
static std::string variableName(llvm::ArrayRef<std::string> taken) {
  for (const char *name : {"i", "j", "l", "h", "u", "v"})
    if (!llvm::is_contained(taken, name))
      return name;
  for (unsigned number = 1;; ++number)
    if (std::string name = "i" + std::to_string(number); !llvm::is_contained(taken, name))
      return name;
}

Formula FormulaImpl::over(Formula::Over kind, const Formula &each, const std::string &variable, const Formula &lo,
                          const Formula &hi, const Formula &condition) {
  Atom atom;
  atom.kind = AtomKind::Over;
  atom.over = kind;
  std::vector<std::string> taken;
  for (const Formula *f : {&each, &condition})
    llvm::copy_if(f->symbols(), std::back_inserter(taken), [&](const std::string &name) { return name != variable; });
  llvm::append_range(taken, lo.symbols());
  llvm::append_range(taken, hi.symbols());
  atom.name = variableName(taken);
  std::pair<std::string, Formula> renamed(variable, Formula::symbol(atom.name));
  atom.operands = {variable == atom.name ? each : each.substitute(renamed), lo, hi,
                   variable == atom.name ? condition : condition.substitute(renamed)};
  return intern(std::move(atom));
}

// ---- sums in closed form -----------------------------------------------------------------------------------------------

static Formula binomial(unsigned n, unsigned k) {
  return FormulaImpl::number(GiNaC::binomial(Number(n), Number(k)));
}

/// The polynomial G in i with growth * G(i + 1) - G(i) = i ** degree; growth != 1.
static Formula geometricPart(const Formula &i, unsigned degree, const Formula &growth) {
  std::vector<Formula> g(degree + 1);
  for (unsigned j = degree + 1; j-- > 0;) {
    Formula known;
    for (unsigned l = j + 1; l <= degree; ++l)
      known = known + binomial(l, j) * g[l];
    g[j] = (Formula(j == degree ? 1 : 0) - growth * known) / (growth - 1);
  }
  Formula result;
  for (unsigned j = 0; j <= degree; ++j)
    result = result + g[j] * i.power(Formula(j));
  return result;
}

/// The polynomial S in i with S(i + 1) - S(i) = i ** degree.
static Formula powerSum(const Formula &i, unsigned degree) {
  std::vector<Formula> s(degree + 2);
  for (unsigned j = degree + 1; j-- > 0;) {
    Formula known;
    for (unsigned l = j + 2; l <= degree + 1; ++l)
      known = known + binomial(l, j) * s[l];
    s[j + 1] = (Formula(j == degree ? 1 : 0) - known) / Formula(j + 1);
  }
  Formula result;
  for (unsigned j = 1; j <= degree + 1; ++j)
    result = result + s[j] * i.power(Formula(j));
  return result;
}

/// The antidifference of one term, if it is a monomial in the variable times powers with linear exponents in it.
static std::optional<Formula> termAntidifference(const Monomial &term, const Monomials &denominator, llvm::StringRef variable) {
  Formula i = Formula::symbol(variable), growth = 1, geometric = 1, constant = FormulaImpl::number(term.coefficient);
  int degree = 0;
  auto add = [&](const Atom *atom, int exponent) {
    Formula factor = FormulaImpl::make(GiNaC::pow(atom->symbol, exponent));
    if (!llvm::is_contained(atom->symbols, variable)) {
      constant = constant * factor;
      return true;
    }
    if (atom->kind == AtomKind::Symbol) {
      degree += exponent;
      return exponent > 0;
    }
    if (atom->kind != AtomKind::Power || atom->operands[0].mentions(variable))
      return false;
    Formula ratio = factor.substitute({{variable.str(), i + 1}}) / factor;
    growth = growth * ratio;
    geometric = geometric * factor;
    return !ratio.mentions(variable);
  };
  for (auto &[atom, exponent] : term.factors)
    if (!add(atom, exponent))
      return std::nullopt;
  Formula below = FormulaImpl::make(denominator);
  if (!below.mentions(variable))
    constant = constant / below;
  else if (denominator.size() > 1)
    return std::nullopt;
  else {
    constant = constant / FormulaImpl::number(denominator[0].coefficient);
    for (auto &[atom, exponent] : denominator[0].factors)
      if (!add(atom, -exponent))
        return std::nullopt;
  }
  if (degree > limits::summedDegree)
    return std::nullopt;
  if (growth == Formula(1))
    return constant * geometric * powerSum(i, static_cast<unsigned>(degree));
  // The result is divided by growth - 1, which must not be 0.
  if (!growth.number() && !FormulaImpl::isNonnegative(growth - 2))
    return std::nullopt;
  return constant * geometric * geometricPart(i, static_cast<unsigned>(degree), growth);
}

std::optional<Formula> FormulaImpl::antidifference(const Formula &each, llvm::StringRef variable) {
  Formula result;
  for (const Monomial &term : node(each).numerator) {
    std::optional<Formula> part = termAntidifference(term, node(each).denominator, variable);
    if (!part)
      return std::nullopt;
    result = result + *part;
  }
  Formula next = result.substitute({{variable.str(), Formula::symbol(variable) + 1}});
  return next - result == each ? std::optional(result) : std::nullopt;
}

/// The sum of min(x, s - x) where x doubles with each step. As min(x, s - x) = min(2*x, s) - min(x, s) for x <= s, the sum
/// telescopes. x <= s holds in the whole range if x(hi) <= 2*s, as x grows.
static std::optional<Formula> doubledMinimum(const Formula &each, llvm::StringRef variable, const Formula &lo,
                                             const Formula &hi) {
  const Atom *atom = FormulaImpl::asAtom(each);
  if (!atom || atom->kind != AtomKind::Apply || atom->function != F::Minimum || atom->operands.size() != 2)
    return std::nullopt;
  Formula sum = atom->operands[0] + atom->operands[1];
  if (sum.mentions(variable))
    return std::nullopt;
  for (const Formula &x : atom->operands) {
    auto at = [&](const Formula &i) { return x.substitute({{variable.str(), i}}); };
    if (at(Formula::symbol(variable) + 1) == Formula(2) * x && FormulaImpl::isNonnegative(x) &&
        FormulaImpl::isNonnegative(Formula(2) * sum - at(hi)))
      return Formula::apply(F::Minimum, {at(hi), sum}) - Formula::apply(F::Minimum, {at(lo), sum});
  }
  return std::nullopt;
}

/// The sum over lo ..< hi in closed form as far as possible. `end`: the bound as given; `hi`: max(lo, end).
static Formula closedSum(const Formula &each, const std::string &variable, const Formula &lo, const Formula &hi,
                         const Formula &end) {
  auto at = [&](const Formula &f, const Formula &i) { return f.substitute({{variable, i}}); };
  if (std::optional<Formula> sum = FormulaImpl::antidifference(each, variable))
    return at(*sum, hi) - at(*sum, lo);
  // Sum term by term, with factors that do not depend on the variable outside.
  const FormulaImpl::Node &node = FormulaImpl::node(each);
  Formula below = FormulaImpl::make(node.denominator), result;
  bool isBelowFree = !below.mentions(variable);
  // Terms with the same dependent part make one sum.
  std::vector<std::pair<Formula, Formula>> parts; // dependent part, its factor
  for (const Monomial &term : node.numerator) {
    Monomial free{term.coefficient, {}}, dependent{1, {}};
    for (auto &factor : term.factors)
      (llvm::is_contained(factor.first->symbols, variable) ? dependent : free).factors.push_back(factor);
    Formula part = FormulaImpl::make(dependent), factor = FormulaImpl::make(free);
    if (isBelowFree)
      factor = factor / below;
    else
      part = part / below;
    auto known = llvm::find_if(parts, [&](auto &other) { return other.first == part; });
    if (known == parts.end())
      parts.push_back({part, factor});
    else
      known->second = known->second + factor;
  }
  for (auto &[part, factor] : parts) {
    Formula sum;
    if (std::optional<Formula> closed = FormulaImpl::antidifference(part, variable))
      sum = at(*closed, hi) - at(*closed, lo);
    else if (std::optional<Formula> minimum = doubledMinimum(part, variable, lo, hi))
      sum = *minimum;
    else
      sum = FormulaImpl::over(Formula::Over::Sum, part, variable, lo, end, 1);
    result = result + factor * sum;
  }
  return result;
}

Formula FormulaImpl::joinedSums(const Formula &f) {
  struct Group {
    Formula outside, lo, hi, each;
    unsigned parts = 0;
  };
  const Formula index = Formula::symbol("index'");
  std::vector<Group> groups;
  Monomials rest;
  for (const Monomial &term : node(f).numerator) {
    auto sum = llvm::find_if(term.factors, [](const auto &factor) {
      const Atom &a = *factor.first;
      return a.kind == AtomKind::Over && a.over == Formula::Over::Sum && factor.second == 1 && a.operands[3] == Formula(1);
    });
    if (sum == term.factors.end()) {
      rest.push_back(term);
      continue;
    }
    const Atom &a = *sum->first;
    Monomial outside{1, {}};
    for (const auto &factor : term.factors)
      if (factor.first != &a)
        outside.factors.push_back(factor);
    Group group{make(outside), a.operands[1], a.operands[2], number(term.coefficient) * a.operands[0].substitute({{a.name, index}}), 1};
    auto same = llvm::find_if(groups, [&](const Group &g) {
      return g.outside == group.outside && g.lo == group.lo && g.hi == group.hi;
    });
    if (same == groups.end()) {
      groups.push_back(std::move(group));
    } else {
      same->each = same->each + group.each;
      ++same->parts;
    }
  }
  for (Group &group : groups) {
    // The length of the range, 0 if hi < lo.
    const Formula count = Formula::apply(F::Maximum, {group.lo, group.hi}) - group.lo;
    if (!asAtom(count))
      continue;
    for (size_t i = 0; i < rest.size(); ++i) {
      const std::optional<Rational> constant = (make(rest[i]) / group.outside / count).number();
      if (!constant)
        continue;
      group.each = group.each + Formula(*constant);
      ++group.parts;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
  if (llvm::all_of(groups, [](const Group &group) { return group.parts == 1; }))
    return f;
  Formula result = make(rest);
  for (const Group &group : groups)
    result = result + group.outside * over(Formula::Over::Sum, group.each, "index'", group.lo, group.hi, 1);
  return result / denominator(f);
}

Formula Formula::over(Over kind, const Formula &each, llvm::StringRef variable, const Formula &lo, const Formula &hi,
                      const Formula &condition, bool rangeIsOrdered) {
  AlgebraLock lock;
  std::optional<Number> always = FormulaImpl::number(condition);
  if (always && always->is_zero())
    return 0;
  std::optional<Rational> length = (hi - lo).number();
  if (length && *length <= Rational(0))
    return 0;
  const std::string name = variable.str();
  if (length && length->isInteger() && length->num() <= limits::unrolledTerms) {
    std::optional<Formula> result;
    bool isDecided = true;
    for (std::int64_t i = 0; i < length->num() && isDecided; ++i) {
      std::pair<std::string, Formula> here(name, lo + i);
      std::optional<Number> counts = FormulaImpl::number(condition.substitute(here));
      isDecided = counts.has_value();
      if (!counts || counts->is_zero())
        continue;
      Formula term = each.substitute(here);
      result = !result             ? term
               : kind == Over::Sum ? *result + term
                                   : apply(kind == Over::Minimum ? F::Minimum : F::Maximum, {*result, term});
    }
    if (isDecided)
      return result.value_or(0);
  }
  if (kind == Over::Sum && always)
    return closedSum(each, name, lo, rangeIsOrdered ? hi : apply(F::Maximum, {lo, hi}), hi);
  if (always && !each.mentions(name) && FormulaImpl::isNonnegative(hi - lo - 1))
    return each;
  return FormulaImpl::over(kind, each, name, lo, hi, always ? Formula(1) : condition);
}

} // namespace quadrille::compiler
