//===- InvariantCheck.cpp - Do stated invariants hold? -------------------------------------------------------------------------===//

#include "InvariantCheck.h"

#include "DataText.h"

#include "arithmetic/Integers.h"
#include "instantiate/Views.h"
#include "ir/Walk.h"
#include "limits/Limits.h"

namespace quadrille::compiler {

static bool statesInvariants(const ir::Stmt &stmt) {
  auto *loop = llvm::dyn_cast<ir::ForStmt>(&stmt);
  return loop && !loop->invariants.empty();
}

bool InvariantCheck::concerns(const ir::Schedule &schedule) {
  return ir::anyStatement(schedule.body, statesInvariants);
}

bool InvariantCheck::needsRanks(const ir::Schedule &schedule) {
  return ir::anyStatement(schedule.body, [](const ir::Stmt &stmt) {
    auto *loop = llvm::dyn_cast<ir::ForStmt>(&stmt);
    return loop && ir::differsBetweenRanks(*loop) &&
           (statesInvariants(*loop) || ir::anyStatement(loop->body, statesInvariants));
  });
}

namespace {

/// The values that the loop's variables have in invariants when its head is `head` (see LoopVisit); nothing if the head does not
/// determine them.
std::optional<std::pair<std::int64_t, std::int64_t>> variablesAt(const ir::ForStmt &loop, std::int64_t head,
                                                                 llvm::function_ref<std::int64_t(const ir::Expr &)> bound) {
  switch (loop.loop) {
  case ir::LoopKind::Descending:
    // After the last iteration of larger steps the next value is not just below the bound.
    if (loop.factor && bound(*loop.factor) != 1 && head <= bound(*loop.lo))
      return std::nullopt;
    return std::pair(head - 1, std::int64_t(0));
  case ir::LoopKind::Half:
    if (bound(*loop.lo) != 1 && head <= bound(*loop.lo))
      return std::nullopt;
    return std::pair(head / 2, std::int64_t(0));
  case ir::LoopKind::Halvings:
    return std::pair(head / 2 + head % 2, head);
  default:
    return std::pair(head, std::int64_t(0));
  }
}

/// A visit of one rank at the head of a loop.
struct Head {
  const ir::ForStmt &loop;
  std::uint32_t rank;
  std::uint32_t row; // the row of `views` that belongs to the rank
  const std::vector<View> &views;
  const RankMap &ranks;
  Frame frame; // loop variables have the values that invariants mean
  std::vector<std::pair<std::string, std::optional<std::int64_t>>> variables; // the same, for messages
};

/// One invariant at one head.
class Statement {
public:
  Statement(const ir::Schedule &schedule, const ir::Invariant &invariant, const Head &head, const Machine &machine,
            const HeardTracker *heard)
      : schedule(schedule), invariant(invariant), head(head), machine(machine), heard(heard), rank(head.rank),
        frame(head.frame) {}

  /// Throws Finding if the invariant does not hold. Returns the number of slots compared.
  std::uint64_t check() {
    try {
      return invariant.holder ? checkTogether() : invariant.buffer ? checkBuffer() : checkHeard();
    } catch (const EvaluationError &error) { // this does not mean that the schedule is wrong
      throw Finding{wrong(diag::BrokenNoValue{.rank = rank}).note(error.range, error.facts)};
    }
  }

private:
  bool holds() const { return !invariant.condition || evaluate(*invariant.condition, frame) != 0; }

  Diagnostic wrong(diag::Broken what) const {
    return Diagnostic(invariant.range, diag::InvariantWrong{.where = head.variables, .what = std::move(what)});
  }

  [[noreturn]] void fails(diag::Broken what) const { throw Finding{wrong(std::move(what))}; }

  std::uint64_t checkHeard() {
    if (!heard)
      return 0;
    for (std::uint32_t from = 0; from < machine.ranks; ++from) {
      frame[*invariant.blockVariable] = from;
      const std::uint32_t other = head.ranks.toMachine(rank, from);
      const bool has = heard->hasHeard(rank, other), stated = holds();
      if (stated && !has)
        fails(diag::BrokenNotHeard{.rank = rank, .other = other});
      if (!stated && has && invariant.elseEmpty)
        fails(diag::BrokenHeard{.rank = rank, .other = other});
    }
    return machine.ranks;
  }

  std::uint64_t checkBuffer() {
    return forEachSlot([&](const View &view, std::uint32_t slot) {
      const bool stated = holds();
      if (stated || invariant.elseEmpty)
        compare(*view.storage, view.first(head.row) + slot, stated);
    });
  }

  /// Calls `visitSlot` for each slot of the buffer, with the variables for block and packet set. Returns the number of slots.
  std::uint64_t forEachSlot(llvm::function_ref<void(const View &, std::uint32_t)> visitSlot) {
    const View &view = head.views[invariant.buffer->index];
    if (!view.storage)
      return 0;
    const std::uint32_t count = view.slots(head.row), perPacket = view.parts ? view.unit / view.parts : view.unit;
    for (std::uint32_t slot = 0; slot < count; ++slot) {
      if (invariant.blockVariable)
        frame[*invariant.blockVariable] = slot / view.unit;
      if (invariant.packetVariable)
        frame[*invariant.packetVariable] = slot % view.unit / perPacket;
      visitSlot(view, slot);
    }
    return count;
  }

  /// For an invariant with a holder: the product of what the ranks that satisfy the condition hold is the stated one. It does
  /// not depend on the rank that asks, so one rank is enough.
  std::uint64_t checkTogether() {
    return machine.ranks * forEachSlot([&](const View &view, std::uint32_t slot) {
      const Storage &storage = *view.storage;
      const auto named = [&] { return slotOf(machine, storage, view.first(rank) + slot); };
      Value product = emptyValue;
      for (std::uint32_t holder = 0; holder < machine.ranks; ++holder) {
        frame[*invariant.holder] = holder;
        if (!holds())
          continue;
        const std::uint32_t other = head.ranks.toMachine(rank, holder), place = view.first(other) + slot;
        const Value factor = slot < view.slots(other) ? held(storage, other, place) : emptyValue;
        if (factor == emptyValue)
          fails(diag::BrokenNoFactor{.rank = other, .slot = named()});
        if (!isOwnPacket(storage, other, place, factor))
          fails(diag::BrokenOtherFactor{.rank = other, .held = contentOf(factor), .slot = named()});
        product = product == emptyValue ? factor : machine.domain.combine(product, factor);
      }
      const std::optional<Value> wanted = value();
      if (!wanted || !machine.domain.sameFactors(product, *wanted))
        fails(diag::BrokenTogether{.held = contentOf(product), .slot = named(), .stated = statedOf(wanted)});
    });
  }

  /// The content of a slot; empty if the slot does not exist yet, as in a name declared by a receive that has not happened.
  Value held(const Storage &storage, std::uint32_t of, std::uint32_t slot) const {
    return slot < storage.count(of) ? machine.read(storage, of, slot) : emptyValue;
  }

  /// Whether a packet is at its own place: slot i holds packet i.
  bool isOwnPacket(const Storage &storage, std::uint32_t of, std::uint32_t slot, Value found) const {
    return found == emptyValue || machine.tables || !machine.hasClasses() ||
           machine.lengthClass(storage, of, slot) % machine.unitSlots == slot % machine.unitSlots;
  }

  diag::Stated statedOf(const std::optional<Value> &wanted) const { return wanted ? contentOf(*wanted) : diag::StatedNoBlock{}; }

  diag::Stated contentOf(Value value) const {
    if (value == emptyValue)
      return diag::StatedNothing{};
    llvm::SmallVector<const Storage *, 4> inputs;
    for (size_t i = 0; i < schedule.inputs.size(); ++i) // inputs are first in memory
      inputs.push_back(&machine.memory()[i]);
    return diag::StatedProduct{.product = valueText(machine, inputs, value)};
  }

  void compare(const Storage &storage, std::uint32_t slot, bool stated) {
    const Value found = held(storage, rank, slot);
    const std::optional<Value> wanted = stated ? value() : emptyValue;
    const bool same = wanted && (found == *wanted || (schedule.requiresCommutative && machine.domain.sameFactors(found, *wanted)));
    if (same && isOwnPacket(storage, rank, slot, found))
      return;
    fails(diag::BrokenDiffers{
        .rank = rank, .otherPacket = same, .held = contentOf(found), .slot = slotOf(machine, storage, slot), .stated = statedOf(wanted)});
  }

  /// The stated content; nothing if it names a block or rank that does not exist.
  std::optional<Value> value() {
    const Storage &input = machine.memory()[invariant.input];
    const std::int64_t block = invariant.index ? evaluate(*invariant.index, frame) : 0;
    const std::int64_t p = static_cast<std::int64_t>(machine.ranks);
    if (block < 0 || block >= static_cast<std::int64_t>(input.stride / machine.unitSlots))
      return std::nullopt;
    auto atom = [&](std::int64_t of) -> std::optional<Value> {
      if (of < 0 || of >= p)
        return std::nullopt;
      return machine.domain.atom(input.inputBlock + static_cast<std::uint32_t>(block), head.ranks.toMachine(rank, of));
    };
    if (!invariant.isFold)
      return atom(evaluate(*invariant.rank, frame));
    std::int64_t lo = evaluate(*invariant.lo, frame), hi = evaluate(*invariant.hi, frame);
    if (hi > lo && hi - lo > 2 * p) // a product that long is wrong in any case
      return std::nullopt;
    Value product = emptyValue;
    for (std::int64_t j = lo; j < hi; ++j) {
      std::optional<Value> factor = atom(invariant.isCyclic ? arithmetic::floorMod(j, p) : j);
      if (!factor)
        return std::nullopt;
      product = machine.domain.combine(product, *factor);
    }
    return product;
  }

  const ir::Schedule &schedule;
  const ir::Invariant &invariant;
  const Head &head;
  const Machine &machine;
  const HeardTracker *heard;
  const std::uint32_t rank;
  Frame frame;
};

/// Sets the loop variables in the frame of the head, and for messages. Returns false if `number` does not determine them.
bool setVariables(const ir::Schedule &schedule, std::int64_t number, Head &head) {
  const ir::ForStmt &loop = head.loop;
  auto variables = variablesAt(loop, number, [&](const ir::Expr &expr) { return evaluate(expr, head.frame); });
  if (!variables)
    return false;
  head.frame[loop.variable] = variables->first;
  head.variables = {{schedule.variables[loop.variable].name, variables->first == ir::none ? std::nullopt : std::optional(variables->first)}};
  if (loop.loop == ir::LoopKind::Halvings) {
    head.frame[loop.second] = variables->second;
    head.variables.push_back({schedule.variables[loop.second].name, variables->second});
  }
  return true;
}

} // namespace

bool InvariantCheck::mayGoOn() {
  if (slots >= limits::statedSlots)
    leftOut = limits::statedSlots;
  return slots < limits::statedSlots;
}

void InvariantCheck::onLoopHead(const LoopVisit &visit, const Machine &machine) {
  const ir::ForStmt &loop = *visit.loop;
  if (visit.frames.size() > 1 || loop.invariants.empty())
    return;
  llvm::SmallVector<const ir::Expr *, 8> exprs;
  for (const ir::Invariant &invariant : loop.invariants)
    for (const ir::Expr *expr : {invariant.rank, invariant.index, invariant.lo, invariant.hi, invariant.condition})
      if (expr)
        exprs.push_back(expr);
  for (const ir::Expr *bound : {loop.lo, loop.factor})
    if (bound)
      exprs.push_back(bound);
  bool isFirst = true;
  for (std::uint32_t rank = 0; rank < machine.ranks && mayGoOn(); ++rank) {
    if (visit.active && !visit.active[rank])
      continue;
    machine.checkWork();
    Head head{loop, rank, rank, *visit.frames[0].views, *visit.frames[0].ranks, visit.frameOf(exprs, rank), {}};
    if (!setVariables(schedule, visit.heads.back(), head))
      return;
    for (const ir::Invariant &invariant : loop.invariants)
      if (isFirst || !invariant.holder)
        slots += Statement(schedule, invariant, head, machine, heard).check();
    isFirst = false;
  }
}

void InvariantCheck::onRankHead(const RankVisit &visit, const Machine &machine) {
  Head head{visit.loop, visit.rank, 0, visit.views, visit.ranks, visit.frame, {}};
  machine.checkWork();
  if (!mayGoOn() || !setVariables(schedule, visit.head, head))
    return;
  for (const ir::Invariant &invariant : visit.loop.invariants) {
    if (!invariant.holder)
      slots += Statement(schedule, invariant, head, machine, heard).check();
    else if (!llvm::is_contained(unread, &invariant))
      unread.push_back(&invariant);
  }
}

std::vector<Diagnostic> InvariantCheck::warnings(const diag::Values &instance) const {
  std::vector<Diagnostic> result;
  for (const ir::Invariant *invariant : unread)
    result.push_back({invariant->range, diag::InvariantUnread{}});
  if (leftOut)
    result.push_back({schedule.nameRange, diag::InvariantsInPart{.instance = instance, .limit = *leftOut}});
  return result;
}

} // namespace quadrille::compiler
