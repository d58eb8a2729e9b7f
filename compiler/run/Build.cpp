//===- Build.cpp - Compiling emitted code, once -------------------------------------------------------------------------------===//

#include "CacheFolder.h"
#include "Toolchain.h"

#include "diagnostics/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::run {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string cacheDirectory() {
  if (std::optional<std::string> folder = cacheFolder())
    return *folder;
  llvm::SmallString<256> result;
  path::system_temp_directory(/*ErasedOnReboot=*/true, result);
  path::append(result, "quadrille-cache");
  return std::string(result);
}

static std::string inDirectory(llvm::StringRef directory, llvm::StringRef name) {
  llvm::SmallString<256> result(directory);
  path::append(result, name);
  return std::string(result);
}

/// A name for the program: it changes whenever anything that goes into it does.
static std::string keyOf(const emit::EmittedCode &code, const std::string &mainSource, const Toolchain &toolchain) {
  llvm::SHA256 hash;
  auto add = [&](llvm::StringRef text) {
    hash.update(std::to_string(text.size()) + ":");
    hash.update(text);
  };
  add(code.header);
  add(code.source);
  add(mainSource);
  add(toolchain.compiler);
  for (const auto *flags : {&toolchain.compileFlags, &toolchain.linkFlags})
    for (const std::string &flag : *flags)
      add(flag);
  // Libraries and headers are not read but looked at: another build has another time or size.
  auto addFile = [&](const std::string &file) {
    fs::file_status status;
    if (!fs::status(file, status))
      add(file + " " + std::to_string(status.getSize()) + " " +
          std::to_string(status.getLastModificationTime().time_since_epoch().count()));
  };
  std::error_code failure;
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator it(inDirectory(toolchain.includeDir, "quadrille"), failure), end; it != end && !failure;
       it.increment(failure))
    files.push_back(it->path());
  for (fs::directory_iterator it(toolchain.libraryDir, failure), end; it != end && !failure; it.increment(failure))
    if (path::filename(it->path()).starts_with("libquadrille"))
      files.push_back(it->path());
  llvm::sort(files);
  for (const std::string &file : files)
    addFile(file);
  return llvm::toHex(llvm::ArrayRef<std::uint8_t>(hash.final()), /*LowerCase=*/true).substr(0, 32);
}

std::optional<std::string> buildProgram(const emit::EmittedCode &code, const std::string &mainSource,
                                        const Toolchain &toolchain, Diagnostics &diagnostics) {
  const std::string cache = inDirectory(cacheDirectory(), "run");
  const std::string final = inDirectory(cache, keyOf(code, mainSource, toolchain));
  const std::string program = inDirectory(final, "driver");
  if (fs::can_execute(program))
    return program;

  auto unwritable = [&](std::error_code failure) {
    diagnostics.report(diag::Id::CacheUnwritable, {}, {cache, failure.message()});
    return std::nullopt;
  };
  // Built apart and moved into place, so that runs at the same time do not see half a program.
  llvm::SmallString<256> building;
  if (std::error_code failure = fs::create_directories(cache))
    return unwritable(failure);
  if (std::error_code failure = fs::createUniqueDirectory(inDirectory(cache, "building"), building))
    return unwritable(failure);
  for (const auto &[name, text] : {std::pair(code.baseName + ".h", llvm::StringRef(code.header)),
                                   std::pair(code.baseName + ".cpp", llvm::StringRef(code.source)),
                                   std::pair(std::string("main.cpp"), llvm::StringRef(mainSource))})
    if (std::error_code failure = writeFile(inDirectory(building, name), [&](llvm::raw_ostream &out) { out << text; }))
      return unwritable(failure);

  std::vector<std::string> words{toolchain.compiler};
  words.insert(words.end(), toolchain.compileFlags.begin(), toolchain.compileFlags.end());
  for (const std::string &word : {"-I" + std::string(building), "-I" + toolchain.includeDir, inDirectory(building, code.baseName + ".cpp"),
                                  inDirectory(building, "main.cpp"), std::string("-o"), inDirectory(building, "driver"),
                                  "-L" + toolchain.libraryDir})
    words.push_back(word);
  words.insert(words.end(), toolchain.linkFlags.begin(), toolchain.linkFlags.end());
  std::vector<llvm::StringRef> arguments(words.begin(), words.end());
  const std::string log = inDirectory(building, "messages.txt");
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log), llvm::StringRef(log)};
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(toolchain.compiler, arguments, std::nullopt, redirects, 600, 0, &problem);
  if (status < 0) {
    diagnostics.report(diag::Id::CompilerMissing, {}, {toolchain.compiler, problem});
    return std::nullopt;
  }
  if (status != 0) {
    std::string first;
    if (auto messages = llvm::MemoryBuffer::getFile(log))
      for (llvm::StringRef rest = (*messages)->getBuffer(); !rest.empty() && first.empty();) {
        auto [line, tail] = rest.split('\n');
        if (line.contains("error"))
          first = line.trim().str();
        rest = tail;
      }
    diagnostics.report(diag::Id::EmittedCodeRefused, {}, {toolchain.compiler, first, log});
    return std::nullopt;
  }
  if (fs::rename(building, final)) {
    // Somebody else was faster with the same program, or an unfinished one lies there.
    if (!fs::can_execute(program))
      return inDirectory(building, "driver");
    fs::remove_directories(building);
  }
  return program;
}

} // namespace quadrille::run
