//===- FittedWitnesses.cpp - Ranks that send in small cases ----------------------------------------------------------------------===//
//
// Where the structure of a guard does not tell which rank sends in a round, small numbers do: the first and the last rank that send there, as a
// formula of what the guard is made of. This is a guess, as all witnesses are.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Execution.h"

#include "prove/definitions/FormulaFit.h"
#include "prove/definitions/SamplePoints.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

static constexpr std::int64_t largestFitted = 1 << 20; // of values: sums of two do not overflow

/// What the first and the last sender may be made of: numbers in the guard, and what is there where the first rows of a grid begin.
std::vector<Term> Execution::atomsOfWitnesses(Term guard) {
  auto isFixed = [&](Term term) { return !llvm::is_contained(variablesOf({term}), names.me); };
  std::vector<Term> atoms{pool.integer(0), names.p};
  auto add = [&](Term atom) {
    if (isFixed(atom) && !TermPool::asInteger(atom) && atoms.size() < limits::witnessAtoms && !llvm::is_contained(atoms, atom))
      atoms.push_back(atom);
  };
  for (Term number : numberTerms)
    add(number);
  std::vector<Term> changing, begins{pool.integer(0)};
  for (Term part : partsOf({guard})) {
    add(part);
    if (!isFixed(part))
      changing.push_back(part);
    if ((part->kind == TermKind::Quotient || part->kind == TermKind::Modulo) && part->operands[0] == names.me && isFixed(part->operands[1]) &&
        !llvm::is_contained(begins, part->operands[1]))
      begins.push_back(part->operands[1]);
  }
  for (Term part : changing)
    for (Term rank : begins)
      add(at(part, rank));
  for (Term rows : llvm::drop_begin(begins)) // where a row begins whose number is among them
    for (Term row : variablesOf({guard}))
      if (row != names.p)
        add(pool.multiply(row, rows));
  return atoms;
}

llvm::SmallVector<Term, 2> Execution::fittedWitnesses(const Transfer &send, Term guard) {
  std::vector<Term> known;
  llvm::copy_if(facts, std::back_inserter(known), [&](Term fact) { return !llvm::is_contained(variablesOf({fact}), names.me); });
  known.push_back(guard);
  SamplePoints points(defined, pool, known, limits::witnessPoints);
  struct Row {
    size_t point;
    std::int64_t first, last; // ranks that send
  };
  std::vector<Row> rows;
  for (size_t point = 0; point < points.count(); ++point) {
    const std::int64_t ranks = points.valueAt(point, names.p).value_or(0);
    std::optional<Row> row;
    for (std::int64_t rank = 0; rank < std::min(ranks, 2 * limits::sampleRanks.value()); ++rank)
      if (points.valueAt(point, send.guard, names.me, rank) == 1) {
        row = row ? row : Row{point, rank, rank};
        row->last = rank;
      }
    if (row)
      rows.push_back(*row);
  }
  if (rows.size() < limits::witnessPoints / 4) // a formula would tell little
    return {};
  std::vector<FitColumn> columns;
  for (Term atom : atomsOfWitnesses(send.guard)) {
    FitColumn column{atom, {}};
    for (const Row &row : rows)
      if (const std::optional<std::int64_t> value = points.valueAt(row.point, atom); value && std::abs(*value) < largestFitted)
        column.values.push_back(*value);
    if (column.values.size() == rows.size())
      columns.push_back(std::move(column));
  }
  const auto modulus = llvm::find_if(columns, [&](const FitColumn &column) { return column.term == names.p; });
  if (modulus == columns.end())
    return {};
  llvm::SmallVector<Term, 2> result;
  for (std::int64_t Row::*end : {&Row::first, &Row::last}) {
    std::vector<std::int64_t> wanted;
    for (const Row &row : rows)
      wanted.push_back(row.*end);
    if (const Term rank = fitFormula(pool, columns, *modulus, wanted); rank && !llvm::is_contained(result, rank))
      result.push_back(rank);
  }
  return result;
}

} // namespace quadrille::compiler::prove
