//===- KernelLoops.h - A loop for each built-in operator and type ---------===//
//
// Private to the kernels: each file that includes it has loops of its own, for the
// instructions that it is compiled for. One pass over the data, with three addresses
// and no branch, so that the compiler vectorizes it.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_KERNELLOOPS_H
#define QUADRILLE_COMMON_KERNELLOOPS_H

#include "Kernels.h"
#include "PastCache.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace quadrille {
namespace detail {
namespace {

/// The type for computing with T. Integers wrap around, so they are computed as
/// unsigned numbers, at least as wide as unsigned int, since shorter ones would
/// be promoted to signed int.
template <class T, bool = std::is_integral_v<T>> struct Arithmetic {
  using type = T;
};
template <class T> struct Arithmetic<T, true> {
  using type = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
};
template <class T, class Function> T wrapping(T a, T b, Function function) {
  using U = typename Arithmetic<T>::type;
  return static_cast<T>(function(static_cast<U>(a), static_cast<U>(b)));
}

struct Sum {
  template <class T> static T apply(T a, T b) {
    return wrapping(a, b, [](auto x, auto y) { return x + y; });
  }
};
struct Prod {
  template <class T> static T apply(T a, T b) {
    return wrapping(a, b, [](auto x, auto y) { return x * y; });
  }
};
struct Min {
  template <class T> static T apply(T a, T b) { return b < a ? b : a; }
};
struct Max {
  template <class T> static T apply(T a, T b) { return a < b ? b : a; }
};
struct Band {
  template <class T> static T apply(T a, T b) { return static_cast<T>(a & b); }
};
struct Bor {
  template <class T> static T apply(T a, T b) { return static_cast<T>(a | b); }
};
struct Bxor {
  template <class T> static T apply(T a, T b) { return static_cast<T>(a ^ b); }
};
struct Land {
  template <class T> static T apply(T a, T b) {
    return static_cast<T>((a != 0) & (b != 0));
  }
};
struct Lor {
  template <class T> static T apply(T a, T b) {
    return static_cast<T>((a != 0) | (b != 0));
  }
};

/// For what is longer than the cache; `to` is neither `left` nor `right`, and a
/// multiple of the size of T. A function of its own, so that it is not in the way of short calls.
template <class Op, class T>
#if defined(__GNUC__)
__attribute__((noinline))
#endif
void loopPastCache(T *to, const T *left, const T *right, std::size_t count) {
#if defined(__SSE2__)
  constexpr std::size_t inLine = lineBytes / sizeof(T);
  const auto begins = [&] { return reinterpret_cast<std::uintptr_t>(to) % lineBytes == 0; };
  for (; count > 0 && !begins(); --count)
    *to++ = Op::apply(*left++, *right++);
  for (; count >= inLine; count -= inLine, to += inLine, left += inLine, right += inLine) {
    alignas(lineBytes) T line[inLine];
    for (std::size_t i = 0; i < inLine; ++i)
      line[i] = Op::apply(left[i], right[i]);
    storePastCache(to, line);
  }
  fencePastCache();
#endif
  for (std::size_t i = 0; i < count; ++i)
    to[i] = Op::apply(left[i], right[i]);
}

/// to[i] := left[i] <> right[i], where `to` may be `left` or `right`.
template <class Op, class T> void loopInCache(T *to, const T *left, const T *right, std::size_t count) {
  // A run-time test for overlap would choose the scalar loop if `to` is an operand,
  // but element i depends only on elements i.
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < count; ++i)
    to[i] = Op::apply(left[i], right[i]);
}

/// For a target that is neither operand. Its lines are often in the cache of a rank that
/// has read them as a message, and an ordinary store waits until each has left that cache.
/// A copy of many bytes does not wait, as it overwrites whole lines. So a piece of `left`
/// is copied first. Measured with 64 KiB: a quarter of the time where another core has read
/// the target, an eighth more where none has.
template <class Op, class T>
#if defined(__GNUC__)
__attribute__((noinline))
#endif
void loopOfCopies(T *to, const T *left, const T *right, std::size_t count) {
  constexpr std::size_t piece = wholeLinesBytes / sizeof(T);
  for (std::size_t done = 0; done < count; done += piece) {
    const std::size_t now = std::min(piece, count - done);
    std::memcpy(to + done, left + done, now * sizeof(T));
    loopInCache<Op>(to + done, to + done, right + done, now);
  }
}

template <class Op, class T>
void loop(void *dst, const void *a, const void *b, std::size_t count) {
  T *to = static_cast<T *>(dst);
  const T *left = static_cast<const T *>(a);
  const T *right = static_cast<const T *>(b);
  // An operand that is the target is read anyway, so nothing is saved.
  if (goesPastCache(3 * sizeof(T) * count) && dst != a && dst != b &&
      reinterpret_cast<std::uintptr_t>(dst) % sizeof(T) == 0)
    return loopPastCache<Op>(to, left, right, count);
  if (count >= leastWholeLinesBytes / sizeof(T) && dst != a && dst != b)
    return loopOfCopies<Op>(to, left, right, count);
  loopInCache<Op>(to, left, right, count);
}

template <class Op> Kernel *forInteger(NumberKind kind) {
  switch (kind) {
  case NumberKind::Int8:
    return loop<Op, std::int8_t>;
  case NumberKind::Int16:
    return loop<Op, std::int16_t>;
  case NumberKind::Int32:
    return loop<Op, std::int32_t>;
  case NumberKind::Int64:
    return loop<Op, std::int64_t>;
  case NumberKind::UInt8:
    return loop<Op, std::uint8_t>;
  case NumberKind::UInt16:
    return loop<Op, std::uint16_t>;
  case NumberKind::UInt32:
    return loop<Op, std::uint32_t>;
  case NumberKind::UInt64:
    return loop<Op, std::uint64_t>;
  case NumberKind::Float:
  case NumberKind::Double:
  case NumberKind::Opaque:
    return nullptr;
  }
  return nullptr;
}

template <class Op> Kernel *forNumber(NumberKind kind) {
  if (kind == NumberKind::Float)
    return loop<Op, float>;
  if (kind == NumberKind::Double)
    return loop<Op, double>;
  return forInteger<Op>(kind);
}

/// The loop for a built-in operator; null if it is not defined for the kind.
Kernel *loopFor(BuiltinOperator op, NumberKind kind) noexcept {
  switch (op) {
  case BuiltinOperator::Sum:
    return forNumber<Sum>(kind);
  case BuiltinOperator::Prod:
    return forNumber<Prod>(kind);
  case BuiltinOperator::Min:
    return forNumber<Min>(kind);
  case BuiltinOperator::Max:
    return forNumber<Max>(kind);
  case BuiltinOperator::Band:
    return forInteger<Band>(kind);
  case BuiltinOperator::Bor:
    return forInteger<Bor>(kind);
  case BuiltinOperator::Bxor:
    return forInteger<Bxor>(kind);
  case BuiltinOperator::Land:
    return forInteger<Land>(kind);
  case BuiltinOperator::Lor:
    return forInteger<Lor>(kind);
  case BuiltinOperator::None:
    return nullptr;
  }
  return nullptr;
}

} // namespace
} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_KERNELLOOPS_H

