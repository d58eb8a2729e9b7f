//===- Formula.cpp - Formulas: their form, arithmetic, substitution -------------------------------------------------===//

#include "FormulaImpl.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <cassert>
#include <deque>

namespace quadrille::compiler {

std::recursive_mutex &AlgebraLock::mutex() {
  // Never destroyed: static formulas may be destroyed later.
  static auto *mutex = new std::recursive_mutex;
  return *mutex;
}

// ---- atoms -------------------------------------------------------------------------------------------------------------

namespace {
struct AtomTable {
  std::deque<Atom> atoms;
  llvm::StringMap<const Atom *> byKey;
};

AtomTable &table() {
  static auto *table = new AtomTable;
  return *table;
}

/// The atom of a GiNaC symbol, whose name is the number of the atom.
const Atom &atomOf(const GiNaC::ex &symbol) {
  return table().atoms[std::stoul(GiNaC::ex_to<GiNaC::symbol>(symbol).get_name())];
}

void merge(std::vector<std::string> &into, llvm::ArrayRef<std::string> names) {
  into.insert(into.end(), names.begin(), names.end());
  llvm::sort(into);
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

std::string numberKey(const Number &n) {
  std::ostringstream out;
  out << n;
  return out.str();
}
} // namespace

Formula FormulaImpl::intern(Atom atom) {
  atom.key = std::string(1, "sacevp"[static_cast<int>(atom.kind)]);
  if (atom.kind == AtomKind::Apply)
    atom.key += std::to_string(static_cast<int>(atom.function));
  if (atom.kind == AtomKind::Over)
    atom.key += std::to_string(static_cast<int>(atom.over));
  atom.key += atom.name + (atom.isReal ? "'" : "");
  for (const Formula &operand : atom.operands)
    atom.key += (&operand == &atom.operands.front() ? "(" : ",") + key(operand);
  if (!atom.operands.empty())
    atom.key += ")";
  auto [known, isNew] = table().byKey.try_emplace(atom.key, nullptr);
  if (isNew) {
    if (atom.kind == AtomKind::Symbol)
      atom.symbols = {atom.name};
    for (const Formula &operand : atom.operands)
      merge(atom.symbols, operand.symbols());
    if (atom.kind == AtomKind::Over) {
      // The variable is bound. The bounds of the range never mention its name (see FormulaImpl::over).
      llvm::erase(atom.symbols, atom.name);
    }
    atom.symbol = GiNaC::symbol(std::to_string(table().atoms.size()));
    table().atoms.push_back(std::move(atom));
    known->second = &table().atoms.back();
  }
  return make(Monomial{1, {{known->second, 1}}});
}

/// The usual order of factors: p, k, other numbers, functions; then alpha, beta, gamma; then n and what depends on it.
static int rank(const Atom &atom) {
  if (atom.kind == AtomKind::Symbol)
    return llvm::StringSwitch<int>(atom.name).Case("p", 0).Case("k", 1).Cases("alpha", "beta", "gamma", 6).Case("n", 7).Default(2);
  return llvm::is_contained(atom.symbols, "n") ? 8 : atom.kind == AtomKind::Power ? 3 : 4;
}

bool comesBefore(const Atom &a, const Atom &b) {
  if (&a == &b)
    return false;
  int x = rank(a), y = rank(b);
  return x != y ? x < y : a.key < b.key;
}

static int unitOf(const Monomial &term) {
  int unit = 3;
  for (auto &[atom, exponent] : term.factors)
    if (atom->kind == AtomKind::Symbol)
      unit = std::min(unit, llvm::StringSwitch<int>(atom->name).Case("alpha", 0).Case("beta", 1).Case("gamma", 2).Default(3));
  return unit;
}

bool comesBefore(const Monomial &a, const Monomial &b) {
  if (int x = unitOf(a), y = unitOf(b); x != y)
    return x < y;
  if (int x = a.degree(), y = b.degree(); x != y)
    return x > y;
  for (size_t i = 0; i < std::min(a.factors.size(), b.factors.size()); ++i) {
    auto &[x, e] = a.factors[i];
    auto &[y, f] = b.factors[i];
    if (x != y)
      return comesBefore(*x, *y);
    if (e != f)
      return e > f;
  }
  return a.factors.size() > b.factors.size();
}

// ---- the normal form --------------------------------------------------------------------------------------------------

namespace {
/// Multiplies a term by a factor. Returns false if the result is no term of a polynomial.
bool addFactor(Monomial &term, const GiNaC::ex &factor) {
  if (GiNaC::is_a<Number>(factor)) {
    term.coefficient *= GiNaC::ex_to<Number>(factor);
    return true;
  }
  if (GiNaC::is_a<GiNaC::symbol>(factor)) {
    term.factors.push_back({&atomOf(factor), 1});
    return true;
  }
  if (!GiNaC::is_a<GiNaC::power>(factor) || !GiNaC::is_a<GiNaC::symbol>(factor.op(0)) ||
      !factor.op(1).info(GiNaC::info_flags::posint))
    return false;
  term.factors.push_back({&atomOf(factor.op(0)), GiNaC::ex_to<Number>(factor.op(1)).to_int()});
  return true;
}

/// The sorted terms of an expanded polynomial; nothing if the expression is none.
std::optional<Monomials> termsOf(const GiNaC::ex &polynomial) {
  Monomials terms;
  auto add = [&](const GiNaC::ex &summand) {
    Monomial term{1, {}};
    bool ok = true;
    if (GiNaC::is_a<GiNaC::mul>(summand))
      for (size_t i = 0; i < summand.nops() && ok; ++i)
        ok = addFactor(term, summand.op(i));
    else
      ok = addFactor(term, summand);
    llvm::sort(term.factors, [](auto &a, auto &b) { return comesBefore(*a.first, *b.first); });
    if (ok && !term.coefficient.is_zero())
      terms.push_back(std::move(term));
    return ok;
  };
  if (GiNaC::is_a<GiNaC::add>(polynomial)) {
    for (size_t i = 0; i < polynomial.nops(); ++i)
      if (!add(polynomial.op(i)))
        return std::nullopt;
  } else if (!add(polynomial)) {
    return std::nullopt;
  }
  llvm::sort(terms, [](const Monomial &a, const Monomial &b) { return comesBefore(a, b); });
  return terms;
}

GiNaC::ex valueOf(const Monomial &term) {
  GiNaC::ex result = term.coefficient;
  for (auto &[atom, exponent] : term.factors)
    result *= GiNaC::pow(atom->symbol, exponent);
  return result;
}

GiNaC::ex valueOf(const Monomials &terms) {
  GiNaC::exvector summands;
  for (const Monomial &term : terms)
    summands.push_back(valueOf(term));
  return GiNaC::dynallocate<GiNaC::add>(summands);
}

bool isSquareRoot(const Atom &atom) {
  return atom.kind == AtomKind::Apply && atom.function == FormulaFunction::SquareRoot;
}

/// Replaces sqrt(x)**2 by x, and moves sqrt(x) from a denominator that is a product. Nothing if this changes nothing.
std::optional<GiNaC::ex> withoutSquaredRoots(const Monomials &numerator, const Monomials &denominator) {
  bool changed = false;
  GiNaC::exvector summands;
  GiNaC::ex below = 1;
  for (const Monomials *terms : {&numerator, &denominator}) {
    bool isDenominator = terms == &denominator;
    GiNaC::exvector parts;
    for (const Monomial &term : *terms) {
      GiNaC::ex part = term.coefficient;
      for (auto &[atom, exponent] : term.factors)
        if (isSquareRoot(*atom) && (exponent > 1 || (isDenominator && denominator.size() == 1))) {
          changed = true;
          const GiNaC::ex &square = FormulaImpl::value(atom->operands[0]);
          // 1/sqrt(x) = sqrt(x)/x
          int half = isDenominator ? (exponent + 1) / 2 : exponent / 2;
          part *= GiNaC::pow(square, half) * GiNaC::pow(atom->symbol, exponent - 2 * half);
        } else {
          part *= GiNaC::pow(atom->symbol, exponent);
        }
      parts.push_back(part);
    }
    if (isDenominator)
      below = GiNaC::dynallocate<GiNaC::add>(parts);
    else
      summands = parts;
  }
  if (!changed)
    return std::nullopt;
  return GiNaC::dynallocate<GiNaC::add>(summands) / below;
}

/// The number by which numerator and denominator are divided, so that equal quotients have equal denominators.
Number unitOfDenominator(const Monomials &denominator) {
  Number common = 0, multiple = 1;
  for (const Monomial &term : denominator) {
    common = GiNaC::gcd(common, term.coefficient.numer());
    multiple = GiNaC::lcm(multiple, term.coefficient.denom());
  }
  Number unit = multiple / common;
  return denominator[0].coefficient.is_negative() ? -unit : unit;
}
} // namespace

Formula FormulaImpl::make(const GiNaC::ex &expression) {
  auto result = std::make_shared<Node>();
  GiNaC::ex value = expression.expand();
  std::optional<Monomials> terms = termsOf(value);
  if (terms) {
    result->denominator = {Monomial{1, {}}};
  } else {
    GiNaC::ex parts = value.normal().numer_denom();
    GiNaC::ex above = parts.op(0).expand(), below = parts.op(1).expand();
    Monomials denominator = *termsOf(below);
    Number unit = unitOfDenominator(denominator);
    above = (above * unit).expand();
    below = (below * unit).expand();
    terms = termsOf(above);
    result->denominator = *termsOf(below);
    value = above / below;
  }
  if (terms->size() > limits::formulaTerms || result->denominator.size() > limits::formulaTerms)
    throw FormulaTooLarge(limits::formulaTerms);
  if (std::optional<GiNaC::ex> simpler = withoutSquaredRoots(*terms, result->denominator))
    return make(*simpler);
  result->value = value;
  result->numerator = std::move(*terms);
  auto keyOf = [](const Monomials &terms) {
    std::string key;
    for (const Monomial &term : terms) {
      key += (key.empty() ? "" : "+") + numberKey(term.coefficient);
      for (auto &[atom, exponent] : term.factors)
        key += "*" + atom->key + (exponent == 1 ? "" : "^" + std::to_string(exponent));
    }
    return key.empty() ? "0" : key;
  };
  result->key = keyOf(result->numerator);
  if (!result->isPolynomial())
    result->key = "(" + result->key + ")/(" + keyOf(result->denominator) + ")";
  if (result->key.size() > limits::formulaKey)
    throw FormulaTooLarge(limits::formulaKey);
  return Formula(std::move(result));
}

Formula FormulaImpl::make(const Monomials &terms) { return make(valueOf(terms)); }

const Atom *FormulaImpl::asAtom(const Formula &f) {
  const Node &n = node(f);
  bool is = n.isPolynomial() && n.numerator.size() == 1 && n.numerator[0].factors.size() == 1 &&
            n.numerator[0].factors[0].second == 1 && n.numerator[0].coefficient.is_equal(1);
  return is ? n.numerator[0].factors[0].first : nullptr;
}

std::optional<Number> FormulaImpl::number(const Formula &f) {
  const Node &n = node(f);
  if (!n.isPolynomial() || n.numerator.size() > 1)
    return std::nullopt;
  if (n.numerator.empty())
    return Number(0);
  return n.numerator[0].factors.empty() ? std::optional<Number>(n.numerator[0].coefficient) : std::nullopt;
}

std::vector<const Atom *> FormulaImpl::atoms(const Formula &f) {
  std::vector<const Atom *> result;
  for (const Monomials *terms : {&node(f).numerator, &node(f).denominator})
    for (const Monomial &term : *terms)
      for (auto &[atom, exponent] : term.factors)
        result.push_back(atom);
  llvm::sort(result, [](const Atom *a, const Atom *b) { return comesBefore(*a, *b); });
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// ---- the interface -----------------------------------------------------------------------------------------------------



Formula::Formula(std::shared_ptr<const Node> node) : node(std::move(node)) {
  assert(this->node && !this->node->denominator.empty() && "a formula is a quotient of two polynomials");
}

Formula::Formula(std::int64_t value) {
  AlgebraLock lock;
  *this = FormulaImpl::number(toNumber(Rational(value)));
}

Formula::Formula(const Rational &value) {
  AlgebraLock lock;
  *this = FormulaImpl::number(toNumber(value));
}

Formula Formula::symbol(llvm::StringRef name, bool isReal) {
  AlgebraLock lock;
  Atom atom;
  atom.name = name.str();
  atom.isReal = isReal || name == "alpha" || name == "beta" || name == "gamma";
  return FormulaImpl::intern(std::move(atom));
}

static Formula application(AtomKind kind, llvm::StringRef name, llvm::ArrayRef<Formula> operands) {
  AlgebraLock lock;
  Atom atom;
  atom.kind = kind;
  atom.name = name.str();
  atom.operands = operands;
  return FormulaImpl::intern(std::move(atom));
}

Formula Formula::call(llvm::StringRef name, llvm::ArrayRef<Formula> operands) {
  return application(AtomKind::Call, name, operands);
}

Formula Formula::entry(llvm::StringRef table, llvm::ArrayRef<Formula> indices) {
  return application(AtomKind::Entry, table, indices);
}

Formula Formula::operator+(const Formula &other) const {
  AlgebraLock lock;
  return FormulaImpl::make(node->value + other.node->value);
}

Formula Formula::operator-(const Formula &other) const {
  AlgebraLock lock;
  return FormulaImpl::make(node->value - other.node->value);
}

Formula Formula::operator*(const Formula &other) const {
  AlgebraLock lock;
  // Checked before: GiNaC expands the product at once.
  if (node->numerator.size() * other.node->numerator.size() > limits::formulaProducts ||
      node->denominator.size() * other.node->denominator.size() > limits::formulaProducts)
    throw FormulaTooLarge(limits::formulaProducts);
  return FormulaImpl::make(node->value * other.node->value);
}

Formula Formula::operator/(const Formula &other) const {
  AlgebraLock lock;
  if (other.node->numerator.empty())
    return FormulaImpl::undefined(*this);
  return FormulaImpl::make(node->value / other.node->value);
}

bool Formula::operator==(const Formula &other) const { return node == other.node || node->key == other.node->key; }

std::optional<Rational> Formula::number() const {
  AlgebraLock lock;
  std::optional<Number> n = FormulaImpl::number(*this);
  return n ? toRational(*n) : std::nullopt;
}

std::vector<std::string> Formula::symbols() const {
  AlgebraLock lock;
  std::vector<std::string> result;
  for (const Atom *atom : FormulaImpl::atoms(*this))
    merge(result, atom->symbols);
  return result;
}

bool Formula::mentions(llvm::StringRef symbol) const { return llvm::is_contained(symbols(), symbol); }

// ---- substitution and the like -----------------------------------------------------------------------------------------

using Replacements = llvm::ArrayRef<std::pair<std::string, Formula>>;

static Formula substituted(const Atom &atom, Replacements by) {
  if (atom.kind == AtomKind::Symbol) {
    for (auto &[name, formula] : by)
      if (name == atom.name)
        return formula;
    return Formula::symbol(atom.name, atom.isReal);
  }
  std::vector<Formula> operands = atom.operands;
  if (atom.kind != AtomKind::Over) {
    for (Formula &operand : operands)
      operand = operand.substitute(by);
    return FormulaImpl::rebuild(atom, operands);
  }
  // A replacement may mention a symbol with the name of the bound variable: rename the variable.
  std::string fresh = "%" + atom.name;
  auto isTaken = [&] {
    return llvm::any_of(atom.operands, [&](const Formula &operand) { return operand.mentions(fresh); }) ||
           llvm::any_of(by, [&](auto &replacement) { return replacement.first == fresh || replacement.second.mentions(fresh); });
  };
  while (isTaken())
    fresh = "%" + fresh;
  std::vector<std::pair<std::string, Formula>> inner;
  for (auto &replacement : by)
    if (replacement.first != atom.name)
      inner.push_back(replacement);
  inner.push_back({atom.name, Formula::symbol(fresh)});
  for (size_t i = 0; i < operands.size(); ++i)
    operands[i] = operands[i].substitute(i == 1 || i == 2 ? by : Replacements(inner));
  return Formula::over(atom.over, operands[0], fresh, operands[1], operands[2], operands[3]);
}

Formula Formula::substitute(Replacements by) const {
  AlgebraLock lock;
  GiNaC::exmap map;
  for (const Atom *atom : FormulaImpl::atoms(*this))
    if (llvm::any_of(by, [&](auto &replacement) { return llvm::is_contained(atom->symbols, replacement.first); }))
      map[atom->symbol] = FormulaImpl::value(substituted(*atom, by));
  return map.empty() ? *this : FormulaImpl::replaced(*this, map);
}

Formula FormulaImpl::replaced(const Formula &f, const GiNaC::exmap &map) {
  // Separately, as the denominator may become 0.
  auto part = [&](const Monomials &terms) { return make(valueOf(terms).subs(map, GiNaC::subs_options::no_pattern)); };
  return part(node(f).numerator) / part(node(f).denominator);
}

Formula Formula::rewrite(Rewriter by) const {
  AlgebraLock lock;
  GiNaC::exmap map;
  for (const Atom *atom : FormulaImpl::atoms(*this)) {
    if (atom->operands.empty())
      continue;
    std::vector<Formula> operands;
    for (const Formula &operand : atom->operands)
      operands.push_back(operand.rewrite(by));
    std::optional<Formula> other = atom->kind == AtomKind::Apply ? by(atom->function, operands) : std::nullopt;
    if (!other && operands != atom->operands)
      other = FormulaImpl::rebuild(*atom, operands);
    if (other)
      map[atom->symbol] = FormulaImpl::value(*other);
  }
  return map.empty() ? *this : FormulaImpl::replaced(*this, map);
}

/// The derivative of an atom that mentions the symbol.
static std::optional<Formula> derivativeOf(const Atom &atom, llvm::StringRef symbol) {
  if (atom.kind == AtomKind::Symbol)
    return Formula(1);
  if (isSquareRoot(atom)) {
    std::optional<Formula> inner = atom.operands[0].derivative(symbol);
    return inner ? std::optional(*inner / (Formula(2) * FormulaImpl::make(GiNaC::ex(atom.symbol)))) : std::nullopt;
  }
  if (atom.kind == AtomKind::Power && !atom.operands[1].mentions(symbol)) {
    std::optional<Formula> inner = atom.operands[0].derivative(symbol);
    const Formula &exponent = atom.operands[1];
    return inner ? std::optional(exponent * atom.operands[0].power(exponent - 1) * *inner) : std::nullopt;
  }
  if (atom.kind == AtomKind::Over && atom.over == Formula::Over::Sum && !atom.operands[1].mentions(symbol) &&
      !atom.operands[2].mentions(symbol) && !atom.operands[3].mentions(symbol)) {
    std::optional<Formula> inner = atom.operands[0].derivative(symbol);
    if (inner)
      return Formula::over(atom.over, *inner, atom.name, atom.operands[1], atom.operands[2], atom.operands[3]);
  }
  if (atom.kind == AtomKind::Apply && atom.function == FormulaFunction::Select && !atom.operands[0].mentions(symbol)) {
    std::optional<Formula> yes = atom.operands[1].derivative(symbol), no = atom.operands[2].derivative(symbol);
    if (yes && no)
      return Formula::apply(FormulaFunction::Select, {atom.operands[0], *yes, *no});
  }
  return std::nullopt;
}

std::optional<Formula> Formula::derivative(llvm::StringRef symbol) const {
  AlgebraLock lock;
  Formula result;
  for (const Atom *atom : FormulaImpl::atoms(*this))
    if (llvm::is_contained(atom->symbols, symbol)) {
      std::optional<Formula> inner = derivativeOf(*atom, symbol);
      if (!inner)
        return std::nullopt;
      result = result + FormulaImpl::make(node->value.diff(atom->symbol)) * *inner;
    }
  return result;
}

std::optional<Formula> Formula::coefficient(llvm::StringRef symbol, unsigned degree) const {
  AlgebraLock lock;
  auto isSymbol = [&](const Atom &atom) { return atom.kind == AtomKind::Symbol && atom.name == symbol; };
  for (const Atom *atom : FormulaImpl::atoms(*this))
    if (!isSymbol(*atom) && llvm::is_contained(atom->symbols, symbol))
      return std::nullopt;
  for (const Monomial &term : node->denominator)
    for (auto &[atom, exponent] : term.factors)
      if (isSymbol(*atom))
        return std::nullopt;
  Monomials terms;
  for (const Monomial &term : node->numerator) {
    Monomial rest{term.coefficient, {}};
    unsigned found = 0;
    for (auto &factor : term.factors)
      if (isSymbol(*factor.first))
        found = static_cast<unsigned>(factor.second);
      else
        rest.factors.push_back(factor);
    if (found == degree)
      terms.push_back(std::move(rest));
  }
  return FormulaImpl::make(terms) / FormulaImpl::denominator(*this);
}

} // namespace quadrille::compiler
