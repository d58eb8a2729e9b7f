//===- TestTools.h - LLVM's tools that run tests ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_TESTTOOLS_H
#define QUADRILLE_RUN_TESTTOOLS_H

#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler {

class Diagnostics;

namespace run {

struct TestTools {
  std::vector<std::string> lit; // the words of the command
  std::string fileCheckFolder;  // the folder of FileCheck
};

/// Finds lit and FileCheck: in the LLVM that $QUADRILLE_LLVM names or, without that, in $PATH, then in Debian's versions of LLVM, the newest
/// first. Nothing after an error, which has been reported.
std::optional<TestTools> findTestTools(Diagnostics &diagnostics);

} // namespace run
} // namespace quadrille::compiler

#endif // QUADRILLE_RUN_TESTTOOLS_H
