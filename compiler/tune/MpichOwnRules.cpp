//===- MpichOwnRules.cpp - What MPICH chooses by itself ---------------------------------------------------------------------===//

#include "MpichRules.h"

namespace quadrille::compiler::tune {

// A file of rules takes the place of those that MPICH 4.0 has compiled in, for all collectives and both kinds of communicators, and without a
// rule for a call MPICH ends the program. So what is left to MPICH is what it has compiled in (test/machines/export-mpich-own.test compares).
// Lines are conditions, deeper ones hold within them, and of those of the same depth the first that holds counts. Behind a colon is the
// algorithm. Where MPICH has comm_size<8, which its search takes for comm_size<=8 below a condition on lengths, there is comm_size<=7.
const char *const mpichOwnRules = R"(bcast
  comm_type=intra
    comm_size<=7
      comm_hierarchy=parent
        avg_msg_size<=0: Bcast_intra_smp
        avg_msg_size=any: Bcast_intra_binomial
      comm_hierarchy=any
        avg_msg_size=any: Bcast_intra_binomial
    comm_size=pow2
      comm_hierarchy=parent
        avg_msg_size<=0: Bcast_intra_smp
        avg_msg_size<=12288: Bcast_intra_binomial
        avg_msg_size<=524288: Bcast_intra_scatter_recursive_doubling_allgather
        avg_msg_size=any: Bcast_intra_scatter_ring_allgather
      comm_hierarchy=any
        avg_msg_size<=12288: Bcast_intra_binomial
        avg_msg_size<=524288: Bcast_intra_scatter_recursive_doubling_allgather
        avg_msg_size=any: Bcast_intra_scatter_ring_allgather
    comm_size=any
      comm_hierarchy=parent
        avg_msg_size<=0: Bcast_intra_smp
        avg_msg_size<=12288: Bcast_intra_binomial
        avg_msg_size=any: Bcast_intra_scatter_ring_allgather
      comm_hierarchy=any
        avg_msg_size<=12288: Bcast_intra_binomial
        avg_msg_size=any: Bcast_intra_scatter_ring_allgather
  comm_type=inter: Bcast_inter_remote_send_local_bcast
allreduce
  comm_type=intra
    avg_msg_size<=0
      is_commutative=yes: Allreduce_intra_smp
      is_commutative=no: Allreduce_intra_recursive_doubling
    avg_msg_size<=8: Allreduce_intra_recursive_doubling
    avg_msg_size=any
      is_op_built_in=no: Allreduce_intra_recursive_doubling
      is_op_built_in=yes
        count<pow2: Allreduce_intra_recursive_doubling
        count=any: Allreduce_intra_reduce_scatter_allgather
  comm_type=inter: Allreduce_inter_reduce_exchange_bcast
allgather
  comm_type=intra
    comm_size=pow2
      total_msg_size<524288: Allgather_intra_recursive_doubling
      total_msg_size=any: Allgather_intra_ring
    comm_size=any
      total_msg_size<81920: Allgather_intra_brucks
      total_msg_size=any: Allgather_intra_ring
  comm_type=inter: Allgather_inter_local_gather_remote_bcast
allgatherv
  comm_type=intra
    comm_size=pow2
      total_msg_size<524288: Allgatherv_intra_recursive_doubling
      total_msg_size=any: Allgatherv_intra_ring
    comm_size=any
      total_msg_size<81920: Allgatherv_intra_brucks
      total_msg_size=any: Allgatherv_intra_ring
  comm_type=inter: Allgatherv_inter_remote_gather_local_bcast
reduce
  comm_type=intra
    comm_hierarchy=parent
      avg_msg_size<=0
        is_commutative=yes: Reduce_intra_smp
        is_commutative=no: Reduce_intra_binomial
      avg_msg_size<=2048: Reduce_intra_binomial
      avg_msg_size=any
        is_op_built_in=yes
          count<pow2: Reduce_intra_binomial
          count=any: Reduce_intra_reduce_scatter_gather
        is_op_built_in=no: Reduce_intra_binomial
    comm_hierarchy=any
      avg_msg_size<=2048: Reduce_intra_binomial
      avg_msg_size=any
        is_op_built_in=yes
          count<pow2: Reduce_intra_binomial
          count=any: Reduce_intra_reduce_scatter_gather
        is_op_built_in=no: Reduce_intra_binomial
  comm_type=inter: Reduce_inter_local_reduce_remote_send
reduce_scatter
  comm_type=intra
    is_commutative=yes
      total_msg_size<524288: Reduce_scatter_intra_recursive_halving
      total_msg_size=any: Reduce_scatter_intra_pairwise
    is_commutative=no
      is_block_regular=yes
        comm_size=pow2: Reduce_scatter_intra_noncommutative
        comm_size=any: Reduce_scatter_intra_recursive_doubling
      is_block_regular=no: Reduce_scatter_intra_recursive_doubling
  comm_type=inter: Reduce_scatter_inter_remote_reduce_local_scatter
reduce_scatter_block
  comm_type=intra
    is_commutative=yes
      total_msg_size<524288: Reduce_scatter_block_intra_recursive_halving
      total_msg_size=any: Reduce_scatter_block_intra_pairwise
    is_commutative=no
      comm_size=pow2: Reduce_scatter_block_intra_noncommutative
      comm_size=any: Reduce_scatter_block_intra_recursive_doubling
  comm_type=inter: Reduce_scatter_block_inter_remote_reduce_local_scatter
gather
  comm_type=intra: Gather_intra_binomial
  comm_type=inter
    total_msg_size<2048: Gather_inter_local_gather_remote_send
    total_msg_size=any: Gather_inter_linear
scatter
  comm_type=intra: Scatter_intra_binomial
  comm_type=inter
    total_msg_size<2048: Scatter_inter_remote_send_local_scatter
    total_msg_size=any: Scatter_inter_linear
gatherv: Gatherv_allcomm_linear
scatterv: Scatterv_allcomm_linear
scan
  comm_type=intra
    is_node_consecutive=yes: Scan_intra_smp
    is_node_consecutive=no: Scan_intra_recursive_doubling
  comm_type=inter: Scan_intra_smp
exscan: Exscan_intra_recursive_doubling
barrier
  comm_type=intra
    comm_hierarchy=parent: Barrier_intra_smp
    comm_hierarchy=any: Barrier_intra_dissemination
  comm_type=inter: Barrier_inter_bcast
alltoall
  comm_type=intra
    is_sendbuf_inplace=yes: Alltoall_intra_pairwise_sendrecv_replace
    is_sendbuf_inplace=no
      comm_size<=7
        avg_msg_size<=32768: Alltoall_intra_scattered
        avg_msg_size=any: Alltoall_intra_pairwise
      comm_size=any
        avg_msg_size<=256: Alltoall_intra_brucks
        avg_msg_size<=32768: Alltoall_intra_scattered
        avg_msg_size=any: Alltoall_intra_pairwise
  comm_type=inter: Alltoall_inter_pairwise_exchange
alltoallv
  comm_type=intra
    is_sendbuf_inplace=yes: Alltoallv_intra_pairwise_sendrecv_replace
    is_sendbuf_inplace=no: Alltoallv_intra_scattered
  comm_type=inter: Alltoallv_inter_pairwise_exchange
alltoallw
  comm_type=intra
    is_sendbuf_inplace=yes: Alltoallw_intra_pairwise_sendrecv_replace
    is_sendbuf_inplace=no: Alltoallw_intra_scattered
  comm_type=inter: Alltoallw_inter_pairwise_exchange
neighbor_allgather: Neighbor_allgather_allcomm_nb
neighbor_allgatherv: Neighbor_allgatherv_allcomm_nb
neighbor_alltoall: Neighbor_alltoall_allcomm_nb
neighbor_alltoallv: Neighbor_alltoallv_allcomm_nb
neighbor_alltoallw: Neighbor_alltoallw_allcomm_nb
ibarrier
  comm_type=intra: Ibarrier_intra_sched_recursive_doubling
  comm_type=inter: Ibarrier_inter_sched_bcast
iallreduce
  comm_type=intra
    avg_msg_size<=2048: Iallreduce_intra_sched_recursive_doubling
    avg_msg_size=any
      is_op_built_in=no: Iallreduce_intra_sched_recursive_doubling
      is_op_built_in=yes
        count<pow2: Iallreduce_intra_sched_recursive_doubling
        count=any: Iallreduce_intra_sched_reduce_scatter_allgather
  comm_type=inter: Iallreduce_inter_sched_remote_reduce_local_bcast
iallgather
  comm_type=intra
    comm_size=pow2
      total_msg_size<524288: Iallgather_intra_sched_recursive_doubling
      total_msg_size=any: Iallgather_intra_sched_ring
    comm_size=any
      total_msg_size<81920: Iallgather_intra_sched_brucks
      total_msg_size=any: Iallgather_intra_sched_ring
  comm_type=inter: Iallgather_inter_sched_local_gather_remote_bcast
iallgatherv
  comm_type=intra
    comm_size=pow2
      total_msg_size<524288: Iallgatherv_intra_sched_recursive_doubling
      total_msg_size=any: Iallgatherv_intra_sched_ring
    comm_size=any
      total_msg_size<81920: Iallgatherv_intra_sched_brucks
      total_msg_size=any: Iallgatherv_intra_sched_ring
  comm_type=inter: Iallgatherv_inter_sched_remote_gather_local_bcast
ibcast
  comm_type=intra
    comm_hierarchy=parent: Ibcast_intra_sched_smp
    comm_hierarchy=any
      comm_size<=7
        avg_msg_size=any: Ibcast_intra_sched_binomial
      comm_size=pow2
        avg_msg_size<12288: Ibcast_intra_sched_binomial
        avg_msg_size<524288: Ibcast_intra_sched_scatter_recursive_doubling_allgather
        avg_msg_size=any: Ibcast_intra_sched_scatter_ring_allgather
      comm_size=any
        avg_msg_size<12288: Ibcast_intra_sched_binomial
        avg_msg_size=any: Ibcast_intra_sched_scatter_ring_allgather
  comm_type=inter: Ibcast_inter_sched_flat
ireduce
  comm_type=intra
    comm_hierarchy=parent
      is_commutative=yes: Ireduce_intra_sched_smp
      is_commutative=no: Ireduce_intra_sched_binomial
    comm_hierarchy=any
      avg_msg_size<=2048: Ireduce_intra_sched_binomial
      avg_msg_size=any
        is_op_built_in=yes
          count<pow2: Ireduce_intra_sched_binomial
          count=any: Ireduce_intra_sched_reduce_scatter_gather
        is_op_built_in=no: Ireduce_intra_sched_binomial
  comm_type=inter: Ireduce_inter_sched_local_reduce_remote_send
ireduce_scatter
  comm_type=intra
    is_commutative=yes
      total_msg_size<524288: Ireduce_scatter_intra_sched_recursive_halving
      total_msg_size=any: Ireduce_scatter_intra_sched_pairwise
    is_commutative=no
      is_block_regular=yes
        comm_size=pow2: Ireduce_scatter_intra_sched_noncommutative
        comm_size=any: Ireduce_scatter_intra_sched_recursive_doubling
      is_block_regular=no: Ireduce_scatter_intra_sched_recursive_doubling
  comm_type=inter: Ireduce_scatter_inter_sched_remote_reduce_local_scatterv
igather
  comm_type=intra: Igather_intra_sched_binomial
  comm_type=inter
    total_msg_size<2048: Igather_inter_sched_short
    total_msg_size=any: Igather_inter_sched_long
iscatter
  comm_type=intra: Iscatter_intra_sched_binomial
  comm_type=inter
    total_msg_size<2048: Iscatter_inter_sched_remote_send_local_scatter
    total_msg_size=any: Iscatter_inter_sched_linear
igatherv: Igatherv_allcomm_sched_linear
iscatterv: Iscatterv_allcomm_sched_linear
iexscan: Iexscan_intra_sched_recursive_doubling
ialltoall
  comm_type=intra
    is_sendbuf_inplace=yes: Ialltoall_intra_sched_inplace
    is_sendbuf_inplace=no
      comm_size<=7
        avg_msg_size<=32768: Ialltoall_intra_sched_permuted_sendrecv
        avg_msg_size=any: Ialltoall_intra_sched_pairwise
      comm_size=any
        avg_msg_size<=2048: Ialltoall_intra_sched_brucks
        avg_msg_size<=32768: Ialltoall_intra_sched_permuted_sendrecv
        avg_msg_size=any: Ialltoall_intra_sched_pairwise
  comm_type=inter: Ialltoall_inter_sched_pairwise_exchange
ialltoallv
  comm_type=intra
    is_sendbuf_inplace=yes: Ialltoallv_intra_sched_inplace
    is_sendbuf_inplace=no: Ialltoallv_intra_sched_blocked
  comm_type=inter: Ialltoallv_inter_sched_pairwise_exchange
ialltoallw
  comm_type=intra
    is_sendbuf_inplace=yes: Ialltoallw_intra_sched_inplace
    is_sendbuf_inplace=no: Ialltoallw_intra_sched_blocked
  comm_type=inter: Ialltoallw_inter_sched_pairwise_exchange
ireduce_scatter_block
  comm_type=intra
    is_commutative=yes
      total_msg_size<524288: Ireduce_scatter_block_intra_sched_recursive_halving
      total_msg_size=any: Ireduce_scatter_block_intra_sched_pairwise
    is_commutative=no
      comm_size=pow2: Ireduce_scatter_block_intra_sched_noncommutative
      comm_size=any: Ireduce_scatter_block_intra_sched_recursive_doubling
  comm_type=inter: Ireduce_scatter_block_inter_sched_remote_reduce_local_scatterv
iscan
  comm_hierarchy=parent: Iscan_intra_sched_smp
  comm_hierarchy=any: Iscan_intra_sched_recursive_doubling
ineighbor_allgather: Ineighbor_allgather_allcomm_sched_linear
ineighbor_allgatherv: Ineighbor_allgatherv_allcomm_sched_linear
ineighbor_alltoall: Ineighbor_alltoall_allcomm_sched_linear
ineighbor_alltoallv: Ineighbor_alltoallv_allcomm_sched_linear
ineighbor_alltoallw: Ineighbor_alltoallw_allcomm_sched_linear
)";

} // namespace quadrille::compiler::tune
