//===- ProgressLine.h - What a command is at, for those who wait ------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_PROGRESSLINE_H
#define QUADRILLE_REPORT_PROGRESSLINE_H

#include <string>

namespace quadrille::compiler {

/// A line on standard error that is there only while somebody waits, and only if there is somebody: a terminal.
class ProgressLine {
public:
  ProgressLine();
  ~ProgressLine() { hide(); }

  void show(const std::string &text);
  void hide();

private:
  const bool isTerminal;
  bool isShown = false;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_PROGRESSLINE_H
