//===- OutputFile.cpp - Writing the output of commands ----------------------------------------------------------------===//

#include "OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
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

bool writeIfChanged(llvm::StringRef path, llvm::StringRef text, Diagnostics &diagnostics) {
  if (auto old = llvm::MemoryBuffer::getFile(path); old && (*old)->getBuffer() == text)
    return true;
  return writeFile(path, [&](llvm::raw_ostream &out) { out << text; }, diagnostics);
}

bool writeOutput(llvm::StringRef path, OutputWriter writeTo, Diagnostics &diagnostics) {
  if (!path.empty() && path != "-")
    return writeFile(path, writeTo, diagnostics);
  writeTo(llvm::outs());
  return true;
}

} // namespace quadrille::compiler
