//===- Calibrate.h - Measures messages and operators -----------*- C++ -*-===//
//
// For each PATTERN and 1, 2, 4, ... MOST-WORDS words, some batches of steps are
// timed. Rank 0 chooses the number of steps such that a size takes some hundred
// milliseconds. Patterns:
//
//   message   rank 0 sends to rank 1, which sends back; the others do nothing
//   exchange  ranks 0 and 1 send to each other at the same time
//   shift     every rank sends to the next one and receives from the one before
//   combine   every rank combines two blocks of its own
//
// A rank sends what it has just received. So the words come from the sender's
// core, as in collectives; a message that never changed would be in the
// receiver's cache after the first time.
//
// Rank r writes PREFIXr, a line per batch: PATTERN WORDS STEPS NS. Steps are
// made by the same calls as in emitted code.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_HARNESS_CALIBRATE_H
#define QUADRILLE_HARNESS_CALIBRATE_H

#include "quadrille/call.h"
#include "quadrille/index.h"
#include "quadrille/status.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace quadrille {
namespace harness {

template <class Communicator> class Calibration {
public:
  using Call = typename Communicator::Call;

  Calibration(Communicator &comm, const typename Communicator::Datatype &type, std::size_t elementBytes, Index mostWords,
              const std::string &prefix)
      : comm_(comm), type_(type), elementBytes_(elementBytes), mostWords_(mostWords),
        sent_(static_cast<std::size_t>(mostWords) * elementBytes), received_(sent_),
        out_(prefix + std::to_string(comm.rank())) {}

  Status run(const std::string &pattern) {
    comm_.setTimeout(30000);
    for (Index words = 1; words <= mostWords_; words *= 2)
      if (Status bad = measure(pattern, words))
        return bad;
    out_.flush();
    return out_ ? Status() : Status(ErrorCode::Transport, "the results cannot be written");
  }

private:
  static constexpr unsigned fewestBatches = 5, mostBatches = 25, fewestSteps = 2, mostSteps = 32;
  static constexpr long long batchNs = 2000000, sizeNs = 150000000;

  static long long nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  Region block(std::vector<unsigned char> &memory, Index words) const {
    return Region::uniform(memory.data(), static_cast<Index>(elementBytes_), 1, words);
  }

  /// Measures all batches of one size. The first one is short and not reported: it warms caches, and determines the number of
  /// steps of the others.
  Status measure(const std::string &pattern, Index words) {
    unsigned steps = fewestSteps;
    long long spentNs = 0;
    for (unsigned batches = 0;; ++batches) {
      long long ns = 0;
      if (Status bad = batch(pattern, words, steps, ns))
        return bad;
      const bool takesPart = comm_.rank() == 0 || (pattern != "message" && (pattern != "exchange" || comm_.rank() == 1));
      if (batches > 0 && takesPart)
        out_ << pattern << ' ' << words << ' ' << (pattern == "message" ? 2 * steps : steps) << ' ' << ns << '\n';
      spentNs += ns;
      if (batches == 0) {
        const long long fitting = batchNs * steps / (ns > 0 ? ns : 1);
        steps = static_cast<unsigned>(fitting < fewestSteps ? fewestSteps : fitting > mostSteps ? mostSteps : fitting);
      } else if (batches >= mostBatches || (batches >= fewestBatches && spentNs > sizeNs)) {
        steps = 0;
      }
      if (Status bad = agree(steps))
        return bad;
      if (steps == 0)
        return {};
    }
  }

  /// Broadcasts the number of steps from rank 0. So no rank begins a batch before rank 0 has finished the last one.
  Status agree(unsigned &steps) {
    std::vector<unsigned char> word(elementBytes_);
    Call call(comm_, "calibrate", type_);
    if (comm_.rank() != 0) {
      auto step = call.step(comm_.everyone(), 0);
      step.recv(block(word, 1), 0);
      if (Status bad = step.finish())
        return call.finish(bad);
      steps = word[0];
      return call.finish({});
    }
    word[0] = static_cast<unsigned char>(steps);
    for (Index rank = 1; rank < comm_.size(); ++rank) {
      auto step = call.step(comm_.everyone(), 0);
      step.send(block(word, 1), rank);
      if (Status bad = step.finish())
        return call.finish(bad);
    }
    return call.finish({});
  }

  Status batch(const std::string &pattern, Index words, unsigned steps, long long &ns) {
    const Index me = comm_.rank(), p = comm_.size();
    const Region first = block(sent_, words), second = block(received_, words);
    Call call(comm_, "calibrate", type_, Communicator::Operator::sum());
    const long long begin = nowNs();
    for (unsigned i = 0; i < steps; ++i) {
      const Region &out = i % 2 == 0 ? first : second, &in = i % 2 == 0 ? second : first;
      if (pattern == "combine") {
        call.combine(in, in, out);
      } else if (pattern == "message") {
        for (Index sender : {0, 1}) {
          if (me > 1)
            continue;
          auto step = call.step(comm_.everyone(), 0);
          if (me == sender)
            step.send(first, 1 - me);
          else
            step.recv(first, 1 - me);
          if (Status bad = step.finish())
            return call.finish(bad);
        }
      } else if (pattern == "shift" || me <= 1) {
        auto step = call.step(comm_.everyone(), 0);
        step.send(out, pattern == "shift" ? (me + 1) % p : 1 - me);
        step.recv(in, pattern == "shift" ? (me + p - 1) % p : 1 - me);
        if (Status bad = step.finish())
          return call.finish(bad);
      }
    }
    ns = nowNs() - begin;
    return call.finish({});
  }

  Communicator &comm_;
  typename Communicator::Datatype type_;
  std::size_t elementBytes_;
  Index mostWords_;
  std::vector<unsigned char> sent_, received_; // zeros, so that no sum overflows
  std::ofstream out_;
};

/// Measures all patterns, on one rank. `arguments`: the command line from ELEMENT on.
template <class Communicator> Status calibrate(Communicator &comm, int count, char **arguments) {
  const auto with = [&](auto zero) -> Status {
    using T = decltype(zero);
    Calibration<Communicator> calibration(comm, Communicator::Datatype::template of<T>(), sizeof(T), std::atoll(arguments[1]),
                                          arguments[2]);
    for (int i = 3; i < count; ++i)
      if (Status bad = calibration.run(arguments[i]))
        return bad;
    return {};
  };
  const std::string element = arguments[0];
  return element == "int32"    ? with(std::int32_t())
         : element == "int64"  ? with(std::int64_t())
         : element == "uint8"  ? with(std::uint8_t())
         : element == "uint32" ? with(std::uint32_t())
         : element == "uint64" ? with(std::uint64_t())
         : element == "float"  ? with(float())
                               : with(double());
}

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_CALIBRATE_H
