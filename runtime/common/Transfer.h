//===- Transfer.h - What can be wrong with the steps of all backends ------===//
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

/// Where something went wrong, and the words for what.
struct StepPlace {
  const char *call;
  int line;
  Index rank;

  Status badPartner(Index partner, Index size) const noexcept;
  Status noMemoryFor(const char *what) const noexcept;
  Status noOperator() const noexcept;
  Status notRecorded() const noexcept;
  /// `expected` elements were to come, and the partner sent `sent`, and what
  /// `besides` says.
  Status otherLength(const Operation &receive, Index expected, Index sent,
                     const char *besides = "") const noexcept;
  /// The same of the size of an element.
  Status otherElements(const Operation &receive, Index expectedBytes, Index sentBytes) const noexcept;
  /// The partner sent more, and nobody knows how many.
  Status tooLong(const Operation &receive, Index expected) const noexcept;
};

/// The watchdog's report: whom a rank waited for. Without memory for all of
/// them a part of the list has to do.
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
