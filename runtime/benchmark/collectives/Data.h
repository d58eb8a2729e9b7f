//===- Data.h - Inputs, and expected results --------------------*- C++ -*-===//
//
// Word i of the block that rank r has for rank j in call s is base(s, r, j) + i
// mod 1024. These are small integers, so every order of additions gives the
// same double. They differ between calls, so results left from another call are
// recognized.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_BENCHMARK_COLLECTIVES_DATA_H
#define QUADRILLE_BENCHMARK_COLLECTIVES_DATA_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace benchmark {

enum Collective : int {
  Broadcast,
  Reduce,
  Allreduce,
  Scan,
  Exscan,
  Allgather,
  ReduceScatter,
  Alltoall,
  Gather,
  Scatter,
  Barrier,
  collectiveCount
};

inline const char *const collectiveNames[] = {"broadcast",      "reduce",   "allreduce", "scan",    "exscan", "allgather",
                                              "reduce_scatter", "alltoall", "gather",    "scatter", "barrier"};

/// The collective of this name, or -1 if there is none.
inline int collectiveNamed(const char *name) {
  for (int c = 0; c < collectiveCount; ++c)
    if (std::strcmp(collectiveNames[c], name) == 0)
      return c;
  return -1;
}

inline bool isRooted(int collective) {
  return collective == Broadcast || collective == Reduce || collective == Gather || collective == Scatter;
}

/// Memory from the system, which is given back when another size is needed.
class Buffer {
public:
  Buffer() = default;
  Buffer(const Buffer &) = delete;
  ~Buffer() { resize(0); }

  bool resize(std::size_t words) {
    if (words == words_)
      return true;
    if (words_)
      munmap(data_, words_ * sizeof(double));
    data_ = nullptr, words_ = 0;
    if (words == 0)
      return true;
    void *memory = mmap(nullptr, words * sizeof(double), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return false;
    data_ = static_cast<double *>(memory), words_ = words;
    return true;
  }
  double *data() const { return data_; }

private:
  double *data_ = nullptr;
  std::size_t words_ = 0;
};

/// The input and the output of one rank.
class Data {
public:
  Data(int rank, int p) : me_(rank), p_(p) {}

  bool prepare(int collective, std::int64_t words) {
    collective_ = collective, words_ = words;
    const std::size_t n = static_cast<std::size_t>(words), all = n * static_cast<std::size_t>(p_);
    const bool manyIn = collective == ReduceScatter || collective == Alltoall || collective == Scatter;
    const bool manyOut = collective == Allgather || collective == Alltoall || collective == Gather;
    return collective == Barrier ? x_.resize(0) && y_.resize(0) : x_.resize(manyIn ? all : n) && y_.resize(manyOut ? all : n);
  }

  double *input() const { return x_.data(); }
  double *output() const { return y_.data(); }
  std::size_t words() const { return static_cast<std::size_t>(words_); }

  /// Writes the input of call `serial`, where this rank has one.
  void write(std::int64_t serial, int root) {
    switch (collective_) {
    case Barrier:
      return;
    case Broadcast:
      if (me_ == root)
        writeBlock(0, base(serial, me_, 0));
      return;
    case Scatter:
      if (me_ != root)
        return;
      [[fallthrough]];
    case ReduceScatter:
    case Alltoall:
      for (int j = 0; j < p_; ++j)
        writeBlock(j, base(serial, me_, j));
      return;
    default:
      writeBlock(0, base(serial, me_, 0));
    }
  }

  /// Whether the output is the result of call `serial`; if not, writes an
  /// explanation to `text`, at most `size` bytes. `all`: checks every word,
  /// otherwise one of every 64 and the last. `result`: the output, if it is not
  /// `output()`.
  bool check(std::int64_t serial, int root, bool all, char *text, std::size_t size, const double *result = nullptr) const {
    const double *y = result ? result : y_.data();
    double sum = 0;
    switch (collective_) {
    case Barrier:
      return true;
    case Broadcast:
    case Scatter:
      return checkBlock(y, 0, base(serial, root, collective_ == Scatter ? me_ : 0), 1, serial, all, text, size);
    case Allgather:
    case Alltoall:
    case Gather:
      if (collective_ == Gather && me_ != root)
        return true;
      for (int j = 0; j < p_; ++j)
        if (!checkBlock(y, j, base(serial, j, collective_ == Alltoall ? me_ : 0), 1, serial, all, text, size))
          return false;
      return true;
    default: {
      if ((collective_ == Reduce && me_ != root) || (collective_ == Exscan && me_ == 0))
        return true;
      const int count = collective_ == Scan ? me_ + 1 : collective_ == Exscan ? me_ : p_;
      for (int r = 0; r < count; ++r)
        sum += base(serial, r, collective_ == ReduceScatter ? me_ : 0);
      return checkBlock(y, 0, sum, count, serial, all, text, size);
    }
    }
  }

private:
  static constexpr std::size_t period = 1024;

  static double base(std::int64_t serial, int from, int block) {
    std::uint64_t h = static_cast<std::uint64_t>(serial) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(from) * 0xC2B2AE3D27D4EB4Fu +
                      static_cast<std::uint64_t>(block) * 0x165667B19E3779F9u;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9u;
    return static_cast<double>(h >> 44);
  }

  void writeBlock(int block, double first) {
    double *x = x_.data() + static_cast<std::size_t>(block) * words();
    for (std::size_t i = 0; i < words(); i += period)
      for (std::size_t j = i, end = i + period < words() ? i + period : words(); j < end; ++j)
        x[j] = first + static_cast<double>(static_cast<int>(j - i));
  }

  bool checkBlock(const double *y, int block, double sum, int count, std::int64_t serial, bool all, char *text, std::size_t size) const {
    y += static_cast<std::size_t>(block) * words();
    const std::size_t stride = all ? 1 : 64;
    for (std::size_t i = all ? 0 : static_cast<std::size_t>(serial) % 64; i < words(); i += stride)
      if (!checkWord(y, i, sum, count, block, text, size))
        return false;
    return checkWord(y, words() - 1, sum, count, block, text, size);
  }

  bool checkWord(const double *y, std::size_t i, double sum, int count, int block, char *text, std::size_t size) const {
    const double right = sum + count * static_cast<double>(i % period);
    if (y[i] == right)
      return true;
    std::snprintf(text, size, "rank %d of %d has %.17g and not %.17g as word %zu of block %d", me_, p_, y[i], right, i, block);
    return false;
  }

  int me_, p_;
  int collective_ = -1;
  std::int64_t words_ = 0;
  Buffer x_, y_;
};

} // namespace benchmark

#endif // QUADRILLE_BENCHMARK_COLLECTIVES_DATA_H
