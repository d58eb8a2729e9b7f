//===- quadrille/numbers.h - Numbers and operators that are known -*- C++ -*-===//
//
// The kinds of numbers, and the operators on them, for which the runtime has loops
// of its own. All backends have the same.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_NUMBERS_H
#define QUADRILLE_NUMBERS_H

namespace quadrille {

enum class NumberKind : unsigned char {
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float,
  Double,
  Opaque ///< none of these
};

/// `Band` to `Bxor` are bitwise and, like the logical `Land` and `Lor` (whose
/// results are 0 and 1), defined for integers only. Integers wrap.
enum class BuiltinOperator : unsigned char {
  Sum,
  Prod,
  Min,
  Max,
  Band,
  Bor,
  Bxor,
  Land,
  Lor,
  None ///< none of these
};

} // namespace quadrille

#endif // QUADRILLE_NUMBERS_H
