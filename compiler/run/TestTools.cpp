//===- TestTools.cpp - LLVM's tools that run tests -----------------------------------------------------------------------===//

#include "TestTools.h"

#include "diagnostics/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

namespace quadrille::compiler::run {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// /usr/lib/llvm-19, /usr/lib/llvm-14, ...
static std::vector<std::string> versionsOfDebian() {
  std::vector<std::pair<unsigned, std::string>> found;
  std::error_code failure;
  for (fs::directory_iterator it("/usr/lib", failure), end; !failure && it != end; it.increment(failure)) {
    llvm::StringRef name = path::filename(it->path());
    unsigned version = 0;
    if (name.consume_front("llvm-") && !name.getAsInteger(10, version))
      found.push_back({version, it->path()});
  }
  llvm::sort(found, std::greater<>());
  std::vector<std::string> result;
  for (auto &[version, folder] : found)
    result.push_back(std::move(folder));
  return result;
}

static std::string inside(llvm::StringRef folder, llvm::StringRef below) {
  llvm::SmallString<128> result(folder);
  path::append(result, below);
  return std::string(result);
}

std::optional<TestTools> findTestTools(Diagnostics &diagnostics) {
  std::vector<std::string> folders;
  diag::Searched where = diag::SearchedPathOrLlvm{};
  const std::optional<std::string> chosen = llvm::sys::Process::GetEnv("QUADRILLE_LLVM");
  const bool isChosen = chosen && !chosen->empty();
  if (isChosen) {
    folders = {*chosen};
    where = diag::SearchedFolderOfVariable{.folder = *chosen, .variable = "QUADRILLE_LLVM"};
  } else {
    folders = versionsOfDebian();
  }
  TestTools tools;
  if (!isChosen)
    for (const char *name : {"lit", "llvm-lit"})
      if (tools.lit.empty())
        if (llvm::ErrorOr<std::string> lit = llvm::sys::findProgramByName(name))
          tools.lit = {*lit};
  constexpr const char *package = "llvm-19-tools";
  if (tools.lit.empty()) {
    const auto has = llvm::find_if(folders, [](llvm::StringRef folder) { return fs::exists(inside(folder, "build/utils/lit/lit.py")); });
    if (has == folders.end()) {
      diagnostics.report({}, diag::ToolMissing{.tool = "lit", .where = where, .package = package});
      return std::nullopt;
    }
    llvm::ErrorOr<std::string> python = llvm::sys::findProgramByName("python3");
    if (!python) {
      diagnostics.report({}, diag::ToolMissing{.tool = "python3", .where = diag::SearchedPath{}, .package = "python3"});
      return std::nullopt;
    }
    tools.lit = {*python, inside(*has, "build/utils/lit/lit.py")};
  }
  if (!isChosen)
    if (llvm::ErrorOr<std::string> fileCheck = llvm::sys::findProgramByName("FileCheck"))
      tools.fileCheckFolder = path::parent_path(*fileCheck).str();
  if (tools.fileCheckFolder.empty()) {
    const auto has = llvm::find_if(folders, [](llvm::StringRef folder) { return fs::can_execute(inside(folder, "bin/FileCheck")); });
    if (has == folders.end()) {
      diagnostics.report({}, diag::ToolMissing{.tool = "FileCheck", .where = where, .package = package});
      return std::nullopt;
    }
    tools.fileCheckFolder = inside(*has, "bin");
  }
  return tools;
}

} // namespace quadrille::compiler::run
