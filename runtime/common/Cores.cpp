//===- Cores.cpp - Available cores -----------------------------------------===//

#include "Cores.h"

#include <algorithm>
#include <bitset>
#include <climits>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

using namespace quadrille;
using namespace quadrille::detail;

CoreSet CoreSet::ofThisThread() noexcept {
  CoreSet result;
#if defined(__linux__)
  constexpr std::size_t wordBits = sizeof(unsigned long) * CHAR_BIT;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (std::size_t core = 0; core < std::min<std::size_t>(CPU_SETSIZE, words * wordBits); ++core)
      if (CPU_ISSET(core, &set))
        result.bits[core / wordBits] |= 1ul << core % wordBits;
#endif
  return result;
}

Index CoreSet::count() const noexcept {
  std::size_t sum = 0;
  for (const unsigned long word : bits)
    sum += std::bitset<sizeof(unsigned long) * CHAR_BIT>(word).count();
  return static_cast<Index>(sum);
}

Index detail::availableCores() noexcept {
  const Index known = CoreSet::ofThisThread().count();
  return known > 0 ? known : std::max<Index>(1, std::thread::hardware_concurrency());
}
