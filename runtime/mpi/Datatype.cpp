//===- Datatype.cpp - MPI's datatypes, operations and messages ------------===//

#include "State.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <type_traits>

using namespace quadrille;
using namespace quadrille::mpi;
using namespace quadrille::mpi::detail;

namespace {

/// The kind of numbers of an integer type of C.
template <class T>
constexpr NumberKind integerKind =
    static_cast<NumberKind>((std::is_signed_v<T> ? 0 : 4) +
                            (sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3));
static_assert(integerKind<std::int32_t> == NumberKind::Int32 && integerKind<std::uint64_t> == NumberKind::UInt64,
              "kinds are in the order of their sizes");

/// What MPI says about one of its predefined datatypes. These are never freed,
/// so the answer stays valid; the handle of another type may be reused for a
/// different type.
struct NamedType {
  MPI_Datatype type;
  Index sizeBytes;
  quadrille::detail::ElementShape shape;
  NumberKind number;
};

/// The answers of MPI, by a hash of the handle. Handles may be addresses, so
/// which of them collide differs from run to run: one that finds its place taken
/// goes on to the next place.
class NamedTypes {
public:
  /// The answer about the type; null if there is none yet.
  const NamedType *find(MPI_Datatype type) const {
    for (std::size_t i = first(type), tried = 0; tried < count; ++tried, i = next(i)) {
      // Acquire synchronizes with the thread that stored the pointer (release).
      // What it points to is never changed or freed.
      const NamedType *const known = places[i].load(std::memory_order_acquire);
      if (!known || known->type == type)
        return known;
    }
    return nullptr;
  }

  /// Remembers an answer, unless another thread has done so, or memory or the
  /// places are at an end.
  void add(const NamedType &answer) {
    const NamedType *made = nullptr;
    for (std::size_t i = first(answer.type), tried = 0; tried < count; ++tried, i = next(i)) {
      const NamedType *known = places[i].load(std::memory_order_acquire);
      if (!known && (made || (made = new (std::nothrow) NamedType(answer))) &&
          places[i].compare_exchange_strong(known, made, std::memory_order_release,
                                            std::memory_order_acquire))
        return;
      if (!known || known->type == answer.type)
        break;
    }
    delete made;
  }

private:
  static constexpr std::size_t bits = 7, count = std::size_t(1) << bits;

  static std::size_t first(MPI_Datatype type) {
    std::uint64_t handle = 0;
    std::memcpy(&handle, &type, sizeof type);
    return static_cast<std::size_t>(handle * 0x9e3779b97f4a7c15u >> (64 - bits));
  }
  static std::size_t next(std::size_t place) { return (place + 1) % count; }

  std::array<std::atomic<const NamedType *>, count> places{};
};

NamedTypes namedTypes;

/// The kind of number that a predefined datatype of MPI stands for, where MPI
/// combines it as C does.
NumberKind numberOf(MPI_Datatype type) {
  const struct {
    MPI_Datatype type;
    NumberKind kind;
  } kinds[] = {
      {MPI_DOUBLE, NumberKind::Double},
      {MPI_FLOAT, NumberKind::Float},
      {MPI_SIGNED_CHAR, integerKind<signed char>},
      {MPI_SHORT, integerKind<short>},
      {MPI_INT, integerKind<int>},
      {MPI_LONG, integerKind<long>},
      {MPI_LONG_LONG, integerKind<long long>},
      {MPI_UNSIGNED_CHAR, integerKind<unsigned char>},
      {MPI_UNSIGNED_SHORT, integerKind<unsigned short>},
      {MPI_UNSIGNED, integerKind<unsigned>},
      {MPI_UNSIGNED_LONG, integerKind<unsigned long>},
      {MPI_UNSIGNED_LONG_LONG, integerKind<unsigned long long>},
      {MPI_INT8_T, NumberKind::Int8},
      {MPI_INT16_T, NumberKind::Int16},
      {MPI_INT32_T, NumberKind::Int32},
      {MPI_INT64_T, NumberKind::Int64},
      {MPI_UINT8_T, NumberKind::UInt8},
      {MPI_UINT16_T, NumberKind::UInt16},
      {MPI_UINT32_T, NumberKind::UInt32},
      {MPI_UINT64_T, NumberKind::UInt64},
  };
  for (const auto &known : kinds)
    if (known.type == type)
      return known.kind;
  return NumberKind::Opaque;
}

int combinerOf(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return combiner;
}

/// Whether the data of a type without gaps lie in memory in the order of its
/// signature. May be false although they do; then elements are packed needlessly.
bool isInOrder(MPI_Datatype type) {
  const int combiner = combinerOf(type);
  if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP)
    return combiner == MPI_COMBINER_NAMED;
  int count = 0;
  MPI_Datatype of = MPI_DATATYPE_NULL;
  if (MPI_Type_get_contents(type, combiner == MPI_COMBINER_CONTIGUOUS ? 1 : 0, 0, 1, &count, nullptr, &of) != MPI_SUCCESS)
    return false;
  const bool isOrdered = isInOrder(of);
  if (combinerOf(of) != MPI_COMBINER_NAMED)
    MPI_Type_free(&of);
  return isOrdered;
}

} // namespace

Datatype::Datatype(MPI_Datatype type) : type_(type) {
  if (isNull())
    return;
  if (const NamedType *const known = namedTypes.find(type)) {
    sizeBytes_ = known->sizeBytes;
    shape_ = known->shape;
    isPlain_ = shape_.dense;
    isNamed_ = true;
    number_ = known->number;
    return;
  }
  MPI_Count size = 0, lower = 0, extent = 0, trueLower = 0, trueExtent = 0;
  MPI_Type_size_x(type, &size);
  MPI_Type_get_extent_x(type, &lower, &extent);
  MPI_Type_get_true_extent_x(type, &trueLower, &trueExtent);
  sizeBytes_ = size;
  // The lower bound itself does not matter: element i begins i extents after
  // element 0, and the true bounds say where its bytes lie.
  shape_ = {extent, trueLower, trueExtent,
            trueLower == 0 && size == extent && size == trueExtent};
  isPlain_ = shape_.dense && isInOrder(type);
  if (combinerOf(type) != MPI_COMBINER_NAMED)
    return;
  isNamed_ = true;
  number_ = numberOf(type);
  namedTypes.add({type, sizeBytes_, shape_, number_});
}

namespace {

/// An operator of MPI's own. All of these commute.
struct PredefinedOperator {
  MPI_Op op;
  BuiltinOperator builtin;
};

/// The predefined operator `op`; its `op` is MPI_OP_NULL if it is none.
PredefinedOperator predefined(MPI_Op op) {
  const PredefinedOperator all[] = {
      {MPI_SUM, BuiltinOperator::Sum},      {MPI_MAX, BuiltinOperator::Max},
      {MPI_MIN, BuiltinOperator::Min},      {MPI_PROD, BuiltinOperator::Prod},
      {MPI_LAND, BuiltinOperator::Land},    {MPI_BAND, BuiltinOperator::Band},
      {MPI_LOR, BuiltinOperator::Lor},      {MPI_BOR, BuiltinOperator::Bor},
      {MPI_BXOR, BuiltinOperator::Bxor},    {MPI_LXOR, BuiltinOperator::None},
      {MPI_MINLOC, BuiltinOperator::None},  {MPI_MAXLOC, BuiltinOperator::None}};
  for (const PredefinedOperator &each : all)
    if (each.op == op)
      return each;
  return {MPI_OP_NULL, BuiltinOperator::None};
}

} // namespace

Operator::Operator(MPI_Op op) : op_(op) {
  if (op == MPI_OP_NULL)
    return;
  const PredefinedOperator known = predefined(op);
  isPredefined_ = known.op != MPI_OP_NULL;
  builtin_ = known.builtin;
  if (isPredefined_)
    return;
  int commutes = 0;
  MPI_Op_commutative(op, &commutes);
  commutative_ = commutes != 0;
}

bool Operator::accepts(const Datatype &type) const {
  if (op_ == MPI_OP_NULL || type.isNull())
    return false;
  if (type.isNamed_ || !isPredefined_)
    return true;
  switch (combinerOf(type.handle())) {
  case MPI_COMBINER_NAMED:
  case MPI_COMBINER_DUP:
  // Types that MPI_Type_create_f90_... returns for Fortran's kinds.
  case MPI_COMBINER_F90_REAL:
  case MPI_COMBINER_F90_COMPLEX:
  case MPI_COMBINER_F90_INTEGER:
    return true;
  default:
    return false;
  }
}

Message::~Message() {
  // MPI keeps a freed type until pending messages no longer need it.
  if (owned_)
    MPI_Type_free(&type);
}

int Message::describe(const quadrille::detail::Elements &elements, MPI_Datatype element,
                      Index most) {
  type = element;
  // Also without elements the type is that of the elements, so that both sides
  // agree.
  if (elements.elements() == 0)
    return MPI_SUCCESS;
  if (elements.isOnePiece() && elements.elements() <= most) {
    buffer = elements.data();
    count = static_cast<int>(elements.elements());
    return MPI_SUCCESS;
  }
  std::size_t first = 0;
  while (elements.length(first) == 0)
    ++first;
  buffer = elements.data(first);

  std::vector<int> lengths;
  std::vector<MPI_Aint> offsets;
  MPI_Aint origin = 0;
  MPI_Get_address(buffer, &origin);
  for (std::size_t i = first; i < elements.pieceCount(); ++i) {
    for (Index done = 0; done < elements.length(i); done += lengths.back()) {
      MPI_Aint address = 0;
      MPI_Get_address(elements.data(i) + done * elements.elementBytes(), &address);
      offsets.push_back(MPI_Aint_diff(address, origin));
      lengths.push_back(static_cast<int>(std::min(elements.length(i) - done, most)));
    }
  }
  if (lengths.size() > static_cast<std::size_t>(largestCount))
    return MPI_ERR_COUNT;
  int error = MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(),
                                       offsets.data(), element, &type);
  if (error != MPI_SUCCESS)
    return error;
  owned_ = true;
  count = 1;
  return MPI_Type_commit(&type);
}
