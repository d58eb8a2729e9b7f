//===- quadrille/arena.h - Memory for temporaries ---------------*- C++ -*-===//

#ifndef QUADRILLE_ARENA_H
#define QUADRILLE_ARENA_H

#include <cstddef>
#include <vector>

namespace quadrille {
namespace detail {

/// Memory that is given back in the opposite order in which it was taken. A
/// communicator keeps one from call to call, so that once the largest call has
/// been seen, temporaries cost no malloc. Used by one thread.
class Arena {
public:
  /// How much is in use; `rewind` returns there.
  struct Mark {
    std::size_t chunk, used;
  };

  Arena() = default;
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;
  ~Arena();

  /// `bytes` bytes at a cache line's beginning, not initialized; null if there
  /// is no memory. Never null for 0 bytes.
  void *allocate(std::size_t bytes) noexcept;

  Mark mark() const noexcept { return {current_, used_}; }

  /// Gives back what was allocated since `mark`. When that is everything and
  /// it had not been in one piece, the next user finds it in one piece.
  void rewind(const Mark &mark) noexcept {
    // Mostly there is nothing to give back.
    if (mark.chunk != current_ || mark.used != used_)
      giveBack(mark);
  }

  /// Forgets all memory without giving it back: somebody outside our control
  /// (a message that could not be cancelled) may still write there.
  void abandon() noexcept;

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
  std::size_t used_ = 0;    ///< bytes of it
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_ARENA_H
