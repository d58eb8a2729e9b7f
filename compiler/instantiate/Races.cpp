//===- Races.cpp - What a step reads and writes at once ----------------------------------------------------------------------------===//

#include "Races.h"

#include <algorithm>
#include <tuple>

namespace quadrille::compiler {

std::optional<Race> findRace(std::vector<Access> &accesses) {
  std::stable_sort(accesses.begin(), accesses.end(), [](const Access &a, const Access &b) {
    return std::tie(a.storage, a.run.lo) < std::tie(b.storage, b.run.lo);
  });
  // Among the accesses so far, the write and the read that extend furthest.
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
