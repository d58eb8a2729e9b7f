//===- Unfold.cpp - The program of each rank ----------------------------------------------------------------------===//

#include "Unfolder.h"

namespace quadrille::compiler {

llvm::ArrayRef<SlotRun> runsOf(const RankProgram &program, const RankSlots &slots, std::uint32_t rank, SlotRun &whole) {
  if (!slots.elastic)
    return program.runsOf(slots);
  whole = {0, slots.storage->count(rank)};
  return whole.count ? llvm::ArrayRef(whole) : llvm::ArrayRef<SlotRun>();
}

void declare(Machine &machine, const RankProgram &program, std::uint32_t rank, const RankAction &action) {
  if (!action.hasModel)
    return machine.declareRow(*action.storage, rank, action.count,
                              action.hasClasses ? program.classes.data() + action.firstClass : nullptr);
  const RankSlots &model = program.slots[action.first];
  SlotRun whole;
  const std::vector<std::uint32_t> classes =
      classesOf(machine, *model.storage, rank, runsOf(program, model, rank, whole));
  machine.declareRow(*action.storage, rank, static_cast<std::uint32_t>(classes.size()), classes.data());
}

MessageShape shapeOf(const RankProgram &program, const RankTransfer &transfer) {
  const RankSlots &like = program.slots[transfer.shape];
  return {transfer.room, transfer.takesLength, like.storage, program.runsOf(like)};
}

std::vector<RankProgram> unfold(CaseRun &run, FinalState &state, bool wantStated) {
  std::vector<View> parameters;
  state = allocateParameters(run, parameters);
  Machine &machine = run.machine();
  std::vector<RankProgram> programs(machine.ranks);
  Unfolder unfolder(machine, run.trees, run.limits, wantStated);
  for (std::uint32_t r = 0; r < machine.ranks; ++r)
    unfolder.run(run.schedule, run.instance, parameters, r, programs[r]);
  return programs;
}

} // namespace quadrille::compiler
