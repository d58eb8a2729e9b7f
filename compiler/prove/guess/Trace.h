//===- Trace.h - What small cases hold at the heads of loops --------------------------------------------------------*- C++ -*-===//
//
// Runs a uniform schedule in lockstep on small cases. Whenever all ranks are at the head of a loop, it records the contents of
// all slots of the storages that the loop writes. Invariants are guessed from these tables (Infer.h).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_GUESS_TRACE_H
#define QUADRILLE_PROVE_GUESS_TRACE_H

#include "instantiate/CaseRun.h"

#include <array>

namespace quadrille::compiler::prove {

/// A loop, with the chain of `use`s, outermost first, that leads to its schedule.
struct LoopPlace {
  llvm::SmallVector<const ir::UseStmt *, 2> uses;
  const ir::ForStmt *loop = nullptr;
  bool operator==(const LoopPlace &) const = default;
};

/// A storage: the buffer that it belongs to, with the chain of `use`s that leads to the schedule that declares it. Parameters of
/// used schedules are parts of their callers' buffers.
struct BufferPlace {
  llvm::SmallVector<const ir::UseStmt *, 2> uses;
  const ir::Buffer *buffer = nullptr; // null: the table of which ranks have heard of which
  bool operator==(const BufferPlace &) const = default;
};

/// The contents of one storage at all heads of a loop: a row per head, rank and slot, stored as columns.
struct TraceRows {
  // ---- where and when
  std::vector<std::int32_t> p;
  std::vector<std::vector<std::int32_t>> numbers; // [number of the schedule][row]
  std::vector<std::vector<std::int32_t>> heads;   // [loop, outermost first][row], as LoopVisit has them
  std::vector<std::int32_t> rank;                 // in the outermost schedule's numbering
  std::vector<std::int32_t> block, packet;        // the slot; `packet` is 0 if blocks are not split

  // ---- the content: a product over some ranks of their block `inputBlock` (packet `inputPacket`) of input `input`
  std::vector<std::uint8_t> valid; // not empty
  /// It is not the product over `length` ranks lo, lo + 1, ... (modulo p), in this order or, if the schedule requires a
  /// commutative operator, in any order. `lo` and `length` are 0 then.
  std::vector<std::uint8_t> compound;
  std::vector<std::int32_t> input, inputBlock, inputPacket;
  /// `lo` is in the machine's numbering if the schedule uses the operator, else in the outermost schedule's.
  std::vector<std::int32_t> lo, length;
  /// The ranks of the product as bits, numbered as `lo`; 0 if a rank is in it twice, or its blocks differ.
  std::vector<std::uint64_t> members;

  /// The slot is read before it is overwritten, or is part of the promised result.
  std::vector<std::uint8_t> live;
  /// It is sent or promised so, or assigned to a slot that is needed.
  std::vector<std::uint8_t> needed;

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
  /// The loops to which `heads` belong: those around this loop, also in the schedules that use its schedule, and itself,
  /// outermost first.
  llvm::SmallVector<LoopPlace, 2> loops;
  std::vector<StorageTrace> storages; // the storages that the loop writes

  const StorageTrace *find(const BufferPlace &place) const;
};

struct Trace {
  std::vector<LoopTrace> loops;
  unsigned cases = 0;
  std::uint64_t recorded = 0; // the number of rows before they were thinned out

  const LoopTrace *find(const LoopPlace &place) const;
};

/// Small cases, enough to tell formulas apart: admitted ones, or any cases if the schedule admits no small one. `more`: also
/// somewhat larger ones, which wrong formulas seldom fit by chance.
std::vector<Case> traceCases(const ir::Schedule &schedule, bool more = false);

/// Traces a schedule that does not need simulation. A case in which the schedule is wrong, or which needs too many rows, is left
/// out.
Trace traceLoops(const ir::Schedule &schedule, llvm::ArrayRef<Case> cases);

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_GUESS_TRACE_H
