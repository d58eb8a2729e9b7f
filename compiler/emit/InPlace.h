//===- InPlace.h - Data of calls with MPI_IN_PLACE ---------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_EMIT_INPLACE_H
#define QUADRILLE_EMIT_INPLACE_H

#include "ir/Schedule.h"

#include <optional>

namespace quadrille::compiler::emit {

/// A call with MPI_IN_PLACE gives a buffer for one direction only. Tells where in that buffer the data of the other direction lies.
struct InPlace {
  bool isOutput = false; // MPI_IN_PLACE is given for the output, as in a scatter; else for the input
  bool isOwnBlock = false; // the data is block `me` of the other buffer, as in a gather; else it begins where that begins
};

/// The form for the collective of a schedule; nothing if it has none. There is one if a rank gives exactly one buffer, and it is clear
/// which of its blocks are meant.
std::optional<InPlace> inPlaceForm(const ir::Schedule &schedule);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_INPLACE_H
