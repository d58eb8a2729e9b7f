//===- Replay.h - The plans of all ranks, carried out by one thread -*- C++ -*-===//

#ifndef QUADRILLE_HARNESS_REPLAY_H
#define QUADRILLE_HARNESS_REPLAY_H

#include "../plan/Moves.h"
#include "../plan/Plan.h"
#include "../plan/Recorder.h"
#include "../plan/Window.h"

#include "quadrille/harness/data.h"
#include "quadrille/harness/trace.h"

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace quadrille {
namespace harness {

/// What is wrong with a call, and with which rank of it. No text: nothing is.
struct Problem {
  Index rank = 0;
  std::string text;
};

/// Of one call, the plans of all its ranks and the memory that they work on.
class Replay {
public:
  Replay(Index ranks, Element element, Combiner combiner);

  /// The plan of a rank, for the arguments that `recorder` knows.
  Status add(Index rank, std::shared_ptr<quadrille::detail::Plan> plan, const quadrille::detail::Recorder &recorder, Index n);
  bool isComplete() const;

  /// Does what was recorded, one operation after the other; only messages of one
  /// step happen at once. Writes down what all ranks say and hear.
  Problem inOrder(std::vector<Trace> &traces);

  /// Does operations in some order that the plans allow: whatever `seed` says is
  /// put off, and what is sent is read as late as possible or as early.
  Problem inAnyOrder(std::uint64_t seed);

private:
  using Operation = quadrille::detail::Operation;
  using Elements = quadrille::detail::Elements;

  struct Rank {
    std::shared_ptr<quadrille::detail::Plan> plan;
    const quadrille::detail::BoundPlan *bound = nullptr;
    quadrille::detail::Program program;
    std::vector<std::byte *> bases;
    std::vector<Index> arrived;
    std::vector<unsigned char> temporaries;
    // In order:
    std::size_t at = 0;      ///< the operation that is next
    std::size_t stepEnd = 0; ///< the end of the step that is under way
    std::vector<Message> step;
    // In any order:
    quadrille::detail::Window window;
  };
  /// A message that nobody has received yet.
  struct Mail {
    Elements elements;                     ///< where they are
    std::shared_ptr<std::vector<unsigned char>> copy; ///< null: in the sender's memory
    bool isTaken = false;
  };
  /// The messages from one rank to another.
  struct Channel {
    std::vector<Mail> mail;
    std::size_t taken = 0;
  };
  class Port;

  Elements elements(const Rank &rank, const Operation &operation, std::size_t i) const;
  Channel &channel(Index from, Index to) {
    return channels_[static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint64_t>(to)];
  }
  Mail copied(const Elements &elements) const;
  Message noted(const Operation &operation, const Elements &elements) const;
  void move(Rank &rank, const Operation &operation);
  void take(Index rank, const Operation &operation, const Elements &incoming);
  bool advanceInOrder(Index rank, Trace &trace, std::deque<Index> &ready);
  void fail(Index rank, const Operation &operation, const std::string &what);
  Problem waiting() const;

  std::int64_t elementBytes_;
  Element element_;
  Combiner combiner_;
  std::vector<Rank> ranks_;
  std::unordered_map<std::uint64_t, Channel> channels_;
  std::vector<Trace> *traces_ = nullptr;
  Problem failure_;
};

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_REPLAY_H
