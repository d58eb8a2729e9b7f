//===- Worth.h - What it is worth to choose among schedules ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TUNE_WORTH_H
#define QUADRILLE_TUNE_WORTH_H

#include "Journal.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace quadrille::compiler::tune {

/// The name under which times of the MPI library's own collective are kept, as in "allreduce/mpi".
inline constexpr const char *ownOfMpi = "mpi";

/// Times of others, divided by those of the chosen schedules: geometric means over the places (p and length) that were measured.
struct Worth {
  size_t places = 0;
  std::string single;                // the schedule that would be best if there were only one, with its parameter: "pipelined k=auto"
  double againstSingle = 1;
  std::optional<double> againstMpi;  // nothing if the MPI library's own was measured in none of the places
};

/// What the choice is worth for a collective by the times in a journal. `chosen` names what is taken at a place, as Worth::single; a place in
/// which that was not measured does not count. A schedule that was not measured in a place counts there as three times the fastest one, which
/// is why it was not measured (TuneCommand); one that was measured with no length for some p serves not all. Nothing if no place counts.
std::optional<Worth> worthOf(llvm::StringRef collective, const Journal &journal,
                             llvm::function_ref<std::string(std::int64_t p, std::uint64_t bytes)> chosen);

/// "1.31 times as fast as binomial everywhere, 1.80 times as fast as MPI's own (14 places)"
std::string worthText(const Worth &worth);

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_WORTH_H
