//===- PastCache.cpp - Stores that leave the cache alone ------------------===//

#include "PastCache.h"

#include "Environment.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __linux__
#include <unistd.h>
#endif

using namespace quadrille;

/// What a core has of the caches, in bytes, as far as the system says it.
static std::size_t cacheOfCore() noexcept {
  // Many cores share the last level, and a virtual machine names all of it. With 24 MiB
  // for a core, measured: long operations lose nothing by passing it by. With 8 MiB those
  // lose an eighth or more whose result another core reads soon.
  constexpr long mostOfLast = long{24} << 20;
  long second = 0, last = mostOfLast;
#if defined(_SC_LEVEL2_CACHE_SIZE) && defined(_SC_LEVEL3_CACHE_SIZE)
  second = std::max(0L, sysconf(_SC_LEVEL2_CACHE_SIZE));
  if (const long whole = sysconf(_SC_LEVEL3_CACHE_SIZE); whole > 0) // else the system does not say it
    last = std::min(whole, mostOfLast);
#endif
  return static_cast<std::size_t>(second + last);
}

std::size_t detail::cacheBytes() noexcept {
  static const std::size_t bytes = [] {
    const std::optional<long long> given = givenNumber("QUADRILLE_CACHE_BYTES");
    return given ? static_cast<std::size_t>(*given) : cacheOfCore();
  }();
  return bytes;
}

std::size_t &detail::PartOfOperation::whole() noexcept {
  static thread_local std::size_t bytes = 0;
  return bytes;
}

/// copyLongBytes for a target that does not overlap the source.
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

/// Pointers into different arrays are compared as numbers.
static bool overlap(const std::byte *dst, const std::byte *src, std::size_t bytes) noexcept {
  const auto to = reinterpret_cast<std::uintptr_t>(dst), from = reinterpret_cast<std::uintptr_t>(src);
  return (to < from ? from - to : to - from) < bytes;
}

void detail::copyWholeLines(std::byte *dst, const std::byte *src, std::size_t bytes) noexcept {
  if (overlap(dst, src, bytes)) {
    std::memmove(dst, src, bytes);
    return;
  }
  for (; bytes > wholeLinesBytes; bytes -= wholeLinesBytes, dst += wholeLinesBytes, src += wholeLinesBytes)
    std::memcpy(dst, src, wholeLinesBytes);
  std::memcpy(dst, src, bytes);
}

void detail::copyLongBytes(std::byte *dst, const std::byte *src, std::size_t bytes) noexcept {
  if (overlap(dst, src, bytes))
    std::memmove(dst, src, bytes);
  else
    copyPastCache(dst, src, bytes);
}
