//===- Telling.h - Schedules by which ranks tell each other lengths ----------------------------------*- C++ -*-===//
//
// `requires knows len[j] by allgather/bruck`: before a schedule begins, ranks tell each other a table of lengths, by a schedule whose
// blocks are parts of the table. Afterwards every rank knows all of it.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_IR_TELLING_H
#define QUADRILLE_IR_TELLING_H

#include "Schedule.h"

namespace quadrille::compiler::ir {

/// The blocks of a schedule that tells a table to all ranks.
enum class Telling {
  Rows,  // each rank has a row, len[me] or len[me][0 ..< p], and gets all rows: an all-gather
  Table, // the root has the table, as one block, and all ranks get it: a broadcast
};

/// What a schedule is or has so that it tells no table.
enum class NoTelling {
  Collective, // neither an all-gather nor a broadcast
  Parameters,
  Requirements,
  Nodes, // it depends on them
};

/// How a schedule tells a table to all ranks, whatever p is and with nothing but the root chosen by its caller. Nothing if it cannot,
/// and sets `whyNot`.
std::optional<Telling> tellingBy(const Schedule &schedule, NoTelling *whyNot = nullptr);

/// Whether ranks know what they have to tell of a table, by the collective of `schedule`.
bool knowsWhatItTells(const Schedule &schedule, unsigned table, Telling telling);

} // namespace quadrille::compiler::ir

#endif // QUADRILLE_IR_TELLING_H
