//===- Contestants.h - The schedules that a table may choose ---------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TUNE_CONTESTANTS_H
#define QUADRILLE_TUNE_CONTESTANTS_H

#include "check/Check.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::compiler::tune {

/// A schedule with one value of its parameter.
struct Contestant {
  const ir::Schedule *schedule;
  std::optional<std::int64_t> parameter; // nothing: the schedule has none; 0: the call chooses it

  /// "k=2", "k=auto"; empty if there is none.
  std::string parameterText() const;
  bool admits(std::int64_t p) const;
};

/// The schedules of a library among which tables choose.
class Contestants {
public:
  /// `check`: how schedules are checked, apart from the numbers of ranks.
  Contestants(std::vector<const ir::Schedule *> schedules, CheckOptions check);

  /// Those for a collective, in the order in which they are preferred where their predictions are equal.
  std::vector<Contestant> of(const std::string &collective) const;

  /// Whether the schedule needs several ports. They are free in predictions, so a schedule that uses them would win everywhere.
  bool needsPorts(const ir::Schedule &schedule);

private:
  bool givesSameBits(const ir::Schedule &schedule) const;

  const std::vector<const ir::Schedule *> schedules;
  const CheckOptions check;
  std::map<const ir::Schedule *, bool> ports;
};

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_CONTESTANTS_H
