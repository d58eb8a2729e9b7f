//===- TextFeatures.cpp - Terms that the text of a schedule suggests ----------------------------------------------------------===//

#include "FeatureTable.h"

#include "ir/Walk.h"
#include "limits/Limits.h"
#include "prove/definitions/DefinedTerms.h"
#include "prove/definitions/FormulaFit.h"
#include "prove/terms/TermMeaning.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>
#include <cassert>

namespace quadrille::compiler::prove {

namespace {
class TextReader {
public:
  TextReader(const LoopTrace &loop, const TraceSymbols &symbols, TermPool &pool, bool inPieces)
      : loop(loop), symbols(symbols), pool(pool), inPieces(inPieces) {
    atoms.moduli.push_back(symbols.p);
    for (std::size_t i = 0; i < loop.loops.size(); ++i) {
      ir::LoopKind kind = loop.loops[i].loop->loop;
      if (kind == ir::LoopKind::Times || kind == ir::LoopKind::Half)
        addGranularity(symbols.heads[i]);
      // A loop within joins as many groups of this size as it has had iterations.
      if (kind == ir::LoopKind::Times)
        for (Term counted : llvm::drop_begin(symbols.heads, i + 1))
          addTo(atoms.others, pool.multiply(symbols.heads[i], counted), 4);
    }
  }

  Atoms read(const ir::Schedule &schedule) {
    if (schedule.parameterCount > 1) // a grid of several dimensions
      mostDivisors += 2;
    Values values(schedule.variables.size());
    values[ir::Schedule::variableP] = symbols.p;
    values[ir::Schedule::variableMe] = symbols.me;
    for (std::size_t i = 0; i < symbols.numbers.size(); ++i)
      values[ir::Schedule::firstNumber + i] = symbols.numbers[i];
    for (const ir::Requirement &requirement : schedule.requirements)
      visit(*requirement.condition, values);
    visit(schedule.body, values);
    // A slot for each power of two is numbered by exponents.
    for (Term head : numbered)
      if (llvm::is_contained(atoms.granularities, pool.power2(head)))
        for (std::int64_t more : {1, 0})
          atoms.granularities.push_back(pool.power2(pool.add(symbols.block, pool.integer(more))));
    if (!schedule.origin) // promises have the caller's numbers of ranks
      for (const ir::Promise &promise : schedule.collective->promises)
        if (!promise.isHeard && !promise.term.isFold)
          promised(promise, schedule);
    return std::move(atoms);
  }

private:
  /// By variable of the schedule: its value as a term in the symbols of the trace; null if there is none. Loop variables are
  /// replaced by the heads of their loops, which is good enough for a suggestion.
  using Values = std::vector<Term>;

  void promised(const ir::Promise &promise, const ir::Schedule &schedule) {
    const ir::Collective &collective = *schedule.collective;
    Values values(collective.variables.size());
    values[0] = symbols.p;
    for (unsigned number = 0; number < collective.numberCount; ++number)
      values[1 + number] = symbols.numbers[schedule.parameterCount + number];
    values[collective.variableMe()] = symbols.me;
    if (promise.rankVariable)
      values[*promise.rankVariable] = symbols.me;
    if (promise.indexVariable)
      values[*promise.indexVariable] = symbols.block;
    for (const ir::Expr *expr : {promise.term.rank, promise.term.index})
      if (const Term term = expr ? translate(*expr, values) : Term(); term && !term->isBoolean() && !variablesOf(term).empty()) {
        addTo(atoms.promised, term, 4);
        onTheWay(term, llvm::ArrayRef(values).slice(1, collective.numberCount));
      }
  }

  /// What is moved by a number of the collective, one place in each iteration, has been moved by that of the iteration, in either direction; and
  /// by the other numbers altogether, or not yet.
  void onTheWay(Term term, llvm::ArrayRef<Term> numbers) {
    constexpr std::size_t most = 16;
    for (Term moved : numbers)
      for (Term head : symbols.heads)
        for (std::int64_t sign : {1, -1})
          for (bool isFirst : {false, true}) {
            TermPool::Substitution by;
            for (Term number : numbers)
              if (number != moved && isFirst && !isExtent(term, number))
                by[number.get()] = pool.integer(0);
            by[moved.get()] = pool.scale(sign, head);
            if (!isExtent(term, moved))
              addTo(atoms.promised, pool.substitute(term, by), most);
          }
  }

  /// Whether the term divides by what contains the number.
  static bool isExtent(Term term, Term number) {
    bool result = false;
    forEachNode({term}, [&](Term node) {
      if (node->kind == TermKind::Modulo || node->kind == TermKind::Quotient)
        result |= llvm::is_contained(variablesOf({node->operands[1]}), number);
    });
    return result;
  }

  Term head(const ir::ForStmt &stmt) const {
    for (std::size_t i = 0; i < loop.loops.size(); ++i)
      if (loop.loops[i].loop == &stmt)
        return symbols.heads[i];
    return {};
  }

  Term translate(const ir::Expr &expr, const Values &values) {
    if (expr.op == ir::Op::Constant)
      return expr.value == ir::none ? Term() : pool.integer(expr.value);
    if (expr.op == ir::Op::Variable) {
      assert(expr.variable < values.size() && "a variable of another schedule");
      const auto named = lets.find(expr.variable);
      const bool isNamed = calls == 0 && named != lets.end() && (readsCalls || (readsFlip && !values[expr.variable]));
      return isNamed ? translate(*named->second, values) : values[expr.variable];
    }
    if (expr.op == ir::Op::Call) {
      if (calls == limits::usesInFeatures) // the function may be recursive
        return {};
      const Values arguments = argumentsOf(expr, values);
      const llvm::SaveAndRestore inside(calls, calls + 1);
      if (const Term result = callOfItself(*expr.function, llvm::ArrayRef(arguments).take_front(expr.operands.size())))
        return result;
      return translate(*expr.function->body, arguments);
    }
    if (expr.op == ir::Op::Select) {
      Term condition = translate(*expr.operands[0], values), yes = translate(*expr.operands[1], values),
           no = translate(*expr.operands[2], values);
      // Where one side is `none`, any number will do: take that of the other side.
      const auto isNone = [](const ir::Expr &part) { return part.op == ir::Op::Constant && part.value == ir::none; };
      if (isNone(*expr.operands[1]) || isNone(*expr.operands[2]))
        return yes ? yes : no;
      return condition && yes && no ? pool.select(condition, yes, no) : Term();
    }
    if (expr.op == ir::Op::TrailingZeros || expr.op == ir::Op::SquareRoot) {
      const Term a = translate(*expr.operands[0], values);
      return a ? pool.apply(expr.op == ir::Op::SquareRoot ? squareRootName : trailingZerosName, {a}) : a;
    }
    if (expr.operands.empty() || expr.operands.size() > 2)
      return {};
    Term a = translate(*expr.operands[0], values);
    Term b = expr.operands.size() > 1 ? translate(*expr.operands[1], values) : a;
    if (!a || !b)
      return {};
    auto power = [&](Term base, Term exponent) {
      if (TermPool::asInteger(exponent))
        return pool.power(base, exponent);
      // A constant summand in the exponent is only a factor of the power: drop it.
      return pool.power(base, pool.subtract(exponent, pool.integer(TermPool::constantOf(exponent))));
    };
    switch (expr.op) {
    case ir::Op::ShiftLeft:
      return pool.multiply(a, power(pool.integer(2), b));
    case ir::Op::Power:
      return power(a, b);
    case ir::Op::BitXor:
      return readsFlip ? flipOf(a, b) : renumbered(a, b);
    case ir::Op::ShiftRight:
      return readsCalls ? pool.quotient(a, pool.power2(b)) : Term();
    // These operations do not occur in invariants.
    case ir::Op::Absolute:
    case ir::Op::BitAnd:
    case ir::Op::BitOr:
      return {};
    case ir::Op::Bit:
      return readsGuard ? termOf(pool, expr.op, a, b) : Term();
    default:
      return termOf(pool, expr.op, a, b);
    }
  }

  /// The values of the variables of the function that is called.
  Values argumentsOf(const ir::Expr &call, const Values &values) {
    Values arguments(call.function->variables.size());
    for (std::size_t i = 0; i < call.operands.size(); ++i)
      arguments[i] = translate(*call.operands[i], values);
    return arguments;
  }

  static bool callsItself(const ir::Function &function) {
    return ir::anyPart(*function.body, [&](const ir::Expr &part) { return part.op == ir::Op::Call && part.function == &function; });
  }

  /// A call of a function that calls itself, if its arguments are the same on all ranks, or such calls are read; else null.
  Term callOfItself(const ir::Function &function, llvm::ArrayRef<Term> arguments) {
    if (!callsItself(function) || function.type != ir::Type::Integer ||
        !llvm::all_of(arguments, [&](Term argument) { return argument && !argument->isBoolean() && (readsCalls || isSameOnAllRanks(argument)); }))
      return {};
    const Term result = pool.apply(DefinedTerms::nameOf(function), arguments);
    if (llvm::none_of(atoms.calls, [&](const auto &known) { return known.first == result; }))
      atoms.calls.push_back({result, &function});
    return result;
  }

  bool isSameOnAllRanks(Term a) const { return !llvm::is_contained(variablesOf(a), symbols.me); }
  bool mentionsHead(Term a) const {
    return llvm::any_of(variablesOf(a), [&](Term v) { return llvm::is_contained(symbols.heads, v); });
  }

  /// The term without a constant factor.
  Term primitive(Term a) const {
    auto parts = TermPool::monomialsOf(a);
    return TermPool::constantOf(a) == 0 && parts.size() == 1 ? parts[0].atom : a;
  }

  static void addTo(std::vector<Term> &list, Term a, std::size_t atMost) {
    if (list.size() < atMost && !llvm::is_contained(list, a))
      list.push_back(a);
  }
  void addGranularity(Term a) { addTo(atoms.granularities, a, mostDivisors); }

  void divisor(Term a) {
    if (!a || TermPool::asInteger(a) || !isSameOnAllRanks(a))
      return;
    a = primitive(a);
    if (mentionsHead(a))
      return addGranularity(a);
    addTo(atoms.moduli, a, mostDivisors);
    if (a != symbols.p)
      addGranularity(a);
  }

  void digit(Term weight, Term base) {
    if (!weight || !base || !isSameOnAllRanks(weight) || !isSameOnAllRanks(base) || !mentionsHead(weight))
      return;
    if (const std::pair place(weight, base); atoms.digits.size() < 2 && !llvm::is_contained(atoms.digits, place))
      atoms.digits.push_back(place);
  }

  void visit(const ir::Expr *expr, const Values &values) {
    if (expr)
      visit(*expr, values);
  }
  /// Adds a condition of the text, and its parts, to the guards.
  void guard(const ir::Expr &condition, const Values &values) {
    if (!inPieces || !dependsOnRank(condition, values))
      return;
    if (condition.op == ir::Op::And || condition.op == ir::Op::Or || condition.op == ir::Op::Not)
      for (const ir::Expr *part : condition.operands)
        guard(*part, values);
    const llvm::SaveAndRestore reading(readsGuard, true);
    if (const Term is = translate(condition, values); is && is->isBoolean() && !llvm::is_contained(atoms.guards, pool.negate(is)))
      addTo(atoms.guards, is, limits::fitGuards);
  }

  /// Whether the value differs between ranks, also of a part of a function.
  bool dependsOnRank(const ir::Expr &expr, const Values &values) {
    if (calls == 0)
      return expr.dependsOnRank;
    const Term value = translate(expr, values);
    return value && !isSameOnAllRanks(value);
  }

  /// What a function asks of its arguments, the text asks of what it calls the function with.
  void visitCalled(const ir::Expr &call, const Values &values) {
    if (calls == limits::usesInFeatures || callsItself(*call.function))
      return;
    const Values arguments = argumentsOf(call, values);
    const llvm::SaveAndRestore inside(calls, calls + 1);
    visit(*call.function->body, arguments);
  }

  void visit(const ir::Expr &expr, const Values &values) {
    for (const ir::Expr *operand : expr.operands)
      visit(*operand, values);
    if (expr.op == ir::Op::Call)
      visitCalled(expr, values);
    if (expr.op == ir::Op::Select)
      guard(*expr.operands[0], values);
    if (inPieces && expr.op == ir::Op::TrailingZeros)
      if (const Term number = translate(*expr.operands[0], values))
        addTo(atoms.dividends, number, 2);
    if (inPieces && expr.op == ir::Op::Modulo && dependsOnRank(*expr.operands[0], values))
      if (const Term number = translate(*expr.operands[0], values), by = translate(*expr.operands[1], values);
          number && by && number->kind == TermKind::Sum && isSameOnAllRanks(by) && mentionsHead(by))
        addTo(atoms.dividends, number, 2);
    if (inPieces && expr.op == ir::Op::Equal) // x mod w == w - 1: x + 1 is a multiple of w
      for (const auto &[left, right] : {std::pair(expr.operands[0], expr.operands[1]), std::pair(expr.operands[1], expr.operands[0])})
        if (left->op == ir::Op::Modulo && dependsOnRank(*left, values))
          if (const Term number = translate(*left->operands[0], values), by = translate(*left->operands[1], values), rest = translate(*right, values);
              number && by && rest && isSameOnAllRanks(by) && mentionsHead(by) && mentionsHead(rest) && TermPool::constantOf(rest) != 0)
            addTo(atoms.dividends, pool.subtract(number, pool.integer(TermPool::constantOf(rest))), 2);
    if (expr.op == ir::Op::Modulo || expr.op == ir::Op::Divide)
      divisor(translate(*expr.operands[1], values));
    if (expr.op == ir::Op::Modulo)
      if (Term rows = translate(*expr.operands[1], values); rows && rows->kind == TermKind::Quotient && rows->operands[0] == symbols.p)
        addTo(atoms.widths, rows, 3);
    if (expr.op == ir::Op::Modulo && expr.operands[0]->op == ir::Op::Divide)
      digit(translate(*expr.operands[0]->operands[1], values), translate(*expr.operands[1], values));
    if (expr.op == ir::Op::Divide)
      if (Term rows = translate(expr, values); rows && rows->kind == TermKind::Quotient && rows->operands[0] == symbols.p)
        addTo(atoms.moduli, rows, mostDivisors + 1); // as many rows as there are in a grid
    if (expr.op == ir::Op::Divide && dependsOnRank(*expr.operands[0], values))
      if (Term width = translate(*expr.operands[1], values);
          width && TermPool::asInteger(width).value_or(3) > 2 && isSameOnAllRanks(width) && !mentionsHead(width))
        addTo(atoms.widths, width, mostDivisors - 1);
    bool ofParity = expr.op == ir::Op::IsEven || expr.op == ir::Op::IsOdd;
    if (ofParity || (expr.op == ir::Op::Modulo && expr.operands[1]->op == ir::Op::Constant && expr.operands[1]->value == 2))
      if (dependsOnRank(*expr.operands[0], values))
        addGranularity(pool.integer(2));
    if (expr.op == ir::Op::Bit)
      if (Term position = translate(*expr.operands[1], values))
        power(pool.power2(position));
    if (expr.op == ir::Op::ShiftLeft || expr.op == ir::Op::Power || expr.op == ir::Op::Multiply)
      if (Term value = translate(expr, values)) {
        power(value);
        for (const Monomial &m : TermPool::monomialsOf(value))
          if (m.atom->kind == TermKind::Product && isSameOnAllRanks(m.atom))
            addTo(atoms.others, m.atom, 4);
      }
  }
  void power(Term value) {
    for (const Monomial &m : TermPool::monomialsOf(value))
      if ((m.atom->kind == TermKind::Power2 || m.atom->kind == TermKind::Power) && mentionsHead(m.atom))
        addGranularity(m.atom);
  }

  /// If the distance to a partner is the same on all ranks and in all iterations, adds a numbering in which ranks from this distance
  /// on have the numbers of their partners, as where the ranks beyond a power of two hand their data to the first ones.
  void folded(Term partner) {
    if (!partner)
      return;
    const Term offset = pool.subtract(partner, symbols.me);
    if (TermPool::asInteger(offset) || !isSameOnAllRanks(offset) || mentionsHead(offset))
      return;
    const Term distance = TermPool::monomialsOf(offset)[0].coefficient < 0 ? pool.scale(-1, offset) : offset;
    const Term number = pool.select(pool.lessEqual(distance, symbols.me), pool.subtract(symbols.me, distance), symbols.me);
    addTo(atoms.others, number, 6);
    addTo(atoms.positions, number, 2);
  }

  /// A choice of numbers without those that say that the rank has none, as -1 does for ranks that have handed over what they have: of
  /// `if me >= 2*r then me - r else if odd(me) then me div 2 else -1` the rank is left for which the pair speaks.
  Term withoutNobody(Term number) {
    const auto isNobody = [](Term term) { return TermPool::asInteger(term).value_or(0) < 0; };
    while (number->kind == TermKind::Select && (isNobody(number->operands[1]) || isNobody(number->operands[2])))
      number = number->operands[isNobody(number->operands[1]) ? 2 : 1];
    if (number->kind != TermKind::Select)
      return number;
    const Term yes = withoutNobody(number->operands[1]), no = withoutNobody(number->operands[2]);
    return pool.select(number->operands[0], yes, no);
  }

  /// A number of this rank by a number of the schedule, me xor root: ranks may be numbered so. Null for other terms.
  Term renumbered(Term a, Term b) {
    const auto isNumber = [&](Term term) {
      return llvm::all_of(variablesOf({term}), [&](Term variable) { return llvm::is_contained(symbols.numbers, variable); });
    };
    return a == symbols.me && isNumber(b) ? pool.bitXor(a, b) : b == symbols.me && isNumber(a) ? pool.bitXor(b, a) : Term();
  }

  /// Where the text puts blocks into the slots `me xor i`, of all i, slots are numbered by the bits in which they differ from the rank.
  void byDifference(const ir::Index &index, const Values &values) {
    if (index.kind != ir::IndexKind::Point || !symbols.block || index.a->op != ir::Op::BitXor)
      return;
    const auto isSlot = [&](const ir::Expr &expr) { return expr.op == ir::Op::Variable && !expr.dependsOnRank && !values[expr.variable]; };
    for (const auto &[rank, slot] : {std::pair(index.a->operands[0], index.a->operands[1]), std::pair(index.a->operands[1], index.a->operands[0])})
      if (isSlot(*slot) && translate(*rank, values) == symbols.me) {
        const Term number = pool.bitXor(symbols.me, symbols.block);
        addTo(atoms.others, number, 6);
        addTo(atoms.positions, number, 2);
      }
  }

  /// A number of this rank with a bit of the iteration flipped, in the formula of a partner. Null for other terms.
  Term flipOf(Term a, Term b) {
    if (isSameOnAllRanks(a))
      std::swap(a, b);
    return isSameOnAllRanks(a) || !isSameOnAllRanks(b) || mentionsHead(a) || !mentionsHead(b) ? Term() : pool.bitXor(a, b);
  }

  /// Adds what tells the ranks that meet in groups.
  void groupOfPartner(const ir::Expr &partner, const Values &values) {
    const llvm::SaveAndRestore reading(readsFlip, true);
    const Term formula = translate(partner, values);
    const std::vector<Term> ends = formula ? endsOfGroup(pool, formula, symbols.me) : std::vector<Term>();
    for (Term end : ends)
      addTo(atoms.others, end, 10);
    for (std::size_t i = 0; i + 4 <= ends.size(); i += 4) // how many ranks are between them
      for (std::size_t first : {i, i + 1})
        addTo(atoms.others, pool.subtract(ends[first + 2], ends[first]), 14);
  }

  /// The run of slots, if a function that calls itself tells where it begins on this rank: as the text says it, and in the iteration before.
  void runOf(const ir::Index &index, const Values &values) {
    if (index.kind != ir::IndexKind::Run && index.kind != ir::IndexKind::Range)
      return;
    const llvm::SaveAndRestore reading(readsCalls, true);
    const Term first = translate(*index.a, values), second = translate(*index.b, values);
    if (!first || !second || isSameOnAllRanks(first) || llvm::none_of(atoms.calls, [&](const auto &known) { return contains(first, known.first); }))
      return;
    const Term end = index.kind == ir::IndexKind::Run ? pool.add(first, second) : second;
    for (Term slot : {symbols.block, symbols.packet})
      for (bool isBefore : {false, true})
        if (slot)
          addTo(atoms.runs, isBefore ? before(pool.inRange(first, slot, end)) : pool.inRange(first, slot, end), 8);
  }

  static bool contains(Term term, Term part) {
    bool result = false;
    forEachNode({term}, [&](Term node) { result |= node == part; });
    return result;
  }

  /// What the term was in the iteration before, if loops count up or double; where they go the other way, heads are one iteration ahead.
  Term before(Term term) {
    TermPool::Substitution counted;
    std::vector<Term> doubled;
    for (std::size_t i = 0; i < loop.loops.size(); ++i) {
      const ir::LoopKind kind = loop.loops[i].loop->loop;
      if (kind == ir::LoopKind::Times || kind == ir::LoopKind::Half)
        doubled.push_back(symbols.heads[i]);
      else
        counted[symbols.heads[i].get()] = pool.subtract(symbols.heads[i], pool.integer(1));
    }
    const Term result = pool.rebuild(pool.substitute(term, counted), [&](Term node) -> Term {
      const auto head = llvm::find_if(doubled, [&](Term of) { return node == pool.scale(2, of); });
      return head != doubled.end() ? *head : Term();
    });
    for (const auto &[call, function] : std::vector(atoms.calls))
      forEachNode({result}, [&, name = call->name, of = function](Term node) {
        if (node->kind == TermKind::Apply && node->name == name && llvm::none_of(atoms.calls, [&](const auto &known) { return known.first == node; }))
          atoms.calls.push_back({node, of});
      });
    return result;
  }

  void visit(const ir::Index &index, const Values &values) {
    runOf(index, values);
    byDifference(index, values);
    for (const ir::Expr *expr : {index.a, index.b, index.c})
      visit(expr, values);
    if (index.kind == ir::IndexKind::Cyclic)
      divisor(translate(*index.c, values));
    if (index.kind == ir::IndexKind::Point && symbols.block)
      if (const Term slot = translate(*index.a, values); slot && llvm::is_contained(symbols.heads, slot))
        numbered.insert(slot);
  }
  void visit(const ir::Slice &slice, const Values &values) {
    visit(slice.blocks, values);
    visit(slice.packets, values);
  }
  void visit(const ir::DataExpr &expr, const Values &values) {
    if (!expr.isCombine)
      return visit(expr.slice, values);
    visit(*expr.left, values);
    visit(*expr.right, values);
  }

  void visit(const ir::Body &body, Values &values) {
    for (const auto &s : body) {
      if (auto *let = llvm::dyn_cast<ir::LetStmt>(s.get())) {
        visit(*let->value, values);
        Term value = values[let->variable] = translate(*let->value, values);
        lets[let->variable] = let->value;
        // A term that has a name in the schedule may occur in its invariants.
        if (value && value->isBoolean()) {
          addTo(atoms.conditions, value, 3);
          guard(*let->value, values);
        }
        if (value && !value->isBoolean()) {
          if (inPieces) // a choice that a name has, as of the shorter way around
            forEachNode({value}, [&](Term node) {
              if (node->kind == TermKind::Select && !mentionsHead(node->operands[0]) && !llvm::is_contained(atoms.guards, pool.negate(node->operands[0])))
                addTo(atoms.guards, node->operands[0], limits::fitGuards);
            });
          for (Term number : {withoutNobody(value), value}) {
            addTo(atoms.others, number, 6);
            if (!isSameOnAllRanks(number) && !mentionsHead(number))
              addTo(atoms.positions, number, 2);
          }
        }
      } else if (auto *declare = llvm::dyn_cast<ir::DeclareStmt>(s.get())) {
        visit(declare->buffer->count, values);
      } else if (auto *assign = llvm::dyn_cast<ir::AssignStmt>(s.get())) {
        visit(assign->target, values);
        visit(*assign->value, values);
      } else if (auto *transfer = llvm::dyn_cast<ir::TransferStmt>(s.get())) {
        visit(transfer->peer, values);
        if (transfer->peer) {
          folded(translate(*transfer->peer, values));
          groupOfPartner(*transfer->peer, values);
        }
        if (transfer->message)
          visit(*transfer->message, values);
      } else if (auto *step = llvm::dyn_cast<ir::StepStmt>(s.get())) {
        visit(step->body, values);
      } else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(s.get())) {
        visit(*branch->condition, values);
        guard(*branch->condition, values);
        visit(branch->yes, values);
        visit(branch->no, values);
      } else if (auto *repeated = llvm::dyn_cast<ir::ForStmt>(s.get())) {
        for (const ir::Expr *bound : {repeated->lo, repeated->hi, repeated->factor})
          visit(bound, values);
        values[repeated->variable] = head(*repeated);
        // Groups grow to the next power within an iteration, too.
        if (const Term group = head(*repeated); group && repeated->loop == ir::LoopKind::Times && repeated->factor)
          if (const Term by = translate(*repeated->factor, values); by && isSameOnAllRanks(by) && TermPool::asInteger(by) != 2)
            addGranularity(pool.multiply(by, group));
        if (repeated->loop == ir::LoopKind::Halvings || repeated->loop == ir::LoopKind::HalvingsReversed)
          values[repeated->second] = head(*repeated);
        visit(repeated->body, values);
      } else if (auto *use = llvm::dyn_cast<ir::UseStmt>(s.get())) {
        visit(*use, values);
      }
    }
  }

  void visit(const ir::UseStmt &use, const Values &values) {
    for (const ir::Expr *expr : {use.member, use.lo, use.hi})
      visit(expr, values);
    if (depth == limits::usesInFeatures)
      return;
    Values inner(use.callee->variables.size());
    inner[ir::Schedule::variableP] = values[ir::Schedule::variableP];
    if (!use.member && !use.callee->origin)
      inner[ir::Schedule::variableMe] = values[ir::Schedule::variableMe];
    if (use.member) {
      Term lo = translate(*use.lo, values), hi = translate(*use.hi, values);
      Term size = lo && hi ? pool.subtract(hi, lo) : Term();
      inner[ir::Schedule::variableP] = size;
      divisor(size);
    }
    for (std::size_t i = 0; i < use.numbers.size(); ++i)
      inner[ir::Schedule::firstNumber + i] = translate(*use.numbers[i], values);
    const llvm::SaveAndRestore inside(depth, depth + 1);
    const llvm::SaveAndRestore<decltype(lets)> named(lets, decltype(lets)()); // variables are numbered by schedule
    visit(use.callee->body, inner);
  }

  const LoopTrace &loop;
  const TraceSymbols &symbols;
  TermPool &pool;
  const bool inPieces;
  Atoms atoms;
  llvm::SmallSetVector<Term, 2> numbered; // heads of loops that number slots
  std::size_t mostDivisors = 3; // that are kept as moduli or granularities
  unsigned depth = 0;
  bool readsGuard = false;
  bool readsFlip = false;
  bool readsCalls = false; // also those with arguments that depend on the rank
  unsigned calls = 0; // how many calls are around what is translated
  llvm::DenseMap<unsigned, const ir::Expr *> lets; // the values of the schedule's `let`s, by variable
};
} // namespace

Atoms atomsOf(const ir::Schedule &schedule, const LoopTrace &loop, const TraceSymbols &symbols, TermPool &pool, bool inPieces) {
  return TextReader(loop, symbols, pool, inPieces).read(schedule);
}

} // namespace quadrille::compiler::prove
