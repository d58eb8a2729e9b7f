//===- Semantics.cpp - The common semantics of both engines ------------------------------------------------------------------------===//

#include "Semantics.h"

#include "evaluate/Work.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

namespace quadrille::compiler {

void reportNoSuchEntry(const ir::LengthOf &length, const LengthTable &table, std::uint32_t rank,
                       llvm::ArrayRef<std::int64_t> indices) {
  throw Finding{Diagnostic(length.range, diag::NoSuchEntry{.rank = rank, .entry = table.text(indices), .table = table.name,
                                                           .size = table.size()})};
}

void checkPacket(const ir::LengthOf &length, const LengthTable &table, std::uint32_t rank, std::int64_t parts,
                 std::int64_t part) {
  if (part < 0 || part >= parts)
    throw Finding{Diagnostic(length.part->range, diag::IndexOutOfRange{.rank = rank, .part = {part, 1, /*packets=*/true},
                                                                       .name = table.name, .size = {parts, /*packets=*/true}})};
}

void readContent(const Machine &machine, const Storage &storage, std::uint32_t rank, const SlotRun *runs,
                 std::uint32_t runCount, bool isName, SlotValues &out) {
  for (std::uint32_t j = 0; j < runCount; ++j) {
    Work::count(Work::ofSlotOfRank * runs[j].count);
    for (std::uint32_t slot = runs[j].lo; slot < runs[j].lo + runs[j].count; ++slot) {
      out.values.push_back(machine.read(storage, rank, slot));
      if (machine.usage)
        machine.usage->onRead(storage, rank, slot);
      out.brackets.push_back(machine.bracket(storage, rank, slot));
      out.classes.push_back(machine.lengthClass(storage, rank, slot));
    }
  }
  out.isShapeless = isName && out.values.empty();
}

void combine(Machine &machine, const ir::DataExpr &expr, std::uint32_t rank, SlotValues &out, SlotValues &right,
             std::int64_t *work) {
  if (right.isShapeless)
    return;
  if (out.isShapeless) {
    out = std::move(right);
    return;
  }
  assert(out.classes.size() == out.values.size() && right.classes.size() == right.values.size() && "each slot has a class");
  // Shapes must agree even if blocks are empty.
  if (out.values.size() != right.values.size())
    throw Finding{Diagnostic(expr.range, diag::ShapeDiffers{.rank = rank,
                                                            .left = amountOf(out.values.size(), machine.unitSlots),
                                                            .leftLength = std::nullopt,
                                                            .right = amountOf(right.values.size(), machine.unitSlots),
                                                            .rightLength = std::nullopt})};
  for (size_t i = 0; i < out.values.size(); ++i) {
    if (right.values[i] == emptyValue)
      continue;
    if (out.values[i] == emptyValue) {
      out.values[i] = right.values[i];
      out.brackets[i] = right.brackets[i];
      out.classes[i] = right.classes[i];
      continue;
    }
    if (out.classes[i] != right.classes[i])
      reportLengthsDiffer(machine, expr.range, rank, out.classes[i], right.classes[i]);
    Value product = machine.combine(out.values[i], right.values[i]);
    if (OrderBreak *order = machine.orderBreak; order && !order->found && !machine.domain.inRankOrder(product) &&
                                                machine.domain.inRankOrder(out.values[i]) &&
                                                machine.domain.inRankOrder(right.values[i]))
      *order = {true, rank, *order->rounds, product, expr.range, order->rounds};
    out.values[i] = product;
    out.brackets[i] = Machine::combineBrackets(out.brackets[i], right.brackets[i]);
    for (size_t s = 0; s < machine.sampleCount(); ++s)
      work[s] += machine.countsBlocks() ? 1 : machine.length(out.classes[i], s);
  }
}

void store(Machine &machine, const ir::AssignStmt &stmt, Storage &target, std::uint32_t rank, const SlotRun *runs,
           std::uint32_t runCount, bool takesLength, const SlotValues &content) {
  std::uint32_t slots = 0;
  for (std::uint32_t j = 0; j < runCount; ++j)
    slots += runs[j].count;
  Work::count(Work::ofSlotOfRank * slots);
  const bool nothing = content.isShapeless;
  assert(content.classes.size() == content.values.size() && content.brackets.size() == content.values.size());
  if (slots != content.values.size() && !nothing)
    throw Finding{Diagnostic(stmt.range, diag::ShapeDiffers{.rank = rank,
                                                            .left = amountOf(slots, machine.unitSlots),
                                                            .leftLength = std::nullopt,
                                                            .right = amountOf(content.values.size(), machine.unitSlots),
                                                            .rightLength = std::nullopt})};
  std::uint32_t at = 0;
  for (std::uint32_t j = 0; j < runCount; ++j)
    for (std::uint32_t k = 0; k < runs[j].count; ++k, ++at) {
      std::uint32_t slot = runs[j].lo + k;
      Value value = nothing ? emptyValue : content.values[at];
      if (!nothing && (value != emptyValue || takesLength) &&
          !machine.accepts(target, rank, slot, content.classes[at], takesLength))
        reportLengthsDiffer(machine, stmt.range, rank, machine.lengthClass(target, rank, slot), content.classes[at]);
      machine.write(target, rank, slot, value);
      if (machine.usage)
        machine.usage->onWrite(target, rank, slot);
      if (!target.brackets.empty())
        target.brackets[std::size_t(rank) * target.stride + slot] = nothing ? 0 : content.brackets[at];
    }
}

static std::int64_t numberOf(std::int64_t value, const ir::Expr &expr) {
  if (value == ir::none)
    throw EvaluationError{expr.range, diag::ArithmeticOnNone{}};
  return value;
}

void requireNumbers(const ir::UseStmt &stmt, llvm::ArrayRef<std::int64_t> numbers, std::int64_t p) {
  const ir::Schedule &callee = *stmt.callee;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t number = numberOf(numbers[i], *stmt.numbers[i]);
    const bool isRank = callee.isRank(i);
    if (isRank ? 0 <= number && number < p : number >= 1 || !callee.isParameter(i))
      continue;
    throw Finding{Diagnostic(stmt.numbers[i]->range, diag::NumberRefused{.schedule = callee.path(),
                                                                         .name = callee.variables[ir::Schedule::firstNumber + i].name,
                                                                         .value = number,
                                                                         .ranks = isRank ? std::optional(p) : std::nullopt})};
  }
}

void requireArguments(const ir::Schedule &instance, llvm::function_ref<std::int64_t(const ir::Expr &)> evaluate) {
  for (const ir::Argument &argument : instance.arguments)
    if (const std::int64_t value = numberOf(evaluate(*argument.value), *argument.value); value < 1)
      throw Finding{Diagnostic(argument.value->range, diag::NumberRefused{.schedule = argument.base,
                                                                          .name = argument.parameter,
                                                                          .value = value,
                                                                          .ranks = std::nullopt})};
}

std::uint32_t machineRank(const ir::TransferStmt &stmt, const RankMap &map, std::uint32_t rank, std::int64_t index) {
  if (index < 0 || index >= static_cast<std::int64_t>(map.size))
    throw Finding{Diagnostic(stmt.peer->range, diag::PartnerOutOfRange{.rank = rank, .grouped = false, .sends = stmt.isSend,
                                                                       .peer = index, .ranks = map.size})};
  std::uint32_t other = map.toMachine(rank, index);
  if (other == rank)
    throw Finding{Diagnostic(stmt.peer->range, diag::PartnerIsSelf{.rank = rank, .sends = stmt.isSend})};
  return other;
}

void reportLengthMismatch(const Machine &machine, const Transfer &transfer, bool wantsData, std::uint32_t wanted,
                          std::uint32_t number, bool intoName) {
  auto amount = [&](bool hasData, std::uint64_t slots) {
    return hasData ? std::optional(amountOf(slots, machine.unitSlots)) : std::nullopt;
  };
  Diagnostic diagnostic(transfer.send->keyword, diag::LengthMismatch{.rank = transfer.source,
                                                                     .amount = amount(transfer.storage, transfer.slots),
                                                                     .length = std::nullopt,
                                                                     .to = transfer.destination,
                                                                     .round = number,
                                                                     .room = amount(wantsData, wanted),
                                                                     .roomLength = std::nullopt});
  diagnostic.note(
      transfer.recv->keyword,
      diag::HereReceives{.rank = transfer.destination, .peer = textOf(transfer.recv->peer->range), .value = transfer.source});
  if (intoName)
    diagnostic.note(transfer.recv->message->buffer->range, diag::RoomOfName{.name = transfer.recv->message->buffer->name});
  throw Finding{std::move(diagnostic)};
}

void reportLengthsDiffer(const Machine &machine, llvm::SMRange range, std::uint32_t rank, std::uint32_t has,
                         std::uint32_t wanted) {
  throw Finding{Diagnostic(range, diag::ShapeDiffers{.rank = rank, .left = std::nullopt, .leftLength = machine.describeClass(has),
                                                     .right = std::nullopt, .rightLength = machine.describeClass(wanted)})};
}

void reportSendsEmpty(const Machine &machine, const ir::TransferStmt &send, const Storage &storage, std::uint32_t rank,
                      std::uint32_t slot, std::uint32_t round) {
  throw Finding{Diagnostic(send.keyword, diag::SendsEmpty{.rank = rank, .part = partOf(slot, 1, machine.unitSlots),
                                                          .buffer = storage.name, .round = round})};
}

diag::Facts hereTransfers(bool isSend, std::uint32_t rank, const ir::TransferStmt &stmt, std::int64_t peer) {
  const std::string text = textOf(stmt.peer->range);
  if (isSend)
    return diag::HereSends{.rank = rank, .peer = text, .value = peer};
  return diag::HereReceives{.rank = rank, .peer = text, .value = peer};
}

void reportWrittenTwice(const Machine &machine, const ir::TransferStmt &write, const ir::TransferStmt &other,
                        const Storage &storage, std::uint32_t rank, SlotRun common, std::uint32_t round, std::int64_t peer) {
  const diag::Part part = partOf(common.lo, common.count, machine.unitSlots);
  Diagnostic diagnostic(
      write.keyword, other.isSend
                         ? diag::Facts(diag::WrittenWhileSent{.rank = rank, .part = part, .buffer = storage.name, .round = round})
                         : diag::WrittenTwice{.rank = rank, .part = part, .buffer = storage.name, .round = round});
  diagnostic.note(other.keyword, hereTransfers(other.isSend, rank, other, peer));
  throw Finding{std::move(diagnostic)};
}

/// Callers have compared the numbers of slots; the length classes of the slots are compared here.
void moveMessage(Machine &machine, const Transfer &transfer, Storage &to, const SlotRun *runs, bool takesLength,
                 std::uint32_t number) {
  assert(transfer.storage && "messages without data are not moved");
  const Storage &from = *transfer.storage;
  const SlotRun *target = runs;
  std::uint32_t offset = 0;
  Delivery delivery{machine.messages++, transfer.source, transfer.destination, number, transfer.send, transfer.recv};
  for (std::uint32_t j = 0; j < transfer.runCount; ++j) {
    Work::count(Work::ofSlot * transfer.runs[j].count);
    for (std::uint32_t k = 0; k < transfer.runs[j].count; ++k) {
      if (offset == target->count) {
        ++target;
        offset = 0;
      }
      std::uint32_t source = transfer.runs[j].lo + k, slot = target->lo + offset++;
      Value value = machine.read(from, transfer.source, source);
      if (value == emptyValue)
        reportSendsEmpty(machine, *transfer.send, from, transfer.source, source, number);
      const std::uint32_t length = machine.lengthClass(from, transfer.source, source);
      if (!machine.accepts(to, transfer.destination, slot, length, takesLength))
        throw Finding{
            Diagnostic(transfer.send->keyword,
                       diag::LengthMismatch{.rank = transfer.source,
                                            .amount = std::nullopt,
                                            .length = machine.describeClass(length),
                                            .to = transfer.destination,
                                            .round = number,
                                            .room = std::nullopt,
                                            .roomLength =
                                                machine.describeClass(machine.lengthClass(to, transfer.destination, slot))})};
      // That the rank knows the length of a buffer which keeps it was required at the declaration.
      if (takesLength)
        machine.requireKnown(transfer.destination, length, to.name, transfer.recv->keyword);
      if (machine.usage) {
        machine.usage->onRead(from, transfer.source, source);
        machine.usage->onReceive(to, transfer.destination, slot, machine.read(to, transfer.destination, slot) == value, delivery);
      }
      machine.write(to, transfer.destination, slot, value);
      if (!to.brackets.empty())
        to.brackets[std::size_t(transfer.destination) * to.stride + slot] = machine.bracket(from, transfer.source, source);
    }
  }
}

// ---- names that are declared by receiving ----------------------------------------------------------------------------------

void beginName(Machine &machine, Storage &to, std::uint32_t rank, std::uint32_t slots, const MessageShape &shape) {
  std::vector<std::uint32_t> classes;
  if (to.ownClasses && !shape.takesLength && shape.storage)
    classes = classesOf(machine, *shape.storage, rank, shape.runs);
  for (size_t slot = 0; !classes.empty() && classes.size() < slots; ++slot)
    classes.push_back(classes[slot]);
  machine.declareRow(to, rank, slots, classes.empty() ? nullptr : classes.data());
}

void receiveName(Machine &machine, const Transfer &transfer, Storage &to, const MessageShape &shape, std::uint32_t round) {
  if (shape.takesLength ? transfer.slots > shape.slots : transfer.slots != shape.slots)
    reportLengthMismatch(machine, transfer, true, shape.slots, round, /*intoName=*/true);
  beginName(machine, to, transfer.destination, transfer.slots, shape);
  const SlotRun whole{0, transfer.slots};
  moveMessage(machine, transfer, to, &whole, shape.takesLength, round);
}

std::vector<std::uint32_t> classesOf(const Machine &machine, const Storage &storage, std::uint32_t rank,
                                     llvm::ArrayRef<SlotRun> runs) {
  std::vector<std::uint32_t> classes;
  for (const SlotRun &run : runs)
    for (std::uint32_t slot = run.lo; slot < run.lo + run.count; ++slot)
      classes.push_back(machine.lengthClass(storage, rank, slot));
  return classes;
}

std::vector<std::uint32_t> classesLike(const Machine &machine, const View *model, std::uint32_t row, std::uint32_t rank,
                                       std::uint32_t slots) {
  if (!machine.hasClasses() || !model || model->slots(row) < model->unit)
    return {};
  const SlotRun block{model->first(row), model->unit};
  const std::vector<std::uint32_t> one = classesOf(machine, *model->storage, rank, block);
  assert(one.size() == model->unit && "a class for each slot of a block");
  std::vector<std::uint32_t> classes(slots);
  for (std::uint32_t slot = 0; slot < slots; ++slot)
    classes[slot] = one[slot % model->unit];
  return classes;
}

} // namespace quadrille::compiler
