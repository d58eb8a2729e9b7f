//===- OutputFile.cpp - Writing the output of commands ----------------------------------------------------------------===//

#include "OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace quadrille::compiler {

namespace fs = llvm::sys::fs;

/// Makes a folder for what others may read, too, as far as the umask says so.
static std::error_code makeFolders(llvm::StringRef path) {
  return fs::create_directories(path, /*IgnoreExisting=*/true, fs::all_all);
}

static std::error_code writeAll(llvm::raw_fd_ostream &out, OutputWriter write) {
  write(out);
  out.flush();
  const std::error_code failure = out.error();
  out.clear_error(); // otherwise the destructor of the stream ends the program
  return failure;
}

/// Writes in place: to a device, or where no other file can be made beside this one.
static std::error_code writeInPlace(llvm::StringRef path, OutputWriter write) {
  std::error_code failure;
  llvm::raw_fd_ostream out(path, failure);
  if (failure)
    return failure;
  failure = writeAll(out, write);
  out.close();
  const std::error_code closing = out.error();
  out.clear_error();
  return failure ? failure : closing;
}

std::error_code writeFile(llvm::StringRef path, OutputWriter write) {
  if (llvm::StringRef folder = llvm::sys::path::parent_path(path); !folder.empty())
    if (std::error_code failure = makeFolders(folder))
      return failure;
  // For a symbolic link, write the file that it leads to.
  llvm::SmallString<256> target(path);
  fs::file_status status;
  const bool exists = !fs::status(path, status);
  if (exists && status.type() != fs::file_type::regular_file)
    return writeInPlace(path, write);
  if (exists)
    if (std::error_code failure = fs::real_path(path, target))
      return failure;
  // A file without the right to write is not replaced either.
  if (exists && fs::access(target, fs::AccessMode::Write))
    return writeInPlace(path, write);
  llvm::Expected<fs::TempFile> file = fs::TempFile::create(target + ".%%%%%%%%.tmp", exists ? status.permissions() : fs::all_read | fs::all_write);
  if (!file) {
    llvm::consumeError(file.takeError());
    return writeInPlace(path, write);
  }
  if (exists) // whatever the umask is
    (void)fs::setPermissions(file->FD, status.permissions());
  llvm::raw_fd_ostream out(file->FD, /*shouldClose=*/false);
  std::error_code failure = writeAll(out, write);
  if (failure) {
    llvm::consumeError(file->discard());
    return failure;
  }
  return llvm::errorToErrorCode(file->keep(target));
}

bool writeFile(llvm::StringRef path, OutputWriter writeTo, Diagnostics &diagnostics) {
  std::error_code failure = writeFile(path, writeTo);
  if (failure)
    diagnostics.reportFile(path, diag::OutputUnwritable{.library = "", .reason = failure.message()});
  return !failure;
}

bool writeIfChanged(llvm::StringRef path, llvm::StringRef text, Diagnostics &diagnostics) {
  if (auto old = llvm::MemoryBuffer::getFile(path); old && (*old)->getBuffer() == text)
    return true;
  return writeFile(path, [&](llvm::raw_ostream &out) { out << text; }, diagnostics);
}

bool makeFolder(llvm::StringRef path, Diagnostics &diagnostics) {
  std::error_code failure = makeFolders(path);
  if (!failure && !fs::is_directory(path))
    failure = std::make_error_code(std::errc::not_a_directory);
  if (failure)
    diagnostics.reportFile(path, diag::OutputUnwritable{.library = "", .reason = failure.message()});
  return !failure;
}

static std::error_code whyNotWritable(llvm::StringRef path) {
  fs::file_status status;
  if (!fs::status(path, status)) {
    if (status.type() == fs::file_type::directory_file)
      return std::make_error_code(std::errc::is_a_directory);
    return fs::access(path, fs::AccessMode::Write);
  }
  // The folder, or that in which it would be made.
  llvm::SmallString<256> folder(path);
  if (std::error_code failure = fs::make_absolute(folder))
    return failure;
  do
    llvm::sys::path::remove_filename(folder);
  while (!fs::exists(folder) && llvm::sys::path::has_relative_path(folder));
  return fs::is_directory(folder) ? fs::access(folder, fs::AccessMode::Write) : std::make_error_code(std::errc::not_a_directory);
}

bool isWritable(llvm::StringRef path, Diagnostics &diagnostics) {
  if (path.empty() || path == "-")
    return true;
  const std::error_code failure = whyNotWritable(path);
  if (failure)
    diagnostics.reportFile(path, diag::OutputUnwritable{.library = "", .reason = failure.message()});
  return !failure;
}

bool writeOutput(llvm::StringRef path, OutputWriter writeTo, Diagnostics &diagnostics) {
  if (!path.empty() && path != "-")
    return writeFile(path, writeTo, diagnostics);
  writeTo(llvm::outs());
  return true;
}

} // namespace quadrille::compiler
