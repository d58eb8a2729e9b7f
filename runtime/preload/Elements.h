//===- Elements.h - Elements of the program as bytes ------------*- C++ -*-===//
//
// Ranks may pass different datatypes with the same signature but other layouts and counts.
// All of them know the bytes of a message. So data that are only moved are bytes to the
// schedules; if they lie without gaps, schedules take them from where they are.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_ELEMENTS_H
#define QUADRILLE_RUNTIME_PRELOAD_ELEMENTS_H

#include "quadrille/mpi.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace quadrille {
namespace preload {

/// Memory that is kept from call to call.
class Scratch {
public:
  /// Throws std::bad_alloc. What it held is lost.
  std::byte *get(std::size_t bytes) {
    if (bytes > size_) {
      memory_.reset();
      size_ = 0;
      memory_.reset(new std::byte[bytes]);
      size_ = bytes;
    }
    return memory_.get();
  }

private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t size_ = 0;
};

/// `count` elements of the program, in memory that is used as it is or packed into
/// scratch memory.
class Bytes {
public:
  /// `isApart`: there are gaps between the elements. Throws std::bad_alloc.
  Bytes(Scratch &scratch, MPI_Comm comm, const void *elements, std::size_t count, const mpi::Datatype &type,
        bool isApart = false);

  std::byte *data() const { return data_; }
  /// Whether `data` is where the program has the elements.
  bool isDirect() const { return isDirect_; }
  std::size_t size() const { return count_ * size_; }

  /// Copies elements to bytes, and back; does nothing if they are in the same place.
  Status pack() { return isDirect_ ? Status() : packTo(0, 0, count_); }
  Status unpack() { return isDirect_ ? Status() : unpackFrom(0, 0, count_); }
  /// The same for `count` elements from the program's element number `element` on. Their bytes
  /// begin at the place of element number `at`.
  Status packTo(std::size_t at, std::ptrdiff_t element, std::size_t count);
  Status unpackFrom(std::size_t at, std::ptrdiff_t element, std::size_t count);

private:
  std::byte *elements_;
  std::size_t count_, size_;
  mpi::Datatype type_;
  MPI_Comm comm_;
  bool isDirect_;
  std::byte *data_;
};

/// Blocks of elements with lengths and places of their own. For the schedule they lie one
/// behind the other. Copies the arrays of the program.
class Blocks {
public:
  /// What is kept from call to call.
  struct Table {
    std::vector<std::size_t> counts, bytes; ///< the length of each block, in elements and in bytes
    std::vector<std::ptrdiff_t> places;     ///< where each block begins in the program's buffer, in elements
  };
  /// Counts must not be negative. Throws std::bad_alloc.
  template <class Count, class Offset>
  Blocks(Table &table, Scratch &scratch, MPI_Comm comm, const void *elements, std::size_t p, const Count *counts, const Offset *places,
         const mpi::Datatype &type)
      : table_(table), isApart_(fill(table, p, counts, places, static_cast<std::size_t>(type.sizeBytes()))),
        data_(scratch, comm, elements, sum(table.counts), type, isApart_) {}

  std::byte *data() const { return data_.data(); }
  const std::size_t *lengths() const { return table_.bytes.data(); }
  /// Copies the elements of all blocks but `except` to bytes, and back; does nothing if they are
  /// in the same place.
  Status pack(int except = -1);
  Status unpack(int except = -1);
  /// The same for one block.
  Status packOnly(int block);

private:
  /// Returns whether the blocks do not lie one behind the other.
  template <class Count, class Offset>
  static bool fill(Table &table, std::size_t p, const Count *counts, const Offset *places, std::size_t size) {
    table.counts.resize(p);
    table.bytes.resize(p);
    table.places.resize(p);
    bool isApart = false;
    std::ptrdiff_t end = 0;
    for (std::size_t i = 0; i < p; ++i) {
      table.counts[i] = static_cast<std::size_t>(counts[i]);
      table.bytes[i] = table.counts[i] * size;
      table.places[i] = static_cast<std::ptrdiff_t>(places[i]);
      isApart |= counts[i] > 0 && table.places[i] != end;
      end += static_cast<std::ptrdiff_t>(counts[i]);
    }
    return isApart;
  }
  static std::size_t sum(const std::vector<std::size_t> &counts);
  template <class Move> Status forEach(int except, Move move);

  Table &table_;
  bool isApart_;
  Bytes data_;
};

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_ELEMENTS_H
