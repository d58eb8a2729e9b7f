//===- Simulate.cpp - Ranks that run by themselves, under synchronous sends ------------------------------------------------------===//

#include "Races.h"
#include "Unfold.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <map>

namespace quadrille::compiler {

namespace {

class Simulation {
public:
  Simulation(std::vector<RankProgram> programs, Machine &machine, RunObserver &observer)
      : programs(std::move(programs)), machine(machine), observer(observer), cursors(machine.ranks),
        work(machine.sampleCount()) {}

  std::uint32_t run() {
    std::vector<std::uint32_t> ready;
    for (std::uint32_t r = 0; r < machine.ranks; ++r)
      if (advance(r))
        ready.push_back(r);
    while (!ready.empty() || unfinished()) {
      round.transfers.clear();
      receives.clear();
      for (std::uint32_t r : ready)
        post(r);
      ready.clear();
      if (round.transfers.empty())
        stuck();
      sortBySource();
      round.transferCount = static_cast<std::uint32_t>(round.transfers.size());
      measure();
      observer.onRound(round, machine);
      deliver();
      finishSteps(ready);
      ++round.number;
    }
    return round.number;
  }

private:
  struct Cursor {
    std::uint32_t action = 0;  // index of the current step, once advanced
    std::uint32_t pending = 0; // transfers of the current step that have not taken place
    bool done = false;
  };
  /// A transfer that waits for its partner.
  struct Posted {
    std::uint32_t rank, transfer;
  };
  /// The queue of transfers that wait between two ranks: sends or receives, never both. Entries are indices in `waiting`, where each
  /// names the next one.
  struct Channel {
    bool ofSends;
    std::uint32_t first, last;
  };
  struct Waiting {
    Posted posted;
    std::uint32_t next;
  };
  static constexpr std::uint32_t nothing = ~std::uint32_t(0);

  bool unfinished() const {
    return std::any_of(cursors.begin(), cursors.end(), [](const Cursor &c) { return !c.done; });
  }

  const RankTransfer &transferOf(const Posted &posted) const { return programs[posted.rank].transfers[posted.transfer]; }

  /// Does local work up to the next step. Returns false at the end of the program.
  bool advance(std::uint32_t rank) {
    Cursor &cursor = cursors[rank];
    const RankProgram &program = programs[rank];
    std::fill(work.begin(), work.end(), 0);
    while (cursor.action < program.actions.size()) {
      const RankAction &action = program.actions[cursor.action];
      if (action.kind == RankAction::Step) {
        cursor.pending = action.count;
        break;
      }
      switch (action.kind) {
      case RankAction::Declare:
        declare(machine, program, rank, action);
        break;
      case RankAction::Head:
        visit(rank, program.heads[action.first]);
        break;
      default:
        assign(rank, program, action);
      }
      ++cursor.action;
    }
    if (std::any_of(work.begin(), work.end(), [](std::int64_t w) { return w != 0; }))
      observer.onWork(rank, 1, work.data(), machine);
    cursor.done = cursor.action == program.actions.size();
    if (cursor.done && program.failure)
      std::rethrow_exception(program.failure);
    return !cursor.done;
  }

  void visit(std::uint32_t rank, const RankHead &head) {
    observer.onRankHead({*head.loop, rank, head.head, head.numbers, head.around->views, head.around->ranks}, machine);
  }

  void read(std::uint32_t rank, const RankProgram &program, const RankSlots &slots, SlotValues &out) {
    SlotRun whole;
    llvm::ArrayRef<SlotRun> runs = runsOf(program, slots, rank, whole);
    readContent(machine, *slots.storage, rank, runs.data(), static_cast<std::uint32_t>(runs.size()), slots.elastic, out);
  }

  void evaluate(const ir::DataExpr &expr, std::uint32_t rank, const RankProgram &program, std::uint32_t &leaf, SlotValues &out) {
    if (!expr.isCombine)
      return read(rank, program, program.slots[leaf++], out);
    SlotValues right;
    evaluate(*expr.left, rank, program, leaf, out);
    evaluate(*expr.right, rank, program, leaf, right);
    combine(machine, expr, rank, out, right, work.data());
  }

  void assign(std::uint32_t rank, const RankProgram &program, const RankAction &action) {
    auto &stmt = llvm::cast<ir::AssignStmt>(*action.stmt);
    SlotValues content;
    std::uint32_t leaf = action.first + 1;
    evaluate(*stmt.value, rank, program, leaf, content);
    const RankSlots &target = program.slots[action.first];
    SlotRun whole;
    llvm::ArrayRef<SlotRun> runs = runsOf(program, target, rank, whole);
    store(machine, stmt, *target.storage, rank, runs.data(), static_cast<std::uint32_t>(runs.size()), target.takesLength,
          content);
  }

  /// The source and the destination of a transfer of a rank.
  static std::uint64_t key(std::uint32_t rank, const RankTransfer &transfer) {
    const std::uint32_t source = transfer.stmt->isSend ? rank : transfer.peer, destination = transfer.stmt->isSend ? transfer.peer : rank;
    return (std::uint64_t(source) << 32) | destination;
  }

  /// Posts the transfers of the current step of a rank. Those whose partner waits already take place in this round.
  void post(std::uint32_t rank) {
    const RankProgram &program = programs[rank];
    const RankAction &step = program.actions[cursors[rank].action];
    checkRaces(rank, program, step);
    for (std::uint32_t t = step.first; t < step.first + step.count; ++t) {
      const RankTransfer &transfer = program.transfers[t];
      const bool isSend = transfer.stmt->isSend;
      const Posted mine{rank, t};
      const auto [channel, isNew] = channels.try_emplace(key(rank, transfer), Channel{isSend, nothing, nothing});
      if (isNew || channel->second.ofSends == isSend) {
        push(channel->second, mine);
        continue;
      }
      const Posted other = pop(channel->second);
      if (channel->second.first == nothing)
        channels.erase(channel);
      take(isSend ? mine : other, isSend ? other : mine);
    }
  }

  void push(Channel &channel, Posted posted) {
    std::uint32_t at = unused;
    if (at == nothing) {
      at = static_cast<std::uint32_t>(waiting.size());
      waiting.emplace_back();
    } else {
      unused = waiting[at].next;
    }
    waiting[at] = {posted, nothing};
    (channel.first == nothing ? channel.first : waiting[channel.last].next) = at;
    channel.last = at;
  }

  Posted pop(Channel &channel) {
    const std::uint32_t at = channel.first;
    channel.first = waiting[at].next;
    waiting[at].next = unused;
    unused = at;
    return waiting[at].posted;
  }

  StatedTime timeOf(const Posted &posted) const {
    const RankTransfer &transfer = transferOf(posted);
    return {transfer.clock, llvm::ArrayRef(programs[posted.rank].times).slice(transfer.firstTime, transfer.timeCount)};
  }

  void take(Posted send, Posted recv) {
    const RankTransfer &from = transferOf(send);
    Transfer transfer;
    transfer.source = send.rank;
    transfer.destination = recv.rank;
    transfer.send = from.stmt;
    transfer.recv = transferOf(recv).stmt;
    transfer.sentAt = timeOf(send);
    transfer.receivedAt = timeOf(recv);
    transfer.storage = from.storage;
    if (from.storage && from.elastic) {
      wholeRuns.push_back({0, from.storage->count(send.rank)});
      transfer.runs = &wholeRuns.back();
      transfer.runCount = 1;
    } else if (from.storage) {
      transfer.runs = programs[send.rank].runs.data() + from.firstRun;
      transfer.runCount = from.runCount;
    }
    for (std::uint32_t i = 0; i < transfer.runCount; ++i)
      transfer.slots += transfer.runs[i].count;
    // A name that has received nothing cannot be sent on.
    if (from.storage && from.elastic && transfer.slots == 0)
      throw Finding{Diagnostic(
          from.stmt->keyword,
          diag::SendsEmpty{.rank = send.rank, .part = std::nullopt, .buffer = from.storage->name, .round = round.number})};
    round.transfers.push_back(transfer);
    receives.push_back(recv);
  }

  void sortBySource() {
    std::vector<size_t> order(round.transfers.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return round.transfers[a].source < round.transfers[b].source;
    });
    std::vector<Transfer> transfers;
    std::vector<Posted> sorted;
    for (size_t i : order) {
      transfers.push_back(round.transfers[i]);
      sorted.push_back(receives[i]);
    }
    round.transfers = std::move(transfers);
    receives = std::move(sorted);
  }

  void measure() {
    size_t samples = machine.sampleCount();
    round.words.assign(round.transfers.size() * samples, 0);
    for (size_t i = 0; i < round.transfers.size(); ++i) {
      const Transfer &transfer = round.transfers[i];
      for (std::uint32_t j = 0; transfer.storage && j < transfer.runCount; ++j)
        machine.addWords(*transfer.storage, transfer.source, transfer.runs[j], &round.words[i * samples]);
    }
  }

  void deliver() {
    for (size_t i = 0; i < round.transfers.size(); ++i) {
      const Transfer &transfer = round.transfers[i];
      const RankTransfer &recv = transferOf(receives[i]);
      if (!transfer.storage || !recv.storage) {
        if (transfer.storage || recv.storage)
          reportLengthMismatch(machine, transfer, recv.storage != nullptr, slotTotal(receives[i].rank, recv), round.number);
        continue;
      }
      const std::uint32_t rank = receives[i].rank;
      SlotRun whole;
      if (recv.elastic && recv.stmt->message->buffer->kind == ir::BufferKind::Message) {
        receiveName(machine, transfer, *recv.storage, shapeOf(programs[rank], recv), round.number);
        continue;
      }
      std::uint32_t wanted = slotTotal(rank, recv);
      if (wanted != transfer.slots)
        reportLengthMismatch(machine, transfer, true, wanted, round.number);
      whole = {0, transfer.slots};
      moveMessage(machine, transfer, *recv.storage, recv.elastic ? &whole : programs[rank].runs.data() + recv.firstRun,
                  recv.takesLength, round.number);
    }
  }

  std::uint32_t slotTotal(std::uint32_t rank, const RankTransfer &transfer) const {
    if (transfer.elastic)
      return transfer.storage->count(rank);
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < transfer.runCount; ++i)
      sum += programs[rank].runs[transfer.firstRun + i].count;
    return sum;
  }

  void finishSteps(std::vector<std::uint32_t> &ready) {
    std::vector<std::uint32_t> ended;
    for (size_t i = 0; i < round.transfers.size(); ++i)
      for (std::uint32_t rank : {round.transfers[i].source, round.transfers[i].destination})
        if (--cursors[rank].pending == 0)
          ended.push_back(rank);
    std::sort(ended.begin(), ended.end());
    for (std::uint32_t rank : ended) {
      observer.onStepEnd(rank, 1);
      ++cursors[rank].action;
      if (advance(rank))
        ready.push_back(rank);
    }
    wholeRuns.clear();
  }

  // ---- errors

  void checkRaces(std::uint32_t rank, const RankProgram &program, const RankAction &step) {
    // The number of pairs is quadratic.
    if (step.count <= 8)
      checkRacesOfPairs(rank, program, step);
    else
      checkRacesBySweep(rank, program, step);
  }

  void checkRacesBySweep(std::uint32_t rank, const RankProgram &program, const RankAction &step) {
    // A storage is numbered by its first transfer, so that the order does not depend on addresses.
    std::map<const Storage *, std::uint32_t> storages;
    accesses.clear();
    for (std::uint32_t t = step.first; t < step.first + step.count; ++t) {
      const RankTransfer &transfer = program.transfers[t];
      if (!transfer.storage)
        continue;
      const std::uint32_t storage = storages.try_emplace(transfer.storage, t).first->second;
      if (transfer.elastic) // accesses all of the name
        accesses.push_back({storage, {0, 1}, transfer.stmt->isSend, t});
      else
        for (std::uint32_t i = 0; i < transfer.runCount; ++i)
          accesses.push_back({storage, program.runs[transfer.firstRun + i], transfer.stmt->isSend, t});
    }
    if (const std::optional<Race> found = findRace(accesses))
      race(rank, program.transfers[found->first], program.transfers[found->second], found->common);
  }

  void checkRacesOfPairs(std::uint32_t rank, const RankProgram &program, const RankAction &step) {
    for (std::uint32_t a = step.first; a < step.first + step.count; ++a)
      for (std::uint32_t b = a + 1; b < step.first + step.count; ++b) {
        const RankTransfer &x = program.transfers[a], &y = program.transfers[b];
        if (!x.storage || x.storage != y.storage || (x.stmt->isSend && y.stmt->isSend))
          continue;
        if (x.elastic || y.elastic)
          race(rank, x, y, {0, 1});
        const llvm::ArrayRef<SlotRun> runs = program.runs;
        if (const std::optional<SlotRun> common = findOverlap(runs.slice(x.firstRun, x.runCount), runs.slice(y.firstRun, y.runCount)))
          race(rank, x, y, *common);
      }
  }

  [[noreturn]] void race(std::uint32_t rank, const RankTransfer &a, const RankTransfer &b, SlotRun common) {
    const RankTransfer &write = a.stmt->isSend ? b : a, &other = &write == &a ? b : a;
    reportWrittenTwice(machine, *write.stmt, *other.stmt, *write.storage, rank, common, round.number, other.peer);
  }

  /// The transfers of the current step of a rank that have not taken place.
  std::vector<const RankTransfer *> waitsFor(std::uint32_t rank) const {
    std::vector<const RankTransfer *> result;
    const RankProgram &program = programs[rank];
    const RankAction &step = program.actions[cursors[rank].action];
    for (std::uint32_t t = step.first; t < step.first + step.count; ++t) {
      const RankTransfer &transfer = program.transfers[t];
      const auto channel = channels.find(key(rank, transfer));
      if (channel == channels.end() || channel->second.ofSends != transfer.stmt->isSend)
        continue;
      std::uint32_t at = channel->second.first;
      while (at != nothing && waiting[at].posted.transfer != t)
        at = waiting[at].next;
      if (at != nothing)
        result.push_back(&transfer);
    }
    return result;
  }

  /// Whether the rank has a matching transfer in the rest of its program.
  bool willAnswer(std::uint32_t rank, std::uint32_t asking, bool asksToSend) const {
    const RankProgram &program = programs[rank];
    if (program.failure)
      return true; // its program is unknown after an error
    for (std::uint32_t a = cursors[rank].action; a < program.actions.size(); ++a) {
      const RankAction &action = program.actions[a];
      if (action.kind != RankAction::Step)
        continue;
      for (std::uint32_t t = action.first; t < action.first + action.count; ++t)
        if (program.transfers[t].stmt->isSend != asksToSend && program.transfers[t].peer == asking)
          return true;
    }
    return false;
  }

  /// No rank can continue. Throws Finding: a rank waits for a transfer that never comes, or ranks wait for each other in a cycle.
  [[noreturn]] void stuck() {
    for (std::uint32_t r = 0; r < machine.ranks; ++r) {
      if (cursors[r].done)
        continue;
      for (const RankTransfer *transfer : waitsFor(r))
        if (cursors[transfer->peer].done || !willAnswer(transfer->peer, r, transfer->stmt->isSend))
          throw Finding{Diagnostic(transfer->stmt->keyword, diag::NeverAnswered{.rank = r, .sends = transfer->stmt->isSend,
                                                                                .peer = transfer->peer,
                                                                                .done = cursors[transfer->peer].done})};
    }
    // Every rank waits for a rank that waits. Follow the first wait of each until a rank repeats.
    std::uint32_t start = 0;
    while (cursors[start].done)
      ++start;
    std::vector<std::uint32_t> path;
    std::vector<std::int64_t> position(machine.ranks, -1);
    std::uint32_t at = start;
    while (position[at] < 0) {
      position[at] = static_cast<std::int64_t>(path.size());
      path.push_back(at);
      at = waitsFor(at).front()->peer;
    }
    std::vector<std::uint32_t> cycle(path.begin() + position[at], path.end());
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    const RankTransfer *first = waitsFor(cycle[0]).front();
    Diagnostic diagnostic(first->stmt->keyword, diag::Deadlock{.cycle = std::vector<std::int64_t>(cycle.begin(), cycle.end())});
    for (std::uint32_t r : cycle) {
      const RankTransfer *transfer = waitsFor(r).front();
      if (diagnostic.notes.size() < 16)
        diagnostic.note(transfer->stmt->keyword,
                        diag::WaitsHere{.rank = r, .sends = transfer->stmt->isSend, .peer = transfer->peer});
    }
    throw Finding{std::move(diagnostic)};
  }

  std::vector<RankProgram> programs;
  Machine &machine;
  RunObserver &observer;
  std::vector<Cursor> cursors;
  llvm::DenseMap<std::uint64_t, Channel> channels; // those with something that waits
  std::vector<Waiting> waiting;
  std::uint32_t unused = nothing;                  // a place of `waiting` that is free, which names the next one
  std::vector<Access> accesses;                    // of a step
  Round round;
  std::vector<Posted> receives; // per transfer of the round, its receive
  std::deque<SlotRun> wholeRuns;
  std::vector<std::int64_t> work;
};

} // namespace

FinalState simulate(CaseRun &run, RunObserver &observer) {
  FinalState state;
  std::vector<RankProgram> programs = unfold(run, state, observer.wantsStated());
  if (llvm::any_of(programs, [](const RankProgram &program) { return program.leavesHeadsOut; }))
    observer.onHeadsLeftOut();
  state.rounds = Simulation(std::move(programs), run.machine(), observer).run();
  return state;
}

} // namespace quadrille::compiler
