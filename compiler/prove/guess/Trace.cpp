//===- Trace.cpp - What small cases hold at the heads of loops -----------------------------------------------------------===//

#include "Trace.h"

#include "check/Check.h"
#include "check/CostClaims.h"
#include "check/HeardTracker.h"
#include "instantiate/Views.h"
#include "ir/Walk.h"
#include "limits/Limits.h"

#include <bit>
#include <cassert>

namespace quadrille::compiler::prove {

const StorageTrace *LoopTrace::find(const BufferPlace &wanted) const {
  auto found = llvm::find_if(storages, [&](const StorageTrace &s) { return s.place == wanted; });
  return found == storages.end() ? nullptr : &*found;
}

const LoopTrace *Trace::find(const LoopPlace &wanted) const {
  auto found = llvm::find_if(loops, [&](const LoopTrace &l) { return l.place == wanted; });
  return found == loops.end() ? nullptr : &*found;
}

void TraceRows::filter(llvm::ArrayRef<std::uint8_t> keep) {
  assert(keep.size() == size() && valid.size() == size() && live.size() == size() && "columns are of one length");
  auto thin = [&](auto &column) {
    std::size_t to = 0;
    for (std::size_t row = 0; row < keep.size(); ++row)
      if (keep[row])
        column[to++] = column[row];
    column.resize(to);
  };
  for (auto *column : {&p, &rank, &block, &packet, &input, &inputBlock, &inputPacket, &lo, &length})
    thin(*column);
  for (auto *columns : {&numbers, &heads})
    for (auto &column : *columns)
      thin(column);
  for (auto *column : {&valid, &compound, &live, &needed})
    thin(*column);
  thin(members);
}

// ---- cases ---------------------------------------------------------------------------------------------------------------

static std::vector<Case> smallCases(const ir::Schedule &schedule, bool more, bool isAdmitted(const ir::Schedule &, const Case &, TreeCache &)) {
  // If `requires` admits few p (powers of two, multiples of a parameter), take larger ones too.
  const bool relates = !schedule.requirements.empty() && schedule.parameterCount > 0;
  std::vector<Case> result;
  unsigned ps = 0;
  TreeCache trees;
  const std::int64_t usual = !more ? limits::traceRanks.value() : schedule.numberCount ? limits::traceRanksRelated.value() : 2 * limits::traceRanks.value();
  for (std::int64_t p = 1; p <= limits::traceRanksAtMost && (p <= usual || (relates && p <= limits::traceRanksRelated) || ps < limits::traceEnough); ++p) {
    std::vector<std::int64_t> parameters, roots;
    for (std::int64_t value : {1, 2, 3, 4, 5})
      if (schedule.parameterCount < 2 || value <= 3)
        parameters.push_back(value);
    for (std::int64_t root = 0; root < p; ++root)
      if (p <= limits::traceRoots || root == 0 || root == 1 || root == p / 2 || root == p - 1)
        roots.push_back(root);
    auto admitted = [&] {
      std::vector<Case> cases = allCases(schedule, p, parameters, roots);
      llvm::erase_if(cases, [&](const Case &c) { return !isAdmitted(schedule, c, trees); });
      return cases;
    };
    std::vector<Case> cases = admitted();
    if (cases.empty() && schedule.numberCount > schedule.parameterCount) {
      // `requires` may relate p and a number of the collective, such as the columns of a square.
      roots.clear();
      for (std::int64_t root = 0; root < p; ++root)
        roots.push_back(root);
      cases = admitted();
    }
    ps += !cases.empty();
    result.insert(result.end(), cases.begin(), cases.end());
  }
  return result;
}

std::vector<Case> traceCases(const ir::Schedule &schedule, bool more) {
  std::vector<Case> result = smallCases(schedule, more, admits);
  // If the schedule requires large p, small cases may still show the right formulas: guesses are proved anyway.
  return !result.empty() ? result : smallCases(schedule, more, [](const ir::Schedule &, const Case &, TreeCache &) { return true; });
}

// ---- one case ----------------------------------------------------------------------------------------------------------------

namespace {

class Recorder : public RunObserver, public UsageObserver {
public:
  Recorder(const ir::Schedule &schedule, const Case &instance, Machine &machine, const Limits &limits, Trace &trace)
      : schedule(schedule), instance(instance), machine(machine), trace(trace) {
    if (llvm::any_of(schedule.collective->promises, [](const ir::Promise &promise) { return promise.isHeard; }))
      heard.emplace(machine.ranks, limits);
    machine.usage = this;
  }

  bool wantsTransfers() const override { return heard.has_value(); }
  bool wantsLoops() const override { return true; }
  void onRound(const Round &round, const Machine &) override {
    if (!heard)
      return;
    for (const Transfer &transfer : round.transfers) {
      std::uint64_t known = 0;
      for (std::uint32_t from = 0; from < machine.ranks; ++from)
        known |= std::uint64_t(heard->hasHeard(transfer.source, from)) << from;
      hearings.push_back({round.number, transfer.source, transfer.destination, known});
    }
    heard->onRound(round, machine);
  }
  void onStepEnd(std::uint32_t first, std::uint32_t count) override {
    if (heard)
      heard->onStepEnd(first, count);
  }

  void onLoopHead(const LoopVisit &visit, const Machine &) override {
    endAssignment();
    if (visit.frames[0].ranks != outermost) {
      outermost = visit.frames[0].ranks;
      names.resize(machine.ranks);
      for (std::uint32_t r = 0; r < machine.ranks; ++r)
        names[r] = static_cast<std::uint32_t>(outermost->indexOf(r));
    }
    std::size_t loop = loopOf(visit);
    for (const Storage *storage : writtenBy(visit))
      record(loop, *storage, visit);
    if (heard && visit.loop->containsStep)
      recordHeard(loop, visit);
  }

  // An assignment reads the slots of its operands, one operand after the other, and then writes as many. A message is read where it is received.
  void onRead(const Storage &storage, std::uint32_t rank, std::uint32_t slot) override {
    if (!assigned.empty())
      endAssignment();
    operands.push_back({&storage, rank, slot});
    settle(unread, operands.back(), &TraceRows::live);
  }
  void onWrite(const Storage &storage, std::uint32_t rank, std::uint32_t slot) override {
    assigned.push_back({&storage, rank, slot});
    unread.erase(assigned.back());
  }
  void onReceive(const Storage &storage, std::uint32_t rank, std::uint32_t slot, bool, const Delivery &) override {
    endAssignment(); // what is sent is needed
    unread.erase({&storage, rank, slot});
    unneeded.erase({&storage, rank, slot});
  }

  void finish(const FinalState &state, TreeCache &trees) {
    endAssignment();
    forEachPromisedSlot(schedule, instance, machine, state, trees,
                        [&](const Storage &output, std::uint32_t rank, std::uint32_t slot) {
                          settle(unread, {&output, rank, slot}, &TraceRows::live);
                          settle(unneeded, {&output, rank, slot}, &TraceRows::needed);
                        });
    settleHeard();
  }

private:
  /// A message of a round, and the ranks of which its sender had heard.
  struct Hearing {
    std::uint32_t round, source, destination;
    std::uint64_t known;
  };
  /// The rows recorded about hearing at a head, and the number of messages before it.
  struct HeardVisit {
    std::size_t loop, storage, firstRow, hearings;
  };
  using RowOf = std::array<std::uint32_t, 3>; // loop, storage, row
  using Rows = llvm::SmallVector<RowOf, 4>;
  struct Slot {
    const Storage *storage;
    std::uint32_t rank, slot;
    bool operator==(const Slot &) const = default;
  };
  struct SlotHash {
    size_t operator()(const Slot &of) const {
      return std::hash<const void *>()(of.storage) ^ (((std::uint64_t(of.rank) << 32) | of.slot) * 0x9E3779B97F4A7C15ull);
    }
  };
  using RowsBySlot = std::unordered_map<Slot, Rows, SlotHash>;

  static void usesOf(const LoopVisit &visit, std::size_t frames, llvm::SmallVectorImpl<const ir::UseStmt *> &uses) {
    for (std::size_t i = 1; i < frames; ++i)
      uses.push_back(visit.frames[i].use);
  }

  /// The number of the visited loop in the trace, which it is added to at its first visit. Updates `around`, the loops being
  /// executed.
  std::size_t loopOf(const LoopVisit &visit) {
    LoopPlace place;
    usesOf(visit, visit.frames.size(), place.uses);
    place.loop = visit.loop;
    around.resize(visit.heads.size());
    around.back() = place;
    for (std::size_t i = 0; i < trace.loops.size(); ++i)
      if (trace.loops[i].place == place)
        return i;
    trace.loops.push_back({place, around, {}});
    return trace.loops.size() - 1;
  }

  std::vector<const Storage *> writtenBy(const LoopVisit &visit) {
    auto known = writes.find(visit.loop);
    if (known == writes.end())
      known = writes.emplace(visit.loop, ir::writtenBuffers(visit.loop->body)).first;
    std::vector<const Storage *> result;
    const RunningFrame &frame = visit.frames.back();
    for (const auto &buffer : frame.schedule->buffers) {
      const View &view = (*frame.views)[buffer->index];
      if (!view.storage || view.storage->isInput || !known->second.contains(buffer.get()) ||
          llvm::is_contained(result, view.storage))
        continue;
      result.push_back(view.storage);
    }
    return result;
  }

  /// The buffer to which a storage belongs: that of the outermost frame that has it, since parameters of used schedules are parts
  /// of their callers' buffers.
  static std::pair<BufferPlace, const View *> ownerOf(const Storage &storage, const LoopVisit &visit) {
    for (std::size_t i = 0; i < visit.frames.size(); ++i)
      for (const auto &buffer : visit.frames[i].schedule->buffers) {
        const View &view = (*visit.frames[i].views)[buffer->index];
        if (view.storage != &storage)
          continue;
        BufferPlace place;
        usesOf(visit, i + 1, place.uses);
        place.buffer = buffer.get();
        return {place, &view};
      }
    llvm_unreachable("every storage belongs to a running schedule");
  }

  std::size_t storageOf(std::size_t loop, const BufferPlace &place, std::size_t heads) {
    std::vector<StorageTrace> &storages = trace.loops[loop].storages;
    for (std::size_t i = 0; i < storages.size(); ++i)
      if (storages[i].place == place)
        return i;
    storages.push_back({place, {}});
    storages.back().rows.numbers.resize(instance.numbers.size());
    storages.back().rows.heads.resize(heads);
    return storages.size() - 1;
  }

  void addFeatures(TraceRows &rows, const LoopVisit &visit, std::uint32_t rank, std::uint32_t block, std::uint32_t packet) {
    rows.p.push_back(static_cast<std::int32_t>(instance.p));
    for (std::size_t i = 0; i < instance.numbers.size(); ++i)
      rows.numbers[i].push_back(static_cast<std::int32_t>(instance.numbers[i]));
    for (std::size_t i = 0; i < visit.heads.size(); ++i)
      rows.heads[i].push_back(static_cast<std::int32_t>(visit.heads[i]));
    rows.rank.push_back(static_cast<std::int32_t>(names[rank]));
    rows.block.push_back(static_cast<std::int32_t>(block));
    rows.packet.push_back(static_cast<std::int32_t>(packet));
  }

  struct Held {
    bool compound = false;
    std::uint32_t input = 0, block = 0, lo = 0, length = 0;
    std::uint64_t members = 0;
  };

  /// The number of a machine rank in `lo` and `members`.
  std::uint32_t memberName(std::uint32_t rank) const { return schedule.usesOperator ? rank : names[rank]; }

  Held heldIn(Value value) const {
    Held held;
    std::vector<Run> runs = machine.domain.runs(value);
    const std::uint32_t p = machine.ranks;
    bool regular = true;
    for (const Run &run : runs) {
      regular &= run.block == runs[0].block && run.length <= p;
      for (std::uint32_t i = 0; regular && i < run.length; ++i) {
        std::uint64_t bit = std::uint64_t(1) << memberName((run.lo + i) % p);
        regular &= !(held.members & bit);
        held.members |= bit;
      }
    }
    if (!regular)
      held.members = 0;
    for (std::size_t i = 0; i < schedule.inputs.size(); ++i) {
      const Storage &input = machine.memory()[i]; // inputs come first
      if (runs[0].block < input.inputBlock || runs[0].block >= input.inputBlock + input.stride / machine.unitSlots)
        continue;
      held.input = static_cast<std::uint32_t>(i);
      held.block = runs[0].block - input.inputBlock;
    }
    if (runs.size() == 1) {
      held.lo = memberName(runs[0].lo);
      held.length = runs[0].length;
      return held;
    }
    held.compound = true;
    if (!schedule.requiresCommutative || !held.members)
      return held;
    // The order does not matter: a set of ranks is a cyclic interval if exactly one of them has no predecessor in it.
    std::uint64_t all = p == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << p) - 1;
    std::uint64_t before = ((held.members << 1) | (held.members >> (p - 1))) & all; // the successors of all members
    std::uint64_t starts = held.members & ~before;
    if (held.members == all || std::popcount(starts) == 1) {
      held.compound = false;
      held.lo = held.members == all ? memberName(runs[0].lo) : static_cast<std::uint32_t>(std::countr_zero(starts));
      held.length = static_cast<std::uint32_t>(std::popcount(held.members));
    }
    return held;
  }

  void addContent(TraceRows &rows, bool valid, const Held &held, std::uint32_t packet) {
    rows.valid.push_back(valid);
    rows.compound.push_back(held.compound);
    rows.input.push_back(static_cast<std::int32_t>(held.input));
    rows.inputBlock.push_back(static_cast<std::int32_t>(held.block));
    rows.inputPacket.push_back(static_cast<std::int32_t>(packet));
    rows.lo.push_back(static_cast<std::int32_t>(held.lo));
    rows.length.push_back(static_cast<std::int32_t>(held.length));
    rows.members.push_back(held.members);
    rows.live.push_back(0);
    rows.needed.push_back(0);
  }

  void record(std::size_t loop, const Storage &storage, const LoopVisit &visit) {
    auto [place, own] = ownerOf(storage, visit);
    std::size_t which = storageOf(loop, place, visit.heads.size());
    TraceRows &rows = trace.loops[loop].storages[which].rows;
    const std::uint32_t unit = machine.unitSlots;
    for (std::uint32_t r = 0; r < machine.ranks; ++r) {
      trace.recorded += own->slots(r);
      if (trace.recorded > limits::recordedRows)
        throw tooManySteps(limits::recordedRows, visit.loop->keyword);
      for (std::uint32_t slot = 0, end = own->slots(r); slot < end; ++slot) {
        Value value = machine.read(storage, r, slot);
        addFeatures(rows, visit, r, slot / unit, slot % unit);
        std::uint32_t packet = slot % unit;
        if (!machine.tables && value != emptyValue)
          packet = machine.lengthClass(storage, r, slot) % unit;
        addContent(rows, value != emptyValue, value == emptyValue ? Held() : heldIn(value), packet);
        for (RowsBySlot *waiting : {&unread, &unneeded})
          (*waiting)[{&storage, r, slot}].push_back(
              {static_cast<std::uint32_t>(loop), static_cast<std::uint32_t>(which), static_cast<std::uint32_t>(rows.size() - 1)});
      }
    }
  }

  void recordHeard(std::size_t loop, const LoopVisit &visit) {
    std::size_t which = storageOf(loop, BufferPlace(), visit.heads.size());
    TraceRows &rows = trace.loops[loop].storages[which].rows;
    heardVisits.push_back({loop, which, rows.size(), hearings.size()});
    for (std::uint32_t r = 0; r < machine.ranks; ++r)
      for (std::uint32_t from = 0; from < machine.ranks; ++from) {
        addFeatures(rows, visit, r, names[from], 0);
        addContent(rows, heard->hasHeard(r, from), Held(), 0);
      }
  }

  /// Sets `live` of rows about hearing, going backwards from the end, where each rank must have heard of all. A rank that hears
  /// of another one again need not have known it before.
  void settleHeard() {
    if (!heard)
      return;
    std::vector<std::uint64_t> needed(machine.ranks, ~std::uint64_t(0));
    std::size_t end = hearings.size();
    for (const HeardVisit &visit : llvm::reverse(heardVisits)) {
      while (end > visit.hearings) {
        std::size_t first = end;
        while (first > visit.hearings && hearings[first - 1].round == hearings[end - 1].round)
          --first;
        std::vector<std::uint64_t> before = needed;
        for (std::size_t i = first; i < end; ++i)
          before[hearings[i].destination] &= ~hearings[i].known;
        for (std::size_t i = first; i < end; ++i)
          before[hearings[i].source] |= needed[hearings[i].destination] & hearings[i].known;
        needed = std::move(before);
        end = first;
      }
      TraceRows &rows = trace.loops[visit.loop].storages[visit.storage].rows;
      std::size_t row = visit.firstRow;
      for (std::uint32_t r = 0; r < machine.ranks; ++r)
        for (std::uint32_t from = 0; from < machine.ranks; ++from, ++row)
          rows.live[row] = rows.needed[row] = rows.valid[row] && (needed[r] >> from & 1);
    }
  }

  /// What an assignment reads is needed if what it writes is. What was read otherwise is needed.
  void endAssignment() {
    const size_t count = assigned.size();
    bool isKnown = count != 0 && operands.size() % count == 0;
    for (size_t i = 0; isKnown && i < operands.size(); ++i)
      isKnown = operands[i].rank == assigned[i % count].rank;
    std::vector<Rows> bySlot(isKnown ? count : 0);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!isKnown)
        settle(unneeded, operands[i], &TraceRows::needed);
      else if (const auto found = unneeded.find(operands[i]); found != unneeded.end())
        llvm::append_range(bySlot[i % count], found->second);
    }
    for (const Slot &slot : assigned)
      unneeded.erase(slot);
    for (size_t i = 0; i < bySlot.size(); ++i)
      if (!bySlot[i].empty())
        waitFor(assigned[i], std::move(bySlot[i]));
    operands.clear();
    assigned.clear();
  }

  /// Notes that the rows are needed if the slot is.
  void waitFor(const Slot &slot, Rows rows) {
    llvm::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.size() > limits::traceWaiting)
      return set(rows, &TraceRows::needed);
    unneeded[slot] = std::move(rows);
  }

  using Column = std::vector<std::uint8_t> TraceRows::*;
  void set(const Rows &rows, Column column) {
    for (auto [loop, which, row] : rows)
      (trace.loops[loop].storages[which].rows.*column)[row] = 1;
  }

  void settle(RowsBySlot &waiting, const Slot &slot, Column column) {
    const auto found = waiting.find(slot);
    if (found == waiting.end())
      return;
    set(found->second, column);
    waiting.erase(found);
  }

  const ir::Schedule &schedule;
  const Case &instance;
  Machine &machine;
  Trace &trace;
  std::optional<HeardTracker> heard;
  std::vector<Hearing> hearings;
  std::vector<HeardVisit> heardVisits;
  const RankMap *outermost = nullptr;
  std::vector<std::uint32_t> names; // of machine ranks, in the outermost schedule's numbering
  llvm::SmallVector<LoopPlace, 2> around;
  std::map<const ir::ForStmt *, llvm::SetVector<const ir::Buffer *>> writes;
  RowsBySlot unread, unneeded;                   // rows not known to be live, or needed, yet
  llvm::SmallVector<Slot, 8> operands, assigned;    // of the assignment that is made
};

/// Drops rows until few enough are left: rows of larger cases first, then of all. Equal traces lose the same rows.
void thin(TraceRows &rows) {
  constexpr std::int32_t smallUpTo = 5;
  while (rows.size() > limits::traceRows) {
    const auto isSmall = [](std::int32_t p) { return p <= smallUpTo; };
    const bool keepsSmall = static_cast<std::size_t>(llvm::count_if(rows.p, isSmall)) <= limits::traceRows;
    std::vector<std::uint8_t> keep(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      // A multiplicative hash, so that the choice does not correlate with ranks or slots.
      bool chosen = ((row + 1) * 0x9E3779B97F4A7C15ull) >> 63;
      keep[row] = chosen || (keepsSmall && isSmall(rows.p[row]));
    }
    if (!llvm::is_contained(keep, 0))
      return;
    rows.filter(keep);
  }
}

/// The number of rows of every storage of every loop.
using Extent = std::vector<std::vector<std::size_t>>;

Extent extentOf(const Trace &trace) {
  Extent result;
  for (const LoopTrace &loop : trace.loops) {
    std::vector<std::size_t> &sizes = result.emplace_back();
    for (const StorageTrace &storage : loop.storages)
      sizes.push_back(storage.rows.size());
  }
  return result;
}

/// Removes the rows that a failed case has added.
void cutBack(Trace &trace, const Extent &extent) {
  trace.loops.resize(extent.size());
  for (std::size_t i = 0; i < extent.size(); ++i) {
    std::vector<StorageTrace> &storages = trace.loops[i].storages;
    storages.resize(extent[i].size());
    for (std::size_t j = 0; j < storages.size(); ++j) {
      TraceRows &rows = storages[j].rows;
      std::vector<std::uint8_t> keep(rows.size(), 0);
      std::fill_n(keep.begin(), extent[i][j], std::uint8_t(1));
      rows.filter(keep);
    }
  }
}

} // namespace

Trace traceLoops(const ir::Schedule &schedule, llvm::ArrayRef<Case> cases) {
  Trace trace;
  const Limits limits;
  for (const Case &instance : cases) {
    if (instance.p > limits::traceMembers)
      continue;
    if (trace.recorded > limits::recordedRows)
      break;
    const Extent before = extentOf(trace);
    try {
      TreeCache trees;
      CaseRun run(schedule, instance, trees, limits);
      // Keep operands in order even if the operator commutes: such products are easier to describe.
      Machine &machine = run.prepare({.samples = sampleLengths(run.granularity.unit(), run.tables)});
      Recorder recorder(schedule, instance, machine, limits, trace);
      recorder.finish(run.run(recorder), trees);
    } catch (const Finding &) {
      cutBack(trace, before);
      continue;
    } catch (const EvaluationError &) {
      cutBack(trace, before);
      continue;
    }
    ++trace.cases;
    for (LoopTrace &loop : trace.loops)
      for (StorageTrace &storage : loop.storages)
        thin(storage.rows);
  }
  return trace;
}

} // namespace quadrille::compiler::prove
