//===- Races.cpp - Transfers of a step that disturb each other ---------------------------------------------------------------------===//

#include "Races.h"

#include <algorithm>
#include <tuple>

namespace quadrille::compiler {

std::optional<SlotRun> findOverlap(llvm::ArrayRef<SlotRun> a, llvm::ArrayRef<SlotRun> b) {
  constexpr std::size_t fewPairs = 64;
  if (a.size() * b.size() <= fewPairs) {
    for (const SlotRun &x : a)
      for (const SlotRun &y : b)
        if (const SlotRun common = overlapOf(x, y); common.count)
          return common;
    return std::nullopt;
  }
  struct Tagged {
    SlotRun run;
    bool isOfA;
  };
  std::vector<Tagged> runs;
  runs.reserve(a.size() + b.size());
  for (const SlotRun &run : a)
    runs.push_back({run, true});
  for (const SlotRun &run : b)
    runs.push_back({run, false});
  std::stable_sort(runs.begin(), runs.end(), [](const Tagged &x, const Tagged &y) { return x.run.lo < y.run.lo; });
  // For each side, the run that extends furthest among those visited so far.
  SlotRun furthest[2] = {{0, 0}, {0, 0}};
  for (const Tagged &tagged : runs) {
    if (const SlotRun common = overlapOf(furthest[!tagged.isOfA], tagged.run); common.count)
      return common;
    SlotRun &own = furthest[tagged.isOfA];
    if (own.lo + own.count < tagged.run.lo + tagged.run.count)
      own = tagged.run;
  }
  return std::nullopt;
}

std::optional<Race> findRace(std::vector<Access> &accesses) {
  std::stable_sort(accesses.begin(), accesses.end(), [](const Access &a, const Access &b) {
    return std::tie(a.storage, a.run.lo) < std::tie(b.storage, b.run.lo);
  });
  // The write and the read that extend furthest among the accesses visited so far.
  const Access *lastWrite = nullptr, *lastRead = nullptr;
  auto meets = [](const Access *last, const Access &access) -> std::optional<Race> {
    if (!last || last->storage != access.storage)
      return std::nullopt;
    const SlotRun common = overlapOf(last->run, access.run);
    return common.count ? std::optional(Race{last->transfer, access.transfer, common}) : std::nullopt;
  };
  for (const Access &access : accesses) {
    if (std::optional<Race> race = meets(lastWrite, access))
      return race;
    if (!access.reads)
      if (std::optional<Race> race = meets(lastRead, access))
        return race;
    const Access *&last = access.reads ? lastRead : lastWrite;
    if (!last || last->storage != access.storage || last->run.lo + last->run.count < access.run.lo + access.run.count)
      last = &access;
  }
  return std::nullopt;
}

} // namespace quadrille::compiler
