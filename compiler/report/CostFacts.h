//===- CostFacts.h - What a cost is worth: bounds, and the best number of packets --------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_COSTFACTS_H
#define QUADRILLE_REPORT_COSTFACTS_H

#include "check/Check.h"
#include "cost/CostFormulas.h"
#include "machines/BestK.h"
#include "machines/MachineDescription.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// The name of the parameter that is a number of packets, if the schedule has one such: the cost has ceil(n/k) in it.
std::optional<std::string> packetParameter(const ir::Schedule &schedule, const ScheduleCost &cost);

/// What a case has to do with a lower bound of its collective.
struct BoundFact {
  std::string formula, source;
  bool isNumber = false;         // the formula
  std::optional<Rational> value; // in the case
  std::int64_t found = 0;        // what the case takes
  std::string verdict;           // "; optimal in rounds": how far the schedule is from it in general

  /// Nothing where the bound is 0, or numbers do not fit.
  std::optional<Rational> ratio() const;
};

/// The best number of packets of a case.
struct PacketFact {
  std::string k;               // the name of the parameter
  std::string formula;         // empty: none is known
  std::optional<BestK> choice; // in the case
  bool isAdmitted = true;      // that number
  bool isUpperBound = false;   // the cost by which it was chosen
  bool lacksApplications = false;
  std::string least, whyNotHere; // T at the best k as a formula; and why that says nothing of the case
};

struct CaseFacts {
  std::optional<BoundFact> rounds, words;
  std::optional<PacketFact> packets;
};

void printFacts(const CaseFacts &facts, llvm::raw_ostream &out);

/// Knows about the lower bounds of the collective, and how far a schedule is from them; and about the best k. What does not depend
/// on the case is found once.
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
