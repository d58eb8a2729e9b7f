//===- Network.h - Pictures of the links of a network and what they carry -------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_NETWORK_H
#define QUADRILLE_DRAW_NETWORK_H

#include "topology/LinkLoads.h"

#include "llvm/Support/raw_ostream.h"

#include <map>

namespace quadrille::compiler::draw {

/// What each link carries, by its number; links that carry nothing are left out.
using LoadMap = std::map<topology::LinkNumber, topology::LinkLoad>;

struct LoadedRound {
  std::uint32_t number = 0;
  LoadMap loads;
};

/// A picture before anybody has decided how it looks.
struct NetworkPicture {
  const topology::Topology &topology;
  std::string schedule; // "broadcast/h_tree"
  std::string caseText; // "p = 16, k = 4, root = 0, n = 4"
  std::uint32_t ranks = 0;
  LoadMap total;                   // of all rounds together
  std::vector<LoadedRound> rounds; // the first ones, if there are too many to show
  LoadedRound worst;               // the first round whose busiest link takes longest
  std::uint64_t roundsSeen = 0;

  /// Multiplies all words, which were counted in blocks; false if they do not fit.
  bool scale(std::int64_t n);
  /// In a schedule without data links carry messages, not words.
  bool countsMessages() const;
  /// What a link carries, per width of the link.
  double busy(topology::LinkNumber link, const topology::LinkLoad &load) const;
  double busiest(const LoadMap &loads) const;
  /// The pictures: all rounds together, and each round, or the worst if they are many.
  struct Panel {
    std::string caption;
    const LoadMap *loads;
    double full; // how busy a link is that is drawn in the strongest colour
  };
  std::vector<Panel> panels() const;
};

/// Ends a run; nothing is wrong with the schedule.
struct TooManyLoads {};

/// Records a run for a picture; throws TooManyLoads if links carry more than `maxLoads` different sums.
class LoadTrace : public RunObserver {
public:
  LoadTrace(NetworkPicture &picture, std::uint64_t maxLoads) : picture(picture), counter(picture.topology), maxLoads(maxLoads) {}

  bool wantsTransfers() const override { return false; }
  void onRound(const Round &round, const Machine &machine) override;
  void onRestart() override;

private:
  NetworkPicture &picture;
  topology::LoadCounter counter;
  std::pair<double, std::int64_t> worstSoFar; // words per width, messages: of the busiest link
  const std::uint64_t maxLoads;
};

/// The network in its own shape, the width and colour of a link tell what it carries. No scripts, no fonts or files from
/// elsewhere.
void writeNetworkSvg(const NetworkPicture &picture, llvm::raw_ostream &out);

/// Rows of a grid as chains, other links as lists. UTF-8.
void writeNetworkText(const NetworkPicture &picture, llvm::raw_ostream &out);

/// Where the nodes are in a picture, in units of about the distance of two neighbours; y grows downwards.
std::vector<topology::Point> placeNodes(const topology::Topology &topology);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_NETWORK_H
