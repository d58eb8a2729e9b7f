//===- CostCache.cpp - Costs for all p, kept in the cache ---------------------------------------------------------------------===//

#include "CostCache.h"

#include "ReasonJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

namespace json = llvm::json;

/// The version of the entries' format, for other programs that read them. This program needs none: another version has other keys.
static constexpr std::int64_t format = 1;

// ---- writing -----------------------------------------------------------------------------------------------------------

static constexpr std::pair<Evidence, llvm::StringLiteral> evidences[] = {{Evidence::Proved, "proved"},
                                                                         {Evidence::Claimed, "claimed"},
                                                                         {Evidence::Reached, "reached"},
                                                                         {Evidence::Fitted, "fitted"}};

static llvm::StringRef nameOf(Evidence evidence) {
  return llvm::find_if(evidences, [&](const auto &entry) { return entry.first == evidence; })->second;
}

static json::Value toJson(const CostSummary::Part &part) {
  return json::Object{
      {"formula", part.formula}, {"evidence", nameOf(part.evidence)}, {"isBound", part.isBound}, {"isZero", part.isZero}};
}

static json::Value toJson(const CostSummary::Reading &reading) {
  return json::Object{{"rounds", toJson(reading[0])}, {"words", toJson(reading[1])}, {"applications", toJson(reading[2])}};
}

json::Value toJson(const CostSummary &summary) {
  json::Array heights;
  for (const auto &[tree, height] : summary.heights)
    heights.push_back(json::Object{{"tree", tree}, {"height", toJson(height)}});
  return json::Object{{"format", format},
                      {"total", summary.total},
                      {"isBound", summary.isBound},
                      {"synchronous", toJson(summary.synchronous)},
                      {"asynchronous", toJson(summary.asynchronous)},
                      {"isSame", summary.isSame},
                      {"ps", json::Array(summary.ps)},
                      {"parameters", json::Array(summary.parameters)},
                      {"clausesBelow", summary.clausesBelow ? json::Value(*summary.clausesBelow) : nullptr},
                      {"clausesOfTables", summary.clausesOfTables},
                      {"clausesLimit", toJson(summary.clausesLimit)},
                      {"clause", summary.clause ? json::Value(nameOf(*summary.clause)) : nullptr},
                      {"heights", std::move(heights)},
                      {"whyNotDerived", toJson(summary.whyNotDerived)}};
}

// ---- reading -----------------------------------------------------------------------------------------------------------
//
// The functions take a path, as LLVM's do, but errors are not reported.

namespace {
using compiler::fromJson; // of reasons

bool fromJson(const json::Value &value, Evidence &evidence, json::Path path) {
  auto found = llvm::find_if(evidences, [&](const auto &entry) { return entry.second == value.getAsString(); });
  if (found == std::end(evidences)) {
    path.report("no evidence");
    return false;
  }
  evidence = found->first;
  return true;
}

/// Reads a member of an object by one of the functions below.
template <typename T> bool member(const json::Value &value, llvm::StringRef name, T &result, json::Path path);

bool fromJson(const json::Value &value, CostSummary::Part &part, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("formula", part.formula) && member(value, "evidence", part.evidence, path) &&
         map.map("isBound", part.isBound) && map.map("isZero", part.isZero);
}

bool fromJson(const json::Value &value, CostSummary::Reading &reading, json::Path path) {
  return member(value, "rounds", reading[0], path) && member(value, "words", reading[1], path) &&
         member(value, "applications", reading[2], path);
}

template <typename T> bool member(const json::Value &value, llvm::StringRef name, T &result, json::Path path) {
  const json::Object *object = value.getAsObject();
  const json::Value *found = object ? object->get(name) : nullptr;
  return found && fromJson(*found, result, path.field(name));
}
} // namespace

std::optional<CostSummary> costSummaryFrom(const json::Value &value) {
  json::Path::Root root;
  const json::Path path(root);
  json::ObjectMapper map(value, path);
  CostSummary summary;
  std::int64_t written = 0;
  if (!map || !map.map("format", written) || written != format || !map.map("total", summary.total) ||
      !map.map("isBound", summary.isBound) || !member(value, "synchronous", summary.synchronous, path) ||
      !member(value, "asynchronous", summary.asynchronous, path) || !map.map("isSame", summary.isSame) ||
      !map.map("ps", summary.ps) || !map.map("parameters", summary.parameters) ||
      !value.getAsObject()->get("clausesBelow") || !map.map("clausesBelow", summary.clausesBelow) || !map.map("clausesOfTables", summary.clausesOfTables) ||
      !member(value, "clausesLimit", summary.clausesLimit, path) ||
      !member(value, "whyNotDerived", summary.whyNotDerived, path))
    return std::nullopt;
  const json::Object &object = *value.getAsObject();
  const json::Value *clause = object.get("clause");
  if (!clause || (!clause->getAsNull() && !fromJson(*clause, summary.clause.emplace(), path)))
    return std::nullopt;
  const json::Array *heights = object.getArray("heights");
  if (!heights)
    return std::nullopt;
  for (const json::Value &item : *heights) {
    CostSummary::Height &height = summary.heights.emplace_back();
    json::ObjectMapper each(item, path);
    if (!each || !each.map("tree", height.tree) || !member(item, "height", height.height, path))
      return std::nullopt;
  }
  return summary;
}

// ---- summaries ---------------------------------------------------------------------------------------------------------

static std::vector<std::uint64_t> numbersOf(const ClosedFormOptions &options) {
  return {options.limits.memoryBytes, options.limits.maxSteps, options.transfers, options.fromClauses};
}

std::optional<CostSummary> CostCache::find(const ir::Schedule &schedule, const ClosedFormOptions &options) const {
  const std::optional<std::string> text = texts.find(texts.entryOf(schedule, numbersOf(options)));
  if (!text)
    return std::nullopt;
  llvm::Expected<json::Value> value = json::parse(*text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  return costSummaryFrom(*value);
}

void CostCache::keep(const ir::Schedule &schedule, const ClosedFormOptions &options, const CostSummary &summary) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << toJson(summary) << '\n';
  out.flush();
  texts.keep(texts.entryOf(schedule, numbersOf(options)), text);
}

CostSummary costSummary(const ir::Schedule &schedule, const ClosedFormOptions &options, std::optional<CostCache> &cache) {
  if (cache)
    if (std::optional<CostSummary> known = cache->find(schedule, options))
      return std::move(*known);
  const ClosedForms forms = closedForms(schedule, options);
  CostSummary summary = summaryOf(schedule, forms);
  if (cache && !forms.outOfMemory)
    cache->keep(schedule, options, summary);
  return summary;
}

} // namespace quadrille::compiler
