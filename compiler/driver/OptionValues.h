//===- OptionValues.h - The values of options, and their parsers --------------------------------------------*- C++ -*-===//
//
// Parsers for llvm::cl, one per kind of value. Messages about refused values are collected in `refusals`, since LLVM's library
// would print messages of its own.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRIVER_OPTIONVALUES_H
#define QUADRILLE_DRIVER_OPTIONVALUES_H

#include "evaluate/Lengths.h"
#include "ir/ModelInForce.h"
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

/// The messages about refused values, in order: "option -p: '0' is empty or below 1".
std::vector<std::string> &refusals();

/// An option as users write it: "-p", "--root".
std::string spelled(const llvm::cl::Option &option);

/// Parses a number such as "16Mi" (16777216); false if it is none, or does not fit in 64 bits.
bool parseNumber(llvm::StringRef text, std::int64_t &value);

/// Adds a message to `refusals`: the option, ": " and the reason. Returns true, as parsers do for a refused value.
bool refuse(const llvm::cl::Option &option, const llvm::Twine &why);

/// The base of all parsers. A parser defines `bool parse(Option &, StringRef name, StringRef text, T &value)`, true if it refuses
/// the text.
template <typename T> class ValueParser : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;
};

/// "1..33", "1,2,5", "16Mi": ranges of numbers, both ends included.
struct NumberRanges {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;

  /// All numbers, ascending.
  std::vector<std::int64_t> all() const;
  /// Some numbers of each range, ascending.
  std::vector<std::int64_t> sampled() const;
  /// Whether there are more than limits::optionValues numbers, probably by mistake.
  bool isTooLong() const;
};

/// Modifiers of NumberRangesParser and NumberParser: the smallest and the largest number.
struct atLeast {
  std::int64_t least;
  llvm::StringRef ofWhat = ""; // the message if a number is smaller
  template <class Opt> void apply(Opt &option) const {
    option.getParser().least = least;
    option.getParser().ofWhat = ofWhat;
  }
};
struct atMost {
  std::int64_t most;
  llvm::StringRef text = ""; // the largest number in messages: "2^30 ranks"
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

/// A number: "16Mi".
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

/// A factor: "4", "0.5".
struct EffortFactor {
  std::uint64_t thousandths = 0;
};
class EffortParser : public ValueParser<EffortFactor> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, EffortFactor &value);
};
using EffortOption = llvm::cl::opt<EffortFactor, false, EffortParser>;

/// A time such as "2us", in seconds.
class DurationParser : public ValueParser<double> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, double &seconds);
};
using DurationOption = llvm::cl::opt<double, false, DurationParser>;

/// One of the words in `choices`.
class WordParser : public ValueParser<std::string> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, std::string &value);

  std::vector<llvm::StringRef> words;
};
using WordOption = llvm::cl::opt<std::string, false, WordParser>;

/// What completions offer as the value of an option: the words that it takes, or the first of a list of words.
std::vector<std::string> &offersOf(const llvm::cl::Option &option);

/// The words that an option takes; empty if it takes other values or none.
std::vector<llvm::StringRef> &choicesOf(const llvm::cl::Option &option);

struct choices {
  std::vector<llvm::StringRef> words;
  template <class Opt> void apply(Opt &option) const {
    option.getParser().words = choicesOf(option) = words;
    offersOf(option).assign(words.begin(), words.end());
  }
};

/// The names in a table of named values.
template <class Table> std::vector<std::string> namesOf(const Table &table) {
  std::vector<std::string> result;
  for (const auto &each : table)
    result.emplace_back(each.name);
  return result;
}

/// A modifier for options that take more than the words which are offered.
struct offers {
  std::vector<std::string> words;
  template <class Opt> void apply(Opt &option) const { offersOf(option) = words; }
};

/// What an option is about in one command: its description, if there is none of its own for the command.
llvm::StringRef descriptionOf(const llvm::cl::Option &option, const llvm::cl::SubCommand &command);
void describeIn(const llvm::cl::Option &option, const llvm::cl::SubCommand &command, llvm::StringRef text);

/// A modifier: the description in some of the option's commands, where it is not the same in all.
struct in {
  in(std::initializer_list<llvm::cl::SubCommand *> commands, llvm::StringRef text) : commands(commands), text(text) {}
  template <class Opt> void apply(Opt &option) const {
    for (const llvm::cl::SubCommand *command : commands)
      describeIn(option, *command, text);
  }
  std::vector<llvm::cl::SubCommand *> commands;
  llvm::StringRef text; // a literal
};

/// A text that a function checks: one parser per function `refused`, which returns true and reports if the text is wrong.
using Check = bool (*)(const llvm::cl::Option &option, llvm::StringRef text);
template <Check refused> class TextParser : public ValueParser<std::string> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text, std::string &value) {
    value = text.str();
    return refused(option, text);
  }
};
bool isNoCommand(const llvm::cl::Option &option, llvm::StringRef text);
bool isNoText(const llvm::cl::Option &option, llvm::StringRef text);
bool isNoNamespace(const llvm::cl::Option &option, llvm::StringRef text);
/// "telephone", "ports(3)"; nothing if the text is no port model.
std::optional<ModelInForce> parseModel(llvm::StringRef text);
bool isNoModel(const llvm::cl::Option &option, llvm::StringRef text);
bool isNoCollective(const llvm::cl::Option &option, llvm::StringRef text);
using TextOption = llvm::cl::opt<std::string, false, TextParser<isNoText>>; // any, but not an empty one
using CommandOption = llvm::cl::opt<std::string, false, TextParser<isNoCommand>>;
using NamespaceOption = llvm::cl::opt<std::string, false, TextParser<isNoNamespace>>;
using ModelOption = llvm::cl::opt<std::string, false, TextParser<isNoModel>>;
using CollectiveOption = llvm::cl::opt<std::string, false, TextParser<isNoCollective>>;

/// A rank, or "all".
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

/// The entries of tables of lengths: a pattern such as "uneven", or numbers, "3,0,5".
class LengthsParser : public ValueParser<LengthChoice> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, LengthChoice &value);
};
using LengthsOption = llvm::cl::opt<LengthChoice, false, LengthsParser>;

/// Where ranks are: a number of nodes, or the node of each rank, "0,0,1,2".
class NodesParser : public ValueParser<NodeChoice> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, NodeChoice &value);
};
using NodesOption = llvm::cl::opt<NodeChoice, false, NodesParser>;

/// Words: "int32,mat2". Empty words are dropped, or refused if the option has `noEmptyWords`.
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

/// What --require takes: "all", and the names of claims with hyphens for blanks.
std::vector<std::string> claimWords();

/// "all", or names of the claims that proofs are about, with hyphens for blanks: "result,operand-order".
class ClaimsParser : public ValueParser<Words> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, Words &value);
};
using ClaimsOption = llvm::cl::opt<Words, false, ClaimsParser>;

/// Ranks that begin late, with their delays: "3:50us,5:1ms".
struct LateRanks {
  std::vector<LateRank> list;
};
class LateRanksParser : public ValueParser<LateRanks> {
public:
  using ValueParser::ValueParser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef text, LateRanks &value);
};
using LateRanksOption = llvm::cl::list<LateRanks, bool, LateRanksParser>;

/// One or several topologies, separated by spaces: "ring:8 hypercube".
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
