//===- Names.h - Settling the names of emitted code ---------------------------------------------------------------*- C++ -*-===//
//
// A schedule's names are kept where C++ and the runtime leave them free, and get an underscore where they do not.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_NAMES_H
#define QUADRILLE_EMIT_NAMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace quadrille::compiler::emit {

/// The names of one C++ scope and of those around it.
class Names {
public:
  /// Names of functions and types, taken for all of them.
  explicit Names(const Names *outer = nullptr) : outer(outer) {}

  /// A name like `wanted` that is free, from now on taken.
  std::string settle(llvm::StringRef wanted);
  bool isFree(llvm::StringRef name) const;

private:
  const Names *outer;
  llvm::StringSet<> taken;
};

/// "allgather_ring"
std::string functionName(llvm::StringRef collective, llvm::StringRef schedule);

/// "pipelined_binary" -> "PipelinedBinary"
std::string typeName(llvm::StringRef name);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_NAMES_H
