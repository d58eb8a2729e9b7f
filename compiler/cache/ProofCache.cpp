//===- ProofCache.cpp - Proofs, kept in the cache -------------------------------------------------------------------------------===//

#include "ProofCache.h"

#include "ReasonJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

using prove::ClaimVerdict;
using prove::ProofOptions;
using prove::ProofVerdict;

/// The options that a proof depends on, as numbers.
static std::vector<std::uint64_t> numbersOf(const ProofOptions &options) {
  std::vector<std::uint64_t> result;
  for (const std::vector<std::int64_t> *list : {&options.check.ps, &options.check.parameters}) {
    result.push_back(list->size());
    result.insert(result.end(), list->begin(), list->end());
  }
  result.push_back(static_cast<std::uint64_t>(options.check.nodes.nodes));
  result.push_back(options.check.nodes.labels.size());
  result.insert(result.end(), options.check.nodes.labels.begin(), options.check.nodes.labels.end());
  result.insert(result.end(), {options.check.limits.memoryBytes, options.check.limits.maxSteps, options.effort.first.value(), options.effort.other.value(), options.totalResources.value()});
  return result;
}

// ---- entries -----------------------------------------------------------------------------------------------------------
//
// The verdict as JSON. Places are a text's number among those that the proof depends on, and the first and the last byte.

static llvm::json::Array placeToJson(llvm::SMRange range, const Sources &sources, llvm::ArrayRef<unsigned> buffers) {
  unsigned buffer = range.isValid() ? sources.manager().FindBufferContainingLoc(range.Start) : 0;
  auto found = llvm::find(buffers, buffer);
  if (found == buffers.end())
    return {};
  const char *begin = sources.text(buffer).begin();
  return llvm::json::Array{found - buffers.begin(), range.Start.getPointer() - begin, range.End.getPointer() - begin};
}

/// An invalid range for an empty array; nothing if the array is no place.
static std::optional<llvm::SMRange> placeFromJson(const llvm::json::Array &place, const Sources &sources,
                                                  llvm::ArrayRef<unsigned> buffers) {
  if (place.empty())
    return llvm::SMRange();
  if (place.size() != 3)
    return std::nullopt;
  std::optional<std::int64_t> buffer = place[0].getAsInteger(), begin = place[1].getAsInteger(), end = place[2].getAsInteger();
  if (!buffer || !begin || !end || *buffer < 0 || *buffer >= static_cast<std::int64_t>(buffers.size()))
    return std::nullopt;
  llvm::StringRef text = sources.text(buffers[static_cast<size_t>(*buffer)]);
  if (*begin < 0 || *end < *begin || *end > static_cast<std::int64_t>(text.size()))
    return std::nullopt;
  return llvm::SMRange(llvm::SMLoc::getFromPointer(text.begin() + *begin), llvm::SMLoc::getFromPointer(text.begin() + *end));
}

static std::string toText(const ProofVerdict &verdict, const Sources &sources, llvm::ArrayRef<unsigned> buffers) {
  llvm::json::Array claims;
  for (const ClaimVerdict &claim : verdict.claims)
    claims.push_back(llvm::json::Object{{"claim", prove::claimName(claim.claim)},
                                        {"obligations", claim.obligations},
                                        {"open", toJson(std::optional<prove::Reason>(claim.open))},
                                        {"place", placeToJson(claim.open ? claim.open->range : llvm::SMRange(), sources, buffers)}});
  const ClauseReach &clauses = verdict.checked.clauses;
  std::string text;
  llvm::raw_string_ostream out(text);
  out << llvm::json::Value(llvm::json::Object{{"schedule", verdict.schedule->path()},
                                              {"checked", llvm::json::Array(verdict.checked.checkedPs)},
                                              {"clausesBelow", clauses.below ? llvm::json::Value(*clauses.below) : nullptr},
                                              {"clausesOfTables", clauses.ofTables},
                                              {"clausesLimit", toJson(clauses.limit)},
                                              {"needsCommutative", verdict.needsCommutative},
                                              {"obligations", verdict.obligations},
                                              {"undecided", verdict.undecided},
                                              {"resources", static_cast<std::int64_t>(verdict.resources)},
                                              {"claims", std::move(claims)}})
      << '\n';
  return text;
}

static std::optional<ProofVerdict> fromText(llvm::StringRef text, const ir::Schedule &schedule, const Sources &sources,
                                            llvm::ArrayRef<unsigned> buffers) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return std::nullopt;
  auto commutative = object->getBoolean("needsCommutative"), ofTables = object->getBoolean("clausesOfTables");
  auto obligations = object->getInteger("obligations"), undecided = object->getInteger("undecided"),
       resources = object->getInteger("resources");
  const llvm::json::Array *checked = object->getArray("checked"), *claims = object->getArray("claims");
  if (!commutative || !ofTables || !obligations || !undecided || !resources || !checked || !claims)
    return std::nullopt;
  ProofVerdict verdict;
  verdict.schedule = verdict.checked.schedule = &schedule;
  verdict.checked.ok = true;
  for (const llvm::json::Value &p : *checked)
    verdict.checked.checkedPs.push_back(p.getAsInteger().value_or(0));
  verdict.checked.clauses.ofTables = *ofTables;
  llvm::json::Path::Root path;
  const llvm::json::Value *limit = object->get("clausesLimit");
  if (!limit || !fromJson(*limit, verdict.checked.clauses.limit, path))
    return std::nullopt;
  if (auto below = object->getInteger("clausesBelow"))
    verdict.checked.clauses.below = *below;
  verdict.needsCommutative = *commutative;
  verdict.obligations = static_cast<unsigned>(*obligations);
  verdict.undecided = static_cast<unsigned>(*undecided);
  verdict.resources = static_cast<std::uint64_t>(*resources);
  for (const llvm::json::Value &item : *claims) {
    const llvm::json::Object *claim = item.getAsObject();
    if (!claim)
      return std::nullopt;
    auto name = claim->getString("claim");
    const llvm::json::Value *open = claim->get("open");
    auto count = claim->getInteger("obligations");
    const llvm::json::Array *place = claim->getArray("place");
    if (!name || !prove::claimNamed(*name) || !open || !count || !place)
      return std::nullopt;
    std::optional<llvm::SMRange> range = placeFromJson(*place, sources, buffers);
    if (!range)
      return std::nullopt;
    std::optional<prove::Reason> reason;
    llvm::json::Path::Root root;
    if (!fromJson(*open, reason, root))
      return std::nullopt;
    ClaimVerdict &known = verdict.claims.emplace_back();
    known.claim = *prove::claimNamed(*name);
    known.obligations = static_cast<unsigned>(*count);
    if (reason)
      known.open = prove::NotModelled(reason->gap, reason->subject, *range, reason->limit);
  }
  return verdict;
}

// ---- verdicts ----------------------------------------------------------------------------------------------------------

std::optional<ProofVerdict> ProofCache::find(const ir::Schedule &schedule, const ProofOptions &options) const {
  const TextCache::Entry entry = texts.entryOf(schedule, numbersOf(options));
  const std::optional<std::string> text = texts.find(entry);
  std::optional<ProofVerdict> verdict = text ? fromText(*text, schedule, sources, entry.buffers) : std::nullopt;
  if (verdict) {
    verdict->checked.mapsGiven = options.check.nodes.isGiven();
    verdict->checked.allMaps = !triesSomeMaps(schedule, options.check, verdict->checked.checkedPs);
  }
  return verdict;
}

void ProofCache::keep(const ProofVerdict &verdict, const ProofOptions &options) {
  // With more memory more might be shown another time. Verdicts with warnings are not kept, since the warnings must be printed again.
  if (verdict.checked.failure || !verdict.warnings.empty() || verdict.outOfMemory || verdict.nothingAdmitted)
    return;
  const TextCache::Entry entry = texts.entryOf(*verdict.schedule, numbersOf(options));
  texts.keep(entry, toText(verdict, sources, entry.buffers));
}

} // namespace quadrille::compiler
