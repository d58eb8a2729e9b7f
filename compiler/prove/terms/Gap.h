//===- Gap.h - Why proofs leave something open ---------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_TERMS_GAP_H
#define QUADRILLE_PROVE_TERMS_GAP_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace quadrille::compiler::prove {

/// What is not modelled, or was not shown. Gaps.def has all of them.
enum class Gap {
#define GAP(NAME, PHRASE, HELP) NAME,
#include "Gaps.def"
#undef GAP
};

/// "NoInvariant": the name by which caches and JSON know it.
llvm::StringRef gapName(Gap gap);
std::optional<Gap> gapNamed(llvm::StringRef name);

/// "the recursive function `f`", for the subject `f`.
std::string gapText(Gap gap, llvm::StringRef subject);

/// What it means, or what the author of a schedule can do about it; empty if there is nothing to say.
llvm::StringRef gapHelp(Gap gap);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_GAP_H
