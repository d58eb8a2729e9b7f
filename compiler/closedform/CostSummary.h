//===- CostSummary.h - The cost of a schedule for all p, as text -------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_COSTSUMMARY_H
#define QUADRILLE_CLOSEDFORM_COSTSUMMARY_H

#include "ClosedForms.h"

#include <array>

namespace quadrille::compiler {

/// The part of ClosedForms that reports show and the cache keeps.
struct CostSummary {
  /// A factor of T, or the height of a tree.
  struct Part {
    std::string formula; // the words of a pipeline are in terms of its rounds r(k) for k packets; empty: none was found
    Evidence evidence = Evidence::Proved;
    bool isBound = false; // the formula is an upper bound
    bool isZero = false;

    bool operator==(const Part &) const = default;
  };
  /// Rounds, words and operator applications.
  using Reading = std::array<Part, 3>;
  struct Height {
    std::string tree;
    Part height;
    bool operator==(const Height &) const = default;
  };

  std::string total; // T of the synchronous reading; factors without a formula are "?"
  bool isBound = false; // `total` is an upper bound
  Reading synchronous, asynchronous;
  bool isSame = false; // both readings have the same formulas, which are exact
  std::vector<std::int64_t> ps, parameters; // of the small cases with which all other formulas were compared
  std::optional<std::int64_t> clausesBelow; // as in ClauseReach
  bool clausesOfTables = false;
  std::optional<LimitInForce> clausesLimit;
  std::optional<Evidence> clause; // the evidence for the `cost` or `rounds` clause; nothing: there is no such clause, or no evidence
  std::vector<Height> heights;
  std::optional<prove::Reason> whyNotDerived; // why no cost was derived; nothing if one was

  bool operator==(const CostSummary &) const = default;

  ClauseReach clauses() const;
};

CostSummary summaryOf(const ir::Schedule &schedule, const ClosedForms &forms);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_COSTSUMMARY_H
