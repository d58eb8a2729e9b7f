//===- DataText.cpp - Names of blocks and their contents in diagnostics --------------------------------------------------===//

#include "DataText.h"

namespace quadrille::compiler {

std::string valueText(const Machine &machine, llvm::ArrayRef<const Storage *> inputs, Value value) {
  return machine.domain.text(value, [&](std::uint32_t block, std::uint64_t rank) -> std::string {
    for (const Storage *input : inputs) {
      std::uint32_t blocks = input->stride / machine.unitSlots;
      if (input->inputBlock <= block && block < input->inputBlock + blocks)
        return input->name + "@" + std::to_string(rank) +
               (blocks > 1 ? "[" + std::to_string(block - input->inputBlock) + "]" : "");
    }
    return "?";
  });
}

diag::Slot slotOf(const Machine &machine, const Storage &storage, std::uint32_t slot) {
  const std::uint32_t unit = machine.unitSlots;
  diag::Slot::Place result{storage.name, {}};
  if (storage.stride > unit)
    result.indices.push_back(slot / unit);
  if (unit > 1)
    result.indices.push_back(slot % unit);
  return result;
}

} // namespace quadrille::compiler
