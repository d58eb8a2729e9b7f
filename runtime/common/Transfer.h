//===- Transfer.h - What the steps of all backends have in common ---------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_TRANSFER_H
#define QUADRILLE_COMMON_TRANSFER_H

#include "quadrille/call.h"

#include <string>

namespace quadrille {
namespace detail {

/// One send or receive of a step.
struct Transfer {
  enum class Kind : unsigned char { Send, Receive, ReceiveUpTo, Combine };

  explicit Transfer(Kind what, const Region &where = {}) : kind(what), region(where) {}

  bool isSend() const { return kind == Kind::Send; }
  const char *verb() const { return isSend() ? "send" : "receive"; }

  Kind kind;
  Side side = Side::Left;
  Index rank = none; ///< the partner, in the communicator
  Index elements = 0;
  Region region;
  Index *received = nullptr;
};

/// Where something went wrong, and the words for what.
struct StepPlace {
  const char *call;
  int line;
  Index rank;

  Status badPartner(Index partner, Index size) const noexcept;
  Status noMemoryFor(const char *what) const noexcept;
  Status noOperator() const noexcept;
  /// The partner sent `sent` elements, and what `besides` says.
  Status otherLength(const Transfer &expected, Index sent,
                     const char *besides = "") const noexcept;
  /// The partner sent more, and nobody knows how many.
  Status tooLong(const Transfer &expected) const noexcept;
};

/// The watchdog's report: whom a rank waited for. Without memory for all of
/// them a part of the list has to do.
class WaitReport {
public:
  void add(const Transfer &pending) noexcept;
  Status status(const StepPlace &place, Index timeoutMs) const noexcept;

private:
  std::string partners_;
  std::size_t count_ = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_TRANSFER_H
