//===- ProgressLine.h - What a command is doing, for those who wait ---------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_PROGRESSLINE_H
#define QUADRILLE_REPORT_PROGRESSLINE_H

#include <chrono>
#include <string>

namespace quadrille::compiler {

/// A line on standard error for those who wait. On a terminal it is shown until the work is done. Elsewhere, as in a log, a line is written
/// every 30 seconds, or every $QUADRILLE_PROGRESS seconds; 0: never.
class ProgressLine {
public:
  ProgressLine();
  ~ProgressLine() { hide(); }

  /// `isNews`: it is written at once, but for $QUADRILLE_PROGRESS = 0.
  void show(const std::string &text, bool isNews = false);
  void hide();

private:
  const bool isTerminal;
  bool isShown = false;
  std::chrono::steady_clock::time_point written; // when the last line was written that is not on a terminal
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_PROGRESSLINE_H
