//===- Threads.cpp - Collectives among threads ----------------------------===//

#include "CCommOf.h"
#include "CollectivesOf.h"
#include "UsualTables.h"

#include "../shm/World.h"

#include "quadrille/shm.h"
#include "quadrille_threads.h"

#include <mutex>
#include <new>
#include <vector>

using namespace quadrille;

namespace quadrille {
namespace shm {

// All ranks are of this process, which has read its environment once.
static const quadrille::detail::Settings &agreedSettings(Communicator &, Status &) { return quadrille::detail::settingsOfProcess(); }
static std::string_view backendName(const Communicator &) { return "shm"; }
static std::string_view usualTable(const Communicator &) { return quadrille::detail::usualShmTable; }
static bool sharesCores(Communicator &comm) { return detail::CommunicatorState::of(comm).world.isCrowded(); }
static bool isCommutative(const Operator &op) { return op.isCommutative(); }

} // namespace shm

template class Collectives<shm::Communicator>;

} // namespace quadrille

struct quadrille_world {
  explicit quadrille_world(Index size) : world(size) {}
  shm::World world;
};

namespace {

/// An operator of the program's own.
struct OwnOperator {
  quadrille_op_function *function;
  void *context;
  bool isCommutative;

  static void combine(const void *in, void *inout, std::size_t count, const shm::Datatype &, void *context) {
    const OwnOperator &self = *static_cast<const OwnOperator *>(context);
    self.function(in, inout, count, self.context);
  }
};

/// All operators of the program's own. A quadrille_op is an index in this list, so that a wrong one is noticed.
class OwnOperators {
public:
  /// Null if there is none with this number.
  OwnOperator *find(quadrille_op op) {
    const std::lock_guard<std::mutex> guard(mutex_);
    return has(op) ? all_[static_cast<std::size_t>(op - first)].get() : nullptr;
  }
  quadrille_op add(const OwnOperator &made) {
    auto kept = std::make_unique<OwnOperator>(made);
    const std::lock_guard<std::mutex> guard(mutex_);
    std::size_t place = 0;
    while (place < all_.size() && all_[place])
      ++place;
    if (first + static_cast<quadrille_op>(place) >= quadrille::detail::firstMpiHandle)
      throw std::bad_alloc();
    if (place == all_.size())
      all_.emplace_back();
    all_[place] = std::move(kept);
    return first + static_cast<quadrille_op>(place);
  }
  void remove(quadrille_op op) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (has(op))
      all_[static_cast<std::size_t>(op - first)].reset();
  }

private:
  static constexpr quadrille_op first = quadrille::detail::firstOwnOperator;
  bool has(quadrille_op op) const { return op >= first && static_cast<std::size_t>(op - first) < all_.size(); }

  std::mutex mutex_;
  std::vector<std::unique_ptr<OwnOperator>> all_;
};

OwnOperators ownOperators;

struct Elements {
  static Status type(quadrille_type type, std::optional<shm::Datatype> &result) {
    using Kind = shm::Datatype::Kind;
    static constexpr Kind kinds[] = {Kind::Int8,  Kind::Int16,  Kind::Int32,  Kind::Int64, Kind::UInt8,
                                     Kind::UInt16, Kind::UInt32, Kind::UInt64, Kind::Float, Kind::Double};
    if (QUADRILLE_INT8 <= type && type <= QUADRILLE_DOUBLE)
      result = kinds[type - QUADRILLE_INT8];
    else if (type < 0)
      result = shm::Datatype::opaque(static_cast<std::size_t>(-1 - type));
    else
      return Status::format(ErrorCode::BadParameter, "%lld is no type; threads know QUADRILLE_INT8 to QUADRILLE_DOUBLE and QUADRILLE_BYTES(size)",
                            static_cast<long long>(type));
    return {};
  }

  static Status op(quadrille_op op, std::optional<shm::Operator> &result) {
    using Builtin = shm::Operator::Builtin;
    static constexpr Builtin builtins[] = {Builtin::Sum, Builtin::Prod, Builtin::Min,  Builtin::Max, Builtin::Band,
                                           Builtin::Bor, Builtin::Bxor, Builtin::Land, Builtin::Lor};
    if (QUADRILLE_SUM <= op && op <= QUADRILLE_LOR) {
      result = builtins[op - QUADRILLE_SUM];
      return {};
    }
    OwnOperator *const own = ownOperators.find(op);
    if (!own)
      return Status::format(ErrorCode::BadParameter, "%lld is no operator; threads know QUADRILLE_SUM to QUADRILLE_LOR and those of quadrille_op_create",
                            static_cast<long long>(op));
    result = shm::Operator::user(&OwnOperator::combine, own, own->isCommutative);
    return {};
  }
};

using Comm = quadrille::detail::CCommOf<shm::Communicator, Elements>;
using CommOfTeam = quadrille::detail::CCommOf<shm::Communicator, Elements, shm::Communicator &>;

} // namespace

using quadrille::detail::guarded;
using quadrille::detail::nullArgument;

extern "C" {

int quadrille_world_create(std::int64_t size, quadrille_world **world) {
  return guarded([&]() -> Status {
    if (!world)
      return nullArgument("quadrille_world_create", "the place for the world");
    if (size < 1)
      return Status::format(ErrorCode::BadParameter, "quadrille_world_create: %lld ranks; there has to be one at least", static_cast<long long>(size));
    *world = new quadrille_world(size);
    return {};
  });
}

void quadrille_world_free(quadrille_world *world) { delete world; }

int quadrille_comm_of_world(quadrille_world *world, std::int64_t rank, quadrille_comm **comm) {
  return guarded([&]() -> Status {
    if (!world || !comm)
      return nullArgument("quadrille_comm_of_world", world ? "the place for the communicator" : "the world");
    if (rank < 0 || rank >= world->world.size())
      return Status::format(ErrorCode::BadParameter, "quadrille_comm_of_world: %lld is no rank in 0 ..< %lld", static_cast<long long>(rank),
                            static_cast<long long>(world->world.size()));
    auto made = std::make_unique<Comm>(world->world, Index{rank});
    if (made->status())
      return made->status();
    *comm = made.release();
    return {};
  });
}

int quadrille_run(std::int64_t size, int (*body)(quadrille_comm *, void *), void *context) {
  std::vector<int> results;
  const int failed = guarded([&]() -> Status {
    if (!body)
      return nullArgument("quadrille_run", "the function");
    if (size < 1)
      return Status::format(ErrorCode::BadParameter, "quadrille_run: %lld ranks; there has to be one at least", static_cast<long long>(size));
    results.resize(static_cast<std::size_t>(size));
    shm::Team team(size);
    return team.run([&](shm::Communicator &thread) -> Status {
      CommOfTeam comm(thread);
      if (comm.status())
        return comm.status();
      results[static_cast<std::size_t>(thread.rank())] = body(&comm, context);
      return {};
    });
  });
  for (const int result : results)
    if (!failed && result)
      return result;
  return failed;
}

int quadrille_op_create(quadrille_op_function *function, void *context, int commutative, quadrille_op *op) {
  return guarded([&]() -> Status {
    if (!function || !op)
      return nullArgument("quadrille_op_create", function ? "the place for the operator" : "the function");
    *op = ownOperators.add({function, context, commutative != 0});
    return {};
  });
}

void quadrille_op_free(quadrille_op op) {
  ownOperators.remove(op);
}

} // extern "C"
