//===- Sources.cpp - The texts of one compilation -------------------------------------------------------------------===//

#include "Sources.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace quadrille::compiler {

static bool isValidUtf8(llvm::StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.bytes_begin());
  return llvm::isLegalUTF8String(&begin, reinterpret_cast<const llvm::UTF8 *>(text.bytes_end()));
}

llvm::ErrorOr<std::string> readBounded(llvm::StringRef path, std::size_t most) {
  int fd = 0;
  if (path != "-") {
    llvm::Expected<llvm::sys::fs::file_t> opened = llvm::sys::fs::openNativeFileForRead(path);
    if (!opened)
      return llvm::errorToErrorCode(opened.takeError());
    fd = *opened;
  }
  std::string text;
  std::vector<char> chunk(1 << 16);
  std::error_code failure;
  while (text.size() <= most) {
    llvm::Expected<size_t> got = llvm::sys::fs::readNativeFile(fd, chunk);
    if (!got) {
      failure = llvm::errorToErrorCode(got.takeError());
      break;
    }
    if (*got == 0)
      break;
    text.append(chunk.data(), *got);
  }
  if (path != "-")
    llvm::sys::fs::closeFile(fd);
  if (failure)
    return failure;
  return text;
}

Sources::Loaded Sources::load(llvm::StringRef path) {
  Loaded result;
  if (auto text = replaced.empty() ? replaced.end() : replaced.find(realPath(path)); text != replaced.end()) {
    loaded.push_back(path.str());
    return loadText(text->second, path);
  }
  if (path != "-" && llvm::sys::fs::is_directory(path)) {
    result.problem = Problem::IsDirectory;
    return result;
  }
  llvm::ErrorOr<std::string> text = readBounded(path, limits::sourceBytes);
  if (!text) {
    result.problem = Problem::Missing;
    result.systemMessage = text.getError().message();
    return result;
  }
  if (path != "-")
    loaded.push_back(path.str());
  return loadText(std::move(*text), path == "-" ? llvm::StringRef("<stdin>") : path);
}

std::vector<std::string> Sources::files() const {
  std::vector<std::string> result = loaded;
  llvm::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void Sources::replace(llvm::StringRef path, std::string text) { replaced[realPath(path)] = std::move(text); }

bool Sources::isReplaced(llvm::StringRef path) const { return !replaced.empty() && replaced.contains(realPath(path)); }

Sources::Loaded Sources::loadText(std::string text, llvm::StringRef name) {
  Loaded result;
  if (text.size() > limits::sourceBytes)
    result.problem = Problem::TooLarge;
  else if (llvm::StringRef(text).contains('\0'))
    result.problem = Problem::Binary;
  else if (!isValidUtf8(text))
    result.problem = Problem::NotUtf8;
  else
    result.buffer = add(std::move(text), name);
  return result;
}

unsigned Sources::add(std::string text, llvm::StringRef name) {
  return mgr.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
}

llvm::StringRef Sources::text(unsigned buffer) const { return mgr.getMemoryBuffer(buffer)->getBuffer(); }

llvm::StringRef Sources::name(unsigned buffer) const { return mgr.getMemoryBuffer(buffer)->getBufferIdentifier(); }

Place Sources::place(llvm::SMLoc loc) const {
  Place place;
  if (!loc.isValid())
    return place;
  unsigned buffer = mgr.FindBufferContainingLoc(loc);
  if (buffer == 0)
    return place;
  auto [line, column] = mgr.getLineAndColumn(loc, buffer);
  place.file = name(buffer).str();
  place.line = line;
  place.column = column;
  return place;
}

std::string realPath(llvm::StringRef path) {
  llvm::SmallString<256> real;
  if (!llvm::sys::fs::real_path(path, real))
    return real.str().str();
  llvm::SmallString<256> folder(path);
  llvm::sys::fs::make_absolute(folder);
  const std::string name = llvm::sys::path::filename(folder).str();
  llvm::sys::path::remove_filename(folder);
  if (llvm::sys::fs::real_path(folder, real))
    real = folder;
  llvm::sys::path::append(real, name);
  return real.str().str();
}

std::string pathFromHere(llvm::StringRef path) {
  llvm::SmallString<256> here;
  llvm::StringRef rest = path;
  if (!llvm::sys::fs::current_path(here) && rest.consume_front(here) && rest.consume_front("/") && !rest.empty())
    return rest.str();
  return path.str();
}

} // namespace quadrille::compiler
