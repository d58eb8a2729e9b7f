//===- Candidates.h - Invariants to try ----------------------------------------------------------------------------------*- C++ -*-===//
//
// Proposes invariants for loops: formulas that fit the traces of small cases.
//
// This folder promises nothing. Its guesses are proved before they are used, so a mistake here can make a proof fail, but never
// makes a wrong one.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_GUESS_CANDIDATES_H
#define QUADRILLE_PROVE_GUESS_CANDIDATES_H

#include "Explanation.h"

#include "prove/execution/Execution.h"

namespace quadrille::compiler::prove {

struct ContentFormula;
struct LoopTrace;
struct StorageTrace;
struct TraceSymbols;

class Candidates {
public:
  /// `like`: a schedule with the same loops, whose traces are tried too, before the schedule's own; or null.
  Candidates(const ir::Schedule &schedule, TermPool &pool, const ir::Schedule *like = nullptr);
  ~Candidates();

  std::vector<Invariant> invariants(const LoopHead &head, const StateSymbols &symbols);

  /// The limit that ended the last search: of the size of formulas, of their number, or of combinations.
  LimitInForce bound() const { return reached; }

private:
  struct Source;
  struct Fitted;
  struct Store;
  std::vector<Invariant> invariantsFrom(Source &source, const LoopHead &head, const StateSymbols &symbols);
  /// Formulas for the contents of a storage at the head of `loop`, each fitted once. `packets`: packets per block, if they are to be
  /// numbered as blocks; else null. `ofSome`: see fitContent.
  std::vector<ContentFormula> fit(const StorageTrace &rows, Term packets, const LoopTrace &loop, const Source &source,
                                  const TraceSymbols &names, const LoopHead &head, bool ofSome);
  std::unique_ptr<Store> store;
  LimitInForce reached = limits::fitSize;
};

/// An invariant in the syntax of the language, to be pasted into the schedule. What the language cannot say becomes a comment.
Explanation invariantText(const LoopHead &head, const Invariant &invariant, const ir::Schedule &schedule, TermPool &pool,
                            const StateSymbols &symbols);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_GUESS_CANDIDATES_H
