//===- ContentsTrace.cpp - What every rank holds after every round ------------------------------------------------------------------===//

#include "ContentsTrace.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::draw {

ContentsTrace::ContentsTrace(const ir::Schedule &schedule, std::uint64_t maxCells, std::optional<std::int64_t> n)
    : schedule(schedule), folds(schedule.collective->folds()), maxCells(maxCells), n(n) {}

void ContentsTrace::onRound(const Round &round, const Machine &machine) {
  // No data of this round has moved yet: these are the contents after the previous round.
  showContents(machine);
  showTransfers(round, machine);
}

void ContentsTrace::onEnd(const Machine &machine) { showContents(machine); }

void ContentsTrace::onRestart() {
  done.clear();
  current.clear();
  cells = 0;
}

std::vector<Table> ContentsTrace::tables() const {
  std::vector<Table> result = done;
  if (!current.empty())
    result.push_back(current);
  return result;
}

void ContentsTrace::count() {
  if (++cells > maxCells)
    throw TooMuchToShow{};
}

void ContentsTrace::showTransfers(const Round &round, const Machine &machine) {
  current = {{"round " + std::to_string(round.number), "transfers"}};
  if (n)
    current[0].push_back("words");
  std::vector<std::vector<size_t>> sends(machine.ranks), receives(machine.ranks);
  for (size_t i = 0; i < round.transfers.size(); ++i) {
    sends[round.transfers[i].source].push_back(i);
    receives[round.transfers[i].destination].push_back(i);
  }
  for (std::uint32_t rank = 0; rank < machine.ranks; ++rank) {
    std::string cell;
    std::int64_t words = 0;
    auto add = [&](const char *sign, std::uint32_t partner) {
      cell += (cell.empty() ? "" : ", ") + std::string(sign) + std::to_string(partner);
    };
    for (size_t i : sends[rank]) {
      const Transfer &send = round.transfers[i];
      auto answer =
          llvm::find_if(receives[rank], [&](size_t j) { return round.transfers[j].source == send.destination; });
      bool exchange = answer != receives[rank].end();
      add(exchange ? "↔" : "→", send.destination);
      if (exchange)
        receives[rank].erase(answer);
      cell += messageText(machine, send);
      words += round.words[i * machine.sampleCount()] * (machine.countsBlocks() ? n.value_or(0) : 1);
    }
    for (size_t i : receives[rank])
      add("←", round.transfers[i].source);
    current.push_back({std::to_string(rank), cell.empty() ? "-" : cell});
    if (n)
      current.back().push_back(sends[rank].empty() ? "-" : std::to_string(words));
  }
}

void ContentsTrace::showContents(const Machine &machine) {
  if (current.empty()) {
    current = {{"start"}};
    for (std::uint32_t rank = 0; rank < machine.ranks; ++rank)
      current.push_back({std::to_string(rank)});
  }
  size_t outputs = schedule.outputs.size();
  for (const Storage &storage : machine.memory()) {
    if (storage.isInput)
      continue;
    bool isOutput = outputs > 0;
    outputs -= isOutput; // outputs follow the inputs
    if (storage.endsWithStep)
      continue;
    bool isEmpty = llvm::all_of(storage.values, [](Value value) { return value == emptyValue; });
    if (isEmpty && !isOutput)
      continue;
    current[0].push_back(storage.name);
    for (std::uint32_t rank = 0; rank < machine.ranks; ++rank)
      current[rank + 1].push_back(content(machine, storage, rank));
  }
  if (current[0].size() > 1) // without data there is no table for the start
    done.push_back(std::move(current));
  current.clear();
}

/// The content of a message: " 0:3 x@1[2]". A packet has its number after a point, " x@1.0", unless all packets are sent.
std::string ContentsTrace::messageText(const Machine &machine, const Transfer &send) {
  std::string text;
  for (std::uint32_t r = 0; r < send.runCount; ++r) {
    const SlotRun run = send.runs[r];
    for (std::uint32_t slot = run.lo, end = run.lo + run.count; slot < end;) {
      Value value = machine.read(*send.storage, send.source, slot);
      auto isPacket = [&](std::uint32_t number) {
        return slot + number < end && machine.read(*send.storage, send.source, slot + number) == value &&
               machine.lengthClass(*send.storage, send.source, slot + number) == number;
      };
      std::uint32_t packets = 0;
      while (packets < machine.unitSlots && isPacket(packets))
        ++packets;
      text += " " + slotText(machine, value);
      if (packets == machine.unitSlots) {
        slot += packets;
        continue;
      }
      text += "." + std::to_string(machine.lengthClass(*send.storage, send.source, slot));
      ++slot;
    }
  }
  return text;
}

std::string ContentsTrace::content(const Machine &machine, const Storage &storage, std::uint32_t rank) {
  std::string text;
  std::uint32_t slots = storage.count(rank);
  // A name declared by a receive may hold packets of several blocks: show it slot by slot.
  std::uint32_t unit = storage.ownClasses || slots % machine.unitSlots ? 1 : machine.unitSlots;
  for (std::uint32_t block = 0; block < slots; block += unit) {
    Value first = machine.read(storage, rank, block);
    bool alike = true;
    for (std::uint32_t slot = block; slot < block + unit; ++slot)
      alike &= machine.read(storage, rank, slot) == first;
    text += text.empty() ? "" : " ";
    if (alike) {
      text += slotText(machine, first);
      continue;
    }
    for (std::uint32_t slot = block; slot < block + unit; ++slot)
      text += (slot == block ? "{" : " ") + slotText(machine, machine.read(storage, rank, slot));
    text += "}";
  }
  return text.empty() ? "-" : text;
}

std::string ContentsTrace::slotText(const Machine &machine, Value value) {
  count();
  std::string text;
  for (const Run &run : machine.domain.runs(value)) {
    auto input = llvm::find_if(machine.memory(), [&](const Storage &storage) {
      return storage.isInput && storage.inputBlock <= run.block &&
             run.block < storage.inputBlock + storage.stride / machine.unitSlots;
    });
    std::string name = input->name + "@";
    std::string index =
        input->stride > machine.unitSlots ? "[" + std::to_string(run.block - input->inputBlock) + "]" : "";
    std::uint64_t last = (run.lo + std::uint64_t(run.length) - 1) % machine.domain.size();
    text += text.empty() ? "" : "<>";
    if (folds)
      text += (schedule.inputs.size() > 1 ? name : "") + std::to_string(run.lo) + ":" + std::to_string(last) + index;
    else
      text += name + std::to_string(run.lo) + index;
  }
  return text.empty() ? "-" : text;
}

} // namespace quadrille::compiler::draw
