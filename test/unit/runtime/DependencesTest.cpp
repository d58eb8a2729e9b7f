//===- DependencesTest.cpp - Which operations wait for which -------------===//

#include "../../../runtime/plan/Dependences.h"
#include "../../../runtime/plan/Plans.h"

#include <gtest/gtest.h>

using namespace quadrille;
using namespace quadrille::detail;

namespace {

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
  const Operation &operation(std::size_t at) {
    if (!plan_)
      plan_ = recorder.finish(/*combinesOnArrival=*/true);
    return plan_->operations.at(at);
  }
  /// What operation `later` waits for.
  std::vector<std::size_t> before(std::size_t later) {
    const Operation &operation = this->operation(later);
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

// Nobody is kept by a receive from sending what others wait for.
TEST(Dependences, OfAStepSendsComeFirst) {
  Recording of;
  const Region &x = of.buffers[0], &y = of.buffers[1];
  for (Index step = 0; step < 2; ++step) {
    of.step();
    for (Index i = 0; i < 2; ++i) {
      of.receive(y[2 * step + i]);
      of.send(x[2 * step + i]);
    }
  }
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(of.operation(i).isSend(), i % 4 < 2) << i;
    EXPECT_EQ(of.operation(i).step, i / 4 + 1) << i;
    EXPECT_EQ(of.operation(i).message, 2 * (i / 4) + i % 2) << i; // their order stays
  }
}

TEST(Dependences, OfSynchronizingCallsKeepWhatArrivedBeforeWhatIsSent) {
  for (const bool synchronizes : {false, true}) {
    Recording of;
    const Region &x = of.buffers[0], &y = of.buffers[1];
    if (synchronizes)
      of.recorder.keepOrder();
    for (Index i = 0; i < 2; ++i) {
      of.step();
      of.send(x[i]);
      of.receive(y[i]);
    }
    EXPECT_EQ(of.before(1), Numbered{});
    EXPECT_EQ(of.before(2), synchronizes ? Numbered{1} : Numbered{});
    EXPECT_EQ(of.before(3), Numbered{}); // a receive of the same step as a send
  }
}

} // namespace
