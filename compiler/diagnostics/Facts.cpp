//===- Facts.cpp - Texts of facts and messages ----------------------------------------------------------------------===//

#include "Facts.h"

#include "Diagnostics.h"

#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"

#include <initializer_list>
#include <limits>
#include <string_view>

namespace quadrille::compiler {

namespace diag {

static std::string said(llvm::StringRef text, const std::vector<Field> &fields);

// ---- facts -------------------------------------------------------------------------------------------------------------

std::optional<std::int64_t> Values::find(llvm::StringRef name) const {
  auto found = llvm::find_if(value, [&](const auto &entry) { return entry.first == name; });
  return found == value.end() ? std::nullopt : std::optional(found->second);
}

static std::string join(const std::vector<std::int64_t> &numbers, const char *between) {
  std::string result;
  for (std::int64_t number : numbers)
    result += (result.empty() ? "" : between) + std::to_string(number);
  return result;
}

static std::string join(const std::vector<std::string> &parts, llvm::StringRef between, llvm::StringRef last) {
  std::string result;
  for (size_t i = 0; i < parts.size(); ++i)
    result += (i == 0 ? "" : i + 1 == parts.size() ? last : between).str() + parts[i];
  return result;
}

static std::string textOf(const std::string &words) { return words; }
static std::string textOf(std::uint64_t number) { return std::to_string(number); }
static std::string textOf(const Slot::Place &place) {
  std::string result = place.buffer;
  for (std::int64_t index : place.indices)
    result += "[" + std::to_string(index) + "]";
  return result;
}
static std::string textOf(std::int64_t number) { return std::to_string(number); }
static std::string textOf(const LimitInForce &limit) { return std::to_string(limit.value()); }
static std::string textOf(bool flag) { return flag ? "true" : "false"; }
static std::string textOf(const std::vector<std::pair<std::string, std::int64_t>> &values) {
  std::string result;
  for (const auto &[name, number] : values)
    result += (result.empty() ? "" : ", ") + name + " = " + std::to_string(number);
  return result;
}

static std::string textOf(const Amount::Counted &amount) {
  return counted(amount.count, amount.packets ? "packet" : "block");
}
static std::string textOf(const Amount &amount) { return textOf(amount.value); }
static std::string textOf(const Part::Run &part) {
  const std::string noun = part.packets ? "packet" : "block", first = std::to_string(part.first);
  std::int64_t end;
  if (__builtin_add_overflow(part.first, part.count, &end))
    end = std::numeric_limits<std::int64_t>::max();
  return part.count == 1 ? noun + " " + first : noun + "s " + first + " ..< " + std::to_string(end);
}
static std::string textOf(const Gap::Named &gap) { return gap.words; }
static std::string textOf(const Gap &gap) { return gap.value.words; }
static std::string textOf(const Part &part) { return textOf(part.value); }
template <class T> static std::string textOf(const std::optional<T> &fact) { return fact ? textOf(*fact) : "none"; }
static std::string textOf(const Phrase &phrase) { return said(entry(phrase.id()).text, phrase.fields()); }
static std::string textOf(const std::vector<Transfers::Transfer> &transfers) {
  std::string result;
  for (const Transfers::Transfer &transfer : transfers)
    result += (result.empty() ? "" : " and ") + std::string(transfer.sends ? "sends to" : "receives from") + " rank " +
              std::to_string(transfer.peer);
  return result;
}

static std::string textOf(const std::vector<std::pair<std::string, std::optional<std::int64_t>>> &variables) {
  std::string result;
  for (const auto &[name, number] : variables)
    result += (result.empty() ? "" : ", ") + name + " = " + textOf(number);
  return result;
}

std::string text(const Value &value) {
  if (auto *time = std::get_if<Time>(&value))
    return time->value.size() == 1 ? std::to_string(time->value[0]) : "(" + join(time->value, ", ") + ")";
  if (auto *cycle = std::get_if<Cycle>(&value))
    return cycle->value.empty() ? "" : join(cycle->value, " → ") + " → " + std::to_string(cycle->value[0]);
  if (auto *values = std::get_if<Values>(&value))
    return textOf(values->value) + (values->nodes.empty() ? "" : ", nodes = " + join(values->nodes, ","));
  if (auto *names = std::get_if<NameList>(&value))
    return join(names->value, ", ", ", ");
  if (auto *names = std::get_if<AllNames>(&value))
    return join(names->value, " and ", " and ");
  if (auto *cases = std::get_if<Cases>(&value))
    return join(cases->value, "; ", "; ");
  if (auto *ranks = std::get_if<RankList>(&value))
    return join(ranks->value, ", ");
  if (auto *numbers = std::get_if<NumberSet>(&value))
    return rangeText(numbers->value);
  if (auto *extents = std::get_if<Extents>(&value))
    return join(extents->value, " x ") + (extents->value == std::vector<std::int64_t>{1} ? " entry" : " entries");
  if (auto *limit = std::get_if<LimitName>(&value))
    return limit->value.name();
  if (auto *phrase = std::get_if<Phrase>(&value))
    return textOf(*phrase);
  if (auto *any = std::get_if<AnyPhrase>(&value)) {
    std::vector<std::string> parts;
    for (const Phrase &phrase : any->value)
      parts.push_back(textOf(phrase));
    return join(parts, ", ", " or ");
  }
  return std::visit(
      [](const auto &fact) -> std::string {
        if constexpr (requires { textOf(fact.value); })
          return textOf(fact.value);
        return "";
      },
      value);
}

/// Whether a fact is present: a flag is set, a text is not empty, an optional value is there.
static bool isThere(const Value &value) {
  return std::visit(
      [](const auto &fact) {
        if constexpr (requires { fact.value.empty(); })
          return !fact.value.empty();
        else if constexpr (requires { fact.value.has_value(); })
          return fact.value.has_value();
        else if constexpr (requires { fact.value != 0; })
          return fact.value != 0;
        else
          return true;
      },
      value);
}

/// Whether no phrase of a group has facts.
static bool isPlain(std::string_view group) {
  struct Line {
    std::string_view group, firstFact;
  };
  static constexpr Line lines[] = {
#define FACT(TYPE, NAME) #NAME
#define PHRASE(GROUP, NAME, TEXT, ...) {#GROUP, "" __VA_ARGS__},
#include "Phrases.def"
  };
  return llvm::none_of(lines, [&](const Line &line) { return line.group == group && !line.firstFact.empty(); });
}

std::vector<Field> Facts::fields() const {
  switch (id()) {
#define FACT(TYPE, NAME) {#NAME, given.NAME},
#define DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT, ...)                                                                     \
  case Id::NAME: {                                                                                                     \
    [[maybe_unused]] const diag::NAME &given = *as<diag::NAME>();                                                      \
    return {__VA_ARGS__};                                                                                              \
  }
#define NOTE(NAME, TEXT, ...) DIAGNOSTIC(0, Note, NAME, TEXT, __VA_ARGS__)
#include "Catalogue.def"
  }
  return {};
}

static const PhraseEntry phrases[] = {
#define PHRASE(GROUP, NAME, TEXT, ...) {#GROUP, #NAME, TEXT, isPlain(#GROUP)},
#include "Phrases.def"
};

const PhraseEntry &entry(PhraseId id) { return phrases[static_cast<unsigned>(id)]; }

std::vector<PhraseId> allPhrases() {
  std::vector<PhraseId> ids;
  for (unsigned i = 0; i < std::size(phrases); ++i)
    ids.push_back(static_cast<PhraseId>(i));
  return ids;
}

std::vector<Field> Phrase::fields() const {
  switch (id()) {
#define FACT(TYPE, NAME) {#NAME, given.NAME},
#define PHRASE(GROUP, NAME, TEXT, ...)                                                                                 \
  case PhraseId::GROUP##NAME: {                                                                                        \
    [[maybe_unused]] const GROUP##NAME &given = *as<GROUP##NAME>();                                                    \
    return {__VA_ARGS__};                                                                                              \
  }
#include "Phrases.def"
  }
  return {};
}

// ---- texts -------------------------------------------------------------------------------------------------------------

namespace {

/// A placeholder in a message: `{name}`, `{name:noun}`, `{name:noun|plural}` or `{name?yes|no}`.
struct Placeholder {
  enum Kind { Malformed, Plain, Counted, Choice } kind = Malformed;
  std::string_view name, first, second; // noun and plural; or the texts for a fact that is present and absent
  size_t end = 0;                       // behind the closing brace
};

/// Parses the placeholder at an opening brace.
constexpr Placeholder placeholderAt(std::string_view text, size_t open) {
  Placeholder result;
  size_t at = open + 1;
  while (at < text.size() && ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z')))
    ++at;
  result.name = text.substr(open + 1, at - open - 1);
  if (at == text.size() || result.name.empty())
    return result;
  const char mark = text[at];
  if (mark == '}') {
    result.kind = Placeholder::Plain;
    result.end = at + 1;
    return result;
  }
  if (mark != ':' && mark != '?')
    return result;
  const size_t begin = at + 1;
  size_t bar = std::string_view::npos;
  unsigned depth = 0;
  for (at = begin; at < text.size(); ++at) {
    if (text[at] == '{')
      ++depth;
    else if (text[at] == '|' && depth == 0 && bar == std::string_view::npos)
      bar = at;
    else if (text[at] == '}' && depth-- == 0)
      break;
  }
  if (at == text.size())
    return result;
  result.kind = mark == ':' ? Placeholder::Counted : Placeholder::Choice;
  result.first = text.substr(begin, (bar == std::string_view::npos ? at : bar) - begin);
  if (bar != std::string_view::npos)
    result.second = text.substr(bar + 1, at - bar - 1);
  result.end = at + 1;
  return result;
}

constexpr std::string_view groups[] = {
#define PHRASES(GROUP) #GROUP,
#include "Phrases.def"
};

/// The declaration of a fact: its name and the name of its type.
struct Declared {
  std::string_view name, type;
};
using Declarations = std::initializer_list<Declared>;

constexpr bool admits(Placeholder::Kind kind, std::string_view type) {
  switch (kind) {
  case Placeholder::Malformed:
    return false;
  case Placeholder::Plain:
    return type != "Flag";
  case Placeholder::Counted:
    return type == "Number" || type == "Count";
  case Placeholder::Choice: // of what may be absent
    for (std::string_view present : {"Number", "Limit", "LimitName", "Rank", "Round", "Extents", "Slot", "Amount", "Part", "Gap"})
      if (type == present)
        return false;
    for (std::string_view group : groups)
      if (type == group)
        return false;
    return true;
  }
  return false;
}

/// Whether all placeholders of a text name declared facts, in a form that their types allow.
constexpr bool saysFacts(std::string_view text, Declarations facts) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '}')
      return false;
    if (text[at] != '{')
      continue;
    const Placeholder placeholder = placeholderAt(text, at);
    bool isFact = false;
    for (const Declared &fact : facts)
      isFact |= fact.name == placeholder.name && admits(placeholder.kind, fact.type);
    if (!isFact)
      return false;
    if (placeholder.kind == Placeholder::Choice && (!saysFacts(placeholder.first, facts) || !saysFacts(placeholder.second, facts)))
      return false;
    at = placeholder.end - 1;
  }
  return true;
}

constexpr bool mentions(std::string_view text, std::string_view name) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{')
      continue;
    const Placeholder placeholder = placeholderAt(text, at);
    if (placeholder.name == name || mentions(placeholder.first, name) || mentions(placeholder.second, name))
      return true;
    if (placeholder.kind != Placeholder::Malformed)
      at = placeholder.end - 1;
  }
  return false;
}

/// Whether a fact `limit`, if there is one, is a limit of the table (limits/Limits.def).
constexpr bool isNamed(Declarations facts) {
  for (const Declared &fact : facts)
    if (fact.name == "limit" && fact.type != "Limit" && fact.type != "LimitName")
      return false;
  return true;
}

/// Whether no fact has the name under which the kind of a phrase stands in JSON.
constexpr bool leavesKind(Declarations facts) {
  for (const Declared &fact : facts)
    if (fact.name == "kind")
      return false;
  return true;
}

constexpr bool agree(std::string_view text, Declarations facts) {
  for (const Declared &fact : facts)
    if (!mentions(text, fact.name))
      return false;
  return saysFacts(text, facts);
}

#define FACT(TYPE, NAME) {#NAME, #TYPE},
#define DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT, ...)                                                                     \
  static_assert(agree(TEXT, {__VA_ARGS__}), "the text of " #NAME " speaks of other facts than it has");                   \
  static_assert(isNamed({__VA_ARGS__}), "the limit of " #NAME " is none of limits/Limits.def");
#define NOTE(NAME, TEXT, ...) DIAGNOSTIC(0, Note, NAME, TEXT, __VA_ARGS__)
#include "Catalogue.def"
#define FACT(TYPE, NAME) {#NAME, #TYPE},
#define PHRASE(GROUP, NAME, TEXT, ...)                                                                                 \
  static_assert(agree(TEXT, {__VA_ARGS__}), "the text of " #GROUP #NAME " speaks of other facts than it has");            \
  static_assert(isNamed({__VA_ARGS__}), "the limit of " #GROUP #NAME " is none of limits/Limits.def");                    \
  static_assert(leavesKind({__VA_ARGS__}), "a fact of " #GROUP #NAME " is called `kind`");
#include "Phrases.def"

void fill(std::string_view text, const std::vector<Field> &fields, std::string &out) {
  for (size_t at = 0; at < text.size();) {
    const size_t open = std::min(text.find('{', at), text.size());
    out += text.substr(at, open - at);
    if (open == text.size())
      return;
    const Placeholder placeholder = placeholderAt(text, open);
    const Value &value = llvm::find_if(fields, [&](const Field &field) { return field.name == llvm::StringRef(placeholder.name); })->value;
    if (placeholder.kind == Placeholder::Choice) {
      fill(isThere(value) ? placeholder.first : placeholder.second, fields, out);
    } else {
      const std::string said = diag::text(value);
      out += said;
      if (placeholder.kind == Placeholder::Counted && (said == "1" || placeholder.second.empty()))
        out.append(" ").append(placeholder.first).append(said == "1" ? "" : "s");
      else if (placeholder.kind == Placeholder::Counted)
        out.append(" ").append(placeholder.second);
    }
    at = placeholder.end;
  }
}

} // namespace

/// The text with its facts filled in, and the names of the limits among them.
static std::string said(llvm::StringRef text, const std::vector<Field> &fields) {
  std::string result;
  fill({text.data(), text.size()}, fields, result);
  for (const Field &field : fields)
    if (auto *limit = std::get_if<Limit>(&field.value))
      result += " (" + limit->value.name() + ")";
  return result;
}

} // namespace diag

std::string formatMessage(const diag::Facts &facts) { return diag::said(diag::entry(facts.id()).text, facts.fields()); }

} // namespace quadrille::compiler
