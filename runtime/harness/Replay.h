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

/// An error of a call, and its rank. No text: no error.
struct Problem {
  Index rank = 0;
  std::string text;
};

/// The plans of all ranks for one call, and the memory that they work on.
class Replay {
public:
  Replay(Index ranks, Element element, Combiner combiner);

  /// Adds the plan of a rank. `recorder`: knows the arguments.
  Status add(Index rank, std::shared_ptr<quadrille::detail::Plan> plan, const quadrille::detail::Recorder &recorder, Index n);
  bool isComplete() const;

  /// Executes the operations of each rank in the recorded order; only messages of
  /// a step happen at the same time. Writes the messages of all ranks to `traces`.
  Problem inOrder(std::vector<Trace> &traces);

  /// Executes operations in a random order that the plans allow, determined by
  /// `seed`. Data of messages is read as early or as late as possible.
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
    // For inOrder:
    std::size_t at = 0;      ///< the next operation
    std::size_t stepEnd = 0; ///< the end of the current step
    std::vector<Message> step;
    // For inAnyOrder:
    quadrille::detail::Window window;
  };
  /// A message that was sent.
  struct Mail {
    Elements elements;                     ///< in the memory of the sender
    std::shared_ptr<std::vector<unsigned char>> copy; ///< the data; null: still in the memory of the sender
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
