//===- PastCache.h - Stores that leave the cache alone --------------------===//
//
// Private to the runtime. What is longer than the cache is not in it when it is read
// again. To write it there would read each line of it first, and drive out what is
// needed. So long copies and combinations write straight to memory, in whole lines.
//
// Such stores are not ordered with those behind them, so each of these functions ends
// with a fence: a release store behind it publishes what was written, as usual.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_PASTCACHE_H
#define QUADRILLE_COMMON_PASTCACHE_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace quadrille {
namespace detail {

/// The bytes of a core's cache; QUADRILLE_CACHE_BYTES in the environment says
/// otherwise, and 0 that nothing goes past it.
std::size_t cacheBytes() noexcept;

/// Whether what reads and writes so many bytes is longer than the cache.
inline bool goesPastCache(std::size_t bytes) noexcept {
#if defined(__SSE2__)
  constexpr std::size_t always = 4096; // this is in the cache, so most calls need not ask
  return bytes > always && cacheBytes() != 0 && bytes >= cacheBytes();
#else
  static_cast<void>(bytes);
  return false;
#endif
}

constexpr std::size_t lineBytes = 64;

#if defined(__SSE2__)
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
#endif

/// Copies bytes past the cache, unless source and target overlap.
void copyLongBytes(std::byte *dst, const std::byte *src, std::size_t bytes) noexcept;

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_PASTCACHE_H
