//===- KeptRequests.cpp - Requests that persistent calls keep -------------===//
//
// A persistent call has the same tag in all of its starts, so its messages can be
// requests of MPI that are made once: see docs/runtime.md.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;

/// Messages up to this size MPI_Isend sends without a request, which takes less time than
/// to start one that is kept.
#ifdef OPEN_MPI
static constexpr Index longestSentAtOnce = 256;
#else
static constexpr Index longestSentAtOnce = -1;
#endif

/// Where the request of a message is kept for the next start; null: it is not kept.
Execution::Kept *Execution::keptFor(const Operation &operation) {
  const quadrille::detail::Program &program = window_.program();
  const Index elements = operation.operandCount > 0 ? program.operand(operation, 0).elements : 0;
  const bool isOfAnyLength = elements < 0; // as long as a message that came before
  const bool isSentAtOnce = operation.isSend() && elements * ops_.type().sizeBytes() <= longestSentAtOnce;
  return isOfAnyLength || isSentAtOnce ? nullptr : &kept_[static_cast<std::size_t>(&operation - program.operations)];
}

/// Gives a message to MPI, with a request that is made for it or is kept.
void Execution::passToMpi(const Operation &operation, const Message &message, Kept *kept) {
  const auto make = [&](auto function, const char *name, MPI_Request &request) {
    const int error = function(message.buffer, message.count, message.type, operation.partner, tag_,
                               state_->comm, &request);
    if (error != MPI_SUCCESS)
      failMpi(operation, name, error);
    return error == MPI_SUCCESS;
  };
  const bool isSend = operation.isSend();
  if (!kept) {
    (void)(isSend ? make(MPI_Isend, "MPI_Isend", requests_.back()) : make(MPI_Irecv, "MPI_Irecv", requests_.back()));
    return;
  }
  if (!kept->isMade() && !(isSend ? make(MPI_Send_init, "MPI_Send_init", kept->request)
                                  : make(MPI_Recv_init, "MPI_Recv_init", kept->request)))
    return;
  if (const int error = MPI_Start(&kept->request); error != MPI_SUCCESS)
    failMpi(operation, "MPI_Start", error);
  requests_.back() = kept->request;
}

/// Frees the requests that are kept. None of them is under way.
void Execution::forgetRequests() noexcept {
  if (kept_.empty())
    return;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized && !state_->isForked())
    for (Kept &kept : kept_)
      if (kept.isMade())
        MPI_Request_free(&kept.request);
  kept_.clear();
  keptPacking_.rewind({});
}
