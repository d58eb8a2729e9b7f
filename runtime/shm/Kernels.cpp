//===- Kernels.cpp - The built-in operators -------------------------------===//
//
// A loop per operator and type: one pass over the data, with three addresses
// and no branch, so that the compiler vectorizes it.
//
//===----------------------------------------------------------------------===//

#include "World.h"

#include <type_traits>

using namespace quadrille::shm;
using quadrille::shm::detail::Kernel;

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

template <class Op> Kernel *forInteger(Datatype::Kind kind) {
  switch (kind) {
  case Datatype::Kind::Int8:
    return loop<Op, std::int8_t>;
  case Datatype::Kind::Int16:
    return loop<Op, std::int16_t>;
  case Datatype::Kind::Int32:
    return loop<Op, std::int32_t>;
  case Datatype::Kind::Int64:
    return loop<Op, std::int64_t>;
  case Datatype::Kind::UInt8:
    return loop<Op, std::uint8_t>;
  case Datatype::Kind::UInt16:
    return loop<Op, std::uint16_t>;
  case Datatype::Kind::UInt32:
    return loop<Op, std::uint32_t>;
  case Datatype::Kind::UInt64:
    return loop<Op, std::uint64_t>;
  case Datatype::Kind::Float:
  case Datatype::Kind::Double:
  case Datatype::Kind::Opaque:
    return nullptr;
  }
  return nullptr;
}

template <class Op> Kernel *forNumber(Datatype::Kind kind) {
  if (kind == Datatype::Kind::Float)
    return loop<Op, float>;
  if (kind == Datatype::Kind::Double)
    return loop<Op, double>;
  return forInteger<Op>(kind);
}

} // namespace

Kernel *quadrille::shm::detail::kernel(Operator::Builtin builtin,
                                       Datatype::Kind kind) {
  switch (builtin) {
  case Operator::Builtin::Sum:
    return forNumber<Sum>(kind);
  case Operator::Builtin::Prod:
    return forNumber<Prod>(kind);
  case Operator::Builtin::Min:
    return forNumber<Min>(kind);
  case Operator::Builtin::Max:
    return forNumber<Max>(kind);
  case Operator::Builtin::Band:
    return forInteger<Band>(kind);
  case Operator::Builtin::Bor:
    return forInteger<Bor>(kind);
  case Operator::Builtin::Bxor:
    return forInteger<Bxor>(kind);
  case Operator::Builtin::Land:
    return forInteger<Land>(kind);
  case Operator::Builtin::Lor:
    return forInteger<Lor>(kind);
  }
  return nullptr;
}
