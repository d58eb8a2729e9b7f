//===- Network.h - Pictures of the links of a network and what they carry -------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_NETWORK_H
#define QUADRILLE_DRAW_NETWORK_H

#include "Look.h"

#include "topology/LinkLoads.h"

#include "llvm/Support/raw_ostream.h"

#include <map>

namespace quadrille::compiler::draw {

/// The load of each link by its number; links without load are left out.
using LoadMap = std::map<topology::LinkNumber, topology::LinkLoad>;

struct LoadedRound {
  std::uint32_t number = 0;
  LoadMap loads;
};

/// The content of a picture, without layout.
struct NetworkPicture {
  const topology::Topology &topology;
  std::string schedule; // "broadcast/h_tree"
  std::string caseText; // "p = 16, k = 4, root = 0, n = 4"
  std::uint32_t ranks = 0;
  std::optional<NumberRange> shownRounds{}; // if given, only these rounds are shown; else the sum of all rounds, then each round
  size_t mostRounds = 8;               // if there are more rounds, they are not shown one by one
  LoadMap total{};                     // the sum over all rounds
  std::vector<LoadedRound> rounds{};   // those that are shown, up to `mostRounds`
  LoadedRound worst{};                 // the round whose busiest link takes longest; the first one if several do
  std::uint64_t roundsSeen = 0;

  /// Converts words from blocks to elements by multiplying with n. Returns false if they do not fit.
  bool scale(std::int64_t n);
  /// Whether loads are counted in messages, because the schedule sends no data.
  bool countsMessages() const;
  /// The load of a link divided by its width.
  double busy(topology::LinkNumber link, const topology::LinkLoad &load) const;
  double busiest(const LoadMap &loads) const;
  /// A single picture: of all rounds together, or of one round.
  struct Panel {
    std::string name, caption; // "round 0", "round 0: at most 3 words on a link"
    const LoadMap *loads;
    double full; // the value of `busy` that is drawn in the strongest colour
  };
  std::vector<Panel> panels() const;
};

/// Thrown to end a run with too many loads. It says nothing about the schedule.
struct TooManyLoads {};

/// Records the loads of a run for a picture. Throws TooManyLoads if there are more than `maxLoads`, counted per link and round.
class LoadTrace : public RunObserver {
public:
  LoadTrace(NetworkPicture &picture, std::uint64_t maxLoads) : picture(picture), counter(picture.topology), maxLoads(maxLoads) {}

  bool wantsTransfers() const override { return false; }
  void onRound(const Round &round, const Machine &machine) override;
  void onRestart() override;

private:
  NetworkPicture &picture;
  topology::LoadCounter counter;
  std::pair<double, std::int64_t> worstSoFar; // of the busiest link: words per width, messages
  const std::uint64_t maxLoads;
};

/// Writes the loads as UTF-8 text: rows of a grid as chains, other links as lists.
void writeNetworkText(const NetworkPicture &picture, bool hasTitle, llvm::raw_ostream &out);

/// The positions of the nodes, in units of about the distance of two neighbours; y grows downwards.
std::vector<topology::Point> placeNodes(const topology::Topology &topology);

/// Nodes from this one on are switches: those of a tree above its leaves, however many ranks stand at each.
std::uint32_t firstSwitch(const topology::Topology &topology);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_NETWORK_H
