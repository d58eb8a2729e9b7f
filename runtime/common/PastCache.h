//===- PastCache.h - Stores that leave the cache alone --------------------===//
//
// Private to the runtime. A target that is longer than the cache has left it before it
// is read. Ordinary stores would read each of its lines first, and displace what is
// needed. So long copies and combinations write straight to memory, in whole lines.
//
// Such stores are not ordered with those behind them. So whoever makes them fences:
// a release store behind the fence publishes what was written, as usual.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_PASTCACHE_H
#define QUADRILLE_COMMON_PASTCACHE_H

#include <cstddef>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace quadrille {
namespace detail {

/// What a core has of the caches: the second level and at most 24 MiB of the last one,
/// or what QUADRILLE_CACHE_BYTES says. 0: nothing goes past the cache.
std::size_t cacheBytes() noexcept;

/// While it exists, what its thread does is a part of an operation that reads and
/// writes `bytes` in all, and writes past the cache if that does.
class PartOfOperation {
public:
  explicit PartOfOperation(std::size_t bytes) noexcept { whole() = bytes; }
  ~PartOfOperation() { whole() = 0; }
  PartOfOperation(const PartOfOperation &) = delete;
  PartOfOperation &operator=(const PartOfOperation &) = delete;

  /// The bytes of the operation; 0: there is none.
  static std::size_t &whole() noexcept;
};

/// Whether an operation that reads and writes so many bytes writes past the cache.
inline bool goesPastCache(std::size_t bytes) noexcept {
#if defined(__SSE2__)
  constexpr std::size_t always = 4096; // this is in the cache, so most calls need not ask
  if (bytes <= always)
    return false;
  const std::size_t cache = cacheBytes(), whole = PartOfOperation::whole();
  return cache != 0 && (bytes < whole ? whole : bytes) >= cache;
#else
  static_cast<void>(bytes);
  return false;
#endif
}

constexpr std::size_t lineBytes = 64;

/// From so many bytes on, a copy overwrites lines without reading them first, as the C
/// library does it (its `rep movs`); below, and above the second level of the cache, it
/// may not. So longer copies are made of pieces of this length.
constexpr std::size_t leastWholeLinesBytes = std::size_t{16} << 10, wholeLinesBytes = std::size_t{32} << 10;

#if defined(__SSE2__)
// In an unnamed namespace, since files compiled for AVX2 have others.
namespace {

/// Writes a line to memory. Both addresses are multiples of its length.
inline void storePastCache(void *to, const void *line) noexcept {
#if defined(__AVX__)
  __m256i *const target = static_cast<__m256i *>(to);
  const __m256i *const source = static_cast<const __m256i *>(line);
  _mm256_stream_si256(target, _mm256_load_si256(source));
  _mm256_stream_si256(target + 1, _mm256_load_si256(source + 1));
#else
  __m128i *const target = static_cast<__m128i *>(to);
  const __m128i *const source = static_cast<const __m128i *>(line);
  for (int i = 0; i < 4; ++i)
    _mm_stream_si128(target + i, _mm_load_si128(source + i));
#endif
}

/// Orders what storePastCache has written before all stores behind this.
inline void fencePastCache() noexcept { _mm_sfence(); }

} // namespace
#endif

/// Copies bytes past the cache, unless source and target overlap.
void copyLongBytes(std::byte *dst, const std::byte *src, std::size_t bytes) noexcept;

/// Copies bytes in pieces, so that lines are overwritten as a whole; source and target may overlap.
void copyWholeLines(std::byte *dst, const std::byte *src, std::size_t bytes) noexcept;

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_PASTCACHE_H
