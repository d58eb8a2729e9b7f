//===- Transfer.h - Errors of steps, for all backends ---------------------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_TRANSFER_H
#define QUADRILLE_COMMON_TRANSFER_H

#include "../plan/Program.h"

#include <string>

namespace quadrille {
namespace detail {

/// Where in a call an error happened; forms the statuses of such errors.
struct StepPlace {
  const char *call;
  int line;
  Index rank;

  Status badPartner(Index partner, Index size) const noexcept;
  Status noMemoryFor(const char *what) const noexcept;
  Status noOperator() const noexcept;
  Status notRecorded() const noexcept;
  /// The partner sent `sent` elements, but `expected` were expected. `besides`:
  /// text to append.
  Status otherLength(const Operation &receive, Index expected, Index sent,
                     const char *besides = "") const noexcept;
  /// The partner sent elements of another size.
  Status otherElements(const Operation &receive, Index expectedBytes, Index sentBytes) const noexcept;
  /// The partner sent more elements than expected; how many is unknown.
  Status tooLong(const Operation &receive, Index expected) const noexcept;
};

/// Collects the partners that a rank waited for, for the watchdog's report. Lists
/// only some of them if there is no memory for all.
class WaitReport {
public:
  void add(const Operation &pending, Index elements) noexcept;
  Status status(const StepPlace &place, Index timeoutMs) const noexcept;

private:
  std::string partners_;
  std::size_t count_ = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_TRANSFER_H
