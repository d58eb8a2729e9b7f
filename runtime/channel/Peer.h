//===- Peer.h - One rank's state about the messages with another ----------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_CHANNEL_PEER_H
#define QUADRILLE_CHANNEL_PEER_H

#include "Channel.h"

#include "../plan/Program.h"

#include <cstdint>

namespace quadrille {
namespace detail {

/// Counts the messages in one direction in the call `call`. If a call consists of
/// several programs, counting goes on from one to the next.
struct Direction {
  Channel *channel = nullptr;
  std::uint64_t call = 0;
  std::uint64_t execution = 0; ///< the last execution that used this direction
  std::uint32_t base = 0;      ///< messages of the call before this execution
  std::uint32_t begun = 0;     ///< messages of the call that have begun

  /// The execution `number` begins to use the direction, in call `sequence`.
  void enter(std::uint64_t sequence, std::uint64_t number) {
    if (call != sequence) {
      call = sequence;
      begun = 0;
    }
    execution = number;
    base = begun;
  }
  /// Whether all earlier messages in this direction have begun.
  bool isTurnOf(const Operation &operation) const { return begun == base + operation.message; }
  Tag tagOf(const Operation &operation) const {
    return makeTag(call, base + operation.message);
  }
};

/// Aligned, so that ranks do not write to each other's cache lines.
struct alignas(cacheLineBytes) Peer {
  Direction out, in;

  Direction &of(const Operation &operation) { return operation.isSend() ? out : in; }
};

/// The numbers of one rank's calls on a communicator, the same on all ranks, and
/// which of its blocking calls are open. Calls nest like blocks.
class CallNumbers {
public:
  std::uint64_t entered = 0; ///< calls that the rank has entered, which is the number of the last one

  void enter(OpenCall &call) {
    call.sequence = ++entered;
    if (!innermost_)
      outermost_ = call.sequence;
    call.outer = innermost_;
    innermost_ = &call;
  }
  /// True if no call is open any more: the end of an inner call does not end the
  /// calls around it.
  bool leave(const OpenCall &call) {
    innermost_ = call.outer;
    // A channel takes messages in the order of their tags. So what the enclosing
    // call sends from here on needs a call number above that of the inner call.
    if (innermost_)
      innermost_->sequence = ++entered;
    return !innermost_;
  }

  /// The number of the outermost open blocking call; if none is open, the number
  /// of the next call.
  std::uint64_t firstOpen() const { return innermost_ ? outermost_ : entered + 1; }

private:
  std::uint64_t outermost_ = 0; ///< the first open blocking call
  OpenCall *innermost_ = nullptr;   ///< the last open blocking call
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_CHANNEL_PEER_H
