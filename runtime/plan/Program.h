//===- Program.h - What one rank does in one call -------------------------===//
//
// Private to the runtime: the operations of a rank, as data.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_PROGRAM_H
#define QUADRILLE_PLAN_PROGRAM_H

#include "quadrille/call.h"

#include <cstddef>
#include <cstdint>

namespace quadrille {
namespace detail {

/// An operation that a rank carries out. Its operands are:
///
///   Send            the source; none: a message without data
///   Receive         the target; none: a message without data
///   ReceiveUpTo     the target, which may be longer than the message
///   ReceiveCombine  the target, and the operand that is not received
///   Copy            target, source
///   Combine         target, left operand, right operand
///
/// Operands of one operation are either the same blocks or have no element in
/// common.
struct Operation {
  enum class Kind : std::uint8_t { Send, Receive, ReceiveUpTo, ReceiveCombine, Copy, Combine };

  Kind kind;
  Side side;                  ///< ReceiveCombine: the side of the incoming operand
  std::uint8_t operandCount;
  bool lockstep;              ///< a message that waits until all earlier steps are complete
  std::int32_t partner;       ///< the communicator's rank
  std::uint32_t message;      ///< its number among those to, or from, the partner
  std::int32_t line;          ///< the line in the schedule's source
  std::uint32_t step;         ///< the number of its step in the rank's program; 0: none
  std::uint32_t operands;     ///< the index of its first operand
  std::uint32_t slot;         ///< ReceiveUpTo: the slot for the number of elements
  /// The operations with numbers below this one have to be done first.
  std::uint32_t follows;
  /// Bit 63 - b: the operation b + 1 places before this one has to be done
  /// first.
  std::uint64_t waitsFor;

  bool isSend() const { return kind == Kind::Send; }
  bool isReceive() const { return kind != Kind::Send && kind < Kind::Copy; }
  bool isMessage() const { return kind < Kind::Copy; }
  /// Whether it writes its operand `i`, or reads it.
  bool writes(std::size_t i) const { return i == 0 && !isSend(); }
  bool reads(std::size_t i) const { return i > 0 || isSend(); }
  const char *verb() const { return isSend() ? "send" : "receive"; }
};

/// The number of operations that `waitsFor` covers. So operations may be begun
/// this far ahead of the first one that is not done; messages of one step even
/// farther.
inline constexpr std::size_t window = 64;

/// Some elements of a buffer, as offsets.
struct Operand {
  std::uint32_t buffer = 0;
  /// 0: they lie in one piece. Else 1 + the index of the first piece in
  /// Program::pieces.
  std::uint32_t pieces = 0;
  Index offset = 0;   ///< one piece: in elements. Several: the number of pieces
  Index elements = 0; ///< below 0: -1 - the slot of the message that gives it
};

/// Consecutive elements of a buffer.
struct Piece {
  Index offset, elements;
};

/// Operations, and operands as offsets. Owns nothing.
struct Program {
  const Operation *operations = nullptr;
  std::size_t count = 0;
  const Operand *operands = nullptr;
  const Piece *pieces = nullptr;

  const Operand &operand(const Operation &operation, std::size_t i) const {
    return operands[operation.operands + i];
  }
};

/// An operand of a program in memory.
class Elements {
public:
  Elements() = default;
  Elements(const Program &program, const Operand &operand, std::byte *const *bases,
           const Index *arrived, Index elementBytes)
      : base_(bases[operand.buffer]), elementBytes_(elementBytes),
        elements_(operand.elements >= 0 ? operand.elements : arrived[-1 - operand.elements]) {
    if (operand.pieces == 0) {
      single_ = {operand.offset, elements_};
      count_ = 1;
    } else {
      pieces_ = program.pieces + (operand.pieces - 1);
      count_ = static_cast<std::size_t>(operand.offset);
    }
  }
  /// Consecutive elements.
  Elements(std::byte *base, Index elements, Index elementBytes)
      : base_(base), elementBytes_(elementBytes), elements_(elements), single_{0, elements},
        count_(1) {}

  /// `count` pieces at offsets from `base`.
  Elements(std::byte *base, const Piece *pieces, std::size_t count, Index elements,
           Index elementBytes)
      : base_(base), elementBytes_(elementBytes), elements_(elements), single_{0, elements},
        pieces_(pieces), count_(count) {}

  /// The base and the pieces, as the last constructor takes them.
  std::byte *base() const { return pieces_ ? base_ : base_ + single_.offset * elementBytes_; }
  const Piece *pieces() const { return pieces_; }

  Index elements() const { return elements_; }
  Index elementBytes() const { return elementBytes_; }
  bool isOnePiece() const { return count_ == 1; }
  std::size_t pieceCount() const { return count_; }
  std::byte *data(std::size_t i = 0) const { return base_ + piece(i).offset * elementBytes_; }
  Index length(std::size_t i) const { return piece(i).elements; }

private:
  const Piece &piece(std::size_t i) const { return pieces_ ? pieces_[i] : single_; }

  std::byte *base_ = nullptr;
  Index elementBytes_ = 0;
  Index elements_ = 0;
  Piece single_{0, 0};
  const Piece *pieces_ = nullptr; ///< null: the single one
  std::size_t count_ = 0;
};

/// Walks over elements from the first to the last, in runs whose lengths the
/// caller determines.
class ElementCursor {
public:
  explicit ElementCursor(const Elements &of) : of_(&of) { load(); }

  /// The number of elements up to the next gap; 0 at the end.
  Index available() const { return available_; }
  std::byte *data() const { return data_; }

  /// Steps over `elements` <= available().
  void skip(Index elements) {
    available_ -= elements;
    data_ += elements * of_->elementBytes();
    if (available_ == 0)
      load();
  }

private:
  void load() {
    while (next_ < of_->pieceCount()) {
      data_ = of_->data(next_);
      available_ = of_->length(next_++);
      if (available_ > 0)
        return;
    }
    available_ = 0;
  }

  const Elements *of_;
  std::size_t next_ = 0;
  std::byte *data_ = nullptr;
  Index available_ = 0;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_PROGRAM_H
