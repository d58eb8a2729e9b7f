//===- Journal.cpp - What tuning has measured so far ------------------------------------------------------------------------===//

#include "Journal.h"

#include "diagnostics/InputFile.h"
#include "diagnostics/OutputFile.h"
#include "limits/Limits.h"
#include "machines/MachineDescription.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <cmath>

namespace quadrille::compiler::tune {

bool Journal::read(Diagnostics &diagnostics) {
  if (!llvm::sys::fs::exists(file))
    return true;
  const std::optional<std::string> text = readMeasured(file, diagnostics);
  if (!text)
    return false;
  auto refuse = [&](diag::NoMeasurements reason) {
    diagnostics.reportFile(file, diag::NotMeasurements{.reason = std::move(reason)});
    return false;
  };
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(*text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.empty() || lines[0] != "quadrille-measurements 1")
    return refuse(diag::NoMeasurementsFirstLine{.line = "quadrille-measurements 1"});
  if (lines.size() < 2 || lines[1] != "backend " + backend)
    return refuse(diag::NoMeasurementsSecondLine{.line = "backend " + backend});
  for (size_t i = 2; i < lines.size(); ++i) {
    llvm::SmallVector<llvm::StringRef> words;
    lines[i].split(words, ' ', -1, /*KeepEmpty=*/false);
    std::int64_t p = 0;
    std::uint64_t bytes = 0;
    double seconds = 0;
    unsigned round = 0;
    const bool isOfRound = words.size() == 6;
    if ((words.size() != 5 && !isOfRound) || words[0].getAsInteger(10, p) || words[1].getAsInteger(10, bytes) || words[4].getAsDouble(seconds) ||
        !std::isfinite(seconds) || seconds < 0 ||
        (isOfRound && (words[5].getAsInteger(10, round) || round == 0 || round > limits::finalRounds)))
      return refuse(diag::NoMeasurementsLine{.number = i + 1});
    const Key key{p, bytes, words[2].str(), words[3] == "-" ? "" : words[3].str()};
    if (isOfRound)
      noteRound(key, round, seconds);
    else
      note(key, seconds);
  }
  return true;
}

bool Journal::write(Diagnostics &diagnostics) const {
  auto writeTo = [&](llvm::raw_ostream &out) {
    out << "quadrille-measurements 1\nbackend " << backend << '\n';
    for (const auto &[key, seconds] : times) {
      const auto &[p, bytes, path, parameter] = key;
      auto writeLine = [&, of = path, with = parameter.empty() ? "-" : parameter, ranks = p, length = bytes](double time) -> llvm::raw_ostream & {
        return out << ranks << ' ' << length << ' ' << of << ' ' << with << ' ' << jsonNumber(time);
      };
      writeLine(seconds) << '\n';
      for (const auto &[round, inRound] : roundsOf(key))
        writeLine(inRound) << ' ' << round << '\n';
    }
  };
  return writeFile(file, writeTo, diagnostics);
}

const std::map<unsigned, double> &Journal::roundsOf(const Key &key) const {
  static const std::map<unsigned, double> none;
  const auto found = rounds.find(key);
  return found == rounds.end() ? none : found->second;
}

std::optional<double> Journal::find(const Key &key) const {
  auto found = times.find(key);
  return found == times.end() ? std::nullopt : std::optional(found->second);
}

} // namespace quadrille::compiler::tune
