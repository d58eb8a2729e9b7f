//===- Reversal.h - A schedule run backwards ----------------------------------------------------------------------*- C++ -*-===//
//
// Where blocks are only moved and copied, what a schedule does is linear: each block that is yielded is one that was taken. Backwards
// every block goes back to where it came from, and where it was copied, what comes back is combined. So statements run in the opposite
// order, sends are receives, and `a := b` is `b := b <> a`, or `b := a` as long as b is empty or the collective combines nothing.
// What comes out is a schedule like any other.
//
// Nothing is emptied when it has gone back. So a block that is written twice on its way goes back twice; the checks find that.
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

/// What a schedule takes and yields.
struct Direction {
  const ir::Collective *collective = nullptr;
  std::vector<const ir::Buffer *> inputs, outputs;
};

class Reversal {
public:
  /// The schedule that is used instead of the one that a `use` names; null after an error, which is reported.
  using ReverseUsed = std::function<const ir::Schedule *(const ir::UseStmt &)>;

  /// `schedule`: whose statements are about to run backwards, with the data of `forward`, all in the same frame. `path` names what is
  /// reversed in messages.
  Reversal(ir::Schedule &schedule, const Direction &forward, ir::Program &program, ExprSema &exprs, std::string path,
           ReverseUsed reverseUsed);

  /// The statements backwards. The schedule takes and yields what it says by now, which is `forward` the other way round.
  ir::Body run(const ir::Body &body);

  /// Takes note of what names around the statements stand for.
  void know(const ir::Body &lets);

private:
  using Buffers = llvm::SmallPtrSet<const ir::Buffer *, 8>;
  /// The buffers that a body reads, or those that it reads from its first loop on.
  static Buffers readBuffers(const ir::Body &body, bool fromFirstLoop = false);

  // the data
  void exchangeData(const ir::Body &body, ir::Body &into);
  ir::Slice mapped(const ir::Slice &slice) const;
  ir::Buffer &own(const ir::Buffer &buffer) { return *schedule.buffers[buffer.index]; }
  /// Gives a buffer that had the shape of its first value that shape by its type. False after an error, which is reported.
  bool giveType(const ir::Buffer &buffer, llvm::SMRange place);
  bool giveTypeOf(ir::Buffer &buffer, const ir::Slice &slice, llvm::SMRange place);
  ir::Buffer &newBuffer(const std::string &name, ir::BufferKind kind, llvm::SMRange range);
  std::string unused(llvm::StringRef name) const;
  void declare(const ir::Buffer &buffer, llvm::SMRange place, ir::Body &into);
  void dropUnusedBuffers();

  // statements outside steps
  /// `first`: what comes before its statements.
  ir::Body body(const ir::Body &forward, ir::Body first = {});
  void statement(const ir::Stmt &stmt, ir::Body &into);
  void branch(const ir::IfStmt &stmt, ir::Body &into);
  void loop(const ir::ForStmt &stmt, ir::Body &into);
  void use(const ir::UseStmt &stmt, ir::Body &into);
  void let(const ir::LetStmt &stmt, ir::Body &into);
  void assign(const ir::AssignStmt &stmt, ir::Body &into);

  // steps
  void step(const ir::StepStmt &stmt, ir::Body &into);
  void bareStep(const ir::StepStmt &stmt, ir::Body &into);
  /// The assignments of a step, which come before it.
  void assignmentsOf(const ir::Body &forward, ir::Body &into);
  /// The transfers of a step into `into`, and what follows on them into `after`. `isLast`: whether nothing else of the step is to be
  /// sent or received after these.
  void transfersOf(const ir::Body &forward, ir::Body &into, ir::Body &after, bool isLast);
  void transfer(const ir::TransferStmt &stmt, ir::Body &into, ir::Body &after);
  /// Where a receive that is to be combined with `slice` puts what comes.
  std::optional<ir::Slice> arriving(const ir::Slice &slice, const ir::TransferStmt &stmt);
  std::optional<ir::Slice> arrivingInLoop(const ir::Slice &slice, const ir::TransferStmt &stmt);

  // values
  void put(const ir::Slice &target, const ir::Slice &value, llvm::SMRange range, llvm::SMRange keyword, ir::Body &into);
  void combine(const ir::Slice &target, const ir::Slice &value, const ir::Expr *from, llvm::SMRange range, llvm::SMRange keyword,
               ir::Body &into);
  ir::AssignStmt &assignment(const ir::Slice &target, const ir::DataExpr *value, llvm::SMRange range, llvm::SMRange keyword, ir::Body &into);
  const ir::DataExpr *leaf(const ir::Slice &slice);
  const ir::DataExpr *product(const ir::Slice &left, const ir::Slice &right);
  /// Whether what a rank sends belongs before what `me` has; null: never. `isAlways` is set if it always does.
  const ir::Expr *isBefore(const ir::Expr &from, bool &isAlways);
  const ir::Expr *definition(const ir::Expr &expr) const;
  /// Whether `me` is the rank that has the output; null if all have it.
  const ir::Expr *hasOutput(const ir::Buffer &buffer);

  // numbers
  const ir::Expr *plus(const ir::Expr *a, std::int64_t b);
  const ir::Expr *integer(ir::Op op, const ir::Expr *a, const ir::Expr *b);
  const ir::Expr *number(std::int64_t value);
  const ir::Expr *replaced(const ir::Expr *expr, const llvm::DenseMap<unsigned, const ir::Expr *> &by);

  // what is stated
  const ir::Clock *clock(const ir::Clock *forward);
  void invariants(const ir::ForStmt &forward, const llvm::DenseMap<unsigned, const ir::Expr *> &next, ir::ForStmt &into);

  void refuse(llvm::SMRange place, const std::string &reason);
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

  llvm::DenseMap<const ir::Buffer *, const ir::Buffer *> other; // what is instead of a buffer of the forward direction
  llvm::DenseMap<const ir::Buffer *, unsigned> grown;           // outputs of the forward direction that grow; which input they are
  Buffers filled;                                               // may hold something at the current place
  llvm::DenseMap<unsigned, const ir::Expr *> lets;
  llvm::DenseMap<const ir::Clock *, const ir::Clock *> clocks;
  std::vector<const ir::Expr *> conditions; // that hold at the current place
  const ir::Buffer *onlySource = nullptr;   // the buffer from which all is sent and copied from the first loop on; null: there are several
  bool goesApart = false;                   // whether ranks go through different steps

  // in a step
  ir::StepStmt *current = nullptr;
  ir::Body *beforeStep = nullptr;              // where buffers for it are declared
  std::vector<const ir::ForStmt *> loopsInStep;
  const ir::Slice *lastSent = nullptr;
  llvm::StringSet<> namesInStep;
};

/// What a buffer is called in the text.
std::string nameInText(const ir::Buffer &buffer);

/// Whether two expressions are written alike.
bool areSame(const ir::Expr *a, const ir::Expr *b);

} // namespace quadrille::compiler::sema

#endif // QUADRILLE_SEMA_REVERSAL_H
