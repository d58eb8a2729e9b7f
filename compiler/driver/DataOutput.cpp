//===- DataOutput.cpp - Where the results of a command go ------------------------------------------------------------------===//

#include "DataOutput.h"

#include "diagnostics/OutputFile.h"

#include "llvm/ADT/StringSwitch.h"

namespace quadrille::compiler {

std::optional<Results::Format> DataOutput::format() const {
  return llvm::StringSwitch<std::optional<Results::Format>>(session.options.format)
      .Case("json", Results::Format::Json)
      .Case("junit", Results::Format::Junit)
      .Case("csv", Results::Format::Csv)
      .Default(std::nullopt);
}

bool DataOutput::isForFile() const { return !session.options.output.empty() && session.options.output != "-"; }

llvm::raw_ostream &DataOutput::text() const { return isData() && !isForFile() ? llvm::nulls() : llvm::outs(); }

int DataOutput::finish(int status) {
  if (!isData())
    return status;
  auto write = [&](llvm::raw_ostream &out) { results.write(*format(), status == 0, out); };
  return writeOutput(session.options.output, write, session.diagnostics) ? status : 1;
}

} // namespace quadrille::compiler
