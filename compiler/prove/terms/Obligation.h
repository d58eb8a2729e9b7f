//===- Obligation.h - What has to be shown about a schedule -----------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_TERMS_OBLIGATION_H
#define QUADRILLE_PROVE_TERMS_OBLIGATION_H

#include "Gap.h"
#include "Term.h"

#include "diagnostics/Facts.h"
#include "ir/Expr.h"

#include "llvm/Support/SMLoc.h"

#include <string>
#include <vector>

namespace quadrille::compiler::prove {

/// The claims that obligations belong to, in the order in which they are reported.
enum class Claim {
  Defined,        // every expression has a value
  Matching,       // every send meets a receive of the same length, and vice versa
  Port,           // the port model holds
  Deadlock,       // no rank waits for ever; follows from Matching if all ranks take the same steps
  Clock,          // the stated clocks hold: the times of transfers
  Initialization, // nothing empty is sent or promised
  Range,          // no index of a block is outside its buffer
  Race,           // no two receives of a step write to one place, and none to what the step sends
  Invariant,      // the invariants hold at the heads of their loops
  Result,         // every rank ends with what the collective promises
  Operator,       // operands are combined in the order of the ranks
  Cost,           // the cost clause
  Rounds,         // the clause about the number of rounds
};

/// Whether the cost rests on this claim. The contents of buffers do not matter to the cost, nor do claims about them.
inline bool costRestsOn(Claim claim) {
  return claim == Claim::Defined || claim == Claim::Matching || claim == Claim::Range || claim == Claim::Cost ||
         claim == Claim::Rounds;
}

/// `goal` follows from `hypotheses`, for all integer values of the variables.
struct Obligation {
  Claim claim = Claim::Matching;
  std::string name; // the goal in a few words
  llvm::SMRange range;
  std::vector<Term> hypotheses;
  Term goal;
  bool isStatedOnly = false;         // part of an invariant on which no other claim depends
  bool isOfDefinitions = false;      // says nothing of the schedule, only of functions and trees
  const ir::Lemma *lemma = nullptr;  // the lemma whose proof it is part of, or null
};

/// Why something is not proved.
struct Reason {
  Gap gap = Gap::NotShown;
  std::string subject; // the function, or what was not shown; empty: the phrase of `gap` needs none
  std::optional<LimitInForce> limit = std::nullopt; // the limit that ran out, if a higher one might help

  bool operator==(const Reason &) const = default;
  /// "no invariant was found for this loop, within `fitSize` = 6". What searches leave open that do not tell which limit ended them names
  /// an effort below 1, which may be the reason.
  std::string text() const {
    const bool isOfSearch = gap == Gap::NotShown || gap == Gap::RoundsByRank;
    const std::string without = isOfSearch && effort() < defaultEffort ? ", with " + effortText() : "";
    return gapText(gap, subject) + (limit ? ", within " + limit->text() : without);
  }
  /// The same for messages.
  diag::Gap fact() const { return diag::Gap::Named{gapName(gap).str(), text()}; }
};

/// Why a schedule, or a part of it, cannot be modelled or proved, and which place of the text is to blame.
struct NotModelled : Reason {
  llvm::SMRange range;

  NotModelled(Gap gap, llvm::SMRange range, std::optional<LimitInForce> limit = std::nullopt)
      : NotModelled(gap, {}, range, limit) {}
  NotModelled(Gap gap, std::string subject, llvm::SMRange range, std::optional<LimitInForce> limit = std::nullopt)
      : Reason{gap, std::move(subject), limit}, range(range) {}
  NotModelled(const TermOverflow &overflow, llvm::SMRange range)
      : NotModelled(overflow.limit ? Gap::LongFormula : Gap::WideNumbers, range, overflow.limit) {}
  NotModelled() = default;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_OBLIGATION_H
