//===- Counted.h - Numbers of things in words ------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SOURCE_COUNTED_H
#define QUADRILLE_SOURCE_COUNTED_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace quadrille::compiler {

/// "1 rank", "2 ranks". `noun` is the singular of a noun whose plural has an s.
template <typename Number> std::string counted(Number count, llvm::StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

} // namespace quadrille::compiler

#endif // QUADRILLE_SOURCE_COUNTED_H
