//===- Allocator.cpp - Where mimalloc takes memory from, and how long it keeps what is free -----------------------------------------===//

#include <mimalloc.h>

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstddef>
#include <cstdint>

/// A proof frees what a question took and soon takes as much for the next one. mimalloc gives memory back to the system after 25 ms, so that
/// every page is faulted in anew: a quarter of the time of long proofs. The environment variables of mimalloc come before this.
static void keepFreeMemory() {
#if MI_MALLOC_VERSION >= 210
  const mi_option_t delay = mi_option_purge_delay;
#else
  const mi_option_t delay = mi_option_decommit_delay;
#endif
  mi_option_set_default(delay, 2000); // milliseconds
}

/// Each context of Z3 begins with a table of 8 MB, which takes 2000 page faults of 4 KB; of huge pages it takes a few. So the heap begins
/// with addresses for which the system is asked for these. What does not fit comes from where it would come without this, and so does
/// all memory where the size of the address space is limited or the system refuses.
static void beginWithHugePages() {
  constexpr std::size_t size = std::size_t(512) << 20, alignment = std::size_t(64) << 20; // a multiple of mimalloc's segments
  rlimit addresses;
  if (getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur != RLIM_INFINITY)
    return;
  void *const memory = mmap(nullptr, size + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return;
  char *const begin = static_cast<char *>(memory);
  char *const start = begin + (alignment - reinterpret_cast<std::uintptr_t>(begin) % alignment) % alignment;
  madvise(start, size, MADV_HUGEPAGE);
  mi_manage_os_memory(start, size, /*is_committed=*/true, /*is_large=*/false, /*is_zero=*/true, /*numa_node=*/-1);
}

static const bool isPrepared = [] {
  keepFreeMemory();
  beginWithHugePages();
  return true;
}();
