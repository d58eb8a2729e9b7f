//===- Results.h - Reports on the results of a call ------------*- C++ -*-===//

#ifndef QUADRILLE_HARNESS_RESULTS_H
#define QUADRILLE_HARNESS_RESULTS_H

#include "Data.h"
#include "Report.h"

#include <cstring>
#include <vector>

namespace quadrille {
namespace harness {

/// Calls visit(output, block, offset, bytes) for every block of the outputs of a
/// rank.
template <typename Visit> void forEachBlock(const Case &c, Index rank, Visit visit) {
  for (std::size_t i = 0; i < c.outputs.size(); ++i) {
    const Shape &shape = c.outputs[i];
    std::size_t at = 0;
    for (Index j = 0; shape.isAt(rank) && j < shape.blocks; ++j) {
      const std::size_t bytes = static_cast<std::size_t>(shape.length(rank, j, c.n)) * elementBytes(c.element);
      visit(i, j, at, bytes);
      at += bytes;
    }
  }
}

inline void noteStatus(Report &report, const Case &c, const Status &status) {
  report.line("status", c.id, static_cast<int>(status.code()), status.text());
}

/// Reports the hashes of all output blocks. `dump`: writes the elements, too.
inline void noteOutputs(Report &report, const Case &c, Index rank, const Data &data, bool dump) {
  forEachBlock(c, rank, [&](std::size_t output, Index block, std::size_t at, std::size_t bytes) {
    report.line("block", c.id, output, block, hash(data.outputs[output].data() + at, bytes));
  });
  for (std::size_t i = 0; dump && i < c.outputs.size(); ++i)
    if (c.outputs[i].isAt(rank))
      report.dump(c.id, i, data.outputs[i].data(), data.outputs[i].size());
}

/// Reports the blocks in which two results differ. `call`: the number of the call with result `got`.
inline void noteDifferences(Report &report, const Case &c, Index rank, std::size_t call, const Data &got, const Data &wanted) {
  forEachBlock(c, rank, [&](std::size_t output, Index block, std::size_t at, std::size_t bytes) {
    if (std::memcmp(got.outputs[output].data() + at, wanted.outputs[output].data() + at, bytes) != 0)
      report.line("differs", c.id, call, output, block);
  });
}

/// Hashes of the inputs of a call, to detect changes.
inline std::vector<std::uint64_t> hashesOfInputs(const Data &data) {
  std::vector<std::uint64_t> hashes;
  for (const Buffer &input : data.inputs)
    hashes.push_back(hash(input.data(), input.size()));
  return hashes;
}

/// Reports changes of memory that should not have been written.
inline void noteMisbehaviour(Report &report, const Case &c, const Data &data, const std::vector<std::uint64_t> &before) {
  for (std::size_t i = 0; i < data.inputs.size(); ++i)
    if (hash(data.inputs[i].data(), data.inputs[i].size()) != before[i])
      report.line("changed", c.id, i);
  if (data.isOverrun())
    report.line("overrun", c.id);
}

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_RESULTS_H
