//===- Calls.h - The calls that a program makes ---------------------------------------------------------------------------*- C++ -*-===//
//
// The preload library counts the calls of a program and writes them to a file (runtime/preload/Calls.cpp, docs/preload.md). `tune --from`
// reads the file, and measures what these calls need.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TUNE_CALLS_H
#define QUADRILLE_TUNE_CALLS_H

#include "diagnostics/Diagnostics.h"
#include "source/Sources.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler::tune {

/// Calls of one kind. Their blocks have `leastBytes` to `mostBytes` bytes.
struct Call {
  std::string collective; // of the language
  std::int64_t p = 1;
  std::uint64_t leastBytes = 0, mostBytes = 0;
  std::string type; // "floating" and the like; "none": data are only moved
  std::string law;  // of the operator: "commutative", "ordered" or "none"
  std::uint64_t calls = 0;

  /// The geometric mean of `leastBytes` and `mostBytes`.
  double typicalBytes() const;
};

/// Reads a file; nothing after an error, which has been reported at its line. `collectives`: those of libquadrille.
std::optional<std::vector<Call>> readCalls(const std::string &file, llvm::ArrayRef<llvm::StringRef> collectives, Sources &sources,
                                           Diagnostics &diagnostics);

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_CALLS_H
