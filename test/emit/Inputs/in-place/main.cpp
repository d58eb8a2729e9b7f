// Calls with MPI_IN_PLACE, compared with those of the MPI library, for an element type with gaps; and with pointers at which no memory
// can be.

#include "allgather_ring.h"
#include "allgatherv_ring.h"
#include "allreduce_ring.h"
#include "alltoall_one_factor.h"
#include "broadcast_binomial.h"
#include "exscan_hypercube.h"
#include "gather_binomial.h"
#include "gatherv_binomial.h"
#include "reduce_binomial.h"
#include "reduce_scatter_ring.h"
#include "scan_inorder_tree.h"
#include "scatter_binomial.h"
#include "scatterv_binomial.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

using quadrille::ErrorCode;
using quadrille::Status;
using Numbers = std::vector<int>;

constexpr int n = 3, root = 1;
int p, me, failures = 0;

void expect(bool holds, const char *what, const char *detail = "") {
  if (holds)
    return;
  ++failures;
  std::printf("rank %d: %s: wrong %s\n", me, what, detail);
}

/// Two ints, of which an element is the first.
MPI_Datatype spaced() {
  MPI_Datatype type;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type);
  MPI_Type_commit(&type);
  return type;
}

Numbers numbers(int blocks, int spacing) {
  Numbers result(static_cast<std::size_t>(blocks * n * spacing));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<int>(i) * 7 + 100 * me;
  return result;
}

/// Both calls get the same memory with the same numbers, and leave the same behind.
template <class Own, class Library> void compare(const char *what, int blocks, int spacing, Own own, Library library) {
  Numbers ours = numbers(blocks, spacing), theirs = ours;
  const Status status = own(ours.data());
  library(theirs.data());
  expect(!status, what, status.text());
  expect(ours == theirs, what);
}

void compareAll(collectives::Communicator &comm, MPI_Datatype type, int spacing) {
  const bool isRoot = me == root;
  const MPI_Comm world = MPI_COMM_WORLD;
  Numbers send = numbers(p, spacing);
  std::vector<int> counts, starts;
  std::vector<std::size_t> lengths;
  for (int i = 0; i < p; ++i) {
    counts.push_back(i % 3);
    starts.push_back(i == 0 ? 0 : starts.back() + counts[static_cast<std::size_t>(i - 1)]);
    lengths.push_back(static_cast<std::size_t>(i % 3));
  }
  compare("allgather", p, spacing, [&](int *y) { return collectives::allgather_ring(comm, MPI_IN_PLACE, y, n, type); },
          [&](int *y) { MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, n, type, world); });
  compare("gather", p, spacing, [&](int *y) { return collectives::gather_binomial(comm, root, isRoot ? MPI_IN_PLACE : send.data(), y, n, type); },
          [&](int *y) { MPI_Gather(isRoot ? MPI_IN_PLACE : send.data(), n, type, y, n, type, root, world); });
  compare("scatter", p, spacing, [&](int *x) { return collectives::scatter_binomial(comm, root, x, isRoot ? MPI_IN_PLACE : send.data(), n, type); },
          [&](int *x) { MPI_Scatter(x, n, type, isRoot ? MPI_IN_PLACE : send.data(), n, type, root, world); });
  compare("alltoall", p, spacing, [&](int *y) { return collectives::alltoall_one_factor(comm, MPI_IN_PLACE, y, n, type); },
          [&](int *y) { MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, n, type, world); });
  compare("allgatherv", p, spacing, [&](int *y) { return collectives::allgatherv_ring(comm, lengths.data(), MPI_IN_PLACE, y, type); },
          [&](int *y) { MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, counts.data(), starts.data(), type, world); });
  compare("gatherv", p, spacing, [&](int *y) { return collectives::gatherv_binomial(comm, root, lengths[static_cast<std::size_t>(me)], lengths.data(), isRoot ? MPI_IN_PLACE : send.data(), y, type); },
          [&](int *y) { MPI_Gatherv(isRoot ? MPI_IN_PLACE : send.data(), me % 3, type, y, counts.data(), starts.data(), type, root, world); });
  compare("scatterv", p, spacing, [&](int *x) { return collectives::scatterv_binomial(comm, root, lengths.data(), lengths[static_cast<std::size_t>(me)], x, isRoot ? MPI_IN_PLACE : send.data(), type); },
          [&](int *x) { MPI_Scatterv(x, counts.data(), starts.data(), type, isRoot ? MPI_IN_PLACE : send.data(), me % 3, type, root, world); });
}

void reduceAll(collectives::Communicator &comm) {
  const bool isRoot = me == root;
  const MPI_Comm world = MPI_COMM_WORLD;
  Numbers send = numbers(1, 1);
  compare("allreduce", 1, 1, [&](int *y) { return collectives::allreduce_ring(comm, MPI_IN_PLACE, y, n, MPI_INT, MPI_SUM); },
          [&](int *y) { MPI_Allreduce(MPI_IN_PLACE, y, n, MPI_INT, MPI_SUM, world); });
  compare("reduce", 1, 1, [&](int *y) { return collectives::reduce_binomial(comm, root, isRoot ? MPI_IN_PLACE : send.data(), isRoot ? y : nullptr, n, MPI_INT, MPI_SUM); },
          [&](int *y) { MPI_Reduce(isRoot ? MPI_IN_PLACE : send.data(), isRoot ? y : nullptr, n, MPI_INT, MPI_SUM, root, world); });
  compare("scan", 1, 1, [&](int *y) { return collectives::scan_inorder_tree(comm, MPI_IN_PLACE, y, n, MPI_INT, MPI_SUM); },
          [&](int *y) { MPI_Scan(MPI_IN_PLACE, y, n, MPI_INT, MPI_SUM, world); });
  compare("exscan", 1, 1,
          [&](int *y) {
            const Status status = collectives::exscan_hypercube(comm, MPI_IN_PLACE, y, n, MPI_INT, MPI_SUM);
            if (me == 0) // it is promised nothing
              std::copy_n(send.data(), n, y);
            return status;
          },
          [&](int *y) { MPI_Exscan(MPI_IN_PLACE, y, n, MPI_INT, MPI_SUM, world); });
  Numbers ours = numbers(p, 1), theirs = ours;
  const Status status = collectives::reduce_scatter_ring(comm, MPI_IN_PLACE, ours.data(), n, MPI_INT, MPI_SUM);
  MPI_Reduce_scatter_block(MPI_IN_PLACE, theirs.data(), n, MPI_INT, MPI_SUM, world);
  expect(!status, "reduce_scatter", status.text());
  expect(std::equal(ours.begin(), ours.begin() + n, theirs.begin()), "reduce_scatter"); // what follows is MPI's own affair
}

/// Errors that all ranks make alike, so that nobody waits.
void refuse(collectives::Communicator &comm) {
  Numbers data = numbers(p, 1);
  auto isBad = [&](const char *what, const Status &status) {
    expect(status.code() == ErrorCode::BadParameter, what, status.text());
    if (me == 0)
      std::printf("%s\n", status.text());
  };
  isBad("in place of an output", collectives::allreduce_ring(comm, data.data(), MPI_IN_PLACE, n, MPI_INT, MPI_SUM));
  isBad("in place of both", collectives::allgather_ring(comm, MPI_IN_PLACE, MPI_IN_PLACE, n, MPI_INT));
  isBad("in place of a broadcast", collectives::broadcast_binomial(comm, root, data.data(), MPI_IN_PLACE, n, MPI_INT));
  isBad("the first page", collectives::allgather_ring(comm, reinterpret_cast<void *>(std::uintptr_t{64}), data.data(), n, MPI_INT));
  isBad("beyond the end", collectives::allgather_ring(comm, reinterpret_cast<void *>(~std::uintptr_t{7}), data.data(), n, MPI_INT));
  expect(!collectives::allgather_ring(comm, reinterpret_cast<void *>(std::uintptr_t{64}), data.data(), 0, MPI_INT), "no elements");
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  {
    collectives::Communicator comm(MPI_COMM_WORLD);
    MPI_Datatype gaps = spaced();
    for (int again = 0; again < 2; ++again) { // the second time by plans that are known
      compareAll(comm, MPI_INT, 1);
      compareAll(comm, gaps, 2);
      reduceAll(comm);
    }
    MPI_Type_free(&gaps);
    refuse(comm);
  }
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0)
    std::printf("p = %d: %d failures\n", p, failures);
  MPI_Finalize();
  return failures > 0;
}
