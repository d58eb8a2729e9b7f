//===- Chooser.h - Which schedule a call takes -----------------*- C++ -*-===//
//
// A choice depends only on the collective, the number of ranks, whether they share cores,
// the bytes of a block, the law of the operator, the root, and on settings and a table that
// are the same on all ranks. So all ranks choose alike.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_COLLECTIVES_CHOOSER_H
#define QUADRILLE_RUNTIME_COLLECTIVES_CHOOSER_H

#include "Settings.h"
#include "Table.h"

#include <set>
#include <tuple>

namespace quadrille {
namespace detail {

/// What a choice depends on.
struct CallSize {
  CollectiveId collective;
  std::uint64_t bytes = 0; ///< of a block; where blocks have lengths of their own, their mean
  bool commutative = true;
  Index root = 0;
  /// Whether all ranks know all lengths; if not, `bytes` is as large as it can be.
  bool knowsAllLengths = true;
  /// Whether it is carried out now. Others take no row that leaves calls to the MPI library:
  /// its nonblocking collectives are other ones than those that were found to be fast.
  bool isBlocking = true;
};

struct Choice {
  const CandidateFacts *candidate = nullptr; ///< null: no schedule admits the call; see isMpiLibrary
  Index parameter = 0;
};

class Chooser {
public:
  /// `all`: the candidates of the library. `usual`: the text of the table that
  /// comes with it, whose rows stand after those of the user. `nodes`: where the
  /// ranks are; `sharesCores`: whether there are fewer cores than ranks; both the
  /// same on all of them. `mayLeaveToMpi`: rows that leave calls to
  /// the MPI library count; otherwise they are passed over.
  Chooser(const Settings &settings, std::string_view backend, Index p, Nodes nodes, bool sharesCores,
          std::vector<const CandidateFacts *> all, std::string_view usual, bool mayLeaveToMpi = false);

  /// What is wrong with the settings.
  const Status &status() const { return status_; }

  Choice choose(const CallSize &call) {
    Last &last = last_[static_cast<std::size_t>(call.collective)];
    if (last.choice.candidate && last.bytes == call.bytes && last.commutative == call.commutative && last.root == call.root &&
        last.knowsAllLengths == call.knowsAllLengths && last.isBlocking == call.isBlocking)
      return last.choice;
    last = {find(call), call.bytes, call.commutative, call.root, call.knowsAllLengths, call.isBlocking};
    return last.choice;
  }

  /// The error of a call that no schedule admits.
  Status noSchedule(const CallSize &call) const;

  /// Whether the call of `rank` is to be shown.
  bool shows(Index rank, const CallSize &call, const Choice &choice);
  /// Shows a call. `seconds`: how long it took; negative: not known.
  void show(const CallSize &call, const Choice &choice, double seconds) const;

private:
  struct Last {
    Choice choice;
    std::uint64_t bytes = 0;
    bool commutative = true;
    Index root = 0;
    bool knowsAllLengths = true, isBlocking = true;
  };

  void readAll(const Settings &settings, std::string_view backend, const std::vector<const CandidateFacts *> &all,
               std::string_view usual);
  void addOfNodes(const std::vector<const CandidateFacts *> &all);
  bool admits(const TableRow &row, Index root) const;
  void add(const TableRow &row);
  const TableRow *rowFor(const CallSize &call) const;
  Choice find(const CallSize &call) const;

  Index p_;
  Nodes nodes_;
  Status status_;
  bool sharesCores_ = false, reproducible_ = false, mayLeaveToMpi_ = false;
  Settings::Trace trace_ = Settings::Trace::None;
  /// For each collective, the rows that hold for p ranks. The first one that fits a call is taken.
  std::array<std::vector<TableRow>, collectiveCount> rows_;
  std::array<Last, collectiveCount> last_;
  std::set<std::tuple<CollectiveId, std::uint64_t, bool, const CandidateFacts *>> shown_;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_COLLECTIVES_CHOOSER_H
