//===- Clocks.cpp - Clocks, and those that are stated ----------------------------------------------------------------------------------===//

#include "Clocks.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

Term isEarlier(TermPool &pool, llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b) {
  assert(a.size() == b.size() && "clocks are of one length");
  Term result = pool.truth(false);
  for (size_t i = a.size(); i-- > 0;)
    result = pool.either(pool.less(a[i], b[i]), pool.both(pool.equal(a[i], b[i]), result));
  return result;
}

Term isSame(TermPool &pool, llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b) {
  assert(a.size() == b.size() && "clocks are of one length");
  llvm::SmallVector<Term, 4> same;
  for (size_t i = 0; i < a.size(); ++i)
    same.push_back(pool.equal(a[i], b[i]));
  return pool.conjunction(same);
}

std::optional<Clocks> statedClocks(const RankOperations &program) {
  Clocks result;
  if (program.ops.empty() || program.clockGap)
    return std::nullopt;
  for (const RankOp &op : program.ops) {
    if (!op.clock)
      return std::nullopt;
    result.times.push_back(op.times);
    result.texts.push_back(op.clock->text);
  }
  return result;
}

} // namespace quadrille::compiler::prove
