//===- CNames.cpp - The functions of MPI that are taken over, for C -------===//

#include "Collectives.h"

using namespace quadrille;

#define QUADRILLE_TAKEN __attribute__((visibility("default")))

extern "C" {

QUADRILLE_TAKEN int MPI_Barrier(MPI_Comm comm) {
  return preload::barrier(comm, [&] { return PMPI_Barrier(comm); });
}
QUADRILLE_TAKEN int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return preload::bcast(buffer, count, type, root, comm, [&] { return PMPI_Bcast(buffer, count, type, root, comm); });
}
QUADRILLE_TAKEN int MPI_Reduce(const void *x, void *y, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return preload::reduce(x, y, count, type, op, root, comm, [&] { return PMPI_Reduce(x, y, count, type, op, root, comm); });
}
QUADRILLE_TAKEN int MPI_Allreduce(const void *x, void *y, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return preload::allreduce(x, y, count, type, op, comm, [&] { return PMPI_Allreduce(x, y, count, type, op, comm); });
}
QUADRILLE_TAKEN int MPI_Scan(const void *x, void *y, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return preload::scan(x, y, count, type, op, comm, [&] { return PMPI_Scan(x, y, count, type, op, comm); });
}
QUADRILLE_TAKEN int MPI_Exscan(const void *x, void *y, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return preload::exscan(x, y, count, type, op, comm, [&] { return PMPI_Exscan(x, y, count, type, op, comm); });
}
QUADRILLE_TAKEN int MPI_Reduce_scatter_block(const void *x, void *y, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return preload::reduceScatterBlock(x, y, count, type, op, comm, [&] { return PMPI_Reduce_scatter_block(x, y, count, type, op, comm); });
}
QUADRILLE_TAKEN int MPI_Reduce_scatter(const void *x, void *y, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return preload::reduceScatter(x, y, counts, type, op, comm, [&] { return PMPI_Reduce_scatter(x, y, counts, type, op, comm); });
}
QUADRILLE_TAKEN int MPI_Allgather(const void *x, int sendCount, MPI_Datatype sendType, void *y, int count, MPI_Datatype type,
    MPI_Comm comm) {
  return preload::allgather(x, sendCount, sendType, y, count, type, comm, [&] { return PMPI_Allgather(x, sendCount, sendType, y, count, type, comm); });
}
QUADRILLE_TAKEN int MPI_Allgatherv(const void *x, int sendCount, MPI_Datatype sendType, void *y, const int *counts, const int *offsets,
    MPI_Datatype type, MPI_Comm comm) {
  return preload::allgatherv(x, sendCount, sendType, y, counts, offsets, type, comm, [&] { return PMPI_Allgatherv(x, sendCount, sendType, y, counts, offsets, type, comm); });
}
QUADRILLE_TAKEN int MPI_Alltoall(const void *x, int sendCount, MPI_Datatype sendType, void *y, int count, MPI_Datatype type,
    MPI_Comm comm) {
  return preload::alltoall(x, sendCount, sendType, y, count, type, comm, [&] { return PMPI_Alltoall(x, sendCount, sendType, y, count, type, comm); });
}
QUADRILLE_TAKEN int MPI_Gather(const void *x, int sendCount, MPI_Datatype sendType, void *y, int count, MPI_Datatype type, int root,
    MPI_Comm comm) {
  return preload::gather(x, sendCount, sendType, y, count, type, root, comm, [&] { return PMPI_Gather(x, sendCount, sendType, y, count, type, root, comm); });
}
QUADRILLE_TAKEN int MPI_Scatter(const void *x, int count, MPI_Datatype type, void *y, int recvCount, MPI_Datatype recvType, int root,
    MPI_Comm comm) {
  return preload::scatter(x, count, type, y, recvCount, recvType, root, comm, [&] { return PMPI_Scatter(x, count, type, y, recvCount, recvType, root, comm); });
}

#if MPI_VERSION >= 4
// ---- counts of MPI_Count
QUADRILLE_TAKEN int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  return preload::bcast(buffer, count, type, root, comm, [&] { return PMPI_Bcast_c(buffer, count, type, root, comm); });
}
QUADRILLE_TAKEN int MPI_Reduce_c(const void *x, void *y, MPI_Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return preload::reduce(x, y, count, type, op, root, comm, [&] { return PMPI_Reduce_c(x, y, count, type, op, root, comm); });
}
QUADRILLE_TAKEN int MPI_Allreduce_c(const void *x, void *y, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return preload::allreduce(x, y, count, type, op, comm, [&] { return PMPI_Allreduce_c(x, y, count, type, op, comm); });
}
QUADRILLE_TAKEN int MPI_Scan_c(const void *x, void *y, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return preload::scan(x, y, count, type, op, comm, [&] { return PMPI_Scan_c(x, y, count, type, op, comm); });
}
QUADRILLE_TAKEN int MPI_Exscan_c(const void *x, void *y, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return preload::exscan(x, y, count, type, op, comm, [&] { return PMPI_Exscan_c(x, y, count, type, op, comm); });
}
QUADRILLE_TAKEN int MPI_Reduce_scatter_block_c(const void *x, void *y, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return preload::reduceScatterBlock(x, y, count, type, op, comm, [&] { return PMPI_Reduce_scatter_block_c(x, y, count, type, op, comm); });
}
QUADRILLE_TAKEN int MPI_Reduce_scatter_c(const void *x, void *y, const MPI_Count *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return preload::reduceScatter(x, y, counts, type, op, comm, [&] { return PMPI_Reduce_scatter_c(x, y, counts, type, op, comm); });
}
QUADRILLE_TAKEN int MPI_Allgather_c(const void *x, MPI_Count sendCount, MPI_Datatype sendType, void *y, MPI_Count count, MPI_Datatype type,
    MPI_Comm comm) {
  return preload::allgather(x, sendCount, sendType, y, count, type, comm, [&] { return PMPI_Allgather_c(x, sendCount, sendType, y, count, type, comm); });
}
QUADRILLE_TAKEN int MPI_Allgatherv_c(const void *x, MPI_Count sendCount, MPI_Datatype sendType, void *y, const MPI_Count *counts,
    const MPI_Aint *offsets, MPI_Datatype type, MPI_Comm comm) {
  return preload::allgatherv(x, sendCount, sendType, y, counts, offsets, type, comm, [&] { return PMPI_Allgatherv_c(x, sendCount, sendType, y, counts, offsets, type, comm); });
}
QUADRILLE_TAKEN int MPI_Alltoall_c(const void *x, MPI_Count sendCount, MPI_Datatype sendType, void *y, MPI_Count count, MPI_Datatype type,
    MPI_Comm comm) {
  return preload::alltoall(x, sendCount, sendType, y, count, type, comm, [&] { return PMPI_Alltoall_c(x, sendCount, sendType, y, count, type, comm); });
}
QUADRILLE_TAKEN int MPI_Gather_c(const void *x, MPI_Count sendCount, MPI_Datatype sendType, void *y, MPI_Count count, MPI_Datatype type,
    int root, MPI_Comm comm) {
  return preload::gather(x, sendCount, sendType, y, count, type, root, comm, [&] { return PMPI_Gather_c(x, sendCount, sendType, y, count, type, root, comm); });
}
QUADRILLE_TAKEN int MPI_Scatter_c(const void *x, MPI_Count count, MPI_Datatype type, void *y, MPI_Count recvCount, MPI_Datatype recvType,
    int root, MPI_Comm comm) {
  return preload::scatter(x, count, type, y, recvCount, recvType, root, comm, [&] { return PMPI_Scatter_c(x, count, type, y, recvCount, recvType, root, comm); });
}
#endif

} // extern "C"
