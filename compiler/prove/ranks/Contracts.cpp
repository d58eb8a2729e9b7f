//===- Contracts.cpp - Contracts from the messages of small cases -----------------------------------------------------------===//

#include "Contracts.h"

#include "MessageContents.h"

#include "limits/Limits.h"
#include "prove/definitions/FormulaFit.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

namespace {

class Fit {
public:
  Fit(RankOperations &program, const ir::Schedule &schedule, TermPool &pool, DefinedTerms &defined, Products products)
      : program(program), schedule(schedule), pool(pool), defined(defined), products(products), rows(contentsOfMessages(program, schedule, products)),
        atoms(program.ops.size()) {}

  Contracts run() {
    Contracts result;
    if (products == Products::Members) {
      result.guess = findForest(program, schedule, pool, defined, rows);
      if (!result.guess)
        throw NotModelled{Gap::MessageWithoutFormula, schedule.nameRange};
    }
    result.ofSends.resize(program.ops.size());
    for (unsigned op = 0; op < program.ops.size(); ++op)
      if (program.ops[op].isSend() && program.ops[op].stmt->message)
        result.ofSends[op] = contractOf(op, result.guess ? &result.guess->forest : nullptr);
    return result;
  }

private:
  /// The formulas that are tried in contracts, the simplest first.
  std::vector<Term> vocabulary(const RankOp &op) const {
    const Term zero = pool.integer(0), one = pool.integer(1), me = pool.variable("me"), p = pool.variable("p");
    std::vector<Term> result{zero, p};
    std::vector<Term> ranks{me, op.peer};
    auto add = [&](Term term) {
      if (!llvm::is_contained(result, term))
        result.push_back(term);
    };
    for (Term number : program.numbers) {
      add(number);
      if (program.origin())
        add(pool.modulo(pool.subtract(number, program.origin()), p));
    }
    if (program.origin()) {
      for (Term rank : {me, op.peer})
        add(pool.modulo(pool.add(rank, program.origin()), p));
      add(pool.modulo(program.origin(), p));
    }
    for (const DefinedTerms::Measure &measure : defined.measures())
      if (measure.isRank)
        for (Term rank : ranks)
          add(measure.of(op.origin ? pool.modulo(pool.subtract(rank, op.origin), p) : rank));
    for (Term rank : ranks) {
      add(rank);
      add(pool.add(rank, one));
    }
    for (Term from : program.countedFrom())
      for (Term rank : {me, op.peer})
        add(pool.modulo(pool.subtract(rank, from), p));
    for (const RankLoop &loop : op.loops) {
      if (loop.first != loop.variable) // in few cases a power looks like its exponent and 1
        add(loop.first);
      add(loop.variable);
      add(pool.add(loop.variable, one));
    }
    if (const Axis *axis = labelled(op)) {
      add(axis->label);
      add(slotOf(*axis));
    }
    return result;
  }

  /// The slot of an axis, as a formula in its label.
  Term slotOf(const Axis &axis) const {
    if (axis.kind == Axis::Number)
      return axis.label;
    const Term slot = pool.add(axis.start, axis.label);
    return axis.modulus ? pool.modulo(slot, axis.modulus) : slot;
  }

  /// Formulas of the text, of both sides of a message, in the symbols of the send.
  std::vector<Term> partsOfText(unsigned number) const {
    auto partsIn = [](const RankOp &op) {
      std::vector<Term> terms{op.guard, op.peer};
      if (op.slots)
        for (const Axis *axis : {&op.slots->block, &op.slots->packet})
          for (Term part : {axis->start, axis->count, axis->lo, axis->hi})
            if (part)
              terms.push_back(part);
      return partsOf(terms);
    };
    const RankOp &op = program.ops[number];
    std::vector<Term> result = partsIn(op);
    for (const RankPair &pair : program.partners[number])
      for (Term part : partsIn(program.ops[pair.op]))
        result.push_back(program.at(program.ops[pair.op], part, op.peer, pair.values));
    return result;
  }

  using Part = llvm::function_ref<std::int64_t(const Held &)>;

  /// A formula for a part of what the messages of an op hold; null if there is none. It may have another form on either side of a number that
  /// the text compares ranks with, as where two paths meet.
  Term fit(unsigned op, Part part) {
    llvm::BitVector all(rows[op].size(), true);
    if (Term found = fitAmong(op, part, all))
      return found;
    for (bool ofReceives : {false, true})
      for (Term condition : program.comparisons(ofReceives)) {
        llvm::BitVector yes(all.size()), no(all.size());
        for (unsigned i : all.set_bits())
          if (auto holds = valueAt(rows[op][i], condition))
            (*holds ? yes : no).set(i);
        if (yes.none() || no.none() || yes.count() + no.count() < all.size())
          continue;
        const Term first = fitAmong(op, part, yes), second = first ? fitAmong(op, part, no) : Term();
        if (second)
          return pool.select(condition, first, second);
      }
    return {};
  }

  /// The same for some of the messages.
  Term fitAmong(unsigned op, Part part, const llvm::BitVector &which) {
    for (Term candidate : vocabulary(program.ops[op]))
      if (llvm::all_of(which.set_bits(), [&](unsigned i) { return valueAt(rows[op][i], candidate) == part(rows[op][i].held); }))
        return candidate;
    std::vector<std::int64_t> wanted;
    for (unsigned i : which.set_bits())
      wanted.push_back(part(rows[op][i].held));
    const auto among = [&](const FitColumn &column) {
      FitColumn result{column.term, {}};
      for (unsigned i : which.set_bits())
        result.values.push_back(column.values[i]);
      return result;
    };
    std::vector<FitColumn> columns;
    for (const FitColumn &column : columnsOf(op))
      columns.push_back(among(column));
    return fitFormula(pool, columns, among(columnOf(op, pool.variable("p"))), wanted);
  }

  FitColumn columnOf(unsigned op, Term term) {
    FitColumn column{term, {}};
    for (const MessageSlot &row : rows[op])
      if (auto value = valueAt(row, term))
        column.values.push_back(*value);
      else
        break;
    return column;
  }

  /// The atoms of formulas that are tried after the usual ones, with their values.
  const std::vector<FitColumn> &columnsOf(unsigned op) {
    std::vector<FitColumn> &columns = atoms[op];
    if (!columns.empty())
      return columns;
    std::vector<Term> terms = vocabulary(program.ops[op]);
    auto add = [&](Term term) {
      if (!llvm::is_contained(terms, term))
        terms.push_back(term);
    };
    for (const RankLoop &loop : program.ops[op].loops) // the ranks that an iteration comes to, where loops multiply
      if (loop.first != loop.variable)
        for (Term rank : {pool.variable("me"), program.ops[op].peer}) {
          add(loop.first);
          add(pool.add(rank, loop.first));
        }
    if (products == Products::Cyclic && schedule.usesOperator) // the ranks up to the last one
      for (Term rank : {pool.variable("me"), program.ops[op].peer}) {
        add(pool.subtract(pool.variable("p"), rank));
        for (Term from : program.countedFrom())
          add(pool.subtract(pool.variable("p"), pool.modulo(pool.subtract(rank, from), pool.variable("p"))));
      }
    const std::vector<Term> parts = partsOfText(op);
    for (Term part : parts) // where the row of a rank begins, and where it ends
      if (part->kind == TermKind::Modulo && part->operands[1] != pool.variable("p")) {
        const Term first = pool.subtract(part->operands[0], part);
        add(first);
        add(pool.add(first, part->operands[1]));
      }
    for (Term end : endsOfGroup(pool, program.ops[op].peer, pool.variable("me")))
      add(end);
    for (Term part : parts)
      add(part);
    for (Term term : terms) {
      if (columns.size() == limits::contractAtoms)
        break;
      if (FitColumn column = columnOf(op, term); column.values.size() == rows[op].size())
        columns.push_back(std::move(column));
    }
    return columns;
  }

  Content contractOf(unsigned number, Forest *forest) {
    const RankOp &op = program.ops[number];
    const Term zero = pool.integer(0), one = pool.integer(1);
    const NotModelled unknown{Gap::MessageWithoutFormula, op.stmt->keyword};
    if (llvm::any_of(rows[number], [](const MessageSlot &row) { return !row.held.known; }))
      throw unknown;
    Content content{pool.truth(true), pool.truth(false), zero, zero, zero, zero, one, pool.truth(false)};
    if (!rows[number].empty())
      content.input = pool.integer(rows[number][0].held.input);
    content.block = fit(number, [](const Held &held) { return held.block; });
    if (!content.block)
      throw unknown;
    content.member = forest ? membersOf(number, *forest) : Term();
    if (forest && !content.member)
      throw unknown;
    if (!forest)
      setInterval(number, content, unknown);
    // The packet is that of the slot; or if the storage holds single packets, the iteration of the innermost loop.
    if (TermPool::asInteger(op.packetCount) != 1) {
      const Axis &axis = op.slots->packet;
      content.packet = axis.kind == Axis::Single ? axis.start : axis.kind == Axis::Number ? axis.label
                       : pool.add(axis.start, axis.label);
    } else if (program.isSplit && !op.loops.empty()) {
      content.packet = op.loops.back().variable;
    }
    return content;
  }

  void setInterval(unsigned number, Content &content, const NotModelled &unknown) {
    content.lo = fit(number, [](const Held &held) { return held.lo; });
    if (!content.lo)
      throw unknown;
    if (schedule.usesOperator) {
      const bool isCyclic = products == Products::Cyclic;
      const Term found = fit(number, [&](const Held &held) { return isCyclic ? held.end - held.lo : held.end; });
      if (!found)
        throw unknown;
      content.length = isCyclic ? found : pool.subtract(found, content.lo);
    }
    content.member = pool.inRange(content.lo, pool.variable("x'"), pool.add(content.lo, content.length));
  }

  /// The condition, on the rank x', for being in the product that a message holds: it is below the sender, or it is any rank.
  Term membersOf(unsigned number, Forest &forest) {
    const Term p = pool.variable("p"), each = pool.variable("x'");
    if (!handsOn(program.ops[number], rows[number]))
      return pool.inRange(pool.integer(0), each, p);
    const Term rank = schedule.usesOperator && program.origin() ? pool.modulo(pool.subtract(each, program.origin()), p) : each;
    return forest.below(rank, pool.variable("me"));
  }

  std::optional<std::int64_t> valueAt(const MessageSlot &row, Term term) { return program.valueAt(*row.message, true, term, row.label); }

  RankOperations &program;
  const ir::Schedule &schedule;
  TermPool &pool;
  DefinedTerms &defined;
  const Products products;
  const std::vector<std::vector<MessageSlot>> rows; // per op
  std::vector<std::vector<FitColumn>> atoms; // per op; empty: not needed yet
};

} // namespace

Contracts findContracts(RankOperations &program, const ir::Schedule &schedule, TermPool &pool, DefinedTerms &defined, Products products) {
  return Fit(program, schedule, pool, defined, products).run();
}

} // namespace quadrille::compiler::prove
