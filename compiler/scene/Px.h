//===- Px.h - Lengths as text --------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SCENE_PX_H
#define QUADRILLE_SCENE_PX_H

#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace quadrille::compiler::scene {

/// A number that is printed with one digit after the point, or with more if `scale` is larger. Written by hand, so that files are the
/// same on all machines.
struct Px {
  double value;
  long scale = 10; // a power of ten
};

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &out, Px px) {
  const long parts = std::lround(px.value * static_cast<double>(px.scale));
  if (parts < 0)
    out << '-';
  out << std::labs(parts) / px.scale;
  long rest = std::labs(parts) % px.scale;
  if (rest)
    out << '.';
  for (long unit = px.scale / 10; rest; unit /= 10) {
    out << rest / unit;
    rest %= unit;
  }
  return out;
}

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_PX_H
