//===- Topologies.cpp - The networks of the command line ----------------------------------------------------------------------------===//

#include "Topologies.h"

#include "cost/LinearCost.h"
#include "topology/GraphFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

namespace quadrille::compiler {

std::optional<Topologies> Topologies::load(Session &session) {
  Topologies result;
  for (const topology::TopologyText &text : session.options.topologies) {
    Entry entry{text, nullptr};
    if (text.isFile()) {
      Sources::Loaded loaded = session.sources.load(text.text);
      if (loaded.problem != Sources::Problem::None) {
        session.library.reportUnreadable(loaded, text.text);
        return std::nullopt;
      }
      entry.graph = topology::readGraph(session.sources, loaded.buffer, session.diagnostics);
      if (!entry.graph)
        return std::nullopt;
    }
    result.entries.push_back(std::move(entry));
  }
  return result;
}

std::vector<std::int64_t> Topologies::defaultRanks(std::int64_t otherwise) const {
  std::vector<std::int64_t> ranks;
  for (const Entry &entry : entries)
    ranks.push_back(entry.places().value_or(otherwise));
  if (ranks.empty())
    ranks.push_back(otherwise);
  llvm::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

std::vector<std::shared_ptr<const topology::Topology>> Topologies::at(std::int64_t p, bool asked) const {
  std::vector<std::shared_ptr<const topology::Topology>> result;
  for (const Entry &entry : entries) {
    const std::optional<std::int64_t> places = entry.places();
    if (!asked && places && *places != p)
      continue;
    if (entry.graph && p > *places)
      throw topology::findingAbout(entry.text.text, diag::TopologyTooSmall{.p = p, .places = *places});
    result.push_back(entry.graph ? entry.graph : topology::makeTopology(entry.text, p));
  }
  return result;
}

/// An exact number of words; throws Finding if it does not fit.
static Rational scaled(const topology::Topology &topology, const Rational &words, std::int64_t scale) {
  Rational result = words * Rational(scale);
  if (!result.valid())
    throw topology::findingAbout(topology.name, diag::LoadOverflow{});
  return result;
}

static std::string cableName(const topology::Topology &topology, topology::LinkNumber number) {
  std::optional<topology::Link> link = topology.link(number);
  const bool twoWays = topology.reverse(number) && topology.link(*topology.reverse(number));
  return topology.nodeName(link->from) + (twoWays ? "↔" : "→") + topology.nodeName(link->to);
}

void printContention(const topology::Topology &topology, const topology::Contention &contention, const Cost &synchronous,
                     std::int64_t scale, bool withGamma, const std::optional<MachineParameters> &machine, llvm::raw_ostream &out) {
  auto words = [&](const Rational &blocks) { return scaled(topology, blocks, scale).text(); };
  const Rational longest = scaled(topology, contention.words, scale);
  const LinearCost cost{0, synchronous.a, longest, synchronous.c};
  out << "  on " << topology.name << '\n';
  out << "    contention  " << cost.text(withGamma);
  if (machine)
    out << " = " << durationText(static_cast<double>(synchronous.a) * machine->alpha +
                                 static_cast<double>(longest.num()) / static_cast<double>(longest.den()) * machine->beta +
                                 static_cast<double>(synchronous.c) * machine->gamma);
  out << '\n';
  if (contention.suffering == 0 || scale == 0) {
    out << "    suffers     no round\n";
  } else {
    const topology::SufferingRounds &worst = *contention.worst;
    out << "    suffers     " << contention.suffering << " of " << contention.rounds << (contention.rounds == 1 ? " round" : " rounds")
        << ", round " << worst.first << " most: it takes " << worst.factor().text() << " times as long\n";
    std::vector<std::vector<std::string>> rows{{"      round", "factor", "busiest link", "words", "messages"}};
    for (const topology::SufferingRounds &rounds : contention.listed) {
      std::string numbers = std::to_string(rounds.first);
      if (rounds.last != rounds.first)
        numbers += ".." + std::to_string(rounds.last);
      rows.push_back({"      " + numbers, rounds.factor().text(), topology.linkName(rounds.link) + (rounds.sameLink ? "" : ", ..."),
                      words(Rational(rounds.words)), std::to_string(rounds.messages)});
    }
    printColumns(rows, 0, out);
    if (contention.groups > contention.listed.size())
      out << "      and " << contention.groups - contention.listed.size() << " more such groups of rounds\n";
  }
  if (contention.mostMessages > 0)
    out << "    messages    at most " << contention.mostMessages << " on a link in a round: " << topology.linkName(contention.messagesLink)
        << " in round " << contention.messagesRound << '\n';
  if (contention.oneWay.pairs > 0)
    out << "    congestion  " << contention.oneWay.pairs << (contention.oneWay.pairs == 1 ? " pair" : " pairs")
        << " of ranks on a link (" << topology.linkName(contention.oneWay.link) << "), " << contention.bothWays.pairs
        << " on its two directions together (" << cableName(topology, contention.bothWays.link) << ")\n";
}

} // namespace quadrille::compiler
