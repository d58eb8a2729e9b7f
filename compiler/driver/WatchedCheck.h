//===- WatchedCheck.h - Checks that show how far they are -------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_WATCHEDCHECK_H
#define QUADRILLE_DRIVER_WATCHEDCHECK_H

#include "check/Check.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace quadrille::compiler {

class ProgressLine;

/// What `CheckOptions::goesOn` is to be, so that the checks of a schedule show how far they are and how long the rest takes, and end after so
/// many seconds. `admitted`: the options of the checks, by `admittedOptions`. The time begins at once.
std::function<bool(std::int64_t p)> watching(const ir::Schedule &schedule, const CheckOptions &admitted, ProgressLine &progress,
                                             const std::optional<std::uint64_t> &maxSeconds = std::nullopt);

/// Checks a schedule so.
Verdict checkWatched(const ir::Schedule &schedule, CheckOptions admitted, const std::optional<std::uint64_t> &maxSeconds = std::nullopt);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_WATCHEDCHECK_H
