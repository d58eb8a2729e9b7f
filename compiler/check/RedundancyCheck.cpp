//===- RedundancyCheck.cpp - Transfers that could be left out -----------------------------------------------------------------------===//

#include "RedundancyCheck.h"

namespace quadrille::compiler {

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

std::vector<Diagnostic> RedundancyCheck::warnings(const FinalState &state, const diag::Values &smallestCase) {
  for (const auto &[slot, which] : unread)
    if (llvm::is_contained(state.outputs, slot.first))
      ++received[which].read;
  std::vector<Diagnostic> result;
  bool unused = false, redundant = false;
  for (const Received &r : received) {
    const Delivery &d = r.delivery;
    auto warn = [&](llvm::SMRange range, diag::Facts facts) {
      Diagnostic diagnostic(range, std::move(facts));
      diagnostic.note({}, diag::SmallestCase{.instance = smallestCase});
      result.push_back(std::move(diagnostic));
    };
    if (r.read == 0 && !unused) {
      unused = true;
      warn(d.send->keyword, diag::UnusedTransfer{.from = d.source, .to = d.destination, .round = d.round});
    }
    if (r.had == r.slots && !redundant) {
      redundant = true;
      warn(d.recv->keyword, diag::RedundantTransfer{.rank = d.destination, .from = d.source, .round = d.round});
    }
  }
  return result;
}

} // namespace quadrille::compiler
