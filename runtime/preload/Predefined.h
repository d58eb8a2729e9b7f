//===- Predefined.h - MPI's own types and operators -------------*- C++ -*-===//
//
// What a call has to know of the type and the operator that the program passes. MPI's own are
// never freed, so it is found out once, and kept by the handle. Others are looked at in each
// call, since MPI may reuse their handles.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_PREDEFINED_H
#define QUADRILLE_RUNTIME_PRELOAD_PREDEFINED_H

#include "quadrille/mpi.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace quadrille {
namespace preload {

/// One of MPI's own types. `groups`: those of MPI's definitions of operators to which it belongs, a bit for each.
struct KnownType {
  mpi::Datatype type;
  unsigned groups;
  MPI_Datatype handle() const { return type.handle(); }
};

/// One of MPI's own operators. `groups`: those of types for which it is defined.
struct KnownOp {
  mpi::Operator op;
  unsigned groups;
  MPI_Op handle() const { return op.handle(); }
};

/// Values by a hash of their handle. One that finds its place taken goes on to the next place.
template <class Value, unsigned bits> class ByHandle {
public:
  using Handle = decltype(std::declval<Value>().handle());

  /// The value with the handle; null if there is none yet.
  [[gnu::always_inline]] const Value *find(Handle handle) const {
    for (std::size_t i = first(handle);; i = (i + 1) % count) {
      // Acquire: what the thread that stored the pointer (release) had written before.
      const Value *const value = places_[i].load(std::memory_order_acquire);
      if (!value || value->handle() == handle)
        return value;
    }
  }

  /// Keeps a value, which is never changed or freed. Returns what is kept with its handle; null if there is no room or no memory.
  const Value *add(const Value &value);

private:
  static constexpr std::size_t count = std::size_t{1} << bits;

  static std::size_t first(Handle handle) {
    std::uint64_t number = 0;
    std::memcpy(&number, &handle, sizeof handle);
    return static_cast<std::size_t>(number * 0x9e3779b97f4a7c15u >> (64 - bits));
  }

  std::array<std::atomic<const Value *>, count> places_{};
  std::atomic<std::size_t> used_{0}; ///< one place stays free, which ends each search
};

inline ByHandle<KnownType, 7> knownTypes;
inline ByHandle<KnownOp, 5> knownOps;

/// A type that the program passes.
class PassedType {
public:
  [[gnu::always_inline]] explicit PassedType(MPI_Datatype handle) : known_(knownTypes.find(handle)) {
    if (!known_) [[unlikely]]
      known_ = look(handle, own_);
  }
  /// The same beside another type of the call, which is often the same one.
  [[gnu::always_inline]] PassedType(const PassedType &other, MPI_Datatype handle)
      : known_(handle == other.known_->handle() ? other.known_ : knownTypes.find(handle)) {
    if (!known_) [[unlikely]]
      known_ = look(handle, own_);
  }
  PassedType(const PassedType &) = delete;

  const mpi::Datatype &operator*() const { return known_->type; }
  const mpi::Datatype *operator->() const { return &known_->type; }
  /// The groups of the type; of a duplicate, those of what it duplicates.
  [[gnu::always_inline]] unsigned groups() const { return known_->groups == unknown ? groupsOf(known_->handle()) : known_->groups; }

private:
  static constexpr unsigned unknown = ~0u;
  // These are static so that the compiler keeps the members in registers.
  static const KnownType *look(MPI_Datatype handle, std::optional<KnownType> &own);
  static unsigned groupsOf(MPI_Datatype handle);
  MPI_Datatype handle() const { return known_->handle(); }

  friend class PassedOp;
  const KnownType *known_;
  std::optional<KnownType> own_; ///< of a type that is not MPI's own
};

/// An operator that the program passes.
class PassedOp {
public:
  [[gnu::always_inline]] explicit PassedOp(MPI_Op handle) : handle_(handle), known_(knownOps.find(handle)) {
    if (!known_) [[unlikely]]
      known_ = look(handle);
  }
  PassedOp(const PassedOp &) = delete;

  MPI_Op handle() const { return handle_; }
  /// Whether MPI defines it on elements of the type; true for the program's own.
  [[gnu::always_inline]] bool isDefinedFor(const PassedType &type) const {
    return known_ ? (known_->groups & type.groups()) != 0 : isDefinedFor(handle_, type.handle());
  }
  /// What the runtime knows of it. Asks MPI, if it is the program's own.
  const mpi::Operator &get() { return known_ ? known_->op : ask(handle_, own_); }

private:
  static const KnownOp *look(MPI_Op handle);
  static bool isDefinedFor(MPI_Op handle, MPI_Datatype type);
  static const mpi::Operator &ask(MPI_Op handle, std::optional<mpi::Operator> &own);

  MPI_Op handle_;
  const KnownOp *known_; ///< null if it is the program's own, or none, or there was no memory for it
  std::optional<mpi::Operator> own_;
};

/// Whether an operation is one of MPI's own.
bool isPredefined(MPI_Op op);
/// The class of a type in MPI's definitions of operations: "integer", "floating", "logical", "complex", "byte", "pair", or "other" for the
/// program's own types.
const char *classOf(MPI_Datatype type);

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_PREDEFINED_H
