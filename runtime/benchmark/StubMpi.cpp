//===- StubMpi.cpp - An MPI library that communicates with nobody ---------===//

#include "StubMpi.h"

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <cstdint>
#include <cstring>

namespace {

enum Function {
  Allgather, Bcast, Cancel, Comm_create, Comm_free, Comm_get_attr, Comm_group, Comm_rank, Comm_set_errhandler, Comm_size, Comm_split_type, Finalized, Get_count, Group_free,
  Initialized, Irecv, Isend, Op_commutative, Recv, Recv_init, Reduce_local, Request_free, Send, Send_init, Sendrecv, Start, Testall, Testsome, Type_get_envelope,
  Type_get_extent_x, Type_get_true_extent_x, Type_size_x, Waitsome, functions
};
const char *const names[functions] = {
    "Allgather", "Bcast", "Cancel", "Comm_create", "Comm_free", "Comm_get_attr", "Comm_group", "Comm_rank", "Comm_set_errhandler", "Comm_size", "Comm_split_type", "Finalized", "Get_count", "Group_free",
    "Initialized", "Irecv", "Isend", "Op_commutative", "Recv", "Recv_init", "Reduce_local", "Request_free", "Send", "Send_init", "Sendrecv", "Start", "Testall", "Testsome", "Type_get_envelope",
    "Type_get_extent_x", "Type_get_true_extent_x", "Type_size_x", "Waitsome"};

long calls[functions];
int worldRank = 0, worldSize = 1;
/// False before `pretend`: libraries may ask before `main`, and must not use
/// MPI then.
bool isInitialized = false;

/// The messages of requests; that of number i is at i - 1. Persistent requests are behind
/// the others.
constexpr unsigned mostRequests = 1024;
struct {
  int bytes;
  bool isPersistent, isActive;
} messages[2 * mostRequests];
unsigned requestsMade = 0, persistentMade = 0;

int sizeOf(MPI_Datatype type) {
  return type == MPI_DOUBLE ? static_cast<int>(sizeof(double)) : type == MPI_INT ? static_cast<int>(sizeof(int)) : 1;
}

/// Makes a request that holds a number. MPI's handles may be pointers or
/// integers.
MPI_Request newRequest(int bytes, bool isPersistent = false) {
  const unsigned at = (isPersistent ? persistentMade++ : requestsMade++) % mostRequests + (isPersistent ? mostRequests : 0);
  messages[at] = {bytes, isPersistent, !isPersistent};
  const std::uintptr_t number = at + 1;
  MPI_Request request;
  static_assert(sizeof request <= sizeof number, "a handle holds a number");
  std::memcpy(&request, &number, sizeof request);
  return request;
}

auto &messageOf(MPI_Request request) {
  std::uintptr_t number = 0;
  std::memcpy(&number, &request, sizeof request);
  return messages[number - 1];
}

/// Stores the size of a message in its status, as the tag.
void arrive(MPI_Status *status, int bytes) {
  if (status != MPI_STATUS_IGNORE)
    status->MPI_TAG = bytes;
}

int completeAll(int count, MPI_Request *requests, int *completed, int *indices, MPI_Status *statuses) {
  *completed = 0;
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL || !messageOf(requests[i]).isActive)
      continue;
    auto &message = messageOf(requests[i]);
    arrive(&statuses[*completed], message.bytes);
    indices[(*completed)++] = i;
    message.isActive = false;
    if (!message.isPersistent)
      requests[i] = MPI_REQUEST_NULL;
  }
  if (*completed == 0)
    *completed = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

} // namespace

void stub::pretend(int rank, int size) {
  worldRank = rank;
  worldSize = size;
  isInitialized = true;
}

std::string stub::takeCalls() {
  std::string text;
  for (int i = 0; i < functions; ++i)
    if (calls[i] > 0)
      text += (text.empty() ? "" : ", ") + std::string(names[i]) + " " + std::to_string(calls[i]);
  std::memset(calls, 0, sizeof calls);
  return text;
}

extern "C" {

int MPI_Initialized(int *flag) { return ++calls[Initialized], *flag = isInitialized, MPI_SUCCESS; }
int MPI_Finalized(int *flag) { return ++calls[Finalized], *flag = 0, MPI_SUCCESS; }

int MPI_Comm_create(MPI_Comm comm, MPI_Group, MPI_Comm *made) { return ++calls[Comm_create], *made = comm, MPI_SUCCESS; }
int MPI_Comm_group(MPI_Comm, MPI_Group *made) { return ++calls[Comm_group], *made = MPI_GROUP_EMPTY, MPI_SUCCESS; }
int MPI_Comm_free(MPI_Comm *comm) { return ++calls[Comm_free], *comm = MPI_COMM_NULL, MPI_SUCCESS; }
int MPI_Group_free(MPI_Group *group) { return ++calls[Group_free], *group = MPI_GROUP_NULL, MPI_SUCCESS; }
int MPI_Comm_rank(MPI_Comm, int *rank) { return ++calls[Comm_rank], *rank = worldRank, MPI_SUCCESS; }
int MPI_Comm_size(MPI_Comm, int *size) { return ++calls[Comm_size], *size = worldSize, MPI_SUCCESS; }
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler) { return ++calls[Comm_set_errhandler], MPI_SUCCESS; }
int MPI_Comm_get_attr(MPI_Comm, int, void *, int *found) { return ++calls[Comm_get_attr], *found = 0, MPI_SUCCESS; }
/// There is no node whose ranks share memory.
int MPI_Comm_split_type(MPI_Comm, int, int, MPI_Info, MPI_Comm *made) {
  return ++calls[Comm_split_type], *made = MPI_COMM_NULL, MPI_SUCCESS;
}
/// All ranks have the same.
int MPI_Allgather(const void *own, int count, MPI_Datatype type, void *all, int, MPI_Datatype, MPI_Comm) {
  ++calls[Allgather];
  const std::size_t bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(sizeOf(type));
  for (int rank = 0; rank < worldSize; ++rank)
    std::memcpy(static_cast<char *>(all) + static_cast<std::size_t>(rank) * bytes, own, bytes);
  return MPI_SUCCESS;
}
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm) { return ++calls[Bcast], MPI_SUCCESS; }

int MPI_Type_size_x(MPI_Datatype type, MPI_Count *size) { return ++calls[Type_size_x], *size = sizeOf(type), MPI_SUCCESS; }
int MPI_Type_get_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
  return ++calls[Type_get_extent_x], *lower = 0, *extent = sizeOf(type), MPI_SUCCESS;
}
int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *lower, MPI_Count *extent) {
  return ++calls[Type_get_true_extent_x], *lower = 0, *extent = sizeOf(type), MPI_SUCCESS;
}
int MPI_Type_get_envelope(MPI_Datatype, int *integers, int *addresses, int *types, int *combiner) {
  ++calls[Type_get_envelope];
  *integers = *addresses = *types = 0;
  *combiner = MPI_COMBINER_NAMED;
  return MPI_SUCCESS;
}
int MPI_Op_commutative(MPI_Op, int *commutes) { return ++calls[Op_commutative], *commutes = 1, MPI_SUCCESS; }
int MPI_Reduce_local(const void *, void *, int, MPI_Datatype, MPI_Op) { return ++calls[Reduce_local], MPI_SUCCESS; }

int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm) { return ++calls[Send], MPI_SUCCESS; }
int MPI_Recv(void *, int count, MPI_Datatype type, int, int, MPI_Comm, MPI_Status *status) {
  ++calls[Recv];
  arrive(status, count * sizeOf(type));
  return MPI_SUCCESS;
}
int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int count, MPI_Datatype type, int, int, MPI_Comm,
                 MPI_Status *status) {
  ++calls[Sendrecv];
  arrive(status, count * sizeOf(type));
  return MPI_SUCCESS;
}
int MPI_Isend(const void *, int count, MPI_Datatype type, int, int, MPI_Comm, MPI_Request *request) {
  ++calls[Isend];
  *request = newRequest(count * sizeOf(type));
  return MPI_SUCCESS;
}
int MPI_Irecv(void *, int count, MPI_Datatype type, int, int, MPI_Comm, MPI_Request *request) {
  ++calls[Irecv];
  *request = newRequest(count * sizeOf(type));
  return MPI_SUCCESS;
}
int MPI_Send_init(const void *, int count, MPI_Datatype type, int, int, MPI_Comm, MPI_Request *request) {
  ++calls[Send_init];
  *request = newRequest(count * sizeOf(type), /*isPersistent=*/true);
  return MPI_SUCCESS;
}
int MPI_Recv_init(void *, int count, MPI_Datatype type, int, int, MPI_Comm, MPI_Request *request) {
  ++calls[Recv_init];
  *request = newRequest(count * sizeOf(type), /*isPersistent=*/true);
  return MPI_SUCCESS;
}
int MPI_Start(MPI_Request *request) { return ++calls[Start], messageOf(*request).isActive = true, MPI_SUCCESS; }
int MPI_Request_free(MPI_Request *request) { return ++calls[Request_free], *request = MPI_REQUEST_NULL, MPI_SUCCESS; }
int MPI_Cancel(MPI_Request *) { return ++calls[Cancel], MPI_SUCCESS; }
int MPI_Testall(int count, MPI_Request *requests, int *all, MPI_Status *) {
  ++calls[Testall];
  for (int i = 0; i < count; ++i)
    if (requests[i] != MPI_REQUEST_NULL) {
      auto &message = messageOf(requests[i]);
      message.isActive = false;
      if (!message.isPersistent)
        requests[i] = MPI_REQUEST_NULL;
    }
  return *all = 1, MPI_SUCCESS;
}
int MPI_Testsome(int count, MPI_Request *requests, int *completed, int *indices, MPI_Status *statuses) {
  ++calls[Testsome];
  return completeAll(count, requests, completed, indices, statuses);
}
int MPI_Waitsome(int count, MPI_Request *requests, int *completed, int *indices, MPI_Status *statuses) {
  ++calls[Waitsome];
  return completeAll(count, requests, completed, indices, statuses);
}
int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
  ++calls[Get_count];
  *count = status->MPI_TAG / sizeOf(type);
  return MPI_SUCCESS;
}

} // extern "C"
