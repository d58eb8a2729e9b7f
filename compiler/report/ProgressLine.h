//===- ProgressLine.h - What a command is at, for those who wait ------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_PROGRESSLINE_H
#define QUADRILLE_REPORT_PROGRESSLINE_H

#include <chrono>
#include <string>

namespace quadrille::compiler {

/// A line on standard error for those who wait. On a terminal it is there only as long as they do. Elsewhere, in a log, there is a line
/// every 30 seconds, or as often as $QUADRILLE_PROGRESS says, in seconds; 0: never.
class ProgressLine {
public:
  ProgressLine();
  ~ProgressLine() { hide(); }

  void show(const std::string &text);
  void hide();

private:
  const bool isTerminal;
  bool isShown = false;
  std::chrono::steady_clock::time_point written; // the last line that is not on a terminal
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_PROGRESSLINE_H
