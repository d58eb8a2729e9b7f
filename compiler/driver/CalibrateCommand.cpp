//===- CalibrateCommand.cpp - quadrille calibrate -----------------------------------------------------------------------------------===//

#include "Commands.h"

#include "cache/CacheFolder.h"
#include "cache/MachineFiles.h"
#include "diagnostics/OutputFile.h"
#include "report/Text.h"
#include "run/Calibrate.h"
#include "source/Counted.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <thread>

namespace quadrille::compiler {

static std::string formatted(const char *format, double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, value);
  return text;
}

static void printFits(const MachineDescription &machine, bool verbose, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows{{"pattern", "ranks", "startup", "per word", "r^2", "largest error of the line"}};
  for (const MachineFit &fit : machine.fits)
    rows.push_back({fit.pattern, std::to_string(fit.ranks), durationText(fit.line.startup), durationText(fit.line.perWord),
                    formatted("%.3f", fit.line.r2),
                    formatted("%.0f %% at ", 100 * fit.line.worstRelativeError) + counted(fit.line.worstWords, "word")});
  printWrapped(rows, terminalColumns(out), out);
  for (const MachineFit &fit : machine.fits) {
    if (fit.segments.empty())
      continue;
    out << fit.pattern << " is two lines rather than one:";
    for (size_t i = 0; i < fit.segments.size(); ++i) {
      const LineSegment &segment = fit.segments[i];
      out << (i ? ", then " : " ") << durationText(segment.startup) << " + " << durationText(segment.perWord) << " per word";
      if (i + 1 < fit.segments.size())
        out << " up to " << counted(segment.upToWords, "word");
    }
    out << '\n';
  }
  if (!verbose)
    return;
  for (const MachineFit &fit : machine.fits) {
    out << '\n' << fit.pattern << ", " << counted(fit.ranks, "rank") << '\n';
    std::vector<std::vector<std::string>> table{{"words", "lower quartile", "median", "upper quartile", "line"}};
    for (const MeasuredPoint &point : fit.points)
      table.push_back({std::to_string(point.words), durationText(point.lowerQuartile), durationText(point.median),
                       durationText(point.upperQuartile),
                       durationText(fit.line.startup + fit.line.perWord * static_cast<double>(point.words))});
    printWrapped(table, terminalColumns(out), out);
  }
}

int calibrateCommand(Session &session) {
  const Options &options = session.options;
  run::CalibrationRequest request;
  request.backend = options.backend == BackendChoice::Mpi ? emit::Backend::Mpi : emit::Backend::Shm;
  const unsigned cores = std::thread::hardware_concurrency();
  request.p = options.ps.empty() ? std::max<std::int64_t>(2, cores) : options.ps[0];
  if (!options.types.empty())
    request.element = options.types[0];
  request.executable = options.executable;
  request.launcher = options.launcher;
  const std::string backend = emit::backendName(request.backend).str();
  std::optional<std::string> file = options.output.empty() ? machinePath(backend, request.p) : options.output;
  if (!file) {
    session.diagnostics.report({}, diag::FolderUnwritable{.what = diag::FolderCache{}, .reason = *cacheFolder().problem});
    return 1;
  }
  if (!isWritable(*file, session.diagnostics))
    return 1;
  std::optional<MachineDescription> machine = run::calibrate(request, session.diagnostics);
  if (!machine)
    return 1;
  if (*file == "-") {
    llvm::outs() << machineText(*machine);
    return 0;
  }
  llvm::raw_ostream &out = llvm::outs();
  out << backend << ", " << request.p << " ranks on " << counted(cores, "core") << ", words of type "
      << machine->element << " (" << counted(machine->elementBytes, "byte") << ")\n\n";
  printFits(*machine, options.verbose, out);
  out << "\nthe model: " << machine->parameters.text() << "\n           alpha and beta of shift, gamma of combine: with all "
      << request.p << " ranks active\n";
  const double perByte = machine->parameters.beta / static_cast<double>(machine->elementBytes);
  out << "for emitted code: QUADRILLE_ALPHA=" << formatted("%.6g", machine->parameters.alpha)
      << " QUADRILLE_BETA=" << formatted("%.6g", perByte) << " (seconds, and seconds per byte)\n";
  if (!writeFile(*file, [&](llvm::raw_ostream &text) { text << machineText(*machine); }, session.diagnostics))
    return 1;
  out << "written to " << *file << '\n';
  return 0;
}

} // namespace quadrille::compiler
