//===- Reversal.h - A schedule run backwards ----------------------------------------------------------------------*- C++ -*-===//
//
// A schedule that only moves and copies blocks is linear: each block of its result is a block of its inputs. Run backwards, every block
// returns to where it came from, and what returns to a block that was copied is combined. So statements run in the opposite order, sends
// become receives, and `a := b` becomes `b := b <> a`, or `b := a` as long as b is empty or the collective combines nothing. The result
// is a schedule like any other.
//
// A block is not emptied after it has been sent back. So a block that is written twice on its way is sent back twice; the checks find
// that.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_SEMA_REVERSAL_H
#define QUADRILLE_SEMA_REVERSAL_H

#include "ExprSema.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

#include <functional>

namespace quadrille::compiler::sema {

/// The collective of a schedule, with its inputs and outputs.
struct Direction {
  const ir::Collective *collective = nullptr;
  std::vector<const ir::Buffer *> inputs, outputs;
};

class Reversal {
public:
  /// Returns the schedule to use instead of the one that a `use` names; null after an error, which is reported.
  using ReverseUsed = std::function<const ir::Schedule *(const ir::UseStmt &)>;

  /// `schedule`: the schedule to be built, in the frame of the statements that are to be reversed. `forward`: the data of these
  /// statements. `path`: the name of what is reversed, for messages.
  Reversal(ir::Schedule &schedule, const Direction &forward, ir::Program &program, ExprSema &exprs, std::string path,
           ReverseUsed reverseUsed);

  /// Returns the statements backwards. The inputs and outputs of the schedule must be set: the outputs and inputs of `forward`.
  ir::Body run(const ir::Body &body);

  /// Records the values of names that `lets` around the statements define.
  void know(const ir::Body &lets);

private:
  using Buffers = llvm::SmallPtrSet<const ir::Buffer *, 8>;
  /// The buffers that a body reads, or those that it reads from its first loop on.
  static Buffers readBuffers(const ir::Body &body, bool fromFirstLoop = false);

  // the data
  void exchangeData(const ir::Body &body, ir::Body &into);
  ir::Slice mapped(const ir::Slice &slice) const;
  ir::Buffer &own(const ir::Buffer &buffer) { return *schedule.buffers[buffer.index]; }
  /// Gives a buffer that takes its shape from its first value a type with that shape, since backwards it exists before that value. False
  /// after an error, which is reported.
  bool giveType(const ir::Buffer &buffer, llvm::SMRange place);
  bool giveTypeOf(ir::Buffer &buffer, const ir::Slice &slice, llvm::SMRange place);
  ir::Buffer &newBuffer(const std::string &name, ir::BufferKind kind, llvm::SMRange range);
  std::string unused(llvm::StringRef name) const;
  void declare(const ir::Buffer &buffer, llvm::SMRange place, ir::Body &into);
  void dropUnusedBuffers();

  // statements outside steps
  /// The statements of `forward` backwards, after those in `first`.
  ir::Body body(const ir::Body &forward, ir::Body first = {});
  void statement(const ir::Stmt &stmt, ir::Body &into);
  void branch(const ir::IfStmt &stmt, ir::Body &into);
  void use(const ir::UseStmt &stmt, ir::Body &into);
  void let(const ir::LetStmt &stmt, ir::Body &into);
  void assign(const ir::AssignStmt &stmt, ir::Body &into);

  // loops
  struct Turn;
  void loop(const ir::ForStmt &stmt, ir::Body &into);
  /// Gives the backward loop its values, and its body the definitions of the forward loop's variables. False after an error, which is
  /// reported. There is a function for each kind of loop.
  bool turnVariables(Turn &turn);
  void ascending(Turn &turn);
  void descending(Turn &turn);
  bool doubling(Turn &turn);
  bool halving(Turn &turn);
  void halvings(Turn &turn);
  void others(Turn &turn);
  void children(Turn &turn);
  unsigned counter(Turn &turn, bool dependsOnRank);
  void define(Turn &turn, unsigned index, const ir::Expr *value);
  const ir::Expr *moved(ir::Op direction, const ir::Expr *from, const ir::Expr *distance, const ir::Expr *by);

  // steps
  void step(const ir::StepStmt &stmt, ir::Body &into);
  void bareStep(const ir::StepStmt &stmt, ir::Body &into);
  /// Reverses the assignments of a step, which come before the reversed step.
  void assignmentsOf(const ir::Body &forward, ir::Body &into);
  /// Reverses the transfers of a step into `into`; assignments that must follow the step go to `after`. `isLast`: the step has no further
  /// transfers.
  void transfersOf(const ir::Body &forward, ir::Body &into, ir::Body &after, bool isLast);
  void transfer(const ir::TransferStmt &stmt, ir::Body &into, ir::Body &after);
  /// The slice into which a message is received that is to be combined with `slice`; nothing after an error, which is reported.
  std::optional<ir::Slice> arriving(const ir::Slice &slice, const ir::TransferStmt &stmt);
  std::optional<ir::Slice> arrivingInLoop(const ir::Slice &slice, const ir::TransferStmt &stmt);

  // values
  void put(const ir::Slice &target, const ir::Slice &value, llvm::SMRange range, llvm::SMRange keyword, ir::Body &into);
  void combine(const ir::Slice &target, const ir::Slice &value, const ir::Expr *from, llvm::SMRange range, llvm::SMRange keyword,
               ir::Body &into);
  ir::AssignStmt &assignment(const ir::Slice &target, const ir::DataExpr *value, llvm::SMRange range, llvm::SMRange keyword, ir::Body &into);
  const ir::DataExpr *leaf(const ir::Slice &slice);
  const ir::DataExpr *product(const ir::Slice &left, const ir::Slice &right);
  /// The condition under which a message from rank `from` is the left operand, that is, `from` is below `me`. Null: it is the same
  /// always; `isAlways` tells which.
  const ir::Expr *isBefore(const ir::Expr &from, bool &isAlways);
  const ir::Expr *definition(const ir::Expr &expr) const;
  /// The condition that `me` is the rank that has the output; null if all ranks have it.
  const ir::Expr *hasOutput(const ir::Buffer &buffer);

  // numbers
  const ir::Expr *plus(const ir::Expr *a, std::int64_t b);
  const ir::Expr *integer(ir::Op op, const ir::Expr *a, const ir::Expr *b);
  const ir::Expr *number(std::int64_t value);
  const ir::Expr *variable(unsigned index);
  const ir::Expr *replaced(const ir::Expr *expr, const llvm::DenseMap<unsigned, const ir::Expr *> &by);

  // what is stated
  const ir::Clock *clock(const ir::Clock *forward);
  void invariants(const ir::ForStmt &forward, const llvm::DenseMap<unsigned, const ir::Expr *> &next, ir::ForStmt &into);

  void refuse(llvm::SMRange place, diag::OneWay reason);
  bool folds() const { return schedule.collective->folds(); }

  template <typename T> T &append(ir::Body &into, llvm::SMRange range, llvm::SMRange keyword) {
    auto owned = std::make_unique<T>();
    T &result = *owned;
    result.range = range;
    result.keyword = keyword;
    into.push_back(std::move(owned));
    return result;
  }

  ir::Schedule &schedule;
  const Direction &forward;
  ir::Program &program;
  ExprSema &exprs;
  const std::string path;
  ReverseUsed reverseUsed;
  llvm::SMRange place; // of the statement at hand, for new expressions

  llvm::DenseMap<const ir::Buffer *, const ir::Buffer *> other; // the buffer that takes the place of one of the forward direction
  llvm::DenseMap<const ir::Buffer *, unsigned> grown;           // forward outputs to which values are added; the number of the input
  Buffers filled;                                               // may hold something at the current place
  llvm::DenseMap<unsigned, const ir::Expr *> lets;
  llvm::DenseMap<const ir::Clock *, const ir::Clock *> clocks;
  std::vector<const ir::Expr *> conditions; // that hold at the current place
  const ir::Buffer *onlySource = nullptr;   // the only buffer that is read from the first loop on; null: there are several
  bool goesApart = false;                   // ranks may go through different steps

  // in a step
  ir::StepStmt *current = nullptr;
  ir::Body *beforeStep = nullptr;              // where buffers for it are declared
  std::vector<const ir::ForStmt *> loopsInStep;
  const ir::Slice *lastSent = nullptr;
  llvm::StringSet<> namesInStep;
};

/// The name of a buffer in the text.
std::string nameInText(const ir::Buffer &buffer);

/// Whether two expressions are written alike.
bool areSame(const ir::Expr *a, const ir::Expr *b);

} // namespace quadrille::compiler::sema

#endif // QUADRILLE_SEMA_REVERSAL_H
