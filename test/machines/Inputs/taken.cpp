// Preloaded into a program under Open MPI: rank 0 says which of its algorithms are taken. They are functions of Open MPI's own, to
// which the component `tuned` passes nothing but integers and pointers, at most twelve.

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

#define TELL(name)                                                                                                                         \
  extern "C" long ompi_coll_base_##name(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l) {   \
    using Function = long (*)(long, long, long, long, long, long, long, long, long, long, long, long);                                     \
    static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "ompi_coll_base_" #name));                                        \
    if (const char *rank = std::getenv("OMPI_COMM_WORLD_RANK"); rank && rank[0] == '0')                                                    \
      std::fprintf(stderr, "taken: " #name "\n");                                                                                          \
    return real(a, b, c, d, e, f, g, h, i, j, k, l);                                                                                       \
  }

TELL(allgather_intra_bruck)
TELL(allgather_intra_neighborexchange)
TELL(allgatherv_intra_ring)
TELL(allreduce_intra_recursivedoubling)
TELL(allreduce_intra_ring)
TELL(alltoall_intra_bruck)
TELL(alltoall_intra_pairwise)
TELL(alltoallv_intra_pairwise)
TELL(barrier_intra_bruck)
TELL(barrier_intra_recursivedoubling)
TELL(bcast_intra_binomial)
TELL(bcast_intra_scatter_allgather_ring)
TELL(gather_intra_basic_linear)
TELL(gather_intra_binomial)
TELL(reduce_intra_redscat_gather)
TELL(reduce_scatter_block_intra_recursivehalving)
TELL(reduce_scatter_intra_ring)
TELL(scan_intra_recursivedoubling)
TELL(scatter_intra_basic_linear)
TELL(scatter_intra_binomial)
