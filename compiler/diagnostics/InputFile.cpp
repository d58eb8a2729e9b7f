//===- InputFile.cpp - Files that cannot be read ----------------------------------------------------------------------------------===//

#include "InputFile.h"

#include "limits/Limits.h"

namespace quadrille::compiler {

void reportUnreadable(const Sources::Loaded &loaded, llvm::StringRef file, Diagnostics &diagnostics) {
  switch (loaded.problem) {
  case Sources::Problem::None:
    return;
  case Sources::Problem::Missing:
    return diagnostics.reportFile(file, diag::FileUnreadable{.reason = loaded.systemMessage});
  case Sources::Problem::IsDirectory:
    return diagnostics.reportFile(file, diag::FileUnreadable{.reason = "it is a folder"});
  case Sources::Problem::TooLarge:
    return diagnostics.reportFile(file, diag::FileTooLarge{.limit = limits::sourceBytes});
  case Sources::Problem::Binary:
    return diagnostics.reportFile(file, diag::FileBinary{});
  case Sources::Problem::NotUtf8:
    return diagnostics.reportFile(file, diag::FileNotUtf8{});
  }
}

} // namespace quadrille::compiler
