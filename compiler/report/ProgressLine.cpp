//===- ProgressLine.cpp - What a command is doing, for those who wait -----------------------------------------------------===//

#include "ProgressLine.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

ProgressLine::ProgressLine()
    : isTerminal(llvm::sys::Process::StandardErrIsDisplayed()), written(std::chrono::steady_clock::now()) {}

/// Seconds between lines that are not on a terminal.
static unsigned pause() {
  unsigned seconds = 30;
  if (std::optional<std::string> given = llvm::sys::Process::GetEnv("QUADRILLE_PROGRESS"))
    if (llvm::StringRef(*given).getAsInteger(10, seconds))
      return 30;
  return seconds;
}

void ProgressLine::show(const std::string &text, bool isNews) {
  if (!isTerminal) {
    static const unsigned seconds = pause();
    const auto now = std::chrono::steady_clock::now();
    if (seconds == 0 || (!isNews && now - written < std::chrono::seconds(seconds)))
      return;
    written = now;
    llvm::errs() << text << '\n';
    return;
  }
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
