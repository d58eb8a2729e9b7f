//===- SharedWork.h - Long messages that both ranks move ------------------===//
//
// Private to the runtime. The receiver copies a long message from the memory of its
// sender, or combines it, while the sender often has nothing to do but wait. Where
// every rank has a core, both do the work: the receiver says what is to be done, and
// both take parts of it until none is left.
//
//   receiver                             sender, while it waits
//   writes the order
//   claims := (order, parts, 0) ----->   reads claims: parts left; of its message
//   claims a part, and does it           claims a part, reads the order, does it
//   ...                                  finished := finished + 1
//   no part is left
//   waits for those of the sender <---
//   consumes the message
//
// To claim a part is to compare and exchange a word that has the number of the order,
// how many parts it has and the next one. The receiver counts orders. So a sender that
// has been slow cannot claim a part of a later order for this one, as the word is another
// one then. Of which message an order is, the sender reads behind the word: if it sees an
// order, it sees the message of that one or of a later one, and goes on with its own only.
//
// Memory orders. The order is ordinary memory, and its message an atomic word (relaxed).
// Both are written before `claims` is stored (release). The message is read after that was
// seen (acquire), and the order after a part was claimed (acquire; the claims in between
// are read-modify-writes, which continue the release sequence). It is written again, and
// what was copied is read, only after the receiver has seen that all parts that the
// sender has claimed are finished (acquire of `finished`, stored with release behind
// the work). `finished` only counts up, and the sender alone writes it. It has claimed
// nothing when a receiver begins, since that waited for all parts of the message before.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_CHANNEL_SHAREDWORK_H
#define QUADRILLE_CHANNEL_SHAREDWORK_H

#include "quadrille/call.h"
#include "quadrille/index.h"
#include "quadrille/waiting.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace quadrille {
namespace detail {

/// The work on a message of a channel. Memory that is all zero is work that is not
/// shared.
class SharedWork {
public:
  /// Shorter messages are moved before the sender has noticed.
  static constexpr Index shortestBytes = Index{512} << 10;

  /// What the receiver does with the elements of the message. The addresses are its own.
  struct Order {
    std::byte *into;
    const std::byte *own; ///< the other operand; null: the elements are copied
    Side side;
    Index elements;
  };

  //===--- The receiver --------------------------------------------------===//

  /// Lets the sender take parts of the work on the message `tag`.
  void begin(std::uint64_t tag, const Order &order, Index elementBytes) {
    order_ = order;
    each_ = partOf(order, elementBytes);
    before_ = finished_.load(std::memory_order_relaxed);
    message_.store(tag, std::memory_order_relaxed);
    const auto parts = static_cast<std::uint64_t>((order.elements + each_ - 1) / each_);
    claims_.store(++orders_ << 32 | parts << 16, std::memory_order_release);
  }

  /// The elements of a part: a thirty-second of the message, but at least 128 KiB, and no
  /// more than 1 MiB of a combination, for which there has to be room elsewhere.
  static Index partOf(const Order &order, Index elementBytes) {
    constexpr Index usualParts = 32, shortest = Index{128} << 10, longest = Index{1} << 20;
    const auto among = [&](Index parts) { return (order.elements + parts - 1) / parts; };
    Index each = std::max(among(usualParts), shortest / elementBytes);
    if (order.own)
      each = std::min(each, longest / elementBytes);
    return std::max(std::max(each, Index{1}), among(static_cast<Index>(countMask)));
  }

  /// Takes parts until none is left, and waits for those of the sender.
  /// carryOut(first, elements) does a part, and returns whether it could. goesOn() is
  /// called while this waits; if it returns false, the sender has died. Neither may throw.
  /// Returns whether all is done.
  template <class CarryOut, class GoesOn> bool finish(CarryOut carryOut, GoesOn goesOn) {
    bool isGood = true;
    std::uint64_t mine = 0;
    for (std::uint64_t part; isGood && claim(claims_.load(std::memory_order_relaxed), part); ++mine)
      isGood = carryOut(firstOf(part), lengthOf(part));
    // Nobody can claim a part from here on.
    const std::uint64_t claimed = claims_.exchange(0, std::memory_order_acquire) & countMask;
    while (finished_.load(std::memory_order_acquire) - before_ < claimed - mine)
      if (!goesOn())
        return false;
    // Relaxed: the sender has stored it before `finished`, and writes it again for a
    // later message only.
    const std::uint64_t failed = failed_.load(std::memory_order_relaxed);
    if (failed == 0)
      return isGood;
    failed_.store(0, std::memory_order_relaxed);
    return isGood && carryOut(firstOf(failed - 1), lengthOf(failed - 1));
  }

  //===--- The sender ----------------------------------------------------===//

  /// Takes parts of the work on the message `tag` as long as there are some.
  /// carryOut(order, first, elements) does one, and returns whether it could; if not,
  /// it has changed nothing, the receiver does that part, and this takes no other one. It
  /// may not throw.
  template <class CarryOut> void help(std::uint64_t tag, CarryOut carryOut) {
    for (std::uint64_t part; failed_.load(std::memory_order_relaxed) == 0;) {
      const std::uint64_t word = claims_.load(std::memory_order_acquire);
      if (!hasParts(word) || message_.load(std::memory_order_relaxed) != tag || !claim(word, part))
        return;
      if (!carryOut(order_, firstOf(part), lengthOf(part)))
        failed_.store(part + 1, std::memory_order_relaxed);
      finished_.store(finished_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
  }

private:
  static constexpr std::uint64_t countMask = 0xffff;

  static bool hasParts(std::uint64_t word) { return (word & countMask) < (word >> 16 & countMask); }

  /// Claims a part of the order of `word`, if there is one left.
  bool claim(std::uint64_t word, std::uint64_t &part) {
    const std::uint64_t order = word >> 32;
    while (word >> 32 == order && hasParts(word))
      if (claims_.compare_exchange_weak(word, word + 1, std::memory_order_acquire, std::memory_order_relaxed)) {
        part = word & countMask;
        return true;
      }
    return false;
  }
  Index firstOf(std::uint64_t part) const { return static_cast<Index>(part) * each_; }
  Index lengthOf(std::uint64_t part) const { return std::min(each_, order_.elements - firstOf(part)); }

  /// Written by the receiver, `claims` by both.
  alignas(cacheLineBytes) std::atomic<std::uint64_t> claims_{0};
  std::atomic<std::uint64_t> message_{0}; ///< the name of the message of the order
  Order order_{};
  Index each_ = 0; ///< elements of a part; the last one may have fewer
  /// Written by the sender: how many parts it has finished; and the number of the part
  /// that it could not do, from 1 on, until the receiver has done it.
  alignas(cacheLineBytes) std::atomic<std::uint64_t> finished_{0};
  std::atomic<std::uint64_t> failed_{0};
  /// Used by the receiver only: `finished` when it began, and how many orders there were.
  alignas(cacheLineBytes) std::uint64_t before_ = 0;
  std::uint64_t orders_ = 0;
};

/// Lets time pass while a receiver waits for the sender's parts, which takes no longer
/// than a copy, unless another program has the sender's core.
class ShortWait {
public:
  /// Returns true each time that it has yielded often, to look for rare events.
  bool pass() {
    constexpr std::uint64_t spins = 2000, yields = 1000;
    if (++passed_ < spins) {
      relax();
      return false;
    }
    std::this_thread::yield();
    return (passed_ - spins) % yields == yields - 1;
  }

private:
  std::uint64_t passed_ = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_CHANNEL_SHAREDWORK_H
