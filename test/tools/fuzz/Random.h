//===- Random.h - Random choices from a seed ----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_FUZZ_RANDOM_H
#define QUADRILLE_TEST_FUZZ_RANDOM_H

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace quadrille::compiler::fuzz {

/// A random generator with the same results on every machine (splitmix64).
class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}
  /// The generator for program number `index` of a seed, independent of other programs.
  Random(std::uint64_t seed, std::uint64_t index) : state(seed) {
    state = next() ^ (index * 0xD1B54A32D192ED03ull);
    next();
  }

  std::uint64_t next() {
    std::uint64_t x = state += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
  }
  /// A number in 0 ..< count; count > 0.
  std::uint64_t below(std::uint64_t count) { return next() % count; }
  std::int64_t between(std::int64_t lo, std::int64_t hi) { return lo + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(hi - lo) + 1)); }
  bool chance(unsigned percent) { return below(100) < percent; }

  template <typename T> const T &pick(const std::vector<T> &list) { return list[below(list.size())]; }
  std::string pick(std::initializer_list<std::string> list) { return list.begin()[below(list.size())]; }
  template <typename T> void shuffle(std::vector<T> &list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[below(i)]);
  }

private:
  std::uint64_t state;
};

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_RANDOM_H
