//===- quadrille/arena.h - Memory for temporaries ---------------*- C++ -*-===//

#ifndef QUADRILLE_ARENA_H
#define QUADRILLE_ARENA_H

#include <cstddef>
#include <vector>

namespace quadrille {
namespace detail {

/// A stack allocator for temporaries. A communicator keeps it from call to call,
/// so that temporaries need no malloc after the largest call. For one thread.
class Arena {
public:
  /// A state of the arena, to which `rewind` returns.
  struct Mark {
    std::size_t chunk, used;
  };

  Arena() = default;
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;
  ~Arena();

  /// Allocates uninitialized memory, aligned to a cache line; null if there is
  /// no memory. Never null for 0 bytes.
  void *allocate(std::size_t bytes) noexcept;

  Mark mark() const noexcept { return {current_, used_}; }

  /// Frees what was allocated since `mark`. If nothing remains in use, and the
  /// memory consisted of several chunks, they are replaced by a single one.
  void rewind(const Mark &mark) noexcept {
    // The usual case: nothing was allocated.
    if (mark.chunk != current_ || mark.used != used_)
      giveBack(mark);
  }

  /// Drops all memory without freeing it: something that cannot be stopped (a
  /// message that could not be cancelled) may still write there.
  void abandon() noexcept;
  /// How often it has been abandoned.
  std::size_t abandonments() const noexcept { return abandonments_; }

  std::size_t capacityBytes() const noexcept;

private:
  void giveBack(const Mark &mark) noexcept;
  struct Chunk {
    std::byte *data;
    std::size_t bytes;
  };
  static std::byte *newChunk(std::size_t bytes) noexcept;
  static void deleteChunk(std::byte *data) noexcept;

  std::vector<Chunk> chunks_;
  std::size_t current_ = 0; ///< the chunk in use; those after it are free
  std::size_t used_ = 0;    ///< bytes of it that are in use
  std::size_t abandonments_ = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_ARENA_H
