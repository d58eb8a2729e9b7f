//===- CallTrace.h - When every rank did what in a call that was run ------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_CALLTRACE_H
#define QUADRILLE_RUN_CALLTRACE_H

#include <cstdint>
#include <string>
#include <vector>

namespace quadrille::compiler::run {

/// An operation of a rank, as the runtime carried it out. Times are in seconds since the call began.
struct OperationTimes {
  std::int64_t rank = 0;
  std::string kind;                       // "send", "receive", "receive-combine", "copy", "combine"
  std::int64_t line = 0, step = 0;        // the line in the schedule; the number of the rank's step, from 1; 0: none
  std::int64_t partner = -1, message = 0; // of a message: the other rank, and its number among the messages of this sender and receiver
  std::int64_t bytes = 0;
  double ready = 0; // when the rank was ready for it
  double begin = 0; // when it began; a receive between threads begins when the message is there
  double end = 0;

  bool isSend() const { return kind == "send"; }
  bool isReceive() const { return kind == "receive" || kind == "receive-combine"; }
};

/// One call of several: the one that took the median time.
struct CallTrace {
  /// Whether all ranks have read the same clock. If not, the times of each rank count from when it left the barrier before the call, so
  /// times of different ranks can be compared only roughly.
  bool hasOneClock = true;
  std::int64_t call = 0, calls = 0; // the number of this call, and how many there were
  double seconds = 0;               // from when the first rank began to when the last one ended
  std::vector<OperationTimes> operations; // rank after rank, in the order of its program
};

/// What a rank reports of a call (runtime/harness/Report.h), with times in ns of its clock.
struct RankTrace {
  std::int64_t enteredNs = 0, leftNs = 0;
  struct Operation {
    OperationTimes about; // without times
    std::int64_t readyNs, beginNs, endNs;
  };
  std::vector<Operation> operations;
};

/// Chooses the call. `calls`: the calls that each rank reports. `clocks`: the name of the clock that each rank has read.
CallTrace callTrace(const std::vector<std::vector<RankTrace>> &calls, const std::vector<std::string> &clocks);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_CALLTRACE_H
