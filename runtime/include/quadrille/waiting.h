//===- quadrille/waiting.h - How threads wait -------------------*- C++ -*-===//
//
// Everything that waits for a partner through shared memory does it as described
// here: it spins while its partner can be expected to be running, then lets
// others run, then sleeps, so that more threads or processes than cores work. An
// implementation detail of quadrille/shm.h, mpi.h, locks.h and barriers.h.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_WAITING_H
#define QUADRILLE_WAITING_H

#include "quadrille/index.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace quadrille {
namespace detail {

inline constexpr std::size_t cacheLineBytes = 64;

/// Tells the processor that this is a waiting loop.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// How often one of `threads` threads that wait for each other looks before it
/// lets others run. If there is a core for each of them, the partner is usually done
/// within a few hundred nanoseconds. If not, a thread that spins may keep its partner
/// from running.
int spinsFor(Index threads) noexcept;
/// The same if they may run on `cores` cores.
int spinsFor(Index threads, Index cores) noexcept;
/// The same for a rank that waits for a message, which takes as long as copying it.
int longSpinsFor(Index ranks) noexcept;
int longSpinsFor(Index ranks, Index cores) noexcept;

/// `spins`, or 0 if the calling thread does not spin at present, because it has spun
/// in vain: see Patience.
int spinsNow(int spins) noexcept;
/// The same for a wait that begins now, which counts among those for which the
/// thread does not spin.
int spinsOfNextWait(int spins) noexcept;

/// What a waiting thread does between two looks: spins for a while, then yields
/// for as long as a partner may need for a part of a message; then it is time to sleep.
class Patience {
public:
  explicit Patience(int spins) : spins_(spins) {}
  Patience(const Patience &) = delete;
  Patience &operator=(const Patience &) = delete;
  ~Patience() { learn(); }

  /// Pauses `pauses` times. False: the time for spinning is over.
  bool spin(int pauses = 1) {
    if (round_ >= spins_)
      return false;
    round_ += pauses;
    while (pauses-- > 0)
      relax();
    return true;
  }

  /// Lets other threads run. False: the time for yielding is over, too.
  bool yield() {
    if (yields_ >= mostYields)
      return false;
    const Yielded how = yieldWhereCheap();
    yields_ = how == Yielded::NotAtAll ? mostYields : yields_ + 1;
    hasLostSlice_ |= how == Yielded::ForLong;
    return how != Yielded::NotAtAll;
  }

  /// Spins, and later yields. False: it is time to sleep.
  bool pass() { return spin() || yield(); }

  /// Begins again: something has happened.
  void renew(int spins) {
    learn();
    spins_ = spins;
    round_ = yields_ = 0;
    hasLostSlice_ = false;
  }

private:
  /// They take about as long as a partner that copies some hundred KiB. On a core that nobody
  /// else wants, a thread that sleeps sooner is woken later than the message is there.
  static constexpr int mostYields = 100;

  /// Called when a wait is over. If all spinning was in vain and then a yield or two
  /// sufficed, this thread had the core that its partner needed. A yield that took a
  /// time slice says nothing about the partner.
  void learn() {
    constexpr int fewYields = 2;
    if (spins_ > 1 && round_ >= spins_ && yields_ > 0 && yields_ <= fewYields && !hasLostSlice_)
      spunInVain();
  }
  /// A thread that has spun in vain does not spin in its next waits. Their number
  /// doubles with each wait in which it spins in vain, and is halved by each other one.
  static void spunInVain() noexcept;

  enum class Yielded { NotAtAll, Shortly, ForLong };
  /// Yields, unless the thread has had bad experiences with it.
  ///
  /// Between threads that wait for each other a yield is several times cheaper
  /// than sleeping and being woken. But another program that wants the core keeps it
  /// for a time slice, some milliseconds. So a thread whose yield took that long does
  /// not yield in its next waits. Their number doubles with each such yield. The
  /// thread spins as before, since a sleeper may be woken a time slice late, too.
  static Yielded yieldWhereCheap() noexcept;

  int spins_;
  int round_ = 0;
  int yields_ = 0;
  bool hasLostSlice_ = false; ///< by a yield of this wait
};

//===----------------------------------------------------------------------===//
// Sleeping
//===----------------------------------------------------------------------===//

/// What threads sleep on. One of its values, or a bit of it, says that somebody
/// may be asleep.
using Word = std::atomic<std::uint32_t>;
inline constexpr std::chrono::nanoseconds forever = std::chrono::nanoseconds::max();

/// Whose memory a word is in. Between processes it costs the kernel more, as it
/// has to find out which memory that is.
enum class Sharing { Threads, Processes };

/// Sleeps while `word` has this value; returns when it is woken, when the time
/// is over, or for no reason.
///
/// A thread that changes the word and then wakes misses no sleeper: the system
/// compares the word with the value and handles wakings in one total order. Neither
/// function orders other memory; the accesses to the word have to.
void sleepWhile(const Word &word, std::uint32_t value,
                std::chrono::nanoseconds atMost = forever,
                Sharing sharing = Sharing::Threads) noexcept;

/// Wakes one, or all, that sleep on the word. May wake more.
void wakeOne(const Word &word, Sharing sharing = Sharing::Threads) noexcept;
void wakeAll(const Word &word) noexcept;

/// Whether the system can make all running threads of this process pass a full
/// fence. Has to be asked before `fenceOthers`.
bool canFenceOthers() noexcept;
/// Every other thread of this process passes a full fence, somewhere between the
/// beginning and the end of this call; and so does the calling one.
void fenceOthers() noexcept;

/// Wakes one rank.
///
/// A rank that is about to sleep stores `sleeping` and then looks once more for
/// anything to do. A rank that has something for it stores that (`posted`,
/// `consumed`: see Channel; an abort) and then looks at `sleeping`. All four are
/// sequentially consistent, hence in one total order, in which at least one of the
/// two sees the other's store. So no wake-up is lost. While nobody sleeps, nobody
/// pays for a read-modify-write or a system call.
///
/// The store of what there is to do may only release (`Announcing::Unfenced` in
/// channel/Channel.h), if the sleeper fences all other threads between its store and
/// its look (`fenceOthers`). Another thread passes that fence after its store, which
/// the sleeper then sees, or before its look, which then sees `sleeping`. Between
/// processes nobody fences, and sleeps are short.
template <Sharing sharing> class BellBetween {
public:
  void announceSleep() { sleeping_.store(1, std::memory_order_seq_cst); }
  /// Relaxed: at worst somebody wakes this rank in vain.
  void cancelSleep() { sleeping_.store(0, std::memory_order_relaxed); }

  void ring() {
    // The exchange is relaxed: the word alone decides whether the sleeper misses the
    // waking (see sleepWhile), and what there is to do was stored before.
    if (sleeping_.load(std::memory_order_seq_cst) == 1 &&
        sleeping_.exchange(0, std::memory_order_relaxed) == 1)
      wakeOne(sleeping_, sharing);
  }

  /// Sleeps until rung since the announcement, at most that long. A ring that
  /// was meant for an earlier announcement may end it, too.
  void sleep(std::chrono::nanoseconds atMost) {
    sleepWhile(sleeping_, 1, atMost, sharing);
    cancelSleep();
  }

private:
  Word sleeping_{0};
};
using Bell = BellBetween<Sharing::Threads>;

/// An epoch that one thread at a time sets and any number wait for. It may wrap
/// round, as long as no thread waits for an epoch that can come twice meanwhile.
///
/// Bit 0 of the word says that somebody may sleep on it. The sleeper sets it by
/// compare-and-swap from the value that it saw, and whoever sets an epoch
/// exchanges the word, so either that sees the bit, or the compare-and-swap
/// fails: no wake-up is lost, and nobody pays for a system call while nobody
/// sleeps.
///
/// Memory orders. What a thread did before `set` (release) is seen by those
/// whose `await` saw the epoch (acquire); a bit that was set in between does not
/// matter, as a read-modify-write continues the release sequence.
class Epoch {
public:
  static constexpr std::uint32_t mask = 0x7fffffffu;

  explicit Epoch(std::uint32_t first = 0) : word_(first << 1) {}

  /// Relaxed, for a thread that knows by other means how recent the value is.
  std::uint32_t peek() const { return word_.load(std::memory_order_relaxed) >> 1; }

  /// Modulo 2^31.
  void set(std::uint32_t epoch) {
    if (word_.exchange(epoch << 1, std::memory_order_release) & 1)
      wakeAll(word_);
  }

  /// Returns when the epoch is this one, modulo 2^31.
  void await(std::uint32_t epoch, int spins) {
    if (word_.load(std::memory_order_acquire) >> 1 != (epoch & mask))
      awaitSlowly(epoch & mask, spins);
  }

private:
  void awaitSlowly(std::uint32_t epoch, int spins) noexcept;

  Word word_;
};

} // namespace detail

namespace shm {
namespace detail {
// What locks and barriers are made of.
using quadrille::detail::Bell;
using quadrille::detail::cacheLineBytes;
using quadrille::detail::Epoch;
using quadrille::detail::forever;
using quadrille::detail::Patience;
using quadrille::detail::relax;
using quadrille::detail::sleepWhile;
using quadrille::detail::spinsFor;
using quadrille::detail::spinsNow;
using quadrille::detail::spinsOfNextWait;
using quadrille::detail::wakeAll;
using quadrille::detail::wakeOne;
using quadrille::detail::Word;
} // namespace detail
} // namespace shm
} // namespace quadrille

#endif // QUADRILLE_WAITING_H
