//===- quadrille/harness/data.h - Test data for compiler and runs ---*- C++ -*-===//
//
// The compiler checks the results of a run in another process: inputs are a
// function of (seed, rank, element), and results are reported as hashes. Both
// sides include this header. Values are small integers, so that floating-point
// sums and products are exact, whatever their bracketing.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_HARNESS_DATA_H
#define QUADRILLE_HARNESS_DATA_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace quadrille {
namespace harness {

enum class Element { Int32, Int64, UInt8, UInt32, UInt64, Float, Double, Mat2, Indexed };
enum class Combiner { Sum, Prod, Min, Max, Band, Bor, Bxor, Matmul, Minloc, Maxloc };

/// A 2x2 matrix modulo 2^32: its product is associative and does not commute.
struct Mat2 {
  std::uint32_t a, b, c, d;
};

/// A value with an index, as MPI_2INT.
struct Indexed {
  std::int32_t value, index;
};

struct ElementName {
  const char *name;
  Element element;
  std::size_t bytes;
};
inline constexpr ElementName elementNames[] = {{"int32", Element::Int32, 4},
                                               {"int64", Element::Int64, 8},
                                               {"uint8", Element::UInt8, 1},
                                               {"uint32", Element::UInt32, 4},
                                               {"uint64", Element::UInt64, 8},
                                               {"float", Element::Float, 4},
                                               {"double", Element::Double, 8},
                                               {"mat2", Element::Mat2, sizeof(Mat2)},
                                               {"indexed", Element::Indexed, sizeof(Indexed)}};

struct CombinerName {
  const char *name;
  Combiner combiner;
};
inline constexpr CombinerName combinerNames[] = {
    {"sum", Combiner::Sum},       {"prod", Combiner::Prod},    {"min", Combiner::Min},   {"max", Combiner::Max},
    {"band", Combiner::Band},     {"bor", Combiner::Bor},      {"bxor", Combiner::Bxor}, {"matmul", Combiner::Matmul},
    {"minloc", Combiner::Minloc}, {"maxloc", Combiner::Maxloc}};

inline bool find(const std::string &name, Element &element) {
  for (const ElementName &candidate : elementNames)
    if (name == candidate.name) {
      element = candidate.element;
      return true;
    }
  return false;
}
inline bool find(const std::string &name, Combiner &combiner) {
  for (const CombinerName &candidate : combinerNames)
    if (name == candidate.name) {
      combiner = candidate.combiner;
      return true;
    }
  return false;
}

inline std::size_t elementBytes(Element element) {
  return elementNames[static_cast<std::size_t>(element)].bytes;
}

inline bool isDefined(Combiner combiner, Element element) {
  if (element == Element::Mat2 || combiner == Combiner::Matmul)
    return element == Element::Mat2 && combiner == Combiner::Matmul;
  const bool isLocating = combiner == Combiner::Minloc || combiner == Combiner::Maxloc;
  if (element == Element::Indexed || isLocating)
    return element == Element::Indexed && isLocating;
  const bool isBitwise = combiner == Combiner::Band || combiner == Combiner::Bor ||
                         combiner == Combiner::Bxor;
  return !isBitwise || (element != Element::Float && element != Element::Double);
}

/// The default operator of an element type.
inline Combiner usualCombiner(Element element) {
  return element == Element::Mat2 ? Combiner::Matmul : element == Element::Indexed ? Combiner::Minloc : Combiner::Sum;
}

inline bool commutes(Combiner combiner) { return combiner != Combiner::Matmul; }

/// A hash of its argument (splitmix64).
inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

namespace detail {

template <class T> void fillNumbers(void *data, std::uint64_t key, Combiner combiner,
                                    std::uint64_t first, std::uint64_t count) {
  unsigned char *at = static_cast<unsigned char *>(data);
  for (std::uint64_t i = 0; i < count; ++i, at += sizeof(T)) {
    const std::uint64_t random = mix(key + first + i);
    // Products of ones and a few twos stay within the range of a float.
    const T value = combiner == Combiner::Prod ? static_cast<T>(random % 8 == 0 ? 2 : 1)
                                               : static_cast<T>(random % 100);
    std::memcpy(at, &value, sizeof(T));
  }
}

/// Combines numbers. Integers wrap: they are computed in `Wrapping`, the unsigned
/// type of their size.
template <class T, class Wrapping>
void combineNumbers(Combiner combiner, void *into, const void *left, const void *right,
                    std::uint64_t count) {
  unsigned char *to = static_cast<unsigned char *>(into);
  const unsigned char *from = static_cast<const unsigned char *>(left);
  const unsigned char *with = static_cast<const unsigned char *>(right);
  for (std::uint64_t i = 0; i < count; ++i, to += sizeof(T), from += sizeof(T), with += sizeof(T)) {
    T a, b, result{};
    std::memcpy(&a, from, sizeof(T));
    std::memcpy(&b, with, sizeof(T));
    switch (combiner) {
    case Combiner::Sum:
      result = static_cast<T>(static_cast<Wrapping>(a) + static_cast<Wrapping>(b));
      break;
    case Combiner::Prod:
      result = static_cast<T>(static_cast<Wrapping>(a) * static_cast<Wrapping>(b));
      break;
    case Combiner::Min:
      result = b < a ? b : a;
      break;
    case Combiner::Max:
      result = a < b ? b : a;
      break;
    case Combiner::Band:
      result = static_cast<T>(static_cast<std::uint64_t>(a) & static_cast<std::uint64_t>(b));
      break;
    case Combiner::Bor:
      result = static_cast<T>(static_cast<std::uint64_t>(a) | static_cast<std::uint64_t>(b));
      break;
    case Combiner::Bxor:
      result = static_cast<T>(static_cast<std::uint64_t>(a) ^ static_cast<std::uint64_t>(b));
      break;
    case Combiner::Matmul:
    case Combiner::Minloc:
    case Combiner::Maxloc:
      break;
    }
    std::memcpy(to, &result, sizeof(T));
  }
}

inline void multiply(void *into, const void *left, const void *right, std::uint64_t count) {
  unsigned char *to = static_cast<unsigned char *>(into);
  const unsigned char *from = static_cast<const unsigned char *>(left);
  const unsigned char *with = static_cast<const unsigned char *>(right);
  for (std::uint64_t i = 0; i < count; ++i, to += sizeof(Mat2), from += sizeof(Mat2), with += sizeof(Mat2)) {
    Mat2 l, r;
    std::memcpy(&l, from, sizeof(Mat2));
    std::memcpy(&r, with, sizeof(Mat2));
    const Mat2 product{l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c,
                       l.c * r.b + l.d * r.d};
    std::memcpy(to, &product, sizeof(Mat2));
  }
}

/// Minloc and Maxloc: the smaller (larger) value with its index; of equal values
/// the smaller index.
inline void locate(Combiner combiner, void *into, const void *left, const void *right, std::uint64_t count) {
  unsigned char *to = static_cast<unsigned char *>(into);
  const unsigned char *from = static_cast<const unsigned char *>(left);
  const unsigned char *with = static_cast<const unsigned char *>(right);
  for (std::uint64_t i = 0; i < count; ++i, to += sizeof(Indexed), from += sizeof(Indexed), with += sizeof(Indexed)) {
    Indexed l, r;
    std::memcpy(&l, from, sizeof(Indexed));
    std::memcpy(&r, with, sizeof(Indexed));
    const bool isRight = l.value == r.value ? r.index < l.index : (r.value < l.value) == (combiner == Combiner::Minloc);
    std::memcpy(to, isRight ? &r : &l, sizeof(Indexed));
  }
}

} // namespace detail

/// Writes the elements first ..+ count of input `input` of rank `rank`.
inline void fill(void *data, Element element, Combiner combiner, std::uint64_t seed,
                 std::uint64_t rank, std::uint64_t input, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t key = mix(mix(mix(seed) + rank) + input);
  switch (element) {
  case Element::Int32:
    return detail::fillNumbers<std::int32_t>(data, key, combiner, first, count);
  case Element::Int64:
    return detail::fillNumbers<std::int64_t>(data, key, combiner, first, count);
  case Element::UInt8:
    return detail::fillNumbers<std::uint8_t>(data, key, combiner, first, count);
  case Element::UInt32:
    return detail::fillNumbers<std::uint32_t>(data, key, combiner, first, count);
  case Element::UInt64:
    return detail::fillNumbers<std::uint64_t>(data, key, combiner, first, count);
  case Element::Float:
    return detail::fillNumbers<float>(data, key, combiner, first, count);
  case Element::Double:
    return detail::fillNumbers<double>(data, key, combiner, first, count);
  case Element::Mat2:
    return detail::fillNumbers<std::uint32_t>(data, key, Combiner::Matmul, 4 * first, 4 * count);
  case Element::Indexed:
    for (std::uint64_t i = 0; i < count; ++i) {
      const Indexed value{static_cast<std::int32_t>(mix(key + first + i) % 100), static_cast<std::int32_t>(rank)};
      std::memcpy(static_cast<unsigned char *>(data) + i * sizeof(Indexed), &value, sizeof(Indexed));
    }
  }
}

/// into := left <> right, elementwise; `into` may be either operand.
inline void combine(Element element, Combiner combiner, void *into, const void *left,
                    const void *right, std::uint64_t count) {
  switch (element) {
  case Element::Int32:
    return detail::combineNumbers<std::int32_t, std::uint32_t>(combiner, into, left, right, count);
  case Element::Int64:
    return detail::combineNumbers<std::int64_t, std::uint64_t>(combiner, into, left, right, count);
  case Element::UInt8:
    return detail::combineNumbers<std::uint8_t, std::uint32_t>(combiner, into, left, right, count);
  case Element::UInt32:
    return detail::combineNumbers<std::uint32_t, std::uint32_t>(combiner, into, left, right, count);
  case Element::UInt64:
    return detail::combineNumbers<std::uint64_t, std::uint64_t>(combiner, into, left, right, count);
  case Element::Float:
    return detail::combineNumbers<float, float>(combiner, into, left, right, count);
  case Element::Double:
    return detail::combineNumbers<double, double>(combiner, into, left, right, count);
  case Element::Mat2:
    return detail::multiply(into, left, right, count);
  case Element::Indexed:
    return detail::locate(combiner, into, left, right, count);
  }
}

/// The inputs that a user gives are one sequence of elements: the inputs of rank
/// 0, one after the other, then those of rank 1, ... Returns the position in it
/// at which input `input` of rank `rank` begins.
template <class Shapes>
std::uint64_t givenOffset(const Shapes &inputs, std::uint64_t n, std::int64_t rank, std::size_t input) {
  std::uint64_t offset = 0;
  for (std::int64_t r = 0; r <= rank; ++r)
    for (std::size_t i = 0; i < inputs.size() && (r < rank || i < input); ++i)
      offset += inputs[i].isAt(r) ? static_cast<std::uint64_t>(inputs[i].offset(r, inputs[i].blocks, n)) : 0;
  return offset;
}

/// A hash of bytes. It takes eight at a time: blocks of millions of elements are hashed for each of their ranks.
inline std::uint64_t hash(const void *data, std::size_t bytes) {
  const unsigned char *at = static_cast<const unsigned char *>(data);
  std::uint64_t h = 0xcbf29ce484222325u ^ bytes;
  const auto add = [&h](std::uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
  };
  for (; bytes >= 8; bytes -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    add(word);
  }
  std::uint64_t rest = 0;
  if (bytes > 0)
    std::memcpy(&rest, at, bytes);
  add(rest);
  return h;
}

/// The bytes of outputs before a call. In every type they form a number that
/// would change a sum.
inline constexpr unsigned char untouched = 0x5a;

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_DATA_H
