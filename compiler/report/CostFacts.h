//===- CostFacts.h - How good a cost is: lower bounds, and the best number of packets ----------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_COSTFACTS_H
#define QUADRILLE_REPORT_COSTFACTS_H

#include "check/Check.h"
#include "cost/CostFormulas.h"
#include "machines/BestK.h"
#include "machines/MachineDescription.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// The name of the first parameter k that is a number of packets, that is, the cost has ceil(n/k) in it. Nothing if there is none.
std::optional<std::string> packetParameter(const ir::Schedule &schedule, const ScheduleCost &cost);

/// A case beside a lower bound of its collective.
struct BoundFact {
  std::string formula, source;
  bool isNumber = false;         // the formula is a number
  std::optional<Rational> value; // of the formula in the case
  std::int64_t found = 0;        // the rounds or words of the case
  std::string verdict;           // "; optimal in rounds": how far the schedule is from the bound in general

  /// Nothing where the bound is 0, or numbers do not fit.
  std::optional<Rational> ratio() const;
};

/// The best number of packets of a case.
struct PacketFact {
  std::string k;               // the name of the parameter
  std::string formula;         // empty: none is known
  std::optional<BestK> choice; // in the case
  bool isAdmitted = true;      // the schedule admits that number
  bool isUpperBound = false;   // the cost by which it was chosen is an upper bound
  bool lacksApplications = false;
  std::string least, whyNotHere; // T at the best k as a formula; why that does not hold in this case
};

struct CaseFacts {
  std::optional<BoundFact> rounds, words;
  std::optional<PacketFact> packets;
};

void printFacts(const CaseFacts &facts, llvm::raw_ostream &out);

/// Finds the facts of all cases of a schedule. What does not depend on the case is found once.
class CostFacts {
public:
  CostFacts(const ir::Schedule &schedule, const MachineParameters &machine);
  ~CostFacts();
  /// `measured`: the synchronous cost of the case with these lengths.
  CaseFacts at(const Case &instance, const Lengths &lengths, std::uint32_t rounds, const ModelInForce &strictest, const Cost &measured,
               TreeCache &trees);

private:
  struct Known;
  std::unique_ptr<Known> known;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_COSTFACTS_H
