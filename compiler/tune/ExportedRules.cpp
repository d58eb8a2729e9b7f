//===- ExportedRules.cpp - Choices as rules of another library --------------------------------------------------------------===//

#include "ExportedRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace quadrille::compiler::tune {

const Counterpart *counterpartOf(llvm::ArrayRef<Counterpart> counterparts, llvm::StringRef collective, llvm::StringRef schedule, std::int64_t parameter,
                                 std::int64_t p, bool commutative) {
  const bool isPower = llvm::isPowerOf2_64(static_cast<std::uint64_t>(p));
  auto found = llvm::find_if(counterparts, [&](const Counterpart &one) {
    return schedule == one.schedule && collective == one.collective && (one.operators == Counterpart::Any || commutative) &&
           (one.ranks == Counterpart::ForAny || (one.ranks == Counterpart::ForPowersOfTwo) == isPower) &&
           (one.parameter == 0 || one.parameter == parameter);
  });
  return found == counterparts.end() ? nullptr : &*found;
}

} // namespace quadrille::compiler::tune
