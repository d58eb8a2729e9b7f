//===- LockstepStep.cpp - Uniform schedules: the transfers of a step -------------------------------------------------===//

#include "Lockstep.h"

namespace quadrille::compiler::lockstep {

void Lockstep::step(const ir::StepStmt &stmt, FrameState &frame, Mask mask) {
  countStep(1 + ranks / 64);
  round.clear();
  beginMessages(stmt, frame, mask);
  collect(stmt.body, frame, mask);
  flushWork();
  round.match(observer.wantsTransfers());
  if (round.matched().transferCount) {
    observer.onRound(round.matched(), machine);
    round.checkRaces();
    round.move();
    observer.onStepEnd(0, ranks);
    round.next();
  }
  execute(stmt.body, frame, mask);
}

void Lockstep::beginMessages(const ir::StepStmt &stmt, FrameState &frame, Mask mask) {
  for (const ir::Buffer *message : stmt.messages) {
    View &view = frame.views[message->index];
    if (!view.storage) {
      view.storage = &machine.add(message->name, 0);
      view.storage->endsWithStep = !stmt.bare;
      view.unit = message->isArray ? frame.unit : 1;
    }
    view.takesLength = ir::takesLength(*message, frame.schedule, frame.lengths);
    view.ofCollective = false;
    // Drop what an earlier step received.
    if (!mask || view.storage->counts.empty())
      machine.reset(*view.storage, 0, true);
    else
      for (std::uint32_t r = 0; r < ranks; ++r)
        if (mask[r])
          machine.emptyRow(*view.storage, r, 0);
  }
}

void Lockstep::collect(const ir::Body &body, FrameState &frame, Mask mask) {
  for (const auto &s : body) {
    if (auto *transfer = llvm::dyn_cast<ir::TransferStmt>(s.get()))
      collect(*transfer, frame, mask);
    else if (auto *definition = llvm::dyn_cast<ir::LetStmt>(s.get()))
      let(*definition, frame, mask);
    else if (auto *conditional = llvm::dyn_cast<ir::IfStmt>(s.get()))
      branch(*conditional, frame, mask, &Lockstep::collect);
    else if (auto *repeated = llvm::dyn_cast<ir::ForStmt>(s.get()))
      loop(*repeated, frame, mask, &Lockstep::collect);
  }
}

void Lockstep::collect(const ir::TransferStmt &stmt, FrameState &frame, Mask mask) {
  OpColumn &op = round.add(stmt);
  if (stmt.message) {
    const ir::Buffer &buffer = *stmt.message->buffer;
    View &view = frame.views[buffer.index];
    op.storage = view.storage;
    op.elastic = !stmt.isSend && buffer.kind == ir::BufferKind::Message &&
                 stmt.message->blocks.kind == ir::IndexKind::Whole;
    op.takesLength = view.takesLength && ir::isWhole(*stmt.message);
    if (op.elastic && op.storage->counts.empty())
      machine.reset(*op.storage, 0, true);
  }
  std::vector<std::uint8_t> present;
  forChunks(frame, mask, [&](Chunk chunk) {
    bool someAbsent = collectPeers(op, frame, chunk);
    if (!op.storage || op.elastic)
      return;
    if (mask || someAbsent) {
      // Ranks without a partner do not evaluate the slice: it may be out of range.
      present.resize(ranks);
      for (size_t i = 0; i < chunk.count; ++i)
        present[chunk.first + i] = op.peers[chunk.first + i] >= 0;
      chunk.mask = present.data();
      frame.eval.select(chunk.first, chunk.count, chunk.mask);
    }
    resolve(*stmt.message, frame, chunk, op.slots);
  });
  if (op.elastic)
    expectShape(op, *stmt.message->buffer, frame);
  // A name that has received nothing must not be sent: that is an error, not a message without blocks.
  bool ofMessage = stmt.isSend && stmt.message && stmt.message->buffer->kind == ir::BufferKind::Message &&
                   stmt.message->blocks.kind == ir::IndexKind::Whole;
  if (ofMessage)
    for (std::uint32_t r = 0; r < ranks; ++r)
      if (op.peers[r] >= 0 && op.slots.size(r) == 0)
        reportSendsEmpty(machine, stmt, *op.storage, r, 0, round.matched().number);
  // A slice without blocks sends no message.
  if (op.storage && !op.elastic && !(op.slots.isSame() && op.slots.run(0).count))
    for (std::uint32_t r = 0; r < ranks; ++r)
      if (op.peers[r] >= 0 && op.slots.size(r) == 0)
        op.peers[r] = -1;
}

void Lockstep::expectShape(OpColumn &op, const ir::Buffer &buffer, FrameState &frame) {
  const ir::Slice *like = ir::shapeOfMessage(buffer);
  const View *view = like ? &frame.views[like->buffer->index] : nullptr;
  op.ofBlock = !like || !ir::isWhole(*like);
  op.shape = op.ofBlock ? frame.lengthModel() : view;
  std::vector<std::uint8_t> present(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r)
    present[r] = op.peers[r] >= 0;
  op.room.assign(ranks, 0);
  std::optional<IndexColumns> blocks;
  forChunks(frame, present.data(), [&](const Chunk &chunk) {
    blocks.reset();
    for (size_t i = 0; i < chunk.count; ++i) {
      if (!chunk.isActive(i))
        continue;
      const std::uint32_t rank = chunk.rank(i);
      auto count = [&] {
        if (!blocks)
          blocks = indexColumns(like->blocks, frame, chunk);
        return blocks->at(i).count();
      };
      op.room[rank] = slotsOfMessage(like, view, rank, frame.unit, op.takesLength, count);
    }
  });
}

bool Lockstep::collectPeers(OpColumn &op, FrameState &frame, const Chunk &chunk) {
  const ir::Expr &expr = *op.stmt->peer;
  Column peer = frame.eval.evaluate(expr);
  std::int32_t *peers = op.peers.data() + chunk.first;
  // Fast path: indices are machine ranks, and the bounds of the column show that all are valid.
  bool plain = !chunk.mask && !peer.isScalar && !expr.mayBeNone && frame.ranks.groups.empty() &&
               frame.ranks.rotation == 0 && peer.bounds.lo >= 0 && peer.bounds.hi < static_cast<std::int64_t>(ranks);
  if (plain) {
    for (size_t i = 0; i < chunk.count; ++i) {
      if (peer.values[i] == static_cast<std::int64_t>(chunk.first + i))
        plain = false;
      peers[i] = static_cast<std::int32_t>(peer.values[i]);
    }
    if (plain)
      return false;
  }
  bool someAbsent = false;
  for (size_t i = 0; i < chunk.count; ++i) {
    if (!chunk.isActive(i))
      continue;
    std::int64_t index = peer[i];
    if (index == ir::none)
      someAbsent = true;
    else
      peers[i] = static_cast<std::int32_t>(machineRank(*op.stmt, frame.ranks, chunk.rank(i), index));
  }
  return someAbsent;
}

} // namespace quadrille::compiler::lockstep
