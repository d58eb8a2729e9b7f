//===- quadrille/harness/trace.h - The messages of a rank ------*- C++ -*-===//
//
// The messages of one rank, step by step. Two independent sources produce them:
// the plans that emitted code records, and the reference interpreter. They must
// agree on partners, order and content.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_HARNESS_TRACE_H
#define QUADRILLE_HARNESS_TRACE_H

#include "quadrille/harness/data.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace quadrille {
namespace harness {

struct Message {
  bool isSend;
  std::int64_t partner;
  std::uint64_t elements;
  std::uint64_t content; ///< hash of the elements
  bool lockstep;         ///< it waits for all steps before its own

  bool operator==(const Message &other) const {
    return isSend == other.isSend && partner == other.partner && elements == other.elements &&
           content == other.content && lockstep == other.lockstep;
  }
};

/// The steps of a rank with their messages, and the number of elements that it has
/// combined. Steps without messages are ignored.
class Trace {
public:
  /// `keepSteps`: keep all messages, and not only their number and hash.
  explicit Trace(bool keepSteps = false) : keepSteps_(keepSteps) {}

  /// Adds a step. Its messages are unordered, except those from one rank to the
  /// same other rank.
  void addStep(std::vector<Message> messages) {
    if (messages.empty())
      return;
    std::stable_sort(messages.begin(), messages.end(), [](const Message &a, const Message &b) {
      return a.isSend != b.isSend ? a.isSend : a.partner < b.partner;
    });
    add(messages.size());
    for (const Message &message : messages) {
      add(message.isSend);
      add(message.lockstep);
      add(static_cast<std::uint64_t>(message.partner));
      add(message.elements);
      add(message.content);
    }
    ++stepCount_;
    if (keepSteps_)
      steps_.push_back(std::move(messages));
  }
  void addCombined(std::uint64_t elements) { combined_ += elements; }

  std::uint64_t stepCount() const { return stepCount_; }
  std::uint64_t hash() const { return hash_; }
  std::uint64_t combined() const { return combined_; }
  const std::vector<std::vector<Message>> &steps() const { return steps_; }

private:
  void add(std::uint64_t word) { hash_ = mix(hash_ ^ word) + word; }

  bool keepSteps_;
  std::uint64_t stepCount_ = 0, hash_ = 0, combined_ = 0;
  std::vector<std::vector<Message>> steps_;
};

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_TRACE_H
