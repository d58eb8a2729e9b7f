//===- Facts.h - The facts of a diagnostic ---------------------------------------------------------------*- C++ -*-===//
//
// For each entry of the catalogue there is a struct with its name and a member for each of its facts. Checks fill it in, so the
// C++ compiler checks the number and the types of facts. Code that needs to know something about a diagnostic reads a member,
// never the text of a message.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DIAGNOSTICS_FACTS_H
#define QUADRILLE_DIAGNOSTICS_FACTS_H

#include "limits/Limits.h"

#include "llvm/ADT/StringRef.h"

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace quadrille::compiler::diag {

enum class Id {
#define DIAGNOSTIC(CODE, SEVERITY, NAME, ...) NAME,
#define NOTE(NAME, ...) NAME,
#include "Catalogue.def"
};

enum class PhraseId {
#define PHRASE(GROUP, NAME, ...) GROUP##NAME,
#include "Phrases.def"
};

// ---- types of facts ----------------------------------------------------------------------------------------------------
//
// They have no default constructors, so that no fact can be forgotten.

template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

template <class Purpose> struct Integer {
  std::int64_t value;
  template <WholeNumber T> Integer(T value) : value(static_cast<std::int64_t>(value)) {}
};
using Number = Integer<struct OfNumber>;
using Rank = Integer<struct OfRank>; // from 0; in an error it may be a rank that does not exist
using Round = Integer<struct OfRound>;

/// An integer that may be absent.
template <class Purpose> struct MaybeInteger {
  std::optional<std::int64_t> value;
  MaybeInteger(std::nullopt_t) {}
  template <WholeNumber T> MaybeInteger(T value) : value(static_cast<std::int64_t>(value)) {}
  template <WholeNumber T> MaybeInteger(std::optional<T> value) : value(value) {}
};
using MaybeNumber = MaybeInteger<struct OfNumber>;
using MaybeRank = MaybeInteger<struct OfRank>;
using MaybeRound = MaybeInteger<struct OfRound>;

/// A limit that was reached. Messages about it end with its name.
struct Limit {
  LimitInForce value;
  Limit(LimitInForce value) : value(value) {}
  template <typename T, bool isScaled> Limit(const compiler::Limit<T, isScaled> &limit) : value(limit) {}
};

struct Flag {
  bool value;
  template <std::same_as<bool> T> Flag(T value) : value(value) {}
};

template <class Purpose> struct String {
  std::string value;
  String(std::string value) : value(std::move(value)) {}
  String(llvm::StringRef value) : value(value.str()) {}
  String(const char *value) : value(value) {}
};
using Name = String<struct OfName>;         // a word of the input or of the language, printed as it is
using Source = String<struct OfSource>;     // a piece of the text that the user wrote, or could have written
using Notation = String<struct OfNotation>; // data, lengths and costs, as schedules write them: `x@0 <> x@1`, `2*alpha`
using Said = String<struct OfSaid>;         // what the system, another program or another library said

template <class Purpose> struct List {
  std::vector<std::string> value;
  List(std::vector<std::string> value) : value(std::move(value)) {}
};
using NameList = List<struct OfNameList>; // "a, b, c"
using AllNames = List<struct OfAllNames>; // "a and b and c"
using Cases = List<struct OfCases>;       // "p = 2; p = 3"

/// A number from 0 on, which may be larger than 2^63. Messages may have other words for 0.
struct Count {
  std::uint64_t value;
  Count(std::uint64_t value) : value(value) {}
};

/// Several numbers. Messages show consecutive ones as ranges: "1..17, 32".
struct NumberSet {
  std::vector<std::int64_t> value;
  NumberSet(std::vector<std::int64_t> value) : value(std::move(value)) {}
};

/// Ranks in the order in which messages name them: "1, 4, 2".
struct RankList {
  std::vector<std::int64_t> value;
  RankList(std::vector<std::int64_t> value) : value(std::move(value)) {}
};

/// How many entries a table has in each of its dimensions.
struct Extents {
  std::vector<std::int64_t> value;
  Extents(std::vector<std::int64_t> value) : value(std::move(value)) {}
};

/// A place of one block or packet: a buffer, and its indices there.
struct Slot {
  struct Place {
    std::string buffer;
    std::vector<std::int64_t> indices;
  } value;
  Slot(Place value) : value(std::move(value)) {}
};

/// A time, as clocks state it.
struct Time {
  std::vector<std::int64_t> value;
  Time(std::vector<std::int64_t> value) : value(std::move(value)) {}
};

/// Blocks or packets that a rank has, sends or receives.
struct Amount {
  struct Counted {
    std::int64_t count;
    bool packets;
  } value;
  Amount(std::int64_t count, bool packets) : value{count, packets} {}
};

/// Consecutive blocks or packets.
struct Part {
  struct Run {
    std::int64_t first, count;
    bool packets;
  } value;
  Part(std::int64_t first, std::int64_t count, bool packets) : value{first, count, packets} {}
};

/// Why a proof leaves something open: a line of prove/terms/Gaps.def, as it is said of this schedule.
struct Gap {
  struct Named {
    std::string name, words;
  } value;
  Gap(Named value) : value(std::move(value)) {}
};

template <class T> struct Maybe {
  std::optional<T> value;
  Maybe(std::nullopt_t) {}
  Maybe(T value) : value(std::move(value)) {}
  Maybe(std::optional<T> value) : value(std::move(value)) {}
};
using MaybeAmount = Maybe<Amount>;
using MaybePart = Maybe<Part>;
using MaybeGap = Maybe<Gap>;

/// Transfers of a rank.
struct Transfers {
  struct Transfer {
    bool sends;
    std::int64_t peer;
  };
  std::vector<Transfer> value;
  Transfers(std::vector<Transfer> value) : value(std::move(value)) {}
};

/// A cycle of ranks: each waits for the next one, the last for the first.
struct Cycle {
  std::vector<std::int64_t> value;
  Cycle(std::vector<std::int64_t> value) : value(std::move(value)) {}
};

/// Numbers with their names: of a case, of arguments.
struct Values {
  std::vector<std::pair<std::string, std::int64_t>> value;
  std::vector<std::int64_t> nodes; // the node of each rank; empty: that does not matter
  Values(std::vector<std::pair<std::string, std::int64_t>> value, std::vector<std::int64_t> nodes = {})
      : value(std::move(value)), nodes(std::move(nodes)) {}
  /// The number with this name; nothing if there is none.
  std::optional<std::int64_t> find(llvm::StringRef name) const;
};

/// Variables with their values, which may be `none`.
struct Bindings {
  std::vector<std::pair<std::string, std::optional<std::int64_t>>> value;
  Bindings(std::vector<std::pair<std::string, std::optional<std::int64_t>>> value) : value(std::move(value)) {}
};

/// A limit that is told by its name alone.
struct LimitName {
  LimitInForce value;
  template <typename T, bool isScaled> LimitName(const compiler::Limit<T, isScaled> &limit) : value(limit) {}
};

// ---- phrases -----------------------------------------------------------------------------------------------------------
//
// A fact for which there are several phrases, each of them with facts of its own, is one of a group of Phrases.def. The struct of a
// phrase is called `diag::GroupName`.

struct Field;

/// Holds the struct of an entry of a table, whichever entry it is.
template <class EntryId> class Holder {
public:
  EntryId id() const { return which; }
  /// The facts as the struct F; null if they belong to another entry.
  template <class F> const F *as() const { return which == F::id ? static_cast<const F *>(held.get()) : nullptr; }

protected:
  template <class F> explicit Holder(std::in_place_t, F facts) : which(F::id), held(std::make_shared<const F>(std::move(facts))) {}

private:
  EntryId which;
  std::shared_ptr<const void> held;
};

template <class F>
concept IsPhrase = std::same_as<decltype(F::id), const PhraseId>;

/// One of the phrases of Phrases.def.
class Phrase : public Holder<PhraseId> {
public:
  template <IsPhrase F> Phrase(F facts) : Holder(std::in_place, std::move(facts)) {}
  /// The facts of the phrase, in the order of the table.
  std::vector<Field> fields() const;
};

/// One of the phrases of a group.
template <class Group> struct PhraseOf : Phrase {
  template <IsPhrase F>
    requires std::same_as<typename F::Group, Group>
  PhraseOf(F facts) : Phrase(std::move(facts)) {}
};

struct MaybePhrase {
  std::optional<Phrase> value;
};

template <class Group> struct MaybePhraseOf : MaybePhrase {
  MaybePhraseOf(std::nullopt_t) {}
  MaybePhraseOf(PhraseOf<Group> phrase) : MaybePhrase{std::move(phrase)} {}
  template <IsPhrase F>
    requires std::same_as<typename F::Group, Group>
  MaybePhraseOf(F facts) : MaybePhrase{Phrase(std::move(facts))} {}
  MaybePhraseOf(std::optional<PhraseOf<Group>> phrase) {
    if (phrase)
      value = std::move(*phrase);
  }
};

/// Several phrases: "a, b or c".
struct AnyPhrase {
  std::vector<Phrase> value;
};

template <class Group> struct AnyPhraseOf : AnyPhrase {
  AnyPhraseOf(const std::vector<PhraseOf<Group>> &phrases) : AnyPhrase{{phrases.begin(), phrases.end()}} {}
  template <IsPhrase F>
    requires std::same_as<typename F::Group, Group>
  AnyPhraseOf(F facts) : AnyPhrase{{Phrase(std::move(facts))}} {}
};

#define PHRASES(GROUP)                                                                                                 \
  using GROUP = PhraseOf<struct Of##GROUP>;                                                                            \
  using Maybe##GROUP = MaybePhraseOf<struct Of##GROUP>;                                                                \
  using Any##GROUP = AnyPhraseOf<struct Of##GROUP>;
#include "Phrases.def"

using Value = std::variant<Number, Rank, Round, MaybeNumber, MaybeRank, MaybeRound, Limit, LimitName, Flag, Name, Source, Notation, Said, NameList,
                           AllNames, Cases, Count, NumberSet, RankList, Extents, Slot, Amount, MaybeAmount, Part, MaybePart, Gap, MaybeGap, Transfers,
                           Time, Cycle, Values, Bindings, Phrase, MaybePhrase, AnyPhrase>;

/// The text of a fact in messages.
std::string text(const Value &value);

// ---- a struct for each entry --------------------------------------------------------------------------------------------

#define FACT(TYPE, NAME) TYPE NAME;
#define PHRASE(GROUP, NAME, TEXT, ...)                                                                                 \
  struct GROUP##NAME {                                                                                                 \
    using Group = Of##GROUP;                                                                                           \
    static constexpr PhraseId id = PhraseId::GROUP##NAME;                                                              \
    __VA_ARGS__                                                                                                        \
  };
#include "Phrases.def"

#define FACT(TYPE, NAME) TYPE NAME;
#define DIAGNOSTIC(CODE, SEVERITY, NAME, TEXT, ...)                                                                     \
  struct NAME {                                                                                                        \
    static constexpr Id id = Id::NAME;                                                                                 \
    __VA_ARGS__                                                                                                        \
  };
#define NOTE(NAME, TEXT, ...) DIAGNOSTIC(0, Note, NAME, TEXT, __VA_ARGS__)
#include "Catalogue.def"

template <class F>
concept IsFacts = std::same_as<decltype(F::id), const Id>;

struct Field {
  llvm::StringLiteral name;
  Value value;
};

/// Holds one of these structs, of any entry.
class Facts : public Holder<Id> {
public:
  template <IsFacts F> Facts(F facts) : Holder(std::in_place, std::move(facts)) {}
  /// All facts, in the order of the catalogue.
  std::vector<Field> fields() const;
};

/// The entry of a phrase.
struct PhraseEntry {
  llvm::StringLiteral group, name, text;
  bool isPlain; // no phrase of the group has facts
};

const PhraseEntry &entry(PhraseId id);
/// All phrases, in the order of the table.
std::vector<PhraseId> allPhrases();

} // namespace quadrille::compiler::diag

#endif // QUADRILLE_DIAGNOSTICS_FACTS_H
