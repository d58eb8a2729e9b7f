//===- InPlace.h - What MPI_IN_PLACE stands for ------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_EMIT_INPLACE_H
#define QUADRILLE_EMIT_INPLACE_H

#include "ir/Schedule.h"

#include <optional>

namespace quadrille::compiler::emit {

/// Where the data lies for which a call with MPI_IN_PLACE gives no buffer: in the buffer that it gives for the other direction.
struct InPlace {
  bool isOutput = false; // MPI_IN_PLACE is given for the output, as in a scatter; else for the input
  bool isOwnBlock = false; // the data is block `me` of the other buffer, as in a gather; else it begins where that begins
};

/// Nothing if the collective has no such form: MPI has one where a rank gives exactly one buffer, and it is clear which of its blocks
/// are meant.
std::optional<InPlace> inPlaceForm(const ir::Schedule &schedule);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_INPLACE_H
