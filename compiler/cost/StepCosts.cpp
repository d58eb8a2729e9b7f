//===- StepCosts.cpp - What each statement of a run costs ---------------------------------------------------------------------------===//

#include "StepCosts.h"

#include <algorithm>

namespace quadrille::compiler {

StepCosts::StepCosts(const ir::Schedule &schedule) {
  collect(schedule.body, std::nullopt);
  longest.assign(list.size(), -1);
  mostWork.assign(list.size(), 0);
}

/// Enters the transfers of a body. `owner`: the entry to which they belong; nothing: each statement gets an entry of its own.
void StepCosts::collect(const ir::Body &body, std::optional<std::size_t> owner) {
  const auto entryOf = [&](const ir::Stmt &statement) {
    if (owner)
      return *owner;
    list.push_back({&statement, {}});
    return list.size() - 1;
  };
  for (const auto &statement : body) {
    if (auto *transfer = llvm::dyn_cast<ir::TransferStmt>(statement.get())) {
      if (auto [known, isNew] = owners.try_emplace(transfer, *owner); !isNew && known->second != *owner)
        list[known->second].isKnown = list[*owner].isKnown = false;
    } else if (auto *step = llvm::dyn_cast<ir::StepStmt>(statement.get())) {
      collect(step->body, entryOf(*step));
    } else if (auto *use = llvm::dyn_cast<ir::UseStmt>(statement.get())) {
      collect(use->callee->body, entryOf(*use));
    } else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(statement.get())) {
      collect(branch->yes, owner);
      collect(branch->no, owner);
    } else if (auto *loop = llvm::dyn_cast<ir::ForStmt>(statement.get())) {
      collect(loop->body, owner);
    }
  }
}

void StepCosts::closeRound() {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (longest[i] >= 0) {
      list[i].cost.a += 1;
      list[i].cost.b += longest[i];
    }
    list[i].cost.c += mostWork[i];
    longest[i] = -1;
    mostWork[i] = 0;
  }
}

void StepCosts::onRound(const Round &round, const Machine &machine) {
  closeRound();
  last.resize(machine.ranks);
  const std::size_t samples = machine.sampleCount();
  for (std::size_t i = 0; i < round.transfers.size(); ++i) {
    const Transfer &transfer = round.transfers[i];
    for (const auto &[statement, rank] : {std::pair(transfer.send, transfer.source), std::pair(transfer.recv, transfer.destination)}) {
      const auto owner = owners.find(statement);
      if (owner == owners.end())
        continue;
      longest[owner->second] = std::max(longest[owner->second], round.words[i * samples]);
      last[rank] = owner->second;
    }
  }
}

void StepCosts::onWork(std::uint32_t first, std::uint32_t count, const std::int64_t *words, const Machine &machine) {
  const std::size_t samples = machine.sampleCount();
  last.resize(machine.ranks);
  for (std::uint32_t i = 0; i < count; ++i)
    if (const std::optional<std::size_t> owner = last[first + i])
      mostWork[*owner] = std::max(mostWork[*owner], words[i * samples]);
}

void StepCosts::onRestart() {
  for (Entry &entry : list)
    entry.cost = {};
  longest.assign(list.size(), -1);
  mostWork.assign(list.size(), 0);
  last.clear();
}

void StepCosts::onEnd(const Machine &machine) {
  closeRound();
  perBlock = machine.countsBlocks();
}

} // namespace quadrille::compiler
