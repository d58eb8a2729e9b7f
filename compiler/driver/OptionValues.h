//===- OptionValues.h - What options of the command line take -----------------------------------------------*- C++ -*-===//
//
// Parsers for llvm::cl, one per sort of value. What they refuse is said in our words: `refusals` holds it, since LLVM's library
// prints its own.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRIVER_OPTIONVALUES_H
#define QUADRILLE_DRIVER_OPTIONVALUES_H

#include "evaluate/Lengths.h"
#include "machines/Delays.h"
#include "topology/TopologyText.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler {

/// What was refused, first things first: "option -p: '0' is empty or below 1".
std::vector<std::string> &refusals();

/// "-p", "--root"
std::string spelled(const llvm::cl::Option &option);

/// "16Mi" -> 16777216
bool parseNumber(llvm::StringRef text, std::int64_t &value);

/// Says why a value of the option is refused: ": " or what else follows its name included. Returns true, as parsers do.
bool refuse(const llvm::cl::Option &option, const llvm::Twine &why);

/// What all parsers have. A value is given by `bool parse(Option &, StringRef name, StringRef text, T &value)`: true if it is refused.
template <typename T> class ValueParser : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;
};

/// "1..33", "1,2,5", "16Mi": ranges of numbers, both ends included.
struct NumberRanges {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;

  /// All of them, ascending.
  std::vector<std::int64_t> all() const;
  /// Some of each range.
  std::vector<std::int64_t> sampled() const;
  /// More than a million: a slip of the finger.
  bool isTooLong() const;
};

/// Modifiers of NumberRangesParser and NumberParser: from which number on, and up to which.
struct atLeast {
  std::int64_t least;
  llvm::StringRef ofWhat = ""; // "a call that is timed"
  template <class Opt> void apply(Opt &option) const {
    option.getParser().least = least;
    option.getParser().ofWhat = ofWhat;
  }
};
struct atMost {
  std::int64_t most;
  llvm::StringRef text = ""; // "2^30 ranks"
  template <class Opt> void apply(Opt &option) const {
    option.getParser().most = most;
    option.getParser().mostText = text;
  }
};

class NumberRangesParser : public ValueParser<NumberRanges> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, NumberRanges &value);

  std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
  llvm::StringRef ofWhat, mostText;
};
using RangesOption = llvm::cl::opt<NumberRanges, false, NumberRangesParser>;

/// "16Mi"
struct Number {
  Number(std::int64_t value = 0) : value(value) {}
  std::int64_t value;
};
class NumberParser : public ValueParser<Number> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, Number &number);

  std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
  llvm::StringRef ofWhat, mostText;
};
using NumberOption = llvm::cl::opt<Number, false, NumberParser>;

/// "4", "0.5".
struct EffortFactor {
  std::uint64_t thousandths = 0;
};
class EffortParser : public ValueParser<EffortFactor> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, EffortFactor &value);
};
using EffortOption = llvm::cl::opt<EffortFactor, false, EffortParser>;

/// "2us", in seconds.
class DurationParser : public ValueParser<double> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, double &seconds);
};
using DurationOption = llvm::cl::opt<double, false, DurationParser>;

/// One of some words, which `choices` names.
class WordParser : public ValueParser<std::string> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, std::string &value);

  std::vector<llvm::StringRef> words;
};
using WordOption = llvm::cl::opt<std::string, false, WordParser>;

/// The words that an option takes; none: others, or no value at all.
std::vector<llvm::StringRef> &choicesOf(const llvm::cl::Option &option);

struct choices {
  std::vector<llvm::StringRef> words;
  template <class Opt> void apply(Opt &option) const { option.getParser().words = choicesOf(option) = words; }
};

/// A text that is more than a word of some: a parser per check.
using Check = bool (*)(const llvm::cl::Option &option, llvm::StringRef text);
template <Check refused> class TextParser : public ValueParser<std::string> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text, std::string &value) {
    value = text.str();
    return refused(option, text);
  }
};
bool isNoNamespace(const llvm::cl::Option &option, llvm::StringRef text);
bool isNoModel(const llvm::cl::Option &option, llvm::StringRef text);
bool isNoCollective(const llvm::cl::Option &option, llvm::StringRef text);
using NamespaceOption = llvm::cl::opt<std::string, false, TextParser<isNoNamespace>>;
using ModelOption = llvm::cl::opt<std::string, false, TextParser<isNoModel>>;
using CollectiveOption = llvm::cl::opt<std::string, false, TextParser<isNoCollective>>;

/// "all", or a rank.
struct RootChoice {
  bool isAll = false;
  std::optional<std::int64_t> rank;
};
class RootParser : public ValueParser<RootChoice> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, RootChoice &value);
};
using RootOption = llvm::cl::opt<RootChoice, false, RootParser>;

/// "uneven", or "3,0,5": one number per entry.
class LengthsParser : public ValueParser<LengthChoice> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, LengthChoice &value);
};
using LengthsOption = llvm::cl::opt<LengthChoice, false, LengthsParser>;

/// "int32,mat2"; empty words are left out, or refused by `noEmptyWords`.
struct Words {
  std::vector<std::string> list;
};
class WordsParser : public ValueParser<Words> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, Words &value);

  bool refusesEmpty = false;
};
using WordsOption = llvm::cl::opt<Words, false, WordsParser>;
struct noEmptyWords {
  template <class Opt> void apply(Opt &option) const { option.getParser().refusesEmpty = true; }
};

/// "3:50us,5:1ms"
struct LateRanks {
  std::vector<LateRank> list;
};
class LateRanksParser : public ValueParser<LateRanks> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, LateRanks &value);
};
using LateRanksOption = llvm::cl::list<LateRanks, bool, LateRanksParser>;

/// "ring:8 hypercube": one or several, divided by blanks.
struct TopologyTexts {
  std::vector<topology::TopologyText> list;
};
class TopologiesParser : public ValueParser<TopologyTexts> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, TopologyTexts &value);
};
using TopologiesOption = llvm::cl::list<TopologyTexts, bool, TopologiesParser>;

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_OPTIONVALUES_H
