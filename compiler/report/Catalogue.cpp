//===- Catalogue.cpp - What a reader chooses a schedule by --------------------------------------------------------------------------===//

#include "Catalogue.h"

#include "Text.h"
#include "VerdictReport.h"

#include "cost/Coefficients.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"

namespace quadrille::compiler {

// ---- the source that a comment names -----------------------------------------------------------------------------------

/// The line comments right above a declaration, or, if there are none, at the head of its file, below its imports: functions may stand
/// between. One line each, without the line that names the file.
static std::vector<llvm::StringRef> commentOf(const ir::Schedule &schedule, const Sources &sources) {
  const llvm::SourceMgr &manager = sources.manager();
  unsigned buffer = manager.FindBufferContainingLoc(schedule.range.Start);
  if (!buffer)
    return {};
  const char *begin = manager.getMemoryBuffer(buffer)->getBufferStart();
  llvm::StringRef before(begin, static_cast<size_t>(schedule.range.Start.getPointer() - begin));
  llvm::SmallVector<llvm::StringRef, 16> lines;
  before.split(lines, '\n');
  lines.pop_back(); // what stands before the declaration on its own line
  std::vector<llvm::StringRef> result;
  auto take = [&](llvm::StringRef line) {
    line = line.trim();
    bool isComment = line.consume_front("//");
    if (isComment)
      result.push_back(line.trim());
    return isComment;
  };
  for (llvm::StringRef line : llvm::reverse(lines))
    if (!take(line))
      break;
  std::reverse(result.begin(), result.end());
  auto isOfImports = [](llvm::StringRef line) { return line.trim().empty() || line.starts_with("import "); };
  if (result.empty())
    for (llvm::StringRef line : llvm::drop_begin(lines, static_cast<size_t>(llvm::find_if_not(lines, isOfImports) - lines.begin())))
      if (!take(line))
        break;
  if (!result.empty() && result.front().ends_with(".quad"))
    result.erase(result.begin());
  return result;
}

/// The position behind the first year in `text` from `from` on, such as 1997 or 2019a; npos if there is none.
static size_t endOfYear(llvm::StringRef text, size_t from) {
  for (size_t i = from; i + 4 <= text.size(); ++i) {
    llvm::StringRef year = text.substr(i, 4);
    bool isYear =
        (year.starts_with("19") || year.starts_with("20")) && llvm::isDigit(year[2]) && llvm::isDigit(year[3]);
    bool standsAlone = (i == 0 || !llvm::isAlnum(text[i - 1])) && (i + 4 == text.size() || !llvm::isDigit(text[i + 4]));
    if (isYear && standsAlone)
      return i + 4;
  }
  return llvm::StringRef::npos;
}

/// The groups in parentheses that name a source. "(2003)" alone names none, since the authors stand before it.
static std::string citationsInParentheses(llvm::StringRef text) {
  std::string result;
  for (size_t open = text.find('('); open != llvm::StringRef::npos; open = text.find('(', open + 1)) {
    size_t close = open, depth = 0;
    do {
      depth += text[close] == '(';
      depth -= text[close] == ')';
      ++close;
    } while (depth && close < text.size());
    llvm::StringRef group = text.slice(open + 1, close - 1).trim();
    if (depth == 0 && group.size() > 5 && endOfYear(group, 0) != llvm::StringRef::npos) {
      result += (result.empty() ? "" : "; ") + group.str();
      open = close - 1;
    }
  }
  return result;
}

/// Whether a period ends a sentence: a capital letter follows. Otherwise it is part of an abbreviation, as in "Sect. 4".
static bool endsSentence(llvm::StringRef text, size_t period) {
  if (text[period] != '.')
    return false;
  llvm::StringRef rest = text.substr(period + 1);
  if (rest.trim().empty())
    return true;
  return rest[0] == ' ' && llvm::isUpper(rest.ltrim()[0]);
}

std::string citation(llvm::StringRef comment) {
  llvm::SmallVector<llvm::StringRef, 8> lines;
  comment.split(lines, '\n');
  std::string text = llvm::join(lines, " ");
  if (std::string found = citationsInParentheses(text); !found.empty())
    return found;
  size_t year = endOfYear(text, 0);
  if (year == llvm::StringRef::npos)
    return "";
  // The source begins with the last line before the year that follows a line with the end of a sentence.
  size_t begin = 0, at = 0;
  for (llvm::StringRef line : lines) {
    if (at < year && at > 0 && (text[at - 2] == '.' || text[at - 2] == ':'))
      begin = at;
    at += line.size() + 1;
  }
  size_t end = year;
  while (end < text.size() && text[end] != ':' && !endsSentence(text, end))
    ++end;
  return llvm::StringRef(text).slice(begin, end).trim().str();
}

// ---- entries -----------------------------------------------------------------------------------------------------------

static std::string restriction(const ir::Schedule &schedule) {
  std::string result;
  for (const ir::Requirement &requirement : schedule.requirements)
    result += (result.empty() ? "" : ", ") + formulaText(*requirement.condition, schedule);
  return result.empty() ? "any p" : result;
}

CatalogueEntry catalogueEntry(const ir::Schedule &schedule, const Sources &sources, llvm::StringRef library) {
  CatalogueEntry entry;
  entry.collective = schedule.collective->name;
  entry.algorithm = schedule.name;
  entry.ranks = restriction(schedule);
  entry.law = lawText(schedule);
  entry.proved = entry.model = entry.rounds = entry.words = entry.cost = entry.source = "-";
  if (schedule.model)
    entry.model = schedule.model->ports ? "ports(" + formulaText(*schedule.model->ports, schedule) + ")"
                                        : ModelInForce{schedule.model->model, 1}.text();
  auto bound = [](const ir::CostClause &claim) { return std::string(claim.upperBound ? "<= " : ""); };
  if (schedule.cost) {
    entry.cost = bound(*schedule.cost) + formulaText(*schedule.cost->formula, schedule);
    if (auto factors = coefficientTexts(*schedule.cost->formula, schedule)) {
      entry.rounds = bound(*schedule.cost) + factors->alpha;
      entry.words = bound(*schedule.cost) + factors->beta;
    }
  }
  if (schedule.rounds)
    entry.rounds = bound(*schedule.rounds) + formulaText(*schedule.rounds->formula, schedule);
  if (std::string source = citation(llvm::join(commentOf(schedule, sources), "\n")); !source.empty())
    entry.source = source;
  if (llvm::StringRef file(schedule.file); file.consume_front(library))
    entry.file = file.ltrim('/').str();
  return entry;
}

// ---- tables ------------------------------------------------------------------------------------------------------------

namespace {
struct ColumnOfTable {
  const char *title;
  std::string CatalogueEntry::*field;
  bool isFormula;
};
} // namespace

static const ColumnOfTable columns[] = {
    {"ranks", &CatalogueEntry::ranks, true},   {"proved", &CatalogueEntry::proved, false},
    {"model", &CatalogueEntry::model, false},
    {"operator", &CatalogueEntry::law, false}, {"rounds", &CatalogueEntry::rounds, true},
    {"words", &CatalogueEntry::words, true},   {"cost", &CatalogueEntry::cost, true},
    {"source", &CatalogueEntry::source, false}};

void printCatalogueText(const std::vector<CatalogueEntry> &entries, unsigned width, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows = {{"schedule"}};
  for (const ColumnOfTable &column : columns)
    rows[0].push_back(column.title);
  for (const CatalogueEntry &entry : entries) {
    std::vector<std::string> &row = rows.emplace_back();
    row.push_back(entry.collective + "/" + entry.algorithm);
    for (const ColumnOfTable &column : columns)
      row.push_back(entry.*column.field);
  }
  const size_t shown = printColumns(rows, width, out);
  std::string hidden;
  for (size_t i = shown; i < rows[0].size(); ++i)
    hidden += (hidden.empty() ? "" : ", ") + rows[0][i];
  if (!hidden.empty())
    printLines("(no room for: " + hidden + ")\n", width, 2, out);
}

/// A cell of a Markdown table; a `|` would end it, even in code.
static std::string cell(llvm::StringRef text, bool isFormula) {
  std::string result;
  for (char c : text)
    result += c == '|' ? std::string("\\|") : std::string(1, c);
  return isFormula && text != "-" && text != "any p" ? "`" + result + "`" : result;
}

void printCatalogueMarkdown(const std::vector<CatalogueEntry> &entries, bool wholeLibrary, llvm::raw_ostream &out) {
  if (wholeLibrary)
    out << "# The schedule library\n\n"
           "What every schedule of the library needs and costs, as its clauses claim it and `quadrille check`\n"
           "confirms it; [docs/library.md](../docs/library.md) says how to read and use it. This page is written by\n"
           "`quadrille list --prove --format=markdown`; `ninja -C build catalogue` writes it anew.\n";
  llvm::StringRef collective;
  for (const CatalogueEntry &entry : entries) {
    if (entry.collective != collective) {
      bool isFirst = collective.empty() && !wholeLibrary;
      collective = entry.collective;
      out << (isFirst ? "" : "\n") << "## " << collective << "\n\n| algorithm |";
      for (const ColumnOfTable &column : columns)
        out << ' ' << column.title << " |";
      out << "\n|---|";
      for (size_t i = 0; i < std::size(columns); ++i)
        out << "---|";
      out << '\n';
    }
    std::string name = cell(entry.algorithm, true);
    out << "| " << (wholeLibrary && !entry.file.empty() ? "[" + name + "](" + entry.file + ")" : name) << " |";
    for (const ColumnOfTable &column : columns)
      out << ' ' << cell(entry.*column.field, column.isFormula) << " |";
    out << '\n';
  }
}

void printCatalogueJson(const std::vector<CatalogueEntry> &entries, llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attributeArray("schedules", [&] {
      for (const CatalogueEntry &entry : entries)
        json.object([&] {
          json.attribute("collective", entry.collective);
          json.attribute("algorithm", entry.algorithm);
          for (const ColumnOfTable &column : columns) {
            const std::string &text = entry.*column.field;
            json.attribute(column.title, text == "-" ? llvm::json::Value(nullptr) : llvm::json::Value(text));
          }
        });
    });
  });
  out << '\n';
}

} // namespace quadrille::compiler
