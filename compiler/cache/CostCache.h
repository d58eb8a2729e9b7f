//===- CostCache.h - Costs for all p, kept in the cache ----------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CACHE_COSTCACHE_H
#define QUADRILLE_CACHE_COSTCACHE_H

#include "TextCache.h"

#include "closedform/CostSummary.h"

#include "llvm/Support/JSON.h"

namespace quadrille::compiler {

llvm::json::Value toJson(const CostSummary &summary);
/// The inverse of toJson; nothing for other values.
std::optional<CostSummary> costSummaryFrom(const llvm::json::Value &value);

/// Summaries as texts of a TextCache.
class CostCache {
public:
  /// `executable`: the path of this program.
  CostCache(const Library &library, const Sources &sources, const std::string &executable, Diagnostics &diagnostics)
      : texts(library, sources, executable, "costs", diagnostics) {}

  std::optional<CostSummary> find(const ir::Schedule &schedule, const ClosedFormOptions &options) const;
  void keep(const ir::Schedule &schedule, const ClosedFormOptions &options, const CostSummary &summary);

private:
  TextCache texts;
};

/// The cost of a schedule for all p: from `cache`, or else derived and kept there, which takes long. Throws Finding if a check of a small
/// case fails.
CostSummary costSummary(const ir::Schedule &schedule, const ClosedFormOptions &options, std::optional<CostCache> &cache);

} // namespace quadrille::compiler

#endif // QUADRILLE_CACHE_COSTCACHE_H
