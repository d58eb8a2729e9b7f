//===- Knowledge.cpp - Which ranks know which lengths -----------------------------------------------------------------------===//

#include "Execution.h"

namespace quadrille::compiler::prove {

void Execution::requireKnown(llvm::StringRef what, unsigned table, llvm::ArrayRef<Term> indices, llvm::SMRange range, Term guard) {
  const std::vector<const ir::Knowledge *> known = schedule.knowledgeOf(table);
  if (known.empty())
    return;
  // What is known is stated in the caller's numbering of ranks.
  Frame frame = *outermost;
  frame.values[ir::Schedule::variableMe] = {machineRank(names.me), {}, {}};
  Term some = pool.truth(false);
  for (const ir::Knowledge *stated : known) {
    Term all = pool.truth(true);
    for (auto [index, wanted] : llvm::zip(indices, stated->indices)) {
      if (wanted.variable)
        frame.values[*wanted.variable] = {index, {}, {}};
      else
        all = pool.both(all, pool.equal(index, termOf(*wanted.value, frame, guard)));
    }
    if (stated->condition)
      all = pool.both(all, termOf(*stated->condition, frame, guard));
    some = pool.either(some, all);
  }
  require(Claim::Range, "the rank knows the length of " + what.str(), range, guard, some);
}

} // namespace quadrille::compiler::prove
