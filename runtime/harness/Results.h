//===- Results.h - What a rank notes of the results of a call ---*- C++ -*-===//

#ifndef QUADRILLE_HARNESS_RESULTS_H
#define QUADRILLE_HARNESS_RESULTS_H

#include "Data.h"
#include "Report.h"

#include <cstring>
#include <vector>

namespace quadrille {
namespace harness {

/// Calls `visit` with the output, the block, where it begins and its bytes, for
/// every block that a rank ends with.
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

/// `dump`: writes the elements, too.
inline void noteOutputs(Report &report, const Case &c, Index rank, const Data &data, bool dump) {
  forEachBlock(c, rank, [&](std::size_t output, Index block, std::size_t at, std::size_t bytes) {
    report.line("block", c.id, output, block, hash(data.outputs[output].data() + at, bytes));
  });
  for (std::size_t i = 0; dump && i < c.outputs.size(); ++i)
    if (c.outputs[i].isAt(rank))
      report.dump(c.id, i, data.outputs[i].data(), data.outputs[i].size());
}

/// Blocks in which two results differ; `call` is the first one's number.
inline void noteDifferences(Report &report, const Case &c, Index rank, std::size_t call, const Data &got, const Data &wanted) {
  forEachBlock(c, rank, [&](std::size_t output, Index block, std::size_t at, std::size_t bytes) {
    if (std::memcmp(got.outputs[output].data() + at, wanted.outputs[output].data() + at, bytes) != 0)
      report.line("differs", c.id, call, output, block);
  });
}

/// What the inputs of a call are, so that one can see whether they stay so.
inline std::vector<std::uint64_t> hashesOfInputs(const Data &data) {
  std::vector<std::uint64_t> hashes;
  for (const Buffer &input : data.inputs)
    hashes.push_back(hash(input.data(), input.size()));
  return hashes;
}

/// Memory that was written to and should not have been.
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
