//===- PmpiNames.h - MPI's functions by their second names ------*- C++ -*-===//
//
// The sources of the runtime include this file before all else when they are compiled for the
// preload library. So their calls go to the MPI library directly, and neither to this library's
// own functions nor to those of the program's tools.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_PMPINAMES_H
#define QUADRILLE_RUNTIME_PRELOAD_PMPINAMES_H

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

// The test of the library's undefined symbols finds functions that are missing here.
#ifndef MPI_Aint_diff // in some libraries it calls nothing
#define MPI_Aint_diff PMPI_Aint_diff
#endif
#define MPI_Allgather PMPI_Allgather
#define MPI_Bcast PMPI_Bcast
#define MPI_Cancel PMPI_Cancel
#define MPI_Comm_create PMPI_Comm_create
#undef MPI_Comm_f2c
#define MPI_Comm_f2c PMPI_Comm_f2c
#define MPI_Comm_free PMPI_Comm_free
#define MPI_Comm_get_attr PMPI_Comm_get_attr
#define MPI_Comm_group PMPI_Comm_group
#define MPI_Comm_rank PMPI_Comm_rank
#define MPI_Comm_set_errhandler PMPI_Comm_set_errhandler
#define MPI_Comm_size PMPI_Comm_size
#define MPI_Comm_split_type PMPI_Comm_split_type
#define MPI_Error_class PMPI_Error_class
#define MPI_Error_string PMPI_Error_string
#define MPI_Finalized PMPI_Finalized
#define MPI_Get_address PMPI_Get_address
#define MPI_Get_count PMPI_Get_count
#define MPI_Get_elements_x PMPI_Get_elements_x
#define MPI_Group_free PMPI_Group_free
#define MPI_Initialized PMPI_Initialized
#define MPI_Iprobe PMPI_Iprobe
#define MPI_Irecv PMPI_Irecv
#define MPI_Isend PMPI_Isend
#define MPI_Op_commutative PMPI_Op_commutative
#define MPI_Pack PMPI_Pack
#define MPI_Query_thread PMPI_Query_thread
#define MPI_Recv PMPI_Recv
#define MPI_Recv_init PMPI_Recv_init
#define MPI_Reduce_local PMPI_Reduce_local
#define MPI_Request_free PMPI_Request_free
#define MPI_Send PMPI_Send
#define MPI_Send_init PMPI_Send_init
#define MPI_Sendrecv PMPI_Sendrecv
#define MPI_Start PMPI_Start
#define MPI_Testall PMPI_Testall
#define MPI_Testsome PMPI_Testsome
#define MPI_Type_commit PMPI_Type_commit
#define MPI_Type_contiguous PMPI_Type_contiguous
#define MPI_Type_create_hindexed PMPI_Type_create_hindexed
#define MPI_Type_free PMPI_Type_free
#define MPI_Type_get_contents PMPI_Type_get_contents
#define MPI_Type_get_envelope PMPI_Type_get_envelope
#define MPI_Type_get_extent_x PMPI_Type_get_extent_x
#define MPI_Type_get_true_extent_x PMPI_Type_get_true_extent_x
#define MPI_Type_size_x PMPI_Type_size_x
#define MPI_Unpack PMPI_Unpack
#define MPI_Waitsome PMPI_Waitsome

#endif // QUADRILLE_RUNTIME_PRELOAD_PMPINAMES_H
