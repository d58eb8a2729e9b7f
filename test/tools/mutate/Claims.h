//===- Claims.h - Claims that an error contradicts ----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_MUTATE_CLAIMS_H
#define QUADRILLE_TEST_MUTATE_CLAIMS_H

#include "prove/Prove.h"

namespace quadrille::compiler::mutate {

/// The claims of which at least one is false if the checks rightly refuse a schedule with this code.
std::vector<prove::Claim> claimsBrokenBy(const std::string &code);

} // namespace quadrille::compiler::mutate

#endif // QUADRILLE_TEST_MUTATE_CLAIMS_H
