//===- Machine.cpp - The memory of all ranks while a schedule runs ----------------------------------------------------------===//

#include "Machine.h"

#include "Semantics.h"

#include "evaluate/Evaluate.h"
#include "ir/Lengths.h"
#include "ir/Walk.h"
#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

namespace quadrille::compiler {

std::int64_t Granularity::length(std::int64_t n, std::uint32_t slot) const {
  std::uint64_t below = unit();
  std::uint64_t rest = slot;
  for (std::int64_t factor : factors) {
    below /= static_cast<std::uint64_t>(factor);
    std::int64_t index = static_cast<std::int64_t>(rest / below);
    rest %= below;
    n = packetLength(n, factor, index);
  }
  return n;
}

// ---- granularity ---------------------------------------------------------------------------------------------------------

namespace {
class GranularityFinder {
public:
  std::vector<std::int64_t> of(const ir::Schedule &schedule, const Frame &given) {
    Frame frame = given;
    frame.trees = &trees;
    frame.values.resize(schedule.variables.size(), 0);
    std::vector<std::int64_t> blocks, packets;
    const std::int64_t p = frame[ir::Schedule::variableP];
    if (frame.nodes && schedule.origin) {
      const std::int64_t origin = evaluate(*schedule.origin, frame);
      frame.nodes = inducedNodes(frame.nodes, p, [&](std::int64_t rank) { return arithmetic::floorMod(rank + origin, p); });
    }
    std::int64_t parts = 0;
    // First the top-level lets, which splits may use.
    lets(schedule.body, frame);
    llvm::SMRange where;
    auto splits = [&](const ir::Expr *expr) {
      if (!expr)
        return;
      std::int64_t k = evaluate(*expr, frame);
      if (k < 1 || k > limits::packetsOfBlock)
        throw Finding{Diagnostic(expr->range, diag::SplitParts{.parts = k})};
      if (parts != 0 && parts != k)
        throw Finding{Diagnostic(expr->range, diag::SplitConflict{.here = k, .elsewhere = parts})};
      parts = k;
      where = expr->range;
    };
    for (const auto &buffer : schedule.buffers) {
      splits(buffer->parts);
      if (buffer->length)
        splits(buffer->length->parts);
    }
    std::int64_t ranks = usesDependOnRank(schedule.body) ? frame[ir::Schedule::variableP] : 1;
    for (std::int64_t me = 0; me < ranks; ++me) {
      frame[ir::Schedule::variableMe] = me;
      uses(schedule.body, frame, blocks, packets);
    }
    if (parts > 1) // one packet is the whole block
      packets.insert(packets.begin(), parts);
    unify(blocks, packets, where);
    return blocks;
  }

private:
  TreeCache trees;

  void lets(const ir::Body &body, Frame &frame) {
    for (const auto &s : body)
      if (auto *let = llvm::dyn_cast<ir::LetStmt>(s.get()); let && !let->value->dependsOnRank)
        try {
          frame[let->variable] = evaluate(*let->value, frame);
        } catch (const EvaluationError &) {
          // The error is reported when the statement is executed, if it ever is.
        }
  }

  static void unify(std::vector<std::int64_t> &into, const std::vector<std::int64_t> &other, llvm::SMRange where) {
    const auto &longer = into.size() >= other.size() ? into : other;
    const auto &shorter = into.size() >= other.size() ? other : into;
    for (size_t i = 0; i < shorter.size(); ++i)
      if (shorter[i] != longer[i])
        throw Finding{Diagnostic(where, diag::SplitConflict{.here = other[i], .elsewhere = into[i]})};
    if (into.size() < other.size())
      into = other;
  }

  // ---- splits of used schedules

  static bool containsUse(const ir::Body &body) {
    return ir::anyStatement(body, [](const ir::Stmt &stmt) { return llvm::isa<ir::UseStmt>(stmt); });
  }

  /// Whether ranks may use different schedules, or the same ones with different numbers.
  static bool usesDependOnRank(const ir::Body &body) {
    auto depends = [](const ir::Expr *expr) { return expr && expr->dependsOnRank; };
    return llvm::any_of(body, [&](const std::unique_ptr<ir::Stmt> &s) {
      if (auto *loop = llvm::dyn_cast<ir::ForStmt>(s.get())) {
        bool fromRank = loop->loop == ir::LoopKind::Others || loop->loop == ir::LoopKind::Children ||
                        depends(loop->lo) || depends(loop->hi) || depends(loop->factor);
        return fromRank ? containsUse(loop->body) : usesDependOnRank(loop->body);
      }
      if (auto *branch = llvm::dyn_cast<ir::IfStmt>(s.get()))
        return depends(branch->condition) ? containsUse(branch->yes) || containsUse(branch->no)
                                          : usesDependOnRank(branch->yes) || usesDependOnRank(branch->no);
      auto *use = llvm::dyn_cast<ir::UseStmt>(s.get());
      return use && (depends(use->lo) || depends(use->hi) || llvm::any_of(use->numbers, depends) ||
                     (use->member && use->callee->usesNodes));
    });
  }

  /// Visits the `use` statements that the rank of the frame executes.
  void uses(const ir::Body &body, Frame &frame, std::vector<std::int64_t> &blocks, std::vector<std::int64_t> &packets) {
    for (const auto &s : body) {
      if (auto *let = llvm::dyn_cast<ir::LetStmt>(s.get()))
        try {
          frame[let->variable] = evaluate(*let->value, frame);
        } catch (const EvaluationError &) {
          // The error is reported when the statement is executed, if it ever is.
        }
      else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(s.get())) {
        if (containsUse(branch->yes) || containsUse(branch->no))
          uses(evaluate(*branch->condition, frame) ? branch->yes : branch->no, frame, blocks, packets);
      } else if (auto *loop = llvm::dyn_cast<ir::ForStmt>(s.get())) {
        if (containsUse(loop->body))
          iterate(*loop, frame, blocks, packets);
      } else if (auto *use = llvm::dyn_cast<ir::UseStmt>(s.get())) {
        usesOf(*use, frame, blocks, packets);
      }
    }
  }

  void iterate(const ir::ForStmt &loop, Frame &frame, std::vector<std::int64_t> &blocks,
               std::vector<std::int64_t> &packets) {
    auto iteration = [&](std::int64_t value, std::int64_t second) {
      if (++steps > limits::useIterations)
        throw Finding{
            Diagnostic(loop.keyword,
                       diag::TooManySteps{.limit = limits::useIterations, .what = diag::WorkloadPasses{}})};
      frame[loop.variable] = value;
      if (loop.loop == ir::LoopKind::Halvings || loop.loop == ir::LoopKind::HalvingsReversed)
        frame[loop.second] = second;
      uses(loop.body, frame, blocks, packets);
    };
    std::int64_t me = frame[ir::Schedule::variableMe];
    if (loop.loop == ir::LoopKind::Others) {
      for (std::int64_t j = 0; j < frame[ir::Schedule::variableP]; ++j)
        if (j != me)
          iteration(j, 0);
    } else if (loop.loop == ir::LoopKind::Children) {
      std::int64_t handle = evaluate(*loop.tree, frame);
      for (ir::TreeFieldKind side : {ir::TreeFieldKind::Left, ir::TreeFieldKind::Right})
        if (std::int64_t child = trees[handle].field(side, me); child != ir::none)
          iteration(child, 0);
    } else {
      forEachValue(loop, [&](const ir::Expr &bound) { return evaluate(bound, frame); }, iteration);
    }
  }

  void usesOf(const ir::UseStmt &use, Frame &frame, std::vector<std::int64_t> &blocks,
              std::vector<std::int64_t> &packets) {
    Frame inner;
    inner.values.assign(ir::Schedule::firstNumber, 0);
    std::int64_t &p = inner[ir::Schedule::variableP];
    p = frame[ir::Schedule::variableP];
    if (use.member && (__builtin_sub_overflow(evaluate(*use.hi, frame), evaluate(*use.lo, frame), &p) || p < 1))
      return; // an empty group; reported when the `use` is executed
    for (const ir::Expr *number : use.numbers)
      inner.values.push_back(evaluate(*number, frame));
    std::vector<std::int64_t> key = inner.values;
    if (use.callee->usesNodes) {
      if (!setNodes(use, frame, inner))
        return;
      llvm::append_range(key, inner.nodes->nodeOf);
    }
    auto [entry, isNew] = known.try_emplace({use.callee, std::move(key)});
    Known &callee = entry->second;
    if (isNew) {
      std::uint64_t before = useTotal;
      callee.factors = of(*use.callee, inner);
      callee.uses = useTotal - before;
    } else {
      useTotal += callee.uses;
    }
    if (++useTotal > limits::usesOfSchedules)
      throw Finding{
          Diagnostic(use.keyword, diag::TooManySteps{.limit = limits::usesOfSchedules, .what = diag::WorkloadUses{}})};
    auto split = [&](const ir::Slice &slice, const ir::Buffer &parameter) {
      unify(ir::passesPackets(slice, parameter) ? packets : blocks, callee.factors, use.keyword);
    };
    for (auto [slice, parameter] : llvm::zip(use.inputs, use.callee->inputs))
      split(slice, *parameter);
    for (auto [slice, parameter] : llvm::zip(use.outputs, use.callee->outputs))
      split(slice, *parameter);
  }

  /// Sets the map from ranks to nodes of the group in which a schedule is used. False if a member is no rank; executing the `use` reports it.
  static bool setNodes(const ir::UseStmt &use, Frame &frame, Frame &inner) {
    inner.nodes = frame.nodes;
    if (!use.member)
      return true;
    const std::int64_t lo = evaluate(*use.lo, frame), size = inner[ir::Schedule::variableP];
    std::vector<std::int64_t> members;
    for (std::int64_t c = 0; c < size; ++c) {
      frame[use.binder] = lo + c;
      members.push_back(evaluate(*use.member, frame));
      if (!frame.nodes->hasRank(members.back()))
        return false;
    }
    inner.nodes = inducedNodes(frame.nodes, size, [&](std::int64_t rank) { return members[static_cast<size_t>(rank)]; });
    return true;
  }

  std::uint64_t steps = 0, useTotal = 0;
  struct Known {
    std::vector<std::int64_t> factors;
    std::uint64_t uses = 0; // total number of `use` statements visited
  };
  std::map<std::pair<const ir::Schedule *, std::vector<std::int64_t>>, Known> known;
};
} // namespace

Granularity granularityOf(const ir::Schedule &schedule, const Case &instance) {
  Frame frame;
  frame.values = {instance.p, 0};
  frame.values.insert(frame.values.end(), instance.numbers.begin(), instance.numbers.end());
  frame.nodes = nodesOf(schedule, instance);
  Granularity result{GranularityFinder().of(schedule, frame)};
  std::uint64_t unit = 1;
  for (std::int64_t f : result.factors)
    unit *= static_cast<std::uint64_t>(f);
  if (unit > (1u << 28))
    throw Finding{Diagnostic(schedule.nameRange, diag::SplitParts{.parts = unit})};
  return result;
}

// ---- memory --------------------------------------------------------------------------------------------------------------

Machine::Machine(std::uint32_t ranks, Granularity granularity, ValueDomain &domain, bool wantBrackets, LengthTables tableList,
                 std::vector<Lengths> sampleLengths, const Limits &limits)
    : ranks(ranks), granularity(std::move(granularity)), unitSlots(this->granularity.unit()), tables(std::move(tableList)),
      domain(domain), wantBrackets(wantBrackets),
      samples(hasClasses() ? std::move(sampleLengths) : std::vector<Lengths>{1}), limits(limits) {
  std::uint64_t symbols = 1 + entryCount(tables);
  assert(llvm::all_of(samples, [&](const Lengths &sample) { return sample.entries.size() + 1 == symbols || !hasClasses(); }) &&
         "samples have a length for each entry");
  std::uint64_t classes = symbols * unitSlots;
  if (classes > limits::lengthClasses)
    throw tooMany(!tables || tables->empty() ? "n" : (*tables)[0].name, classes, diag::StoredPackets{}, limits::lengthClasses, {});
  account(classes * samples.size() * sizeof(std::int64_t));
  lengths.reserve(classes * samples.size());
  for (std::uint64_t symbol = 0; symbol < symbols; ++symbol)
    for (std::uint32_t slot = 0; slot < unitSlots; ++slot)
      for (const Lengths &sample : samples)
        lengths.push_back(this->granularity.length(symbol ? sample.entries[symbol - 1] : sample.n, slot));
}

diag::Length Machine::describeClass(std::uint32_t lengthClass) const {
  const bool isPacket = unitSlots > 1;
  const std::uint32_t packet = lengthClass % unitSlots, symbol = lengthClass / unitSlots;
  std::string length;
  if (tables && symbol == 0)
    length = "n";
  else if (tables)
    for (const LengthTable &table : *tables)
      if (length.empty() && symbol - 1 < table.first + table.entries)
        length = table.text(symbol - 1);
  if (length.empty())
    return isPacket ? diag::Length(diag::LengthPacket{.packet = packet}) : diag::LengthBlock{};
  return isPacket ? diag::Length(diag::LengthPacketOf{.packet = packet, .length = length}) : diag::LengthBlockOf{.length = length};
}

void Machine::addClasses(Storage &storage) {
  assert(hasClasses() && "else all slots are equally long");
  storage.ownClasses = true;
  std::uint64_t size = std::uint64_t(ranks) * storage.stride;
  account((size - std::min<std::uint64_t>(size, storage.classes.size())) * 4);
  storage.classes.assign(size, 0);
}

void requireSlots(llvm::StringRef buffer, std::int64_t count, std::uint64_t unit, std::uint64_t ranks, llvm::SMRange range) {
  const unsigned __int128 slots = static_cast<unsigned __int128>(count) * (unit * ranks);
  if (slots > limits::slots.value())
    throw tooMany(buffer, slots, ranks == 1 ? diag::Stored(diag::StoredSlots{}) : diag::StoredSlotsOfAll{}, limits::slots, range);
}

void Machine::account(std::uint64_t bytes) {
  used += bytes;
  if (used > limits.memoryBytes)
    throw tooMuchMemory(ranks, used, limits);
}

Storage &Machine::add(std::string name, std::uint32_t stride) {
  Storage &storage = storages.emplace_back();
  storage.name = std::move(name);
  storage.ranks = ranks;
  reset(storage, stride, false);
  return storage;
}

Storage &Machine::addInput(std::string name, std::uint32_t stride, std::uint32_t inputBlock, std::int64_t onlyRank) {
  Storage &storage = storages.emplace_back();
  storage.name = std::move(name);
  storage.ranks = ranks;
  storage.stride = stride;
  storage.isInput = true;
  storage.inputBlock = inputBlock;
  storage.onlyRank = onlyRank;
  return storage;
}

void Machine::reset(Storage &storage, std::uint32_t stride, bool ownShape) {
  assert(!storage.isInput && storage.ranks == ranks && "inputs keep their values");
  std::uint64_t size = std::uint64_t(ranks) * std::max(stride, storage.stride);
  storage.ownClasses = ownShape && hasClasses();
  std::uint64_t perSlot = 8 + (wantBrackets ? 8 : 0) + (storage.ownClasses ? 4 : 0);
  if (size > storage.values.size())
    account((size - storage.values.size()) * perSlot);
  storage.stride = std::max(stride, storage.stride);
  storage.values.assign(size, emptyValue);
  if (wantBrackets)
    storage.brackets.assign(size, 0);
  if (storage.ownClasses)
    storage.classes.assign(size, 0);
  if (ownShape)
    storage.counts.assign(ranks, 0);
}

void Machine::emptyRow(Storage &storage, std::uint32_t rank, std::uint32_t count) {
  assert(!storage.isInput && rank < ranks && "inputs keep their values");
  if (count > storage.stride) {
    // The simulation declares row by row, but all rows have the same stride: widen all of them.
    std::uint64_t size = std::uint64_t(ranks) * count;
    account((size - storage.values.size()) * (8 + (wantBrackets ? 8 : 0) + (storage.ownClasses ? 4 : 0)));
    auto widen = [&](auto &rows) {
      if (rows.empty())
        return;
      std::decay_t<decltype(rows)> wider(size);
      for (std::uint64_t r = 0; r < ranks; ++r)
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(r * storage.stride), storage.stride,
                    wider.begin() + static_cast<std::ptrdiff_t>(r * count));
      rows = std::move(wider);
    };
    if (storage.values.empty())
      storage.values.assign(size, emptyValue);
    else
      widen(storage.values);
    widen(storage.brackets);
    widen(storage.classes);
    storage.stride = count;
    if (wantBrackets && storage.brackets.empty())
      storage.brackets.assign(size, 0);
    if (storage.ownClasses && storage.classes.empty())
      storage.classes.assign(size, 0);
  }
  std::fill_n(storage.values.begin() + static_cast<std::ptrdiff_t>(std::uint64_t(rank) * storage.stride), storage.stride,
              emptyValue);
  if (!storage.counts.empty())
    storage.counts[rank] = count;
}

void Machine::declareRow(Storage &storage, std::uint32_t rank, std::uint32_t count, const std::uint32_t *classes) {
  emptyRow(storage, rank, count);
  if (!storage.ownClasses)
    return;
  std::uint32_t *row = storage.classesOf(rank);
  for (std::uint32_t slot = 0; slot < count; ++slot)
    row[slot] = classes ? classes[slot] : slot % unitSlots;
}

// ---- words -----------------------------------------------------------------------------------------------------------------

diag::Amount amountOf(std::uint64_t slots, std::uint32_t unit) {
  const bool blocks = unit == 1 || slots % unit == 0;
  return {static_cast<std::int64_t>(blocks ? slots / unit : slots), !blocks};
}

diag::Part partOf(std::uint32_t lo, std::uint32_t count, std::uint32_t unit) {
  const bool blocks = unit == 1 || (lo % unit == 0 && count % unit == 0);
  if (blocks) {
    lo /= unit;
    count /= unit;
  }
  return {lo, count, !blocks};
}

std::string describeSlots(std::uint32_t lo, std::uint32_t count, std::uint32_t unit) { return diag::text(partOf(lo, count, unit)); }

std::string describeAmount(std::uint64_t slots, std::uint32_t unit) { return diag::text(amountOf(slots, unit)); }

} // namespace quadrille::compiler
