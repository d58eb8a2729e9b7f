//===- TableCommand.cpp - quadrille tune --show, --plot -------------------------------------------------------------------------------===//

#include "TableCommand.h"

#include "Pictures.h"

#include "diagnostics/OutputFile.h"
#include "draw/CostMap.h"
#include "emit/LibraryUnits.h"
#include "report/Text.h"
#include "sema/ExprSema.h"
#include "source/Counted.h"
#include "tune/ChoiceTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

namespace {

class TableCommand {
public:
  explicit TableCommand(Session &session) : session(session), options(session.options), table(session.library.all(), options.sharesCores, session.diagnostics) {
    ps = options.ps;
    for (std::int64_t p = 2; options.ps.empty() && p <= 1024; p *= 2)
      ps.push_back(p);
    llvm::sort(ps);
  }

  int run() {
    const llvm::ArrayRef<llvm::StringRef> collectives = emit::libraryCollectives();
    if (!options.plotted.empty() && !llvm::is_contained(collectives, options.plotted)) {
      session.diagnostics.reportFile(options.plotted,
                                     diag::NothingToList{.near = sema::didYouMean(options.plotted, std::vector<std::string>(collectives.begin(), collectives.end()))});
      return 2;
    }
    const std::string backend = options.backend == BackendChoice::Mpi ? "mpi" : "shm", file = options.files.empty() ? "" : options.files[0];
    if (session.diagnostics.errorCount() || !table.read(file, backend))
      return 1;
    if (!file.empty() && !options.plotted.empty()) {
      tune::Journal journal = tune::Journal::beside(file, backend);
      if (!journal.read(session.diagnostics))
        return 1;
      worth = table.worth(options.plotted, journal);
    }
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
  void print(const std::string &collective) {
    // Numbers of ranks with the same choices stand together.
    std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::vector<std::string>>>> blocks;
    for (std::int64_t p : ps) {
      const auto fitting = table.rowsFor(collective, p);
      const std::vector<std::uint64_t> places = tune::ChoiceTable::changes(fitting);
      std::vector<std::vector<std::string>> lines;
      for (size_t i = 0; i < places.size(); ++i) {
        std::string text = tune::ChoiceTable::choose(fitting, places[i], true).text();
        if (const std::string ordered = tune::ChoiceTable::choose(fitting, places[i], false).text(); ordered != text)
          text += "; ordered: " + ordered;
        if (!lines.empty() && lines.back()[2] == text)
          continue;
        if (!lines.empty())
          lines.back()[1] += binaryText(places[i] - 1) + " B";
        lines.push_back({"", binaryText(places[i]) + "..", text});
      }
      if (!blocks.empty() && blocks.back().second == lines)
        blocks.back().first.push_back(p);
      else
        blocks.push_back({{p}, lines});
    }
    std::vector<std::vector<std::string>> printed;
    for (auto &[ranks, lines] : blocks) {
      lines[0][0] = "  p = " + rangeText(ranks);
      llvm::append_range(printed, lines);
    }
    llvm::outs() << collective << '\n';
    printWrapped(printed, terminalColumns(llvm::outs()), llvm::outs());
  }

  draw::CostMap map(const std::string &collective) {
    draw::CostMap result;
    result.title = "What the table chooses for " + collective;
    result.subtitle = options.files.empty() ? "the table of the library" : llvm::sys::path::filename(options.files[0]).str();
    if (worth)
      result.subtitle += ": " + tune::worthText(*worth);
    result.vertical = "bytes of a block";
    constexpr std::uint64_t most = 1 << 24;
    draw::CostPanel panel;
    panel.comparison.ps = ps;
    for (std::int64_t p : ps) {
      const auto fitting = table.rowsFor(collective, p);
      std::vector<Stretch> stretches;
      for (std::uint64_t bytes : tune::ChoiceTable::changes(fitting)) {
        if (bytes > most)
          break;
        const std::string name = tune::ChoiceTable::choose(fitting, bytes, true).text();
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
  tune::ChoiceTable table;
  std::optional<tune::Worth> worth; // of what is plotted
};

} // namespace

int tableCommand(Session &session) { return TableCommand(session).run(); }

} // namespace quadrille::compiler
