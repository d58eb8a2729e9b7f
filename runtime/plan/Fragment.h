//===- Fragment.h - One step, in numbers ----------------------------------===//
//
// Private to the runtime. For calls that are written by hand and not recorded:
// every step is a program of its own, which is carried out at once.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_FRAGMENT_H
#define QUADRILLE_PLAN_FRAGMENT_H

#include "Program.h"

#include <cstddef>
#include <vector>

namespace quadrille {
namespace detail {

class Fragment {
public:
  /// Begins a step of a rank in a communicator of `size` ranks. All functions
  /// may throw std::bad_alloc.
  void reset(Index size);

  void send(const Region *what, Index rank, int line);
  void receive(const Region *into, Index rank, int line);
  /// `deliver` will set `received` and `arrived`, unless they are null, to the
  /// number of elements that came, and to their region.
  void receiveUpTo(const Region &room, Index rank, int line, Index *received, Region *arrived);
  void receiveCombine(const Region &dst, Index rank, Side side, int line);
  /// The same, but the message is received in `room` first and then combined.
  void receiveAndCombine(const Region &dst, const Region &room, Index rank, Side side, int line);

  Program program() const {
    return {operations_.data(), operations_.size(), operands_.data(), pieces_.data()};
  }
  const std::vector<std::byte *> &bases() const { return bases_; }
  std::size_t slots() const { return results_.size(); }
  void deliver(const std::vector<Index> &arrived) const;

private:
  struct Result {
    Region room;
    Index *received;
    Region *arrived;
  };
  std::uint32_t add(const Region &region);
  Operation &append(Operation::Kind kind, Index rank, int line, const Region *region);

  std::vector<Operation> operations_;
  std::vector<Operand> operands_;
  std::vector<Piece> pieces_;
  std::vector<std::byte *> bases_;
  std::vector<Result> results_;
  std::vector<std::uint32_t> sent_, received_;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_FRAGMENT_H
