//===- UccRules.cpp - Choices as rules of UCC -------------------------------------------------------------------------------===//

#include "UccRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace quadrille::compiler::tune {

// The collectives whose algorithms can be chosen (ucc_tl_ucp_alg_id_to_init), and what lengths are compared (ucc_coll_args_msgsize).
static constexpr UccCollective collectives[] = {
    {"allgather", "allgather", RuleBytes::OfAllBlocks},
    {"allgatherv", "allgatherv", RuleBytes::OfAllBlocks},
    {"allreduce", "allreduce", RuleBytes::OfBlock},
    {"alltoall", "alltoall", RuleBytes::OfAllBlocks},
    {"alltoallv", "alltoallv", RuleBytes::NotKnown},
    {"broadcast", "bcast", RuleBytes::OfBlock},
    {"reduce", "reduce", RuleBytes::OfBlock},
    {"reduce_scatter", "reduce_scatter", RuleBytes::OfBlock},
    {"reduce_scatterv", "reduce_scatterv", RuleBytes::OfAllBlocks},
};

llvm::ArrayRef<UccCollective> uccCollectives() { return collectives; }

constexpr auto ForAny = Counterpart::ForAny;
constexpr auto Any = Counterpart::Any;

// As the functions of src/components/tl/ucp/COLLECTIVE/ show. Double binary trees are no counterparts: UCC's cut no packets.
static constexpr Counterpart counterparts[] = {
    {"allgather", "bruck", "bruck"},
    {"allgather", "neighbour_exchange", "neighbor"},
    {"allgather", "ring", "ring"},
    {"allgather", "sparbit", "sparbit"},
    {"allgatherv", "ring", "ring"},
    {"allreduce", "hypercube", "knomial", ForAny, Any, 0, 2},
    {"allreduce", "recursive_doubling", "knomial", ForAny, Any, 0, 2},
    {"allreduce", "recursive_multiplying", "knomial", ForAny, Any, 0, Counterpart::Own},
    {"alltoall", "bruck", "bruck"},
    {"alltoall", "shift", "pairwise"},
    {"alltoallv", "shift", "pairwise"},
    {"broadcast", "binomial", "knomial", ForAny, Any, 0, 2},
    {"broadcast", "knomial", "knomial", ForAny, Any, 0, Counterpart::Own},
    {"reduce", "binomial", "knomial", ForAny, Any, 0, 2},
    {"reduce", "knomial", "knomial", ForAny, Any, 0, Counterpart::Own},
    {"reduce_scatter", "ring", "ring"},
    {"reduce_scatterv", "ring", "ring"},
};

llvm::ArrayRef<Counterpart> uccCounterparts() { return counterparts; }

static std::string rangeText(const UccCollective &collective, llvm::ArrayRef<ExportedRule> rules, size_t i, std::int64_t p) {
  const std::uint64_t factor = collective.bytes == RuleBytes::OfAllBlocks ? static_cast<std::uint64_t>(p) : 1;
  return std::to_string(rules[i].bytes * factor) + "-" + (i + 1 < rules.size() ? std::to_string(rules[i + 1].bytes * factor) : "inf"); // without its end
}

std::string uccVariables(llvm::ArrayRef<std::vector<UccRules>> rules) {
  std::vector<std::string> tune, settings;
  for (auto [collective, ofCollective] : llvm::zip(collectives, rules)) {
    // Tables are measured in the memory of the host. Neighbouring p with the same rules are one.
    struct Part {
      std::int64_t from, to;
      std::vector<std::string> qualifiers;
    };
    std::vector<Part> parts;
    std::int64_t setting = 0;
    for (const UccRules &ofRanks : ofCollective) {
      std::vector<std::string> qualifiers;
      for (size_t i = 0; i < ofRanks.rules.size(); ++i)
        if (const ExportedRule &rule = ofRanks.rules[i]; !rule.algorithm.empty()) {
          qualifiers.push_back(rangeText(collective, ofRanks.rules, i, ofRanks.p) + ":@" + rule.algorithm);
          setting = std::max(setting, rule.setting);
        }
      if (!parts.empty() && parts.back().to + 1 == ofRanks.p && parts.back().qualifiers == qualifiers)
        parts.back().to = ofRanks.p;
      else
        parts.push_back({ofRanks.p, ofRanks.p, std::move(qualifiers)});
    }
    for (const Part &part : parts)
      for (const std::string &qualifier : part.qualifiers)
        tune.push_back(std::string(collective.theirs) + ":host:[" + std::to_string(part.from) + "-" + std::to_string(part.to) + "]:" + qualifier);
    if (setting != 0)
      settings.push_back("UCC_TL_UCP_" + llvm::StringRef(collective.theirs).upper() + "_KN_RADIX=" + std::to_string(setting) + "\n");
  }
  return "UCC_TL_UCP_TUNE='" + llvm::join(tune, "#") + "'\n" + llvm::join(settings, "");
}

} // namespace quadrille::compiler::tune
