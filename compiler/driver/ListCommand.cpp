//===- ListCommand.cpp - quadrille list, quadrille explain ------------------------------------------------------------------------------===//

#include "Given.h"

#include "diagnostics/FactNames.h"
#include "limits/Limits.h"
#include "report/Catalogue.h"
#include "report/Page.h"
#include "report/ProofReport.h"
#include "report/Text.h"
#include "sema/ExprSema.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// Whether an argument of `list` may name a file or a schedule; if not, it can only name a collective.
static bool isPath(llvm::StringRef name) {
  return name.contains('/') || name == "-" || name.ends_with(".quad") || llvm::sys::fs::exists(name) ||
         llvm::sys::fs::exists(name.rsplit(':').first); // FILE:SCHEDULE
}

/// The schedules that the arguments of `list` name: by a collective, or as for other commands. All schedules if there are none.
static std::vector<const ir::Schedule *> listed(Session &session) {
  const std::vector<std::string> &names = session.options.files;
  if (names.empty())
    return session.library.all();
  std::vector<const ir::Schedule *> result;
  auto add = [&](const ir::Schedule *schedule) {
    if (!llvm::is_contained(result, schedule))
      result.push_back(schedule);
  };
  for (llvm::StringRef name : names) {
    std::vector<std::string> collectives;
    bool isCollective = false;
    for (const ir::Schedule *schedule : session.library.all()) {
      collectives.push_back(schedule->collective->name);
      if (schedule->collective->name == name) {
        isCollective = true;
        add(schedule);
      }
    }
    if (!isCollective && isPath(name))
      for (const ir::Schedule *schedule : session.library.find(name))
        add(schedule);
    else if (!isCollective)
      session.diagnostics.reportFile(name, diag::NothingToList{.near = sema::didYouMean(name, collectives)});
  }
  return result;
}

int listCommand(Session &session) {
  const std::vector<const ir::Schedule *> schedules = listed(session);
  std::vector<CatalogueEntry> entries;
  for (const ir::Schedule *schedule : schedules)
    entries.push_back(catalogueEntry(*schedule, session.sources, session.library.root()));
  // The list of a library is there at once; proofs that nobody has sought yet take minutes.
  size_t unknown = 0;
  if (session.options.wantProof && !session.options.provesListed) {
    const Proofs proofs = givenProofs(session);
    for (size_t i = 0; i < schedules.size(); ++i)
      if (const std::optional<prove::ProofVerdict> known = proofs.remembered(*schedules[i], defaultProofOptions(session.options)))
        entries[i].proved = provedText(*known);
      else
        ++unknown;
  } else if (session.options.wantProof) {
    size_t i = 0;
    proveAll(session, schedules, defaultProofOptions(session.options), [&](prove::ProofVerdict &verdict) {
      entries[i++].proved = provedText(verdict);
      return true;
    });
  }
  // Sort by collective, so that there is one table per collective.
  llvm::stable_sort(entries,
                    [](const CatalogueEntry &a, const CatalogueEntry &b) { return a.collective < b.collective; });
  const std::string &format = session.options.format;
  if (format == "json")
    printCatalogueJson(entries, llvm::outs());
  else if (format == "markdown")
    printCatalogueMarkdown(entries, session.options.files.empty(), llvm::outs());
  else if (!entries.empty())
    printCatalogueText(entries, terminalColumns(llvm::outs()), llvm::outs());
  if (unknown && format == "text") {
    llvm::outs().flush();
    llvm::errs() << "what is proved of " << (unknown == entries.size() ? "them" : std::to_string(unknown) + " of " + std::to_string(entries.size()))
                 << " is not remembered; `quadrille list --prove` seeks it\n";
  }
  return session.diagnostics.errorCount() ? 1 : 0;
}

/// Prints what is known of a limit; false if there is no limit of this name.
static bool explainLimit(llvm::StringRef name, llvm::raw_ostream &out) {
  auto found = llvm::find_if(allLimits(), [&](const LimitEntry &entry) { return entry.name == name; });
  if (found == allLimits().end())
    return false;
  out << found->name << ": " << found->bounds << "\n\n  at most  " << found->value << (found->unit.empty() ? "" : " ") << found->unit
      << "\n  because  " << found->why << "\n  raised   "
      << (found->option.empty() ? llvm::StringRef("by nothing") : llvm::StringRef("by ")) << found->option << '\n';
  return true;
}

static std::vector<diag::PhraseId> phrasesOf(llvm::StringRef group) {
  std::vector<diag::PhraseId> result;
  llvm::copy_if(diag::allPhrases(), std::back_inserter(result), [&](diag::PhraseId id) { return diag::entry(id).group == group; });
  return result;
}

/// "number set" for NumberSet.
static std::string wordsOf(llvm::StringRef type) {
  std::string result;
  for (const char c : type) {
    const bool begins = 'A' <= c && c <= 'Z';
    if (begins && !result.empty())
      result += ' ';
    result += begins ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

/// The facts that programs find in JSON and SARIF, with their types. Of a group of phrases, each with its own facts and its words.
static void printFacts(llvm::ArrayRef<diag::FactName> facts, unsigned indent, llvm::raw_ostream &out) {
  for (diag::FactName fact : facts) {
    const bool mayBeAbsent = fact.type.consume_front("Maybe"), areSeveral = fact.type.consume_front("Any");
    const std::vector<diag::PhraseId> phrases = phrasesOf(fact.type);
    out.indent(indent) << fact.name << ": " << (phrases.empty() ? wordsOf(fact.type) : areSeveral ? "some of" : "one of")
                       << (mayBeAbsent ? ", or null" : "") << '\n';
    for (diag::PhraseId phrase : phrases) {
      out.indent(indent + 4) << diag::entry(phrase).name << ": " << diag::entry(phrase).text << '\n';
      printFacts(diag::factNames(phrase), indent + 8, out);
    }
  }
}

int explainCommand(const Options &options, const std::string &documentation) {
  for (const std::string &code : options.files) {
    if (explainLimit(code, llvm::outs()))
      continue;
    std::string wanted = llvm::StringRef(code).upper();
    const std::vector<diag::Id> all = diag::all();
    const auto id = llvm::find_if(all, [&](diag::Id each) { return diag::codeText(each) == wanted; });
    if (id == all.end()) {
      llvm::errs() << "quadrille: there is no diagnostic '" << code << "'; codes look like Q0301, and limits like callDepth\n";
      return 2;
    }
    llvm::SmallString<256> page(documentation);
    llvm::sys::path::append(page, wanted + ".md");
    auto text = llvm::MemoryBuffer::getFile(page);
    if (!text) {
      llvm::errs() << "quadrille: cannot read " << page << ": " << text.getError().message() << '\n';
      return 1;
    }
    if (&code != &options.files.front())
      llvm::outs() << '\n';
    printPage((*text)->getBuffer(), llvm::outs());
    if (const llvm::ArrayRef<diag::FactName> facts = diag::factNames(*id); !facts.empty()) {
      llvm::outs() << "\nFacts in JSON and SARIF\n\n";
      printFacts(facts, 4, llvm::outs());
    }
  }
  return 0;
}

} // namespace quadrille::compiler
