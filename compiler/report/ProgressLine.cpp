//===- ProgressLine.cpp - What a command is at, for those who wait --------------------------------------------------------===//

#include "ProgressLine.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

ProgressLine::ProgressLine() : isTerminal(llvm::sys::Process::StandardErrIsDisplayed()) {}

void ProgressLine::show(const std::string &text) {
  if (!isTerminal)
    return;
  hide();
  llvm::errs() << text;
  isShown = true;
}

void ProgressLine::hide() {
  if (isShown)
    llvm::errs() << "\r\033[K";
  isShown = false;
}

} // namespace quadrille::compiler
