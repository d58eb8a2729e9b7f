//===- Calibrate.cpp - Measuring alpha, beta and gamma ---------------------------------------------------------------------------===//

#include "Calibrate.h"

#include "Build.h"

#include "diagnostics/Diagnostics.h"
#include "limits/Limits.h"

#include "quadrille/harness/data.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

namespace quadrille::compiler::run {

namespace {

/// For each size of messages in words, and each batch: the seconds per step of the slowest rank.
using Samples = std::map<std::int64_t, std::vector<double>>;

class Calibrator {
public:
  Calibrator(const CalibrationRequest &request, const Toolchain &toolchain, const std::string &program, std::int64_t bytes,
             Diagnostics &diagnostics)
      : request(request), toolchain(toolchain), program(program), bytes(bytes), diagnostics(diagnostics) {}

  /// Runs patterns on `ranks` ranks and adds their measurements to `fits`; false after an error, which has been reported.
  bool measure(std::int64_t ranks, llvm::ArrayRef<std::string> patterns, std::vector<MachineFit> &fits) {
    Scratch scratch;
    if (scratch.failure) {
      scratch.reportFailure(diagnostics);
      return false;
    }
    std::int64_t words = limits::calibratedWords;
    while (words > 1024 && words > limits::calibratedBytes / (2 * bytes * ranks))
      words /= 2;
    std::vector<std::string> arguments{"--calibrate", std::to_string(ranks), request.element, std::to_string(words), scratch.file("rank")};
    arguments.insert(arguments.end(), patterns.begin(), patterns.end());
    constexpr std::uint64_t timeoutSeconds = limits::calibrationTime;
    const Launched launched = launch(toolchain, program, ranks, arguments, timeoutSeconds, scratch);
    if (launched.ended != Ended::Well)
      return fail(ranks, launched.ended != Ended::NotAtAll,
                  launched.ended == Ended::TooLate ? std::optional(timeoutSeconds) : std::nullopt, launched.problem);
    for (const std::string &pattern : patterns) {
      Samples samples = read(scratch, ranks, pattern);
      MachineFit fit;
      fit.pattern = pattern;
      fit.ranks = ranks;
      for (auto &[size, seconds] : samples)
        fit.points.push_back(summarize(size, std::move(seconds)));
      if (fit.points.size() < 2)
        return fail(ranks, true, std::nullopt, std::nullopt);
      fit.line = fitLine(fit.points);
      fit.segments = fitSegments(fit.points);
      fits.push_back(std::move(fit));
    }
    return true;
  }

private:
  bool fail(std::int64_t ranks, bool started, std::optional<std::uint64_t> seconds, const std::optional<diag::Failure> &problem) {
    diagnostics.report({}, diag::CalibrationFailed{.ranks = ranks, .started = started, .seconds = seconds, .problem = problem});
    return false;
  }

  /// Reads the times of all ranks: the time of a batch is that of its slowest rank.
  Samples read(const Scratch &scratch, std::int64_t ranks, llvm::StringRef pattern) const {
    Samples samples;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      auto file = llvm::MemoryBuffer::getFile(scratch.file("rank" + std::to_string(rank)));
      if (!file)
        continue;
      std::map<std::int64_t, size_t> batches;
      llvm::SmallVector<llvm::StringRef, 0> lines;
      (*file)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
      for (llvm::StringRef line : lines) {
        llvm::SmallVector<llvm::StringRef, 4> fields;
        line.split(fields, ' ');
        std::int64_t words = 0, steps = 0, ns = 0;
        if (fields.size() != 4 || fields[0] != pattern || fields[1].getAsInteger(10, words) || fields[2].getAsInteger(10, steps) ||
            fields[3].getAsInteger(10, ns) || words < 1 || steps < 1)
          continue;
        const size_t batch = batches[words]++;
        std::vector<double> &ofSize = samples[words];
        ofSize.resize(std::max(ofSize.size(), batch + 1));
        // At least 1 ns: relative errors are undefined for a time of 0.
        ofSize[batch] = std::max(ofSize[batch], std::max<double>(1, double(ns)) * 1e-9 / double(steps));
      }
    }
    return samples;
  }

  const CalibrationRequest &request;
  const Toolchain &toolchain;
  const std::string &program;
  const std::int64_t bytes;
  Diagnostics &diagnostics;
};

} // namespace

std::optional<MachineDescription> calibrate(const CalibrationRequest &request, Diagnostics &diagnostics) {
  if (request.p < 2 || request.p > limits::startedRanks) {
    diagnostics.report({}, diag::RunSizeOutOfRange{.what = "p", .value = request.p, .least = 2, .most = limits::startedRanks});
    return std::nullopt;
  }
  harness::Element element;
  if (!harness::find(request.element, element) || harness::usualCombiner(element) != harness::Combiner::Sum) {
    std::vector<std::string> numbers;
    for (const harness::ElementName &name : harness::elementNames)
      if (harness::usualCombiner(name.element) == harness::Combiner::Sum)
        numbers.emplace_back(name.name);
    diagnostics.report({}, diag::UnknownElementType{.type = request.element, .known = numbers});
    return std::nullopt;
  }
  std::optional<Toolchain> toolchain = findToolchain(request.backend, request.executable, request.launcher, diagnostics);
  if (!toolchain)
    return std::nullopt;
  const std::string backend = emit::backendName(request.backend).str();
  // The program is the harness without any collective.
  std::optional<std::string> program = Builder(*toolchain, {}, diagnostics).link({});
  if (!program)
    return std::nullopt;

  MachineDescription machine;
  machine.backend = backend;
  machine.ranks = request.p;
  machine.element = request.element;
  machine.elementBytes = static_cast<std::int64_t>(harness::elementBytes(element));
  Calibrator calibrator(request, *toolchain, *program, machine.elementBytes, diagnostics);
  // Patterns between two ranks run on two ranks only, so that no idle ranks compete for cores.
  if (!calibrator.measure(2, {"message", "exchange"}, machine.fits) ||
      !calibrator.measure(request.p, {"shift", "combine"}, machine.fits))
    return std::nullopt;
  for (const MachineFit &fit : machine.fits) {
    if (fit.pattern == "shift")
      machine.parameters.alpha = fit.line.startup, machine.parameters.beta = fit.line.perWord;
    else if (fit.pattern == "combine")
      machine.parameters.gamma = fit.line.perWord;
  }
  return machine;
}

} // namespace quadrille::compiler::run
