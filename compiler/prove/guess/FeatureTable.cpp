//===- FeatureTable.cpp - Columns of numbers and the symbols they are values of -----------------------------------------===//

#include "FeatureTable.h"

#include "arithmetic/Checked.h"
#include "arithmetic/Integers.h"
#include "evaluate/Evaluate.h"
#include "limits/Limits.h"
#include "prove/terms/Symbols.h"

#include "llvm/ADT/bit.h"

#include <cassert>
#include <map>

namespace quadrille::compiler::prove {

// ---- tables ---------------------------------------------------------------------------------------------------------------

void FeatureTable::add(Term variable, std::vector<std::int32_t> column, bool isPosition) {
  assert((columns.empty() || column.size() == rows) && "columns are of one length");
  rows = column.size();
  variables.push_back(variable);
  columns.push_back(std::move(column));
  if (isPosition)
    positions.push_back(variable);
}

namespace {
/// Evaluates terms column by column. Values are small, so 64 bits suffice. If a term has no value in one row, it has no column.
class ColumnWalk {
public:
  ColumnWalk(const FeatureTable &table, llvm::ArrayRef<std::uint32_t> which) : table(table), which(which) {}

  using Column = std::vector<std::int64_t>;

  /// Null if the term has no value in one of the rows.
  const Column *operator()(Term a) {
    auto [entry, isNew] = done.try_emplace(a);
    if (!isNew)
      return entry->second.get();
    std::unique_ptr<Column> column = compute(a);
    return (done[a] = std::move(column)).get();
  }

private:
  template <typename F> std::unique_ptr<Column> fill(F f) {
    auto column = std::make_unique<Column>(which.size());
    for (std::size_t row = 0; row < which.size(); ++row)
      (*column)[row] = f(row);
    return column;
  }

  std::unique_ptr<Column> compute(Term a) {
    switch (a->kind) {
    case TermKind::Variable: {
      auto found = llvm::find(table.variables, a);
      if (found == table.variables.end())
        return nullptr;
      const std::vector<std::int32_t> &values = table.columns[static_cast<std::size_t>(found - table.variables.begin())];
      return fill([&](std::size_t row) { return values[which[row]]; });
    }
    case TermKind::Sum: {
      auto column = std::make_unique<Column>(which.size(), a->constant);
      for (const Monomial &m : a->monomials) {
        const Column *part = (*this)(m.atom);
        if (!part)
          return nullptr;
        for (std::size_t row = 0; row < which.size(); ++row)
          (*column)[row] += m.coefficient * (*part)[row];
      }
      return column;
    }
    default:
      break;
    }
    llvm::SmallVector<const Column *, 3> of;
    for (Term operand : a->operands) {
      of.push_back((*this)(operand));
      if (!of.back())
        return nullptr;
    }
    auto isPositive = [](const Column &column) { return llvm::all_of(column, [](std::int64_t v) { return v > 0; }); };
    switch (a->kind) {
    case TermKind::Apply:
      if (const auto call = llvm::find_if(table.atoms.calls, [&](const auto &known) { return known.first == a; }); call != table.atoms.calls.end())
        return resultsOf(*call->second, of);
      if (a->name == squareRootName && llvm::all_of(*of[0], [](std::int64_t v) { return v >= 0; }))
        return fill([&](std::size_t r) { return arithmetic::floorSqrt((*of[0])[r]); });
      if (a->name == trailingZerosName && isPositive(*of[0]))
        return fill([&](std::size_t r) { return llvm::countr_zero(static_cast<std::uint64_t>((*of[0])[r])); });
      return nullptr;
    case TermKind::Modulo:
      return !isPositive(*of[1]) ? nullptr
                                 : fill([&](std::size_t r) { return arithmetic::floorMod((*of[0])[r], (*of[1])[r]); });
    case TermKind::Quotient:
      return !isPositive(*of[1]) ? nullptr
                                 : fill([&](std::size_t r) { return arithmetic::floorDiv((*of[0])[r], (*of[1])[r]); });
    case TermKind::Bit:
      return !isPositive(*of[1])
                 ? nullptr
                 : fill([&](std::size_t r) { return arithmetic::floorDiv((*of[0])[r], (*of[1])[r]) & 1; });
    case TermKind::Power2:
      if (llvm::any_of(*of[0], [](std::int64_t v) { return v < 0 || v > 40; }))
        return nullptr;
      return fill([&](std::size_t r) { return std::int64_t(1) << (*of[0])[r]; });
    case TermKind::Power: {
      auto powerOf = [&](std::int64_t base, std::int64_t exponent) -> std::optional<std::int64_t> {
        const arithmetic::Checked power = arithmetic::checked::power(base, exponent);
        return power && power.value <= limits::usableNumbers ? std::optional(power.value) : std::nullopt;
      };
      for (std::size_t r = 0; r < which.size(); ++r)
        if (!powerOf((*of[0])[r], (*of[1])[r]))
          return nullptr;
      return fill([&](std::size_t r) { return *powerOf((*of[0])[r], (*of[1])[r]); });
    }
    case TermKind::CeilLog2:
      return !isPositive(*of[0]) ? nullptr : fill([&](std::size_t r) { return arithmetic::ceilLog2((*of[0])[r]); });
    case TermKind::FloorLog2:
      return !isPositive(*of[0]) ? nullptr : fill([&](std::size_t r) { return arithmetic::floorLog2((*of[0])[r]); });
    case TermKind::IsPower2:
      return fill([&](std::size_t r) { return arithmetic::isPow2((*of[0])[r]); });
    case TermKind::BitXor:
      return fill([&](std::size_t r) { return (*of[0])[r] ^ (*of[1])[r]; });
    case TermKind::BitAnd:
      return fill([&](std::size_t r) { return (*of[0])[r] & (*of[1])[r]; });
    case TermKind::BitOr:
      return fill([&](std::size_t r) { return (*of[0])[r] | (*of[1])[r]; });
    case TermKind::Select:
      return fill([&](std::size_t r) { return (*of[0])[r] ? (*of[1])[r] : (*of[2])[r]; });
    case TermKind::True:
    case TermKind::False:
      return fill([&](std::size_t) { return a->kind == TermKind::True; });
    case TermKind::AtLeastZero:
      return fill([&](std::size_t r) { return (*of[0])[r] >= 0; });
    case TermKind::IsZero:
      return fill([&](std::size_t r) { return (*of[0])[r] == 0; });
    case TermKind::Not:
      return fill([&](std::size_t r) { return !(*of[0])[r]; });
    case TermKind::Product:
      return fill([&](std::size_t r) {
        std::int64_t product = 1;
        for (const Column *column : of)
          product *= (*column)[r];
        return product;
      });
    case TermKind::And:
      return fill([&](std::size_t r) { return llvm::all_of(of, [&](const Column *c) { return (*c)[r] != 0; }); });
    case TermKind::Or:
      return fill([&](std::size_t r) { return llvm::any_of(of, [&](const Column *c) { return (*c)[r] != 0; }); });
    case TermKind::Variable:
    case TermKind::Sum:
      break;
    }
    llvm_unreachable("variables and sums were computed above");
  }

  std::unique_ptr<Column> resultsOf(const ir::Function &function, llvm::ArrayRef<const Column *> arguments) {
    Frame frame;
    frame.trees = &cache;
    std::map<std::vector<std::int64_t>, std::int64_t> known;
    auto column = std::make_unique<Column>(which.size());
    for (std::size_t row = 0; row < which.size(); ++row) {
      std::vector<std::int64_t> values;
      for (const Column *argument : arguments)
        values.push_back((*argument)[row]);
      auto [result, isNew] = known.try_emplace(values);
      if (isNew) {
        frame.values = std::move(values);
        frame.values.resize(function.variables.size());
        try {
          result->second = compiler::evaluate(*function.body, frame);
        } catch (const EvaluationError &) {
          return nullptr;
        }
      }
      (*column)[row] = result->second;
    }
    return column;
  }

  const FeatureTable &table;
  llvm::ArrayRef<std::uint32_t> which;
  llvm::DenseMap<Term, std::unique_ptr<Column>> done;
  TreeCache cache;
};
} // namespace

bool FeatureTable::evaluate(Term term, llvm::ArrayRef<std::uint32_t> which, std::vector<std::int64_t> &values) const {
  ColumnWalk walk(*this, which);
  const std::vector<std::int64_t> *column = walk(term);
  if (column)
    values = *column;
  return column != nullptr;
}

/// Makes a table; `take(column)` converts a column of the trace to one of the table.
template <typename Take>
static FeatureTable makeTable(const TraceRows &rows, const TraceSymbols &symbols, Atoms atoms, Take take) {
  FeatureTable table;
  table.atoms = std::move(atoms);
  auto add = [&](Term variable, const std::vector<std::int32_t> &column, bool isPosition) {
    if (variable)
      table.add(variable, take(column), isPosition);
  };
  add(symbols.p, rows.p, false);
  add(symbols.me, rows.rank, true);
  add(symbols.block, rows.block, true);
  add(symbols.packet, rows.packet, true);
  for (std::size_t i = 0; i < symbols.heads.size(); ++i)
    add(symbols.heads[i], rows.heads[i], false);
  for (std::size_t i = 0; i < symbols.numbers.size(); ++i)
    add(symbols.numbers[i], rows.numbers[i], false);
  return table;
}

FeatureTable tableOf(const TraceRows &rows, const TraceSymbols &symbols, Atoms atoms) {
  return makeTable(rows, symbols, std::move(atoms), [](const std::vector<std::int32_t> &column) { return column; });
}

std::optional<ContributorRows> rowsOfContributors(const TraceRows &rows, llvm::ArrayRef<std::uint32_t> which,
                                                  const TraceSymbols &symbols, Atoms atoms, TermPool &pool) {
  // Terms that number this rank in another way number the ranks of a product, too.
  TermPool::Substitution toContributor;
  toContributor[symbols.me.get()] = symbols.contributor;
  for (std::size_t i = 0, count = atoms.positions.size(); i < count; ++i) {
    atoms.positions.push_back(pool.substitute(atoms.positions[i], toContributor));
    atoms.others.push_back(atoms.positions.back());
  }
  ContributorRows result;
  std::vector<std::int32_t> contributor;
  for (std::uint32_t row : which) {
    if (!rows.valid[row] || !rows.members[row])
      return std::nullopt;
    for (std::int32_t x = 0; x < rows.p[row]; ++x) {
      contributor.push_back(x);
      result.contributes.push_back(rows.members[row] >> x & 1);
    }
  }
  result.table = makeTable(rows, symbols, std::move(atoms), [&](const std::vector<std::int32_t> &column) {
    std::vector<std::int32_t> repeated;
    repeated.reserve(contributor.size());
    for (std::uint32_t row : which)
      repeated.insert(repeated.end(), static_cast<std::size_t>(rows.p[row]), column[row]);
    return repeated;
  });
  result.table.add(symbols.contributor, std::move(contributor), true);
  return result;
}

} // namespace quadrille::compiler::prove
