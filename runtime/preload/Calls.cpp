//===- Calls.cpp - Which calls a program makes, as a file -----------------===//

#include "Calls.h"

#include "Predefined.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>
#include <tuple>

using namespace quadrille;
using namespace quadrille::preload;

namespace {

/// The collectives of the language, in the order of the functions.
constexpr std::array<std::string_view, blockingCount> collectives = {
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "broadcast", "exscan",
    "gather", "gatherv", "reduce", "reduce_scatterv", "reduce_scatter", "scan", "scatter", "scatterv"};

struct Row {
  std::uint64_t leastBytes = ~std::uint64_t{0}, mostBytes = 0, calls = 0;
};

/// The collective, the number of ranks, how many binary digits the number of bytes of a block has, the class of the type, and the law of
/// the operator.
using Key = std::tuple<std::string_view, int, int, std::string_view, std::string_view>;

struct All {
  std::FILE *file = nullptr;
  std::mutex mutex;
  std::map<Key, Row> rows;
};

All &all() {
  static All &only = *new All;
  return only;
}

std::string_view lawOf(MPI_Op op) {
  int commutes = 1;
  if (op == MPI_OP_NULL)
    return "none";
  return PMPI_Op_commutative(op, &commutes) != MPI_SUCCESS || commutes ? "commutative" : "ordered";
}

} // namespace

std::string Calls::begin(const char *file) {
  errno = 0;
  all().file = std::fopen(file, "w");
  return all().file ? "" : "QUADRILLE_CALLS: cannot write " + std::string(file) + ": " + std::strerror(errno);
}

bool Calls::isOn() { return all().file != nullptr; }

void Calls::add(Function function, int p, std::uint64_t bytes, std::initializer_list<MPI_Datatype> types, MPI_Op op) {
  int bits = 0;
  while (bits < 64 && bytes >> bits)
    ++bits;
  const std::string_view type = op == MPI_OP_NULL || types.size() == 0 ? "none" : classOf(*types.begin());
  const std::lock_guard<std::mutex> guard(all().mutex);
  Row &row = all().rows[{collectives[numberOf(function) % blockingCount], p, bits, type, lawOf(op)}];
  row.leastBytes = std::min(row.leastBytes, bytes);
  row.mostBytes = std::max(row.mostBytes, bytes);
  ++row.calls;
}

void Calls::write() {
  const std::lock_guard<std::mutex> guard(all().mutex);
  std::FILE *const file = all().file;
  if (!file)
    return;
  std::fprintf(file, "quadrille-calls 1\n# collective p=RANKS bytes=OF A BLOCK type=CLASS op=LAW calls=HOW MANY\n");
  for (const auto &[key, row] : all().rows) {
    const auto &[collective, p, bits, type, law] = key;
    std::fprintf(file, "%s p=%d bytes=%llu..%llu type=%s op=%s calls=%llu\n", collective.data(), p, static_cast<unsigned long long>(row.leastBytes),
                 static_cast<unsigned long long>(row.mostBytes), type.data(), law.data(), static_cast<unsigned long long>(row.calls));
  }
  std::fprintf(file, "end %zu\n", all().rows.size());
  if (std::fclose(file) != 0)
    std::fprintf(stderr, "quadrille: the file that QUADRILLE_CALLS names could not be written: %s\n", std::strerror(errno));
  all().file = nullptr;
}
