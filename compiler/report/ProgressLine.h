//===- ProgressLine.h - What a command is doing, for those who wait ---------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_PROGRESSLINE_H
#define QUADRILLE_REPORT_PROGRESSLINE_H

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace quadrille::compiler {

/// A line on standard error for those who wait. On a terminal it is shown until the work is done. Elsewhere, as in a log or on a terminal that
/// cannot overwrite (TERM=dumb), the latest line is written every 30 seconds, or every $QUADRILLE_PROGRESS seconds, also while there is no
/// newer one; 0: never. Any thread may show a line.
class ProgressLine {
public:
  ProgressLine();
  ~ProgressLine();

  /// `isNews`: it is written at once, but for $QUADRILLE_PROGRESS = 0.
  void show(const std::string &text, bool isNews = false);
  void hide();

  /// $QUADRILLE_PROGRESS, if it is set to what is no number of seconds; else empty.
  static std::string ignoredSetting();

private:
  void writeInTime();
  void erase();

  const bool isTerminal;
  std::mutex mutex;
  std::string shown; // the latest line; empty: hidden
  // Where it is no terminal:
  std::chrono::steady_clock::time_point written; // when the last line was
  std::condition_variable changed;               // `shown` or `isOver`
  bool isOver = false;
  std::thread writer;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_PROGRESSLINE_H
