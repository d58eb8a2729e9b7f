//===- Hover.cpp - What is said of a name or a clause -------------------------------------------------------------------------------===//

#include "Declarations.h"
#include "Features.h"

#include "cache/CostCache.h"
#include "report/CostReport.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

namespace {

std::string asCode(llvm::StringRef text) { return "```quadrille\n" + text.str() + "\n```"; }

/// How a name is declared, with the comment above.
std::string declared(Analysis &analysis, llvm::SMLoc at) {
  const unsigned buffer = analysis.sources.manager().FindBufferContainingLoc(at);
  const llvm::StringRef text = analysis.sources.text(buffer);
  const ast::File file = parsed(analysis.sources, buffer);
  for (const Declaration &declaration : declarationsOf(file, text))
    if (declaration.whole.Start.getPointer() <= at.getPointer() && at.getPointer() < declaration.whole.End.getPointer()) {
      const std::string comment = commentAbove(text, declaration.whole.Start.getPointer());
      return asCode(headOf(declaration)) + (comment.empty() ? "" : "\n\n" + comment);
    }
  return "";
}

/// What docs/language.md says of a function, a field or a port model: the row of one of its tables.
std::string described(const Settings &settings, llvm::StringRef word) {
  auto page = llvm::MemoryBuffer::getFile(settings.documentation + "/language.md");
  if (!page || word.empty())
    return "";
  // Of several rows, the one that describes the fewest things.
  std::string best;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (llvm::StringRef line : llvm::split((*page)->getBuffer(), '\n')) {
    if (!line.consume_front("| "))
      continue;
    const auto [written, meaning] = line.split(" | ");
    llvm::SmallVector<llvm::StringRef> parts;
    written.split(parts, '`');
    for (std::size_t i = 1; i < parts.size(); i += 2) {
      llvm::StringRef rest = parts[i];
      const bool isField = rest.ends_with(("." + word).str());
      const bool isCall = rest.consume_front(word) && (rest.empty() || rest.starts_with("("));
      if ((isField || isCall) && parts.size() < fewest) {
        fewest = parts.size();
        best = written.str() + ": " + meaning.rtrim("| ").str();
      }
    }
  }
  return best;
}

/// What is known of the cost of a schedule, if a clause about it is at this place.
std::string costs(Analysis &analysis, llvm::SMLoc at) {
  const ast::Schedule *text = analysis.scheduleAround(at);
  const ir::Schedule *schedule = text ? analysis.analyzed(*text) : nullptr;
  if (!schedule)
    return "";
  const bool isThere = llvm::any_of(text->clauses, [&](const ast::Clause &clause) {
    return (clause.kind == ast::ClauseKind::Cost || clause.kind == ast::ClauseKind::Rounds) && clause.range.Start.getPointer() <= at.getPointer() &&
           at.getPointer() <= clause.range.End.getPointer();
  });
  if (!isThere)
    return "";
  const Settings &settings = analysis.world.settings;
  std::optional<CostCache> cache;
  if (settings.useCache)
    cache.emplace(analysis.library, analysis.sources, settings.executable, analysis.diagnostics);
  ClosedFormOptions options;
  options.limits = settings.checks.limits;
  std::string result;
  try {
    const CostSummary summary = costSummary(*schedule, options, cache);
    llvm::raw_string_ostream out(result);
    printCostSummary(*schedule, summary, out);
  } catch (const Finding &) { // its diagnostics say what is wrong
    return "";
  }
  return "```text\n" + result + "```";
}

std::string ofMention(Analysis &analysis, const Mention &mention) {
  const std::string name(mention.range.Start.getPointer(), mention.range.End.getPointer());
  return mention.what.empty() ? declared(analysis, mention.declaration.Start) : "`" + name + "`: " + mention.what;
}

} // namespace

json::Value hover(const World &world, const Document &document, const json::Object &params) {
  Analysis analysis(world, document);
  const Position position = positionFrom(params.get("position")).value_or(Position());
  const llvm::SMLoc at = analysis.place(position);
  const llvm::StringRef word = wordAt(analysis.text(), analysis.offset(at));
  std::string text;
  std::optional<Range> range;
  if (const Mention *mention = analysis.mentionAt(at)) {
    text = ofMention(analysis, *mention);
    range = analysis.range(mention->range);
  }
  // A text with a syntax error has no mentions, and the mention of a used schedule, as in `use allgather/ring`, leaves out the collective.
  if (text.empty())
    if (const ir::Collective *collective = analysis.library.program().findCollective(word))
      text = declared(analysis, collective->range.Start);
  if (text.empty())
    text = described(world.settings, word);
  if (text.empty())
    text = costs(analysis, at);
  if (text.empty())
    return nullptr;
  json::Object result{{"contents", json::Object{{"kind", "markdown"}, {"value", text}}}};
  if (range)
    result["range"] = toJson(*range);
  return result;
}

} // namespace quadrille::compiler::lsp
