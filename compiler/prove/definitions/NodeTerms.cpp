//===- NodeTerms.cpp - Maps from ranks to nodes as terms ------------------------------------------------------------------===//
//
// The caller's map is any partition of the ranks (evaluate/NodeMap.h). Its functions are uninterpreted; what holds for every partition is
// stated for the ranks and nodes that occur in a question:
//
//   - Each rank has a place: a node, and a number on it. The rank at that place is the rank itself.
//   - At each place is a rank, which has this place.
//   - Nodes are numbered in the order of their first ranks, and the ranks of a node in their own order. So before rank r there are the first
//     ranks of all nodes before its own, and the ranks of its node with smaller numbers: node(r) + local_rank(r) <= r.
//   - A node has at least one rank, and at most as many as the largest one. If one node has that many ranks, the others have one at least,
//     so nodes + largest_node <= p + 1.
//   - If there are as many ranks as nodes of the largest size have, all have that size.
//   - If the ranks of each node follow each other, the next node begins where a node ends.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "DefinedTerms.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

using ir::Op;

// No function of a schedule has such a name.
static constexpr std::pair<Op, llvm::StringLiteral> names[] = {{Op::NodeOf, "node'"},
                                                               {Op::LocalRank, "local_rank'"},
                                                               {Op::NodeSize, "node_size'"},
                                                               {Op::RankOn, "rank_on'"},
                                                               {Op::Nodes, "nodes'"},
                                                               {Op::LargestNode, "largest_node'"},
                                                               {Op::ConsecutiveNodes, "consecutive_nodes'"}};

std::optional<Op> nodeOperation(Term term) {
  if (term->kind == TermKind::Apply)
    for (const auto &[op, name] : names)
      if (term->name == name)
        return op;
  return std::nullopt;
}

Term nodeTerm(TermPool &pool, Op op, llvm::ArrayRef<Term> operands) {
  const auto found = llvm::find_if(names, [&](const auto &entry) { return entry.first == op; });
  assert(found != std::end(names) && "an operation of nodes");
  const Term zero = pool.integer(0);
  const Term value = pool.apply(found->second, operands.empty() ? llvm::ArrayRef(zero) : operands); // a function has an argument
  return op == Op::ConsecutiveNodes ? pool.equal(value, pool.integer(1)) : value;
}

namespace {
/// Makes the laws for the ranks and nodes that occur in formulas.
class NodeLaws {
public:
  NodeLaws(TermPool &pool, llvm::ArrayRef<Term> formulas, std::vector<Term> &result) : pool(pool), result(result) {
    forEachNode(formulas, [&](Term term) {
      areEqual |= term == product;
      const std::optional<Op> op = nodeOperation(term);
      if (!op)
        return;
      isAny = true;
      areConsecutive |= *op == Op::ConsecutiveNodes;
      if (*op == Op::NodeOf || *op == Op::LocalRank)
        ranks.insert(term->operands[0]);
      if (*op == Op::NodeSize)
        nodes.insert(term->operands[0]);
      if (*op == Op::RankOn)
        places.insert({term->operands[0], term->operands[1]});
    });
  }

  void add() {
    if (!isAny)
      return;
    ofAll();
    ranks.insert(zero);
    for (Term rank : ranks)
      ofRank(rank);
    if (areConsecutive)
      for (const auto &[node, local] : places.takeVector())
        for (const auto &place : {std::pair(node, local), std::pair(node, zero), std::pair(pool.add(node, one), zero)})
          places.insert(place);
    for (const auto &[node, local] : places)
      ofPlace(node, local);
    ofPairs();
    for (Term node : nodes) {
      result.push_back(pool.implies(isNode(node), pool.both(pool.lessEqual(one, sizeOf(node)), pool.lessEqual(sizeOf(node), largest))));
      if (areEqual)
        result.push_back(pool.implies(pool.both(isNode(node), pool.equal(product, p)), pool.equal(sizeOf(node), largest)));
    }
  }

private:
  Term nodeOf(Term rank) { return nodeTerm(pool, Op::NodeOf, {rank}); }
  Term localOf(Term rank) { return nodeTerm(pool, Op::LocalRank, {rank}); }
  Term sizeOf(Term node) { return nodeTerm(pool, Op::NodeSize, {node}); }
  Term rankOn(Term node, Term local) { return nodeTerm(pool, Op::RankOn, {node, local}); }
  Term isNode(Term node) { return pool.inRange(zero, node, count); }
  Term isPlace(Term node, Term local) { return pool.both(isNode(node), pool.inRange(zero, local, sizeOf(node))); }

  void ofAll() {
    result.push_back(pool.conjunction({pool.lessEqual(one, count), pool.lessEqual(one, largest),
                                       pool.lessEqual(pool.add(count, largest), pool.add(p, one))}));
    result.push_back(pool.equal(rankOn(zero, zero), zero));
  }

  void ofRank(Term rank) {
    const Term node = nodeOf(rank), local = localOf(rank);
    nodes.insert(node);
    places.insert({node, local});
    result.push_back(pool.implies(pool.inRange(zero, rank, p),
                                  pool.conjunction({isPlace(node, local), pool.equal(rankOn(node, local), rank),
                                                    pool.lessEqual(pool.add(node, local), rank)})));
  }

  void ofPlace(Term node, Term local) {
    const Term rank = rankOn(node, local);
    nodes.insert(node);
    result.push_back(pool.implies(isPlace(node, local), pool.conjunction({pool.inRange(zero, rank, p), pool.equal(nodeOf(rank), node),
                                                                          pool.equal(localOf(rank), local)})));
    if (!areConsecutive)
      return;
    const Term isSo = nodeTerm(pool, Op::ConsecutiveNodes, {}), first = rankOn(node, zero), next = pool.add(node, one);
    result.push_back(pool.implies(pool.both(isSo, isPlace(node, local)), pool.equal(rank, pool.add(first, local))));
    result.push_back(pool.implies(pool.both(isSo, isNode(node)),
                                  pool.equal(pool.add(first, sizeOf(node)), pool.select(pool.less(next, count), rankOn(next, zero), p))));
  }

  /// The order of first ranks, and of ranks of one node.
  void ofPairs() {
    for (size_t a = 0; a < places.size(); ++a)
      for (size_t b = a + 1; b < places.size(); ++b) {
        const auto [node, local] = places[a];
        const auto [other, number] = places[b];
        const Term both = pool.both(isPlace(node, local), isPlace(other, number));
        const Term isBefore = pool.less(rankOn(node, local), rankOn(other, number));
        if (local == zero && number == zero)
          result.push_back(pool.implies(both, pool.equal(pool.less(node, other), isBefore)));
        if (node == other)
          result.push_back(pool.implies(both, pool.equal(pool.less(local, number), isBefore)));
      }
  }

  TermPool &pool;
  std::vector<Term> &result;
  const Term zero = pool.integer(0), one = pool.integer(1), p = pool.variable("p");
  const Term count = nodeTerm(pool, Op::Nodes, {}), largest = nodeTerm(pool, Op::LargestNode, {});
  llvm::SetVector<Term> ranks, nodes;
  llvm::SetVector<std::pair<Term, Term>> places;
  const Term product = pool.multiply(count, largest);
  bool isAny = false, areConsecutive = false, areEqual = false; // areConsecutive, areEqual: it is asked whether ranks of nodes, and nodes, are
};
} // namespace

void DefinedTerms::nodeLemmas(llvm::ArrayRef<Term> formulas, std::vector<Term> &result) { NodeLaws(pool, formulas, result).add(); }

std::optional<std::int64_t> DefinedTerms::valueOfNodes(Op op, llvm::ArrayRef<std::int64_t> arguments, std::optional<std::int64_t> p,
                                                       std::optional<std::int64_t> which) {
  if (!p || !which || *p < 1 || *p > limits::sampleNodeRanks)
    return std::nullopt;
  auto [entry, isNew] = sampleMaps.try_emplace(*p);
  if (bool areAll = true; isNew)
    entry->second = mapsToTry(*p, areAll);
  const NodeMap &map = *entry->second[static_cast<std::uint64_t>(*which) % entry->second.size()];
  const auto index = static_cast<size_t>(arguments[0]);
  switch (op) {
  case Op::NodeOf:
    return map.hasRank(arguments[0]) ? map.nodeOf[index] : noValue;
  case Op::LocalRank:
    return map.hasRank(arguments[0]) ? map.localRank[index] : noValue;
  case Op::NodeSize:
    return map.hasNode(arguments[0]) ? static_cast<std::int64_t>(map.members[index].size()) : noValue;
  case Op::RankOn: {
    const bool isThere = map.hasNode(arguments[0]) && 0 <= arguments[1] && arguments[1] < static_cast<std::int64_t>(map.members[index].size());
    return isThere ? map.members[index][static_cast<size_t>(arguments[1])] : noValue;
  }
  case Op::Nodes:
    return map.nodes();
  case Op::LargestNode:
    return map.largest;
  default:
    assert(op == Op::ConsecutiveNodes && "an operation of nodes");
    return map.areConsecutive;
  }
}

} // namespace quadrille::compiler::prove
