//===- Traffic.cpp - Who sends how much to whom, and along which tree ------------------------------------------------===//

#include "Traffic.h"

#include "instantiate/Messages.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace quadrille::compiler::draw {

size_t Traffic::fieldCount() const {
  return static_cast<size_t>(llvm::count_if(sums, [](const Sum &sum) { return sum.messages > 0; }));
}

void Traffic::makeCoarser() {
  const std::uint32_t coarse = (fields + 1) / 2;
  std::vector<Sum> joined(std::size_t{coarse} * coarse);
  forEachField([&](std::uint32_t from, std::uint32_t to, const Sum &sum) {
    Sum &into = joined[std::size_t{from / 2} * coarse + to / 2];
    into.messages += sum.messages;
    into.words += sum.words;
  });
  sums = std::move(joined);
  fields = coarse;
  ranksPerField *= 2;
}

std::string Traffic::ranksOf(std::uint32_t field) const {
  const std::uint64_t first = std::uint64_t{field} * ranksPerField, last = std::min<std::uint64_t>(first + ranksPerField, ranks) - 1;
  return first == last ? std::to_string(first) : std::to_string(first) + ".." + std::to_string(last);
}

void TrafficRecorder::onRestart() {
  traffic.sums.clear();
  traffic.firstReceipts.clear();
  traffic.lastSends.clear();
  receivers = senders = 0;
}

/// Allocates at the first event: a case whose ranks would exceed the limit of memory is refused before it has one.
void TrafficRecorder::allocate() {
  if (what == What::Tree) {
    traffic.firstReceipts.resize(traffic.ranks);
    traffic.lastSends.resize(traffic.ranks);
    return;
  }
  traffic.ranksPerField = (traffic.ranks + mostFields - 1) / mostFields;
  traffic.fields = (traffic.ranks + traffic.ranksPerField - 1) / traffic.ranksPerField;
  traffic.sums.resize(std::size_t{traffic.fields} * traffic.fields);
}

void TrafficRecorder::onRound(const Round &round, const Machine &machine) {
  if (traffic.sums.empty() && traffic.lastSends.empty())
    allocate();
  forEachMessage(round, machine, 0, [&](std::uint32_t source, std::uint32_t destination, std::int64_t words) {
    if (what == What::Tree)
      return addToTree(source, destination, round.number);
    Traffic::Sum &sum = traffic.sums[std::size_t{source / traffic.ranksPerField} * traffic.fields + destination / traffic.ranksPerField];
    ++sum.messages;
    sum.words += static_cast<double>(words) * (machine.countsBlocks() ? n : 1);
  });
}

void TrafficRecorder::addToTree(std::uint32_t source, std::uint32_t destination, std::uint32_t round) {
  if (!traffic.firstReceipts[destination]) {
    ++receivers;
    traffic.firstReceipts[destination] = Traffic::Edge{source, round};
  }
  senders += !traffic.lastSends[source];
  traffic.lastSends[source] = {destination, round};
  // The root of a tree receives nothing, or sends nothing.
  if (receivers == traffic.ranks && senders == traffic.ranks)
    throw NoTree();
}

/// Whether all ranks but one have an edge, and paths end at that one.
static bool isTree(const Traffic::Edges &edges, std::uint32_t ranks) {
  const auto roots = llvm::count_if(edges, [](const auto &edge) { return !edge; });
  if (edges.size() != ranks ? ranks != 1 : roots != 1)
    return false;
  // If the path from a rank ends at the root, so do the paths from all ranks on it.
  std::vector<bool> ends(ranks);
  for (std::uint32_t rank = 0; rank < edges.size(); ++rank) {
    std::uint32_t at = rank, steps = 0;
    for (; !ends[at] && edges[at]; at = edges[at]->parent)
      if (++steps > ranks)
        return false;
    for (at = rank; !ends[at]; at = edges[at]->parent) {
      ends[at] = true;
      if (!edges[at])
        break;
    }
  }
  return true;
}

std::optional<Traffic::Edges> Traffic::tree(bool &growsDown) const {
  growsDown = isTree(firstReceipts, ranks);
  if (growsDown)
    return firstReceipts;
  return isTree(lastSends, ranks) ? std::optional(lastSends) : std::nullopt;
}

void writeMatrixCsv(const Traffic &traffic, llvm::raw_ostream &out) {
  out << (traffic.ranksPerField == 1 ? "source,destination,messages,words\n" : "sources,destinations,messages,words\n");
  traffic.forEachField([&](std::uint32_t from, std::uint32_t to, const Traffic::Sum &sum) {
    out << traffic.ranksOf(from) << ',' << traffic.ranksOf(to) << ',' << sum.messages << ',' << static_cast<std::int64_t>(sum.words) << '\n';
  });
}

void writeTreeCsv(const Traffic::Edges &tree, llvm::raw_ostream &out) {
  out << "rank,parent,round\n";
  for (size_t rank = 0; rank < tree.size(); ++rank)
    if (const auto &edge = tree[rank])
      out << rank << ',' << edge->parent << ',' << edge->round << '\n';
}

} // namespace quadrille::compiler::draw
