//===- Result.cpp - Does the collective's promise hold? ---------------------------------------------------------------------------===//

#include "Result.h"

#include "DataText.h"

#include "evaluate/Promises.h"
#include "evaluate/Work.h"

namespace quadrille::compiler {

namespace {

class ResultCheck {
public:
  ResultCheck(const ir::Schedule &schedule, const Case &instance, const Machine &machine, const FinalState &state,
              TreeCache &trees)
      : schedule(schedule), collective(*schedule.collective), machine(machine), state(state),
        numbers(instance.numbers) {
    frame.trees = &trees;
    frame.values.assign(collective.variables.size(), 0);
    frame[0] = instance.p;
    for (size_t i = schedule.parameterCount; i < schedule.numberCount; ++i)
      frame[static_cast<unsigned>(i - schedule.parameterCount + 1)] = instance.numbers[i];
    unsigned data = 0;
    for (const ir::CollectiveParam &input : collective.inputs)
      inputStorage.push_back(input.isData() ? state.inputs[data++] : nullptr);
  }

  ResultFacts run() {
    forEachPromisedSlot([&](const ir::Promise &promise, const Storage &output, std::uint32_t rank, std::uint32_t slot,
                            Value expected, bool sameForAll) {
      compare(promise, output, rank, slot, expected, sameForAll);
    });
    for (size_t i = 0; i < schedule.outputs.size(); ++i)
      if (schedule.outputs[i]->presence)
        checkPresence(*schedule.outputs[i], *state.outputs[i]);
    return facts;
  }

  /// Calls visit(promise, output, rank, slot, expected, isForAllRanks) for every promised slot. isForAllRanks: all ranks are
  /// promised the same.
  template <typename Visit> void forEachPromisedSlot(Visit visit) {
    for (const ir::Promise &promise : collective.promises)
      if (!promise.isHeard)
        forEachSlotOf(promise, visit);
  }

private:
  /// Evaluates an expression of a promise. Plain variables are read directly: most are, and this is called p^2 times.
  std::int64_t value(const ir::Expr &expr) const {
    if (expr.op == ir::Op::Variable)
      return frame[expr.variable];
    return expr.op == ir::Op::Constant ? expr.value : evaluate(expr, frame);
  }

  /// Throws Finding if a rank has written an output that the collective declares `at` another rank, where it may have no memory.
  void checkPresence(const ir::Buffer &buffer, const Storage &output) {
    std::int64_t only = evaluate(*buffer.presence, caseFrame(schedule, {frame[0], numbers}, *frame.trees));
    for (std::uint32_t rank = 0; rank < machine.ranks; ++rank)
      for (std::uint32_t slot = 0; rank != only && slot < output.stride; ++slot)
        if (machine.read(output, rank, slot) != emptyValue)
          writtenElsewhere(buffer, rank, only);
  }

  [[noreturn]] void writtenElsewhere(const ir::Buffer &buffer, std::uint32_t rank, std::int64_t only) {
    std::vector<llvm::SMRange> writers;
    collectWriters(schedule.body, buffer, writers);
    Diagnostic diagnostic(writers.size() == 1 ? writers[0] : schedule.nameRange,
                          diag::WrittenElsewhere{.rank = rank, .buffer = buffer.name, .collective = collective.name, .only = only});
    if (writers.size() > 1)
      for (llvm::SMRange range : writers)
        diagnostic.note(range, diag::WrittenHere{.name = buffer.name});
    throw Finding{std::move(diagnostic)};
  }

  static void collectWriters(const ir::Body &body, const ir::Buffer &buffer, std::vector<llvm::SMRange> &writers) {
    for (const auto &s : body) {
      if (auto *assign = llvm::dyn_cast<ir::AssignStmt>(s.get())) {
        if (assign->target.buffer == &buffer)
          writers.push_back(assign->range);
      } else if (auto *transfer = llvm::dyn_cast<ir::TransferStmt>(s.get())) {
        if (!transfer->isSend && transfer->message && transfer->message->buffer == &buffer)
          writers.push_back(transfer->keyword);
      } else if (auto *step = llvm::dyn_cast<ir::StepStmt>(s.get())) {
        collectWriters(step->body, buffer, writers);
      } else if (auto *loop = llvm::dyn_cast<ir::ForStmt>(s.get())) {
        collectWriters(loop->body, buffer, writers);
      } else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(s.get())) {
        collectWriters(branch->yes, buffer, writers);
        collectWriters(branch->no, buffer, writers);
      } else if (auto *use = llvm::dyn_cast<ir::UseStmt>(s.get())) {
        for (const ir::Slice &output : use->outputs)
          if (output.buffer == &buffer)
            writers.push_back(use->keyword);
      }
    }
  }

  template <typename Visit> void forEachSlotOf(const ir::Promise &promise, Visit visit) {
    const Storage &output = *state.outputs[promise.output];
    std::int64_t blocks = output.stride / machine.unitSlots;
    std::int64_t p = frame[0];
    bool sameForAll = promise.rankVariable && promise.term.isFold && !dependsOn(promise, *promise.rankVariable);
    for (std::int64_t i = 0; i < (promise.rankVariable ? p : 1); ++i) {
      if (promise.rankVariable)
        frame[*promise.rankVariable] = i;
      Work::count(Work::ofSlot * static_cast<std::uint64_t>(blocks));
      for (std::int64_t j = 0; j < (promise.indexVariable ? blocks : 1); ++j) {
        if (promise.indexVariable)
          frame[*promise.indexVariable] = j;
        // Where the condition is false, ranks and blocks that the promise names need not exist.
        if (promise.condition && !value(*promise.condition))
          continue;
        const std::int64_t rank = promise.rank ? requireRank(collective, output.name, *promise.rank, value(*promise.rank), p) : i;
        const std::int64_t block =
            promise.index ? requireBlock(output.name, *promise.index, rank, value(*promise.index), blocks) : j;
        const Value expected = term(promise.term);
        if (expected == emptyValue)
          throw productOfNothing(collective, promise, rank, block);
        for (std::uint32_t k = 0; k < machine.unitSlots; ++k)
          visit(promise, output, static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(block) * machine.unitSlots + k,
                expected, sameForAll);
      }
    }
  }

  static bool dependsOn(const ir::Promise &promise, unsigned variable) {
    const ir::PromisedTerm &t = promise.term;
    for (const ir::Expr *expr : {t.rank, t.index, t.lo, t.hi, t.condition, promise.condition})
      if (expr && mentions(*expr, variable))
        return true;
    return false;
  }

  Value term(const ir::PromisedTerm &term) {
    const Storage &input = *inputStorage[term.input];
    auto atom = [&] {
      const std::int64_t rank = requireRank(collective, input.name, *term.rank, value(*term.rank), frame[0]);
      const std::int64_t index =
          term.index ? requireBlock(input.name, *term.index, rank, value(*term.index), input.stride / machine.unitSlots) : 0;
      return std::make_pair(input.inputBlock + static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(rank));
    };
    // Most products are of consecutive ranks.
    const bool isPlain = term.isFold && !term.condition && term.rank->op == ir::Op::Variable &&
                         term.rank->variable == term.binder && !(term.index && ir::mentions(*term.index, term.binder));
    if (isPlain) {
      const std::int64_t lo = value(*term.lo), hi = value(*term.hi);
      if (lo >= hi)
        return emptyValue;
      frame[term.binder] = hi - 1;
      (void)atom(); // in range?
      frame[term.binder] = lo;
      auto [block, rank] = atom();
      return machine.domain.interval(block, rank, static_cast<std::uint32_t>(hi - lo));
    }
    Value result = emptyValue;
    forEachFactor(term, frame, foldSteps, [&] {
      auto [block, rank] = atom();
      result = machine.domain.combine(result, machine.domain.atom(block, rank));
    });
    return result;
  }

  std::string text(Value value) const { return valueText(machine, state.inputs, value); }

  void compare(const ir::Promise &promise, const Storage &output, std::uint32_t rank, std::uint32_t slot, Value expected,
               bool sameForAll) {
    Value found = machine.read(output, rank, slot);
    if (found != expected)
      differs(promise, output, rank, slot, expected, found);
    if (output.brackets.empty() || !promise.term.isFold)
      return;
    std::uint64_t bracket = machine.bracket(output, rank, slot);
    facts.brackets.push_back(bracket);
    if (!sameForAll || facts.bracketing)
      return;
    if (firstBrackets.size() <= slot)
      firstBrackets.resize(slot + 1, 0);
    if (rank == 0)
      firstBrackets[slot] = bracket;
    else if (firstBrackets[slot] != bracket)
      facts.bracketing = BracketingWitness{0, rank, slotOf(machine, output, slot)};
  }

  void differs(const ir::Promise &promise, const Storage &output, std::uint32_t rank, std::uint32_t slot, Value expected,
               Value found) {
    const diag::Slot where = slotOf(machine, output, slot);
    auto fail = [&](Diagnostic diagnostic) {
      diagnostic.note(promise.range, diag::PromisedHere{});
      throw Finding{std::move(diagnostic)};
    };
    if (found == emptyValue)
      fail(Diagnostic(schedule.nameRange,
                      diag::EmptyResult{.rank = rank, .slot = where, .collective = collective.name, .expected = text(expected)}));
    std::string foundText = text(found), expectedText = text(expected);
    if (machine.domain.sameFactors(found, expected)) {
      facts.orderBroken = true;
      if (schedule.requiresCommutative)
        return;
      Diagnostic diagnostic(
          schedule.nameRange,
          diag::OrderBroken{
              .rank = rank, .slot = where, .found = foundText, .collective = collective.name, .expected = expectedText});
      if (const OrderBreak *order = machine.orderBreak; order && order->found)
        diagnostic.note(
            order->where,
            diag::FirstBroken{.rank = order->rank,
                              .product = text(order->product),
                              .round = order->roundsBefore ? std::optional<std::int64_t>(order->roundsBefore - 1) : std::nullopt});
      if (const char *body = beginOfBody())
        diagnostic.mend({"require a commutative operator", {llvm::SMLoc::getFromPointer(body), llvm::SMLoc::getFromPointer(body)},
                         "\n  requires commutative"});
      fail(std::move(diagnostic));
    }
    fail(Diagnostic(schedule.nameRange,
                    diag::WrongResult{
                        .rank = rank, .slot = where, .found = foundText, .collective = collective.name, .expected = expectedText}));
  }

  /// The place behind the `{` of the schedule; null if a comment may contain that `{`.
  const char *beginOfBody() const {
    const char *begin = schedule.nameRange.End.getPointer();
    const llvm::StringRef rest(begin, static_cast<size_t>(schedule.range.End.getPointer() - begin));
    const size_t brace = rest.find('{');
    return brace == llvm::StringRef::npos || rest.take_front(brace).contains("//") || rest.take_front(brace).contains("/*")
               ? nullptr
               : begin + brace + 1;
  }

  const ir::Schedule &schedule;
  const ir::Collective &collective;
  const Machine &machine;
  const FinalState &state;
  const std::vector<std::int64_t> &numbers;
  Frame frame;
  std::vector<const Storage *> inputStorage;
  std::vector<std::uint64_t> firstBrackets;
  std::uint64_t foldSteps = 0; // of all promises
  ResultFacts facts;
};

} // namespace

ResultFacts checkResult(const ir::Schedule &schedule, const Case &instance, const Machine &machine,
                        const FinalState &state, TreeCache &trees) {
  return ResultCheck(schedule, instance, machine, state, trees).run();
}

void forEachPromisedSlot(const ir::Schedule &schedule, const Case &instance, const Machine &machine,
                         const FinalState &state, TreeCache &trees,
                         llvm::function_ref<void(const Storage &output, std::uint32_t rank, std::uint32_t slot)> visit) {
  ResultCheck(schedule, instance, machine, state, trees)
      .forEachPromisedSlot([&](const ir::Promise &, const Storage &output, std::uint32_t rank, std::uint32_t slot, Value,
                               bool) { visit(output, rank, slot); });
}

} // namespace quadrille::compiler
