//===- ProgressLine.cpp - What a command is doing, for those who wait -----------------------------------------------------===//

#include "ProgressLine.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <system_error>

namespace quadrille::compiler {

ProgressLine::ProgressLine()
    : isTerminal(llvm::sys::Process::StandardErrIsDisplayed()), written(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
  hide();
  {
    std::lock_guard lock(mutex);
    isOver = true;
  }
  changed.notify_one();
  if (writer.joinable())
    writer.join();
}

/// Between lines that are not on a terminal; 0: there are none.
static std::chrono::seconds pause() {
  static const std::chrono::seconds result = [] {
    unsigned seconds = 30;
    if (std::optional<std::string> given = llvm::sys::Process::GetEnv("QUADRILLE_PROGRESS"))
      if (llvm::StringRef(*given).getAsInteger(10, seconds))
        seconds = 30;
    return std::chrono::seconds(seconds);
  }();
  return result;
}

void ProgressLine::show(const std::string &text, bool isNews) {
  std::lock_guard lock(mutex);
  if (isTerminal) {
    llvm::errs() << (shown.empty() ? "" : "\r\033[K") << text;
    shown = text;
    return;
  }
  if (pause().count() == 0)
    return;
  shown = text;
  if (const auto now = std::chrono::steady_clock::now(); isNews || now - written >= pause()) {
    llvm::errs() << text + "\n"; // in one piece
    written = now;
  }
  if (!writer.joinable()) {
    try {
      writer = std::thread([this] { writeInTime(); });
    } catch (const std::system_error &) {
      // Limits of the shell allow no other thread: lines are written when newer ones come.
    }
  }
  changed.notify_one();
}

void ProgressLine::writeInTime() {
  std::unique_lock lock(mutex);
  while (!isOver) {
    if (shown.empty()) {
      changed.wait(lock);
    } else if (const auto due = written + pause(); std::chrono::steady_clock::now() < due) {
      changed.wait_until(lock, due);
    } else {
      llvm::errs() << shown + "\n";
      written = std::chrono::steady_clock::now();
    }
  }
}

void ProgressLine::hide() {
  std::lock_guard lock(mutex);
  if (isTerminal && !shown.empty())
    llvm::errs() << "\r\033[K";
  shown.clear();
}

} // namespace quadrille::compiler
