//===- CInterface.cpp - The functions of quadrille.h ----------------------===//

#include "CComm.h"

#include <string>

using namespace quadrille;
using namespace quadrille::detail;

static thread_local std::string lastError;

int detail::report(const Status &status) noexcept {
  if (!status)
    return 0;
  try {
    lastError = status.text();
  } catch (...) {
    lastError.clear();
  }
  return static_cast<int>(status.code());
}

/// A call that was started, or a persistent one.
struct quadrille_request {
  Request started;
  Persistent prepared;
  bool isPersistent = false;
};

extern "C" {

const char *quadrille_error_text(void) { return lastError.c_str(); }
const char *quadrille_version(void) { return QUADRILLE_VERSION; }

std::int64_t quadrille_comm_rank(const quadrille_comm *comm) { return comm ? comm->rank() : -1; }
std::int64_t quadrille_comm_size(const quadrille_comm *comm) { return comm ? comm->size() : 0; }
void quadrille_comm_free(quadrille_comm *comm) { delete comm; }

int quadrille_comm_set_timeout(quadrille_comm *comm, std::int64_t milliseconds) {
  if (!comm)
    return report(nullArgument("quadrille_comm_set_timeout", "the communicator"));
  comm->setTimeout(milliseconds);
  return 0;
}

} // extern "C"

namespace {

int blocking(const char *name, quadrille_comm *comm, const quadrille_comm::Call &call) noexcept {
  return guarded([&] { return comm ? comm->run(call) : nullArgument(name, "the communicator"); });
}

int start(const char *name, quadrille_comm *comm, const quadrille_comm::Call &call, quadrille_request **request) noexcept {
  return guarded([&]() -> Status {
    if (!comm || !request)
      return nullArgument(name, comm ? "the place for the request" : "the communicator");
    auto made = std::make_unique<quadrille_request>();
    made->started = comm->start(call);
    *request = made.release();
    return {};
  });
}

int prepare(const char *name, quadrille_comm *comm, const quadrille_comm::Call &call, quadrille_request **request) noexcept {
  return guarded([&]() -> Status {
    if (!comm || !request)
      return nullArgument(name, comm ? "the place for the request" : "the communicator");
    auto made = std::make_unique<quadrille_request>();
    made->prepared = comm->prepare(call);
    made->isPersistent = true;
    *request = made.release();
    return {};
  });
}

/// The call of a collective, with the arguments that C functions have in different orders.
struct CallOf : quadrille_comm::Call {
  explicit CallOf(CollectiveId id) { collective = id; }
  CallOf &at(std::int64_t root) { return arguments.root = root, *this; }
  CallOf &of(const std::size_t *lengths) { return arguments.lengths = lengths, *this; }
  CallOf &known(std::size_t length, const std::size_t *lengths) { return own = length, known(&own, lengths); }
  CallOf &known(const std::size_t *lengths, std::size_t length) { return own = length, known(lengths, &own); }
  CallOf &known(const std::size_t *first, const std::size_t *second) {
    return both[0] = first, both[1] = second, arguments.known = both, *this;
  }
  CallOf &data(const void *x, void *y, quadrille_type t) { return arguments.x = x, arguments.y = y, type = t, *this; }
  CallOf &by(quadrille_op o) { return op = o, *this; }
  CallOf &each(std::size_t n) { return arguments.n = n, *this; }

private:
  std::size_t own = 0;
  const std::size_t *both[2] = {};
};

} // namespace

// The three forms of a function. PARAMETERS and CALL are in parentheses; `comm` comes before the parameters.
#define QUADRILLE_PLAIN(...) __VA_ARGS__
#define QUADRILLE_DEFINE(NAME, PARAMETERS, CALL)                                                                                 \
  extern "C" int quadrille_##NAME(quadrille_comm *comm QUADRILLE_PLAIN PARAMETERS) {                                             \
    return blocking("quadrille_" #NAME, comm, CALL);                                                                             \
  }                                                                                                                              \
  extern "C" int quadrille_##NAME##_start(quadrille_comm *comm QUADRILLE_PLAIN PARAMETERS, quadrille_request **request) {        \
    return start("quadrille_" #NAME "_start", comm, CALL, request);                                                              \
  }                                                                                                                              \
  extern "C" int quadrille_##NAME##_init(quadrille_comm *comm QUADRILLE_PLAIN PARAMETERS, quadrille_request **request) {         \
    return prepare("quadrille_" #NAME "_init", comm, CALL, request);                                                             \
  }

QUADRILLE_DEFINE(broadcast, (, std::int64_t root, const void *x, void *y, std::size_t n, quadrille_type type),
                 CallOf(CollectiveId::Broadcast).at(root).data(x, y, type).each(n))
QUADRILLE_DEFINE(reduce, (, std::int64_t root, const void *x, void *y, std::size_t n, quadrille_type type, quadrille_op op),
                 CallOf(CollectiveId::Reduce).at(root).data(x, y, type).each(n).by(op))
QUADRILLE_DEFINE(allreduce, (, const void *x, void *y, std::size_t n, quadrille_type type, quadrille_op op),
                 CallOf(CollectiveId::Allreduce).data(x, y, type).each(n).by(op))
QUADRILLE_DEFINE(reduce_scatter, (, const void *x, void *y, std::size_t n, quadrille_type type, quadrille_op op),
                 CallOf(CollectiveId::ReduceScatter).data(x, y, type).each(n).by(op))
QUADRILLE_DEFINE(reduce_scatterv, (, const std::size_t *lengths, const void *x, void *y, quadrille_type type, quadrille_op op),
                 CallOf(CollectiveId::ReduceScatterv).of(lengths).data(x, y, type).by(op))
QUADRILLE_DEFINE(scan, (, const void *x, void *y, std::size_t n, quadrille_type type, quadrille_op op),
                 CallOf(CollectiveId::Scan).data(x, y, type).each(n).by(op))
QUADRILLE_DEFINE(exscan, (, const void *x, void *y, std::size_t n, quadrille_type type, quadrille_op op),
                 CallOf(CollectiveId::Exscan).data(x, y, type).each(n).by(op))
QUADRILLE_DEFINE(allgather, (, const void *x, void *y, std::size_t n, quadrille_type type),
                 CallOf(CollectiveId::Allgather).data(x, y, type).each(n))
QUADRILLE_DEFINE(allgatherv, (, const std::size_t *lengths, const void *x, void *y, quadrille_type type),
                 CallOf(CollectiveId::Allgatherv).of(lengths).data(x, y, type))
QUADRILLE_DEFINE(alltoall, (, const void *x, void *y, std::size_t n, quadrille_type type),
                 CallOf(CollectiveId::Alltoall).data(x, y, type).each(n))
QUADRILLE_DEFINE(alltoallv, (, const std::size_t *lengths, const void *x, void *y, quadrille_type type),
                 CallOf(CollectiveId::Alltoallv).of(lengths).data(x, y, type))
QUADRILLE_DEFINE(alltoallv_known, (, const std::size_t *sent, const std::size_t *received, const void *x, void *y, quadrille_type type),
                 CallOf(CollectiveId::Alltoallv).known(sent, received).data(x, y, type))
QUADRILLE_DEFINE(gather, (, std::int64_t root, const void *x, void *y, std::size_t n, quadrille_type type),
                 CallOf(CollectiveId::Gather).at(root).data(x, y, type).each(n))
QUADRILLE_DEFINE(gatherv, (, std::int64_t root, const std::size_t *lengths, const void *x, void *y, quadrille_type type),
                 CallOf(CollectiveId::Gatherv).at(root).of(lengths).data(x, y, type))
QUADRILLE_DEFINE(gatherv_known,
                 (, std::int64_t root, std::size_t own, const std::size_t *lengths, const void *x, void *y, quadrille_type type),
                 CallOf(CollectiveId::Gatherv).at(root).known(own, lengths).data(x, y, type))
QUADRILLE_DEFINE(scatter, (, std::int64_t root, const void *x, void *y, std::size_t n, quadrille_type type),
                 CallOf(CollectiveId::Scatter).at(root).data(x, y, type).each(n))
QUADRILLE_DEFINE(scatterv, (, std::int64_t root, const std::size_t *lengths, const void *x, void *y, quadrille_type type),
                 CallOf(CollectiveId::Scatterv).at(root).of(lengths).data(x, y, type))
QUADRILLE_DEFINE(scatterv_known,
                 (, std::int64_t root, std::size_t own, const std::size_t *lengths, const void *x, void *y, quadrille_type type),
                 CallOf(CollectiveId::Scatterv).at(root).known(lengths, own).data(x, y, type))
QUADRILLE_DEFINE(barrier, (), CallOf(CollectiveId::Barrier))

extern "C" {

int quadrille_request_start(quadrille_request *request) {
  return guarded([&]() -> Status {
    if (!request)
      return nullArgument("quadrille_request_start", "the request");
    if (!request->isPersistent)
      return Status(ErrorCode::BadParameter, "quadrille_request_start: the request is of a call that was started by its _start; "
                                             "those of an _init can be started again");
    return request->prepared.start();
  });
}

int quadrille_request_test(quadrille_request *request, int *ended) {
  return guarded([&]() -> Status {
    if (!request || !ended)
      return nullArgument("quadrille_request_test", request ? "the place for the answer" : "the request");
    *ended = request->isPersistent ? request->prepared.test() : request->started.test();
    if (!*ended)
      return {};
    return request->isPersistent ? request->prepared.status() : request->started.status();
  });
}

int quadrille_request_wait(quadrille_request *request) {
  return guarded([&]() -> Status {
    if (!request)
      return nullArgument("quadrille_request_wait", "the request");
    return request->isPersistent ? request->prepared.wait() : request->started.wait();
  });
}

void quadrille_request_free(quadrille_request *request) { delete request; }

} // extern "C"
