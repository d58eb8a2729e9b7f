//===- MpichRules.cpp - Choices as rules of MPICH ---------------------------------------------------------------------------===//

#include "MpichRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace quadrille::compiler::tune {

// What lengths csel.c compares. It knows none of scans; and those of gather and scatter are counts, which differ at the root, so that asking
// for them would let ranks choose differently.
static constexpr MpichCollective collectives[] = {
    {"allgather", "allgather", RuleBytes::OfAllBlocks, false},
    {"allgatherv", "allgatherv", RuleBytes::OfAllBlocks, false},
    {"allreduce", "allreduce", RuleBytes::OfBlock, true},
    {"alltoall", "alltoall", RuleBytes::OfBlock, false},
    {"alltoallv", "alltoallv", RuleBytes::NotAsked, false},
    {"barrier", "barrier", RuleBytes::NotAsked, false},
    {"broadcast", "bcast", RuleBytes::OfBlock, false},
    {"exscan", "exscan", RuleBytes::NotAsked, false},
    {"gather", "gather", RuleBytes::NotAsked, false},
    {"gatherv", "gatherv", RuleBytes::NotAsked, false},
    {"reduce", "reduce", RuleBytes::OfBlock, true},
    {"reduce_scatterv", "reduce_scatter", RuleBytes::OfAllBlocks, true},
    {"reduce_scatter", "reduce_scatter_block", RuleBytes::OfAllBlocks, true},
    {"scan", "scan", RuleBytes::NotAsked, false},
    {"scatter", "scatter", RuleBytes::NotAsked, false},
    {"scatterv", "scatterv", RuleBytes::NotAsked, false},
};

llvm::ArrayRef<MpichCollective> mpichCollectives() { return collectives; }

constexpr auto ForAny = Counterpart::ForAny;
constexpr auto ForPowersOfTwo = Counterpart::ForPowersOfTwo;
constexpr auto ForOthers = Counterpart::ForOthers;
constexpr auto Commutative = Counterpart::Commutative;

// As the functions of src/mpi/coll/COLLECTIVE/ show. For powers of two MPICH's pairwise exchange pairs ranks by exclusive or, else it shifts.
// Its scatter and all-gather by recursive doubling takes more rounds than ours where p is no power of two.
static constexpr Counterpart counterparts[] = {
    {"allgather", "bruck", "Allgather_intra_brucks"},
    {"allgather", "hypercube", "Allgather_intra_recursive_doubling"},
    {"allgather", "ring", "Allgather_intra_ring"},
    {"allgatherv", "bruck", "Allgatherv_intra_brucks"},
    {"allgatherv", "ring", "Allgatherv_intra_ring"},
    {"allreduce", "hypercube", "Allreduce_intra_recursive_doubling"},
    {"allreduce", "recursive_doubling", "Allreduce_intra_recursive_doubling"},
    {"allreduce", "rabenseifner", "Allreduce_intra_reduce_scatter_allgather", ForAny, Commutative},
    {"alltoall", "bruck", "Alltoall_intra_brucks"},
    {"alltoall", "pairwise", "Alltoall_intra_pairwise", ForPowersOfTwo},
    {"alltoall", "shift", "Alltoall_intra_pairwise", ForOthers},
    {"barrier", "dissemination", "Barrier_intra_dissemination"},
    {"broadcast", "binomial", "Bcast_intra_binomial"},
    {"broadcast", "scatter_doubling", "Bcast_intra_scatter_recursive_doubling_allgather", ForPowersOfTwo},
    {"broadcast", "scatter_ring", "Bcast_intra_scatter_ring_allgather"},
    {"exscan", "hypercube", "Exscan_intra_recursive_doubling"},
    {"gather", "binomial", "Gather_intra_binomial"},
    {"gatherv", "direct", "Gatherv_allcomm_linear"},
    {"reduce", "binomial", "Reduce_intra_binomial"},
    {"reduce", "rabenseifner", "Reduce_intra_reduce_scatter_gather", ForAny, Commutative},
    {"reduce_scatter", "halving", "Reduce_scatter_block_intra_recursive_halving", ForAny, Commutative},
    {"reduce_scatter", "recursive_halving", "Reduce_scatter_block_intra_recursive_halving", ForAny, Commutative},
    {"reduce_scatter", "recursive_halving", "Reduce_scatter_block_intra_noncommutative", ForPowersOfTwo},
    {"reduce_scatter", "hypercube", "Reduce_scatter_block_intra_noncommutative", ForPowersOfTwo},
    {"reduce_scatterv", "recursive_halving", "Reduce_scatter_intra_recursive_halving", ForAny, Commutative},
    {"scan", "hypercube", "Scan_intra_recursive_doubling"},
    {"scan", "incomplete_hypercube", "Scan_intra_recursive_doubling"},
    {"scatter", "binomial", "Scatter_intra_binomial"},
    {"scatterv", "direct", "Scatterv_allcomm_linear"},
};

llvm::ArrayRef<Counterpart> mpichCounterparts() { return counterparts; }

// Algorithms that cut vectors into a part for each rank of the largest power of two. They assume that there are as many elements, and that any
// of them may be combined on their own, which MPICH takes for granted only of operators that MPI defines.
static constexpr llvm::StringRef cutting[] = {"Allreduce_intra_reduce_scatter_allgather", "Reduce_intra_reduce_scatter_gather"};

namespace {

/// A condition, or an algorithm, which has nothing below it. Siblings are tried in their order.
struct Branch {
  std::string key;
  std::vector<Branch> below;

  bool operator==(const Branch &other) const { return key == other.key && below == other.below; }
};
using Branches = std::vector<Branch>;

} // namespace

static Branches taking(llvm::StringRef algorithm) { return {{"algorithm=MPIR_" + algorithm.str(), {}}}; }

/// The lines that are indented by at least `depth` blanks.
static Branches parsed(llvm::ArrayRef<llvm::StringRef> &lines, size_t depth) {
  Branches result;
  while (!lines.empty()) {
    const llvm::StringRef line = lines.front(), text = line.ltrim(' ');
    if (line.size() - text.size() < depth)
      break;
    lines = lines.drop_front();
    const auto [key, algorithm] = text.split(": ");
    result.push_back({key.str(), algorithm.empty() ? parsed(lines, depth + 2) : taking(algorithm)});
  }
  return result;
}

/// The branch `key` of MPICH's own rules, all of them if it has no such branch.
static const Branches &below(const Branches &branches, llvm::StringRef key) {
  const auto found = llvm::find_if(branches, [&](const Branch &branch) { return branch.key == key; });
  return found == branches.end() ? branches : found->below;
}

/// What a rule takes. `own`: MPICH's choice.
static Branches chosen(const ExportedRule &rule, const Branches &own) {
  if (rule.algorithm.empty())
    return own;
  if (llvm::is_contained(cutting, rule.algorithm))
    return {{"is_op_built_in=yes", {{"count<pow2", own}, {"count=any", taking(rule.algorithm)}}}, {"is_op_built_in=no", own}};
  return taking(rule.algorithm);
}

static Branches byBytes(llvm::ArrayRef<ExportedRule> rules, RuleBytes bytes, std::int64_t p, const Branches &own) {
  if (rules.size() == 1)
    return chosen(rules[0], own);
  const std::string asked = bytes == RuleBytes::OfAllBlocks ? "total_msg_size" : "avg_msg_size";
  const std::uint64_t factor = bytes == RuleBytes::OfAllBlocks ? static_cast<std::uint64_t>(p) : 1;
  Branches result;
  for (size_t i = 0; i + 1 < rules.size(); ++i)
    result.push_back({asked + "<" + std::to_string(rules[i + 1].bytes * factor), chosen(rules[i], own)});
  result.push_back({asked + "=any", chosen(rules.back(), own)});
  return result;
}

/// The tree for a communicator of p ranks.
static Branches forRanks(const MpichCollective &collective, const MpichRules &rules, const Branches &own) {
  Branches result = byBytes(rules.commutative, collective.bytes, rules.p, own);
  if (collective.hasOperator) {
    Branches ordered = byBytes(rules.ordered, collective.bytes, rules.p, own);
    if (ordered != result)
      result = {{"is_commutative=yes", std::move(result)}, {"is_commutative=no", std::move(ordered)}};
  }
  // These exchanges have other algorithms where they are in place.
  if (result != own && llvm::StringRef(collective.theirs) == "alltoall")
    result = {{"is_sendbuf_inplace=yes", below(own, "is_sendbuf_inplace=yes")}, {"is_sendbuf_inplace=no", std::move(result)}};
  return result;
}

/// The tree for communicators of any size. Conditions on it come first, where MPICH decides them once for a communicator.
static Branches forAll(const MpichCollective &collective, llvm::ArrayRef<MpichRules> rules, const Branches &own) {
  Branches result;
  std::optional<Branches> last; // what holds for the sizes up to `end`
  std::int64_t end = 0;
  auto add = [&](std::int64_t to, Branches branches) {
    if (last && *last != branches)
      result.push_back({"comm_size<=" + std::to_string(end), std::move(*last)});
    last = std::move(branches);
    end = to;
  };
  for (const MpichRules &ofRanks : rules) {
    if (ofRanks.p > end + 1)
      add(ofRanks.p - 1, own);
    add(ofRanks.p, forRanks(collective, ofRanks, own));
  }
  add(end + 1, own);
  if (result.empty())
    return own;
  result.push_back({"comm_size=any", own});
  return result;
}

static void write(const Branches &branches, size_t depth, std::string &text) {
  if (branches.empty() || (branches.size() == 1 && branches[0].below.empty())) {
    text += branches.empty() ? "{}" : "{\"" + branches[0].key + "\": {}}";
    return;
  }
  text += "{\n";
  for (const Branch &branch : branches) {
    text += std::string(depth + 1, ' ') + "\"" + branch.key + "\": ";
    write(branch.below, depth + 1, text);
    text += &branch == &branches.back() ? "\n" : ",\n";
  }
  text += std::string(depth, ' ') + "}";
}

std::string mpichFile(llvm::ArrayRef<std::vector<MpichRules>> rules) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(mpichOwnRules).split(lines, '\n', -1, /*KeepEmpty=*/false);
  llvm::ArrayRef<llvm::StringRef> rest = lines;
  Branches tree = parsed(rest, 0);
  for (auto [collective, ofCollective] : llvm::zip(collectives, rules)) {
    Branch &branch = *llvm::find_if(tree, [&, name = llvm::StringRef(collective.theirs)](const Branch &one) { return one.key == name; });
    const Branches own = below(branch.below, "comm_type=intra");
    Branches all = forAll(collective, ofCollective, own);
    if (all == own)
      continue;
    const Branches inter = below(branch.below, "comm_type=inter");
    branch.below = {{"comm_type=intra", std::move(all)}, {"comm_type=inter", inter}};
  }
  for (Branch &branch : tree)
    branch.key = "collective=" + branch.key;
  std::string text;
  write(tree, 0, text);
  text += '\n';
  // MPICH maps the file and looks for a zero behind it, which is there unless the file fills its last page.
  constexpr size_t page = 4096;
  if (text.size() % page == 0)
    text += '\n';
  return text;
}

} // namespace quadrille::compiler::tune
