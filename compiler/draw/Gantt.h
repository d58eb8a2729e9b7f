//===- Gantt.h - Gantt charts: what every rank does when -------------------------------------------------------------------*- C++ -*-===//
//
// Times are measured or predicted. Predicted ones follow the asynchronous reading of costs: a transfer begins when both sides have reached it
// and takes alpha + beta*words, local work takes gamma*words, and a step ends for a rank when all its transfers have ended.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_DRAW_GANTT_H
#define QUADRILLE_DRAW_GANTT_H

#include "Look.h"

#include "instantiate/Round.h"
#include "machines/MachineDescription.h"
#include "scene/Scene.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::draw {

struct GanttBar {
  enum Kind { Send, Receive, Combine, Copy } kind = Send;
  std::uint32_t rank = 0, partner = 0, round = 0; // measured: the rank's step
  double begin = 0, end = 0;                      // seconds
  double amount = 0;                              // words; measured: bytes
  double ready = 0;                               // measured: when the rank was ready for it and began to wait
  std::uint32_t line = 0;                         // measured: the line in the schedule; 0: none

  bool isWork() const { return kind == Combine || kind == Copy; }
};

struct Gantt {
  std::string schedule, caseText;
  std::string source; // where the times come from: the machine, or the run that was measured
  std::uint32_t ranks = 0;
  std::vector<GanttBar> bars;
  bool isMeasured = false;
};

/// Thrown to end a run with too many bars. It says nothing about the schedule.
struct TooManyBars {};

class GanttRecorder : public RunObserver {
public:
  /// `n`: the length of a block, for which alone the machine must compute. Throws TooManyBars if there are more than `maxBars`.
  GanttRecorder(Gantt &gantt, const MachineParameters &machine, std::int64_t n, std::uint64_t maxBars);

  bool wantsTransfers() const override { return false; }
  void onRound(const Round &round, const Machine &machine) override;
  void onStepEnd(std::uint32_t first, std::uint32_t count) override;
  void onWork(std::uint32_t first, std::uint32_t count, const std::int64_t *words, const Machine &machine) override;
  void onRestart() override;

private:
  struct LocalTime {
    double now = 0, afterStep = 0;
  };
  void startClocks();
  void add(GanttBar bar);

  Gantt &gantt;
  const MachineParameters machine;
  const double n;
  const std::uint64_t maxBars;
  std::vector<LocalTime> clocks;
};

/// Each rank has a row, with sends above and receives below.
scene::Scene ganttScene(const Gantt &gantt, const Look &look);
void writeCsv(const Gantt &gantt, llvm::raw_ostream &out);

} // namespace quadrille::compiler::draw

#endif // QUADRILLE_DRAW_GANTT_H
