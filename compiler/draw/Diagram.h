//===- Diagram.h - What a space-time diagram shows ------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRAW_DIAGRAM_H
#define QUADRILLE_DRAW_DIAGRAM_H

#include "instantiate/Round.h"

#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler::draw {

/// One transfer. `hue` numbers what travels, so that equal numbers get equal colours; negative if there is nothing to tell
/// apart.
struct Arrow {
  std::uint32_t source = 0, destination = 0;
  std::string label;
  std::int64_t hue = -1;
};

struct TracedRound {
  std::uint32_t number = 0;
  std::vector<Arrow> arrows; // by source
};

/// A picture before anybody has decided how it looks.
struct Diagram {
  std::string schedule;              // "broadcast/binomial"
  std::string caseText;              // "p = 8, root = 0"
  std::string model;                 // "half_duplex"; empty if unknown
  std::string cost, costGreek;       // "3*alpha + 3*beta*n", "3α + 3βn"; empty if unknown
  std::uint32_t ranks = 0;
  std::optional<std::uint32_t> root;
  std::vector<TracedRound> rounds;
  std::uint64_t roundsSeen = 0, arrowsSeen = 0; // with those beyond the limit, which are not in `rounds`
  std::string labelName;                        // "packet": what stands after the colon in lists; empty without labels
  std::string legend;                           // a sentence about the labels
  std::string failure;                          // "rank 2 receives ... [Q0301]"; empty if the schedule is right

  std::uint64_t arrowsShown() const;
};

/// Ends a run; nothing is wrong with the schedule.
struct TooManyArrows {};

/// Records a run for a picture. Data that only moves is named by where it comes from (owner, block, packet), data that is
/// combined by the ranks whose product it is.
class DiagramRecorder : public RunObserver {
public:
  /// Records at most `maxArrows` transfers. What comes after is only counted, or, if `refuseMore`, ends the run by
  /// throwing TooManyArrows. `blocks`: blocks of the collective's input.
  DiagramRecorder(const ir::Schedule &schedule, std::uint64_t blocks, std::uint64_t maxArrows, bool refuseMore);

  void onRound(const Round &round, const Machine &machine) override;
  void onRestart() override;

  Diagram diagram;

private:
  void explainLabels(bool namesPacket);
  void name(const Transfer &transfer, const Machine &machine, Arrow &arrow) const;

  const ir::Schedule &schedule;
  std::uint64_t blocks, maxArrows, recorded = 0;
  bool refuseMore;
  bool folds, namesRank, namesBlock;
};

/// "0", "2..5", "1,4..6"; "5..1" is a run modulo `modulus`, if that is not zero. `set` is sorted and has no doubles.
std::string setText(const std::vector<std::uint64_t> &set, std::uint64_t modulus);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_DIAGRAM_H
