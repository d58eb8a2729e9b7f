//===- Redundancy.cpp - Transfers that could be left out ----------------------------------------------------------------------------===//

#include "Redundancy.h"

namespace quadrille {

void RedundancyCheck::onRead(const Storage &storage, std::uint32_t rank, std::uint32_t slot) {
  auto found = unread.find(key(storage, rank, slot));
  if (found == unread.end())
    return;
  ++received[found->second].read;
  unread.erase(found);
}

void RedundancyCheck::onWrite(const Storage &storage, std::uint32_t rank, std::uint32_t slot) {
  unread.erase(key(storage, rank, slot));
}

void RedundancyCheck::onReceive(const Storage &storage, std::uint32_t rank, std::uint32_t slot, bool hadIt,
                                const Delivery &delivery) {
  if (received.empty() || received.back().delivery.number != delivery.number)
    received.push_back({delivery, 0, 0, 0});
  Received &last = received.back();
  ++last.slots;
  last.had += hadIt;
  unread[key(storage, rank, slot)] = static_cast<std::uint32_t>(received.size() - 1);
}

std::vector<Diagnostic> RedundancyCheck::warnings(const FinalState &state, const std::string &smallestCase) {
  for (const auto &[slot, which] : unread)
    if (llvm::is_contained(state.outputs, slot.first))
      ++received[which].read;
  std::vector<Diagnostic> result;
  bool unused = false, redundant = false;
  for (const Received &r : received) {
    const Delivery &d = r.delivery;
    auto warn = [&](diag::Id id, llvm::SMRange range, std::vector<std::string> args) {
      Diagnostic diagnostic(id, range, std::move(args));
      diagnostic.note(diag::Id::SmallestCase, {}, {smallestCase});
      result.push_back(std::move(diagnostic));
    };
    std::string source = std::to_string(d.source), destination = std::to_string(d.destination), round = std::to_string(d.round);
    if (r.read == 0 && !unused) {
      unused = true;
      warn(diag::Id::UnusedTransfer, d.send->keyword, {source, destination, round});
    }
    if (r.had == r.slots && !redundant) {
      redundant = true;
      warn(diag::Id::RedundantTransfer, d.recv->keyword, {destination, source, round});
    }
  }
  return result;
}

} // namespace quadrille
