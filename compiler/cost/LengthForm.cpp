//===- LengthForm.cpp - Costs in which lengths are symbols --------------------------------------------------------------------------===//

#include "LengthForm.h"

#include "LinearCost.h"

#include "evaluate/Work.h"
#include "limits/Limits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <cassert>

namespace quadrille::compiler {

using ir::Op;

static Rational countOf(const LengthSum &sum, std::uint32_t symbol) {
  const auto found = sum.find(symbol);
  return found == sum.end() ? Rational(0) : found->second;
}

static void add(LengthSum &to, const LengthSum &sum, const Rational &times) {
  for (const auto &[symbol, count] : sum) {
    const auto [entry, isNew] = to.try_emplace(symbol, 0);
    entry->second = entry->second + count * times;
    if (entry->second.isZero())
      to.erase(entry);
  }
}

LengthForm::LengthForm(const Rational &number) {
  if (!number.isZero())
    sum[one] = number;
}

LengthForm LengthForm::length(std::uint32_t symbol) {
  LengthForm result;
  result.sum[symbol] = 1;
  return result;
}

/// Whether x <= by for all lengths: no count in x is larger.
bool LengthForm::isCovered(const LengthSum &x, const LengthSum &by) {
  return llvm::all_of(x, [&](const auto &part) { return part.second <= countOf(by, part.first); }) &&
         llvm::all_of(by, [&](const auto &part) { return countOf(x, part.first) <= part.second; });
}

LengthForm LengthForm::largest(std::vector<LengthSum> sums) {
  assert(!sums.empty() && "a maximum has operands");
  llvm::sort(sums);
  sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
  auto totalOf = [](const LengthSum &sum) {
    Rational total;
    for (const auto &part : sum)
      total = total + part.second;
    return total;
  };
  std::vector<Rational> totals;
  for (const LengthSum &sum : sums)
    totals.push_back(totalOf(sum));
  // Drop sums that another one covers. The covering one has the larger total, which is quick to test first.
  Sums left;
  for (size_t i = 0; i < sums.size(); ++i)
    if (llvm::none_of(llvm::seq<size_t>(0, sums.size()), [&](size_t j) { return totals[i] < totals[j] && isCovered(sums[i], sums[j]); }))
      left.push_back(sums[i]);
  assert(!left.empty() && "the largest sum is not covered");
  // max(a + b, a + c) = a + max(b, c)
  LengthForm result;
  LengthSum symbols;
  for (const LengthSum &each : left)
    for (const auto &part : each)
      symbols[part.first] = 0;
  for (auto &[symbol, least] : symbols) {
    least = countOf(left.front(), symbol);
    for (const LengthSum &each : left)
      if (const Rational count = countOf(each, symbol); count < least)
        least = count;
    if (!least.isZero())
      result.sum[symbol] = least;
  }
  for (LengthSum &each : left)
    compiler::add(each, result.sum, -1);
  llvm::sort(left);
  if (left.size() == 1)
    return result;
  // max(2*a, 2*b) = 2*max(a, b)
  const Rational unit = left.back().begin()->second;
  for (LengthSum &each : left)
    for (auto &part : each)
      part.second = part.second / unit;
  result.maxima[std::move(left)] = unit;
  return result;
}

std::optional<LengthForm> LengthForm::largest(llvm::ArrayRef<LengthForm> forms) {
  std::vector<LengthSum> sums;
  assert(!forms.empty() && "a maximum has operands");
  for (const LengthForm &form : forms) {
    if (form.maxima.empty()) {
      sums.push_back(form.sum);
      continue;
    }
    const auto &[inner, times] = *form.maxima.begin();
    if (form.maxima.size() > 1 || times < 0)
      return std::nullopt;
    for (const LengthSum &each : inner) {
      sums.push_back(form.sum);
      compiler::add(sums.back(), each, times);
    }
  }
  return largest(std::move(sums));
}

void LengthForm::add(const LengthForm &other, const Rational &times) {
  if (times.isZero())
    return;
  compiler::add(sum, other.sum, times);
  for (const auto &[sums, count] : other.maxima) {
    const auto [entry, isNew] = maxima.try_emplace(sums, 0);
    entry->second = entry->second + count * times;
    if (entry->second.isZero())
      maxima.erase(entry);
  }
}

bool LengthForm::valid() const {
  auto isValid = [](const LengthSum &sum) { return llvm::all_of(sum, [](const auto &part) { return part.second.valid(); }); };
  return isValid(sum) && llvm::all_of(maxima, [&](const auto &maximum) {
           return maximum.second.valid() && llvm::all_of(maximum.first, isValid);
         });
}

std::optional<Rational> LengthForm::number() const {
  if (!maxima.empty() || llvm::any_of(sum, [](const auto &part) { return part.first != one; }))
    return std::nullopt;
  return countOf(sum, one);
}

Rational LengthForm::at(const Lengths &lengths) const {
  auto valueOf = [&](const LengthSum &sum) {
    assert((sum.empty() || sum.rbegin()->first < firstEntry + lengths.entries.size()) && "entries of other tables");
    Rational result;
    for (const auto &[symbol, count] : sum)
      result = result + count * (symbol == one ? 1 : symbol == n ? lengths.n : lengths.entries[symbol - firstEntry]);
    return result;
  };
  Rational result = valueOf(sum);
  for (const auto &[sums, count] : maxima) {
    Rational most; // 0 is a lower bound: no count in a maximum is negative
    for (const LengthSum &each : sums)
      if (const Rational value = valueOf(each); most < value)
        most = value;
    result = result + most * count;
  }
  return result;
}

bool LengthForm::isNowhereNegative() const {
  // A sufficient condition. Each maximum with a negative factor is cancelled against maxima with positive factors that are >= it
  // for all lengths. What remains of it is bounded by the sum, over all lengths, of the largest count; the rest is >= 0.
  std::map<Sums, Rational> more = maxima;
  LengthSum rest = sum;
  for (const auto &[less, times] : maxima) {
    if (Rational(0) < times)
      continue;
    Rational missing = times;
    for (auto &[sums, count] : more) {
      auto covers = [&, &sums = sums](const LengthSum &x) { return llvm::any_of(sums, [&](const LengthSum &by) { return isCovered(x, by); }); };
      if (Rational(0) < count && missing < 0 && llvm::all_of(less, covers)) {
        const Rational moved = count < missing * -1 ? count : missing * -1;
        count = count - moved;
        missing = missing + moved;
      }
    }
    LengthSum most;
    for (const LengthSum &each : less)
      for (const auto &[symbol, count] : each)
        if (Rational &known = most[symbol]; known < count)
          known = count;
    compiler::add(rest, most, missing);
  }
  return llvm::all_of(rest, [](const auto &part) { return Rational(0) <= part.second; });
}

// ---- clauses -------------------------------------------------------------------------------------------------------------

namespace {

/// Thrown if a formula is no sum of maxima of sums.
struct NoForm {};

class FormEvaluator {
public:
  FormEvaluator(const Frame &frame, const LengthTables &tables) : frame(frame), tables(tables) {}

  LengthFormCost value(const ir::Expr &expr) {
    if (isNumber(expr))
      return {number(expr), {}, {}, {}};
    count();
    switch (expr.op) {
    case Op::Alpha:
      return {{}, Rational(1), {}, {}};
    case Op::Beta:
      return {{}, {}, Rational(1), {}};
    case Op::Gamma:
      return {{}, {}, {}, Rational(1)};
    case Op::Length:
      return {LengthForm::length(LengthForm::n), {}, {}, {}};
    case Op::Element:
      return {element(expr), {}, {}, {}};
    case Op::Add:
      return sum(value(*expr.operands[0]), value(*expr.operands[1]), 1);
    case Op::Subtract:
      return sum(value(*expr.operands[0]), value(*expr.operands[1]), -1);
    case Op::Negate:
      return sum({}, value(*expr.operands[0]), -1);
    case Op::Multiply:
      return product(value(*expr.operands[0]), value(*expr.operands[1]));
    case Op::Ratio:
      if (!isNumber(*expr.operands[1]))
        throw NoForm();
      return sum({}, value(*expr.operands[0]), Rational(1) / number(*expr.operands[1]));
    case Op::Select:
      if (!isNumber(*expr.operands[0]))
        throw NoForm();
      return value(*expr.operands[number(*expr.operands[0]).isZero() ? 2 : 1]);
    case Op::SumOver: {
      LengthFormCost result;
      forEachOver(expr, [&](const ir::Expr &each) { result = sum(std::move(result), value(each), 1); });
      return result;
    }
    case Op::Maximum:
      return {largest({lengths(*expr.operands[0]), lengths(*expr.operands[1])}), {}, {}, {}};
    case Op::MaximumOver: {
      std::vector<LengthForm> each;
      forEachOver(expr, [&](const ir::Expr &one) { each.push_back(lengths(one)); });
      return {each.empty() ? LengthForm() : largest(each), {}, {}, {}};
    }
    default:
      throw NoForm();
    }
  }

private:
  void count() {
    Work::count(Work::ofCostOperation);
    if (++operations > limits::lengthFormOperations)
      throw NoForm();
  }

  /// Whether the expression mentions neither lengths nor alpha, beta, gamma.
  bool isNumber(const ir::Expr &expr) {
    const auto [known, isNew] = numbers.try_emplace(&expr, false);
    if (isNew)
      known->second = !ir::anyPart(expr, [](const ir::Expr &part) {
        return part.op == Op::Alpha || part.op == Op::Beta || part.op == Op::Gamma || part.op == Op::Length || part.op == Op::Element;
      });
    return known->second;
  }
  Rational number(const ir::Expr &expr) {
    count();
    return evaluateClause(expr, frame, Lengths()).constant.constant();
  }
  std::int64_t integer(const ir::Expr &expr) {
    if (!isNumber(expr))
      throw NoForm();
    const Rational result = number(expr);
    if (!result.isInteger())
      throw NoForm(); // an error that does not depend on lengths; reported elsewhere
    return result.num();
  }

  LengthForm element(const ir::Expr &expr) {
    llvm::SmallVector<std::int64_t, 2> indices;
    for (const ir::Expr *index : expr.operands)
      indices.push_back(integer(*index));
    const std::optional<std::uint32_t> entry = (*tables)[expr.variable].entry(indices);
    if (!entry)
      throw NoForm();
    return LengthForm::length(LengthForm::firstEntry + *entry);
  }

  static LengthFormCost sum(LengthFormCost x, const LengthFormCost &y, const Rational &times) {
    for (LengthForm LengthFormCost::*part : {&LengthFormCost::constant, &LengthFormCost::a, &LengthFormCost::b, &LengthFormCost::c})
      (x.*part).add(y.*part, times);
    return x;
  }

  static LengthFormCost product(LengthFormCost x, LengthFormCost y) {
    if (!isLengths(x) && isLengths(y))
      std::swap(x, y);
    if (!isLengths(x))
      throw NoForm();
    if (const std::optional<Rational> times = x.constant.number())
      return sum({}, y, *times);
    // A form times numbers of alpha, beta and gamma.
    LengthFormCost result;
    for (LengthForm LengthFormCost::*part : {&LengthFormCost::constant, &LengthFormCost::a, &LengthFormCost::b, &LengthFormCost::c}) {
      const std::optional<Rational> times = (y.*part).number();
      if (!times)
        throw NoForm();
      (result.*part).add(x.constant, *times);
    }
    return result;
  }

  static bool isLengths(const LengthFormCost &x) { return x.a.isZero() && x.b.isZero() && x.c.isZero(); }
  LengthForm lengths(const ir::Expr &expr) {
    LengthFormCost result = value(expr);
    if (!isLengths(result))
      throw NoForm();
    return result.constant;
  }

  LengthForm largest(llvm::ArrayRef<LengthForm> forms) {
    operations += forms.size() * forms.size();
    std::optional<LengthForm> result = LengthForm::largest(forms);
    if (!result)
      throw NoForm();
    return *result;
  }

  void forEachOver(const ir::Expr &expr, llvm::function_ref<void(const ir::Expr &)> visit) {
    const std::int64_t lo = integer(*expr.operands[0]), hi = integer(*expr.operands[1]);
    for (std::int64_t i = lo; i < hi; ++i) {
      count();
      frame[expr.variable] = i;
      if (expr.operands.size() <= 3 || integer(*expr.operands[3]) != 0)
        visit(*expr.operands[2]);
    }
  }

  Frame frame; // a copy: variables of sums are set in it
  const LengthTables &tables;
  llvm::DenseMap<const ir::Expr *, bool> numbers;
  std::uint64_t operations = 0;
};

} // namespace

std::optional<LengthFormCost> evaluateForAllLengths(const ir::Expr &formula, const Frame &frame, const LengthTables &tables) {
  try {
    LengthFormCost result = FormEvaluator(frame, tables).value(formula);
    const bool isValid = result.constant.valid() && result.a.valid() && result.b.valid() && result.c.valid();
    return isValid ? std::optional(std::move(result)) : std::nullopt;
  } catch (const NoForm &) {
    return std::nullopt;
  }
}

// ---- runs ----------------------------------------------------------------------------------------------------------------

void LengthFormMeter::onRound(const Round &round, const Machine &machine) {
  ++rounds;
  if (!words())
    return;
  std::vector<LengthSum> messages;
  for (const Transfer &transfer : round.transfers) {
    slots += transfer.slots + round.transfers.size();
    if (!words())
      return;
    LengthSum &message = messages.emplace_back();
    for (const SlotRun &run : llvm::ArrayRef(transfer.runs, transfer.storage ? transfer.runCount : 0))
      for (std::uint32_t slot = run.lo; slot < run.lo + run.count; ++slot) {
        Rational &count = message[LengthForm::n + machine.lengthClass(*transfer.storage, transfer.source, slot)];
        count = count + 1;
      }
  }
  if (!messages.empty())
    total.add(LengthForm::largest(std::move(messages)));
}

} // namespace quadrille::compiler
