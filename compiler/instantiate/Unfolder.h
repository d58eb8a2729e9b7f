//===- Unfolder.h - What one rank executes, statement by statement ---------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_INSTANTIATE_UNFOLDER_H
#define QUADRILLE_INSTANTIATE_UNFOLDER_H

#include "Unfold.h"

#include "ir/Lengths.h"
#include "limits/Limits.h"

#include <deque>
#include <map>

namespace quadrille::compiler {

/// Evaluates a schedule on the ranks of a case, one after the other, and writes their programs (Unfold.h).
class Unfolder {
  /// An executed schedule, one per `use`. All ranks share its storages, whatever the order in which they reach it.
  struct Instance {
    const ir::Schedule *schedule;
    std::vector<Storage *> storages; // per buffer, created when first declared
  };

public:
  Unfolder(Machine &machine, TreeCache &trees, const Limits &limits, bool wantStated)
      : machine(machine), trees(trees), limits(limits), wantStated(wantStated), headsPerRank(limits::clockHeads / machine.ranks) {}

  struct RankFrame {
    const ir::Schedule *schedule = nullptr;
    Instance *instance = nullptr;
    Frame numbers;
    std::vector<View> views; // firstSlots and blockCounts hold one entry, for this rank
    const RankMap *ranks = nullptr;
    std::uint32_t unit = 1;
    bool ofCollective = true;     // a block has the n elements of the collective
    ir::BlockLengths lengths = ir::BlockLengths::Same;
    std::vector<unsigned> tables; // for each of its tables, the index among those of the collective; empty: the same
    const RankFrame *user = nullptr; // null for the outermost schedule
    const ir::UseStmt *use = nullptr;

    /// The parameter that determines the length of other blocks (ir::lengthModel); null if there is none.
    const View *lengthModel() const {
      const ir::Buffer *model = ir::lengthModel(*schedule);
      return model ? &views[model->index] : nullptr;
    }
  };

  /// Appends what machine rank `rank` executes of the schedule to `into`. A mistake that this rank makes ends its program and is
  /// kept there (RankProgram::failure).
  void run(const ir::Schedule &schedule, const Case &given, const std::vector<View> &parameters, std::uint32_t rank,
           RankProgram &into);

private:
  // frames
  Instance &instanceFor(const ir::Schedule &schedule);
  RankMap &rankMap(RankMap map) { return maps.emplace_back(std::move(map)); }
  void enter(RankFrame &frame, std::int64_t p, const std::vector<std::int64_t> &numbers, RankMap &map);
  std::int64_t value(const ir::Expr &expr, RankFrame &frame);
  void countStep(llvm::SMRange range = {});

  // statements
  void execute(const ir::Body &body, RankFrame &frame);
  void execute(const ir::Stmt &stmt, RankFrame &frame);
  template <typename Do> void loop(const ir::ForStmt &stmt, RankFrame &frame, Do run) {
    auto iteration = [&](std::int64_t v) {
      countStep(stmt.keyword);
      frame.numbers[stmt.variable] = v;
      run(stmt.body);
    };
    if (stmt.loop == ir::LoopKind::Others) {
      std::int64_t mine = frame.numbers[ir::Schedule::variableMe];
      for (std::int64_t j = 0; j < static_cast<std::int64_t>(frame.ranks->size); ++j)
        if (j != mine)
          iteration(j);
    } else if (stmt.loop == ir::LoopKind::Children) {
      std::int64_t handle = value(*stmt.tree, frame), mine = frame.numbers[ir::Schedule::variableMe];
      for (ir::TreeFieldKind side : {ir::TreeFieldKind::Left, ir::TreeFieldKind::Right})
        if (std::int64_t child = trees[handle].field(side, mine); child != ir::none)
          iteration(child);
    } else {
      forEachValue(stmt, [&](const ir::Expr &bound) { return value(bound, frame); },
                   [&](std::int64_t v, std::int64_t second) {
                     if (stmt.loop == ir::LoopKind::Halvings || stmt.loop == ir::LoopKind::HalvingsReversed)
                       frame.numbers[stmt.second] = second;
                     iteration(v);
                   });
    }
  }
  void loopWithHeads(const ir::ForStmt &stmt, RankFrame &frame);
  void keepHead(const ir::ForStmt &stmt, RankFrame &frame, std::int64_t head);

  // data
  IndexValues indexValues(const ir::Index &index, RankFrame &frame, std::vector<std::int64_t> &chosen);
  void filter(const ir::Index &index, std::int64_t lo, std::int64_t hi, RankFrame &frame, std::vector<std::int64_t> &chosen);
  /// Appends the runs of a slice to the program. For all of an elastic buffer they are not known yet.
  RankSlots slots(const ir::Slice &slice, RankFrame &frame);
  std::uint32_t slotTotal(const RankSlots &slots) const;
  Storage &storageOf(const ir::Buffer &buffer, RankFrame &frame);
  void declare(const ir::DeclareStmt &stmt, RankFrame &frame);
  /// Sets the lengths of blocks declared without a length, in a schedule whose blocks do not have the collective's n elements.
  void lengthsOfModel(const RankFrame &frame, RankAction &action);
  /// Evaluates the lengths of the blocks of a buffer. The declaration sets them when it is executed.
  void declareLengths(const ir::Buffer &buffer, const View &view, RankFrame &frame, RankAction &action);
  void leaves(const ir::DataExpr &expr, RankFrame &frame);
  void assign(const ir::AssignStmt &stmt, RankFrame &frame);

  // transfers
  void step(const ir::StepStmt &stmt, RankFrame &frame);
  void collect(const ir::Body &body, RankFrame &frame);
  void collect(const ir::TransferStmt &stmt, RankFrame &frame);
  /// Sets the shape of the name that a transfer receives into.
  void expectShape(const ir::Buffer &buffer, RankTransfer &transfer, RankFrame &frame);
  /// Sets the stated time of a transfer, if the outermost schedule states clocks: the times of the `use`s that lead to it, then its own.
  void addTimes(RankTransfer &transfer, RankFrame &frame);
  void addTimes(const ir::Clock &clock, const RankFrame &frame, const RankTransfer &transfer);
  /// The index of machine rank `peer` in the group of this rank.
  std::int64_t indexOfPeer(const RankMap &map, std::uint32_t peer) const;

  // uses of other schedules
  void use(const ir::UseStmt &stmt, RankFrame &frame);
  RankMap group(const ir::UseStmt &stmt, RankFrame &frame, std::int64_t lo, std::int64_t size);
  void bind(const ir::Slice &slice, const ir::Buffer &param, RankFrame &outer, RankFrame &inner);

  Machine &machine;
  TreeCache &trees;
  const Limits &limits;
  const bool wantStated;
  const std::size_t headsPerRank;
  std::shared_ptr<const RankHead::Surroundings> around; // shared by the next heads of this rank; null: out of date
  std::map<std::vector<const ir::UseStmt *>, Instance> instances;
  std::vector<const ir::UseStmt *> path; // the `use`s that lead to the current instance
  std::deque<RankMap> maps;
  RankProgram *program = nullptr;
  std::uint32_t me = 0;
  std::uint64_t steps = 0;
  std::uint64_t ofOthers = 0; // bytes of the programs of the ranks before
};

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_UNFOLDER_H
