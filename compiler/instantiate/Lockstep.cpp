//===- Lockstep.cpp - Uniform schedules, all ranks at once ---------------------------------------------------------------------===//

#include "Columns.h"
#include "Run.h"
#include "Semantics.h"
#include "SlotColumn.h"
#include "Views.h"

#include <algorithm>

namespace quadrille {

namespace {

using Mask = const std::uint8_t *; // per machine rank; null: all

/// A transfer statement of a step, for all ranks.
struct OpColumn {
  const ir::TransferStmt *stmt = nullptr;
  Storage *storage = nullptr; // null: a message without data
  bool elastic = false;       // a received name: takes the shape of what arrives
  std::vector<std::int32_t> peers; // machine rank, or -1
  SlotColumn slots;
};

struct FrameState {
  FrameState(const ir::Schedule &schedule, TreeCache &trees) : schedule(schedule), eval(trees) {}

  const ir::Schedule &schedule;
  ColumnEvaluator eval;
  std::vector<View> views;
  RankMap ranks;
  std::uint32_t unit = 1;      // slots per block
  bool blocksAreTop = true;    // its blocks are those of the collective, of n elements
  std::vector<std::int64_t> me;
  std::deque<std::vector<std::int64_t>> arrays; // rank-dependent loop variables
};

class Lockstep {
public:
  Lockstep(const ir::Schedule &schedule, const Case &instance, Machine &machine, RunObserver &observer,
           TreeCache &trees, const Limits &limits)
      : schedule(schedule), instance(instance), machine(machine), observer(observer), trees(trees), limits(limits),
        ranks(machine.ranks), work(std::size_t(ranks) * machine.sampleCount(), 0) {}

  FinalState run() {
    FrameState frame(schedule, trees);
    FinalState state = allocateParameters(schedule, instance, machine, trees, frame.views);
    frame.unit = machine.unitSlots;
    frame.ranks = RankMap::everybody(ranks);
    enter(frame, instance.p, instance.numbers);
    execute(schedule.body, frame, nullptr);
    flushWork();
    state.rounds = round.number;
    return state;
  }

private:
  static constexpr size_t chunkSize = ColumnEvaluator::chunkSize;

  // ---- frames

  void enter(FrameState &frame, std::int64_t p, const std::vector<std::int64_t> &numbers) {
    auto &variables = frame.eval.variables;
    variables.resize(frame.schedule.variables.size());
    variables[ir::Schedule::variableP].scalar = p;
    for (size_t i = 0; i < numbers.size(); ++i)
      variables[ir::Schedule::firstNumber + i].scalar = numbers[i];
    frame.eval.select(0, std::min<size_t>(ranks, chunkSize), nullptr);
    if (frame.schedule.origin)
      frame.ranks.rotation = static_cast<std::uint64_t>(
          arithmetic::floorMod(frame.eval.evaluateScalar(*frame.schedule.origin), static_cast<std::int64_t>(frame.ranks.size)));
    frame.me.resize(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r)
      frame.me[r] = frame.ranks.indexOf(r);
    variables[ir::Schedule::variableMe] = {ColumnVariable::Array, 0, nullptr, frame.me.data(), 0,
                                           static_cast<std::int64_t>(frame.ranks.size) - 1};
    frame.eval.invalidate();
  }

  template <typename F> void forChunks(FrameState &frame, Mask mask, F f) {
    for (size_t first = 0; first < ranks; first += chunkSize) {
      size_t count = std::min<size_t>(chunkSize, ranks - first);
      frame.eval.select(first, count, mask);
      f(first, count);
    }
  }

  void set(FrameState &frame, unsigned variable, std::int64_t value) {
    frame.eval.variables[variable] = {};
    frame.eval.variables[variable].scalar = value;
    frame.eval.invalidate();
  }

  std::int64_t scalar(FrameState &frame, const ir::Expr *expr) { return frame.eval.evaluateScalar(*expr); }

  /// Evaluates for all ranks of the mask into an array that lives as long as the frame.
  std::vector<std::int64_t> &column(FrameState &frame, const ir::Expr &expr, Mask mask) {
    std::vector<std::int64_t> &out = frame.arrays.emplace_back(ranks, 0);
    forChunks(frame, mask, [&](size_t first, size_t count) {
      Column values = frame.eval.evaluate(expr);
      for (size_t i = 0; i < count; ++i)
        out[first + i] = values[i];
    });
    return out;
  }

  void setArray(FrameState &frame, unsigned variable, const std::vector<std::int64_t> &values) {
    auto [lo, hi] = std::minmax_element(values.begin(), values.end());
    frame.eval.variables[variable] = {ColumnVariable::Array, 0, nullptr, values.data(), *lo, *hi};
    frame.eval.invalidate();
  }

  // ---- statements

  void execute(const ir::Body &body, FrameState &frame, Mask mask) {
    for (const auto &s : body)
      execute(*s, frame, mask);
  }

  void execute(const ir::Stmt &stmt, FrameState &frame, Mask mask) {
    switch (stmt.kind) {
    case ir::StmtKind::Let:
      return let(llvm::cast<ir::LetStmt>(stmt), frame, mask);
    case ir::StmtKind::Declare:
      return declare(llvm::cast<ir::DeclareStmt>(stmt), frame, mask);
    case ir::StmtKind::Assign:
      return assign(llvm::cast<ir::AssignStmt>(stmt), frame, mask);
    case ir::StmtKind::Transfer:
      return; // collected by `step`; its body is walked once more for the assignments
    case ir::StmtKind::Step:
      return step(llvm::cast<ir::StepStmt>(stmt), frame, mask);
    case ir::StmtKind::If:
      return branch(llvm::cast<ir::IfStmt>(stmt), frame, mask, [&](const ir::Body &body, Mask inner) {
        execute(body, frame, inner);
      });
    case ir::StmtKind::For:
      return loop(llvm::cast<ir::ForStmt>(stmt), frame, mask, [&](const ir::Body &body, Mask inner) {
        execute(body, frame, inner);
      });
    case ir::StmtKind::Use:
      return use(llvm::cast<ir::UseStmt>(stmt), frame, mask);
    }
  }

  void let(const ir::LetStmt &stmt, FrameState &frame, Mask mask) {
    if (stmt.value->dependsOnRank) {
      frame.eval.variables[stmt.variable] = {ColumnVariable::Lazy, 0, stmt.value, nullptr, 0, 0};
      frame.eval.invalidate();
    } else if (!mask || anyActive(mask)) {
      set(frame, stmt.variable, scalar(frame, stmt.value));
    }
  }

  bool anyActive(Mask mask) const { return std::any_of(mask, mask + ranks, [](std::uint8_t a) { return a != 0; }); }

  template <typename Do> void branch(const ir::IfStmt &stmt, FrameState &frame, Mask mask, Do run) {
    if (!stmt.condition->dependsOnRank) {
      if (mask && !anyActive(mask))
        return;
      run(scalar(frame, stmt.condition) ? stmt.yes : stmt.no, mask);
      return;
    }
    std::vector<std::uint8_t> yes(ranks), no(ranks);
    bool anyYes = false, anyNo = false;
    forChunks(frame, mask, [&](size_t first, size_t count) {
      Column condition = frame.eval.evaluate(*stmt.condition);
      for (size_t i = 0; i < count; ++i) {
        bool active = !mask || mask[first + i];
        bool taken = condition[i] != 0;
        yes[first + i] = active && taken;
        no[first + i] = active && !taken;
        anyYes |= active && taken;
        anyNo |= active && !taken;
      }
    });
    if (anyYes && !stmt.yes.empty())
      run(stmt.yes, yes.data());
    if (anyNo && !stmt.no.empty())
      run(stmt.no, no.data());
  }

  template <typename Do> void loop(const ir::ForStmt &stmt, FrameState &frame, Mask mask, Do run) {
    bool fromRank = stmt.loop == ir::LoopKind::Others || stmt.loop == ir::LoopKind::Children;
    for (const ir::Expr *bound : {stmt.lo, stmt.hi, stmt.factor})
      fromRank |= bound && bound->dependsOnRank;
    if (fromRank)
      return rankLoop(stmt, frame, mask, run);
    auto iteration = [&](std::int64_t value) {
      countStep();
      set(frame, stmt.variable, value);
      run(stmt.body, mask);
    };
    forEachValue(stmt, [&](const ir::Expr &bound) { return scalar(frame, &bound); },
                 [&](std::int64_t value, std::int64_t second) {
                   if (stmt.loop == ir::LoopKind::Halvings || stmt.loop == ir::LoopKind::HalvingsReversed)
                     set(frame, stmt.second, second);
                   iteration(value);
                 });
  }

  /// Loops whose bounds differ between ranks (without steps inside): all ranks go along, those that are done are masked.
  template <typename Do> void rankLoop(const ir::ForStmt &stmt, FrameState &frame, Mask mask, Do run) {
    std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> values(ranks);
    size_t longest = 0;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (mask && !mask[r])
        continue;
      auto &list = values[r];
      if (stmt.loop == ir::LoopKind::Others) {
        for (std::int64_t j = 0; j < static_cast<std::int64_t>(frame.ranks.size); ++j)
          if (j != frame.me[r])
            list.push_back({j, 0});
      } else if (stmt.loop == ir::LoopKind::Children) {
        const TreeInstance &tree = trees[frame.eval.evaluateAt(*stmt.tree, r)];
        for (ir::TreeFieldKind side : {ir::TreeFieldKind::Left, ir::TreeFieldKind::Right})
          if (std::int64_t child = tree.field(side, frame.me[r]); child != ir::none)
            list.push_back({child, 0});
      } else {
        forEachValue(stmt, [&](const ir::Expr &bound) { return frame.eval.evaluateAt(bound, r); },
                     [&](std::int64_t value, std::int64_t second) {
                       countStep();
                       list.push_back({value, second});
                     });
      }
      longest = std::max(longest, list.size());
    }
    std::vector<std::int64_t> value(ranks), second(ranks);
    std::vector<std::uint8_t> active(ranks);
    for (size_t i = 0; i < longest; ++i) {
      countStep();
      for (std::uint32_t r = 0; r < ranks; ++r) {
        active[r] = i < values[r].size();
        value[r] = active[r] ? values[r][i].first : 0;
        second[r] = active[r] ? values[r][i].second : 0;
      }
      setArray(frame, stmt.variable, value);
      if (stmt.loop == ir::LoopKind::Halvings || stmt.loop == ir::LoopKind::HalvingsReversed)
        setArray(frame, stmt.second, second);
      run(stmt.body, active.data());
    }
  }

  void countStep() {
    if (++steps > limits.maxSteps)
      throw Finding{Diagnostic(diag::Id::TooManySteps, schedule.nameRange, {std::to_string(limits.maxSteps)})};
  }

  // ---- slices

  /// Resolves a slice for ranks first ..< first + count and appends to `out`.
  void resolve(const ir::Slice &slice, FrameState &frame, Mask mask, size_t first, size_t count, SlotColumn &out) {
    const View &view = frame.views[slice.buffer->index];
    bool direct = slice.packets.kind == ir::IndexKind::Whole && view.firstSlots.empty() && view.blockCounts.empty();
    if (direct && view.storage->counts.empty() && slice.blocks.kind == ir::IndexKind::Point) {
      Column at = frame.eval.evaluate(*slice.blocks.a);
      auto blockOf = [&](size_t i) {
        std::int64_t block = at[i];
        if (static_cast<std::uint64_t>(block) >= view.blocks)
          outOfRange(view, slice, static_cast<std::uint32_t>(first + i), block);
        return SlotRun{static_cast<std::uint32_t>(block) * view.unit, view.unit};
      };
      if (SlotRun *runs = out.appendSingles(count)) {
        for (size_t i = 0; i < count; ++i)
          runs[i] = !mask || mask[first + i] ? blockOf(i) : SlotRun{0, 0};
        return;
      }
    }
    if (direct && slice.blocks.kind == ir::IndexKind::Whole) {
      const std::vector<std::uint32_t> &counts = view.storage->counts;
      if (counts.empty())
        return out.appendSame(count, {0, view.blocks * view.unit});
      if (std::all_of(counts.begin() + static_cast<std::ptrdiff_t>(first),
                      counts.begin() + static_cast<std::ptrdiff_t>(first + count),
                      [&](std::uint32_t c) { return c == counts[first]; }))
        return out.appendSame(count, {0, counts[first]});
      if (SlotRun *runs = out.appendSingles(count)) {
        for (size_t i = 0; i < count; ++i)
          runs[i] = {0, counts[first + i]};
        return;
      }
    }
    struct Level {
      ir::IndexKind kind;
      Column a, b, c;
      std::vector<std::vector<std::int64_t>> chosen;
    };
    auto evaluateLevel = [&](const ir::Index &index) {
      Level level{index.kind, {}, {}, {}, {}};
      if (index.a)
        level.a = frame.eval.evaluate(*index.a);
      if (index.b)
        level.b = frame.eval.evaluate(*index.b);
      if (index.kind == ir::IndexKind::Cyclic)
        level.c = frame.eval.evaluate(*index.c);
      if (index.kind == ir::IndexKind::Filter)
        filter(index, frame, mask, first, count, level.a, level.b, level.chosen);
      return level;
    };
    Level blocks = evaluateLevel(slice.blocks), packets = evaluateLevel(slice.packets);
    auto at = [](const Level &level, size_t i) {
      return IndexValues{level.kind, level.a[i], level.b[i], level.c[i], level.chosen.empty() ? nullptr : &level.chosen[i]};
    };
    std::vector<SlotRun> runs;
    for (size_t i = 0; i < count; ++i) {
      std::uint32_t rank = static_cast<std::uint32_t>(first + i);
      runs.clear();
      if (!mask || mask[rank])
        appendSlots(view, rank, rank, slice, at(blocks, i), at(packets, i), runs);
      SlotRun *single = runs.size() <= 1 && out.isSingle() ? out.appendSingles(1) : nullptr;
      if (single)
        *single = runs.empty() ? SlotRun{0, 0} : runs[0];
      else
        out.appendList(runs.data(), runs.data() + runs.size());
    }
  }

  [[noreturn]] static void outOfRange(const View &view, const ir::Slice &slice, std::uint32_t rank, std::int64_t block) {
    std::vector<SlotRun> unused;
    appendSlots(view, rank, rank, slice, {ir::IndexKind::Point, block, 0, 0, nullptr}, {}, unused);
    llvm_unreachable("the index was in range");
  }

  void filter(const ir::Index &index, FrameState &frame, Mask mask, size_t first, size_t count, Column lo, Column hi,
              std::vector<std::vector<std::int64_t>> &chosen) {
    chosen.resize(count);
    std::vector<std::int64_t> from(count), to(count); // columns do not survive the evaluations below
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = std::numeric_limits<std::int64_t>::min();
    for (size_t i = 0; i < count; ++i) {
      from[i] = lo[i];
      to[i] = hi[i];
      if (mask && !mask[first + i])
        continue;
      least = std::min(least, from[i]);
      most = std::max(most, to[i]);
    }
    for (std::int64_t j = least; j < most; ++j) {
      countStep();
      set(frame, index.binder, j);
      frame.eval.release();
      Column condition = frame.eval.evaluate(*index.c);
      for (size_t i = 0; i < count; ++i)
        if ((!mask || mask[first + i]) && from[i] <= j && j < to[i] && condition[i])
          chosen[i].push_back(j);
    }
  }

  // ---- declarations

  void declare(const ir::DeclareStmt &stmt, FrameState &frame, Mask mask) {
    const ir::Buffer &buffer = *stmt.buffer;
    View &view = frame.views[buffer.index];
    if (!view.storage)
      view.storage = &machine.add(buffer.name, 0);
    view.parts = buffer.parts ? static_cast<std::uint32_t>(scalar(frame, buffer.parts)) : 0;
    if (buffer.like) {
      shapeLike(view, *buffer.like, buffer.isArray, frame, mask);
      return;
    }
    view.unit = frame.unit;
    auto checkCount = [&](std::int64_t count, size_t rank) {
      if (count < 0)
        throw Finding{Diagnostic(diag::Id::NegativeLength, buffer.count->range,
                                 {std::to_string(count), "for rank " + std::to_string(rank)})};
      if (static_cast<std::uint64_t>(count) * view.unit * ranks > (std::uint64_t(1) << 31))
        throw Finding{Diagnostic(diag::Id::TooMuchMemory, buffer.count->range,
                                 {std::to_string(ranks), std::to_string((static_cast<std::uint64_t>(count) * view.unit * ranks * 8) >> 20),
                                  std::to_string(limits.memoryBytes >> 20)})};
      return static_cast<std::uint32_t>(count);
    };
    if (buffer.isArray && buffer.count->dependsOnRank) {
      view.blockCounts.assign(ranks, 0);
      forChunks(frame, mask, [&](size_t first, size_t count) {
        Column values = frame.eval.evaluate(*buffer.count);
        for (size_t i = 0; i < count; ++i)
          if (!mask || mask[first + i])
            view.blockCounts[first + i] = checkCount(values[i], first + i);
      });
      view.blocks = *std::max_element(view.blockCounts.begin(), view.blockCounts.end());
    } else {
      view.blocks = buffer.isArray ? checkCount(scalar(frame, buffer.count), 0) : 1;
    }
    machine.reset(*view.storage, view.blocks * view.unit, !frame.blocksAreTop);
    if (!frame.blocksAreTop)
      for (std::uint32_t r = 0; r < ranks; ++r)
        view.storage->counts[r] = (view.blockCounts.empty() ? view.blocks : view.blockCounts[r]) * view.unit;
  }

  void shapeLike(View &view, const ir::Slice &like, bool isArray, FrameState &frame, Mask mask) {
    SlotColumn slots;
    slots.clear();
    forChunks(frame, mask, [&](size_t first, size_t count) { resolve(like, frame, mask, first, count, slots); });
    std::uint32_t most = 0;
    std::vector<std::uint32_t> counts(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r)
      most = std::max(most, counts[r] = slots.slots(r));
    view.unit = isArray ? frame.views[like.buffer->index].unit : most;
    view.blocks = view.unit ? most / view.unit : 0;
    view.unit = std::max<std::uint32_t>(view.unit, 1);
    machine.reset(*view.storage, most, true);
    view.storage->counts = counts;
    if (view.storage->ownClasses)
      for (std::uint32_t r = 0; r < ranks; ++r) {
        std::uint32_t at = 0;
        const Storage &from = *frame.views[like.buffer->index].storage;
        for (std::uint32_t j = 0; j < slots.size(r); ++j)
          for (std::uint32_t k = 0; k < slots.begin(r)[j].count; ++k)
            view.storage->classes[std::size_t(r) * view.storage->stride + at++] =
                machine.lengthClass(from, r, slots.begin(r)[j].lo + k);
      }
  }

  // ---- assignments

  /// A leaf of a data expression, resolved for the ranks of a chunk.
  struct Leaf {
    const Storage *storage;
    SlotColumn slots;
    bool single = true; // one slot for every active rank
  };

  void assign(const ir::AssignStmt &stmt, FrameState &frame, Mask mask) {
    SlotColumn target;
    std::vector<Leaf> leaves;
    View &view = frame.views[stmt.target.buffer->index];
    for (size_t first = 0; first < ranks; first += chunkSize) {
      size_t count = std::min<size_t>(chunkSize, ranks - first);
      frame.eval.select(first, count, mask);
      target.clear();
      resolve(stmt.target, frame, mask, first, count, target);
      leaves.clear();
      collectLeaves(*stmt.value, frame, mask, first, count, leaves);
      bool fast = machine.unitSlots == 1 && !machine.usage && isSingle(target, mask, first, count);
      for (Leaf &leaf : leaves)
        fast &= leaf.single = isSingle(leaf.slots, mask, first, count);
      if (fast)
        assignSingle(*stmt.value, leaves, *view.storage, target, mask, first, count);
      else
        for (size_t i = 0; i < count; ++i)
          if (!mask || mask[first + i])
            assignRank(stmt, leaves, *view.storage, target, static_cast<std::uint32_t>(first + i), i);
    }
  }

  /// One slot for every rank that takes part.
  static bool isSingle(const SlotColumn &slots, Mask mask, size_t first, size_t count) {
    if (!slots.isSingle())
      return false;
    if (slots.isSame())
      return slots.run(0).count == 1;
    for (size_t i = 0; i < count; ++i)
      if ((!mask || mask[first + i]) && slots.run(i).count != 1)
        return false;
    return true;
  }

  void collectLeaves(const ir::DataExpr &expr, FrameState &frame, Mask mask, size_t first, size_t count,
                     std::vector<Leaf> &leaves) {
    if (expr.isCombine) {
      collectLeaves(*expr.left, frame, mask, first, count, leaves);
      collectLeaves(*expr.right, frame, mask, first, count, leaves);
      return;
    }
    Leaf &leaf = leaves.emplace_back();
    leaf.storage = frame.views[expr.slice.buffer->index].storage;
    leaf.slots.clear();
    resolve(expr.slice, frame, mask, first, count, leaf.slots);
  }

  using Lane = std::array<std::uint64_t, chunkSize>;

  /// One slot per rank: the operator in a loop over the ranks of the chunk.
  void assignSingle(const ir::DataExpr &expr, std::vector<Leaf> &leaves, Storage &target, const SlotColumn &slots,
                    Mask mask, size_t first, size_t count) {
    size_t leaf = 0, depth = 0;
    compute(expr, leaves, leaf, depth, mask, first, count);
    const Lane &values = *lanes[0];
    for (size_t i = 0; i < count; ++i) {
      if (mask && !mask[first + i])
        continue;
      std::uint32_t rank = static_cast<std::uint32_t>(first + i), slot = slots.run(i).lo;
      machine.write(target, rank, slot, values[i]);
      if (!target.brackets.empty())
        target.brackets[std::size_t(rank) * target.stride + slot] = (*brackets[0])[i];
    }
  }

  void compute(const ir::DataExpr &expr, std::vector<Leaf> &leaves, size_t &leaf, size_t depth, Mask mask, size_t first,
               size_t count) {
    while (lanes.size() <= depth + 1) {
      lanes.push_back(std::make_unique<Lane>());
      brackets.push_back(std::make_unique<Lane>());
    }
    Lane &out = *lanes[depth], &outBrackets = *brackets[depth];
    if (!expr.isCombine) {
      const Leaf &from = leaves[leaf++];
      for (size_t i = 0; i < count; ++i)
        if (!mask || mask[first + i])
          out[i] = machine.read(*from.storage, static_cast<std::uint32_t>(first + i), from.slots.run(i).lo);
      if (machine.wantBrackets)
        for (size_t i = 0; i < count; ++i)
          if (!mask || mask[first + i])
            outBrackets[i] = machine.bracket(*from.storage, static_cast<std::uint32_t>(first + i), from.slots.run(i).lo);
      return;
    }
    compute(*expr.left, leaves, leaf, depth, mask, first, count);
    compute(*expr.right, leaves, leaf, depth + 1, mask, first, count);
    const Lane &right = *lanes[depth + 1];
    hasWork = true;
    for (size_t i = 0; i < count; ++i) {
      if (mask && !mask[first + i])
        continue;
      bool both = out[i] != emptyValue && right[i] != emptyValue;
      work[first + i] += both;
      if (machine.wantBrackets)
        outBrackets[i] = both ? Machine::combineBrackets(outBrackets[i], (*brackets[depth + 1])[i])
                              : out[i] != emptyValue ? outBrackets[i] : (*brackets[depth + 1])[i];
      out[i] = machine.domain.combine(out[i], right[i]);
    }
  }

  void contentOf(const ir::DataExpr &expr, std::vector<Leaf> &leaves, size_t &leaf, std::uint32_t rank, size_t lane,
                 Content &out) {
    if (!expr.isCombine) {
      const Leaf &from = leaves[leaf++];
      readContent(machine, *from.storage, rank, from.slots.begin(lane), from.slots.size(lane), out);
      return;
    }
    Content right;
    contentOf(*expr.left, leaves, leaf, rank, lane, out);
    contentOf(*expr.right, leaves, leaf, rank, lane, right);
    combine(machine, expr, rank, out, right, &work[std::size_t(rank) * machine.sampleCount()]);
    hasWork = true;
  }

  void assignRank(const ir::AssignStmt &stmt, std::vector<Leaf> &leaves, Storage &target, const SlotColumn &slots,
                  std::uint32_t rank, size_t lane) {
    Content content;
    size_t leaf = 0;
    contentOf(*stmt.value, leaves, leaf, rank, lane, content);
    store(machine, stmt, target, rank, slots.begin(lane), slots.size(lane), content);
  }

  // ---- steps

  void step(const ir::StepStmt &stmt, FrameState &frame, Mask mask) {
    countStep();
    opCount = 0;
    for (const ir::Buffer *message : stmt.messages)
      if (Storage *storage = frame.views[message->index].storage)
        forget(*storage, mask);
    collect(stmt.body, frame, mask);
    flushWork();
    match();
    if (round.transferCount) {
      observer.onRound(round, machine);
      checkRaces();
      if (round.partners)
        moveByPartners();
      else
        move();
      observer.onStepEnd(0, ranks);
      ++round.number;
    }
    execute(stmt.body, frame, mask);
  }

  /// Whatever an earlier step left in a message is gone.
  void forget(Storage &storage, Mask mask) {
    if (!mask) {
      machine.reset(storage, 0, true);
      return;
    }
    for (std::uint32_t r = 0; r < ranks; ++r)
      if (mask[r])
        machine.emptyRow(storage, r, 0);
  }

  OpColumn &newOp() {
    if (opCount == ops.size())
      ops.push_back(std::make_unique<OpColumn>());
    OpColumn &op = *ops[opCount++];
    op.slots.clear();
    op.storage = nullptr;
    op.elastic = false;
    op.peers.assign(ranks, -1);
    return op;
  }

  void collect(const ir::Body &body, FrameState &frame, Mask mask) {
    for (const auto &s : body) {
      if (auto *transfer = llvm::dyn_cast<ir::TransferStmt>(s.get()))
        collect(*transfer, frame, mask);
      else if (auto *l = llvm::dyn_cast<ir::LetStmt>(s.get()))
        let(*l, frame, mask);
      else if (auto *b = llvm::dyn_cast<ir::IfStmt>(s.get()))
        branch(*b, frame, mask, [&](const ir::Body &inner, Mask innerMask) { collect(inner, frame, innerMask); });
      else if (auto *l = llvm::dyn_cast<ir::ForStmt>(s.get()))
        loop(*l, frame, mask, [&](const ir::Body &inner, Mask innerMask) { collect(inner, frame, innerMask); });
    }
  }

  void collect(const ir::TransferStmt &stmt, FrameState &frame, Mask mask) {
    OpColumn &op = newOp();
    op.stmt = &stmt;
    std::vector<std::uint8_t> present;
    if (stmt.message) {
      View &view = frame.views[stmt.message->buffer->index];
      op.elastic = !stmt.isSend && stmt.message->buffer->kind == ir::BufferKind::Message &&
                   stmt.message->blocks.kind == ir::IndexKind::Whole;
      if (!view.storage) {
        view.storage = &machine.add(stmt.message->buffer->name, 0);
        view.unit = stmt.message->buffer->isArray ? frame.unit : 1;
      }
      op.storage = view.storage;
      if (op.elastic) {
        if (view.storage->counts.empty())
          machine.reset(*view.storage, 0, true);
      }
    }
    forChunks(frame, mask, [&](size_t first, size_t count) {
      Column peer = frame.eval.evaluate(*stmt.peer);
      bool someAbsent = mask != nullptr;
      // Ranks in their own order need no map, and bounds on the column save looking at each of them.
      bool plain = !mask && !peer.isScalar && !stmt.peer->mayBeNone && frame.ranks.groups.empty() &&
                   frame.ranks.rotation == 0 && peer.lo >= 0 && peer.hi < static_cast<std::int64_t>(ranks);
      if (plain)
        for (size_t i = 0; i < count; ++i) {
          if (peer.values[i] == static_cast<std::int64_t>(first + i))
            plain = false;
          op.peers[first + i] = static_cast<std::int32_t>(peer.values[i]);
        }
      for (size_t i = 0; i < count && !plain; ++i) {
        if (mask && !mask[first + i])
          continue;
        std::int64_t index = peer[i];
        if (index == ir::none) {
          someAbsent = true;
          continue;
        }
        op.peers[first + i] = static_cast<std::int32_t>(machineRank(stmt, frame, static_cast<std::uint32_t>(first + i), index));
      }
      if (!op.storage || op.elastic)
        return;
      Mask within = mask;
      if (someAbsent) {
        // A slice of a transfer that does not take place need not exist.
        present.resize(ranks);
        for (size_t i = 0; i < count; ++i)
          present[first + i] = op.peers[first + i] >= 0;
        within = present.data();
        frame.eval.select(first, count, within);
      }
      resolve(*stmt.message, frame, within, first, count, op.slots);
    });
    // No blocks, no message.
    if (op.storage && !op.elastic && !(op.slots.isSame() && op.slots.run(0).count))
      for (std::uint32_t r = 0; r < ranks; ++r)
        if (op.peers[r] >= 0 && op.slots.size(r) == 0)
          op.peers[r] = -1;
  }

  std::uint32_t machineRank(const ir::TransferStmt &stmt, FrameState &frame, std::uint32_t rank, std::int64_t index) {
    return quadrille::machineRank(stmt, frame.ranks, rank, index);
  }

  [[noreturn]] void unmatched(const OpColumn &op, std::uint32_t rank) {
    std::uint32_t other = static_cast<std::uint32_t>(op.peers[rank]);
    // What the other side does instead: the same kind of transfer as would have matched, with whom?
    bool isSend = op.stmt->isSend;
    std::string instead;
    const OpColumn *otherOp = nullptr;
    for (size_t i = 0; i < opCount; ++i)
      if (ops[i]->stmt->isSend != isSend && ops[i]->peers[other] >= 0) {
        otherOp = ops[i].get();
        instead = "rank " + std::to_string(other) + (isSend ? " receives from rank " : " sends to rank ") +
                  std::to_string(ops[i]->peers[other]);
        if (ops[i]->peers[other] == static_cast<std::int32_t>(rank))
          instead += " another time only";
        break;
      }
    if (instead.empty())
      instead = "rank " + std::to_string(other) + (isSend ? " receives nothing" : " sends nothing") + " in that step";
    std::string amount = op.elastic ? "a message" : op.storage ? describeAmount(op.slots.slots(rank), machine.unitSlots) : "a message";
    Diagnostic diagnostic(isSend ? diag::Id::SendUnmatched : diag::Id::ReceiveUnmatched, op.stmt->keyword,
                          {std::to_string(rank), amount, std::to_string(other), std::to_string(round.number), instead});
    if (otherOp)
      diagnostic.note(otherOp->stmt->isSend ? diag::Id::HereSends : diag::Id::HereReceives, otherOp->stmt->keyword,
                      {std::to_string(other), textOf(otherOp->stmt->peer->range), std::to_string(otherOp->peers[other])});
    throw UnmatchedInLockstep{{std::move(diagnostic)}};
  }

  void addTransfer(const OpColumn &send, const OpColumn &recv, std::uint32_t source, std::uint32_t destination) {
    Transfer transfer;
    transfer.source = source;
    transfer.destination = destination;
    transfer.send = send.stmt;
    transfer.recv = recv.stmt;
    transfer.storage = send.storage;
    if (send.storage) {
      transfer.runs = send.slots.begin(source);
      transfer.runCount = send.slots.size(source);
      transfer.slots = send.slots.slots(source);
    }
    round.transfers.push_back(transfer);
    ++round.transferCount;
    receivers.push_back(&recv);
  }

  void match() {
    round.transfers.clear();
    round.words.clear();
    round.partners.reset();
    round.transferCount = 0;
    receivers.clear();
    size_t sends = 0, recvs = 0;
    const OpColumn *send = nullptr, *recv = nullptr;
    for (size_t i = 0; i < opCount; ++i)
      (ops[i]->stmt->isSend ? (++sends, send) : (++recvs, recv)) = ops[i].get();
    if (sends == 1 && recvs == 1)
      matchPartners(*send, *recv);
    else
      matchInOrder();
  }

  /// One send and one receive statement: all that can happen is that partners do not name each other.
  void matchPartners(const OpColumn &send, const OpColumn &recv) {
    const std::int32_t *to = send.peers.data(), *from = recv.peers.data();
    std::uint32_t count = 0;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (from[r] >= 0 && to[from[r]] != static_cast<std::int32_t>(r))
        unmatched(recv, r);
      if (to[r] < 0)
        continue;
      if (from[to[r]] != static_cast<std::int32_t>(r))
        unmatched(send, r);
      ++count;
    }
    round.transferCount = count;
    if (observer.wantsTransfers()) {
      for (std::uint32_t r = 0; r < ranks; ++r)
        if (to[r] >= 0)
          addTransfer(send, recv, r, static_cast<std::uint32_t>(to[r]));
      round.transferCount = count;
      measure();
    }
    round.partners = Partners{to, from, send.stmt, recv.stmt, nullptr, 0};
    partnerOps = {&send, &recv};
    measurePartners(send);
  }

  void measurePartners(const OpColumn &send) {
    size_t samples = machine.sampleCount();
    Partners &partners = *round.partners;
    if (!send.storage || (machine.countsBlocks() && send.slots.isSame())) {
      partnerWords.assign(samples, send.storage ? send.slots.run(0).count : 0);
    } else {
      partnerWords.assign(std::size_t(ranks) * samples, 0);
      partners.stride = samples;
      for (std::uint32_t r = 0; r < ranks; ++r) {
        if (partners.to[r] < 0)
          continue;
        if (machine.countsBlocks())
          partnerWords[r] = send.slots.slots(r);
        else
          for (std::uint32_t j = 0; j < send.slots.size(r); ++j)
            machine.addWords(*send.storage, r, send.slots.begin(r)[j], &partnerWords[r * samples]);
      }
    }
    partners.words = partnerWords.data();
  }

  void matchInOrder() {
    // The n-th send of a pair meets the n-th receive, in the order of the text.
    struct Half {
      std::uint64_t pair;
      std::uint32_t op;
    };
    std::vector<Half> sendHalves, recvHalves;
    for (std::uint32_t i = 0; i < opCount; ++i)
      for (std::uint32_t r = 0; r < ranks; ++r) {
        if (ops[i]->peers[r] < 0)
          continue;
        std::uint64_t other = static_cast<std::uint64_t>(ops[i]->peers[r]);
        if (ops[i]->stmt->isSend)
          sendHalves.push_back({(std::uint64_t(r) << 32) | other, i});
        else
          recvHalves.push_back({(other << 32) | r, i});
      }
    auto byPair = [](const Half &a, const Half &b) { return a.pair < b.pair; };
    std::stable_sort(sendHalves.begin(), sendHalves.end(), byPair);
    std::stable_sort(recvHalves.begin(), recvHalves.end(), byPair);
    size_t i = 0, j = 0;
    while (i < sendHalves.size() || j < recvHalves.size()) {
      bool both = i < sendHalves.size() && j < recvHalves.size() && sendHalves[i].pair == recvHalves[j].pair;
      if (both) {
        addTransfer(*ops[sendHalves[i].op], *ops[recvHalves[j].op], static_cast<std::uint32_t>(sendHalves[i].pair >> 32),
                    static_cast<std::uint32_t>(sendHalves[i].pair));
        ++i, ++j;
      } else if (j == recvHalves.size() || (i < sendHalves.size() && sendHalves[i].pair < recvHalves[j].pair)) {
        unmatched(*ops[sendHalves[i].op], static_cast<std::uint32_t>(sendHalves[i].pair >> 32));
      } else {
        unmatched(*ops[recvHalves[j].op], static_cast<std::uint32_t>(recvHalves[j].pair));
      }
    }
    measure();
  }

  void measure() {
    size_t samples = machine.sampleCount();
    round.words.assign(round.transfers.size() * samples, 0);
    for (size_t i = 0; i < round.transfers.size(); ++i) {
      const Transfer &transfer = round.transfers[i];
      if (!transfer.storage)
        continue;
      if (machine.countsBlocks()) {
        round.words[i] = transfer.slots;
        continue;
      }
      for (std::uint32_t j = 0; j < transfer.runCount; ++j)
        machine.addWords(*transfer.storage, transfer.source, transfer.runs[j], &round.words[i * samples]);
    }
  }

  [[noreturn]] void race(const OpColumn &a, const OpColumn &b, std::uint32_t rank, SlotRun common) {
    const OpColumn &write = a.stmt->isSend ? b : a, &other = &write == &a ? b : a;
    Diagnostic diagnostic(other.stmt->isSend ? diag::Id::WrittenWhileSent : diag::Id::WrittenTwice, write.stmt->keyword,
                          {std::to_string(rank), describeSlots(common.lo, common.count, machine.unitSlots),
                           write.storage->name, std::to_string(round.number)});
    diagnostic.note(other.stmt->isSend ? diag::Id::HereSends : diag::Id::HereReceives, other.stmt->keyword,
                    {std::to_string(rank), textOf(other.stmt->peer->range), std::to_string(other.peers[rank])});
    throw Finding{std::move(diagnostic)};
  }

  /// No slot of a rank is received twice, or received while the same step sends it.
  void checkRaces() {
    if (opCount <= 8) {
      for (size_t a = 0; a < opCount; ++a)
        for (size_t b = a + 1; b < opCount; ++b) {
          const OpColumn &x = *ops[a], &y = *ops[b];
          if (!x.storage || x.storage != y.storage || (x.stmt->isSend && y.stmt->isSend))
            continue;
          if (x.slots.isSame() && y.slots.isSame() && !x.elastic && !y.elastic && !overlap(x.slots.run(0), y.slots.run(0)))
            continue;
          for (std::uint32_t r = 0; r < ranks; ++r)
            if (x.peers[r] >= 0 && y.peers[r] >= 0) {
              if (x.elastic && y.elastic)
                race(x, y, r, {0, 1});
              for (std::uint32_t i = 0; i < x.slots.size(r); ++i)
                for (std::uint32_t j = 0; j < y.slots.size(r); ++j)
                  checkOverlap(x, y, r, x.slots.begin(r)[i], y.slots.begin(r)[j]);
            }
        }
      return;
    }
    struct Access {
      const Storage *storage;
      SlotRun run;
      const OpColumn *op;
    };
    std::vector<Access> accesses;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      accesses.clear();
      for (size_t a = 0; a < opCount; ++a)
        if (ops[a]->storage && ops[a]->peers[r] >= 0)
          for (std::uint32_t i = 0; i < ops[a]->slots.size(r); ++i)
            accesses.push_back({ops[a]->storage, ops[a]->slots.begin(r)[i], ops[a].get()});
      std::stable_sort(accesses.begin(), accesses.end(), [](const Access &a, const Access &b) {
        return std::tie(a.storage, a.run.lo) < std::tie(b.storage, b.run.lo);
      });
      // Sweep: the furthest end of a write and of a read before this access.
      const Access *lastWrite = nullptr, *lastRead = nullptr;
      for (const Access &access : accesses) {
        if (lastWrite && lastWrite->storage != access.storage)
          lastWrite = nullptr;
        if (lastRead && lastRead->storage != access.storage)
          lastRead = nullptr;
        if (lastWrite)
          checkOverlap(*lastWrite->op, *access.op, r, lastWrite->run, access.run);
        if (lastRead && !access.op->stmt->isSend)
          checkOverlap(*lastRead->op, *access.op, r, lastRead->run, access.run);
        const Access *&last = access.op->stmt->isSend ? lastRead : lastWrite;
        if (!last || last->run.lo + last->run.count < access.run.lo + access.run.count)
          last = &access;
      }
    }
  }

  static bool overlap(SlotRun a, SlotRun b) { return a.lo < b.lo + b.count && b.lo < a.lo + a.count; }

  void checkOverlap(const OpColumn &x, const OpColumn &y, std::uint32_t rank, SlotRun a, SlotRun b) {
    std::uint32_t lo = std::max(a.lo, b.lo), hi = std::min(a.lo + a.count, b.lo + b.count);
    if (lo < hi)
      race(x, y, rank, {lo, hi - lo});
  }

  /// The usual case, one slot per message, in a plain loop; anything else transfer by transfer.
  void moveByPartners() {
    const OpColumn &send = *partnerOps.first, &recv = *partnerOps.second;
    const Partners &partners = *round.partners;
    bool single = send.storage && recv.storage && machine.unitSlots == 1 && !machine.usage && send.slots.isSingle() &&
                  (recv.elastic || recv.slots.isSingle());
    for (std::uint32_t r = 0; single && r < ranks; ++r)
      single = partners.to[r] < 0 || (send.slots.run(r).count == 1 &&
                                      (recv.elastic || recv.slots.run(static_cast<size_t>(partners.to[r])).count == 1));
    if (!single) {
      if (round.transfers.empty())
        for (std::uint32_t r = 0; r < ranks; ++r)
          if (partners.to[r] >= 0)
            addTransfer(send, recv, r, static_cast<std::uint32_t>(partners.to[r]));
      move();
      return;
    }
    const Storage &from = *send.storage;
    Storage &to = *recv.storage;
    if (recv.elastic && to.stride == 0)
      machine.reset(to, 1, true);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (partners.from[r] < 0)
        continue;
      std::uint32_t source = static_cast<std::uint32_t>(partners.from[r]);
      std::uint32_t taken = send.slots.run(source).lo, slot = recv.elastic ? 0 : recv.slots.run(r).lo;
      Value value = machine.read(from, source, taken);
      if (value == emptyValue)
        reportSendsEmpty(machine, *send.stmt, from, source, taken, round.number);
      machine.write(to, r, slot, value);
      if (!to.brackets.empty())
        to.brackets[std::size_t(r) * to.stride + slot] = machine.bracket(from, source, taken);
      if (recv.elastic)
        to.counts[r] = 1;
    }
  }

  void move() {
    for (size_t i = 0; i < round.transfers.size(); ++i) {
      const Transfer &transfer = round.transfers[i];
      const OpColumn &recv = *receivers[i];
      if (!transfer.storage || !recv.storage) {
        if (transfer.storage || recv.storage)
          lengthMismatch(transfer, recv, recv.storage ? recv.slots.slots(transfer.destination) : 0);
        continue;
      }
      if (recv.elastic) {
        machine.emptyRow(*recv.storage, transfer.destination, transfer.slots);
        SlotRun whole{0, transfer.slots};
        moveMessage(machine, transfer, *recv.storage, &whole, round.number);
        continue;
      }
      std::uint32_t wanted = recv.slots.slots(transfer.destination);
      if (wanted != transfer.slots)
        lengthMismatch(transfer, recv, wanted);
      moveMessage(machine, transfer, *recv.storage, recv.slots.begin(transfer.destination), round.number);
    }
  }

  [[noreturn]] void lengthMismatch(const Transfer &transfer, const OpColumn &recv, std::uint32_t wanted) {
    reportLengthMismatch(machine, transfer, recv.storage != nullptr, wanted, round.number);
  }

  void flushWork() {
    if (!hasWork)
      return;
    observer.onWork(0, ranks, work.data(), machine);
    std::fill(work.begin(), work.end(), 0);
    hasWork = false;
  }

  // ---- use

  void use(const ir::UseStmt &stmt, FrameState &frame, Mask mask) {
    if (++useDepth > 64)
      throw Finding{Diagnostic(diag::Id::RecursiveUse, stmt.keyword, {stmt.callee->path()})};
    FrameState inner(*stmt.callee, trees);
    inner.unit = frame.unit;
    inner.blocksAreTop = frame.blocksAreTop;
    inner.views.resize(stmt.callee->buffers.size());
    std::vector<std::int64_t> numbers;
    for (const ir::Expr *number : stmt.numbers)
      numbers.push_back(scalar(frame, number));
    std::int64_t p = static_cast<std::int64_t>(frame.ranks.size);
    inner.ranks = frame.ranks;
    if (stmt.member) {
      std::int64_t lo = scalar(frame, stmt.lo);
      p = scalar(frame, stmt.hi) - lo;
      inner.ranks = groups(stmt, frame, lo, p, mask);
    }
    for (size_t i = 0; i < stmt.inputs.size(); ++i)
      bind(stmt.inputs[i], *stmt.callee->inputs[i], frame, inner, mask);
    for (size_t i = 0; i < stmt.outputs.size(); ++i)
      bind(stmt.outputs[i], *stmt.callee->outputs[i], frame, inner, mask);
    enter(inner, p, numbers);
    for (const ir::Requirement &requirement : stmt.callee->requirements)
      if (!scalar(inner, requirement.condition)) {
        Diagnostic diagnostic(diag::Id::RequirementUnmet, stmt.keyword,
                              {requirement.text, stmt.callee->path(), "p = " + std::to_string(p)});
        diagnostic.note(diag::Id::RequiredHere, requirement.range);
        throw Finding{std::move(diagnostic)};
      }
    for (const auto &buffer : stmt.callee->buffers)
      if (buffer->parts && inner.views[buffer->index].storage)
        inner.views[buffer->index].parts = static_cast<std::uint32_t>(scalar(inner, buffer->parts));
    execute(stmt.callee->body, inner, mask);
    --useDepth;
  }

  RankMap groups(const ir::UseStmt &stmt, FrameState &frame, std::int64_t lo, std::int64_t size, Mask mask) {
    RankMap map;
    map.size = static_cast<std::uint64_t>(std::max<std::int64_t>(size, 0));
    map.groupOf.assign(ranks, 0);
    map.positions.assign(ranks, 0);
    std::vector<std::vector<std::uint32_t>> members(ranks);
    for (std::int64_t c = 0; c < size; ++c) {
      countStep();
      set(frame, stmt.binder, lo + c);
      forChunks(frame, mask, [&](size_t first, size_t count) {
        Column member = frame.eval.evaluate(*stmt.member);
        for (size_t i = 0; i < count; ++i) {
          std::uint32_t r = static_cast<std::uint32_t>(first + i);
          if (mask && !mask[r])
            continue;
          std::int64_t index = member[i];
          if (index < 0 || index >= static_cast<std::int64_t>(frame.ranks.size))
            throw Finding{Diagnostic(diag::Id::PartnerOutOfRange, stmt.member->range,
                                     {std::to_string(r), "has in its group", std::to_string(index),
                                      std::to_string(frame.ranks.size)})};
          members[r].push_back(frame.ranks.toMachine(r, index));
        }
      });
    }
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (mask && !mask[r])
        continue;
      auto at = std::find(members[r].begin(), members[r].end(), r);
      if (at == members[r].end() || std::find(at + 1, members[r].end(), r) != members[r].end())
        throw Finding{Diagnostic(diag::Id::GroupMembership, stmt.member->range,
                                 {std::to_string(r), at == members[r].end() ? "not a member" : "twice a member"})};
      map.positions[r] = static_cast<std::uint32_t>(at - members[r].begin());
      auto [entry, isNew] = known.try_emplace(members[r], static_cast<std::uint32_t>(map.groups.size()));
      if (isNew)
        map.groups.push_back(members[r]);
      map.groupOf[r] = entry->second;
    }
    return map;
  }

  void bind(const ir::Slice &slice, const ir::Buffer &param, FrameState &outer, FrameState &inner, Mask mask) {
    const View &from = outer.views[slice.buffer->index];
    View &view = inner.views[param.index];
    view.storage = from.storage;
    bool ofPackets = slice.buffer->parts && (slice.packets.kind != ir::IndexKind::Whole ||
                                             (!slice.buffer->isArray && param.isArray));
    view.unit = ofPackets ? from.unit / from.parts : from.unit;
    inner.unit = view.unit;
    inner.blocksAreTop = outer.blocksAreTop && !ofPackets;
    view.firstSlots.assign(ranks, 0);
    view.blockCounts.assign(ranks, 0);
    SlotColumn slots;
    slots.clear();
    forChunks(outer, mask, [&](size_t first, size_t count) { resolve(slice, outer, mask, first, count, slots); });
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (slots.size(r) > 1)
        throw Finding{Diagnostic(diag::Id::ScatteredView, slice.range)};
      view.firstSlots[r] = slots.size(r) ? slots.begin(r)->lo : 0;
      view.blockCounts[r] = slots.slots(r) / view.unit;
    }
    view.blocks = view.blockCounts.empty() ? 0 : *std::max_element(view.blockCounts.begin(), view.blockCounts.end());
  }

  const ir::Schedule &schedule;
  const Case &instance;
  Machine &machine;
  RunObserver &observer;
  TreeCache &trees;
  const Limits &limits;
  const std::uint32_t ranks;

  Round round;
  std::vector<const OpColumn *> receivers; // per transfer of the round
  std::pair<const OpColumn *, const OpColumn *> partnerOps; // send and receive, if the round has partners
  std::vector<std::int64_t> partnerWords;
  std::vector<std::unique_ptr<OpColumn>> ops;
  size_t opCount = 0;
  std::uint64_t steps = 0;
  unsigned useDepth = 0;
  std::vector<std::int64_t> work; // [rank][sample]
  bool hasWork = false;
  std::vector<std::unique_ptr<Lane>> lanes, brackets;
};

} // namespace

FinalState runInLockstep(const ir::Schedule &schedule, const Case &instance, Machine &machine, RunObserver &observer,
                         TreeCache &trees, const Limits &limits) {
  return Lockstep(schedule, instance, machine, observer, trees, limits).run();
}

} // namespace quadrille
