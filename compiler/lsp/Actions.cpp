//===- Actions.cpp - Doing what a lens says ---------------------------------------------------------------------------------------------===//

#include "Features.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <unistd.h>

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

json::Value runCommand(const World &world, const Document &document, llvm::StringRef command, llvm::StringRef schedule) {
  Analysis analysis(world, document);
  // This is a process of its own: what it prints is the answer.
  std::FILE *file = std::tmpfile();
  if (!file || ::dup2(::fileno(file), STDOUT_FILENO) < 0)
    throw NoAnswer{"there is no place for a temporary file"};
  const std::size_t before = analysis.diagnostics.reported().size();
  world.settings.runCommand(command, document.path + ":" + schedule.str(), analysis.sources, analysis.diagnostics, analysis.library);
  llvm::outs().flush();
  std::string text;
  std::rewind(file);
  for (char bytes[4096]; const std::size_t count = std::fread(bytes, 1, sizeof(bytes), file);)
    text.append(bytes, count);
  std::fclose(file);
  for (const Diagnostic &diagnostic : llvm::drop_begin(analysis.diagnostics.reported(), before)) {
    const Place place = analysis.sources.place(diagnostic.range.Start);
    text += (place.line ? place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " : "") +
            severityText(analysis.diagnostics.severityOf(diagnostic)).str() + ": " + formatMessage(diagnostic.facts) + "\n";
  }
  return text;
}

} // namespace quadrille::compiler::lsp
