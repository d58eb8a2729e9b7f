//===- PlanTest.cpp - What calls are recorded as --------------------------===//

#include "../../../runtime/plan/Dependences.h"
#include "../../../runtime/plan/Plans.h"
#include "../../../runtime/plan/Window.h"
#include "../../../runtime/shm/World.h"

#include "ShmChecks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <new>
#include <utility>

using namespace quadrille;
using namespace quadrille::detail;
using checks::Report;
using shm::Communicator;
using shm::Datatype;
using shm::Operator;
using shm::Team;

//===----------------------------------------------------------------------===//
// Allocations are counted.
//===----------------------------------------------------------------------===//

static std::atomic<long> allocations{0};

void *operator new(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void *memory = std::malloc(bytes ? bytes : 1))
    return memory;
  throw std::bad_alloc();
}
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(bytes ? bytes : 1);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace {

//===----------------------------------------------------------------------===//
// Divisions
//===----------------------------------------------------------------------===//

Blocks blocks(Divisions::Id division, std::int32_t lo, std::int32_t len) {
  Blocks result;
  result.division = division;
  result.lo = lo;
  result.len = len;
  return result;
}

TEST(Divisions, NumbersForEveryN) {
  Divisions divisions;
  // Three blocks of n elements; block 1 in 4 packets; packet 2 of these in 3.
  const auto whole = divisions.uniform(7, 3, Divisions::callLength);
  const auto packets = divisions.packets(whole, 1, 4);
  const auto parts = divisions.packets(packets, 2, 3);
  EXPECT_EQ(divisions.packets(whole, 1, 4), packets); // is the same one
  EXPECT_EQ(divisions.bufferOf(parts), 7u);
  for (const Index n : {0, 1, 2, 3, 4, 5, 11, 1000, 1 << 30}) {
    const Numbers numbers(divisions, n);
    EXPECT_EQ(numbers.offset(whole, 2), 2 * n);
    Index at = n;
    for (Index j = 0; j < 4; ++j) {
      EXPECT_EQ(numbers.offset(packets, j), at);
      if (j == 2) {
        Index part = at;
        const Index length = n / 4 + (2 < n % 4 ? 1 : 0);
        for (Index i = 0; i < 3; ++i) {
          EXPECT_EQ(numbers.offset(parts, i), part);
          part += length / 3 + (i < length % 3 ? 1 : 0);
        }
        EXPECT_EQ(numbers.offset(parts, 3), part);
      }
      at += n / 4 + (j < n % 4 ? 1 : 0);
    }
    EXPECT_EQ(numbers.elements(blocks(whole, 0, 3)), 3 * n);
    EXPECT_EQ(numbers.elements(divisions.whole(packets)), n);
  }
}

TEST(Divisions, WhatMayOverlap) {
  Divisions divisions;
  const auto x = divisions.uniform(0, 3, Divisions::callLength);
  const auto y = divisions.uniform(1, 3, Divisions::callLength);
  const auto inFour = divisions.packets(x, 1, 4), inThree = divisions.packets(x, 1, 3);
  const auto other = divisions.packets(x, 2, 4);
  EXPECT_FALSE(divisions.mayOverlap(blocks(x, 0, 3), blocks(y, 0, 3)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(x, 0, 1), blocks(x, 1, 2)));
  EXPECT_TRUE(divisions.mayOverlap(blocks(x, 0, 2), blocks(x, 1, 2)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(inFour, 0, 2), blocks(inFour, 2, 2)));
  EXPECT_TRUE(divisions.mayOverlap(blocks(inFour, 0, 2), blocks(x, 1, 1)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(inFour, 0, 2), blocks(x, 2, 1)));
  EXPECT_FALSE(divisions.mayOverlap(blocks(inFour, 0, 4), blocks(other, 0, 4)));
  // Where packets of four and of three begin depends on n.
  EXPECT_TRUE(divisions.mayOverlap(blocks(inFour, 0, 1), blocks(inThree, 2, 1)));
  EXPECT_TRUE(divisions.areSame(blocks(inFour, 1, 2), blocks(inFour, 1, 2)));
  EXPECT_FALSE(divisions.areSame(blocks(inFour, 1, 2), blocks(inThree, 1, 2)));
}

//===----------------------------------------------------------------------===//
// The window
//===----------------------------------------------------------------------===//

/// Records which operations are begun; the test ends them.
struct Port {
  std::vector<int> state; ///< 0 not begun, 1 under way, 2 done
  const Operation *first = nullptr;
  std::vector<std::size_t> order;
  std::size_t at(const Operation &operation) const {
    return static_cast<std::size_t>(&operation - first);
  }
  Progress begin(const Operation &operation) {
    state[at(operation)] = operation.isMessage() ? 1 : 2;
    order.push_back(at(operation));
    return operation.isMessage() ? Progress::UnderWay : Progress::Done;
  }
  Progress poll(const Operation &operation) {
    return state[at(operation)] == 2 ? Progress::Done : Progress::UnderWay;
  }
  bool failed() const { return false; }
};

TEST(Window, RespectsDependencesAndLooksAhead) {
  // Every operation waits for the one three before it.
  for (const std::size_t count : {1u, 3u, 63u, 64u, 65u, 130u, 300u}) {
    std::vector<Operation> operations(count);
    for (std::size_t i = 0; i < count; ++i) {
      operations[i].kind = Operation::Kind::Send;
      operations[i].waitsFor = i >= 3 ? std::uint64_t{1} << 61 : 0;
      operations[i].follows = static_cast<std::uint32_t>(i < window ? 0 : i - window + 1);
    }
    Window progress;
    progress.reset({operations.data(), count, nullptr, nullptr});
    Port port;
    port.first = operations.data();
    port.state.assign(count, 0);
    std::uint64_t random = 1;
    while (!progress.isOver()) {
      progress.advance(port);
      for (std::size_t i = 0; i < count; ++i) {
        if (i >= 3 && port.state[i] > 0) {
          EXPECT_EQ(port.state[i - 3], 2) << i << " of " << count;
        }
        random = random * 6364136223846793005u + 1442695040888963407u;
        if (port.state[i] == 1 && random >> 62 == 0)
          port.state[i] = 2;
      }
    }
    EXPECT_EQ(port.order.size(), count);
  }
}

TEST(Window, ALongStepIsBegunAsAWhole) {
  constexpr std::size_t count = 500;
  std::vector<Operation> operations(count); // all of one step
  Window progress;
  progress.reset({operations.data(), count, nullptr, nullptr});
  Port port;
  port.first = operations.data();
  port.state.assign(count, 0);
  progress.advance(port);
  EXPECT_EQ(port.order.size(), count);
}

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

/// Records messages between blocks of two arguments.
class Recording {
public:
  static constexpr Index blocks = 4, n = 10;

  Recording() {
    recorder.reset(ElementShape());
    for (std::vector<std::int64_t> &argument : memory_)
      recorder.note({reinterpret_cast<std::byte *>(argument.data()), blocks, n, blocks * n, nullptr});
    *recorder.key.room(1) = static_cast<Index>(Relation::Apart);
    recorder.begin(8);
    for (int i = 0; i < 2; ++i) {
      buffers[i] = Region::uniform(memory_[i].data(), 8, blocks, n);
      recorder.attachUniform(buffers[i], memory_[i].data(), blocks, n);
    }
  }

  void step(bool lockstep = false) { recorder.beginStep(lockstep); }
  void send(const Region &what) { recorder.send(&what, 1, 1); }
  void receive(const Region &into) { recorder.receive(&into, 1, 1); }
  /// What operation `later` waits for.
  std::vector<std::size_t> before(std::size_t later) {
    if (!plan_)
      plan_ = recorder.finish(/*combinesOnArrival=*/true);
    const Operation &operation = plan_->operations.at(later);
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < later; ++i)
      if (i < operation.follows ||
          (later - i < window && (operation.waitsFor >> (64 - (later - i)) & 1) != 0))
        result.push_back(i);
    return result;
  }

  Recorder recorder;
  Region buffers[2];

private:
  std::vector<std::int64_t> memory_[2] = {std::vector<std::int64_t>(blocks * n),
                                          std::vector<std::int64_t>(blocks * n)};
  std::unique_ptr<Plan> plan_;
};

using Numbered = std::vector<std::size_t>;

TEST(Dependences, MessagesOfAStepDoNotWaitForEachOther) {
  // By what divisions know, parts of two blocks may overlap.
  Recording of;
  const Region &y = of.buffers[1];
  const Region first = y[0].like(y[2]), second = y[1].like(y[2]);
  of.step();
  of.send(first);
  of.receive(second);
  of.step();
  of.send(second);
  EXPECT_EQ(of.before(1), Numbered{});
  EXPECT_EQ(of.before(2), Numbered{1});
}

TEST(Dependences, OfLockstepAreAllStepsBefore) {
  Recording of;
  const Region &x = of.buffers[0], &y = of.buffers[1];
  for (Index i = 0; i < 3; ++i) {
    of.step(/*lockstep=*/i == 1);
    of.send(x[i]);
    of.receive(y[i]);
  }
  EXPECT_EQ(of.before(2), (Numbered{0, 1}));
  EXPECT_EQ(of.before(3), (Numbered{0, 1}));
  EXPECT_EQ(of.before(4), Numbered{}); // whoever comes behind is free
  EXPECT_EQ(of.before(5), Numbered{});
}

TEST(Dependences, OfSynchronizingCallsKeepWhatArrivedBeforeWhatIsSent) {
  for (const bool synchronizes : {false, true}) {
    Recording of;
    const Region &x = of.buffers[0], &y = of.buffers[1];
    if (synchronizes)
      of.recorder.keepOrder();
    for (Index i = 0; i < 2; ++i) {
      of.step();
      of.receive(y[i]);
      of.send(x[i]); // of the same step: it does not wait
    }
    EXPECT_EQ(of.before(1), Numbered{});
    EXPECT_EQ(of.before(2), Numbered{});
    EXPECT_EQ(of.before(3), synchronizes ? Numbered{0} : Numbered{});
  }
}

//===----------------------------------------------------------------------===//
// Random programs
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Plans of calls
//===----------------------------------------------------------------------===//

/// A collective that counts how often its body is recorded.
Status sumOfAll(Communicator &comm, Index k, const void *x, void *y, std::size_t n,
                std::atomic<int> &recorded) {
  Communicator::Call call(comm, "sum.quad", Datatype::of<int>(), Operator::sum());
  if (Status bad = call.requireBuffer("x", x, 1, n))
    return bad;
  if (Status bad = call.requireBuffer("y", y, 1, n))
    return bad;
  return call.run({k}, [&]() -> Status {
    ++recorded;
    const Index p = comm.size(), me = comm.rank();
    const Region out = call.output(y, 1, n);
    const Region in = call.input(x, 1, n, out);
    call.copy(out, in);
    for (Index j = 0; j < k; ++j)
      for (Index s = 1; s < p; ++s) {
        auto step = call.step(comm.everyone(), 1);
        step.send(in.split(k)[j], (me + s) % p);
        step.recvCombine(out.split(k)[j], (me + p - s) % p, Side::Right);
        if (Status bad = step.finish())
          return bad;
      }
    return {};
  });
}

TEST(Plans, AreRecordedOncePerRankAndParameters) {
  constexpr Index p = 3;
  Team team(p);
  std::atomic<int> recorded{0};
  Report report;
  const auto runs = [&](Index k, std::size_t n, bool inPlace) {
    recorded = 0;
    const Status bad = team.run([&](Communicator &comm) -> Status {
      std::vector<int> x(n + 1, static_cast<int>(comm.rank()) + 1), y(n + 1, -1);
      if (Status wrong = sumOfAll(comm, k, x.data(), inPlace ? x.data() : y.data(), n, recorded))
        return wrong;
      for (std::size_t i = 0; i < n; ++i)
        report.expect((inPlace ? x : y)[i] == 6, comm.rank(), "the sum");
      return {};
    });
    EXPECT_FALSE(bad) << bad.text();
    return recorded.load();
  };
  EXPECT_EQ(runs(2, 0, false), p); // also what was recorded without elements
  EXPECT_EQ(runs(2, 5, false), 0); // holds for every n,
  EXPECT_EQ(runs(2, 1000, false), 0);
  EXPECT_EQ(runs(2, 5, true), p); // but not in place,
  EXPECT_EQ(runs(2, 7, true), 0);
  EXPECT_EQ(runs(3, 7, false), p); // nor for other numbers.
  EXPECT_EQ(runs(2, 7, false), 0);
  // The least recently used goes.
  for (Index k = 10; k < 10 + static_cast<Index>(PlanCache::mostPlans); ++k)
    EXPECT_EQ(runs(k, 3, false), p);
  EXPECT_EQ(runs(2, 7, false), p);
  EXPECT_EQ(runs(9 + static_cast<Index>(PlanCache::mostPlans), 7, false), 0);
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(Plans, NothingIsAllocatedWhenTheyAreKnown) {
  Team team(2);
  std::atomic<long> most{0};
  const Status bad = team.run([&](Communicator &comm) -> Status {
    std::vector<double> x(1000, 1), y(1000);
    Persistent prepared = comm.prepare([&] {
      return emitted::scan_hypercube(comm, x.data(), y.data(), 1000, Datatype::of<double>(),
                                     Operator::sum());
    });
    for (int i = 0; i < 20; ++i) {
      const long before = allocations;
      if (Status wrong = prepared.start())
        return wrong;
      if (Status wrong = prepared.wait())
        return wrong;
      for (const std::size_t n : {1u, 1000u}) {
        if (Status wrong = emitted::scan_hypercube(comm, x.data(), y.data(), n,
                                                   Datatype::of<double>(), Operator::sum()))
          return wrong;
        Request request = comm.start([&, n] {
          return emitted::scan_hypercube(comm, x.data(), y.data(), n, Datatype::of<double>(),
                                         Operator::sum());
        });
        if (Status wrong = request.wait())
          return wrong;
      }
      // Both ranks have made the same calls, so neither is in an earlier one.
      if (Status wrong = emitted::barrier_dissemination(comm))
        return wrong;
      const long after = allocations;
      // A rank frees its memory when it is done, so neither may be done before both have counted.
      if (Status wrong = emitted::barrier_dissemination(comm))
        return wrong;
      if (i >= 18) // all lanes have been used
        most = std::max(most.load(), after - before);
    }
    return {};
  });
  EXPECT_FALSE(bad) << bad.text();
  EXPECT_EQ(most.load(), 0);
}

/// Keeps the plan of a call, which is not carried out.
class Keeper final : public PlanObserver {
public:
  Stage stage() const override { return Stage::CombinesOnArrival; }
  Status see(std::shared_ptr<Plan> seen, const Recorder &, Index) override {
    plan = std::move(seen);
    return {};
  }
  std::shared_ptr<Plan> plan;
};

TEST(Plans, OfThousandsOfRanksTakeLessThanTwoMegabytes) {
  constexpr Index p = 4096, rank = 1234, n = p + 1;
  shm::World world(p);
  Communicator comm(world, rank);
  Keeper keeper;
  shm::detail::CommunicatorState::of(comm).plans.observer = &keeper;
  std::vector<double> x(n), y(n);
  const Status bad = emitted::allreduce_ring(comm, x.data(), y.data(), n, Datatype::of<double>(), Operator::sum());
  ASSERT_FALSE(bad) << bad.text();
  ASSERT_TRUE(keeper.plan);
  (void)keeper.plan->bind(n, "ring", rank);
  EXPECT_EQ(keeper.plan->operations.size(), static_cast<std::size_t>(4 * (p - 1)));
  EXPECT_LT(keeper.plan->bytes(), std::size_t{2} << 20);
}

TEST(Plans, AreToldOnRequest) {
  setenv("QUADRILLE_EXPLAIN", "1", 1);
  testing::internal::CaptureStderr();
  {
    Team team(2);
    (void)team.run([](Communicator &comm) -> Status {
      std::vector<int> x(4), y(4);
      std::atomic<int> recorded{0};
      if (Status bad = sumOfAll(comm, 2, x.data(), y.data(), 4, recorded))
        return bad;
      return emitted::barrier_dissemination(comm);
    });
  }
  unsetenv("QUADRILLE_EXPLAIN");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "plan of sum.quad for rank 1 of 2: 4 operations, 1 superfluous ones removed\n"
            "    1  send x[0] to 0\n"
            "    2  y[0] := x[0] <> incoming from 0\n"
            "    3  send x[1] to 0\n"
            "    4  y[1] := x[1] <> incoming from 0\n"
            "plan of barrier/dissemination.quad for rank 1 of 2: 2 operations, 0 superfluous ones removed\n"
            "    1  send to 0\n"
            "    2  receive from 0\n");
}

TEST(Plans, LengthsThatDoNotFitAreFoundBeforeAnyMessage) {
  Team team(2);
  const Status bad = team.run([&](Communicator &comm) -> Status {
    std::vector<int> x(8), y(8);
    Communicator::Call call(comm, "lengths.quad", Datatype::of<int>());
    if (Status wrong = call.requireBuffer("x", x.data(), 2, 3))
      return wrong;
    if (Status wrong = call.requireBuffer("y", y.data(), 2, 3))
      return wrong;
    return call.run({}, [&]() -> Status {
      call.copy(call.output(y.data(), 2, 3), call.output(x.data(), 2, 3)[0]);
      return {};
    });
  });
  EXPECT_STREQ(bad.text(), "lengths.quad: rank 0 copies 3 elements to 6");
}

} // namespace
