//===- OutputFile.cpp - Writing the output of commands ----------------------------------------------------------------===//

#include "OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace quadrille::compiler {

std::error_code writeFile(llvm::StringRef path, OutputWriter writeTo) {
  if (llvm::StringRef folder = llvm::sys::path::parent_path(path); !folder.empty())
    if (std::error_code failure = llvm::sys::fs::create_directories(folder))
      return failure;
  std::error_code failure;
  llvm::raw_fd_ostream out(path, failure);
  if (failure)
    return failure;
  writeTo(out);
  out.close();
  failure = out.error();
  out.clear_error(); // otherwise the destructor of the stream ends the program
  return failure;
}

bool writeFile(llvm::StringRef path, OutputWriter writeTo, Diagnostics &diagnostics) {
  std::error_code failure = writeFile(path, writeTo);
  if (failure)
    diagnostics.reportFile(path, diag::OutputUnwritable{.reason = failure.message()});
  return !failure;
}

static std::error_code replaceFile(llvm::StringRef path, llvm::StringRef text) {
  namespace fs = llvm::sys::fs;
  llvm::SmallString<256> target;
  if (std::error_code failure = fs::real_path(path, target))
    return failure;
  // Whoever may write to the folder could replace it all the same.
  if (std::error_code failure = fs::access(target, fs::AccessMode::Write))
    return failure;
  llvm::ErrorOr<fs::perms> permissions = fs::getPermissions(target);
  if (!permissions)
    return permissions.getError();
  llvm::Expected<fs::TempFile> made = fs::TempFile::create(target + ".%%%%%%%%.tmp", static_cast<unsigned>(*permissions));
  if (!made)
    return llvm::errorToErrorCode(made.takeError());
  std::error_code failure = fs::setPermissions(made->FD, *permissions); // whatever the umask
  if (!failure) {
    llvm::raw_fd_ostream out(made->FD, /*shouldClose=*/false);
    out << text;
    out.flush();
    failure = out.error();
    out.clear_error();
  }
  llvm::Error ended = failure ? made->discard() : made->keep(target);
  if (std::error_code second = llvm::errorToErrorCode(std::move(ended)); second && !failure)
    failure = second;
  return failure;
}

bool replaceFile(llvm::StringRef path, llvm::StringRef text, Diagnostics &diagnostics) {
  std::error_code failure = replaceFile(path, text);
  if (failure)
    diagnostics.reportFile(path, diag::OutputUnwritable{.reason = failure.message()});
  return !failure;
}

bool writeOutput(llvm::StringRef path, OutputWriter writeTo, Diagnostics &diagnostics) {
  if (!path.empty() && path != "-")
    return writeFile(path, writeTo, diagnostics);
  writeTo(llvm::outs());
  return true;
}

} // namespace quadrille::compiler
