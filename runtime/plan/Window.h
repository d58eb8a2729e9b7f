//===- Window.h - Carries out a program, as far as it can go --------------===//
//
// Private to the runtime. All calls use it: of both backends, blocking or not.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_WINDOW_H
#define QUADRILLE_PLAN_WINDOW_H

#include "Program.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quadrille {
namespace detail {

enum class Progress : std::uint8_t {
  Blocked,  ///< it could not begin or go on
  UnderWay, ///< begun, but not done yet
  Done
};

/// The position of a rank in its program: all operations before `head_` are
/// done, and some of those behind it.
///
/// Operations begin in any order, each as soon as those for which it waits are
/// done. This cannot deadlock if a run of the schedule step by step does not:
/// docs/runtime.md has the proof.
class Window {
public:
  /// Begins a program. Throws std::bad_alloc.
  void reset(const Program &program) {
    program_ = program;
    head_ = 0;
    const std::size_t words = 2 * ((program.count + wordBits - 1) / wordBits);
    if (words_.size() != words)
      words_.resize(words);
    for (std::uint64_t &word : words_)
      word = 0;
  }

  /// Begins the same program again.
  void rewind() {
    head_ = 0;
    for (std::uint64_t &word : words_)
      word = 0;
  }

  const Program &program() const { return program_; }
  bool isOver() const { return head_ == program_.count; }

  /// Begins the operations of a program one after the other, as long as each is done
  /// at once. (So all that the next one waits for is done.) If no partner is late, the
  /// whole program is carried out here. To be called before any operation has begun.
  /// `port`: see `advance`.
  template <class Port> void beginInOrder(Port &port) {
    std::size_t at = 0;
    for (; at < program_.count; ++at) {
      const Operation &operation = program_.operations[at];
      if (!operation.isMessage() && port.takesLong(operation))
        return passFirst(at);
      const Progress progress = port.begin(operation);
      if (progress == Progress::Done && !port.failed())
        continue;
      passFirst(at);
      if (progress == Progress::UnderWay)
        begun(at / wordBits) |= std::uint64_t{1} << at % wordBits;
      return;
    }
    head_ = at;
  }

  /// Begins or continues every operation that can go on, until none can. Never
  /// waits. True if anything was done.
  ///
  /// `port` has `Progress begin(const Operation &)`, which carries out an
  /// operation whose operands are ready, or begins it; `Progress poll(const
  /// Operation &)`, which checks one that is under way; `bool takesLong(const
  /// Operation &)`, whether a copy or a combination takes so long that sends behind
  /// it should begin first; and `bool failed()`.
  template <class Port> bool advance(Port &port) {
    bool any = false;
    for (bool moved = true; moved && !isOver();) {
      moved = false;
      for (std::size_t word = head_ / wordBits; word * wordBits < program_.count; ++word) {
        const std::size_t first = word * wordBits;
        for (std::uint64_t pending = ~done(word); pending != 0; pending &= pending - 1) {
          const std::size_t at = first + lowest(pending);
          if (at >= program_.count || program_.operations[at].follows > head_)
            goto seen;
          const Operation &operation = program_.operations[at];
          const std::uint64_t bit = pending & -pending;
          if (done(word) & bit)
            continue; // a send that was begun ahead of a long operation
          Progress progress = Progress::Blocked;
          if (begun(word) & bit) {
            progress = port.poll(operation);
          } else if (isReady(operation, at)) {
            if (!operation.isMessage() && port.takesLong(operation)) {
              moved |= beginSends(at + 1, port);
              if (port.failed())
                return true;
            }
            progress = port.begin(operation);
            moved |= progress != Progress::Blocked;
          }
          if (port.failed())
            return true;
          if (progress == Progress::Done) {
            done(word) |= bit;
            moved = true;
            if (at == head_)
              passDone();
          } else if (progress == Progress::UnderWay) {
            begun(word) |= bit;
          }
        }
      }
    seen:
      any |= moved;
    }
    return any;
  }

  /// Marks the first `count` operations as done: the caller has carried them
  /// out.
  void passFirst(std::size_t count) {
    for (std::size_t word = 0; word * wordBits < count; ++word)
      done(word) = count - word * wordBits >= wordBits
                       ? ~std::uint64_t{0}
                       : (std::uint64_t{1} << count % wordBits) - 1;
    head_ = count;
  }

  /// Calls visit(operation, isUnderWay) for all operations that are not done
  /// and wait for no other operation.
  template <class Visit> void forEachPending(Visit visit) const {
    for (std::size_t at = head_; at < program_.count; ++at) {
      const Operation &operation = program_.operations[at];
      if (operation.follows > head_)
        return;
      const std::uint64_t bit = std::uint64_t{1} << at % wordBits;
      const std::uint64_t isDone = words_[2 * (at / wordBits)] & bit;
      const std::uint64_t isBegun = words_[2 * (at / wordBits) + 1] & bit;
      if (!isDone && (isBegun || isReady(operation, at)))
        visit(operation, isBegun != 0);
    }
  }

private:
  static constexpr std::size_t wordBits = 64;

  /// Begins the sends from operation `first` on that can begin. True if there were
  /// any.
  template <class Port> bool beginSends(std::size_t first, Port &port) {
    bool any = false;
    for (std::size_t at = first; at < program_.count && program_.operations[at].follows <= head_; ++at) {
      const Operation &operation = program_.operations[at];
      const std::size_t word = at / wordBits;
      const std::uint64_t bit = std::uint64_t{1} << at % wordBits;
      if (!operation.isSend() || ((done(word) | begun(word)) & bit) != 0 || !isReady(operation, at))
        continue;
      const Progress progress = port.begin(operation);
      if (port.failed())
        break;
      any |= progress != Progress::Blocked;
      if (progress == Progress::Done)
        done(word) |= bit;
      else if (progress == Progress::UnderWay)
        begun(word) |= bit;
    }
    return any;
  }

  std::uint64_t &done(std::size_t word) { return words_[2 * word]; }
  std::uint64_t &begun(std::size_t word) { return words_[2 * word + 1]; }

  static unsigned lowest(std::uint64_t bits) {
#if defined(__GNUC__)
    return static_cast<unsigned>(__builtin_ctzll(bits));
#else
    unsigned at = 0;
    while ((bits >> at & 1) == 0)
      ++at;
    return at;
#endif
  }

  /// Moves the head to the first operation that is not done.
  void passDone() {
    while (head_ < program_.count) {
      const std::uint64_t left = ~words_[2 * (head_ / wordBits)] >> head_ % wordBits;
      if (left != 0) {
        head_ += lowest(left);
        break;
      }
      head_ += wordBits - head_ % wordBits;
    }
    if (head_ > program_.count)
      head_ = program_.count;
  }

  bool isReady(const Operation &operation, std::size_t at) const {
    // Bit 63 - b of `missing`: operation at - 1 - b is not done. Places before
    // the program's beginning count as done.
    if (operation.waitsFor == 0 || at == 0)
      return true;
    const std::size_t word = at / wordBits, shift = at % wordBits;
    std::uint64_t missing = shift == 0 ? 0 : ~words_[2 * word] << (wordBits - shift);
    if (word > 0)
      missing |= ~words_[2 * (word - 1)] >> shift;
    return (operation.waitsFor & missing) == 0;
  }

  Program program_;
  std::size_t head_ = 0;
  /// For each 64 operations two words: which are done, and which have been
  /// begun.
  std::vector<std::uint64_t> words_;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_WINDOW_H
