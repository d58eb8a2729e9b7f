//===- TermFormulas.cpp - Formulas from the prover's terms -----------------------------------------------------------------===//

#include "TermFormulas.h"

#include "prove/terms/Symbols.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

using namespace prove;

namespace {

constexpr llvm::StringLiteral tablePrefix = "table";

/// Thrown for a term that has no formula.
struct Untranslatable {};

class Translator {
public:
  explicit Translator(const ir::Schedule &schedule) : schedule(schedule) {
    auto isTaken = [&](llvm::StringRef name) {
      return name == "n" || name == "p" ||
             llvm::any_of(schedule.variables, [&](const ir::Variable &v) { return v.name == name; });
    };
    for (llvm::StringRef name : {"i", "j", "l", "h", "u", "v"})
      if (!isTaken(name))
        indexNames.push_back(name.str());
  }

  Formula operator()(Term term) {
    auto [entry, isNew] = known.try_emplace(term);
    if (!isNew)
      return entry->second;
    Formula result = translate(term);
    return known[term] = result; // `entry` may be invalid after the recursive call
  }

private:
  using Function = FormulaFunction;

  Formula apply(Function function, llvm::ArrayRef<Term> operands) {
    llvm::SmallVector<Formula, 3> formulas;
    for (Term operand : operands)
      formulas.push_back((*this)(operand));
    return Formula::apply(function, formulas);
  }

  Formula translate(Term term) {
    const auto &operands = term->operands;
    switch (term->kind) {
    case TermKind::Variable:
      return Formula::symbol(nameOf(term));
    case TermKind::Sum: {
      Formula sum = term->constant;
      for (const Monomial &part : term->monomials)
        sum = sum + Formula(part.coefficient) * (*this)(part.atom);
      return sum;
    }
    case TermKind::Product: {
      Formula product = 1;
      for (Term factor : operands)
        product = product * (*this)(factor);
      return product;
    }
    case TermKind::Modulo:
      return apply(Function::Modulo, operands);
    case TermKind::Quotient:
      return apply(Function::Divide, operands);
    case TermKind::Power2:
      return Formula(2).power((*this)(operands[0]));
    case TermKind::Power:
      return (*this)(operands[0]).power((*this)(operands[1]));
    case TermKind::CeilLog2:
      return apply(Function::CeilLog2, operands);
    case TermKind::FloorLog2:
      return apply(Function::FloorLog2, operands);
    case TermKind::BitXor:
      return apply(Function::BitXor, operands);
    case TermKind::BitAnd:
      return apply(Function::BitAnd, operands);
    case TermKind::BitOr:
      return apply(Function::BitOr, operands);
    case TermKind::Select:
      return select(operands[0], operands[1], operands[2]);
    case TermKind::Apply:
      return application(term);
    case TermKind::True:
      return 1;
    case TermKind::False:
      return 0;
    case TermKind::AtLeastZero:
      return comparison(operands[0], Function::LessEqual);
    case TermKind::IsZero:
      return comparison(operands[0], Function::Equal);
    case TermKind::Bit:
      return Formula::apply(Function::Equal, {Formula::apply(Function::Modulo, {apply(Function::Divide, operands), 2}), 1});
    case TermKind::IsPower2:
      return apply(Function::IsPow2, operands);
    case TermKind::Not:
      if (operands[0]->kind == TermKind::AtLeastZero) // not a >= 0, so a + 1 <= 0
        return comparison(operands[0]->operands[0], Function::Less, /*turned=*/true);
      return apply(Function::Not, operands);
    case TermKind::And:
    case TermKind::Or: {
      Formula result = (*this)(operands[0]);
      for (Term operand : llvm::drop_begin(operands))
        result = Formula::apply(term->kind == TermKind::And ? Function::And : Function::Or, {result, (*this)(operand)});
      return result;
    }
    }
    throw Untranslatable{};
  }

  /// The name of a variable. Variables of sums are numbered from the innermost sum, which is 0.
  std::string nameOf(Term variable) {
    llvm::StringRef name = variable->name;
    unsigned depth;
    if (name.consume_front(aggregateIndex) && !name.getAsInteger(10, depth)) {
      if (depth >= indexNames.size())
        throw Untranslatable{};
      return indexNames[depth];
    }
    const llvm::ArrayRef<ir::Variable> numbers =
        llvm::ArrayRef(schedule.variables).slice(ir::Schedule::firstNumber, schedule.numberCount);
    if (name != "p" && llvm::none_of(numbers, [&](const ir::Variable &v) { return v.name == variable->name; }))
      throw Untranslatable{};
    return variable->name;
  }

  /// a >= 0 or a == 0, with negative terms moved to the other side.
  Formula comparison(Term a, Function function, bool turned = false) {
    Formula plus = 0, minus = 0;
    std::int64_t constant = TermPool::constantOf(a);
    for (const Monomial &part : TermPool::monomialsOf(a)) {
      Formula value = Formula(std::abs(part.coefficient)) * (*this)(part.atom);
      (part.coefficient > 0 ? plus : minus) = (part.coefficient > 0 ? plus : minus) + value;
    }
    if (function == Function::LessEqual && constant == -1) { // minus + 1 <= plus
      function = Function::Less;
      constant = 0;
    }
    (constant > 0 ? plus : minus) = (constant > 0 ? plus : minus) + Formula(constant > 0 ? constant : -constant);
    return turned ? Formula::apply(function, {plus, minus}) : Formula::apply(function, {minus, plus});
  }

  Formula select(Term condition, Term yes, Term no) {
    if (condition->kind == TermKind::AtLeastZero && !yes->isBoolean())
      for (const auto &[x, y, function] : {std::tuple(yes, no, Function::Minimum), std::tuple(no, yes, Function::Maximum)}) {
        // x <= y or x < y
        const Formula difference = (*this)(y) - (*this)(x);
        const Formula known = (*this)(condition->operands[0]);
        for (int more : {0, 1})
          if ((difference - known - Formula(more)).number() == Rational(0))
            return Formula::apply(function, {(*this)(yes), (*this)(no)});
      }
    return Formula::apply(Function::Select, {(*this)(condition), (*this)(yes), (*this)(no)});
  }

  Formula application(Term term) {
    const auto &operands = term->operands;
    llvm::StringRef name = term->name;
    unsigned table;
    if (name.consume_front(tablePrefix) && !name.getAsInteger(10, table) && table < schedule.tables.size()) {
      llvm::SmallVector<Formula, 2> indices;
      for (Term index : operands)
        indices.push_back((*this)(index));
      return Formula::entry(schedule.tables[table].name, indices);
    }
    if (name == prove::squareRootName)
      return apply(Function::SquareRoot, operands);
    const bool isSum = term->name == "sum";
    if ((!isSum && term->name != "max") || operands.size() != 3)
      throw Untranslatable{};
    const unsigned depth = aggregateLevel(term);
    if (depth >= indexNames.size())
      throw Untranslatable{};
    Formula condition = 1;
    if (const Term choice = operands[1]; choice->kind == TermKind::Select) { // 1 if the condition holds, else 0
      const Formula chosen = (*this)(choice->operands[0]);
      const auto yes = TermPool::asInteger(choice->operands[1]), no = TermPool::asInteger(choice->operands[2]);
      if (yes == 1 && no == 0)
        condition = chosen;
      else if (yes == 0 && no == 1)
        condition = Formula::apply(Function::Not, {chosen});
      else
        throw Untranslatable{};
    } else if (TermPool::asInteger(choice) != 1) {
      throw Untranslatable{};
    }
    const Formula count = (*this)(operands[2]);
    return Formula::over(isSum ? Formula::Over::Sum : Formula::Over::Maximum, (*this)(operands[0]), indexNames[depth], 0,
                         count, condition, /*rangeIsOrdered=*/true);
  }

  const ir::Schedule &schedule;
  std::vector<std::string> indexNames;
  llvm::DenseMap<Term, Formula> known;
};

} // namespace

std::optional<Formula> formulaOf(Term term, const ir::Schedule &schedule) {
  try {
    return Translator(schedule)(term);
  } catch (const Untranslatable &) {
    return std::nullopt;
  } catch (const FormulaTooLarge &) {
    return std::nullopt;
  }
}

std::optional<DerivedFormulas> formulasOf(const DerivedCost &cost, const ir::Schedule &schedule) {
  const bool isSplit = TermPool::asInteger(cost.packets) != 0;
  std::optional<Formula> startups = formulaOf(cost.startups, schedule), blocks = formulaOf(cost.blocks, schedule),
                         packets = formulaOf(cost.packets, schedule), own = formulaOf(cost.own, schedule),
                         parts = isSplit ? formulaOf(cost.packetsPerBlock, schedule) : Formula(1);
  if (!startups || !blocks || !packets || !own || !parts)
    return std::nullopt;
  const Formula n = Formula::symbol("n");
  Formula words = *blocks * n;
  if (isSplit)
    words = words + *packets * Formula::apply(FormulaFunction::Ceiling, {n / *parts});
  return DerivedFormulas{*startups, words / Formula(cost.denominator) + *own};
}

} // namespace quadrille::compiler
