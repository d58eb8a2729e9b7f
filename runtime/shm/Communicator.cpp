//===- Communicator.cpp - Elements, operators, ranks and calls ------------===//

#include "World.h"

#include <cstring>
#include <stdexcept>

using namespace quadrille;
using namespace quadrille::shm;
using namespace quadrille::shm::detail;
using quadrille::detail::ElementShape;

//===----------------------------------------------------------------------===//
// Elements and operators
//===----------------------------------------------------------------------===//

static std::size_t sizeOf(Datatype::Kind kind) {
  switch (kind) {
  case Datatype::Kind::Int8:
  case Datatype::Kind::UInt8:
    return 1;
  case Datatype::Kind::Int16:
  case Datatype::Kind::UInt16:
    return 2;
  case Datatype::Kind::Int32:
  case Datatype::Kind::UInt32:
  case Datatype::Kind::Float:
    return 4;
  case Datatype::Kind::Int64:
  case Datatype::Kind::UInt64:
  case Datatype::Kind::Double:
    return 8;
  case Datatype::Kind::Opaque:
    return 0;
  }
  return 0;
}

Datatype::Datatype(Kind kind) : Datatype(kind, sizeOf(kind)) {}

Datatype Datatype::integer(std::size_t sizeBytes, bool isSigned) {
  switch (sizeBytes) {
  case 1:
    return isSigned ? Kind::Int8 : Kind::UInt8;
  case 2:
    return isSigned ? Kind::Int16 : Kind::UInt16;
  case 4:
    return isSigned ? Kind::Int32 : Kind::UInt32;
  case 8:
    return isSigned ? Kind::Int64 : Kind::UInt64;
  default:
    return opaque(sizeBytes);
  }
}

Operator Operator::user(Function *function, void *context, bool commutative) {
  Operator result(Builtin::Sum);
  result.function_ = function;
  result.context_ = context;
  result.commutative_ = commutative;
  return result;
}

bool Operator::accepts(const Datatype &type) const {
  return !isBuiltin() || kernel(builtin_, type.kind()) != nullptr;
}

//===----------------------------------------------------------------------===//
// Communicator
//===----------------------------------------------------------------------===//

Communicator::Communicator(World &world, Index rank)
    : rank_(rank), size_(world.size()),
      timeoutMs_(quadrille::detail::timeoutFromEnvironmentMs()),
      state_(std::make_unique<CommunicatorState>(*world.state_)) {
  if (rank < 0 || rank >= size_)
    throw std::invalid_argument("quadrille::shm::Communicator: no such rank");
}

Communicator::~Communicator() = default;

//===----------------------------------------------------------------------===//
// Call
//===----------------------------------------------------------------------===//

Call::Call(Communicator &comm, const char *name)
    : Call(comm, name, Datatype::opaque(0), nullptr) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type)
    : Call(comm, name, type, nullptr) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type,
           const Operator &op)
    : Call(comm, name, type, &op) {}

Call::Call(Communicator &comm, const char *name, const Datatype &type,
           const Operator *op)
    : CallBase(comm.state_->arena, name, comm.rank_, comm.size_,
               ElementShape::ofBytes(static_cast<Index>(type.sizeBytes())),
               op != nullptr, op && op->isCommutative()),
      comm_(comm), type_(type), op_(op ? *op : Operator::sum()),
      sequence_(++comm.state_->world.rank(comm.rank_).entered) {
  ++comm_.state_->depth;
  if (op && !op->accepts(type))
    (void)fail(Status::format(
        ErrorCode::BadParameter,
        "%s: the operator is not defined for elements of this type", name));
}

Call::~Call() {
  CommunicatorState &state = *comm_.state_;
  if (failure_)
    state.world.abort(sequence_, rank_, failure_);
  // An inner call's end says nothing about the calls around it.
  if (--state.depth == 0) {
    Rank &self = state.world.rank(rank_);
    self.departed.store(self.entered, std::memory_order_release);
  }
}

void Call::copyElements(std::byte *dst, const std::byte *src, Index elements) {
  std::memmove(dst, src, static_cast<std::size_t>(elements) * type_.sizeBytes());
}

void Call::combineElements(std::byte *dst, const std::byte *a, const std::byte *b,
                           Index elements) {
  if (op_.isBuiltin()) {
    kernel(op_.builtin_, type_.kind())(dst, a, b, static_cast<std::size_t>(elements));
    return;
  }
  combineInTwoAddresses(dst, a, b, elements,
                        [this](const std::byte *in, std::byte *inout, Index count) {
                          op_.function_(in, inout, static_cast<std::size_t>(count),
                                        type_, op_.context_);
                        });
}
