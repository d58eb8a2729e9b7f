//===- Formatting.cpp - A text in the style of the library ------------------------------------------------------------------------------===//

#include "Features.h"

#include "format/Format.h"
#include "source/Utf8.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

json::Value formatting(const World &, const Document &document, const json::Object &) {
  Sources sources;
  Diagnostics diagnostics(sources, llvm::nulls(), DiagnosticsFormat::Json, /*colour=*/false);
  const Sources::Loaded loaded = sources.loadText(document.text, document.path);
  const std::optional<std::string> formatted =
      loaded.problem == Sources::Problem::None ? format::formatText(sources, loaded.buffer, diagnostics) : std::nullopt;
  if (!formatted)
    return nullptr; // its diagnostics say why
  // One change of all that differs, so that marks beyond it stay where they are.
  llvm::StringRef before = document.text, after = *formatted;
  std::size_t same = 0;
  const std::size_t shorter = std::min(before.size(), after.size());
  while (same < shorter && before[same] == after[same])
    ++same;
  std::size_t sameAtEnd = 0;
  while (sameAtEnd < shorter - same && before[before.size() - 1 - sameAtEnd] == after[after.size() - 1 - sameAtEnd])
    ++sameAtEnd;
  // The change must not begin or end within a character, nor begin within an end of line.
  while (same > 0 && ((same < before.size() && continuesCharacter(before[same])) || before[same - 1] == '\r'))
    --same;
  const auto isWithin = [&](std::size_t at) { return continuesCharacter(before[at]) || (at > 0 && before[at - 1] == '\r' && before[at] == '\n'); };
  while (sameAtEnd > 0 && isWithin(before.size() - sameAtEnd))
    --sameAtEnd;
  if (before == after)
    return json::Array{};
  const TextLines lines(before);
  return json::Array{json::Object{{"range", toJson(lines.range(same, before.size() - sameAtEnd))},
                                  {"newText", after.slice(same, after.size() - sameAtEnd).str()}}};
}

} // namespace quadrille::compiler::lsp
