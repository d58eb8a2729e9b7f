//===- RedundancyCheck.h - Transfers that could be left out ----------------------------------------------------------------*- C++ -*-===//
//
// A transfer is unused if nothing of what it brought is read, sent on or promised; it is redundant if the receiver had
// all of it already. Both are warnings: a schedule may be right and still waste words.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_CHECK_REDUNDANCYCHECK_H
#define QUADRILLE_CHECK_REDUNDANCYCHECK_H

#include "instantiate/CaseRun.h"

#include <unordered_map>

namespace quadrille::compiler {

class RedundancyCheck : public UsageObserver {
public:
  void onRead(const Storage &storage, std::uint32_t rank, std::uint32_t slot) override;
  void onWrite(const Storage &storage, std::uint32_t rank, std::uint32_t slot) override;
  void onReceive(const Storage &storage, std::uint32_t rank, std::uint32_t slot, bool hadIt, const Delivery &delivery) override;

  /// The first transfers that are unused or redundant, after a run. What is in an output counts as used.
  std::vector<Diagnostic> warnings(const FinalState &state, const diag::Values &smallestCase);

private:
  struct Received {
    Delivery delivery;
    std::uint32_t slots = 0, read = 0, had = 0;
  };
  using Slot = std::pair<const Storage *, std::uint64_t>; // rank << 32 | slot
  struct SlotHash {
    size_t operator()(const Slot &slot) const {
      return std::hash<const void *>()(slot.first) ^ (slot.second * 0x9E3779B97F4A7C15ull);
    }
  };
  static Slot key(const Storage &storage, std::uint32_t rank, std::uint32_t slot) {
    return {&storage, (std::uint64_t(rank) << 32) | slot};
  }

  std::vector<Received> received;
  std::unordered_map<Slot, std::uint32_t, SlotHash> unread; // which of `received` brought it
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_REDUNDANCYCHECK_H
