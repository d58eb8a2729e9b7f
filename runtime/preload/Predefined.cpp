//===- Predefined.cpp - MPI's own types and operators ---------------------===//

#include "Predefined.h"

#include <mutex>
#include <new>

using namespace quadrille;
using namespace quadrille::preload;

namespace {

/// The groups of types in MPI's standard.
enum Group : unsigned { Integer = 1, Floating = 2, Logical = 4, Complex = 8, Byte = 16, Pair = 32, Address = 64, FortranInteger = 128 };

struct TypeGroup {
  MPI_Datatype type;
  unsigned group;
};

/// The types that every MPI library has. The MPI library carries out operations on all others.
const TypeGroup typeGroups[] = {
    {MPI_DOUBLE, Floating}, {MPI_INT, Integer}, {MPI_FLOAT, Floating}, {MPI_LONG, Integer}, {MPI_UNSIGNED_LONG, Integer},
    {MPI_LONG_LONG_INT, Integer}, {MPI_UNSIGNED_LONG_LONG, Integer}, {MPI_UNSIGNED, Integer}, {MPI_SHORT, Integer},
    {MPI_UNSIGNED_SHORT, Integer}, {MPI_SIGNED_CHAR, Integer}, {MPI_UNSIGNED_CHAR, Integer}, {MPI_INT8_T, Integer},
    {MPI_INT16_T, Integer}, {MPI_INT32_T, Integer}, {MPI_INT64_T, Integer}, {MPI_UINT8_T, Integer}, {MPI_UINT16_T, Integer},
    {MPI_UINT32_T, Integer}, {MPI_UINT64_T, Integer}, {MPI_LONG_DOUBLE, Floating}, {MPI_BYTE, Byte}, {MPI_C_BOOL, Logical},
    {MPI_C_FLOAT_COMPLEX, Complex}, {MPI_C_DOUBLE_COMPLEX, Complex}, {MPI_C_LONG_DOUBLE_COMPLEX, Complex},
    {MPI_AINT, Address}, {MPI_OFFSET, Address}, {MPI_COUNT, Address}, {MPI_FLOAT_INT, Pair}, {MPI_DOUBLE_INT, Pair},
    {MPI_LONG_INT, Pair}, {MPI_2INT, Pair}, {MPI_SHORT_INT, Pair}, {MPI_LONG_DOUBLE_INT, Pair}, {MPI_INTEGER, FortranInteger},
    {MPI_REAL, Floating}, {MPI_DOUBLE_PRECISION, Floating}, {MPI_LOGICAL, Logical}, {MPI_COMPLEX, Complex},
    {MPI_DOUBLE_COMPLEX, Complex}, {MPI_2INTEGER, Pair}, {MPI_2REAL, Pair}, {MPI_2DOUBLE_PRECISION, Pair},
    {MPI_INTEGER4, FortranInteger}, {MPI_INTEGER8, FortranInteger}, {MPI_REAL4, Floating}, {MPI_REAL8, Floating}};

/// The groups of one of MPI's own types, or of what a type duplicates; none if it is another one.
unsigned groupsOf(MPI_Datatype type) {
  for (const TypeGroup &known : typeGroups)
    if (known.type == type)
      return type == MPI_DATATYPE_NULL ? 0 : known.group;
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  if (PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS || combiner != MPI_COMBINER_DUP)
    return 0;
  MPI_Datatype of = MPI_DATATYPE_NULL;
  if (PMPI_Type_get_contents(type, 0, 0, 1, nullptr, nullptr, &of) != MPI_SUCCESS)
    return 0;
  const unsigned groups = groupsOf(of);
  PMPI_Type_get_envelope(of, &integers, &addresses, &types, &combiner);
  if (combiner != MPI_COMBINER_NAMED)
    PMPI_Type_free(&of);
  return groups;
}

/// The operations that MPI defines, and the groups of types for which they are defined.
struct Predefined {
  MPI_Op op;
  unsigned groups;
};

const Predefined *predefined(MPI_Op op) {
  constexpr unsigned ordered = Integer | FortranInteger | Floating | Address;
  static const Predefined all[] = {{MPI_SUM, ordered | Complex},
                                   {MPI_MAX, ordered},
                                   {MPI_MIN, ordered},
                                   {MPI_PROD, ordered | Complex},
                                   {MPI_LAND, Integer | Logical},
                                   {MPI_LOR, Integer | Logical},
                                   {MPI_LXOR, Integer | Logical},
                                   {MPI_BAND, Integer | FortranInteger | Byte | Address},
                                   {MPI_BOR, Integer | FortranInteger | Byte | Address},
                                   {MPI_BXOR, Integer | FortranInteger | Byte | Address},
                                   {MPI_MINLOC, Pair},
                                   {MPI_MAXLOC, Pair},
                                   {MPI_REPLACE, 0},
                                   {MPI_NO_OP, 0}};
  for (const Predefined &known : all)
    if (known.op == op)
      return &known;
  return nullptr;
}

} // namespace

template <class Value, unsigned bits> const Value *ByHandle<Value, bits>::add(const Value &value) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> guard(mutex);
  if (const Value *const known = find(value.handle()))
    return known;
  const Value *const kept = used_ + 1 < count ? new (std::nothrow) Value(value) : nullptr;
  if (!kept)
    return nullptr;
  std::size_t i = first(value.handle());
  while (places_[i].load(std::memory_order_relaxed))
    i = (i + 1) % count;
  places_[i].store(kept, std::memory_order_release);
  ++used_;
  return kept;
}

// ---- a type --------------------------------------------------------------------

const KnownType *PassedType::look(MPI_Datatype handle, std::optional<KnownType> &own) {
  const mpi::Datatype type(handle);
  const KnownType *const known = type.isNamed() ? knownTypes.add({type, groupsOf(handle)}) : nullptr;
  return known ? known : &own.emplace(KnownType{type, unknown});
}

unsigned PassedType::groupsOf(MPI_Datatype handle) { return ::groupsOf(handle); }

// ---- an operator ---------------------------------------------------------------

const KnownOp *PassedOp::look(MPI_Op handle) {
  const Predefined *const known = predefined(handle);
  return known ? knownOps.add({handle, known->groups}) : nullptr;
}

bool PassedOp::isDefinedFor(MPI_Op handle, MPI_Datatype type) {
  const Predefined *const known = predefined(handle);
  return known ? (known->groups & ::groupsOf(type)) != 0 : handle != MPI_OP_NULL;
}

const mpi::Operator &PassedOp::ask(MPI_Op handle, std::optional<mpi::Operator> &own) { return own.emplace(handle); }

bool preload::isPredefined(MPI_Op op) { return predefined(op) != nullptr; }

const char *preload::classOf(MPI_Datatype type) {
  switch (groupsOf(type)) {
  case Integer:
  case FortranInteger:
  case Address:
    return "integer";
  case Floating:
    return "floating";
  case Logical:
    return "logical";
  case Complex:
    return "complex";
  case Byte:
    return "byte";
  case Pair:
    return "pair";
  default:
    return "other";
  }
}
