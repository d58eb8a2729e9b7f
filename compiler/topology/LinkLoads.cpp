//===- LinkLoads.cpp - The loads of links in a round ------------------------------------------------------===//

#include "LinkLoads.h"

#include "limits/Limits.h"

#include <algorithm>
#include <cassert>

namespace quadrille::compiler::topology {

void LoadCounter::add(std::uint32_t source, std::uint32_t destination, std::int64_t words) {
  if (__builtin_add_overflow(sum, words, &sum))
    throw findingAbout(topology.name, diag::LoadOverflow{});
  const std::uint32_t from = topology.nodeOf(source), to = topology.nodeOf(destination);
  if (from == to)
    return;
  route.clear();
  topology.route(from, to, route);
  runs += route.size();
  if (runs > limits::routeParts)
    throw findingAbout(topology.name, diag::TopologyTooLarge{.what = diag::OfNetworkRouteParts{}, .limit = limits::routeParts});
  for (const LinkRun &run : route) {
    assert(run.first + run.count <= topology.linkNumbers() && "a route goes over links of the network");
    changes.push_back({run.first, words, 1});
    changes.push_back({run.first + run.count, -words, -1});
  }
  if (changes.size() > std::max<LinkNumber>(topology.linkNumbers(), 1 << 12))
    fold();
}

/// Moves the changes into the table of all links. This bounds memory by the size of the network.
void LoadCounter::fold() {
  dense.resize(topology.linkNumbers() + 1);
  for (const Change &change : changes) {
    dense[change.link].first += change.words;
    dense[change.link].second += change.messages;
  }
  changes.clear();
  folded = true;
}

void LoadCounter::put(LinkNumber begin, LinkNumber end, std::int64_t words, std::int64_t messages) {
  if (messages == 0 || begin == end)
    return;
  if (!loads.empty() && loads.back().end == begin && loads.back().words == words && loads.back().messages == messages)
    loads.back().end = end;
  else
    loads.push_back({begin, end, words, messages});
}

llvm::ArrayRef<LinkLoad> LoadCounter::take() {
  loads.clear();
  sum = 0;
  std::int64_t words = 0, messages = 0;
  const LinkNumber numbers = topology.linkNumbers();
  // With many changes, a pass over all links is cheaper than sorting.
  if (!changes.empty() && changes.size() >= numbers / 8)
    fold();
  if (folded) {
    folded = false;
    for (LinkNumber link = 0; link < numbers; ++link) {
      words += dense[link].first;
      messages += dense[link].second;
      put(link, link + 1, words, messages);
    }
    std::fill(dense.begin(), dense.end(), std::pair<std::int64_t, std::int64_t>());
  } else {
    std::sort(changes.begin(), changes.end(), [](const Change &a, const Change &b) { return a.link < b.link; });
    for (size_t i = 0; i < changes.size();) {
      const LinkNumber link = changes[i].link;
      for (; i < changes.size() && changes[i].link == link; ++i) {
        words += changes[i].words;
        messages += changes[i].messages;
      }
      put(link, i < changes.size() ? changes[i].link : link, words, messages);
    }
    assert(words == 0 && messages == 0 && "what is on links ends on them");
  }
  changes.clear();
  return loads;
}

} // namespace quadrille::compiler::topology
