//===- UccRules.h - Choices as rules of UCC ----------------------------------------------------------------------------*- C++ -*-===//
//
// UCC's team layer `ucp` takes rules from the environment variable UCC_TL_UCP_TUNE (src/coll_score/ucc_coll_score.c), separated by `#`, each of
// them qualifiers separated by `:`, as in `allreduce:host:[4-4]:0-1025:@ring`. Where no rule says anything, UCC chooses. Algorithms have the
// names that `ucc_info -A` lists. The radix of k-nomial ones is set for all calls of a collective.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TUNE_UCCRULES_H
#define QUADRILLE_TUNE_UCCRULES_H

#include "ExportedRules.h"

namespace quadrille::compiler::tune {

/// A collective of UCC that does what one of ours does.
struct UccCollective {
  const char *ours, *theirs;
  RuleBytes bytes; // not known: UCC takes the rule for the longest
};
llvm::ArrayRef<UccCollective> uccCollectives();
llvm::ArrayRef<Counterpart> uccCounterparts();

/// The rules for p ranks.
struct UccRules {
  std::int64_t p = 0;
  std::vector<ExportedRule> rules;
};

/// Lines for a shell, NAME=VALUE. `rules`: those for each of uccCollectives(), in which all settings of a collective are the same.
std::string uccVariables(llvm::ArrayRef<std::vector<UccRules>> rules);

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_UCCRULES_H
