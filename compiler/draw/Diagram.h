//===- Diagram.h - The content of a space-time diagram ------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_DIAGRAM_H
#define QUADRILLE_DRAW_DIAGRAM_H

#include "Look.h"

#include "instantiate/Round.h"

#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler::draw {

/// One transfer. `hue` identifies the data: arrows with equal numbers get the same colour; negative: data are not told apart.
struct Arrow {
  std::uint32_t source = 0, destination = 0;
  std::string label;
  std::int64_t hue = -1;
};

struct TracedRound {
  std::uint32_t number = 0;
  std::vector<Arrow> arrows; // sorted by source
};

/// The content of a diagram, without layout.
struct Diagram {
  std::string schedule;              // "broadcast/binomial"
  std::string caseText;              // "p = 8, root = 0"
  std::string model;                 // "half_duplex"; empty if unknown
  std::string cost, costGreek;       // "3*alpha + 3*beta*n", "3α + 3βn"; empty if unknown
  std::uint32_t ranks = 0;
  std::optional<std::uint32_t> root;
  std::vector<TracedRound> rounds;
  std::uint64_t roundsSeen = 0;                 // the number of all rounds of the run
  std::uint64_t arrowsSeen = 0;                 // the number of all arrows that are wanted, including those beyond the limit
  std::string labelName;                        // what a label names, for instance "packet"; empty if there are no labels
  std::string legend;                           // a sentence about the labels
  std::string failure;                          // "rank 2 receives ... [Q0301]"; empty if the schedule is right

  std::uint64_t arrowsShown() const;
};

/// Thrown to end a run with too many transfers. It says nothing about the schedule.
struct TooManyArrows {};

/// Records a run as a diagram. The label of data that is only moved names its origin (rank, block, packet); that of a product, the ranks
/// of its factors.
class DiagramRecorder : public RunObserver {
public:
  /// Records at most `maxArrows` transfers. Further ones are only counted or, with `refuseMore`, end the run by TooManyArrows.
  /// `blocks`: the number of blocks of the collective's input. Rounds that `look` leaves out are only counted, and so are transfers
  /// between ranks that it leaves out.
  DiagramRecorder(const ir::Schedule &schedule, std::uint64_t blocks, std::uint64_t maxArrows, bool refuseMore, const Look &look = {});

  void onRound(const Round &round, const Machine &machine) override;
  void onRestart() override;

  Diagram diagram;

private:
  void explainLabels(bool namesPacket);
  void name(const Transfer &transfer, const Machine &machine, Arrow &arrow) const;

  const ir::Schedule &schedule;
  const Look look;
  std::uint64_t blocks, maxArrows, recorded = 0;
  bool refuseMore;
  bool folds, namesRank, namesBlock;
};

/// A set as ranges: "0", "2..5", "1,4..6". If `modulus` is not zero, ranges are cyclic: "5..1". `set`: sorted, without duplicates.
std::string setText(const std::vector<std::uint64_t> &set, std::uint64_t modulus);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_DIAGRAM_H
