//===- SlotColumn.h - The slots of a slice on many ranks --------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_INSTANTIATE_SLOTCOLUMN_H
#define QUADRILLE_INSTANTIATE_SLOTCOLUMN_H

#include "Machine.h"

#include <cassert>

namespace quadrille::compiler {

/// The runs of slots for each of some consecutive ranks. Three representations, the smallest that is possible: the same run for
/// all ranks, one run per rank (possibly empty), or a list of runs per rank.
class SlotColumn {
public:
  void clear() {
    mode = Same;
    ranks = 0;
    same = {0, 0};
    runs.clear();
    first.clear();
  }

  /// Appends `count` ranks with the same run.
  void appendSame(std::size_t count, SlotRun run) {
    if (mode == Same && (ranks == 0 || (same.lo == run.lo && same.count == run.count))) {
      same = run;
      ranks += count;
      return;
    }
    SlotRun *out = appendSingles(count);
    if (out)
      std::fill_n(out, count, run);
    else
      for (std::size_t i = 0; i < count; ++i)
        appendList(&run, &run + (run.count ? 1 : 0));
  }

  /// Appends `count` ranks with one run each, which the caller fills in; null if the column consists of lists.
  SlotRun *appendSingles(std::size_t count) {
    if (mode == Same) {
      runs.assign(ranks, same);
      mode = Single;
    }
    if (mode == Lists)
      return nullptr;
    ranks += count;
    runs.resize(ranks);
    return runs.data() + (ranks - count);
  }

  void appendList(const SlotRun *begin, const SlotRun *end) {
    if (mode != Lists)
      toLists();
    runs.insert(runs.end(), begin, end);
    first.push_back(static_cast<std::uint32_t>(runs.size()));
    ++ranks;
  }

  bool isSame() const { return mode == Same; }
  bool isSingle() const { return mode != Lists; }
  /// The run of a rank; only if isSingle().
  SlotRun run(std::size_t i) const {
    assert(mode == Same || (mode == Single && i < ranks));
    return mode == Same ? same : runs[i];
  }

  const SlotRun *begin(std::size_t i) const {
    assert(mode == Same || i < ranks);
    return mode == Same ? &same : mode == Single ? &runs[i] : runs.data() + first[i];
  }
  std::uint32_t size(std::size_t i) const {
    assert(mode == Same || i < ranks);
    return mode == Lists ? first[i + 1] - first[i] : (mode == Same ? same : runs[i]).count != 0;
  }
  std::uint32_t slots(std::size_t i) const {
    if (mode != Lists)
      return run(i).count;
    std::uint32_t sum = 0;
    for (std::uint32_t j = first[i]; j < first[i + 1]; ++j)
      sum += runs[j].count;
    return sum;
  }

private:
  void toLists() {
    assert(mode != Lists);
    std::vector<SlotRun> old = mode == Same ? std::vector<SlotRun>(ranks, same) : std::move(runs);
    runs.clear();
    first.assign(1, 0);
    for (const SlotRun &run : old) {
      if (run.count)
        runs.push_back(run);
      first.push_back(static_cast<std::uint32_t>(runs.size()));
    }
    mode = Lists;
  }

  enum { Same, Single, Lists } mode = Same;
  std::size_t ranks = 0;
  SlotRun same{0, 0};
  std::vector<SlotRun> runs;
  std::vector<std::uint32_t> first;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_SLOTCOLUMN_H
