//===- Nodes.cpp - On which node each rank is -----------------------------===//

#include "quadrille/nodes.h"

#include "Environment.h"

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace quadrille;

Nodes::Nodes(const std::vector<Index> &nodeOf, const Group &group, Index origin) {
  std::map<Index, Index> known;
  const Index size = group.size();
  for (Index i = 0; i < size; ++i) {
    const Index rank = group.at(((i + origin) % size + size) % size);
    const bool isKnown = 0 <= rank && rank < static_cast<Index>(nodeOf.size());
    const Index label = isKnown ? nodeOf[static_cast<std::size_t>(rank)] : 0;
    const Index node = known.emplace(label, count()).first->second;
    if (node == count())
      members_.emplace_back();
    std::vector<Index> &mates = members_[static_cast<std::size_t>(node)];
    areConsecutive_ = areConsecutive_ && (mates.empty() || nodes_.back() == node);
    nodes_.push_back(node);
    localRanks_.push_back(static_cast<Index>(mates.size()));
    mates.push_back(i);
    largest_ = std::max(largest_, static_cast<Index>(mates.size()));
  }
}

std::vector<Index> quadrille::detail::pretendedNodes(Index size) {
  const char *const given = std::getenv("QUADRILLE_NODES");
  const char *text = given;
  std::vector<Index> numbers;
  const auto ignore = [given] {
    sayIgnored("QUADRILLE_NODES", given, "a number of nodes, or the node of each rank, as in 0,0,1,2");
    return std::vector<Index>();
  };
  while (text && *text != '\0') {
    char *end = nullptr;
    const long long number = std::strtoll(text, &end, 10);
    if (end == text || number < 0 || (*end != '\0' && (*end != ',' || end[1] == '\0')))
      return ignore();
    numbers.push_back(static_cast<Index>(number));
    text = *end == ',' ? end + 1 : end;
  }
  if (numbers.size() != 1)
    return static_cast<Index>(numbers.size()) == size ? numbers : std::vector<Index>();
  if (numbers[0] == 0)
    return ignore();
  const Index nodes = std::min(numbers[0], size);
  std::vector<Index> result;
  for (Index rank = 0; nodes > 0 && rank < size; ++rank)
    result.push_back(rank * nodes / size);
  return result;
}
