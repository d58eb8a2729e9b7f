//===- WindowTest.cpp - The order in which operations are begun ----------===//

#include "../../../runtime/plan/Window.h"

#include <gtest/gtest.h>

#include <cstdint>

using namespace quadrille;
using namespace quadrille::detail;

namespace {

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
  bool takesLong(const Operation &operation) const { return areMovesLong || at(operation) == longMove; }
  bool failed() const { return false; }
  bool areMovesLong = false;
  std::size_t longMove = SIZE_MAX;
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

// A partner should not have to wait until this rank has copied something that the
// message does not need.
TEST(Window, SendsBeginBeforeLongCopies) {
  for (const std::size_t between : {0u, 70u}) { // messages that are already under way
    std::vector<Operation> operations(between + 4);
    for (Operation &operation : operations)
      operation.kind = Operation::Kind::Receive;
    Operation *const last = operations.data() + between;
    last[0].kind = Operation::Kind::Copy;
    last[1].kind = Operation::Kind::Send;
    last[2].kind = Operation::Kind::Combine;
    last[3].kind = Operation::Kind::Send;
    last[3].waitsFor = std::uint64_t{1} << 63; // for the combination
    for (const bool isLong : {false, true}) {
      Window progress;
      progress.reset({operations.data(), operations.size(), nullptr, nullptr});
      Port port;
      port.first = operations.data();
      port.state.assign(operations.size(), 0);
      port.areMovesLong = isLong;
      progress.advance(port);
      ASSERT_EQ(port.order.size(), operations.size()); // each once
      const std::vector<std::size_t> order(port.order.end() - 4, port.order.end());
      EXPECT_EQ(order, isLong ? (std::vector<std::size_t>{between + 1, between, between + 2, between + 3})
                              : (std::vector<std::size_t>{between, between + 1, between + 2, between + 3}));
    }
  }
}

// What ends the operations that are done in order, a long one or a message, waits
// for those before it, and they are done.
TEST(Window, GoesOnWhereTheBeginningInOrderEnded) {
  for (const std::size_t stop : {0u, 1u, 63u, 64u, 100u, 129u})
    for (const bool isMessage : {false, true}) {
      constexpr std::size_t count = 130;
      std::vector<Operation> operations(count);
      for (std::size_t i = 0; i < count; ++i) {
        operations[i].kind = Operation::Kind::Copy;
        operations[i].waitsFor = i > 0 ? std::uint64_t{1} << 63 : 0;
        operations[i].follows = static_cast<std::uint32_t>(i < window ? 0 : i - window + 1);
      }
      Window progress;
      progress.reset({operations.data(), count, nullptr, nullptr});
      Port port;
      port.first = operations.data();
      port.state.assign(count, 0);
      if (isMessage)
        operations[stop].kind = Operation::Kind::Send;
      else
        port.longMove = stop;
      progress.beginInOrder(port);
      EXPECT_EQ(port.order.size(), isMessage ? stop + 1 : stop);
      port.state[stop] = isMessage ? 2 : 0;
      progress.advance(port);
      EXPECT_TRUE(progress.isOver()) << stop;
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

} // namespace
