//===- UnfolderTransfers.cpp - What one rank executes: steps and their transfers -------------------------------===//

#include "Unfolder.h"

namespace quadrille::compiler {

void Unfolder::step(const ir::StepStmt &stmt, RankFrame &frame) {
  countStep();
  if (!stmt.messages.empty())
    around.reset();
  for (const ir::Buffer *message : stmt.messages) {
    RankAction &action = program->actions.emplace_back();
    action.kind = RankAction::Declare;
    action.stmt = &stmt;
    action.storage = frame.views[message->index].storage = &storageOf(*message, frame);
    action.storage->endsWithStep = !stmt.bare;
  }
  std::uint32_t first = static_cast<std::uint32_t>(program->transfers.size());
  collect(stmt.body, frame);
  if (program->transfers.size() != first) {
    RankAction &action = program->actions.emplace_back();
    action.kind = RankAction::Step;
    action.stmt = &stmt;
    action.first = first;
    action.count = static_cast<std::uint32_t>(program->transfers.size()) - first;
  }
  execute(stmt.body, frame);
}

void Unfolder::collect(const ir::Body &body, RankFrame &frame) {
  for (const auto &s : body) {
    if (auto *transfer = llvm::dyn_cast<ir::TransferStmt>(s.get()))
      collect(*transfer, frame);
    else if (auto *let = llvm::dyn_cast<ir::LetStmt>(s.get()))
      frame.numbers[let->variable] = value(*let->value, frame);
    else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(s.get()))
      collect(value(*branch->condition, frame) ? branch->yes : branch->no, frame);
    else if (auto *l = llvm::dyn_cast<ir::ForStmt>(s.get()))
      loop(*l, frame, [&](const ir::Body &inner) { collect(inner, frame); });
  }
}

void Unfolder::collect(const ir::TransferStmt &stmt, RankFrame &frame) {
  RankTransfer transfer;
  transfer.stmt = &stmt;
  bool fresh = stmt.message && stmt.message->buffer->kind == ir::BufferKind::Message;
  if (fresh) {
    const ir::Buffer &buffer = *stmt.message->buffer;
    View &view = frame.views[buffer.index];
    around.reset();
    view.storage = &storageOf(buffer, frame);
    if (!stmt.isSend && stmt.message->blocks.kind == ir::IndexKind::Whole) {
      view.unit = buffer.isArray ? frame.unit : 1;
      view.blockCounts = {1};
      view.takesLength = ir::takesLength(buffer, *frame.schedule, frame.lengths);
      view.ofCollective = false;
    }
  }
  std::int64_t index = value(*stmt.peer, frame);
  if (index == ir::none)
    return;
  transfer.peer = machineRank(stmt, *frame.ranks, me, index);
  if (stmt.message) {
    RankSlots taken = slots(*stmt.message, frame);
    transfer.storage = taken.storage;
    transfer.elastic = taken.elastic;
    transfer.takesLength = taken.takesLength;
    transfer.firstRun = taken.firstRun;
    transfer.runCount = taken.runCount;
    if (!taken.elastic && taken.runCount == 0)
      return; // a slice without blocks sends no message
    if (!stmt.isSend && stmt.message->buffer->kind == ir::BufferKind::Message && taken.elastic)
      expectShape(*stmt.message->buffer, transfer, frame);
  }
  if (wantStated)
    addTimes(transfer, frame);
  program->transfers.push_back(transfer);
}

void Unfolder::expectShape(const ir::Buffer &buffer, RankTransfer &transfer, RankFrame &frame) {
  const ir::Slice *like = ir::shapeOfMessage(buffer);
  const View *view = like ? &frame.views[like->buffer->index] : nullptr;
  const bool ofBlock = !like || !ir::isWhole(*like);
  std::vector<std::int64_t> chosen;
  auto count = [&] { return indexValues(like->blocks, frame, chosen).count(); };
  transfer.room = slotsOfMessage(like, view, 0, frame.unit, transfer.takesLength, count);
  transfer.shape = static_cast<std::uint32_t>(program->slots.size());
  frame.views[buffer.index].blockCounts = {transfer.room / frame.views[buffer.index].unit};
  RankSlots &slots = program->slots.emplace_back();
  slots.firstRun = static_cast<std::uint32_t>(program->runs.size());
  const View *shape = ofBlock ? frame.lengthModel() : view;
  if (!shape || shape->slots(0) < shape->unit)
    return;
  slots.storage = shape->storage;
  slots.runCount = 1;
  program->runs.push_back({shape->first(0), ofBlock ? shape->unit : shape->slots(0)});
}

void Unfolder::addTimes(RankTransfer &transfer, RankFrame &frame) {
  transfer.firstTime = static_cast<std::uint32_t>(program->times.size());
  std::vector<const RankFrame *> frames; // innermost first
  for (const RankFrame *at = &frame; at; at = at->user)
    frames.push_back(at);
  if (frames.back()->schedule->clocks.empty())
    return;
  for (size_t i = frames.size(); i-- > 0;)
    if (const ir::Clock *clock = i == 0 ? transfer.stmt->clock : frames[i - 1]->use->clock) {
      transfer.clock = clock;
      addTimes(*clock, *frames[i], transfer);
    }
  transfer.timeCount = static_cast<std::uint32_t>(program->times.size()) - transfer.firstTime;
}

void Unfolder::addTimes(const ir::Clock &clock, const RankFrame &frame, const RankTransfer &transfer) {
  Frame numbers = frame.numbers;
  const bool isSend = transfer.stmt->isSend;
  numbers[isSend ? clock.sender : clock.receiver] = frame.ranks->indexOf(me);
  numbers[isSend ? clock.receiver : clock.sender] = indexOfPeer(*frame.ranks, transfer.peer);
  for (const ir::Expr *time : clock.times)
    try {
      program->times.push_back(evaluate(*time, numbers));
    } catch (const EvaluationError &error) { // this does not mean that the schedule is wrong
      Diagnostic diagnostic(clock.range, diag::ClockWithoutValue{.rank = me, .sends = isSend, .peer = transfer.peer});
      diagnostic.note(error.range, error.facts);
      throw Finding{std::move(diagnostic)};
    }
}

std::int64_t Unfolder::indexOfPeer(const RankMap &map, std::uint32_t peer) const {
  if (map.groups.empty())
    return map.indexOf(peer);
  const std::vector<std::uint32_t> &members = map.groups[map.groupOf[me]];
  const auto at = static_cast<std::uint64_t>(llvm::find(members, peer) - members.begin());
  return static_cast<std::int64_t>((at + map.size - map.rotation) % map.size);
}

} // namespace quadrille::compiler
