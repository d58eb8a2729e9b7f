//===- GraphFile.cpp - Networks that a file describes ----------------------------------------------------------------------===//

#include "GraphFile.h"

#include "Graph.h"

#include "limits/Limits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace quadrille::compiler::topology {

namespace {

llvm::SMRange rangeOf(llvm::StringRef text) {
  return {llvm::SMLoc::getFromPointer(text.begin()), llvm::SMLoc::getFromPointer(text.end())};
}

/// Thrown at the first error. Reading ends there, since later errors often follow from the first.
struct Mistake {
  Diagnostic diagnostic;
};

[[noreturn]] void fail(llvm::StringRef at, diag::Facts facts) {
  throw Mistake{Diagnostic(rangeOf(at), std::move(facts))};
}

class GraphReader {
public:
  GraphParts read(llvm::StringRef text) {
    text.consume_front("\xEF\xBB\xBF"); // a byte order mark
    while (!text.empty()) {
      llvm::StringRef line;
      std::tie(line, text) = text.split('\n');
      words.clear();
      llvm::SplitString(line.take_until([](char c) { return c == '#'; }), words, " \t\r");
      if (!words.empty())
        statement();
    }
    placeRanks();
    resolveRoutes();
    return std::move(parts);
  }

private:
  void statement() {
    llvm::StringRef verb = words[0];
    if (verb == "link" || verb == "arc")
      addLink(verb == "link");
    else if (verb == "node")
      addNode();
    else if (verb == "rank")
      addRank();
    else if (verb == "route")
      given.push_back({words.begin(), words.end()});
    else
      fail(verb, diag::GraphLine{.found = verb.str(), .expected = diag::GraphRuleLines{}});
    if (verb == "route")
      checkRoute();
  }

  void need(bool good, const diag::GraphRule &form) {
    if (!good)
      fail(words.back(), diag::GraphLine{.found = words.back().str(), .expected = form});
  }

  std::uint32_t node(llvm::StringRef name) {
    auto [entry, isNew] = numbers.try_emplace(name, static_cast<std::uint32_t>(parts.nodes.size()));
    if (isNew) {
      if (parts.nodes.size() >= static_cast<size_t>(limits::nodes))
        fail(name, diag::TopologyTooLarge{.what = diag::OfNetworkNodes{}, .limit = limits::nodes});
      parts.nodes.push_back({name.str(), std::nullopt});
    }
    return entry->second;
  }

  std::uint32_t knownNode(llvm::StringRef name) {
    auto found = numbers.find(name);
    if (found == numbers.end())
      fail(name, diag::GraphNode{.node = name.str()});
    return found->second;
  }

  /// node NAME, or node NAME at X Y
  void addNode() {
    need(words.size() == 2 || (words.size() == 5 && words[2] == "at"), diag::GraphRuleNode{});
    const std::uint32_t number = node(words[1]);
    if (words.size() == 2)
      return;
    Point place;
    for (auto [text, value] : {std::pair(words[3], &place.x), {words[4], &place.y}})
      if (text.find_first_not_of("0123456789.-") != llvm::StringRef::npos || text.getAsDouble(*value) || std::abs(*value) > 1e6)
        fail(text, diag::GraphLine{.found = text.str(),
                                   .expected = diag::GraphRulePlace{}});
    if (parts.nodes[number].place)
      fail(words[1],
           diag::GraphLine{.found = words[1].str(), .expected = diag::GraphRulePlaceOnce{}});
    parts.nodes[number].place = place;
  }

  /// link A B [WIDTH], and arc for one direction only
  void addLink(bool bothWays) {
    need(words.size() == 3 || words.size() == 4, bothWays ? diag::GraphRule(diag::GraphRuleLink{}) : diag::GraphRuleArc{});
    const Rational width = words.size() == 4 ? widthOf(words[3]) : Rational(1);
    const std::uint32_t a = node(words[1]), b = node(words[2]);
    if (a == b)
      fail(words[2], diag::GraphLine{.found = words[2].str(), .expected = diag::GraphRuleLinkToOther{}});
    const LinkNumber number = parts.links.size();
    addOneWay(a, b, width, bothWays ? std::optional(number + 1) : std::nullopt);
    if (bothWays)
      addOneWay(b, a, width, number);
  }

  void addOneWay(std::uint32_t from, std::uint32_t to, const Rational &width, std::optional<LinkNumber> reverse) {
    if (parts.links.size() >= static_cast<size_t>(limits::links))
      fail(words[0], diag::TopologyTooLarge{.what = diag::OfNetworkLinks{}, .limit = limits::links});
    if (!linkBetween.try_emplace({from, to}, parts.links.size()).second)
      fail(words[1], diag::GraphLinkTwice{.from = parts.nodes[from].name, .to = parts.nodes[to].name});
    parts.links.push_back({from, to, width});
    parts.reverses.push_back(reverse);
  }

  /// 2, 0.5 or 1/2
  static Rational widthOf(llvm::StringRef text) {
    auto bad = [&] { fail(text, diag::GraphWidth{.text = text.str(), .limit = limits::widthParts}); };
    auto part = [&](llvm::StringRef digits) {
      std::int64_t value = 0;
      if (digits.empty() || !llvm::all_of(digits, llvm::isDigit) || digits.getAsInteger(10, value) || value > limits::widthParts)
        bad();
      return value;
    };
    Rational width;
    if (text.contains('/')) {
      auto [above, below] = text.split('/');
      width = Rational(part(above)) / Rational(part(below));
    } else {
      auto [whole, decimals] = text.split('.');
      std::int64_t scale = 1;
      if (decimals.size() > 6)
        bad();
      for (size_t i = 0; i < decimals.size(); ++i)
        scale *= 10;
      width = Rational(part(whole)) + (text.contains('.') ? Rational(part(decimals), scale) : Rational(0));
    }
    if (!width.valid() || width <= Rational(0) || width.num() > limits::widthParts)
      bad();
    return width;
  }

  /// rank NUMBER at NODE
  void addRank() {
    std::uint32_t rank = 0;
    need(words.size() == 4 && words[2] == "at", diag::GraphRuleRank{});
    if (words[1].getAsInteger(10, rank) || rank >= static_cast<std::uint32_t>(limits::nodes))
      fail(words[1], diag::GraphLine{.found = words[1].str(), .expected = diag::GraphRuleRankBelow{.end = limits::nodes.value()}});
    auto [entry, isNew] = ranks.try_emplace(rank, std::pair(words[1], words[3]));
    if (!isNew)
      fail(words[1], diag::GraphRank{.rank = rank, .twice = true, .other = std::nullopt});
  }

  /// route A B via C D ...
  void checkRoute() {
    need(words.size() >= 5 && words[3] == "via", diag::GraphRuleRoute{});
    if (words[1] == words[2])
      fail(words[2], diag::GraphLine{.found = words[2].str(), .expected = diag::GraphRuleRouteToOther{}});
  }

  /// Ranks stand where `rank` lines say, or else at all nodes in their order.
  void placeRanks() {
    if (parts.nodes.empty())
      throw Mistake{Diagnostic({}, diag::GraphRank{.rank = 0, .twice = false, .other = std::nullopt})};
    if (ranks.empty())
      for (std::uint32_t number = 0; number < parts.nodes.size(); ++number)
        parts.nodeOfRank.push_back(number);
    for (const auto &[rank, place] : ranks) {
      if (rank != parts.nodeOfRank.size())
        fail(place.first,
             diag::GraphRank{.rank = parts.nodeOfRank.size(), .twice = false, .other = rank});
      parts.nodeOfRank.push_back(knownNode(place.second));
    }
  }

  void resolveRoutes() {
    for (const std::vector<llvm::StringRef> &route : given) {
      const std::uint32_t from = knownNode(route[1]), to = knownNode(route[2]);
      std::vector<LinkNumber> links;
      std::vector<llvm::StringRef> stops(route.begin() + 4, route.end());
      stops.push_back(route[2]);
      std::uint32_t at = from;
      for (llvm::StringRef stop : stops) {
        auto link = linkBetween.find({at, knownNode(stop)});
        if (link == linkBetween.end())
          fail(stop, diag::GraphRoute{.from = parts.nodes[at].name, .to = stop.str()});
        if (llvm::is_contained(links, link->second))
          fail(stop, diag::GraphLine{.found = stop.str(), .expected = diag::GraphRuleLinkOnce{}});
        links.push_back(link->second);
        at = link->first.second;
      }
      if (!parts.routes.try_emplace({from, to}, std::move(links)).second)
        fail(route[1], diag::GraphLine{.found = route[1].str(), .expected = diag::GraphRuleRouteOnce{}});
    }
  }

  GraphParts parts;
  llvm::SmallVector<llvm::StringRef, 8> words; // of the current line
  llvm::StringMap<std::uint32_t> numbers;      // of nodes, by name
  std::map<std::pair<std::uint32_t, std::uint32_t>, LinkNumber> linkBetween;
  std::map<std::uint32_t, std::pair<llvm::StringRef, llvm::StringRef>> ranks; // by rank: the texts of the rank and of the node
  std::vector<std::vector<llvm::StringRef>> given;                            // words of the `route` lines
};

} // namespace

std::shared_ptr<const Topology> readGraph(const Sources &sources, unsigned buffer, Diagnostics &diagnostics) {
  try {
    return makeGraph(sources.name(buffer).str(), GraphReader().read(sources.text(buffer)));
  } catch (Mistake &mistake) {
    if (!mistake.diagnostic.range.isValid())
      mistake.diagnostic.file = sources.name(buffer).str(); // there is no line to show
    diagnostics.report(std::move(mistake.diagnostic));
    return nullptr;
  }
}

} // namespace quadrille::compiler::topology
