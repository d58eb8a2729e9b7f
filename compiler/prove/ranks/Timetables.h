//===- Timetables.h - In which round every message is, at the latest -------------------------------------------------*- C++ -*-===//
//
// A timetable is a clock of one word that counts rounds from 0. A transfer takes place in the earliest round in which both of its
// sides have reached it, so none takes place later than its timetable says: by induction on that number, since all transfers of
// earlier steps of both ranks have smaller ones. Hence there are at most as many rounds as one more than the largest number.
//
// If, moreover, every message after round 0 directly follows, on its sender or on its receiver, a message of the round before, none
// takes place earlier than the timetable says. Then its largest number tells the number of rounds exactly. For the number it is enough that
// this holds of some messages that follow each other, the critical ones, up to one in the last round. Or that each of them is directly followed
// by one of the round after, from one in round 0 on.
//
// A timetable is a guess: a sum of loop variables, depths and other formulas with factors such that it fits all small cases. That it
// fits all cases is proved (RankCosts.cpp).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_RANKS_TIMETABLES_H
#define QUADRILLE_PROVE_RANKS_TIMETABLES_H

#include "RankOperations.h"

namespace quadrille::compiler::prove {

/// Times of all ops, in the symbols of each, and the rounds in which groups begin at the latest, as formulas in p and the numbers of the
/// schedule.
struct Timetable {
  std::vector<Term> times;
  std::vector<Term> begins; // per element of RankOperations::groups
};

/// Searches for a timetable that ends before `rounds`, a formula in p and the numbers of the schedule. `ofGroups`: how many rounds each use in
/// groups takes. `areEarliest`: each message is in the first round after those that its ranks have had before. Returns whether it has found one that fits the small cases and that `isSound` accepts.
bool findTimetable(RankOperations &program, TermPool &pool, DefinedTerms &defined, Oracle &oracle, Term rounds, llvm::ArrayRef<Term> ofGroups,
                   bool areEarliest, llvm::function_ref<bool(const Timetable &found)> isSound);

/// A message of a rank, in an iteration of the loops around its op.
struct RankMessage {
  unsigned op = 0;
  Term rank; // null in a ChainLink, which tells the rank
  std::vector<Term> values;
};

/// How a chain of critical messages is followed.
enum class Direction {
  Back, // from one of the last round to what it waits for
  On,   // from one of the first round to what waits for it
};

/// What a message waits for, in the symbols of the op that sends it: a message of an earlier step, a round earlier. Or what waits for it: of a
/// later step, a round later.
struct ChainLink {
  std::optional<unsigned> pair; // the receiver, as the op's partner with this index, takes part in it; nothing: the sender does
  RankMessage message;
};

/// Which messages are critical.
struct Critical {
  std::vector<Term> conditions; // per op, in its symbols
  bool usesBounds = false;      // they ask how far nodes of trees are from the root (DefinedTerms::farthestBelow)
};

/// Finds conditions that tell messages which form chains in the small cases: each but those at the end of chains is
/// followed, in this direction, by another such message; and one is where chains begin. `rounds`: how many there are. As many messages as can be
/// are critical, or with `alone` those of one short condition, such as those of rank 0. Nothing if no conditions are found.
std::optional<Critical> findCritical(RankOperations &program, TermPool &pool, DefinedTerms &defined, llvm::ArrayRef<Term> times, Term rounds,
                                     Direction direction, bool alone);

/// Finds what follows messages of a send that are `critical` in the small cases, among such messages, unless they are in the round `end`; nothing if no
/// formula tells what follows one of them.
std::optional<std::vector<ChainLink>> findLinks(RankOperations &program, TermPool &pool, unsigned send, llvm::ArrayRef<Term> times, llvm::ArrayRef<Term> critical,
                                                Term end, Direction direction);

/// Finds messages that are `critical` and in the round `end` of small cases, as formulas in p and the numbers of the schedule: for each case
/// with messages one. Nothing if the cases cannot be covered.
std::optional<std::vector<RankMessage>> findEnds(RankOperations &program, TermPool &pool, llvm::ArrayRef<Term> times,
                                                 llvm::ArrayRef<Term> critical, Term end);

/// How long the longest message of a round is: `first` in rounds before `from`, `second` from there on.
struct RoundLengths {
  Term round; // the variable for the round's number
  Term first, second, from;
};

/// Finds formulas for the longest messages of the rounds of small cases; `lengths`: of the messages of ops, in the symbols of each.
std::optional<RoundLengths> findRoundLengths(RankOperations &program, TermPool &pool, llvm::ArrayRef<Term> times,
                                             llvm::ArrayRef<Term> lengths);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_RANKS_TIMETABLES_H
