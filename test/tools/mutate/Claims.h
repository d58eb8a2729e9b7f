//===- Claims.h - What a refusal says about proofs ----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_MUTATE_CLAIMS_H
#define QUADRILLE_TEST_MUTATE_CLAIMS_H

#include "prove/Prove.h"

namespace quadrille::compiler::mutate {

/// Claims one of which cannot be true if the checks are right to refuse with this code.
std::vector<prove::Claim> claimsBrokenBy(const std::string &code);

} // namespace quadrille::compiler::mutate

#endif // QUADRILLE_TEST_MUTATE_CLAIMS_H
