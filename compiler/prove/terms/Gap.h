//===- Gap.h - Why proofs leave something open ---------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_TERMS_GAP_H
#define QUADRILLE_PROVE_TERMS_GAP_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace quadrille::compiler::prove {

/// A reason why a proof leaves something open: what is not modelled, or was not shown. Gaps.def lists all reasons.
enum class Gap {
#define GAP(NAME, PHRASE, HELP) NAME,
#include "Gaps.def"
#undef GAP
};

/// The name of a gap in caches and in JSON: "NoInvariant". `gapNamed` returns the gap of a name; nothing if there is none.
llvm::StringRef gapName(Gap gap);
std::optional<Gap> gapNamed(llvm::StringRef name);

/// The phrase of a gap about a subject: "the recursive function `f`" for the subject `f`.
std::string gapText(Gap gap, llvm::StringRef subject);

/// What a gap means, or what the author of a schedule can do about it; empty if there is nothing to say.
llvm::StringRef gapHelp(Gap gap);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_TERMS_GAP_H
