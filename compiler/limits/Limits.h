//===- Limits.h - How much work, memory and size there may be --------------------------------------------------------*- C++ -*-===//
//
// Limits.def has all limits, each with what it bounds and the reason for its value; docs/limits.md is the same table for readers. Code
// takes values from here: `limits::callDepth`. Code that gives up because of a limit reports it as a LimitInForce, so that messages say
// which limit to raise.
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
  llvm::StringLiteral option; // the option that raises it, such as "--effort", which multiplies it, or "--memory"; empty: none does
  llvm::StringLiteral bounds, why;

  bool isScaled() const { return option == "--effort"; }
};

/// All limits, in the order of the table.
llvm::ArrayRef<LimitEntry> allLimits();

/// Sets the factor of --effort, in thousandths. It is one number for the whole program: set it before any limit is read, and never
/// again.
void setEffort(std::uint64_t thousandths);
constexpr std::uint64_t defaultEffort = 1000;
inline std::atomic<std::uint64_t> effortInForce = defaultEffort;
inline std::uint64_t effort() { return effortInForce.load(std::memory_order_relaxed); }
/// The factor as one would write it: "--effort=0.01".
std::string effortText();

/// A value times the effort, rounded down; at least 1, and at most `most`.
std::uint64_t scaledByEffort(std::uint64_t value, std::uint64_t most);

template <typename T, bool isScaled> class Limit;

/// A limit with its value in this run.
class LimitInForce {
public:
  template <typename T, bool isScaled>
  LimitInForce(const Limit<T, isScaled> &limit) : of(&limit.entry()), number(static_cast<std::uint64_t>(limit.value())) {}
  LimitInForce(const LimitEntry &entry, std::uint64_t value) : of(&entry), number(value) {}

  const LimitEntry &entry() const { return *of; }
  std::uint64_t value() const { return number; }
  /// The name, for messages that contain the value elsewhere: "`callDepth`", "`caseSteps`, --max-steps".
  std::string name() const;
  /// The name with the value, for other messages: "`solverMemory` = 1 MB (--memory)".
  std::string text() const;

  bool operator==(const LimitInForce &) const = default;

private:
  const LimitEntry *of;
  std::uint64_t number;
};

inline const LimitInForce &smaller(const LimitInForce &a, const LimitInForce &b) { return b.value() < a.value() ? b : a; }

/// The limit of that name, with this value; nothing if there is no such limit.
std::optional<LimitInForce> limitNamed(llvm::StringRef name, std::uint64_t value);

/// A limit of the table. Converts to its value, multiplied by --effort if it is scaled.
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
  /// The limit with another value, which an option has set.
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
