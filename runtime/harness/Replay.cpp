//===- Replay.cpp - The plans of all ranks, carried out by one thread -----===//

#include "Replay.h"

#include <algorithm>
#include <cstring>
#include <new>

using namespace quadrille;
using namespace quadrille::harness;
using quadrille::detail::ElementCursor;
using quadrille::detail::Operand;
using quadrille::detail::PlanBuffer;
using quadrille::detail::Progress;

namespace {

/// The operations on elements that Moves.h needs.
struct ElementMoves {
  Element element;
  Combiner combiner;

  void copy(std::byte *dst, const std::byte *src, Index elements) const {
    std::memmove(dst, src, static_cast<std::size_t>(elements) * elementBytes(element));
  }
  void combine(std::byte *dst, const std::byte *a, const std::byte *b, Index elements) const {
    harness::combine(element, combiner, dst, a, b, static_cast<std::uint64_t>(elements));
  }
};

} // namespace

Replay::Replay(Index ranks, Element element, Combiner combiner)
    : elementBytes_(static_cast<std::int64_t>(elementBytes(element))), element_(element), combiner_(combiner),
      ranks_(static_cast<std::size_t>(ranks)) {}

Status Replay::add(Index rank, std::shared_ptr<quadrille::detail::Plan> plan, const quadrille::detail::Recorder &recorder, Index n) {
  Rank &mine = ranks_[static_cast<std::size_t>(rank)];
  mine.plan = std::move(plan);
  try {
    mine.bound = &mine.plan->bind(n, "replay", rank);
    if (mine.bound->failure)
      return mine.bound->failure;
    mine.program = mine.plan->program(*mine.bound);
    // Reads of memory that was not written find these bytes, and are noticed.
    mine.temporaries.assign(static_cast<std::size_t>(mine.bound->temporaryElements * elementBytes_), untouched);
    mine.arrived.assign(mine.plan->slots, 0);
    mine.bases.clear();
    auto *const temporaries = reinterpret_cast<std::byte *>(mine.temporaries.data());
    for (std::size_t i = 0; i < mine.plan->buffers.size(); ++i) {
      const std::uint32_t argument = mine.plan->buffers[i].argument;
      mine.bases.push_back(argument == PlanBuffer::temporary ? temporaries + mine.bound->temporaries[i] * elementBytes_
                                                             : recorder.arguments[argument].data);
    }
    mine.window.reset(mine.program);
  } catch (const std::bad_alloc &) {
    return Status(ErrorCode::OutOfMemory, "out of memory for a plan");
  }
  return {};
}

/// False if a rank has no plan, because its call failed at once.
bool Replay::isComplete() const {
  return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank &rank) { return rank.plan != nullptr; });
}

Replay::Elements Replay::elements(const Rank &rank, const Operation &operation, std::size_t i) const {
  if (i >= operation.operandCount)
    return Elements(nullptr, 0, elementBytes_);
  return Elements(rank.program, rank.program.operand(operation, i), rank.bases.data(), rank.arrived.data(), elementBytes_);
}

void Replay::fail(Index rank, const Operation &operation, const std::string &what) {
  if (failure_.text.empty())
    failure_ = {rank, "line " + std::to_string(operation.line) + ": " + what};
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Replay::Mail Replay::copied(const Elements &elements) const {
  Mail mail;
  mail.copy = std::make_shared<std::vector<unsigned char>>(static_cast<std::size_t>(elements.elements() * elementBytes_));
  auto *const bytes = reinterpret_cast<std::byte *>(mail.copy->data());
  mail.elements = Elements(bytes, elements.elements(), elementBytes_);
  ElementMoves moves{element_, combiner_};
  quadrille::detail::copy(moves, mail.elements, elements);
  return mail;
}

Message Replay::noted(const Operation &operation, const Elements &elements) const {
  const Mail mail = copied(elements);
  return {operation.isSend(), operation.partner, static_cast<std::uint64_t>(elements.elements()),
          hash(mail.copy->data(), mail.copy->size()), operation.lockstep};
}

/// Executes a copy or a combination.
void Replay::move(Rank &rank, const Operation &operation) {
  const Index number = static_cast<Index>(&rank - ranks_.data());
  ElementMoves moves{element_, combiner_};
  const Elements to = elements(rank, operation, 0), left = elements(rank, operation, 1);
  if (operation.kind == Operation::Kind::Copy) {
    if (to.elements() != left.elements())
      return fail(number, operation, "a copy of another length");
    quadrille::detail::copy(moves, to, left);
    return;
  }
  const Elements right = elements(rank, operation, 2);
  if (to.elements() != left.elements() || to.elements() != right.elements())
    return fail(number, operation, "a combination of other lengths");
  quadrille::detail::combine(moves, to, left, right);
  if (traces_)
    (*traces_)[static_cast<std::size_t>(number)].addCombined(static_cast<std::uint64_t>(to.elements()));
}

void Replay::take(Index number, const Operation &operation, const Elements &incoming) {
  Rank &rank = ranks_[static_cast<std::size_t>(number)];
  ElementMoves moves{element_, combiner_};
  const Elements into = elements(rank, operation, 0);
  const bool upTo = operation.kind == Operation::Kind::ReceiveUpTo;
  if (upTo ? incoming.elements() > into.elements() : incoming.elements() != into.elements())
    return fail(number, operation,
                "rank " + std::to_string(operation.partner) + " sends " + std::to_string(incoming.elements()) +
                    " elements to where " + std::to_string(into.elements()) + " are expected");
  if (upTo)
    rank.arrived[operation.slot] = incoming.elements();
  if (operation.kind != Operation::Kind::ReceiveCombine) {
    if (incoming.elements() > 0)
      quadrille::detail::copy(moves, into, incoming);
    return;
  }
  const Elements own = elements(rank, operation, 1);
  if (operation.side == Side::Left)
    quadrille::detail::combine(moves, into, incoming, own);
  else
    quadrille::detail::combine(moves, into, own, incoming);
  if (traces_)
    (*traces_)[static_cast<std::size_t>(number)].addCombined(static_cast<std::uint64_t>(into.elements()));
}

//===----------------------------------------------------------------------===//
// As it was recorded
//===----------------------------------------------------------------------===//

Problem Replay::inOrder(std::vector<Trace> &traces) {
  traces_ = &traces;
  std::deque<Index> ready;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
    ready.push_back(static_cast<Index>(rank));
  std::size_t ended = 0;
  while (!ready.empty() && failure_.text.empty()) {
    const Index rank = ready.front();
    ready.pop_front();
    const Rank &mine = ranks_[static_cast<std::size_t>(rank)];
    const bool wasOver = mine.at == mine.program.count;
    if (advanceInOrder(rank, traces[static_cast<std::size_t>(rank)], ready) && !wasOver)
      ++ended;
  }
  traces_ = nullptr;
  if (!failure_.text.empty() || ended == ranks_.size() ||
      std::all_of(ranks_.begin(), ranks_.end(), [](const Rank &rank) { return rank.at == rank.program.count; }))
    return failure_;
  return waiting();
}

/// Executes operations of a rank as far as possible. Adds ranks that get messages
/// to `ready`. \returns whether the rank is at its end.
bool Replay::advanceInOrder(Index number, Trace &trace, std::deque<Index> &ready) {
  Rank &rank = ranks_[static_cast<std::size_t>(number)];
  while (rank.at < rank.program.count && failure_.text.empty()) {
    const Operation &operation = rank.program.operations[rank.at];
    if (!operation.isMessage()) {
      move(rank, operation);
      ++rank.at;
      continue;
    }
    if (rank.stepEnd <= rank.at) {
      // A step begins. It sends the data from before the step.
      for (rank.stepEnd = rank.at; rank.stepEnd < rank.program.count; ++rank.stepEnd) {
        const Operation &other = rank.program.operations[rank.stepEnd];
        if (!other.isMessage() || other.step != operation.step)
          break;
        if (!other.isSend())
          continue;
        const Elements content = elements(rank, other, 0);
        rank.step.push_back(noted(other, content));
        channel(number, other.partner).mail.push_back(copied(content));
        ready.push_back(other.partner);
      }
    }
    for (; rank.at < rank.stepEnd; ++rank.at) {
      const Operation &receive = rank.program.operations[rank.at];
      if (receive.isSend())
        continue;
      Channel &from = channel(receive.partner, number);
      if (from.taken == from.mail.size())
        return false;
      Mail mail = std::move(from.mail[from.taken++]);
      rank.step.push_back(noted(receive, mail.elements));
      take(number, receive, mail.elements);
    }
    trace.addStep(std::move(rank.step));
    rank.step.clear();
  }
  return rank.at == rank.program.count;
}

/// The first rank that waits, and the rank that it waits for.
Problem Replay::waiting() const {
  for (std::size_t number = 0; number < ranks_.size(); ++number) {
    const Rank &rank = ranks_[number];
    if (rank.at < rank.program.count && rank.stepEnd > rank.at) {
      const Operation &operation = rank.program.operations[rank.at];
      return {static_cast<Index>(number),
              "line " + std::to_string(operation.line) + ": waits for rank " + std::to_string(operation.partner) + " forever"};
    }
    std::string text;
    rank.window.forEachPending([&](const Operation &operation, bool) {
      if (text.empty() && operation.isMessage())
        text = "line " + std::to_string(operation.line) + ": waits to " + operation.verb() + (operation.isSend() ? " to" : " from") +
               " rank " + std::to_string(operation.partner) + " forever";
    });
    if (!text.empty())
      return {static_cast<Index>(number), text};
  }
  return {0, "waits forever"};
}

//===----------------------------------------------------------------------===//
// In any order that is allowed
//===----------------------------------------------------------------------===//

/// The interface for the window of a rank.
class Replay::Port {
public:
  Port(Replay &replay, Index rank, std::uint64_t &random, bool isReluctant)
      : replay_(replay), rank_(replay.ranks_[static_cast<std::size_t>(rank)]), number_(rank), random_(random),
        isReluctant_(isReluctant) {}

  bool failed() const { return !replay_.failure_.text.empty(); }

  Progress begin(const Operation &operation) {
    if (isReluctant_ && next() % 3 == 0)
      return Progress::Blocked;
    if (!operation.isMessage()) {
      replay_.move(rank_, operation);
      return Progress::Done;
    }
    if (operation.isReceive())
      return receive(operation);
    std::vector<Mail> &mail = replay_.channel(number_, operation.partner).mail;
    if (mail.size() != operation.message)
      return Progress::Blocked; // an earlier message has not been sent yet
    const Elements content = replay_.elements(rank_, operation, 0);
    if (next() % 2 == 0) {
      mail.push_back(replay_.copied(content));
      return Progress::Done;
    }
    mail.emplace_back();
    mail.back().elements = content;
    return Progress::UnderWay;
  }

  bool takesLong(const Operation &) const { return true; }
  Progress poll(const Operation &operation) {
    return replay_.channel(number_, operation.partner).mail[operation.message].isTaken ? Progress::Done : Progress::Blocked;
  }

private:
  std::uint64_t next() { return random_ = mix(random_); }

  Progress receive(const Operation &operation) {
    Channel &from = replay_.channel(operation.partner, number_);
    if (from.taken != operation.message || from.taken >= from.mail.size())
      return Progress::Blocked;
    Mail &mail = from.mail[from.taken++];
    replay_.take(number_, operation, mail.elements);
    mail.isTaken = true;
    return Progress::Done;
  }

  Replay &replay_;
  Rank &rank_;
  Index number_;
  std::uint64_t &random_;
  bool isReluctant_;
};

Problem Replay::inAnyOrder(std::uint64_t seed) {
  std::uint64_t random = mix(seed);
  bool isReluctant = true;
  while (true) {
    bool any = false, isOver = true;
    const std::size_t first = random % ranks_.size();
    for (std::size_t i = 0; i < ranks_.size() && failure_.text.empty(); ++i) {
      const std::size_t rank = (first + i) % ranks_.size();
      Port port(*this, static_cast<Index>(rank), random, isReluctant);
      any |= ranks_[rank].window.advance(port);
      isOver &= ranks_[rank].window.isOver();
    }
    if (!failure_.text.empty() || isOver)
      return failure_;
    // If nothing was done, ranks may have been delayed at random. Try without that before giving up.
    if (!any && !isReluctant)
      return waiting();
    isReluctant = any;
  }
}
