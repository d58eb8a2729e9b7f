//===- Interpret.cpp - A schedule on real data ------------------------------------------------------------------------------------===//

#include "Interpret.h"

#include "Unfold.h"

#include <deque>
#include <unordered_map>

namespace quadrille::compiler {

namespace {

/// The content of a slot. Copies and messages share the bytes; only the operator allocates new ones.
struct Packet {
  std::shared_ptr<const Bytes> bytes; // null: empty
  std::uint32_t lengthClass = 0;

  explicit operator bool() const { return bytes != nullptr; }
};

class Interpreter {
public:
  Interpreter(DataCase &dataCase, const Limits &limits)
      : dataCase(dataCase), caseRun(*dataCase.schedule, dataCase.instance, trees, limits),
        machine(caseRun.prepare({.samples = {dataCase.lengths}})), programs(unfold(caseRun, state)), cursors(machine.ranks) {}

  void run() {
    loadInputs();
    std::deque<std::uint32_t> ready;
    for (std::uint32_t r = 0; r < machine.ranks; ++r)
      if (advance(r))
        ready.push_back(r);
    while (!ready.empty()) {
      std::uint32_t rank = ready.front();
      ready.pop_front();
      post(rank, ready);
    }
    for (std::uint32_t r = 0; r < machine.ranks; ++r)
      if (cursors[r].action < programs[r].actions.size())
        return report("rank " + std::to_string(r) + " waits forever");
      else if (programs[r].failure)
        std::rethrow_exception(programs[r].failure);
    storeOutputs();
  }

private:
  struct Cursor {
    std::uint32_t action = 0, pending = 0;
    std::vector<DataMessage> messages; // of the current step, if `onStep` is set
  };
  struct Message {
    std::uint32_t rank, transfer;
    std::vector<Packet> content; // of a send: its data, read when the step began
  };
  struct Channel {
    std::deque<Message> sends, recvs;
  };

  void report(std::string problem) {
    if (dataCase.problem.empty())
      dataCase.problem = std::move(problem);
  }

  std::vector<Packet> &row(const Storage &storage, std::uint32_t rank, std::size_t atLeast) {
    auto &rows = memory[&storage];
    rows.resize(machine.ranks);
    if (rows[rank].size() < atLeast)
      rows[rank].resize(atLeast);
    return rows[rank];
  }

  std::uint64_t slotBytes(const Storage &storage, std::uint32_t rank, std::uint32_t slot) const {
    // A machine that counts whole blocks has no lengths in elements.
    std::int64_t elements =
        machine.countsBlocks() ? dataCase.lengths.n : machine.length(machine.lengthClass(storage, rank, slot), 0);
    return static_cast<std::uint64_t>(elements) * dataCase.elementBytes;
  }

  void loadInputs() {
    for (size_t i = 0; i < state.inputs.size(); ++i)
      for (std::uint32_t r = 0; r < machine.ranks; ++r) {
        const Bytes &bytes = dataCase.inputs[r][i];
        const Storage &storage = *state.inputs[i];
        if (storage.onlyRank >= 0 && storage.onlyRank != static_cast<std::int64_t>(r))
          continue;
        std::vector<Packet> &slots = row(storage, r, storage.stride);
        size_t at = 0;
        for (std::uint32_t s = 0; s < storage.stride; ++s) {
          size_t size = slotBytes(storage, r, s);
          slots[s] = {std::make_shared<Bytes>(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                                              bytes.begin() + static_cast<std::ptrdiff_t>(at + size)),
                      machine.lengthClass(storage, r, s)};
          at += size;
        }
      }
  }

  void storeOutputs() {
    dataCase.isSet.resize(machine.ranks);
    for (std::uint32_t r = 0; r < machine.ranks; ++r)
      for (const Bytes &output : dataCase.outputs[r])
        dataCase.isSet[r].emplace_back(output.size(), 0);
    for (size_t i = 0; i < state.outputs.size(); ++i)
      for (std::uint32_t r = 0; r < machine.ranks; ++r) {
        const Storage &storage = *state.outputs[i];
        std::vector<Packet> &slots = row(storage, r, storage.stride);
        size_t at = 0;
        for (std::uint32_t s = 0; s < storage.stride; ++s) {
          const size_t bytes = slotBytes(storage, r, s);
          if (slots[s] && at + bytes > dataCase.outputs[r][i].size())
            report("rank " + std::to_string(r) + " writes `" + storage.name + "`, which it does not have");
          else if (slots[s] && slots[s].bytes->size() != bytes)
            report("rank " + std::to_string(r) + " has " + std::to_string(slots[s].bytes->size()) + " bytes for " +
                   describeSlots(s, 1, machine.unitSlots) + " of `" + storage.name + "`, which takes " + std::to_string(bytes));
          else if (slots[s]) {
            std::copy(slots[s].bytes->begin(), slots[s].bytes->end(), dataCase.outputs[r][i].begin() + static_cast<std::ptrdiff_t>(at));
            std::fill_n(dataCase.isSet[r][i].begin() + static_cast<std::ptrdiff_t>(at), bytes, 1);
          }
          at += bytes;
        }
      }
  }

  /// The packets in some slots; in an elastic buffer, all that have arrived.
  std::vector<Packet> read(std::uint32_t rank, const Storage &storage, bool elastic, std::uint32_t firstRun,
                           std::uint32_t runCount) {
    if (elastic)
      return row(storage, rank, 0);
    std::vector<Packet> result;
    for (std::uint32_t i = 0; i < runCount; ++i) {
      SlotRun run = programs[rank].runs[firstRun + i];
      std::vector<Packet> &slots = row(storage, rank, std::size_t(run.lo) + run.count);
      result.insert(result.end(), slots.begin() + run.lo, slots.begin() + run.lo + run.count);
    }
    return result;
  }

  /// Writes packets to slots of a rank. Reports a problem if there are not as many. `Target`: a RankTransfer or RankSlots.
  template <typename Target>
  void write(std::uint32_t rank, const Target &target, const std::vector<Packet> &content, llvm::SMRange range) {
    Storage &storage = *target.storage;
    const SlotRun whole{0, static_cast<std::uint32_t>(content.size())};
    const llvm::ArrayRef<SlotRun> runs =
        target.elastic ? llvm::ArrayRef(whole) : llvm::ArrayRef(programs[rank].runs).slice(target.firstRun, target.runCount);
    if (target.elastic && content.size() > storage.stride)
      return report("rank " + std::to_string(rank) + " writes " + describeAmount(content.size(), machine.unitSlots) + " to `" +
                    storage.name + "`, which has no room for that");
    if (target.elastic)
      row(storage, rank, 0).resize(content.size());
    size_t at = 0;
    for (const SlotRun &run : runs) {
      std::vector<Packet> &slots = row(storage, rank, std::size_t(run.lo) + run.count);
      for (std::uint32_t slot = run.lo; slot < run.lo + run.count; ++slot, ++at) {
        slots[slot] = at < content.size() ? content[at] : Packet();
        const std::uint32_t wanted = slots[slot].lengthClass;
        if (slots[slot] && !machine.accepts(storage, rank, slot, wanted, target.takesLength))
          reportLengthsDiffer(machine, range, rank, machine.lengthClass(storage, rank, slot), wanted);
      }
    }
    if (at != content.size() && llvm::any_of(content, [](const Packet &packet) { return bool(packet); }))
      report("rank " + std::to_string(rank) + " writes " + describeAmount(content.size(), machine.unitSlots) + " to " +
             describeAmount(at, machine.unitSlots) + " of `" + storage.name + "`");
  }

  std::vector<Packet> value(const ir::DataExpr &expr, std::uint32_t rank, std::uint32_t &leaf) {
    if (!expr.isCombine) {
      const RankSlots &slots = programs[rank].slots[leaf++];
      return read(rank, *slots.storage, slots.elastic, slots.firstRun, slots.runCount);
    }
    std::vector<Packet> left = value(*expr.left, rank, leaf), right = value(*expr.right, rank, leaf);
    if (left.size() < right.size())
      left.resize(right.size());
    for (size_t i = 0; i < right.size(); ++i) {
      if (!right[i])
        continue;
      if (!left[i]) {
        left[i] = right[i];
        continue;
      }
      if (left[i].lengthClass != right[i].lengthClass)
        reportLengthsDiffer(machine, expr.range, rank, left[i].lengthClass, right[i].lengthClass);
      auto product = std::make_shared<Bytes>(left[i].bytes->size());
      if (dataCase.elementBytes && !product->empty())
        dataCase.combine(product->data(), left[i].bytes->data(), right[i].bytes->data(),
                         product->size() / dataCase.elementBytes);
      if (dataCase.elementBytes && dataCase.onCombine)
        dataCase.onCombine(rank, product->size() / dataCase.elementBytes);
      left[i].bytes = product;
    }
    return left;
  }

  /// Does local work up to the next step. Returns false at the end of the program.
  bool advance(std::uint32_t rank) {
    Cursor &cursor = cursors[rank];
    const RankProgram &program = programs[rank];
    for (; cursor.action < program.actions.size(); ++cursor.action) {
      const RankAction &action = program.actions[cursor.action];
      if (action.kind == RankAction::Step) {
        cursor.pending = action.count;
        if (dataCase.onStep)
          cursor.messages.assign(action.count, {});
        return true;
      }
      if (action.kind == RankAction::Declare) {
        declare(machine, program, rank, action);
        row(*action.storage, rank, 0).assign(action.storage->count(rank), Packet());
        continue;
      }
      std::uint32_t leaf = action.first + 1;
      const RankSlots &target = program.slots[action.first];
      auto &stmt = llvm::cast<ir::AssignStmt>(*action.stmt);
      write(rank, target, value(*stmt.value, rank, leaf), stmt.range);
    }
    return false;
  }

  void post(std::uint32_t rank, std::deque<std::uint32_t> &ready) {
    const RankProgram &program = programs[rank];
    const RankAction &step = program.actions[cursors[rank].action];
    std::vector<Message> messages;
    for (std::uint32_t t = step.first; t < step.first + step.count; ++t) {
      const RankTransfer &transfer = program.transfers[t];
      Message message{rank, t, {}};
      if (transfer.stmt->isSend && transfer.storage)
        message.content = read(rank, *transfer.storage, transfer.elastic, transfer.firstRun, transfer.runCount);
      messages.push_back(std::move(message));
    }
    for (Message &message : messages) {
      const RankTransfer &transfer = program.transfers[message.transfer];
      bool isSend = transfer.stmt->isSend;
      std::uint32_t from = isSend ? rank : transfer.peer, to = isSend ? transfer.peer : rank;
      Channel &channel = channels[(std::uint64_t(from) << 32) | to];
      auto &others = isSend ? channel.recvs : channel.sends;
      if (others.empty()) {
        (isSend ? channel.sends : channel.recvs).push_back(std::move(message));
        continue;
      }
      Message other = std::move(others.front());
      others.pop_front();
      deliver(isSend ? message : other, isSend ? other : message);
      for (std::uint32_t side : {from, to})
        if (--cursors[side].pending == 0) {
          if (dataCase.onStep)
            dataCase.onStep(side, cursors[side].messages);
          ++cursors[side].action;
          if (advance(side))
            ready.push_back(side);
        }
    }
  }

  void note(const Message &message, const Message &other, bool isSend, const std::vector<Packet> &content) {
    const RankAction &step = programs[message.rank].actions[cursors[message.rank].action];
    DataMessage &noted = cursors[message.rank].messages[message.transfer - step.first];
    noted.isSend = isSend;
    noted.lockstep = llvm::cast<ir::StepStmt>(step.stmt)->lockstep;
    noted.partner = other.rank;
    for (const Packet &packet : content)
      if (packet)
        noted.content.insert(noted.content.end(), packet.bytes->begin(), packet.bytes->end());
  }

  void deliver(const Message &send, const Message &recv) {
    if (dataCase.onStep) {
      note(send, recv, /*isSend=*/true, send.content);
      note(recv, send, /*isSend=*/false, send.content);
    }
    const RankTransfer &target = programs[recv.rank].transfers[recv.transfer];
    if (!target.storage)
      return;
    if (target.elastic && target.stmt->message->buffer->kind == ir::BufferKind::Message)
      beginName(machine, *target.storage, recv.rank, static_cast<std::uint32_t>(send.content.size()),
                shapeOf(programs[recv.rank], target));
    write(recv.rank, target, send.content, target.stmt->keyword);
  }

  DataCase &dataCase;
  TreeCache trees;
  CaseRun caseRun;
  Machine &machine;
  FinalState state;
  std::vector<RankProgram> programs;
  std::vector<Cursor> cursors;
  std::unordered_map<std::uint64_t, Channel> channels;
  std::unordered_map<const Storage *, std::vector<std::vector<Packet>>> memory;
};

} // namespace

void interpret(DataCase &dataCase, const Limits &limits) { Interpreter(dataCase, limits).run(); }

} // namespace quadrille::compiler
