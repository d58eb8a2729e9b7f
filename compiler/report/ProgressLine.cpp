//===- ProgressLine.cpp - What a command is doing, for those who wait -----------------------------------------------------===//

#include "ProgressLine.h"

#include "Text.h"

#include "source/Utf8.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>
#include <system_error>

namespace quadrille::compiler {

/// Whether lines on standard error can be overwritten.
static bool canOverwrite() {
  const std::string terminal = llvm::sys::Process::GetEnv("TERM").value_or("");
  return llvm::sys::Process::StandardErrIsDisplayed() && !terminal.empty() && terminal != "dumb";
}

ProgressLine::ProgressLine()
    : isTerminal(canOverwrite()), written(std::chrono::steady_clock::now()) {}

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

/// What $QUADRILLE_PROGRESS says; nothing if it is no number of seconds.
static std::optional<unsigned> chosenPause() {
  unsigned seconds = 0;
  const std::optional<std::string> given = llvm::sys::Process::GetEnv("QUADRILLE_PROGRESS");
  return given && !llvm::StringRef(*given).getAsInteger(10, seconds) ? std::optional(seconds) : std::nullopt;
}

std::string ProgressLine::ignoredSetting() {
  return chosenPause() ? "" : llvm::sys::Process::GetEnv("QUADRILLE_PROGRESS").value_or("");
}

/// Between lines that are not on a terminal; 0: there are none.
static std::chrono::seconds pause() {
  constexpr unsigned usual = 30;
  static const std::chrono::seconds result(chosenPause().value_or(usual));
  return result;
}

/// Takes the line away that is shown. Blanks do what an escape sequence would do, and every terminal knows them.
void ProgressLine::erase() {
  if (!shown.empty())
    llvm::errs() << '\r' << std::string(columnsOf(shown), ' ') << '\r';
}

void ProgressLine::show(const std::string &text, bool isNews) {
  std::lock_guard lock(mutex);
  if (isTerminal) {
    erase();
    // A line that goes on below could not be overwritten.
    const unsigned width = terminalColumns(llvm::errs());
    shown = text;
    while (width > 1 && columnsOf(shown) >= width)
      shown.pop_back();
    llvm::errs() << shown;
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
  assert(!isTerminal && "a line on a terminal stays there");
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
  if (isTerminal)
    erase();
  shown.clear();
}

} // namespace quadrille::compiler
