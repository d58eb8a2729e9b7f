//===- CostCache.h - Formulas that need not be found again -------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CACHE_COSTCACHE_H
#define QUADRILLE_CACHE_COSTCACHE_H

#include "TextCache.h"

#include "closedform/CostSummary.h"

#include "llvm/Support/JSON.h"

namespace quadrille::compiler {

llvm::json::Value toJson(const CostSummary &summary);
/// Nothing if it is not what the other one writes.
std::optional<CostSummary> costSummaryFrom(const llvm::json::Value &value);

/// Summaries as texts of a TextCache.
class CostCache {
public:
  /// `executable`: our own path.
  CostCache(const Library &library, const Sources &sources, const std::string &executable, Diagnostics &diagnostics)
      : texts(library, sources, executable, "costs", diagnostics) {}

  std::optional<CostSummary> find(const ir::Schedule &schedule, const ClosedFormOptions &options) const;
  void keep(const ir::Schedule &schedule, const ClosedFormOptions &options, const CostSummary &summary);

private:
  TextCache texts;
};

/// The costs for all p, from the cache if there is one and they are there; else they are derived, which may ask the solver. Throws
/// Finding if a check of a small case fails.
CostSummary costSummary(const ir::Schedule &schedule, const ClosedFormOptions &options, std::optional<CostCache> &cache);

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_COSTCACHE_H
