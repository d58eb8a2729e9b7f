//===- OtherProcess.h - What a rank may ask about another process ---------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_NODE_OTHERPROCESS_H
#define QUADRILLE_NODE_OTHERPROCESS_H

#include "quadrille/index.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace quadrille {
namespace detail {

/// Consecutive bytes, in this process or in the other one.
struct Bytes {
  std::byte *data;
  std::size_t count;
};

/// A process of this node.
class OtherProcess {
public:
  /// How a process identifies itself to others. Plain bytes, for sending.
  struct Card {
    std::int64_t pid;
    std::uint64_t began;   ///< when the process began, as /proc says; 0: unknown
    std::uint64_t address; ///< the address of a word in its memory
    std::uint64_t word;    ///< the value of this word, which is random
  };
  static Card mine() noexcept;

  OtherProcess() = default;
  explicit OtherProcess(const Card &card) : card_(card) {}

  /// Whether its memory can be read, found out by reading a word of it.
  bool canBeRead() const noexcept;

  /// Copies bytes of that process (`from`, at most 64 ranges of its addresses) to
  /// memory of this one (`to`, at most 64 ranges), by a single copy, which the system
  /// makes (process_vm_readv). Both have `total` bytes. False if that process cannot
  /// be read, or has no such memory.
  bool read(const Bytes *to, std::size_t toCount, const Bytes *from, std::size_t fromCount,
            std::size_t total) const noexcept;
  static constexpr std::size_t mostRanges = 64;
  /// Copies bytes of this process to memory of that one (process_vm_writev). False, and
  /// nothing is copied, if that process cannot be written to, or has no such memory.
  bool write(std::byte *to, const std::byte *from, std::size_t bytes) const noexcept;

  /// Whether it has ended. False if that is unknown.
  bool hasEnded() const noexcept;
  /// Whether it can be known that it has ended.
  bool isKnown() const noexcept { return card_.began != 0; }
  std::int64_t pid() const { return card_.pid; }

private:
  Card card_{};
};

/// How many forks lie between the first process to call `watchForks` and this one.
/// Relaxed: only the first thread of a new process changes it, before that process
/// has others.
extern std::atomic<std::uint32_t> processGeneration;
void watchForks() noexcept;

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_NODE_OTHERPROCESS_H
