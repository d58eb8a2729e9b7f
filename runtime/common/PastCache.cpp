//===- PastCache.cpp - Stores that leave the cache alone ------------------===//

#include "PastCache.h"

#include "Environment.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <utility>

#ifdef __linux__
#include <unistd.h>
#endif

using namespace quadrille;

/// What a core has of the caches, in bytes, as far as the system says it.
static std::size_t cacheOfCore() noexcept {
  constexpr std::size_t least = std::size_t{1} << 20;
  // The last level serves all cores of a processor, also those that a virtual machine
  // does not have. Of a 300 MiB cache a core of such a machine lost nothing by passing
  // it by from some 30 MiB on, and lost a third at 20 MiB where another core read the
  // result soon.
  constexpr long lastOfCore = long{24} << 20;
  std::size_t bytes = 0;
#if defined(_SC_LEVEL2_CACHE_SIZE) && defined(_SC_LEVEL3_CACHE_SIZE)
  for (const auto &[name, most] : {std::pair<int, long>{_SC_LEVEL2_CACHE_SIZE, std::numeric_limits<long>::max()},
                                   std::pair<int, long>{_SC_LEVEL3_CACHE_SIZE, lastOfCore}})
    bytes += static_cast<std::size_t>(std::max(0L, std::min(sysconf(name), most)));
#else
  bytes = static_cast<std::size_t>(lastOfCore);
#endif
  return std::max(bytes, least);
}

std::size_t detail::cacheBytes() noexcept {
  static const std::size_t bytes = [] {
    const std::size_t found = cacheOfCore();
    const char *const text = std::getenv("QUADRILLE_CACHE_BYTES");
    if (!text || !*text)
      return found;
    char *end = nullptr;
    const unsigned long long given = std::strtoull(text, &end, 10);
    if (*end || *text == '-' || given > std::numeric_limits<std::size_t>::max()) {
      sayIgnored("QUADRILLE_CACHE_BYTES", text, "a number of bytes, or 0");
      return found;
    }
    return static_cast<std::size_t>(given);
  }();
  return bytes;
}

/// The same; source and target do not overlap.
static void copyPastCache(std::byte *dst, const std::byte *src, std::size_t bytes) noexcept {
#if defined(__SSE2__)
  using detail::lineBytes;
  const std::size_t before = std::min(bytes, (lineBytes - reinterpret_cast<std::uintptr_t>(dst) % lineBytes) % lineBytes);
  std::memcpy(dst, src, before);
  dst += before;
  src += before;
  bytes -= before;
  for (; bytes >= lineBytes; bytes -= lineBytes, dst += lineBytes, src += lineBytes) {
    alignas(lineBytes) std::byte line[lineBytes];
    std::memcpy(line, src, lineBytes);
    detail::storePastCache(dst, line);
  }
  detail::fencePastCache();
#endif
  std::memcpy(dst, src, bytes);
}

void detail::copyLongBytes(std::byte *dst, const std::byte *src, std::size_t bytes) noexcept {
  // Pointers into different arrays are compared as numbers.
  const auto to = reinterpret_cast<std::uintptr_t>(dst), from = reinterpret_cast<std::uintptr_t>(src);
  if ((to < from ? from - to : to - from) < bytes)
    std::memmove(dst, src, bytes);
  else
    copyPastCache(dst, src, bytes);
}
