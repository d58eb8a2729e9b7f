//===- CostSummary.h - What is known of a cost for all p, formulas as text ---------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_CLOSEDFORM_COSTSUMMARY_H
#define QUADRILLE_CLOSEDFORM_COSTSUMMARY_H

#include "ClosedForms.h"

#include <array>

namespace quadrille::compiler {

/// As much of ClosedForms as is shown: what a cache keeps, and a report puts into words.
struct CostSummary {
  /// A factor of T, or the height of a tree.
  struct Part {
    std::string formula; // of a pipeline, in the rounds r(k) of k packets; empty: none was found
    Evidence evidence = Evidence::Proved;
    bool isBound = false; // at most that
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
  bool isBound = false; // T is at most that
  Reading synchronous, asynchronous;
  bool isSame = false; // both readings are, exactly
  std::string scope;   // of what is proved
  std::vector<std::int64_t> ps, parameters; // that the rest was compared for
  std::optional<std::int64_t> clausesBelow; // as in ClauseReach
  bool clausesOfTables = false;
  std::optional<LimitInForce> clausesLimit;
  std::optional<Evidence> clause; // how the `cost` clause, or `rounds`, is known to hold
  std::vector<Height> heights;
  std::optional<prove::Reason> whyNotDerived; // nothing: something is proved

  bool operator==(const CostSummary &) const = default;

  ClauseReach clauses() const;
};

CostSummary summaryOf(const ir::Schedule &schedule, const ClosedForms &forms);

} // namespace quadrille::compiler

#endif // QUADRILLE_CLOSEDFORM_COSTSUMMARY_H
