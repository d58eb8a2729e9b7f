//===- MpiLibrary.cpp - The collectives of the MPI library ----------------===//

#include "MpiLibrary.h"

#include "quadrille/harness/data.h"

#include <cstring>
#include <limits>

namespace quadrille {
namespace harness {

static bool fits(std::size_t elements) { return elements <= static_cast<std::size_t>(std::numeric_limits<int>::max()); }

MpiLibrary::MpiLibrary(const Case &c, const Arguments &arguments, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
    : case_(c), arguments_(arguments), type_(type), op_(op), comm_(comm) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
  for (const std::vector<Shape> *shapes : {&c.inputs, &c.outputs})
    for (const Shape &shape : *shapes)
      if (shape.rank != none)
        root_ = static_cast<int>(shape.rank);
  if (!fits(c.n)) {
    status_ = Status(ErrorCode::TooLarge, "a length exceeds what MPI's own collective takes, an int");
    return;
  }
  n_ = static_cast<int>(c.n);
  setLengths();
  // MPI_Bcast has one buffer, so the root's input is copied to its output.
  if (c.library == "MPI_Bcast" && rank_ == root_ && c.n > 0)
    std::memcpy(arguments.outputs[0], arguments.inputs[0], c.n * elementBytes(c.element));
}

void MpiLibrary::setLengths() {
  auto set = [&](const Shape &shape, std::vector<int> &lengths, std::vector<int> &starts) {
    std::size_t at = 0;
    for (Index j = 0; j < shape.blocks; ++j) {
      const std::size_t length = static_cast<std::size_t>(shape.length(rank_, j, case_.n));
      if (!fits(at + length))
        status_ = Status(ErrorCode::TooLarge, "lengths exceed what MPI's own collective takes, an int");
      lengths.push_back(static_cast<int>(length));
      starts.push_back(static_cast<int>(at));
      at += length;
    }
  };
  if (!case_.inputs.empty() && case_.inputs[0].isAt(rank_) && !case_.inputs[0].lengths.empty())
    set(case_.inputs[0], sent_, sentAt_);
  if (!case_.outputs.empty() && case_.outputs[0].isAt(rank_) && !case_.outputs[0].lengths.empty())
    set(case_.outputs[0], received_, receivedAt_);
}

Status MpiLibrary::call() const {
  if (status_)
    return status_;
  return callByName() == MPI_SUCCESS ? Status() : Status(ErrorCode::Transport, "MPI's own collective has failed");
}

int MpiLibrary::callByName() const {
  const void *in = arguments_.inputs.empty() ? nullptr : arguments_.inputs[0];
  void *out = arguments_.outputs.empty() ? nullptr : arguments_.outputs[0];
  const std::string &name = case_.library;
  const auto own = [](const std::vector<int> &lengths) { return lengths.empty() ? 0 : lengths[0]; };
  if (name == "MPI_Barrier")
    return MPI_Barrier(comm_);
  if (name == "MPI_Bcast")
    return MPI_Bcast(out, n_, type_, root_, comm_);
  if (name == "MPI_Scatter")
    return MPI_Scatter(in, n_, type_, out, n_, type_, root_, comm_);
  if (name == "MPI_Gather")
    return MPI_Gather(in, n_, type_, out, n_, type_, root_, comm_);
  if (name == "MPI_Reduce")
    return MPI_Reduce(in, out, n_, type_, op_, root_, comm_);
  if (name == "MPI_Allgather")
    return MPI_Allgather(in, n_, type_, out, n_, type_, comm_);
  if (name == "MPI_Allreduce")
    return MPI_Allreduce(in, out, n_, type_, op_, comm_);
  if (name == "MPI_Reduce_scatter_block")
    return MPI_Reduce_scatter_block(in, out, n_, type_, op_, comm_);
  if (name == "MPI_Alltoall")
    return MPI_Alltoall(in, n_, type_, out, n_, type_, comm_);
  if (name == "MPI_Scan")
    return MPI_Scan(in, out, n_, type_, op_, comm_);
  if (name == "MPI_Exscan")
    return MPI_Exscan(in, out, n_, type_, op_, comm_);
  if (name == "MPI_Gatherv")
    return MPI_Gatherv(in, own(sent_), type_, out, received_.data(), receivedAt_.data(), type_, root_, comm_);
  if (name == "MPI_Scatterv")
    return MPI_Scatterv(in, sent_.data(), sentAt_.data(), type_, out, own(received_), type_, root_, comm_);
  if (name == "MPI_Allgatherv")
    return MPI_Allgatherv(in, own(sent_), type_, out, received_.data(), receivedAt_.data(), type_, comm_);
  if (name == "MPI_Reduce_scatter")
    return MPI_Reduce_scatter(in, out, sent_.data(), type_, op_, comm_);
  if (name == "MPI_Alltoallv")
    return MPI_Alltoallv(in, sent_.data(), sentAt_.data(), type_, out, received_.data(), receivedAt_.data(), type_, comm_);
  return MPI_ERR_OTHER;
}

} // namespace harness
} // namespace quadrille
