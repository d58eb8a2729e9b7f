//===- AllocatorDelay.cpp - How long mimalloc keeps what is free ------------------------------------------------------------------===//

#include <mimalloc.h>

/// A proof frees what a question took and soon takes as much for the next one. mimalloc gives memory back to the system after 25 ms, so that
/// every page is faulted in anew: a quarter of the time of long proofs. The environment variables of mimalloc come before this.
static const bool isDelayed = [] {
#if MI_MALLOC_VERSION >= 210
  const mi_option_t delay = mi_option_purge_delay;
#else
  const mi_option_t delay = mi_option_decommit_delay;
#endif
  mi_option_set_default(delay, 2000); // milliseconds
  return true;
}();
