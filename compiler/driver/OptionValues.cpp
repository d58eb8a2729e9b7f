//===- OptionValues.cpp - The values of options, and their parsers ----------------------------------------------------===//

#include "OptionValues.h"

#include "emit/Names.h"
#include "limits/Limits.h"
#include "machines/Compare.h"
#include "machines/MachineDescription.h"
#include "prove/Prove.h"
#include "run/Toolchain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>

namespace quadrille::compiler {

namespace cl = llvm::cl;

std::vector<std::string> &refusals() {
  static std::vector<std::string> result;
  return result;
}

std::string spelled(const cl::Option &option) { return (option.ArgStr.size() > 1 ? "--" : "-") + option.ArgStr.str(); }

bool refuse(const cl::Option &option, const llvm::Twine &why) {
  refusals().push_back(("option " + spelled(option) + ": " + why).str());
  return true;
}

std::vector<llvm::StringRef> &choicesOf(const cl::Option &option) {
  static std::map<const cl::Option *, std::vector<llvm::StringRef>> result;
  return result[&option];
}

std::vector<std::string> &offersOf(const cl::Option &option) {
  static std::map<const cl::Option *, std::vector<std::string>> result;
  return result[&option];
}

static llvm::StringRef &ownDescription(const cl::Option &option, const cl::SubCommand &command) {
  static std::map<std::pair<const cl::Option *, const cl::SubCommand *>, llvm::StringRef> result;
  return result[{&option, &command}];
}

void describeIn(const cl::Option &option, const cl::SubCommand &command, llvm::StringRef text) { ownDescription(option, command) = text; }

llvm::StringRef descriptionOf(const cl::Option &option, const cl::SubCommand &command) {
  const llvm::StringRef own = ownDescription(option, command);
  return own.empty() ? option.HelpStr : own;
}

static bool refuseNothing(const cl::Option &option) { return refuse(option, "a value is missing"); }

// ---- numbers ---------------------------------------------------------------------------------------------------------------

bool parseNumber(llvm::StringRef text, std::int64_t &value) {
  std::int64_t factor = 1;
  if (text.consume_back("Ki"))
    factor = 1 << 10;
  else if (text.consume_back("Mi"))
    factor = 1 << 20;
  else if (text.consume_back("Gi"))
    factor = 1 << 30;
  return !text.getAsInteger(10, value) && value >= 0 && !__builtin_mul_overflow(value, factor, &value);
}

/// Whether a text that `parseNumber` has refused is a number; if so, it is too large.
static bool isTooLarge(llvm::StringRef text) {
  for (llvm::StringRef unit : {"Ki", "Mi", "Gi"})
    if (text.consume_back(unit))
      break;
  return !text.empty() && llvm::all_of(text, llvm::isDigit);
}

bool NumberRangesParser::parse(cl::Option &option, llvm::StringRef, llvm::StringRef text, NumberRanges &value) {
  if (text.empty())
    return refuseNothing(option);
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    const bool isRange = part.contains("..");
    auto [from, to] = part.split("..");
    std::int64_t lo = 0, hi = 0;
    const bool isFrom = parseNumber(from, lo);
    if (!isFrom || (isRange && !parseNumber(to, hi)))
      return refuse(option, "'" + part + (isTooLarge(isFrom ? to : from) ? "' is beyond 2^63" : "' is neither a number nor a range such as 1..33"));
    if (!isRange)
      hi = lo;
    if (lo < least || hi < lo)
      return refuse(option, "'" + part + "' is empty or below " + llvm::Twine(least));
    if (hi > most)
      return refuse(option, llvm::Twine(hi) + " is more than " + mostText);
    value.ranges.push_back({lo, hi});
  }
  return false;
}

static std::vector<std::int64_t> ascending(std::vector<std::int64_t> values) {
  llvm::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<std::int64_t> NumberRanges::all() const {
  std::vector<std::int64_t> result;
  for (auto [lo, hi] : ranges)
    for (std::int64_t more = 0; more <= hi - lo; ++more) // counts from 0, since the largest number has no successor
      result.push_back(lo + more);
  return ascending(std::move(result));
}

bool NumberRanges::isTooLong() const {
  std::int64_t values = 0;
  for (auto [lo, hi] : ranges)
    if (hi - lo > limits::optionValues || (values += hi - lo) > limits::optionValues)
      return true;
  return false;
}

std::vector<std::int64_t> NumberRanges::sampled() const {
  std::vector<std::int64_t> result;
  for (auto [lo, hi] : ranges)
    llvm::append_range(result, compiler::sampled(lo, hi));
  return ascending(std::move(result));
}

bool NumberParser::parse(cl::Option &option, llvm::StringRef, llvm::StringRef text, Number &number) {
  if (!parseNumber(text, number.value) || number.value > most)
    return refuse(option, "'" + text + "' is not a number from 0 to " + llvm::Twine(most));
  return number.value < least && refuse(option, ofWhat);
}

bool NodesParser::parse(cl::Option &option, llvm::StringRef, llvm::StringRef text, NodeChoice &value) {
  if (text.empty())
    return refuseNothing(option);
  value = {};
  if (!text.contains(','))
    return (!parseNumber(text, value.nodes) || value.nodes < 1) &&
           refuse(option, "'" + text + "' is neither a number of nodes nor a list with the node of each rank, as in 0,0,1,2");
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts)
    if (!parseNumber(part, value.labels.emplace_back()))
      return refuse(option, "'" + part + "' is not the number of a node");
  return false;
}

bool EffortParser::parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text, EffortFactor &value) {
  const std::uint64_t least = limits::leastEffort, most = limits::mostEffort; // in thousandths
  const auto [whole, fraction] = text.split('.');
  const bool hasPoint = text.contains('.');
  auto isNumber = [](llvm::StringRef digits) { return !digits.empty() && llvm::all_of(digits, llvm::isDigit); };
  if (!isNumber(whole) || (hasPoint && !isNumber(fraction)))
    return refuse(option, "'" + text + "' is no number such as 4 or 0.5");
  std::uint64_t number = 0, thousandths = 0;
  if (whole.getAsInteger(10, number) || number > most)
    number = most;
  if (fraction.size() > 3)
    return refuse(option, "'" + text + "' has more than three digits behind the point");
  const std::string digits = fraction.str() + std::string(3 - fraction.size(), '0');
  llvm::StringRef(digits).getAsInteger(10, thousandths);
  value.thousandths = number * 1000 + thousandths;
  if (value.thousandths < least || value.thousandths > most)
    return refuse(option, "'" + text + "' is not between 0.01 and 1000");
  return false;
}

bool DurationParser::parse(cl::Option &option, llvm::StringRef, llvm::StringRef text, double &seconds) {
  std::optional<double> parsed = parseDuration(text);
  seconds = parsed.value_or(0);
  return !parsed && refuse(option, "'" + text + "' is not a time such as 2us or 0.5ns");
}

bool RootParser::parse(cl::Option &option, llvm::StringRef, llvm::StringRef text, RootChoice &value) {
  if (text.empty())
    return refuseNothing(option);
  value.isAll = text == "all";
  std::int64_t rank = 0;
  if (value.isAll || !parseNumber(text, rank))
    return !value.isAll && refuse(option, "'" + text + "' is neither a rank nor 'all'");
  value.rank = rank;
  return false;
}

bool LengthsParser::parse(cl::Option &option, llvm::StringRef, llvm::StringRef text, LengthChoice &value) {
  if (text.empty())
    return refuseNothing(option);
  for (LengthPattern pattern : {LengthPattern::Uneven, LengthPattern::Even, LengthPattern::Single})
    if (text == patternName(pattern)) {
      value.pattern = pattern;
      return false;
    }
  llvm::SmallVector<llvm::StringRef, 16> words;
  text.split(words, ',');
  for (llvm::StringRef word : words) {
    if (!parseNumber(word, value.entries.emplace_back()))
      return refuse(option, "'" + word + "' is neither a number nor one of uneven, even, single");
    if (value.entries.back() > limits::lengthOfOption)
      return refuse(option, word + " is more than 2^40 elements");
  }
  return false;
}

// ---- words -----------------------------------------------------------------------------------------------------------------

bool WordParser::parse(cl::Option &option, llvm::StringRef, llvm::StringRef text, std::string &value) {
  value = text.str();
  return !llvm::is_contained(words, text) && refuse(option, "'" + text + "' is none of " + llvm::join(words, ", "));
}

std::optional<ModelInForce> parseModel(llvm::StringRef text) {
  llvm::StringRef rest = text;
  if (std::int64_t ports = 0; rest.consume_front("ports(") && rest.consume_back(")") && parseNumber(rest, ports) && ports > 0)
    return ModelInForce{ir::PortModel::Ports, ports};
  const std::optional<ir::PortModel> model = ir::portModelNamed(text);
  if (!model || *model == ir::PortModel::Ports) // how many is to be said
    return std::nullopt;
  return ModelInForce{*model};
}

bool isNoModel(const cl::Option &option, llvm::StringRef text) {
  if (parseModel(text))
    return false;
  std::string known;
  for (llvm::StringRef name : ir::portModelNames)
    known += (known.empty() ? "" : ", ") + name.str() + (name == ir::portModelName(ir::PortModel::Ports) ? "(k)" : "");
  return refuse(option, "'" + text + "' is none of " + known);
}

bool isNoCollective(const cl::Option &option, llvm::StringRef text) {
  return text.empty() && refuse(option, "no collective given, such as allreduce");
}

bool isNoText(const cl::Option &option, llvm::StringRef text) { return text.trim().empty() && refuseNothing(option); }

bool isNoCommand(const cl::Option &option, llvm::StringRef text) {
  if (const char quotation = run::unclosedQuotation(text))
    return refuse(option, "the quotation that " + llvm::Twine(quotation) + " begins does not end in '" + text + "'");
  return isNoText(option, text);
}

/// Whether a word is a keyword of C++20, or an alternative spelling of an operator.
static bool isKeyword(llvm::StringRef word) {
  static constexpr llvm::StringLiteral keywords[] = {
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "char16_t",
      "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval",
      "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit",
      "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
      "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
      "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
      "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned",
      "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq"};
  return llvm::is_contained(keywords, word);
}

bool isNoNamespace(const cl::Option &option, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> components;
  text.split(components, "::");
  return llvm::any_of(components, [&](llvm::StringRef component) {
    if (isKeyword(component))
      return refuse(option, "'" + text + "' is no C++ namespace, as '" + component + "' is a keyword");
    if (emit::isMacro(component))
      return refuse(option, "'" + text + "' is no C++ namespace, as headers of C++, POSIX or MPI may define '" + component + "' as a macro");
    if (component == "std" || component.contains("__"))
      return refuse(option, "'" + text + "' is no namespace for others, as it is C++'s own");
    const bool isName = !component.empty() && !llvm::isDigit(component[0]) &&
                        llvm::all_of(component, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    return !isName && refuse(option, "'" + text + "' is no C++ namespace");
  });
}

bool WordsParser::parse(cl::Option &option, llvm::StringRef, llvm::StringRef text, Words &value) {
  llvm::SmallVector<llvm::StringRef, 16> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    if (!part.trim().empty())
      value.list.push_back(part.trim().str());
    else if (refusesEmpty)
      return refuseNothing(option);
  }
  return false;
}

static std::string claimWord(prove::Claim claim) {
  std::string name = prove::claimName(claim).str();
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::vector<std::string> claimWords() {
  std::vector<std::string> result{"all"};
  for (prove::Claim claim : prove::allClaims())
    result.push_back(claimWord(claim));
  return result;
}

bool ClaimsParser::parse(cl::Option &option, llvm::StringRef, llvm::StringRef text, Words &value) {
  llvm::SmallVector<llvm::StringRef, 16> words;
  text.split(words, ',');
  for (llvm::StringRef word : words) {
    const auto named = llvm::find_if(prove::allClaims(), [&](prove::Claim claim) { return claimWord(claim) == word; });
    if (word == "all") {
      value.list.push_back("all");
    } else if (named != prove::allClaims().end()) {
      value.list.push_back(prove::claimName(*named).str());
    } else {
      return refuse(option, "'" + word + "' is no claim; there are " + llvm::join(claimWords(), ", "));
    }
  }
  return false;
}

// ---- machines and networks -------------------------------------------------------------------------------------------------

bool LateRanksParser::parse(cl::Option &option, llvm::StringRef, llvm::StringRef text, LateRanks &value) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    auto [rank, time] = part.split(':');
    std::int64_t number = 0;
    std::optional<double> seconds = parseDuration(time);
    if (!parseNumber(rank, number) || number > std::numeric_limits<std::int32_t>::max() || !seconds)
      return refuse(option, "'" + part + "' is not a rank and a time such as 3:50us");
    value.list.push_back({static_cast<std::uint32_t>(number), *seconds});
  }
  return false;
}

bool TopologiesParser::parse(cl::Option &option, llvm::StringRef, llvm::StringRef given, TopologyTexts &value) {
  llvm::SmallVector<llvm::StringRef, 4> texts;
  llvm::SplitString(given, texts);
  if (texts.empty())
    texts.push_back("");
  for (llvm::StringRef text : texts) {
    std::string error;
    std::optional<topology::TopologyText> parsed = topology::parseTopology(text, error);
    if (!parsed)
      return refuse(option, "'" + text + "': " + error);
    value.list.push_back(std::move(*parsed));
  }
  return false;
}

} // namespace quadrille::compiler
