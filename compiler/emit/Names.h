//===- Names.h - Settling the names of emitted code ---------------------------------------------------------------*- C++ -*-===//
//
// Emitted code keeps a schedule's names where C++ and the runtime leave them free, and adds an underscore where they do not.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_NAMES_H
#define QUADRILLE_EMIT_NAMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace quadrille::compiler::emit {

/// The names of one C++ scope and of the scopes around it.
class Names {
public:
  /// `outer`: the scope around this one, whose names are taken here too.
  explicit Names(const Names *outer = nullptr) : outer(outer) {}

  /// Returns a free name like `wanted` and marks it as taken.
  std::string settle(llvm::StringRef wanted);
  bool isFree(llvm::StringRef name) const;

private:
  const Names *outer;
  llvm::StringSet<> taken;
};

/// Whether C++, its library or emitted code has a meaning for this name, so that nothing else can bear it.
bool isReserved(llvm::StringRef name);

/// Whether the headers of C++, of POSIX or of MPI may define a macro of this name.
bool isMacro(llvm::StringRef name);

/// The C++ function for a schedule: "allgather_ring".
std::string functionName(llvm::StringRef collective, llvm::StringRef schedule);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_NAMES_H
