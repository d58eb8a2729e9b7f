//===- RandomPlansTest.cpp - Plans compute the same without what is superfluous ===//

#include "../../../runtime/plan/Dependences.h"
#include "../../../runtime/plan/Plans.h"
#include "../../../runtime/plan/Window.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

using namespace quadrille;
using namespace quadrille::detail;

namespace {

class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed * 2862933555777941757u + 3037000493u) {}
  Index below(Index n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<Index>((state_ >> 33) % static_cast<std::uint64_t>(n));
  }

private:
  std::uint64_t state_;
};

/// The same part of any buffer.
struct View {
  Index block, packets, lo, len;
  static View any(Random &random, Index blocks) {
    const Index packets = random.below(3) == 0 ? 0 : random.below(2) == 0 ? 2 : 5;
    const Index count = packets == 0 ? blocks : packets;
    const Index lo = random.below(count);
    return {random.below(blocks), packets, lo, 1 + random.below(count - lo)};
  }
  Region of(const Region &buffer) const {
    return packets == 0 ? buffer.run(lo, len) : buffer.splitEach(packets)[block].run(lo, len);
  }
};

/// Records random operations on two arguments and two temporaries.
std::unique_ptr<Plan> randomPlan(std::uint64_t seed, bool optimize, std::vector<std::int64_t> &memory) {
  Random random(seed);
  const Index blocks = 1 + 2 * random.below(2), n = 60;
  Recorder recorder;
  recorder.reset(ElementShape());
  memory.assign(static_cast<std::size_t>(4 * blocks * n), 0);
  std::int64_t *at = memory.data();
  const auto next = [&] { return reinterpret_cast<std::byte *>(std::exchange(at, at + blocks * n)); };
  std::byte *const x = next(), *const y = next();
  for (std::byte *data : {x, y})
    recorder.note({data, blocks, n, blocks * n, nullptr});
  *recorder.key.room(1) = static_cast<Index>(Relation::Apart);
  recorder.begin(4);
  Region buffers[4];
  for (int i = 0; i < 4; ++i)
    buffers[i] = Region::uniform(i == 0 ? x : i == 1 ? y : next(), 8, blocks, n);
  recorder.attachUniform(buffers[0], x, blocks, n);
  recorder.attachUniform(buffers[1], y, blocks, n);
  recorder.attachTemporaryLike(buffers[2], buffers[0]);
  recorder.attachTemporaryLike(buffers[3], buffers[0]);
  // As in every schedule, nobody reads memory that has not been written.
  recorder.copy(buffers[2], buffers[0]);
  recorder.combine(buffers[3], buffers[0], buffers[2]);
  for (Index i = 3 + random.below(25); i > 0; --i) {
    const View view = random.below(3) == 0 ? View{0, 0, 0, blocks} : View::any(random, blocks);
    const auto some = [&](Index from) { return view.of(buffers[from + random.below(4 - from)]); };
    switch (random.below(4)) {
    case 0:
    case 1:
      recorder.copy(some(1), some(0)); // x is not written
      break;
    case 2:
      recorder.combine(some(1), some(0), some(0));
      break;
    case 3: {
      // Every buffer has at most one message.
      recorder.beginStep(random.below(4) == 0);
      for (Index b = 0; b < 4; ++b) {
        const Region part = View::any(random, blocks).of(buffers[b]);
        const Index what = random.below(b == 0 ? 2 : 5);
        if (what == 0)
          recorder.send(&part, random.below(4), 1);
        else if (what == 2)
          recorder.receive(&part, random.below(4), 1);
        else if (what == 3)
          recorder.receiveCombine(part, random.below(4), random.below(2) ? Side::Left : Side::Right, 1, false);
      }
    }
    }
  }
  if (optimize)
    return recorder.finish(/*combinesOnArrival=*/true);
  std::unique_ptr<Plan> plan = recorder.end();
  findDependences(*plan, Order::Data);
  return plan;
}

/// Executes a plan on numbers, in a random order of the operations allowed. The
/// result: the data sent, and the second argument at the end.
class Simulation {
public:
  Simulation(Plan &plan, Index n, std::uint64_t seed) : random_(seed) {
    const BoundPlan &bound = plan.bind(n, "simulation", 0);
    program_ = plan.program(bound);
    const Numbers numbers(plan.divisions, n);
    for (const PlanBuffer &buffer : plan.buffers) {
      memory_.emplace_back(
          static_cast<std::size_t>(numbers.elements(plan.divisions.whole(buffer.division))), 0);
      for (std::size_t i = 0; i < memory_.back().size(); ++i)
        memory_.back()[i] = buffer.argument == PlanBuffer::temporary
                                ? 0
                                : static_cast<std::uint64_t>(buffer.argument) * 1000 + i;
      if (buffer.argument == 1)
        result_ = memory_.size() - 1;
    }
    Window window;
    window.reset(program_);
    while (!window.isOver())
      window.advance(*this);
    for (auto &[key, values] : sent_)
      trace.insert(trace.end(), values.begin(), values.end());
    trace.insert(trace.end(), memory_[result_].begin(), memory_[result_].end());
  }

  Progress begin(const Operation &operation) {
    auto &turn = operation.isSend() ? sends_[operation.partner] : receives_[operation.partner];
    if (random_.below(2) == 0 || (operation.isMessage() && turn != operation.message))
      return Progress::Blocked;
    turn += operation.isMessage();
    std::vector<std::uint64_t *> to = elements(operation, 0);
    if (operation.isSend()) {
      auto &values = sent_[{operation.partner, operation.message}];
      for (const std::uint64_t *value : to)
        values.push_back(*value);
      return Progress::Done;
    }
    const auto combined = [](std::uint64_t a, std::uint64_t b) { return a * 31 + b * 17 + 7; };
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::uint64_t came = static_cast<std::uint64_t>(operation.partner) * 1000003 +
                                 operation.message * 10007 + i + 1;
      const auto own = [&](std::size_t k) { return *elements(operation, k)[i]; };
      *to[i] = operation.kind == Operation::Kind::Receive   ? came
               : operation.kind == Operation::Kind::Copy    ? own(1)
               : operation.kind == Operation::Kind::Combine ? combined(own(1), own(2))
               : operation.side == Side::Left               ? combined(came, own(1))
                                                            : combined(own(1), came);
    }
    return Progress::Done;
  }
  Progress poll(const Operation &) { return Progress::Done; }
  bool takesLong(const Operation &operation) const { return operation.line % 2 == 0; }
  bool failed() const { return false; }

  std::vector<std::uint64_t> trace;

private:
  std::vector<std::uint64_t *> elements(const Operation &operation, std::size_t i) {
    const Operand &operand = program_.operand(operation, i);
    std::vector<std::uint64_t *> result;
    const auto add = [&](Index offset, Index count) {
      for (Index j = 0; j < count; ++j)
        result.push_back(&memory_[operand.buffer].at(static_cast<std::size_t>(offset + j)));
    };
    if (operand.pieces == 0)
      add(operand.offset, operand.elements);
    else
      for (Index j = 0; j < operand.offset; ++j) {
        const Piece &piece = program_.pieces[operand.pieces - 1 + static_cast<std::size_t>(j)];
        add(piece.offset, piece.elements);
      }
    return result;
  }

  Random random_;
  Program program_;
  std::vector<std::vector<std::uint64_t>> memory_;
  std::size_t result_ = 0;
  std::map<std::pair<std::int32_t, std::uint32_t>, std::vector<std::uint64_t>> sent_;
  std::map<std::int32_t, std::uint32_t> sends_, receives_;
};

TEST(Superfluous, RandomProgramsComputeTheSameWithoutIt) {
  std::size_t before = 0, after = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    std::vector<std::int64_t> memory;
    const auto plain = randomPlan(seed, false, memory), lean = randomPlan(seed, true, memory);
    before += plain->operations.size();
    after += lean->operations.size();
    for (const Index n : {60, 0, 1, 7}) {
      ASSERT_EQ(Simulation(*plain, n, 1).trace, Simulation(*lean, n, seed).trace)
          << "seed " << seed << ", n = " << n;
    }
    // Operations of a step must not wait for each other: their partners might.
    for (const Operation &a : lean->operations)
      for (const Operation &b : lean->operations)
        if (&a < &b && a.step != 0 && a.step == b.step) {
          ASSERT_FALSE(conflict(*lean, a, b)) << "seed " << seed;
        }
  }
  EXPECT_LT(after, before * 9 / 10);
  RecordProperty("operations left per cent", static_cast<int>(100 * after / before));
}

} // namespace
