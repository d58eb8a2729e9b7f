//===- Worth.h - What it is worth to choose among schedules ---------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TUNE_WORTH_H
#define QUADRILLE_TUNE_WORTH_H

#include "Journal.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace quadrille::compiler::tune {

/// The name under which times of the MPI library's own collective are kept, as in "allreduce/mpi".
inline constexpr const char *ownOfMpi = "mpi";

/// Times of others, divided by those of what is chosen: geometric means over places, which are numbers of ranks and lengths.
struct Worth {
  size_t places = 0;
  std::string single;               // the schedule that would be best if there were only one, with its parameter: "pipelined k=auto"
  double againstSingle = 1;
  size_t placesOfMpi = 0;           // in which the MPI library's own was measured, too
  std::optional<double> againstMpi; // nothing if there are none
};

/// What choosing is worth for a collective by the times in a journal; nothing if no place counts. `chosen` names what is taken at a place, as
/// Worth::single, or ownOfMpi. A place counts if that was measured there.
///
/// The single schedule is one that was measured at least once for every p. In a place in which it was not measured, because it was predicted to
/// be hopeless or because time ran out, it counts as `hopeless` times the fastest one.
std::optional<Worth> worthOf(llvm::StringRef collective, const Journal &journal,
                             llvm::function_ref<std::string(std::int64_t p, std::uint64_t bytes)> chosen);

/// "1.31 times as fast as binomial everywhere, 1.80 times as fast as MPI's own (14 places measured)"
std::string worthText(const Worth &worth);

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_WORTH_H
