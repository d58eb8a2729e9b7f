//===- CacheCommand.cpp - quadrille cache ------------------------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Commands.h"

#include "cache/CacheFolder.h"
#include "report/Text.h"
#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// "12 files, 3.4 MB"
static std::string text(const PartSize &size) {
  return counted(size.files, "file") + ", " + bytesText(size.bytes);
}

/// The named parts, or those that `--clear` deletes without a name. Nothing after a mistake, which is reported.
static std::optional<std::vector<CachePart>> chosenParts(const std::vector<std::string> &names) {
  std::vector<CachePart> result;
  std::string known;
  for (const CachePart &part : cacheParts()) {
    known += (known.empty() ? "" : ", ") + part.name.str();
    if (names.empty() ? part.name != "machines" : llvm::is_contained(names, part.name))
      result.push_back(part);
  }
  for (const std::string &name : names)
    if (llvm::none_of(cacheParts(), [&](const CachePart &part) { return part.name == name; })) {
      complain("the cache has no part '" + name + "'; its parts are " + known, "cache");
      return std::nullopt;
    }
  return result;
}

static int clear(const CacheFolder &cache, llvm::ArrayRef<CachePart> parts) {
  for (const CachePart &part : parts) {
    const std::string folder = cache.inside(part.name);
    const PartSize size = sizeOfPart(folder);
    if (std::error_code failure = clearPart(folder)) {
      llvm::errs() << "quadrille: cannot delete " << folder << ": " << failure.message() << '\n';
      return 1;
    }
    llvm::outs() << "deleted " << part.name << ": " << text(size) << '\n';
  }
  return 0;
}

static void show(const CacheFolder &cache) {
  std::vector<std::vector<std::string>> rows;
  for (const CachePart &part : cacheParts())
    rows.push_back({"  " + part.name.str(), text(sizeOfPart(cache.inside(part.name))), part.contents.str()});
  llvm::outs() << cache.path << '\n';
  printWrapped(rows, terminalColumns(llvm::outs()), llvm::outs());
}

int cacheCommand(const Options &options) {
  const std::optional<std::vector<CachePart>> parts = chosenParts(options.files);
  if (!parts)
    return 2;
  const CacheFolder cache = cacheFolder();
  if (!cache) {
    llvm::outs() << "there is no cache: " << diag::text(*cache.problem) << '\n';
    return 0;
  }
  if (options.clear)
    return clear(cache, *parts);
  show(cache);
  return 0;
}

} // namespace quadrille::compiler
