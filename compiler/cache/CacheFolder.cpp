//===- CacheFolder.cpp - Where results are kept from one run to the next --------------------------------------------------===//

#include "CacheFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace quadrille::compiler::run {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::optional<std::string> cacheFolder() {
  llvm::SmallString<256> result;
  auto fromEnvironment = [&](const char *name, llvm::StringRef below) {
    std::optional<std::string> value = llvm::sys::Process::GetEnv(name);
    if (!value || value->empty())
      return false;
    result = *value;
    if (!below.empty())
      path::append(result, below);
    return true;
  };
  if (fromEnvironment("QUADRILLE_CACHE_DIR", "") || fromEnvironment("XDG_CACHE_HOME", "quadrille"))
    return std::string(result);
  if (fromEnvironment("HOME", ".cache") && !fs::create_directories(result) && !fs::access(result, fs::AccessMode::Write)) {
    path::append(result, "quadrille");
    return std::string(result);
  }
  return std::nullopt;
}

} // namespace quadrille::compiler::run
