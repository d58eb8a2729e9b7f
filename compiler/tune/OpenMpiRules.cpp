//===- OpenMpiRules.cpp - Choices as rules of Open MPI ----------------------------------------------------------------------===//

#include "OpenMpiRules.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::tune {

// Open MPI defines the numbers in the enumeration COLLTYPE (ompi/mca/coll/base/coll_base_functions.h), and what the bytes of a rule count in
// coll_tuned_decision_dynamic.c.
static constexpr OpenMpiCollective collectives[] = {
    {"allgather", "MPI_Allgather", 0, RuleBytes::OfAllBlocks},
    {"allgatherv", "MPI_Allgatherv", 1, RuleBytes::OfBlock},
    {"allreduce", "MPI_Allreduce", 2, RuleBytes::OfBlock},
    {"alltoall", "MPI_Alltoall", 3, RuleBytes::OfAllBlocks},
    {"alltoallv", "MPI_Alltoallv", 4, RuleBytes::NotKnown},
    {"barrier", "MPI_Barrier", 6, RuleBytes::OfBlock},
    {"broadcast", "MPI_Bcast", 7, RuleBytes::OfBlock},
    {"exscan", "MPI_Exscan", 8, RuleBytes::OfBlock},
    {"gather", "MPI_Gather", 9, RuleBytes::OfAllBlocks},
    {"reduce", "MPI_Reduce", 11, RuleBytes::OfBlock},
    {"reduce_scatterv", "MPI_Reduce_scatter", 12, RuleBytes::OfAllBlocks},
    {"reduce_scatter", "MPI_Reduce_scatter_block", 13, RuleBytes::OfAllBlocks},
    {"scan", "MPI_Scan", 14, RuleBytes::OfBlock},
    {"scatter", "MPI_Scatter", 15, RuleBytes::OfAllBlocks},
};

llvm::ArrayRef<OpenMpiCollective> openMpiCollectives() { return collectives; }

// As the functions of ompi/mca/coll/base/coll_base_COLLECTIVE.c show. Pipelines have no counterparts: Open MPI cuts messages into segments of
// a fixed length, our schedules cut them into a number of packets.
static constexpr Counterpart counterparts[] = {
    {"allgather", "bruck", "2"},
    {"allgather", "hypercube", "3"}, // recursive doubling
    {"allgather", "ring", "4"},
    {"allgather", "neighbour_exchange", "5"},
    {"allgatherv", "bruck", "2"},
    {"allgatherv", "ring", "3"},
    {"allreduce", "reduce_broadcast", "2"}, // nonoverlapping
    {"allreduce", "hypercube", "3"},        // recursive doubling
    {"allreduce", "recursive_doubling", "3"},
    {"allreduce", "ring", "4"},
    {"allreduce", "rabenseifner", "6"},
    {"alltoall", "shift", "2"}, // pairwise
    {"alltoall", "bruck", "3"}, // modified Bruck
    {"alltoallv", "shift", "2"},
    {"barrier", "hypercube", "3"}, // recursive doubling
    {"barrier", "dissemination", "4"}, // Bruck
    {"barrier", "binomial", "6"},      // tree
    {"broadcast", "sequential", "1"},  // basic linear
    {"broadcast", "binomial", "6"},
    {"broadcast", "binomial_small_first", "6"},
    {"broadcast", "knomial", "7", Counterpart::ForAny, Counterpart::Any, 4}, // a rule cannot say which radix; it is 4, unless MCA parameters say otherwise
    {"broadcast", "scatter_doubling", "8"},
    {"broadcast", "scatter_ring", "9"},
    {"exscan", "hypercube", "2"}, // recursive doubling
    {"gather", "direct", "1"},    // basic linear
    {"gather", "binomial", "2"},
    {"reduce", "binomial", "5"},
    {"reduce", "rabenseifner", "7"},
    {"reduce_scatter", "recursive_halving", "3"},
    {"reduce_scatterv", "recursive_halving", "2"},
    {"reduce_scatterv", "ring", "3"},
    {"scan", "hypercube", "2"}, // recursive doubling
    {"scan", "incomplete_hypercube", "2"},
    {"scatter", "direct", "1"}, // basic linear
    {"scatter", "binomial", "2"},
};

llvm::ArrayRef<Counterpart> openMpiCounterparts() { return counterparts; }

/// The text as a comment at the end of a line, with blanks for ends of lines in it.
static std::string remark(llvm::StringRef text) {
  std::string line = " # ";
  for (char c : text)
    line += c == '\n' || c == '\r' ? ' ' : c;
  return line + '\n';
}

std::string openMpiFile(llvm::ArrayRef<std::vector<OpenMpiRules>> rules, llvm::StringRef table) {
  auto line = [](std::uint64_t number, llvm::StringRef about) { return std::to_string(number) + remark(about); };
  size_t count = 0;
  for (const std::vector<OpenMpiRules> &ofCollective : rules)
    count += !ofCollective.empty();
  std::string text = line(count, "collectives, by " + table.str() + "; for mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE");
  for (auto [collective, ofCollective] : llvm::zip(collectives, rules)) {
    if (ofCollective.empty())
      continue;
    text += line(static_cast<std::uint64_t>(collective.number), collective.theirs);
    text += line(ofCollective.size(), "numbers of ranks");
    for (const OpenMpiRules &ofRanks : ofCollective) {
      text += line(static_cast<std::uint64_t>(ofRanks.p), "ranks and more");
      text += line(ofRanks.rules.size(), std::string("rules: bytes") + (collective.bytes == RuleBytes::OfAllBlocks ? " of all blocks" : "") + ", algorithm, fan-out, segment");
      for (const ExportedRule &rule : ofRanks.rules) {
        const std::uint64_t bytes = rule.bytes * (collective.bytes == RuleBytes::OfAllBlocks ? static_cast<std::uint64_t>(ofRanks.p) : 1);
        text += std::to_string(bytes) + " " + (rule.algorithm.empty() ? "0" : rule.algorithm) + " 0 0" + remark(!rule.algorithm.empty() ? rule.schedule : rule.schedule.empty() ? "left to Open MPI" : rule.schedule + ", left to Open MPI");
      }
    }
  }
  return text;
}

} // namespace quadrille::compiler::tune
