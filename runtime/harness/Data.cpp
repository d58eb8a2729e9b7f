//===- Data.cpp - The memory of one call ----------------------------------===//

#include "Data.h"

#include <algorithm>
#include <cstring>

namespace quadrille {
namespace harness {

bool Buffer::isOverrun() const {
  return std::any_of(data_.begin() + static_cast<std::ptrdiff_t>(bytes_), data_.end(),
                     [](unsigned char byte) { return byte != untouched; });
}

Data::Data(const Case &c, Index rank, std::size_t call)
    : case_(c), rank_(rank), call_(call), inPlace_(c.inPlace && !c.inputs.empty() && !c.outputs.empty()) {
  arguments.numbers = c.numbers;
  arguments.tables = c.tables;
  arguments.n = c.n;
  for (std::size_t i = 0; i < c.outputs.size(); ++i)
    outputs.emplace_back(std::max(bytesOf(c.outputs[i]), inPlace_ && i == 0 ? bytesOf(c.inputs[0]) : 0));
  for (std::size_t i = 0; i < c.inputs.size(); ++i)
    inputs.emplace_back(inPlace_ && i == 0 ? 0 : bytesOf(c.inputs[i]));
  for (std::size_t i = 0; i < c.outputs.size(); ++i)
    arguments.outputs.push_back(c.outputs[i].isAt(rank) ? outputs[i].get() : nullptr);
  for (std::size_t i = 0; i < c.inputs.size(); ++i)
    arguments.inputs.push_back(!c.inputs[i].isAt(rank) ? nullptr : inPlace_ && i == 0 ? outputs[0].get() : inputs[i].get());
  fillInputs();
}

std::size_t Data::bytesOf(const Shape &shape) const {
  return shape.isAt(rank_) ? static_cast<std::size_t>(shape.offset(rank_, shape.blocks, case_.n)) * elementBytes(case_.element) : 0;
}

void Data::spoilOutputs() {
  for (Buffer &output : outputs)
    output.spoil();
}

void Data::fillInputs() {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    void *input = const_cast<void *>(arguments.inputs[i]);
    const std::size_t elements = bytesOf(case_.inputs[i]) / elementBytes(case_.element);
    if (!input || elements == 0)
      continue;
    if (call_ == 0 && !case_.given.empty())
      std::memcpy(input, case_.given.data() + givenOffset(case_.inputs, case_.n, rank_, i) * elementBytes(case_.element),
                  bytesOf(case_.inputs[i]));
    else
      fill(input, case_.element, case_.combiner, case_.seed + 1000 * call_, static_cast<std::uint64_t>(rank_), i, 0, elements);
  }
}

bool Data::isOverrun() const {
  const auto overrun = [](const Buffer &buffer) { return buffer.isOverrun(); };
  return std::any_of(inputs.begin(), inputs.end(), overrun) || std::any_of(outputs.begin(), outputs.end(), overrun);
}

} // namespace harness
} // namespace quadrille
