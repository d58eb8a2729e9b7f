//===- MachineFiles.cpp - Where the descriptions of machines are ----------------------------------------------------------------===//

#include "MachineFiles.h"

#include "CacheFolder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::optional<std::string> machinesFolder() {
  const CacheFolder cache = cacheFolder();
  if (!cache)
    return std::nullopt;
  const CacheFolder machines = ownFolder(cache.inside("machines"));
  return machines ? std::optional(machines.path) : std::nullopt;
}

std::optional<std::string> machinePath(llvm::StringRef backend, std::int64_t ranks) {
  std::optional<std::string> folder = machinesFolder();
  if (!folder)
    return std::nullopt;
  llvm::SmallString<256> file(*folder);
  path::append(file, backend + "-" + std::to_string(ranks) + ".json");
  return std::string(file);
}

std::optional<std::string> nearestMachine(llvm::StringRef backend, std::int64_t p) {
  std::optional<std::string> folder = machinesFolder();
  if (!folder)
    return std::nullopt;
  std::optional<std::int64_t> nearest;
  std::error_code failure;
  for (fs::directory_iterator it(*folder, failure), end; !failure && it != end; it.increment(failure)) {
    llvm::StringRef name = path::filename(it->path());
    std::int64_t ranks = 0;
    if (!name.consume_front(backend) || !name.consume_front("-") || !name.consume_back(".json") || name.getAsInteger(10, ranks))
      continue;
    auto distance = [&](std::int64_t q) { return std::abs(q - p); };
    if (!nearest || distance(ranks) < distance(*nearest) || (distance(ranks) == distance(*nearest) && ranks > *nearest))
      nearest = ranks;
  }
  return nearest ? machinePath(backend, *nearest) : std::nullopt;
}

} // namespace quadrille::compiler
