//===- TableCommand.cpp - quadrille tune --show, --plot -------------------------------------------------------------------------------===//
//
// Tables are read by the library that chooses by them (runtime/collectives/Table.h): there is one description of what a text means.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "TableCommand.h"

#include "Pictures.h"

#include "check/Check.h"
#include "diagnostics/OutputFile.h"
#include "draw/CostMap.h"
#include "emit/LibraryUnits.h"
#include "emit/PacketRule.h"
#include "report/Text.h"
#include "sema/ExprSema.h"

#include "Table.h"
#include "UsualTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>
#include <map>

namespace quadrille::compiler {

namespace {

using quadrille::CandidateFacts;
using quadrille::CandidateParameter;
using quadrille::detail::TableRow;

/// A choice, or none.
struct Chosen {
  const TableRow *row = nullptr;

  std::string text() const {
    if (!row)
      return "any other";
    const CandidateFacts &facts = *row->candidate;
    std::string result = facts.schedule;
    if (facts.parameter != CandidateParameter::None)
      result += std::string(" ") + facts.parameterName + "=" + (row->parameter > 0 ? std::to_string(row->parameter) : "auto");
    return result;
  }
};

class TableCommand {
public:
  explicit TableCommand(Session &session) : session(session), options(session.options) {
    ps = options.ps;
    for (std::int64_t p = 2; options.ps.empty() && p <= 1024; p *= 2)
      ps.push_back(p);
    llvm::sort(ps);
  }

  int run() {
    const llvm::ArrayRef<llvm::StringRef> collectives = emit::libraryCollectives();
    if (!options.plotted.empty() && !llvm::is_contained(collectives, options.plotted))
      session.diagnostics.reportFile(options.plotted,
                                     diag::NothingToList{.near = sema::didYouMean(options.plotted, std::vector<std::string>(collectives.begin(), collectives.end()))});
    if (session.diagnostics.errorCount() || !read())
      return 1;
    if (!options.plotted.empty()) {
      const scene::PictureFormat format = wantedPicture(options).value_or(scene::PictureFormat::Svg);
      if (canWrite(format, session.diagnostics))
        writePicture(session, {draw::mapScene(map(options.plotted), options.look), {}, {}}, format);
    } else {
      for (llvm::StringRef collective : emit::libraryCollectives())
        print(collective.str());
    }
    return session.diagnostics.errorCount() ? 1 : 0;
  }

private:
  bool read() {
    for (const ir::Schedule *schedule : session.library.all()) {
      std::string whyNot;
      const bool hasParameter = schedule->parameterCount > 0;
      const CandidateParameter kind = !hasParameter ? CandidateParameter::None
                                      : emit::takesLength(*schedule) && emit::packetRule(*schedule, whyNot) ? CandidateParameter::Packets
                                                                                                           : CandidateParameter::Other;
      facts.push_back({schedule->collective->name.c_str(), schedule->name.c_str(), kind,
                       hasParameter ? schedule->variables[ir::Schedule::firstNumber].name.c_str() : nullptr,
                       schedule->requiresCommutative && schedule->usesOperator, false, false, "", nullptr});
      schedules[&facts.back()] = schedule;
      known.push_back(&facts.back());
    }
    const std::string backend = options.backend == BackendChoice::Mpi ? "mpi" : "shm";
    if (!options.files.empty()) {
      auto buffer = llvm::MemoryBuffer::getFile(options.files[0], /*IsText=*/true);
      if (!buffer) {
        session.diagnostics.reportFile(options.files[0], diag::FileUnreadable{.reason = buffer.getError().message()});
        return false;
      }
      // A line is a place in the file; the name stands before it in the message.
      if (Status wrong = quadrille::detail::readTable((*buffer)->getBuffer(), "line", backend, known, rows)) {
        std::string reason = wrong.text();
        if (reason.rfind("line:", 0) == 0)
          reason[4] = ' ';
        session.diagnostics.reportFile(options.files[0], diag::NotATable{.reason = std::move(reason)});
        return false;
      }
    }
    const std::string_view usual = backend == "mpi" ? quadrille::detail::usualMpiTable : quadrille::detail::usualShmTable;
    (void)quadrille::detail::readTable(usual, "usual", backend, known, rows);
    return true;
  }

  using Status = quadrille::Status;

  bool admits(const TableRow &row, std::int64_t p) const {
    const ir::Schedule &schedule = *schedules.at(row.candidate);
    Case instance{p, std::vector<std::int64_t>(schedule.numberCount, 0)};
    std::fill_n(instance.numbers.begin(), schedule.parameterCount, std::max<std::int64_t>(row.parameter, 1));
    TreeCache trees;
    return isAdmitted(schedule, instance, trees);
  }

  /// The rows for a collective that are taken with p ranks, in their order.
  std::vector<const TableRow *> rowsFor(const std::string &collective, std::int64_t p) const {
    std::vector<const TableRow *> result;
    for (const TableRow &row : rows)
      if (collective == row.candidate->collective && row.fits(p) && admits(row, p))
        result.push_back(&row);
    return result;
  }

  static Chosen choose(llvm::ArrayRef<const TableRow *> rows, std::uint64_t bytes, bool commutative) {
    for (const TableRow *row : rows)
      if (row->fits(bytes, commutative) && (commutative || !row->candidate->needsCommutative))
        return {row};
    return {};
  }

  /// The bytes at which some row begins to hold, or the first behind it; sorted, with 0.
  static std::vector<std::uint64_t> changes(llvm::ArrayRef<const TableRow *> rows) {
    std::vector<std::uint64_t> result{0};
    for (const TableRow *row : rows) {
      result.push_back(row->bytes.from);
      if (row->bytes.to < quadrille::detail::Interval().to)
        result.push_back(row->bytes.to + 1);
    }
    llvm::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  static std::string bytesOf(std::uint64_t value) {
    return value && value % (1 << 20) == 0 ? std::to_string(value >> 20) + "Mi" : value && value % 1024 == 0 ? std::to_string(value >> 10) + "Ki" : std::to_string(value);
  }

  void print(const std::string &collective) {
    // Numbers of ranks with the same choices stand together.
    std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::vector<std::string>>>> blocks;
    for (std::int64_t p : ps) {
      const std::vector<const TableRow *> fitting = rowsFor(collective, p);
      const std::vector<std::uint64_t> places = changes(fitting);
      std::vector<std::vector<std::string>> lines;
      for (size_t i = 0; i < places.size(); ++i) {
        std::string text = choose(fitting, places[i], true).text();
        if (const std::string ordered = choose(fitting, places[i], false).text(); ordered != text)
          text += "; ordered: " + ordered;
        if (!lines.empty() && lines.back()[2] == text)
          continue;
        if (!lines.empty())
          lines.back()[1] += bytesOf(places[i] - 1) + " B";
        lines.push_back({"", bytesOf(places[i]) + "..", text});
      }
      if (!blocks.empty() && blocks.back().second == lines)
        blocks.back().first.push_back(p);
      else
        blocks.push_back({{p}, lines});
    }
    std::vector<std::vector<std::string>> table;
    for (auto &[ranks, lines] : blocks) {
      lines[0][0] = "  p = " + rangeText(ranks);
      llvm::append_range(table, lines);
    }
    llvm::outs() << collective << '\n';
    printColumns(table, 0, llvm::outs());
  }

  draw::CostMap map(const std::string &collective) {
    draw::CostMap result;
    result.title = "What the table chooses for " + collective;
    result.subtitle = options.files.empty() ? "the table of the library" : options.files[0];
    result.vertical = "bytes of a block";
    constexpr std::uint64_t most = 1 << 24;
    draw::CostPanel panel;
    panel.comparison.ps = ps;
    for (std::int64_t p : ps) {
      const std::vector<const TableRow *> fitting = rowsFor(collective, p);
      std::vector<Stretch> stretches;
      for (std::uint64_t bytes : changes(fitting)) {
        if (bytes > most)
          break;
        const std::string name = choose(fitting, bytes, true).text();
        auto found = llvm::find(result.names, name);
        const size_t best = static_cast<size_t>(found - result.names.begin());
        if (found == result.names.end())
          result.names.push_back(name);
        if (!stretches.empty() && stretches.back().best == best)
          continue;
        if (!stretches.empty())
          stretches.back().to = static_cast<std::int64_t>(bytes) - 1;
        Stretch stretch;
        stretch.from = std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes));
        stretch.to = most;
        stretch.best = best;
        stretches.push_back(stretch);
      }
      panel.comparison.stretches.push_back(std::move(stretches));
    }
    result.panels.push_back(std::move(panel));
    return result;
  }

  Session &session;
  const Options &options;
  std::vector<std::int64_t> ps;
  std::deque<CandidateFacts> facts;
  std::map<const CandidateFacts *, const ir::Schedule *> schedules;
  std::vector<const CandidateFacts *> known;
  std::vector<TableRow> rows; // those of the file, then the library's
};

} // namespace

int tableCommand(Session &session) { return TableCommand(session).run(); }

} // namespace quadrille::compiler
