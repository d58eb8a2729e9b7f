//===- DataOutput.h - Where the results of a command go ---------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_DATAOUTPUT_H
#define QUADRILLE_DRIVER_DATAOUTPUT_H

#include "Commands.h"

#include "report/Results.h"

namespace quadrille::compiler {

/// The results of a command are text for people. With `--format` they are printed as data for programs instead, and with `-o FILE` they are
/// also written to a file as data.
class DataOutput {
public:
  DataOutput(Session &session, llvm::StringRef command)
      : results(command, session.diagnostics, session.sources), session(session) {}

  /// The stream for text. It discards the text if standard output is for data.
  llvm::raw_ostream &text() const;
  bool isData() const { return format().has_value(); }

  /// Writes the data if any is wanted. \returns the exit status: that of the command, or 1 if the data cannot be written.
  int finish(int status);

  Results results;

private:
  std::optional<Results::Format> format() const;
  bool isForFile() const;

  Session &session;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_DATAOUTPUT_H
