//===- ReasonJson.h - Why something is not proved, as JSON -----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CACHE_REASONJSON_H
#define QUADRILLE_CACHE_REASONJSON_H

#include "prove/terms/Obligation.h"

#include "llvm/Support/JSON.h"

namespace quadrille::compiler {

// Null stands for nothing. What makes no sense is reported to the path.

llvm::json::Value toJson(const std::optional<LimitInForce> &limit);
bool fromJson(const llvm::json::Value &value, std::optional<LimitInForce> &limit, llvm::json::Path path);

llvm::json::Value toJson(const std::optional<prove::Reason> &reason);
bool fromJson(const llvm::json::Value &value, std::optional<prove::Reason> &reason, llvm::json::Path path);

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_REASONJSON_H
