//===- ProofCache.cpp - Proofs that need not be done again ----------------------------------------------------------------------===//

#include "ProofCache.h"

#include "prove/Solver.h"
#include "run/CacheFolder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

namespace quadrille {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

using prove::ClaimVerdict;
using prove::ProofOptions;
using prove::ProofVerdict;
using prove::Strength;

// ---- keys --------------------------------------------------------------------------------------------------------------

namespace {
class Hash {
public:
  void add(llvm::StringRef text) {
    // Its length first, so that two texts are not taken for one.
    hash.update(std::to_string(text.size()) + ":");
    hash.update(text);
  }
  void add(std::uint64_t number) { add(llvm::StringRef(std::to_string(number))); }
  std::string text() { return llvm::toHex(llvm::ArrayRef<std::uint8_t>(hash.final()), /*LowerCase=*/true); }

private:
  llvm::SHA256 hash;
};
} // namespace

static std::string hashOf(llvm::StringRef text) {
  Hash hash;
  hash.add(text);
  return hash.text();
}

/// The schedules that a body uses, however deep, each once.
static void collectUses(const ir::Body &body, llvm::SmallVectorImpl<const ir::Schedule *> &uses) {
  for (const auto &s : body) {
    if (auto *loop = llvm::dyn_cast<ir::ForStmt>(s.get())) {
      collectUses(loop->body, uses);
    } else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(s.get())) {
      collectUses(branch->yes, uses);
      collectUses(branch->no, uses);
    } else if (auto *use = llvm::dyn_cast<ir::UseStmt>(s.get()); use && !llvm::is_contained(uses, use->callee)) {
      uses.push_back(use->callee);
      collectUses(use->callee->body, uses);
    }
  }
}

ProofCache::ProofCache(const Library &library, const Sources &sources, const std::string &executable)
    : library(library), sources(sources) {
  std::optional<std::string> cache = run::cacheFolder();
  auto self = llvm::MemoryBuffer::getFile(executable, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!cache || !self)
    return;
  // Whoever changes the prover does not have to think of a version.
  llvm::XXH128_hash_t content =
      llvm::xxh3_128bits(llvm::ArrayRef(reinterpret_cast<const std::uint8_t *>((*self)->getBufferStart()), (*self)->getBufferSize()));
  program = llvm::utohexstr(content.high64) + " " + llvm::utohexstr(content.low64) + " " + prove::solverVersion();
  llvm::SmallString<256> proofs(*cache);
  path::append(proofs, "proofs");
  folder = std::string(proofs);
}

ProofCache::Entry ProofCache::entryOf(const ir::Schedule &schedule, const ProofOptions &options) const {
  Entry entry;
  entry.buffers = library.standardTexts();
  llvm::SmallVector<const ir::Schedule *, 4> schedules{&schedule};
  collectUses(schedule.body, schedules);
  for (const ir::Schedule *used : schedules)
    if (unsigned buffer = sources.manager().FindBufferContainingLoc(used->range.Start);
        !llvm::is_contained(entry.buffers, buffer))
      entry.buffers.push_back(buffer);
  Hash hash;
  hash.add(program);
  hash.add(schedule.path());
  hash.add(entry.buffers.size());
  for (unsigned buffer : entry.buffers)
    hash.add(sources.text(buffer));
  auto addNumbers = [&](const std::vector<std::int64_t> &numbers) {
    hash.add(numbers.size());
    for (std::int64_t number : numbers)
      hash.add(static_cast<std::uint64_t>(number));
  };
  addNumbers(options.check.ps);
  addNumbers(options.check.parameters);
  hash.add(options.check.limits.memoryBytes);
  hash.add(options.check.limits.maxSteps);
  hash.add(options.resources);
  hash.add(options.totalResources);
  entry.key = hash.text();
  return entry;
}

std::string ProofCache::fileOf(const Entry &entry) const {
  llvm::SmallString<256> file(folder);
  path::append(file, "llvmcache-" + entry.key); // a name that pruneCache deletes
  return std::string(file);
}

// ---- entries -----------------------------------------------------------------------------------------------------------
//
// A line with the hash of the others; then the verdict as JSON. Places are a text's number among those that the proof
// depends on, and the first and the last byte.

static constexpr prove::Claim lastClaim = prove::Claim::Cost;

static std::optional<prove::Claim> claimNamed(llvm::StringRef name) {
  for (int i = 0; i <= static_cast<int>(lastClaim); ++i)
    if (prove::claimName(static_cast<prove::Claim>(i)) == name)
      return static_cast<prove::Claim>(i);
  return std::nullopt;
}

static llvm::json::Array placeToJson(llvm::SMRange range, const Sources &sources, llvm::ArrayRef<unsigned> buffers) {
  unsigned buffer = range.isValid() ? sources.manager().FindBufferContainingLoc(range.Start) : 0;
  auto found = llvm::find(buffers, buffer);
  if (found == buffers.end())
    return {};
  const char *begin = sources.text(buffer).begin();
  return llvm::json::Array{found - buffers.begin(), range.Start.getPointer() - begin, range.End.getPointer() - begin};
}

/// No range if the array is empty; nothing if it makes no sense.
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

static std::string toText(const ProofVerdict &verdict, llvm::StringRef key, const Sources &sources,
                          llvm::ArrayRef<unsigned> buffers) {
  llvm::json::Array claims;
  for (const ClaimVerdict &claim : verdict.claims)
    claims.push_back(llvm::json::Object{{"claim", prove::claimName(claim.claim)},
                                        {"proved", claim.strength == Strength::Proved},
                                        {"obligations", claim.obligations},
                                        {"reason", claim.reason},
                                        {"place", placeToJson(claim.range, sources, buffers)}});
  std::string text;
  llvm::raw_string_ostream out(text);
  out << llvm::json::Value(llvm::json::Object{{"key", key},
                                              {"schedule", verdict.schedule->path()},
                                              {"scope", verdict.scope},
                                              {"checked", llvm::json::Array(verdict.checked.checkedPs)},
                                              {"needsCommutative", verdict.needsCommutative},
                                              {"obligations", verdict.obligations},
                                              {"undecided", verdict.undecided},
                                              {"resources", static_cast<std::int64_t>(verdict.resources)},
                                              {"claims", std::move(claims)}})
      << '\n';
  return hashOf(text) + "\n" + text;
}

static std::optional<ProofVerdict> fromText(llvm::StringRef text, const ir::Schedule &schedule, llvm::StringRef key,
                                            const Sources &sources, llvm::ArrayRef<unsigned> buffers) {
  auto [hash, rest] = text.split('\n');
  if (hash != hashOf(rest))
    return std::nullopt;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(rest);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object || object->getString("key") != key)
    return std::nullopt;
  auto scope = object->getString("scope");
  auto commutative = object->getBoolean("needsCommutative");
  auto obligations = object->getInteger("obligations"), undecided = object->getInteger("undecided"),
       resources = object->getInteger("resources");
  const llvm::json::Array *checked = object->getArray("checked"), *claims = object->getArray("claims");
  if (!scope || !commutative || !obligations || !undecided || !resources || !checked || !claims)
    return std::nullopt;
  ProofVerdict verdict;
  verdict.schedule = verdict.checked.schedule = &schedule;
  verdict.checked.ok = true;
  for (const llvm::json::Value &p : *checked)
    verdict.checked.checkedPs.push_back(p.getAsInteger().value_or(0));
  verdict.scope = scope->str();
  verdict.needsCommutative = *commutative;
  verdict.obligations = static_cast<unsigned>(*obligations);
  verdict.undecided = static_cast<unsigned>(*undecided);
  verdict.resources = static_cast<std::uint64_t>(*resources);
  for (const llvm::json::Value &item : *claims) {
    const llvm::json::Object *claim = item.getAsObject();
    if (!claim)
      return std::nullopt;
    auto name = claim->getString("claim"), reason = claim->getString("reason");
    auto proved = claim->getBoolean("proved");
    auto count = claim->getInteger("obligations");
    const llvm::json::Array *place = claim->getArray("place");
    if (!name || !claimNamed(*name) || !reason || !proved || !count || !place)
      return std::nullopt;
    std::optional<llvm::SMRange> range = placeFromJson(*place, sources, buffers);
    if (!range)
      return std::nullopt;
    verdict.claims.push_back({*claimNamed(*name), *proved ? Strength::Proved : Strength::Checked, reason->str(), *range,
                              static_cast<unsigned>(*count)});
  }
  return verdict;
}

// ---- files -------------------------------------------------------------------------------------------------------------

std::optional<ProofVerdict> ProofCache::find(const ir::Schedule &schedule, const ProofOptions &options) const {
  if (folder.empty())
    return std::nullopt;
  Entry entry = entryOf(schedule, options);
  auto text = llvm::MemoryBuffer::getFile(fileOf(entry), /*IsText=*/false, /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!text)
    return std::nullopt;
  return fromText((*text)->getBuffer(), schedule, entry.key, sources, entry.buffers);
}

void ProofCache::keep(const ProofVerdict &verdict, const ProofOptions &options) {
  // What could not be shown for want of memory may be shown another time. Warnings are said each time.
  if (folder.empty() || verdict.checked.failure || !verdict.warnings.empty() || verdict.outOfMemory || verdict.nothingAdmitted || fs::create_directories(folder))
    return;
  std::call_once(pruned, [&] {
    // What nobody has read for a month; looked at once a day.
    llvm::CachePruningPolicy policy;
    policy.Interval = std::chrono::hours(24);
    policy.Expiration = std::chrono::hours(30 * 24);
    policy.MaxSizePercentageOfAvailableSpace = 0;
    policy.MaxSizeFiles = 0;
    llvm::pruneCache(folder, policy);
  });
  Entry entry = entryOf(*verdict.schedule, options);
  // Written apart and moved into place, so that nobody reads half an entry. Whatever fails, there is none.
  llvm::Expected<fs::TempFile> file = fs::TempFile::create(folder + "/llvmcache-writing-%%%%%%%%");
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  llvm::raw_fd_ostream out(file->FD, /*shouldClose=*/false);
  out << toText(verdict, entry.key, sources, entry.buffers);
  out.flush();
  const bool written = !out.has_error();
  out.clear_error();
  llvm::consumeError(written ? file->keep(fileOf(entry)) : file->discard());
}

} // namespace quadrille
