//===- Values.h - Blocks as elements of the free monoid --------------------------------------------------------*- C++ -*-===//
//
// A block holds a product of inputs, x@j (or x@j[b]), in the order in which the schedule combined them. Products of cyclically
// consecutive ranks, which are nearly all products in good schedules, are packed into one word. Others are interned lists of
// such runs. Equal products are equal words, so comparisons are exact.
//
// If operand order does not matter (a schedule that requires a commutative operator), the runs of a product are sorted.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_VALUES_H
#define QUADRILLE_INSTANTIATE_VALUES_H

#include <cassert>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace quadrille::compiler {

using Value = std::uint64_t;
inline constexpr Value emptyValue = 0;

/// x@lo <> x@(lo + 1) <> ... (length factors, ranks modulo p), all of one input block.
struct Run {
  std::uint32_t block; // numbered over all inputs of the collective
  std::uint32_t lo, length;

  bool operator==(const Run &) const = default;
  auto operator<=>(const Run &) const = default;
};

class ValueDomain {
public:
  /// Throws std::length_error if a block number and two rank numbers do not fit into a word.
  ValueDomain(std::uint64_t p, std::uint64_t blocks, bool commutative);

  Value atom(std::uint32_t block, std::uint32_t rank) const {
    assert(rank < p && "factors are of ranks that exist");
    return inlineTag | (std::uint64_t(block) << (2 * rankBits)) | (std::uint64_t(rank) << rankBits) | 1;
  }
  Value interval(std::uint32_t block, std::uint32_t lo, std::uint32_t length) const {
    assert(length == 0 || (lo < p && length <= p));
    return length == 0 ? emptyValue
                       : inlineTag | (std::uint64_t(block) << (2 * rankBits)) | (std::uint64_t(lo) << rankBits) | length;
  }
  /// a <> b; the empty value is neutral.
  Value combine(Value a, Value b) {
    if (a == emptyValue)
      return b;
    if (b == emptyValue)
      return a;
    if ((a & b) >> 63) {
      std::uint64_t la = a & rankMask, lb = b & rankMask;
      std::uint64_t next = ((a >> rankBits) & rankMask) + la;
      next = next >= p ? next - p : next;
      if (next == ((b >> rankBits) & rankMask) && (a >> (2 * rankBits)) == (b >> (2 * rankBits)) && la + lb <= p)
        return a + lb;
    }
    return combineSlow(a, b);
  }
  /// Whether the factors are consecutive ranks in increasing order.
  bool inRankOrder(Value value) const;
  /// Whether both products have the same factors, equally often, in any order.
  bool sameFactors(Value a, Value b) const;
  std::vector<Run> runs(Value value) const;
  /// The product as text: `x@0 <> x@1`, `x@2 <> ... <> x@5`. nameOf(block, rank) returns the text of a factor.
  template <typename NameOf> std::string text(Value value, NameOf nameOf) const;

  std::uint64_t size() const { return p; }
  /// The approximate memory of interned products, in bytes.
  std::uint64_t internedBytes() const { return runTotal * sizeof(Run) + table.size() * 128; }
  static bool isInterned(Value value) { return (value & tableTag) != 0 && (value & inlineTag) == 0; }

private:
  static constexpr Value inlineTag = Value(1) << 63, tableTag = Value(1) << 62;

  struct RunsHash {
    size_t operator()(const std::vector<Run> &runs) const;
  };

  Value combineSlow(Value a, Value b);
  Value intern(std::vector<Run> runs);

  std::uint64_t p, rankBits, rankMask;
  bool commutative;
  std::uint64_t runTotal = 0;
  std::unordered_map<std::vector<Run>, Value, RunsHash> index;
  std::vector<const std::vector<Run> *> table;
};

template <typename NameOf> std::string ValueDomain::text(Value value, NameOf nameOf) const {
  std::string result;
  unsigned shown = 0;
  for (const Run &run : runs(value)) {
    auto factor = [&](std::uint64_t i) { return nameOf(run.block, (run.lo + i) % p); };
    auto add = [&](const std::string &part) { result += (result.empty() ? "" : " <> ") + part; };
    if (++shown > 12) {
      add("...");
      break;
    }
    add(factor(0));
    if (run.length == 2 || run.length == 3)
      add(factor(1));
    if (run.length > 3)
      add("...");
    if (run.length > 2)
      add(factor(run.length - 1));
  }
  return result.empty() ? "empty" : result;
}

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_VALUES_H
