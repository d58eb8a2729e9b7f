// Linked into a program with MPICH's static library, with --wrap for each of these functions: rank 0 says which algorithms are taken. They are
// functions of MPICH's own, which have nothing but integers and pointers as parameters, at most twelve.

#include <cstdio>
#include <cstdlib>

#define TELL(name)                                                                                                                         \
  extern "C" long __real_MPIR_##name(long, long, long, long, long, long, long, long, long, long, long, long);                              \
  extern "C" long __wrap_MPIR_##name(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l) {      \
    if (const char *rank = std::getenv("PMI_RANK"); rank && rank[0] == '0')                                                                \
      std::fprintf(stderr, "taken: " #name "\n");                                                                                          \
    return __real_MPIR_##name(a, b, c, d, e, f, g, h, i, j, k, l);                                                                         \
  }

TELL(Allgather_intra_brucks)
TELL(Allgather_intra_recursive_doubling)
TELL(Allgather_intra_ring)
TELL(Allgatherv_intra_brucks)
TELL(Allgatherv_intra_recursive_doubling)
TELL(Allgatherv_intra_ring)
TELL(Allreduce_intra_recursive_doubling)
TELL(Allreduce_intra_reduce_scatter_allgather)
TELL(Allreduce_intra_smp)
TELL(Alltoall_intra_brucks)
TELL(Alltoall_intra_pairwise)
TELL(Alltoall_intra_pairwise_sendrecv_replace)
TELL(Alltoall_intra_scattered)
TELL(Alltoallv_intra_scattered)
TELL(Barrier_intra_dissemination)
TELL(Barrier_intra_smp)
TELL(Bcast_intra_binomial)
TELL(Bcast_intra_scatter_recursive_doubling_allgather)
TELL(Bcast_intra_scatter_ring_allgather)
TELL(Bcast_intra_smp)
TELL(Exscan_intra_recursive_doubling)
TELL(Gather_intra_binomial)
TELL(Gatherv_allcomm_linear)
TELL(Reduce_intra_binomial)
TELL(Reduce_intra_reduce_scatter_gather)
TELL(Reduce_intra_smp)
TELL(Reduce_scatter_block_intra_noncommutative)
TELL(Reduce_scatter_block_intra_pairwise)
TELL(Reduce_scatter_block_intra_recursive_doubling)
TELL(Reduce_scatter_block_intra_recursive_halving)
TELL(Reduce_scatter_intra_pairwise)
TELL(Reduce_scatter_intra_recursive_halving)
TELL(Scan_intra_recursive_doubling)
TELL(Scan_intra_smp)
TELL(Scatter_intra_binomial)
TELL(Scatterv_allcomm_linear)
