//===- Arena.cpp - Memory for temporaries ---------------------------------===//

#include "quadrille/arena.h"

#include <algorithm>
#include <new>

using namespace quadrille::detail;

/// A cache line: temporaries of two ranks share none, and vector loads are aligned.
static constexpr std::size_t alignmentBytes = 64;
static constexpr std::size_t smallestChunkBytes = 64 * 1024;

std::byte *Arena::newChunk(std::size_t bytes) noexcept {
  return static_cast<std::byte *>(::operator new(
      bytes, std::align_val_t{alignmentBytes}, std::nothrow));
}

void Arena::deleteChunk(std::byte *data) noexcept {
  ::operator delete(data, std::align_val_t{alignmentBytes});
}

Arena::~Arena() {
  for (const Chunk &chunk : chunks_)
    deleteChunk(chunk.data);
}

void *Arena::allocate(std::size_t bytes) noexcept {
  if (bytes > static_cast<std::size_t>(-1) - alignmentBytes)
    return nullptr;
  bytes = std::max<std::size_t>(bytes, 1);
  bytes = (bytes + alignmentBytes - 1) / alignmentBytes * alignmentBytes;
  while (current_ < chunks_.size()) {
    Chunk &chunk = chunks_[current_];
    if (chunk.bytes - used_ >= bytes) {
      void *result = chunk.data + used_;
      used_ += bytes;
      return result;
    }
    if (used_ == 0) {
      // Replace a free chunk that is too small, which would never be used again.
      std::byte *larger = newChunk(bytes);
      if (!larger)
        return nullptr;
      deleteChunk(chunk.data);
      chunk = {larger, bytes};
      continue;
    }
    ++current_;
    used_ = 0;
  }
  const std::size_t size =
      std::max({bytes, smallestChunkBytes,
                chunks_.empty() ? std::size_t{0} : chunks_.back().bytes});
  std::byte *data = newChunk(size);
  if (data) {
    try {
      chunks_.push_back({data, size});
      current_ = chunks_.size() - 1;
      used_ = bytes;
      return data;
    } catch (const std::bad_alloc &) {
      deleteChunk(data);
    }
  }
  // Nothing was allocated: return to the end of the last allocation.
  if (current_ > 0) {
    --current_;
    used_ = chunks_[current_].bytes;
  }
  return nullptr;
}

void Arena::giveBack(const Mark &mark) noexcept {
  current_ = mark.chunk;
  used_ = mark.used;
  // After `abandon` the chunk of the mark may be another one.
  if (current_ < chunks_.size())
    used_ = std::min(used_, chunks_[current_].bytes);
  if (current_ != 0 || used_ != 0 || chunks_.size() < 2)
    return;
  const std::size_t total = capacityBytes();
  for (const Chunk &chunk : chunks_)
    deleteChunk(chunk.data);
  chunks_.clear(); // keeps its capacity: the push_back below cannot throw
  if (std::byte *data = newChunk(total))
    chunks_.push_back({data, total});
}

void Arena::abandon() noexcept {
  ++abandonments_;
  chunks_.clear();
  current_ = 0;
  used_ = 0;
}

std::size_t Arena::capacityBytes() const noexcept {
  std::size_t sum = 0;
  for (const Chunk &chunk : chunks_)
    sum += chunk.bytes;
  return sum;
}
