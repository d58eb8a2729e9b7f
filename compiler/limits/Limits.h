//===- Limits.h - How much work, memory and size there may be --------------------------------------------------------*- C++ -*-===//
//
// Limits.def has all of them, each with what it bounds and why it is what it is; docs/limits.md is the same table for readers. Code
// takes values from here, as `limits::callDepth`. Whoever gives up because of one says which, as a LimitInForce: so a message cannot
// leave out what has to be raised.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_LIMITS_LIMITS_H
#define QUADRILLE_LIMITS_LIMITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace quadrille::compiler {

/// A line of the table.
struct LimitEntry {
  llvm::StringLiteral name;
  std::uint64_t value; // as it is without options
  llvm::StringLiteral unit; // "steps"; may be empty
  llvm::StringLiteral option; // that raises it: "--effort", which multiplies it, "--memory"; empty: nothing does
  llvm::StringLiteral bounds, why;

  bool isScaled() const { return option == "--effort"; }
};

/// All of them, in the order of the table.
llvm::ArrayRef<LimitEntry> allLimits();

/// What --effort multiplies limits by, in thousandths. One number for the whole program: set before anything is looked at, and only
/// read from then on.
void setEffort(std::uint64_t thousandths);
constexpr std::uint64_t defaultEffort = 1000;
inline std::atomic<std::uint64_t> effortInForce = defaultEffort;
inline std::uint64_t effort() { return effortInForce.load(std::memory_order_relaxed); }

/// A value times the effort, rounded down; at least 1, and at most `most`.
std::uint64_t scaledByEffort(std::uint64_t value, std::uint64_t most);

template <typename T, bool isScaled> class Limit;

/// A limit and what it is: where it was reached, the one that has to be raised.
class LimitInForce {
public:
  template <typename T, bool isScaled>
  LimitInForce(const Limit<T, isScaled> &limit) : of(&limit.entry()), number(static_cast<std::uint64_t>(limit.value())) {}
  LimitInForce(const LimitEntry &entry, std::uint64_t value) : of(&entry), number(value) {}

  const LimitEntry &entry() const { return *of; }
  std::uint64_t value() const { return number; }
  /// How a message names it that tells the value otherwise: "`callDepth`", "`caseSteps`, --max-steps".
  std::string name() const;
  /// How others do: "`solverMemory` = 1 MB (--memory)".
  std::string text() const;

  bool operator==(const LimitInForce &) const = default;

private:
  const LimitEntry *of;
  std::uint64_t number;
};

inline const LimitInForce &smaller(const LimitInForce &a, const LimitInForce &b) { return b.value() < a.value() ? b : a; }

/// The limit of that name, with a value; nothing if there is none.
std::optional<LimitInForce> limitNamed(llvm::StringRef name, std::uint64_t value);

/// One of the table, as a number.
template <typename T, bool isScaled> class Limit {
public:
  constexpr Limit(T base, std::size_t index) : base(base), index(index) {}

  constexpr T value() const {
    if constexpr (isScaled)
      return effort() == defaultEffort ? base : static_cast<T>(scaledByEffort(static_cast<std::uint64_t>(base), static_cast<std::uint64_t>(std::numeric_limits<T>::max())));
    else
      return base;
  }
  constexpr operator T() const { return value(); }
  const LimitEntry &entry() const { return allLimits()[index]; }
  /// With another value, as an option says.
  LimitInForce at(std::uint64_t other) const { return {entry(), other}; }

private:
  T base;
  std::size_t index;
};

namespace limits {

enum Index : std::size_t {
#define LIMIT(NAME, TYPE, VALUE, UNIT, OPTION, BOUNDS, WHY) indexOf_##NAME,
#include "Limits.def"
};

#define LIMIT(NAME, TYPE, VALUE, UNIT, OPTION, BOUNDS, WHY)                                                             \
  inline constexpr Limit<TYPE, std::string_view(OPTION) == "--effort"> NAME{VALUE, indexOf_##NAME};
#include "Limits.def"

} // namespace limits

} // namespace quadrille::compiler

#endif // QUADRILLE_LIMITS_LIMITS_H
