//===- Facts.h - What is known of a finding ---------------------------------------------------------------*- C++ -*-===//
//
// Whoever finds something returns facts: for each entry of the catalogue there is a struct of its name, with a member for
// each of its facts. So their number and their types are checked by the C++ compiler, and whoever wants to know something of
// a finding asks for a member, and never reads a message.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DIAGNOSTICS_FACTS_H
#define QUADRILLE_DIAGNOSTICS_FACTS_H

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

// ---- types of facts ----------------------------------------------------------------------------------------------------
//
// None has a default, so that none is forgotten.

template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

template <class Purpose> struct Integer {
  std::int64_t value;
  template <WholeNumber T> Integer(T value) : value(static_cast<std::int64_t>(value)) {}
};
using Number = Integer<struct OfNumber>;
using Rank = Integer<struct OfRank>; // counted from 0; of an error, it may be none that exists
using Round = Integer<struct OfRound>;

/// Of what is not always there.
template <class Purpose> struct MaybeInteger {
  std::optional<std::int64_t> value;
  MaybeInteger(std::nullopt_t) {}
  template <WholeNumber T> MaybeInteger(T value) : value(static_cast<std::int64_t>(value)) {}
  template <WholeNumber T> MaybeInteger(std::optional<T> value) : value(value) {}
};
using MaybeNumber = MaybeInteger<struct OfNumber>;
using MaybeRank = MaybeInteger<struct OfRank>;
using MaybeRound = MaybeInteger<struct OfRound>;

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
using Name = String<struct OfName>; // from the input or of the language, as it is written there
using Text = String<struct OfText>; // words

/// A time of a clock.
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

/// Consecutive ones of them.
struct Part {
  struct Run {
    std::int64_t first, count;
    bool packets;
  } value;
  Part(std::int64_t first, std::int64_t count, bool packets) : value{first, count, packets} {}
};

template <class T> struct Maybe {
  std::optional<T> value;
  Maybe(std::nullopt_t) {}
  Maybe(T value) : value(std::move(value)) {}
  Maybe(std::optional<T> value) : value(std::move(value)) {}
};
using MaybeAmount = Maybe<Amount>;
using MaybePart = Maybe<Part>;

/// Messages of a rank.
struct Transfers {
  struct Transfer {
    bool sends;
    std::int64_t peer;
  };
  std::vector<Transfer> value;
  Transfers(std::vector<Transfer> value) : value(std::move(value)) {}
};

/// Ranks, each of which waits for the next one and the last one for the first one.
struct Cycle {
  std::vector<std::int64_t> value;
  Cycle(std::vector<std::int64_t> value) : value(std::move(value)) {}
};

/// Numbers and what they are of: a case, arguments.
struct Values {
  std::vector<std::pair<std::string, std::int64_t>> value;
  Values(std::vector<std::pair<std::string, std::int64_t>> value) : value(std::move(value)) {}
  /// The number of that name.
  std::optional<std::int64_t> find(llvm::StringRef name) const;
};

using Value = std::variant<Number, Rank, Round, MaybeNumber, MaybeRank, MaybeRound, Flag, Name, Text, Amount, MaybeAmount, Part, MaybePart,
                           Transfers, Time, Cycle, Values>;

/// As it is written in messages.
std::string text(const Value &value);

// ---- a struct for each entry --------------------------------------------------------------------------------------------

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

/// One of those structs.
class Facts {
public:
  template <IsFacts F> Facts(F facts) : which(F::id), held(std::make_shared<const F>(std::move(facts))) {}

  Id id() const { return which; }
  /// The facts of an entry, or null if these are of another one.
  template <IsFacts F> const F *as() const { return which == F::id ? static_cast<const F *>(held.get()) : nullptr; }
  /// All of them, in the order of the catalogue.
  std::vector<Field> fields() const;

private:
  Id which;
  std::shared_ptr<const void> held;
};

} // namespace quadrille::compiler::diag

#endif // QUADRILLE_DIAGNOSTICS_FACTS_H
