//===- Claims.cpp - Claims that an error contradicts ------------------------------------------------------------------===//

#include "Claims.h"

#include <map>

namespace quadrille::compiler::mutate {

std::vector<prove::Claim> claimsBrokenBy(const std::string &code) {
  using prove::Claim;
  static const std::map<std::string, std::vector<Claim>> byCode = {
      {"Q0301", {Claim::Matching}},
      {"Q0302", {Claim::Matching}},
      {"Q0303", {Claim::Matching}},
      {"Q0304", {Claim::Matching, Claim::Deadlock}},
      {"Q0305", {Claim::Matching, Claim::Deadlock}},
      {"Q0306", {Claim::Matching}},
      {"Q0307", {Claim::Matching}},
      {"Q0311", {Claim::Port}},
      {"Q0321", {Claim::Race}},
      {"Q0322", {Claim::Race}},
      {"Q0401", {Claim::Range}},
      {"Q0410", {Claim::Range}},
      {"Q0411", {Claim::Range}},
      {"Q0412", {Claim::Range}},
      {"Q0415", {Claim::Range, Claim::Matching}},
      {"Q0421", {Claim::Range}},
      {"Q0423", {Claim::Range}},
      {"Q0501", {Claim::Result, Claim::Operator}},
      {"Q0502", {Claim::Result, Claim::Initialization}},
      {"Q0503", {Claim::Initialization}},
      {"Q0504", {Claim::Operator, Claim::Result}},
      {"Q0505", {Claim::Result}},
      {"Q0506", {Claim::Result}},
      {"Q0507", {Claim::Invariant}},
      {"Q0508", {Claim::Range}},
      {"Q0601", {Claim::Cost}},
      {"Q0602", {Claim::Cost}},
      {"Q0603", {Claim::Rounds}},
      {"Q0604", {Claim::Rounds}},
      {"Q0801", {Claim::Clock}},
      {"Q0802", {Claim::Clock}},
      {"Q0806", {Claim::Clock}},
      {"Q0807", {Claim::Defined}},
  };
  auto entry = byCode.find(code);
  return entry == byCode.end() ? std::vector<Claim>{Claim::Defined, Claim::Cost} : entry->second;
}

} // namespace quadrille::compiler::mutate
