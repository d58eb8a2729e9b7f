//===- IrToCppComment.cpp - The comment above the public function ---------------------------------------------------------===//

#include "EntryLowering.h"

namespace quadrille::compiler::emit {

using namespace ir;
using cpp::ExprPtr;

static std::string textOf(llvm::SMRange range) { return std::string(range.Start.getPointer(), range.End.getPointer()); }

std::vector<std::string> EntryLowering::comment() const {
  std::vector<std::string> lines;
  const std::string article = llvm::StringRef("aeiou").contains(schedule.collective->name[0]) ? "An " : "A ";
  lines.push_back(article + schedule.collective->name + " by the schedule `" + schedule.path() +
                  "`. Collective: all ranks of `comm` call it alike.");
  if (schedule.numberCount + schedule.inputs.size() + schedule.outputs.size() > 0)
    lines.push_back("");
  for (unsigned i = 0; i < schedule.numberCount; ++i) {
    bool isRoot = i >= schedule.parameterCount;
    lines.push_back("\\param " + numberName(i) + " " +
                    (isRoot ? "a rank, the same on all ranks" : "parameter of the schedule, the same on all ranks") +
                    (choice && i == 0 ? "; 0: `" + packetsName + "` chooses it" : ""));
  }
  if (known)
    known->comment(lines);
  for (size_t i = 0; !known && i < schedule.tables.size(); ++i) {
    const Table &table = schedule.tables[i];
    std::string line = "\\param " + tableNames[i] + " lengths of blocks in elements, the same on all ranks: ";
    line += textOf(table.extents[0]->range);
    if (table.extents.size() > 1)
      line += " rows of " + textOf(table.extents[1]->range) + ", row by row";
    else
      line += " of them";
    lines.push_back(line);
  }
  for (const Buffer *buffer : schedule.inputs)
    lines.push_back("\\param " + bufferNames[buffer->index] + " input: " + shape(*buffer) + inPlaceText(*buffer));
  for (const Buffer *buffer : schedule.outputs)
    lines.push_back("\\param " + bufferNames[buffer->index] + " output: " + shape(*buffer) +
                    (schedule.inputs.empty() ? "" : "; may be the input's memory") + inPlaceText(*buffer));
  if (hasOperator)
    lines.push_back(std::string("\\param op associative") +
                    (needsCommutative(schedule) ? " and commutative" : "; need not be commutative"));
  for (const Requirement &requirement : schedule.requirements)
    lines.push_back("Requires " + requirement.text + ".");
  return lines;
}

std::string EntryLowering::shape(const Buffer &buffer) const {
  const std::string elements = buffer.length ? "of `" + textOf(buffer.length->range) + "` elements" : "of n elements";
  std::string text = !buffer.isArray ? "one block " + elements
                                     : (buffer.count->op == Op::Variable && buffer.count->variable == Schedule::variableP
                                            ? std::string("p")
                                            : std::string(buffer.count->range.Start.getPointer(), buffer.count->range.End.getPointer())) +
                                           " blocks " + elements + (buffer.length && buffer.length->binder ? ", " + schedule.variables[*buffer.length->binder].name + " counting them" : "") +
                                           ", one after the other";
  if (buffer.presence)
    text += "; at rank `" + std::string(buffer.presence->range.Start.getPointer(), buffer.presence->range.End.getPointer()) +
            "` only, elsewhere it may be null";
  return text;
}

std::string EntryLowering::inPlaceText(const Buffer &buffer) const {
  const std::optional<InPlace> form = isForMpi ? inPlaceForm(schedule) : std::nullopt;
  if (!form || &buffer != (form->isOutput ? schedule.outputs[0] : schedule.inputs[0]))
    return "";
  const Buffer &given = form->isOutput ? *schedule.inputs[0] : *schedule.outputs[0];
  return "; MPI_IN_PLACE" + (given.presence ? " at `" + textOf(given.presence->range) + "`" : std::string()) + ": " +
         (form->isOwnBlock ? "the rank's own block of `" : "the memory of `") + bufferNames[given.index] + "`";
}

} // namespace quadrille::compiler::emit
