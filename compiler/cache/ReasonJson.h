//===- ReasonJson.h - Why something is not proved, as JSON -----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CACHE_REASONJSON_H
#define QUADRILLE_CACHE_REASONJSON_H

#include "prove/terms/Obligation.h"

#include "llvm/Support/JSON.h"

namespace quadrille::compiler {

// Nothing is written as null. `fromJson` returns false, and reports to the path, for values that `toJson` does not write.

llvm::json::Value toJson(const std::optional<LimitInForce> &limit);
bool fromJson(const llvm::json::Value &value, std::optional<LimitInForce> &limit, llvm::json::Path path);

llvm::json::Value toJson(const std::optional<prove::Reason> &reason);
bool fromJson(const llvm::json::Value &value, std::optional<prove::Reason> &reason, llvm::json::Path path);

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_REASONJSON_H
