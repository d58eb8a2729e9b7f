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
using Name = String<struct OfName>; // a word of the input or of the language, printed as it is
using Text = String<struct OfText>; // other text, in words

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

template <class T> struct Maybe {
  std::optional<T> value;
  Maybe(std::nullopt_t) {}
  Maybe(T value) : value(std::move(value)) {}
  Maybe(std::optional<T> value) : value(std::move(value)) {}
};
using MaybeAmount = Maybe<Amount>;
using MaybePart = Maybe<Part>;

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

using Value = std::variant<Number, Rank, Round, MaybeNumber, MaybeRank, MaybeRound, Limit, Flag, Name, Text, Amount, MaybeAmount, Part, MaybePart,
                           Transfers, Time, Cycle, Values>;

/// The text of a fact in messages.
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

/// Holds one of these structs, of any entry.
class Facts {
public:
  template <IsFacts F> Facts(F facts) : which(F::id), held(std::make_shared<const F>(std::move(facts))) {}

  Id id() const { return which; }
  /// The facts as the struct F; null if they belong to another entry.
  template <IsFacts F> const F *as() const { return which == F::id ? static_cast<const F *>(held.get()) : nullptr; }
  /// All facts, in the order of the catalogue.
  std::vector<Field> fields() const;

private:
  Id which;
  std::shared_ptr<const void> held;
};

} // namespace quadrille::compiler::diag

#endif // QUADRILLE_DIAGNOSTICS_FACTS_H
