//===- SharedMemory.h - Memory that the processes of a node share --------------===//
//
// Private to the runtime. Has channels between all ranks of a node: see
// channel/Channel.h for the protocol.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_NODE_SHAREDMEMORY_H
#define QUADRILLE_NODE_SHAREDMEMORY_H

#include "../channel/Channel.h"

#include "quadrille/index.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace quadrille {
namespace detail {

/// What a rank shows all other processes of its node.
struct alignas(cacheLineBytes) NodeRank {
  BellBetween<Sharing::Processes> bell;
  Attendance attendance;
};

/// Where things are in a segment of `ranks` ranks; `isCrowded`: there are fewer cores
/// than ranks.
struct SharedLayout {
  SharedLayout(std::size_t ranks, bool isCrowded);

  std::size_t ranks;
  unsigned startedLanes; ///< lanes for calls that were started; 0: the segment would be too large
  std::size_t blockingSlots;
  std::size_t readable, rankStates, channels, startedChannels, rings, bytes; ///< offsets of the parts, and the size of all

  unsigned lanes() const { return 1 + startedLanes; }
  std::size_t pairs() const { return ranks * ranks; }
  std::size_t slots(unsigned lane) const { return lane == 0 ? blockingSlots : fewSlots; }
};

/// The memory. It has no name: it is a file of the kernel's memory (memfd) that
/// others of the node open through /proc while its creator still has it open. So
/// nothing is left behind when processes die, whenever that is, and neither the
/// size of /dev/shm nor its permissions matter.
///
/// Pages that nobody has written take no memory. A pair of ranks that
/// communicates needs a part of a page, or two pages where ranks share cores, and up
/// to 32 KiB if its messages take cells.
class SharedMemory {
public:
  /// How others find the segment of a process. Plain bytes, for sending.
  struct Handle {
    std::int64_t pid;
    std::int32_t file;        ///< -1: there is none
    std::uint64_t signature;  ///< random, so that no other file is mistaken for the segment
  };

  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  /// Makes a segment. Null, and a reason, if that is not possible.
  static std::unique_ptr<SharedMemory> create(std::size_t ranks, bool isCrowded, Handle &handle, std::string &reason);
  /// Opens the segment of another process.
  static std::unique_ptr<SharedMemory> open(std::size_t ranks, bool isCrowded, const Handle &handle, std::string &reason);
  /// Closes the file: from now on no other process can open it.
  void close() noexcept;

  NodeRank &rank(std::size_t i) { return reinterpret_cast<NodeRank *>(base_ + layout_.rankStates)[i]; }
  Channel &channel(unsigned lane, std::size_t from, std::size_t to) {
    const std::size_t offset = lane == 0 ? layout_.channels + at(0, from, to) * Channel::bytesWith(layout_.slots(0))
                                         : layout_.startedChannels + at(lane - 1, from, to) * Channel::bytesWith(fewSlots);
    return *reinterpret_cast<Channel *>(base_ + offset);
  }
  CellRing &ring(unsigned lane, std::size_t from, std::size_t to) {
    return reinterpret_cast<CellRing *>(base_ + layout_.rings)[at(lane, from, to)];
  }
  /// Whether rank `reader` reads the memory of `owner` by system calls. Written by
  /// the reader, and read by the owner: relaxed, as it only says how the owner
  /// offers what it sends, and the reader can take it either way.
  std::atomic<std::uint8_t> &readsMemory(std::size_t reader, std::size_t owner) {
    return reinterpret_cast<std::atomic<std::uint8_t> *>(base_ + layout_.readable)[reader * layout_.ranks + owner];
  }
  unsigned startedLanes() const { return layout_.startedLanes; }
  std::size_t slots(unsigned lane) const { return layout_.slots(lane); }

private:
  SharedMemory(const SharedLayout &layout, std::byte *base, int file)
      : layout_(layout), base_(base), file_(file) {}
  static std::unique_ptr<SharedMemory> map(const SharedLayout &layout, int file, std::string &reason);
  std::size_t at(unsigned lane, std::size_t from, std::size_t to) const {
    return lane * layout_.pairs() + from * layout_.ranks + to;
  }

  SharedLayout layout_;
  std::byte *base_;
  int file_; ///< -1: closed
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_NODE_SHAREDMEMORY_H
