//===- InputFile.cpp - Files that cannot be read ----------------------------------------------------------------------------------===//

#include "InputFile.h"

#include "limits/Limits.h"

#include "llvm/Support/FileSystem.h"

namespace quadrille::compiler {

void reportUnreadable(const Sources::Loaded &loaded, llvm::StringRef file, Diagnostics &diagnostics) {
  switch (loaded.problem) {
  case Sources::Problem::None:
    return;
  case Sources::Problem::Missing:
    return diagnostics.reportFile(file, diag::FileUnreadable{.reason = loaded.systemMessage, .folder = false});
  case Sources::Problem::IsDirectory:
    return diagnostics.reportFile(file, diag::FileUnreadable{.reason = "", .folder = true});
  case Sources::Problem::TooLarge:
    return diagnostics.reportFile(file, diag::FileTooLarge{.limit = limits::sourceBytes, .data = false});
  case Sources::Problem::Binary:
    return diagnostics.reportFile(file, diag::FileBinary{});
  case Sources::Problem::NotUtf8:
    return diagnostics.reportFile(file, diag::FileNotUtf8{});
  }
}

std::optional<std::string> readMeasured(llvm::StringRef file, Diagnostics &diagnostics) {
  if (llvm::sys::fs::is_directory(file)) {
    diagnostics.reportFile(file, diag::FileUnreadable{.reason = "", .folder = true});
    return std::nullopt;
  }
  llvm::ErrorOr<std::string> text = readBounded(file, limits::measuredBytes);
  if (!text)
    diagnostics.reportFile(file, diag::FileUnreadable{.reason = text.getError().message(), .folder = false});
  else if (text->size() > limits::measuredBytes)
    diagnostics.reportFile(file, diag::FileTooLarge{.limit = limits::measuredBytes, .data = true});
  else
    return std::move(*text);
  return std::nullopt;
}

} // namespace quadrille::compiler
