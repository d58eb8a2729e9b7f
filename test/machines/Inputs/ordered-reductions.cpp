// Compares results of MPI's collectives with what they must be: reductions by composition of affine maps, which does not commute, and sums; of
// one element and of many; in place and not.

#include <cstdint>
#include <cstdio>
#include <mpi.h>
#include <vector>

namespace {

struct Map {
  std::uint32_t a, b; // x -> a*x + b
  bool operator==(const Map &other) const { return a == other.a && b == other.b; }
};
using Maps = std::vector<Map>;

Map composed(Map first, Map second) { return {first.a * second.a, second.a * first.b + second.b}; }

void compose(void *in, void *inout, int *n, MPI_Datatype *) {
  for (int i = 0; i < *n; ++i)
    static_cast<Map *>(inout)[i] = composed(static_cast<Map *>(in)[i], static_cast<Map *>(inout)[i]);
}

void add(void *in, void *inout, int *n, MPI_Datatype *) {
  for (int i = 0; i < *n; ++i) {
    static_cast<Map *>(inout)[i].a += static_cast<Map *>(in)[i].a;
    static_cast<Map *>(inout)[i].b += static_cast<Map *>(in)[i].b;
  }
}

int p = 0, rank = 0, mistakes = 0;

void expect(bool isRight, const char *what, int n) {
  if (!isRight) {
    std::printf("%s of %d on rank %d of %d is wrong\n", what, n, rank, p);
    ++mistakes;
  }
}

Map mapOf(int r, int i) { return {static_cast<std::uint32_t>(2 * r + 3), static_cast<std::uint32_t>(7 * i + r + 1)}; }

/// The combination of the i-th elements of ranks from ..< to.
Map total(int i, int to, bool ordered) {
  Map result = mapOf(0, i);
  for (int r = 1; r < to; ++r) {
    const Map map = mapOf(r, i);
    result = ordered ? composed(result, map) : Map{result.a + map.a, result.b + map.b};
  }
  return result;
}

bool isTotal(const Maps &maps, int first, int n, int to, bool ordered) {
  for (int i = 0; i < n; ++i)
    if (!(maps[static_cast<std::size_t>(i)] == total(first + i, to, ordered)))
      return false;
  return true;
}

void reductions(int n, MPI_Datatype type, MPI_Op op, bool ordered) {
  const auto size = static_cast<std::size_t>(n), all = size * static_cast<std::size_t>(p);
  Maps x(all), y(all);
  for (std::size_t i = 0; i < all; ++i)
    x[i] = mapOf(rank, static_cast<int>(i));
  MPI_Allreduce(x.data(), y.data(), n, type, op, MPI_COMM_WORLD);
  expect(isTotal(y, 0, n, p, ordered), "allreduce", n);
  y = x;
  MPI_Allreduce(MPI_IN_PLACE, y.data(), n, type, op, MPI_COMM_WORLD);
  expect(isTotal(y, 0, n, p, ordered), "allreduce in place", n);
  for (int root = 0; root < p; ++root) {
    MPI_Reduce(x.data(), y.data(), n, type, op, root, MPI_COMM_WORLD);
    expect(rank != root || isTotal(y, 0, n, p, ordered), "reduce", n);
  }
  MPI_Reduce_scatter_block(x.data(), y.data(), n, type, op, MPI_COMM_WORLD);
  expect(isTotal(y, rank * n, n, p, ordered), "reduce_scatter_block", n);
  const std::vector<int> counts(static_cast<std::size_t>(p), n);
  MPI_Reduce_scatter(x.data(), y.data(), counts.data(), type, op, MPI_COMM_WORLD);
  expect(isTotal(y, rank * n, n, p, ordered), "reduce_scatter", n);
  MPI_Scan(x.data(), y.data(), n, type, op, MPI_COMM_WORLD);
  expect(isTotal(y, 0, n, rank + 1, ordered), "scan", n);
  MPI_Exscan(x.data(), y.data(), n, type, op, MPI_COMM_WORLD);
  expect(rank == 0 || isTotal(y, 0, n, rank, ordered), "exscan", n);
}

void sums(int n) {
  std::vector<int> x(static_cast<std::size_t>(n)), y(x.size());
  for (int i = 0; i < n; ++i)
    x[static_cast<std::size_t>(i)] = i + rank;
  auto isSum = [&] {
    for (int i = 0; i < n; ++i)
      if (y[static_cast<std::size_t>(i)] != p * i + p * (p - 1) / 2)
        return false;
    return true;
  };
  MPI_Allreduce(x.data(), y.data(), n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect(isSum(), "sum to all", n);
  MPI_Reduce(x.data(), y.data(), n, MPI_INT, MPI_SUM, p - 1, MPI_COMM_WORLD);
  expect(rank != p - 1 || isSum(), "sum", n);
}

void exchanges(int n) {
  const auto size = static_cast<std::size_t>(n), all = size * static_cast<std::size_t>(p);
  std::vector<int> x(all), y(all);
  auto fill = [&] {
    for (std::size_t i = 0; i < all; ++i)
      x[i] = rank * 1000 + static_cast<int>(i / size);
  };
  auto isExchanged = [&](const std::vector<int> &z) {
    for (std::size_t i = 0; i < all; ++i)
      if (z[i] != static_cast<int>(i / size) * 1000 + rank)
        return false;
    return true;
  };
  fill();
  MPI_Alltoall(x.data(), n, MPI_INT, y.data(), n, MPI_INT, MPI_COMM_WORLD);
  expect(isExchanged(y), "alltoall", n);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, x.data(), n, MPI_INT, MPI_COMM_WORLD);
  expect(isExchanged(x), "alltoall in place", n);
  std::vector<int> block(size, rank);
  MPI_Allgather(block.data(), n, MPI_INT, y.data(), n, MPI_INT, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < all; ++i)
    if (y[i] != static_cast<int>(i / size))
      return expect(false, "allgather", n);
  for (int root = 0; root < p; ++root) {
    block.assign(size, rank);
    MPI_Bcast(block.data(), n, MPI_INT, root, MPI_COMM_WORLD);
    expect(block == std::vector<int>(size, root), "broadcast", n);
  }
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_UINT32_T, &type);
  MPI_Type_commit(&type);
  MPI_Op composition, addition;
  MPI_Op_create(compose, 0, &composition);
  MPI_Op_create(add, 1, &addition);
  for (int n : {1, 3, 700}) {
    reductions(n, type, composition, true);
    reductions(n, type, addition, false);
    sums(n);
    exchanges(n);
  }
  int all = 0;
  PMPI_Allreduce(&mistakes, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all == 0)
    std::puts("all is right");
  MPI_Op_free(&composition);
  MPI_Op_free(&addition);
  MPI_Type_free(&type);
  MPI_Finalize();
  return all != 0;
}
