//===- Kernels.cpp - The built-in operators -------------------------------===//
//
// A loop per operator and type: one pass over the data, with three addresses
// and no branch, so that the compiler vectorizes it.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <cstdint>
#include <type_traits>

using namespace quadrille;
using quadrille::detail::Kernel;

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

template <class Op, class T>
void loop(void *dst, const void *a, const void *b, std::size_t count) {
  T *to = static_cast<T *>(dst);
  const T *left = static_cast<const T *>(a);
  const T *right = static_cast<const T *>(b);
  // `dst` may be `a` or `b`. A run-time test for overlap would choose the
  // scalar loop then, but element i depends only on elements i.
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < count; ++i)
    to[i] = Op::apply(left[i], right[i]);
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

} // namespace

Kernel *quadrille::detail::kernel(BuiltinOperator op, NumberKind kind) noexcept {
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
