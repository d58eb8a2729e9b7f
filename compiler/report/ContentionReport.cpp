//===- ContentionReport.cpp - What links that messages share cost, as lines of text ----------------------------------------------===//

#include "ContentionReport.h"

#include "Text.h"

#include "cost/LinearCost.h"
#include "source/Counted.h"

namespace quadrille::compiler {

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
    out << "    suffers     " << contention.suffering << " of " << counted(contention.rounds, "round")
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
    out << "    congestion  " << counted(contention.oneWay.pairs, "pair")
        << " of ranks on a link (" << topology.linkName(contention.oneWay.link) << "), " << contention.bothWays.pairs
        << " on its two directions together (" << cableName(topology, contention.bothWays.link) << ")\n";
}

} // namespace quadrille::compiler
