//===- ChannelTest.cpp - The protocol of channels, between two threads ----===//
//
// Processes take messages from cells, too, which threads do not. Here two threads
// do, so that the thread sanitizer sees all accesses of the protocol.
//
//===----------------------------------------------------------------------===//

#include "../../../runtime/channel/Channel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <thread>
#include <vector>

using namespace quadrille;
using namespace quadrille::detail;

namespace {

constexpr std::size_t cellBytes = CellRing::cellBytes;

std::byte valueOf(std::uint64_t call, std::uint32_t message, std::size_t at) {
  return static_cast<std::byte>(call * 31 + message * 7 + at / 3);
}

/// Memory as processes share it: all of it is zero, and no constructor runs.
struct Shared {
  CellRing ring;
  Attendance sender, receiver;
  Channel channel; ///< behind which are its slots

  static std::unique_ptr<Shared, void (*)(Shared *)> make(std::size_t slots = fewSlots) {
    const std::size_t bytes = sizeof(Shared) - sizeof(Channel) + Channel::bytesWith(slots);
    void *const memory = ::operator new(bytes, std::align_val_t(alignof(Shared)));
    std::memset(memory, 0, bytes);
    return {static_cast<Shared *>(memory),
            [](Shared *of) { ::operator delete(of, std::align_val_t(alignof(Shared))); }};
  }
};

class Sender {
public:
  explicit Sender(Shared &shared, std::size_t slots = fewSlots) : shared_(shared), slots_(slots) {}

  /// Sends `bytes` bytes; gives up when `most` of them are in cells.
  void send(std::uint64_t call, std::uint32_t message, std::size_t bytes, std::size_t most = ~std::size_t{0}) {
    Channel &channel = shared_.channel;
    const Tag tag = makeTag(call, message);
    const std::size_t at = Channel::slotOf(call, message, slots_);
    const auto departed = [this] { return shared_.receiver.left(); };
    while (!channel.isFree(at, slots_, departed))
      std::this_thread::yield();
    Slot &slot = channel.slot(at);
    if (bytes <= Slot::inlineBytes) {
      slot.brief.elements = static_cast<std::uint32_t>(bytes);
      slot.brief.elementBytes = 1;
      fill(slot.brief.bytes, call, message, 0, bytes);
      return channel.post(at, slots_, tag, Phase::Inline, Announcing::Unfenced);
    }
    for (std::size_t done = 0; done < bytes; done += cellBytes) {
      if (done >= most)
        return (void)channel.withdraw(at, slots_, tag);
      while (!shared_.ring.isFree(channel, departed))
        std::this_thread::yield();
      const std::uint64_t cell = shared_.ring.take(tag, call);
      fill(shared_.ring.bytesOf(cell), call, message, done, std::min(cellBytes, bytes - done));
      if (done == 0) {
        slot.stream = {static_cast<Index>(bytes), 1, cell};
        channel.post(at, slots_, tag, Phase::Streamed, Announcing::Unfenced);
      } else {
        shared_.ring.announce(cell);
      }
    }
  }

private:
  static void fill(std::byte *to, std::uint64_t call, std::uint32_t message, std::size_t from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      to[i] = valueOf(call, message, from + i);
  }

  Shared &shared_;
  std::size_t slots_;
};

class Receiver {
public:
  explicit Receiver(Shared &shared, std::size_t slots = fewSlots) : shared_(shared), slots_(slots) {}

  /// Receives a message, and says whether it was right; gives up after `most`
  /// bytes.
  bool receive(std::uint64_t call, std::uint32_t message, std::size_t bytes, std::size_t most = ~std::size_t{0}) {
    Channel &channel = shared_.channel;
    const Tag tag = makeTag(call, message);
    const std::size_t at = Channel::slotOf(call, message, slots_);
    const Phase phase = bytes <= Slot::inlineBytes ? Phase::Inline : Phase::Streamed;
    while (channel.postedAt(at) != withPhase(tag, phase))
      std::this_thread::yield();
    const Slot &slot = channel.slot(at);
    bool right = true;
    if (phase == Phase::Inline) {
      right = slot.brief.elements == bytes && isRight(slot.brief.bytes, call, message, 0, bytes);
    } else {
      right = slot.stream.elements == static_cast<Index>(bytes);
      std::uint64_t cell = slot.stream.firstCell;
      for (std::size_t done = 0; done < bytes; done += cellBytes, ++cell) {
        if (done >= most)
          return right;
        while (done > 0 && !shared_.ring.isWritten(cell))
          std::this_thread::yield();
        right = isRight(shared_.ring.bytesOf(cell), call, message, done, std::min(cellBytes, bytes - done)) && right;
        if (done + cellBytes < bytes)
          shared_.ring.drain(cell);
      }
    }
    channel.consume(tag, Announcing::Unfenced);
    return right;
  }

private:
  static bool isRight(const std::byte *at, std::uint64_t call, std::uint32_t message, std::size_t from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (at[i] != valueOf(call, message, from + i))
        return false;
    return true;
  }

  Shared &shared_;
  std::size_t slots_;
};

/// Messages of all lengths, in an order that mixes them.
const std::vector<std::size_t> lengths = {0,     8,  48,       49, cellBytes, cellBytes + 1, 3 * cellBytes, 8, 8, 8, 9 * cellBytes + 5,
                                          4 * cellBytes, 48, 100, 8,         20000,         7,             6, 5, 4, 3,
                                          2,     1,  cellBytes};

} // namespace

TEST(Channel, TakesMessagesOfAllLengthsInOrder) {
  for (const std::size_t slots : {fewSlots, manySlots}) {
    const auto shared = Shared::make(slots);
    constexpr std::uint64_t calls = 60;
    std::thread other([&] {
      Sender sender(*shared, slots);
      for (std::uint64_t call = 1; call <= calls; ++call)
        for (std::uint32_t i = 0; i < lengths.size(); ++i)
          sender.send(call, i, lengths[(call + i) % lengths.size()]);
    });
    Receiver receiver(*shared, slots);
    std::size_t wrong = 0;
    for (std::uint64_t call = 1; call <= calls; ++call)
      for (std::uint32_t i = 0; i < lengths.size(); ++i)
        wrong += !receiver.receive(call, i, lengths[(call + i) % lengths.size()]);
    other.join();
    EXPECT_EQ(wrong, 0u);
  }
}

// A sender is as far ahead of its receiver as there are slots, and no farther.
TEST(Channel, LetsASenderBeAsFarAheadAsThereAreSlots) {
  // Also where names, taken for numbers with a sign, are the largest and the least.
  for (const std::uint64_t first : {std::uint64_t{1}, (std::uint64_t{1} << 31) - 3})
    for (const std::size_t slots : {fewSlots, manySlots}) {
      const auto shared = Shared::make(slots);
      Channel &channel = shared->channel;
      Sender sender(*shared, slots);
      const auto isFree = [&](std::uint64_t call) {
        return channel.isFree(Channel::slotOf(call, 0, slots), slots, [&] { return shared->receiver.left(); });
      };
      channel.consume(makeTag(first - 1, 0), Announcing::Unfenced);
      shared->receiver.leave(first - 1);
      for (std::uint64_t call = first; call < first + slots; ++call) {
        ASSERT_TRUE(isFree(call)) << call;
        sender.send(call, 0, 8);
      }
      EXPECT_FALSE(isFree(first + slots));
      // The receiver takes the first, and leaves the second.
      channel.consume(makeTag(first, 0), Announcing::Unfenced);
      EXPECT_TRUE(isFree(first + slots));
      EXPECT_FALSE(isFree(first + slots + 1));
      shared->receiver.leave(first + 1);
      EXPECT_TRUE(isFree(first + slots + 1));
      EXPECT_FALSE(isFree(first + slots + 2));
      shared->receiver.leave(Attendance::everyCall);
      EXPECT_TRUE(isFree(first + slots + 2));
    }
}

TEST(Channel, HasFewSlotsWhereRanksHaveCoresOrAreMany) {
  EXPECT_EQ(slotsOfBlocking(8, /*isCrowded=*/false), fewSlots);
  EXPECT_EQ(slotsOfBlocking(8, /*isCrowded=*/true), manySlots);
  EXPECT_EQ(slotsOfBlocking(4096, /*isCrowded=*/true), fewSlots);
}

// A sender or receiver that gives up in the middle disturbs no later call.
TEST(Channel, GoesOnAfterMessagesThatWereGivenUp) {
  const auto shared = Shared::make();
  constexpr std::uint64_t calls = 100;
  constexpr std::size_t bytes = 7 * cellBytes + 3;
  std::thread other([&] {
    Sender sender(*shared);
    for (std::uint64_t call = 1; call <= calls; ++call) {
      const std::size_t most = call % 3 == 0 ? 2 * cellBytes : ~std::size_t{0};
      sender.send(call, 0, bytes, most);
      if (call % 3 == 1)
        sender.send(call, 1, cellBytes); // nobody receives it
    }
  });
  Receiver receiver(*shared);
  std::size_t wrong = 0;
  for (std::uint64_t call = 1; call <= calls; ++call) {
    if (call % 3 != 0) // in every fourth of these calls the receiver gives up
      wrong += !receiver.receive(call, 0, bytes, call % 4 == 0 ? 3 * cellBytes : ~std::size_t{0});
    shared->receiver.leave(call);
  }
  other.join();
  EXPECT_EQ(wrong, 0u);
}

// Between processes nobody waits for a reader: it looks again when it has read.
TEST(Channel, TellsAReaderThatAMessageWasWithdrawn) {
  const auto shared = Shared::make();
  Channel &channel = shared->channel;
  const Tag tag = makeTag(5, 0);
  const std::size_t at = Channel::slotOf(5, 0, fewSlots);
  channel.post(at, fewSlots, tag, Phase::Posted, Announcing::Unfenced);
  EXPECT_TRUE(channel.isStillPosted(at, tag));
  EXPECT_FALSE(channel.withdraw(at, fewSlots, tag));
  EXPECT_FALSE(channel.isStillPosted(at, tag));
  EXPECT_FALSE(channel.isFree(at, fewSlots, [] { return std::uint64_t{4}; })) << "it may still be looked at";
  EXPECT_TRUE(channel.isFree(at, fewSlots, [] { return std::uint64_t{5}; }));
  // A thread that reads is waited for.
  channel.post(at, fewSlots, makeTag(6, 3), Phase::Posted, Announcing::Unfenced);
  ASSERT_TRUE(channel.mayRead(at, makeTag(6, 3)));
  EXPECT_TRUE(channel.withdraw(at, fewSlots, makeTag(6, 3)));
  channel.consume(makeTag(6, 3), Announcing::Unfenced);
  EXPECT_FALSE(channel.withdraw(at, fewSlots, makeTag(6, 3)));
}

// The receiver announces that it reads just before the withdrawal, and sees the
// withdrawal: it will not consume the message, so the sender must not wait for that.
TEST(Channel, DoesNotWaitForAReaderThatSawTheWithdrawal) {
  const auto shared = Shared::make();
  Channel &channel = shared->channel;
  const Tag tag = makeTag(5, 0);
  const std::size_t at = Channel::slotOf(5, 0, fewSlots);
  channel.post(at, fewSlots, tag, Phase::Posted, Announcing::Unfenced);
  EXPECT_FALSE(channel.withdraw(at, fewSlots, tag));
  EXPECT_FALSE(channel.mayRead(at, tag));
  EXPECT_FALSE(channel.withdraw(at, fewSlots, tag));
}

/// Two threads do the work on messages together. The sender may be unable to do some parts.
static void shareWork(bool senderFails) {
  constexpr std::uint32_t messages = 300;
  constexpr std::uint32_t elements = 5000;
  constexpr Index elementBytes = 1 << 10; // of which nobody needs to know: 40 parts, the last one short
  SharedWork work;
  std::vector<std::uint32_t> source(elements), target(elements);
  std::atomic<std::uint32_t> posted{0}, consumed{0};
  std::uint64_t helped = 0;
  const auto tagOf = [](std::uint32_t message) { return makeTag(1 + message / 3, message % 3); };
  std::thread sender([&] {
    for (std::uint32_t message = 1; message <= messages; ++message) {
      for (std::uint32_t i = 0; i < elements; ++i)
        source[i] = message * 7 + i;
      posted.store(message, std::memory_order_release);
      while (consumed.load(std::memory_order_acquire) < message) {
        work.help(tagOf(message), [&](const SharedWork::Order &order, Index first, Index count) {
          if (senderFails && (message + static_cast<std::uint32_t>(first / 128)) % 2 == 0)
            return false;
          if (message % 11 == 0) // the receiver is at its end before this is
            std::this_thread::sleep_for(std::chrono::microseconds(200));
          auto *const into = reinterpret_cast<std::uint32_t *>(order.into);
          const auto *const own = reinterpret_cast<const std::uint32_t *>(order.own);
          for (Index i = first; i < first + count; ++i)
            into[i] = source[static_cast<std::size_t>(i)] + (own ? own[i] : 0);
          ++helped;
          return true;
        });
        if (message % 5 == 0)
          std::this_thread::yield();
      }
    }
  });
  std::size_t wrong = 0;
  for (std::uint32_t message = 1; message <= messages; ++message) {
    while (posted.load(std::memory_order_acquire) < message)
      std::this_thread::yield();
    // In place, so that a part which is done twice is wrong.
    const bool combines = message % 2 == 0;
    for (std::uint32_t i = 0; i < elements; ++i)
      target[i] = combines ? i * 3 : 0;
    std::byte *const into = reinterpret_cast<std::byte *>(target.data());
    work.begin(tagOf(message), {into, combines ? into : nullptr, Side::Left, elements}, elementBytes);
    const bool isDone = work.finish(
        [&](Index first, Index count) {
          for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(first + count); ++i)
            target[i] = source[i] + (combines ? target[i] : 0);
          if (message % 7 == 0)
            std::this_thread::yield();
          return true;
        },
        [] {
          std::this_thread::yield();
          return true;
        });
    wrong += !isDone;
    for (std::uint32_t i = 0; i < elements; ++i)
      wrong += target[i] != message * 7 + i + (combines ? i * 3 : 0);
    consumed.store(message, std::memory_order_release);
  }
  sender.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(helped, 0u);
}

TEST(SharedWorkOn, AMessageByTwoRanks) { shareWork(/*senderFails=*/false); }
TEST(SharedWorkOn, AMessageOfASenderThatCannotDoAllParts) { shareWork(/*senderFails=*/true); }

TEST(SharedWorkOn, AMessageThatCannotBeRead) {
  SharedWork work;
  std::vector<std::byte> bytes(1 << 20);
  work.begin(makeTag(1, 0), {bytes.data(), nullptr, Side::Left, 1 << 20}, 1);
  int parts = 0;
  EXPECT_FALSE(work.finish([&](Index, Index) { return ++parts < 3; }, [] { return true; }));
  EXPECT_EQ(parts, 3);
  // Nothing is left of it.
  work.help(makeTag(1, 0), [&](const SharedWork::Order &, Index, Index) {
    ++parts;
    return true;
  });
  EXPECT_EQ(parts, 3);
}

TEST(SharedWorkOn, AMessageWhoseSenderDies) {
  SharedWork work;
  std::vector<std::byte> bytes(1 << 20);
  const Tag tag = makeTag(1, 0);
  work.begin(tag, {bytes.data(), nullptr, Side::Left, 1 << 20}, 1);
  // It dies in the middle of its first part, which nobody finishes.
  EXPECT_THROW(work.help(tag, [](const SharedWork::Order &, Index, Index) -> bool { throw 0; }), int);
  int looks = 0;
  EXPECT_FALSE(work.finish([](Index, Index) { return true; }, [&] { return ++looks < 5; }));
  EXPECT_EQ(looks, 5);
}

// A sender that has given up a message, and calls later with one of another name, has no
// part in the work on the former, which its receiver may still be at.
TEST(SharedWorkOn, AMessageOfWhichTheSenderKnowsNoMore) {
  SharedWork work;
  std::vector<std::byte> bytes(1 << 20);
  int helped = 0, done = 0;
  work.begin(makeTag(1, 0), {bytes.data(), nullptr, Side::Left, 1 << 20}, 1);
  for (const Tag other : {makeTag(5, 0), makeTag(17, 0), makeTag(1, 1)})
    work.help(other, [&](const SharedWork::Order &, Index, Index) { return ++helped > 0; });
  EXPECT_TRUE(work.finish([&](Index, Index) { return ++done > 0; }, [] { return true; }));
  EXPECT_EQ(helped, 0);
  EXPECT_EQ(done, 8);
}
