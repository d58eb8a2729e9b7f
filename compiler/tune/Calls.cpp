//===- Calls.cpp - The calls that a program makes ---------------------------------------------------------------------------===//

#include "Calls.h"

#include "diagnostics/InputFile.h"
#include "sema/ExprSema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace quadrille::compiler::tune {

double Call::typicalBytes() const { return std::sqrt(static_cast<double>(leastBytes) * static_cast<double>(mostBytes)); }

namespace {

constexpr llvm::StringLiteral firstLine = "quadrille-calls 1";
constexpr llvm::StringLiteral types[] = {"integer", "floating", "logical", "complex", "byte", "pair", "other", "none"};
constexpr llvm::StringLiteral laws[] = {"commutative", "ordered", "none"};

/// Reads the lines of a text; what is wrong first is reported at its words.
class CallsReader {
public:
  CallsReader(llvm::ArrayRef<llvm::StringRef> collectives, Diagnostics &diagnostics) : collectives(collectives), diagnostics(diagnostics) {}

  std::optional<std::vector<Call>> read(llvm::StringRef text) {
    llvm::StringRef line, rest;
    std::tie(line, rest) = text.split('\n');
    if (text.empty())
      return refuse(text, diag::CallsCutOff{.empty = true, .calls = 0});
    if (line.rtrim('\r') != firstLine)
      return refuseFirst(line.rtrim('\r'));
    std::vector<Call> calls;
    bool hasEnd = false;
    while (!rest.empty()) {
      std::tie(line, rest) = rest.split('\n');
      const llvm::StringRef words = line.trim();
      if (words.empty() || words.starts_with("#"))
        continue;
      const std::string end = "end " + std::to_string(calls.size());
      if (hasEnd)
        return refuse(words, diag::NotACall{.expected = diag::InCallsNothingBehind{.end = end}, .found = words.str(), .near = ""});
      if (words == end) {
        hasEnd = true;
        continue;
      }
      if (words.split(' ').first == "end")
        return refuse(words, diag::CallsCutOff{.empty = false, .calls = calls.size()}, "write `" + end + "`", end);
      Call call;
      if (!readCall(words, call))
        return std::nullopt;
      calls.push_back(std::move(call));
    }
    if (!hasEnd)
      return refuse(text.take_back(0), diag::CallsCutOff{.empty = false, .calls = calls.size()});
    if (calls.empty())
      return refuse(line, diag::NoCallsToTune{.reason = diag::NoCallsNoneMade{}});
    return calls;
  }

private:
  /// "allreduce p=8 bytes=8..12 type=floating op=commutative calls=20".
  bool readCall(llvm::StringRef line, Call &call) {
    llvm::SmallVector<llvm::StringRef> words;
    line.split(words, ' ', -1, /*KeepEmpty=*/false);
    if (!isOneOf<diag::InCallsCollective>(words[0], collectives))
      return false;
    call.collective = words[0].str();
    // The others follow in this order, each with its name.
    constexpr llvm::StringLiteral names[] = {"p", "bytes", "type", "op", "calls"};
    llvm::StringRef values[5];
    for (size_t i = 0; i < 5; ++i) {
      const llvm::StringRef word = i + 1 < words.size() ? words[i + 1] : line.take_back(0);
      const auto [name, value] = word.split('=');
      if (name != names[i] || !word.contains('='))
        return refuse(word, diag::NotACall{.expected = diag::InCallsField{.name = names[i]},
                                           .found = word.str(), .near = ""}),
               false;
      values[i] = value;
    }
    if (words.size() > 6)
      return refuse(words[6], diag::NotACall{.expected = diag::InCallsEndOfLine{}, .found = words[6].str(), .near = ""}), false;
    const auto [least, most] = values[1].split("..");
    if (!isNumber(values[0], call.p) || call.p < 1 || call.p > (std::int64_t(1) << 30))
      return refuse(values[0], diag::NotACall{.expected = diag::InCallsRanks{}, .found = values[0].str(), .near = ""}), false;
    if (!isNumber(least, call.leastBytes) || !isNumber(most, call.mostBytes) || call.leastBytes > call.mostBytes)
      return refuse(values[1], diag::NotACall{.expected = diag::InCallsBytes{}, .found = values[1].str(), .near = ""}), false;
    if (!isOneOf<diag::InCallsTypes>(values[2], types) || !isOneOf<diag::InCallsLaw>(values[3], laws))
      return false;
    if (!isNumber(values[4], call.calls))
      return refuse(values[4], diag::NotACall{.expected = diag::InCallsCalls{}, .found = values[4].str(), .near = ""}), false;
    call.type = values[2].str();
    call.law = values[3].str();
    return true;
  }

  template <class T> static bool isNumber(llvm::StringRef text, T &number) { return !text.getAsInteger(10, number); }

  /// Reports a word that is not known. `Wanted`: the phrase for what it has to be.
  template <class Wanted, class Words> bool isOneOf(llvm::StringRef word, const Words &known) {
    if (llvm::is_contained(known, word))
      return true;
    std::vector<std::string> names;
    for (llvm::StringRef name : known)
      names.push_back(name.str());
    const bool areFew = names.size() <= std::size(types);
    refuse(word, diag::NotACall{.expected = Wanted{.known = areFew ? names : std::vector<std::string>()}, .found = word.str(),
                                .near = sema::didYouMean(word, names)});
    return false;
  }

  std::nullopt_t refuseFirst(llvm::StringRef line) {
    llvm::StringRef version = line;
    if (!version.consume_front("quadrille-calls "))
      version = "";
    return refuse(line, diag::NotCalls{.first = firstLine.str(), .version = version.str()});
  }

  std::nullopt_t refuse(llvm::StringRef at, diag::Facts facts, std::string title = "", std::string replacement = "") {
    const llvm::SMRange range(llvm::SMLoc::getFromPointer(at.begin()), llvm::SMLoc::getFromPointer(at.end()));
    Diagnostic diagnostic(range, std::move(facts));
    if (!title.empty())
      diagnostic.mend({std::move(title), range, std::move(replacement)});
    diagnostics.report(std::move(diagnostic));
    return std::nullopt;
  }

  llvm::ArrayRef<llvm::StringRef> collectives;
  Diagnostics &diagnostics;
};

} // namespace

std::optional<std::vector<Call>> readCalls(const std::string &file, llvm::ArrayRef<llvm::StringRef> collectives, Sources &sources,
                                           Diagnostics &diagnostics) {
  const Sources::Loaded loaded = sources.load(file);
  if (loaded.problem != Sources::Problem::None) {
    reportUnreadable(loaded, file, diagnostics);
    return std::nullopt;
  }
  return CallsReader(collectives, diagnostics).read(sources.text(loaded.buffer));
}

} // namespace quadrille::compiler::tune
