//===- Unfold.cpp - The program of each rank ----------------------------------------------------------------------===//

#include "Unfold.h"

#include "evaluate/ResidueFilter.h"
#include "ir/Lengths.h"
#include "limits/Limits.h"

#include <map>

namespace quadrille::compiler {

namespace {

/// An executed schedule, one per `use`. All ranks share its storages, whatever the order in which they reach it.
struct Instance {
  const ir::Schedule *schedule;
  std::vector<Storage *> storages; // per buffer, created when first declared
};

class Unfolder {
public:
  Unfolder(Machine &machine, TreeCache &trees, const Limits &limits, bool wantStated)
      : machine(machine), trees(trees), limits(limits), wantStated(wantStated), headsPerRank(limits::clockHeads / machine.ranks) {}

  struct RankFrame {
    const ir::Schedule *schedule = nullptr;
    Instance *instance = nullptr;
    Frame numbers;
    std::vector<View> views; // firstSlots and blockCounts hold one entry, for this rank
    const RankMap *ranks = nullptr;
    std::uint32_t unit = 1;
    bool ofCollective = true;     // a block has the n elements of the collective
    ir::BlockLengths lengths = ir::BlockLengths::Same;
    std::vector<unsigned> tables; // for each of its tables, the index among those of the collective; empty: the same
    const RankFrame *user = nullptr; // null for the outermost schedule
    const ir::UseStmt *use = nullptr;

    /// The parameter that determines the length of other blocks (ir::lengthModel); null if there is none.
    const View *lengthModel() const {
      const ir::Buffer *model = ir::lengthModel(*schedule);
      return model ? &views[model->index] : nullptr;
    }
  };

  void run(const ir::Schedule &schedule, const Case &given, const std::vector<View> &parameters, std::uint32_t rank,
           RankProgram &into) {
    if (program)
      ofOthers += program->bytes();
    program = &into;
    me = rank;
    path.clear();
    around.reset();
    RankFrame frame;
    frame.schedule = &schedule;
    frame.unit = machine.unitSlots;
    frame.lengths = ir::lengthsOf(schedule);
    frame.views = parameters;
    frame.instance = &instanceFor(schedule);
    for (size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].storage)
        frame.instance->storages[i] = parameters[i].storage;
    RankMap &map = rankMap(RankMap::everybody(machine.ranks));
    enter(frame, given.p, given.numbers, map);
    try {
      execute(schedule.body, frame);
    } catch (const Finding &finding) {
      if (isLimit(finding.diagnostic.id()))
        throw;
      into.failure = std::current_exception();
    } catch (const EvaluationError &) {
      into.failure = std::current_exception();
    }
  }

private:
  // ---- frames

  Instance &instanceFor(const ir::Schedule &schedule) {
    Instance &instance = instances[path];
    if (!instance.schedule) {
      instance.schedule = &schedule;
      instance.storages.resize(schedule.buffers.size(), nullptr);
    }
    return instance;
  }

  RankMap &rankMap(RankMap map) { return maps.emplace_back(std::move(map)); }

  void enter(RankFrame &frame, std::int64_t p, const std::vector<std::int64_t> &numbers, RankMap &map) {
    frame.numbers.trees = &trees;
    frame.numbers.values.assign(frame.schedule->variables.size(), 0);
    frame.numbers[ir::Schedule::variableP] = p;
    for (size_t i = 0; i < numbers.size(); ++i)
      frame.numbers[static_cast<unsigned>(ir::Schedule::firstNumber + i)] = numbers[i];
    if (frame.schedule->origin)
      map.countFrom(value(*frame.schedule->origin, frame));
    frame.ranks = &map;
    frame.numbers[ir::Schedule::variableMe] = map.indexOf(me);
  }

  std::int64_t value(const ir::Expr &expr, RankFrame &frame) {
    try {
      return evaluate(expr, frame.numbers);
    } catch (EvaluationError &error) {
      if (expr.dependsOnRank && error.rank < 0)
        error.rank = me;
      throw;
    }
  }

  void countStep(llvm::SMRange range = {}) {
    if (++steps > limits.maxSteps)
      throw tooManySteps(limits::caseSteps.at(limits.maxSteps), range);
    if (const std::uint64_t bytes = ofOthers + program->bytes(); bytes > limits.memoryBytes)
      throw tooMuchMemory(machine.ranks, bytes, limits, range);
  }

  // ---- statements

  void execute(const ir::Body &body, RankFrame &frame) {
    for (const auto &s : body)
      execute(*s, frame);
  }

  void execute(const ir::Stmt &stmt, RankFrame &frame) {
    switch (stmt.kind) {
    case ir::StmtKind::Let: {
      auto &let = llvm::cast<ir::LetStmt>(stmt);
      frame.numbers[let.variable] = value(*let.value, frame);
      return;
    }
    case ir::StmtKind::Declare:
      return declare(llvm::cast<ir::DeclareStmt>(stmt), frame);
    case ir::StmtKind::Assign:
      return assign(llvm::cast<ir::AssignStmt>(stmt), frame);
    case ir::StmtKind::Transfer:
      return;
    case ir::StmtKind::Step:
      return step(llvm::cast<ir::StepStmt>(stmt), frame);
    case ir::StmtKind::If: {
      auto &branch = llvm::cast<ir::IfStmt>(stmt);
      return execute(value(*branch.condition, frame) ? branch.yes : branch.no, frame);
    }
    case ir::StmtKind::For:
      return loopWithHeads(llvm::cast<ir::ForStmt>(stmt), frame);
    case ir::StmtKind::Use:
      return use(llvm::cast<ir::UseStmt>(stmt), frame);
    }
  }

  template <typename Do> void loop(const ir::ForStmt &stmt, RankFrame &frame, Do run) {
    auto iteration = [&](std::int64_t v) {
      countStep(stmt.keyword);
      frame.numbers[stmt.variable] = v;
      run(stmt.body);
    };
    if (stmt.loop == ir::LoopKind::Others) {
      std::int64_t mine = frame.numbers[ir::Schedule::variableMe];
      for (std::int64_t j = 0; j < static_cast<std::int64_t>(frame.ranks->size); ++j)
        if (j != mine)
          iteration(j);
    } else if (stmt.loop == ir::LoopKind::Children) {
      std::int64_t handle = value(*stmt.tree, frame), mine = frame.numbers[ir::Schedule::variableMe];
      for (ir::TreeFieldKind side : {ir::TreeFieldKind::Left, ir::TreeFieldKind::Right})
        if (std::int64_t child = trees[handle].field(side, mine); child != ir::none)
          iteration(child);
    } else {
      forEachValue(stmt, [&](const ir::Expr &bound) { return value(bound, frame); },
                   [&](std::int64_t v, std::int64_t second) {
                     if (stmt.loop == ir::LoopKind::Halvings || stmt.loop == ir::LoopKind::HalvingsReversed)
                       frame.numbers[stmt.second] = second;
                     iteration(v);
                   });
    }
  }

  void loopWithHeads(const ir::ForStmt &stmt, RankFrame &frame) {
    const bool keepsHeads = wantStated && path.empty() && !stmt.invariants.empty();
    std::optional<std::pair<std::int64_t, std::int64_t>> last;
    loop(stmt, frame, [&](const ir::Body &body) {
      if (keepsHeads) {
        last = {frame.numbers[stmt.variable], hasSecondVariable(stmt) ? frame.numbers[stmt.second] : 0};
        keepHead(stmt, frame, headBefore(stmt, last->first, last->second));
      }
      execute(body, frame);
    });
    if (!keepsHeads)
      return;
    const bool isOverRanks = stmt.loop == ir::LoopKind::Others || stmt.loop == ir::LoopKind::Children;
    if (auto head = isOverRanks ? ir::none : headAfter(stmt, last, [&](const ir::Expr &bound) { return value(bound, frame); }))
      keepHead(stmt, frame, *head);
  }

  void keepHead(const ir::ForStmt &stmt, RankFrame &frame, std::int64_t head) {
    if (program->heads.size() >= headsPerRank) {
      program->leavesHeadsOut = true;
      return;
    }
    if (!around)
      around = std::make_shared<RankHead::Surroundings>(RankHead::Surroundings{frame.views, *frame.ranks});
    RankAction &action = program->actions.emplace_back();
    action.kind = RankAction::Head;
    action.stmt = &stmt;
    action.first = static_cast<std::uint32_t>(program->heads.size());
    program->heads.push_back({&stmt, head, frame.numbers, around});
  }

  // ---- slices

  IndexValues indexValues(const ir::Index &index, RankFrame &frame, std::vector<std::int64_t> &chosen) {
    IndexValues result;
    result.kind = index.kind;
    if (index.a)
      result.a = value(*index.a, frame);
    if (index.b)
      result.b = value(*index.b, frame);
    if (index.kind == ir::IndexKind::Cyclic)
      result.c = value(*index.c, frame);
    if (index.kind == ir::IndexKind::Filter) {
      filter(index, result.a, result.b, frame, chosen);
      result.chosen = &chosen;
    }
    return result;
  }

  void filter(const ir::Index &index, std::int64_t lo, std::int64_t hi, RankFrame &frame, std::vector<std::int64_t> &chosen) {
    auto residues = lo < hi ? residueFilterOf(index) : std::nullopt;
    const std::int64_t modulus = residues ? value(*residues->modulus, frame) : 0;
    if (modulus > 0)
      return forEachInResidueClass(lo, hi, modulus, value(*residues->residue, frame), [&](std::int64_t j) {
        countStep();
        chosen.push_back(j);
      });
    for (std::int64_t j = lo; j < hi; ++j) {
      countStep();
      frame.numbers[index.binder] = j;
      if (value(*index.c, frame))
        chosen.push_back(j);
    }
  }

  /// Appends the runs of a slice to the program. For all of an elastic buffer they are not known yet.
  RankSlots slots(const ir::Slice &slice, RankFrame &frame) {
    View &view = frame.views[slice.buffer->index];
    RankSlots result;
    result.storage = view.storage;
    result.firstRun = static_cast<std::uint32_t>(program->runs.size());
    result.elastic = ir::isWhole(slice) && ir::shapingMessage(*slice.buffer);
    result.takesLength = view.takesLength && ir::isWhole(slice);
    if (result.elastic)
      return result;
    std::vector<std::int64_t> chosenBlocks, chosenPackets;
    IndexValues blocks = indexValues(slice.blocks, frame, chosenBlocks);
    IndexValues packets = indexValues(slice.packets, frame, chosenPackets);
    // The views of this frame contain one rank, in row 0.
    appendSlots(view, 0, me, slice, blocks, packets, program->runs);
    result.runCount = static_cast<std::uint32_t>(program->runs.size()) - result.firstRun;
    return result;
  }

  std::uint32_t slotTotal(const RankSlots &slots) const {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < slots.runCount; ++i)
      sum += program->runs[slots.firstRun + i].count;
    return sum;
  }

  Storage &storageOf(const ir::Buffer &buffer, RankFrame &frame) {
    Storage *&storage = frame.instance->storages[buffer.index];
    if (!storage) {
      storage = &machine.add(buffer.name, 0);
      machine.reset(*storage, 0, true);
    }
    return *storage;
  }

  void declare(const ir::DeclareStmt &stmt, RankFrame &frame) {
    const ir::Buffer &buffer = *stmt.buffer;
    View &view = frame.views[buffer.index];
    around.reset();
    view.storage = &storageOf(buffer, frame);
    view.takesLength = ir::takesLength(buffer, *frame.schedule, frame.lengths) && (buffer.like || !frame.ofCollective);
    view.ofCollective = buffer.like ? ir::isWhole(*buffer.like) && frame.views[buffer.like->buffer->index].ofCollective
                                    : frame.ofCollective && !buffer.length;
    std::uint32_t total = 0;
    const auto model = static_cast<std::uint32_t>(program->slots.size());
    if (buffer.like) {
      const View &likeView = frame.views[buffer.like->buffer->index];
      RankSlots like = slots(*buffer.like, frame);
      total = like.elastic ? likeView.slots(0) : slotTotal(like);
      program->slots.push_back(like);
      view.unit = buffer.isArray ? likeView.unit : std::max<std::uint32_t>(total, 1);
    } else {
      std::int64_t count = buffer.isArray ? value(*buffer.count, frame) : 1;
      if (count < 0)
        throw Finding{
            Diagnostic(buffer.count->range, diag::NegativeLength{.value = count, .rank = me, .buffer = "", .modulus = false})};
      requireSlots(buffer.name, count, frame.unit, 1, buffer.count ? buffer.count->range : llvm::SMRange());
      view.unit = frame.unit;
      if (buffer.length && buffer.length->parts)
        view.unit /= static_cast<std::uint32_t>(value(*buffer.length->parts, frame));
      total = static_cast<std::uint32_t>(count) * view.unit;
    }
    view.blocks = total / view.unit;
    view.blockCounts = {view.blocks};
    RankAction &action = program->actions.emplace_back();
    action.kind = RankAction::Declare;
    action.stmt = &stmt;
    action.storage = view.storage;
    action.count = total;
    action.first = model;
    action.hasModel = buffer.like;
    if (buffer.length)
      declareLengths(buffer, view, frame, action);
    else if (!buffer.like && !frame.ofCollective)
      lengthsOfModel(frame, action);
  }

  /// Sets the lengths of blocks declared without a length, in a schedule whose blocks do not have the collective's n elements.
  void lengthsOfModel(const RankFrame &frame, RankAction &action) {
    const View *model = frame.lengthModel();
    if (!machine.hasClasses() || !model || model->slots(0) < model->unit)
      return;
    action.hasModel = true;
    action.first = static_cast<std::uint32_t>(program->slots.size());
    RankSlots &like = program->slots.emplace_back();
    like.storage = model->storage;
    like.firstRun = static_cast<std::uint32_t>(program->runs.size());
    for (; like.runCount < action.count / model->unit; ++like.runCount)
      program->runs.push_back({model->first(0), model->unit});
  }

  /// Evaluates the lengths of the blocks of a buffer. The declaration sets them when it is executed.
  void declareLengths(const ir::Buffer &buffer, const View &view, RankFrame &frame, RankAction &action) {
    const ir::LengthOf &length = *buffer.length;
    action.firstClass = static_cast<std::uint32_t>(program->classes.size());
    action.hasClasses = true;
    program->classes.resize(program->classes.size() + action.count);
    for (std::uint32_t block = 0; block < view.blocks; ++block) {
      countStep();
      if (length.binder)
        frame.numbers[*length.binder] = block;
      lengthClasses(machine, length, frame.tables, me, view.unit, program->classes.data() + action.firstClass + block * view.unit,
                    [&](const ir::Expr &expr) { return value(expr, frame); });
    }
  }

  void leaves(const ir::DataExpr &expr, RankFrame &frame) {
    if (expr.isCombine) {
      leaves(*expr.left, frame);
      leaves(*expr.right, frame);
    } else {
      RankSlots leaf = slots(expr.slice, frame);
      program->slots.push_back(leaf);
    }
  }

  void assign(const ir::AssignStmt &stmt, RankFrame &frame) {
    countStep();
    std::uint32_t first = static_cast<std::uint32_t>(program->slots.size());
    RankSlots target = slots(stmt.target, frame);
    program->slots.push_back(target);
    leaves(*stmt.value, frame);
    RankAction &action = program->actions.emplace_back();
    action.kind = RankAction::Assign;
    action.stmt = &stmt;
    action.first = first;
    action.count = static_cast<std::uint32_t>(program->slots.size()) - first;
  }

  void step(const ir::StepStmt &stmt, RankFrame &frame) {
    countStep();
    if (!stmt.messages.empty())
      around.reset();
    for (const ir::Buffer *message : stmt.messages) {
      RankAction &action = program->actions.emplace_back();
      action.kind = RankAction::Declare;
      action.stmt = &stmt;
      action.storage = frame.views[message->index].storage = &storageOf(*message, frame);
      action.storage->endsWithStep = !stmt.bare;
    }
    std::uint32_t first = static_cast<std::uint32_t>(program->transfers.size());
    collect(stmt.body, frame);
    if (program->transfers.size() != first) {
      RankAction &action = program->actions.emplace_back();
      action.kind = RankAction::Step;
      action.stmt = &stmt;
      action.first = first;
      action.count = static_cast<std::uint32_t>(program->transfers.size()) - first;
    }
    execute(stmt.body, frame);
  }

  void collect(const ir::Body &body, RankFrame &frame) {
    for (const auto &s : body) {
      if (auto *transfer = llvm::dyn_cast<ir::TransferStmt>(s.get()))
        collect(*transfer, frame);
      else if (auto *let = llvm::dyn_cast<ir::LetStmt>(s.get()))
        frame.numbers[let->variable] = value(*let->value, frame);
      else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(s.get()))
        collect(value(*branch->condition, frame) ? branch->yes : branch->no, frame);
      else if (auto *l = llvm::dyn_cast<ir::ForStmt>(s.get()))
        loop(*l, frame, [&](const ir::Body &inner) { collect(inner, frame); });
    }
  }

  void collect(const ir::TransferStmt &stmt, RankFrame &frame) {
    RankTransfer transfer;
    transfer.stmt = &stmt;
    bool fresh = stmt.message && stmt.message->buffer->kind == ir::BufferKind::Message;
    if (fresh) {
      const ir::Buffer &buffer = *stmt.message->buffer;
      View &view = frame.views[buffer.index];
      around.reset();
      view.storage = &storageOf(buffer, frame);
      if (!stmt.isSend && stmt.message->blocks.kind == ir::IndexKind::Whole) {
        view.unit = buffer.isArray ? frame.unit : 1;
        view.blockCounts = {1};
        view.takesLength = ir::takesLength(buffer, *frame.schedule, frame.lengths);
        view.ofCollective = false;
      }
    }
    std::int64_t index = value(*stmt.peer, frame);
    if (index == ir::none)
      return;
    transfer.peer = machineRank(stmt, *frame.ranks, me, index);
    if (stmt.message) {
      RankSlots taken = slots(*stmt.message, frame);
      transfer.storage = taken.storage;
      transfer.elastic = taken.elastic;
      transfer.takesLength = taken.takesLength;
      transfer.firstRun = taken.firstRun;
      transfer.runCount = taken.runCount;
      if (!taken.elastic && taken.runCount == 0)
        return; // a slice without blocks sends no message
      if (!stmt.isSend && stmt.message->buffer->kind == ir::BufferKind::Message && taken.elastic)
        expectShape(*stmt.message->buffer, transfer, frame);
    }
    if (wantStated)
      addTimes(transfer, frame);
    program->transfers.push_back(transfer);
  }

  /// Sets the shape of the name that a transfer receives into.
  void expectShape(const ir::Buffer &buffer, RankTransfer &transfer, RankFrame &frame) {
    const ir::Slice *like = ir::shapeOfMessage(buffer);
    const View *view = like ? &frame.views[like->buffer->index] : nullptr;
    const bool ofBlock = !like || !ir::isWhole(*like);
    std::vector<std::int64_t> chosen;
    auto count = [&] { return indexValues(like->blocks, frame, chosen).count(); };
    transfer.room = slotsOfMessage(like, view, 0, frame.unit, transfer.takesLength, count);
    transfer.shape = static_cast<std::uint32_t>(program->slots.size());
    frame.views[buffer.index].blockCounts = {transfer.room / frame.views[buffer.index].unit};
    RankSlots &slots = program->slots.emplace_back();
    slots.firstRun = static_cast<std::uint32_t>(program->runs.size());
    const View *shape = ofBlock ? frame.lengthModel() : view;
    if (!shape || shape->slots(0) < shape->unit)
      return;
    slots.storage = shape->storage;
    slots.runCount = 1;
    program->runs.push_back({shape->first(0), ofBlock ? shape->unit : shape->slots(0)});
  }

  // ---- times of transfers

  /// Sets the stated time of a transfer, if the outermost schedule states clocks: the times of the `use`s that lead to it, then its own.
  void addTimes(RankTransfer &transfer, RankFrame &frame) {
    transfer.firstTime = static_cast<std::uint32_t>(program->times.size());
    std::vector<const RankFrame *> frames; // innermost first
    for (const RankFrame *at = &frame; at; at = at->user)
      frames.push_back(at);
    if (frames.back()->schedule->clocks.empty())
      return;
    for (size_t i = frames.size(); i-- > 0;)
      if (const ir::Clock *clock = i == 0 ? transfer.stmt->clock : frames[i - 1]->use->clock) {
        transfer.clock = clock;
        addTimes(*clock, *frames[i], transfer);
      }
    transfer.timeCount = static_cast<std::uint32_t>(program->times.size()) - transfer.firstTime;
  }

  void addTimes(const ir::Clock &clock, const RankFrame &frame, const RankTransfer &transfer) {
    Frame numbers = frame.numbers;
    const bool isSend = transfer.stmt->isSend;
    numbers[isSend ? clock.sender : clock.receiver] = frame.ranks->indexOf(me);
    numbers[isSend ? clock.receiver : clock.sender] = indexOfPeer(*frame.ranks, transfer.peer);
    for (const ir::Expr *time : clock.times)
      try {
        program->times.push_back(evaluate(*time, numbers));
      } catch (const EvaluationError &error) { // this does not mean that the schedule is wrong
        Diagnostic diagnostic(clock.range, diag::ClockWithoutValue{.rank = me, .sends = isSend, .peer = transfer.peer});
        diagnostic.note(error.range, error.facts);
        throw Finding{std::move(diagnostic)};
      }
  }

  /// The index of machine rank `peer` in the group of this rank.
  std::int64_t indexOfPeer(const RankMap &map, std::uint32_t peer) const {
    if (map.groups.empty())
      return map.indexOf(peer);
    const std::vector<std::uint32_t> &members = map.groups[map.groupOf[me]];
    const auto at = static_cast<std::uint64_t>(llvm::find(members, peer) - members.begin());
    return static_cast<std::int64_t>((at + map.size - map.rotation) % map.size);
  }

  // ---- use

  void use(const ir::UseStmt &stmt, RankFrame &frame) {
    if (path.size() > 64)
      throw Finding{Diagnostic(stmt.keyword, diag::RecursiveUse{.schedule = stmt.callee->path()})};
    RankFrame inner;
    inner.schedule = stmt.callee;
    inner.unit = frame.unit;
    inner.ofCollective = frame.ofCollective;
    inner.lengths = ir::lengthsIn(stmt, frame.lengths);
    inner.user = &frame;
    inner.use = &stmt;
    for (unsigned table : stmt.tables)
      inner.tables.push_back(frame.tables.empty() ? table : frame.tables[table]);
    inner.views.resize(stmt.callee->buffers.size());
    std::vector<std::int64_t> numbers;
    for (const ir::Expr *number : stmt.numbers)
      numbers.push_back(value(*number, frame));
    path.push_back(&stmt);
    inner.instance = &instanceFor(*stmt.callee);
    RankMap map = *frame.ranks;
    std::int64_t p = static_cast<std::int64_t>(frame.ranks->size);
    if (stmt.member) {
      std::int64_t lo = value(*stmt.lo, frame);
      if (__builtin_sub_overflow(value(*stmt.hi, frame), lo, &p))
        throw EvaluationError{stmt.hi->range, diag::Overflow{.what = "the size of the group"}};
      map = group(stmt, frame, lo, p);
    }
    for (size_t i = 0; i < stmt.inputs.size(); ++i)
      bind(stmt.inputs[i], *stmt.callee->inputs[i], frame, inner);
    for (size_t i = 0; i < stmt.outputs.size(); ++i)
      bind(stmt.outputs[i], *stmt.callee->outputs[i], frame, inner);
    if (const View *model = inner.lengthModel())
      inner.unit = model->unit;
    enter(inner, p, numbers, rankMap(std::move(map)));
    for (const ir::Requirement &requirement : stmt.callee->requirements)
      if (!value(*requirement.condition, inner)) {
        Diagnostic diagnostic(stmt.keyword,
                              diag::RequirementUnmet{.condition = requirement.text, .schedule = stmt.callee->path(), .p = p});
        diagnostic.note(requirement.range, diag::RequiredHere{});
        throw Finding{std::move(diagnostic)};
      }
    splitBlocks(*stmt.callee, p, numbers, trees, inner.views);
    execute(stmt.callee->body, inner);
    path.pop_back();
  }

  RankMap group(const ir::UseStmt &stmt, RankFrame &frame, std::int64_t lo, std::int64_t size) {
    std::vector<std::uint32_t> members;
    for (std::int64_t c = 0; c < size; ++c) {
      countStep();
      frame.numbers[stmt.binder] = lo + c;
      std::int64_t index = value(*stmt.member, frame);
      if (index < 0 || index >= static_cast<std::int64_t>(frame.ranks->size))
        throw Finding{Diagnostic(
            stmt.member->range,
            diag::PartnerOutOfRange{.rank = me, .grouped = true, .sends = false, .peer = index, .ranks = frame.ranks->size})};
      members.push_back(frame.ranks->toMachine(me, index));
    }
    auto at = std::find(members.begin(), members.end(), me);
    if (at == members.end() || std::find(at + 1, members.end(), me) != members.end())
      throw Finding{Diagnostic(stmt.member->range, diag::GroupMembership{.rank = me, .twice = at != members.end()})};
    RankMap map;
    map.size = members.size();
    map.positions.assign(me + 1, static_cast<std::uint32_t>(at - members.begin()));
    map.groupOf.assign(me + 1, 0);
    map.groups = {std::move(members)};
    return map;
  }

  void bind(const ir::Slice &slice, const ir::Buffer &param, RankFrame &outer, RankFrame &inner) {
    const View &from = outer.views[slice.buffer->index];
    View &view = inner.views[param.index];
    view.storage = from.storage;
    inner.instance->storages[param.index] = from.storage;
    const bool ofPackets = ir::passesPackets(slice, param);
    view.unit = ofPackets ? from.unit / from.parts : from.unit;
    view.ofCollective = from.ofCollective && !ofPackets;
    inner.ofCollective = inner.ofCollective && view.ofCollective;
    size_t mark = program->runs.size();
    RankSlots taken = slots(slice, outer);
    if (taken.runCount > 1)
      throw Finding{Diagnostic(slice.range, diag::ScatteredView{})};
    view.firstSlots = {taken.runCount ? program->runs[taken.firstRun].lo : 0};
    view.blockCounts = {slotTotal(taken) / view.unit};
    view.blocks = view.blockCounts[0];
    program->runs.resize(mark);
  }

  Machine &machine;
  TreeCache &trees;
  const Limits &limits;
  const bool wantStated;
  const std::size_t headsPerRank;
  std::shared_ptr<const RankHead::Surroundings> around; // shared by the next heads of this rank; null: out of date
  std::map<std::vector<const ir::UseStmt *>, Instance> instances;
  std::vector<const ir::UseStmt *> path; // the `use`s that lead to the current instance
  std::deque<RankMap> maps;
  RankProgram *program = nullptr;
  std::uint32_t me = 0;
  std::uint64_t steps = 0;
  std::uint64_t ofOthers = 0; // bytes of the programs of the ranks before
};

} // namespace

llvm::ArrayRef<SlotRun> runsOf(const RankProgram &program, const RankSlots &slots, std::uint32_t rank, SlotRun &whole) {
  if (!slots.elastic)
    return program.runsOf(slots);
  whole = {0, slots.storage->count(rank)};
  return whole.count ? llvm::ArrayRef(whole) : llvm::ArrayRef<SlotRun>();
}

void declare(Machine &machine, const RankProgram &program, std::uint32_t rank, const RankAction &action) {
  if (!action.hasModel)
    return machine.declareRow(*action.storage, rank, action.count,
                              action.hasClasses ? program.classes.data() + action.firstClass : nullptr);
  const RankSlots &model = program.slots[action.first];
  SlotRun whole;
  const std::vector<std::uint32_t> classes =
      classesOf(machine, *model.storage, rank, runsOf(program, model, rank, whole));
  machine.declareRow(*action.storage, rank, static_cast<std::uint32_t>(classes.size()), classes.data());
}

MessageShape shapeOf(const RankProgram &program, const RankTransfer &transfer) {
  const RankSlots &like = program.slots[transfer.shape];
  return {transfer.room, transfer.takesLength, like.storage, program.runsOf(like)};
}

std::vector<RankProgram> unfold(CaseRun &run, FinalState &state, bool wantStated) {
  std::vector<View> parameters;
  state = allocateParameters(run, parameters);
  Machine &machine = run.machine();
  std::vector<RankProgram> programs(machine.ranks);
  Unfolder unfolder(machine, run.trees, run.limits, wantStated);
  for (std::uint32_t r = 0; r < machine.ranks; ++r)
    unfolder.run(run.schedule, run.instance, parameters, r, programs[r]);
  return programs;
}

} // namespace quadrille::compiler
