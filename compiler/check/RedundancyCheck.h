//===- RedundancyCheck.h - Transfers that could be left out ----------------------------------------------------------------*- C++ -*-===//
//
// A transfer is unused if nothing that it delivers is read, sent on or promised. It is redundant if the receiver already held
// all that it delivers. Both are warnings: a correct schedule may waste words.
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

  /// After a run: warnings about the first unused and the first redundant transfer. Content of an output counts as used.
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
  std::unordered_map<Slot, std::uint32_t, SlotHash> unread; // unread slots, with the index in `received` of the transfer that wrote them
};

} // namespace quadrille::compiler

#endif // QUADRILLE_CHECK_REDUNDANCYCHECK_H
