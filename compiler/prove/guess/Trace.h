//===- Trace.h - What small cases hold at the heads of loops --------------------------------------------------------*- C++ -*-===//
//
// Runs a uniform schedule in lockstep on small cases and records, whenever all ranks are at the head of a loop, what
// every slot of the storages holds that the loop writes. Invariants are guessed from such tables (Infer.h).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_GUESS_TRACE_H
#define QUADRILLE_PROVE_GUESS_TRACE_H

#include "instantiate/CaseRun.h"

#include <array>

namespace quadrille::compiler::prove {

/// A loop, in the schedule that the `use`s lead to, from the outermost inwards.
struct LoopPlace {
  llvm::SmallVector<const ir::UseStmt *, 2> uses;
  const ir::ForStmt *loop = nullptr;
  bool operator==(const LoopPlace &) const = default;
};

/// A storage: the buffer that it belongs to, of the schedule that declares it. The parameters of a schedule that is used
/// are parts of its caller's buffers.
struct BufferPlace {
  llvm::SmallVector<const ir::UseStmt *, 2> uses;
  const ir::Buffer *buffer = nullptr; // null: who has heard of whom
  bool operator==(const BufferPlace &) const = default;
};

/// What one storage holds whenever its loop is at the head, a row per slot of a rank, in columns.
struct TraceRows {
  // ---- where and when
  std::vector<std::int32_t> p;
  std::vector<std::vector<std::int32_t>> numbers; // [number of the schedule][row]
  std::vector<std::vector<std::int32_t>> heads;   // [loop, outermost first][row], as LoopVisit has them
  std::vector<std::int32_t> rank;                 // as the outermost schedule's `me` counts
  std::vector<std::int32_t> block, packet;        // of the storage; `packet` is 0 if nothing is split

  // ---- what it holds: a product of block `inputBlock` (packet `inputPacket` of it) of input `input` of some ranks
  std::vector<std::uint8_t> valid; // not empty
  /// Valid, but not of the ranks lo, lo + 1, ... (modulo p), `length` of them, in this order or, if the schedule requires
  /// a commutative operator, in any. `lo` and `length` are 0 then.
  std::vector<std::uint8_t> compound;
  std::vector<std::int32_t> input, inputBlock, inputPacket;
  /// A machine rank if the schedule uses the operator, else as the outermost schedule's `me` counts.
  std::vector<std::int32_t> lo, length;
  /// The ranks in the product, a bit each, counted as `lo` is; 0 if one is in it twice or they are of different blocks.
  std::vector<std::uint64_t> members;

  /// It is read before it is overwritten, or part of the promised result.
  std::vector<std::uint8_t> live;

  std::size_t size() const { return p.size(); }
  /// Keeps the rows for which `keep` is not 0.
  void filter(llvm::ArrayRef<std::uint8_t> keep);
};

struct StorageTrace {
  BufferPlace place;
  TraceRows rows;
};

struct LoopTrace {
  LoopPlace place;
  /// The loops that `heads` tell of: those around it, of schedules outside too, and itself, outermost first.
  llvm::SmallVector<LoopPlace, 2> loops;
  std::vector<StorageTrace> storages; // those that the loop writes

  const StorageTrace *find(const BufferPlace &place) const;
};

struct Trace {
  std::vector<LoopTrace> loops;
  unsigned cases = 0;
  std::uint64_t recorded = 0; // rows, before they are thinned out

  const LoopTrace *find(const LoopPlace &place) const;
};

/// Small cases, enough of them to tell formulas apart: those that the schedule admits, or any where it admits none so small.
std::vector<Case> traceCases(const ir::Schedule &schedule);

/// Follows a schedule that does not need simulation. A case in which the schedule is wrong, or which takes too many rows, is left out.
Trace traceLoops(const ir::Schedule &schedule, llvm::ArrayRef<Case> cases);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_GUESS_TRACE_H
