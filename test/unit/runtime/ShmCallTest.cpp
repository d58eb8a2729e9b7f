//===- ShmCallTest.cpp - Calls and steps of one rank ---------------------===//

#include "AlltoallvChecks.h"
#include "ShmChecks.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

using namespace quadrille;
using checks::Report;
using shm::Communicator;
using shm::Datatype;
using shm::Operator;
using shm::Team;

namespace {

TEST(ShmCall, CopyHandlesOverlapAndSegments) {
  Team team(1);
  (void)team.run([](Communicator &comm) {
    Communicator::Call call(comm, "copy.quad", Datatype::of<int>());
    std::vector<int> v(10);
    const auto refill = [&] { std::iota(v.begin(), v.end(), 0); };
    refill();
    Region all = call.output(v.data(), 10, 1);
    call.copy(all.run(2, 8), all.run(0, 8));
    EXPECT_EQ(v, (std::vector<int>{0, 1, 0, 1, 2, 3, 4, 5, 6, 7}));
    refill();
    call.copy(all, all.cyclic(3, 10, 10)); // rotate in place
    EXPECT_EQ(v, (std::vector<int>{3, 4, 5, 6, 7, 8, 9, 0, 1, 2}));
    refill();
    const auto even = [](Index j) { return j % 2 == 0; };
    const auto odd = [](Index j) { return j % 2 == 1; };
    call.copy(all.select(0, 10, even), all.select(0, 10, odd));
    EXPECT_EQ(v, (std::vector<int>{1, 1, 3, 3, 5, 5, 7, 7, 9, 9}));
    EXPECT_FALSE(call.finish({}));
    call.copy(all, all.run(0, 3));
    EXPECT_STREQ(call.finish({}).text(), "copy.quad: rank 0 copies 3 elements to 10");
  });
}

TEST(ShmCall, InputIsCopiedOnlyIfItOverlaps) {
  Team team(1);
  (void)team.run([](Communicator &comm) {
    std::vector<int> v{0, 1, 2, 3, 4, 5, 6, 7};
    Communicator::Call call(comm, "input.quad", Datatype::of<int>());
    const Region out = call.output(&v[2], 2, 2);
    const auto isView = [&](const int *at, std::size_t n) {
      const Region in = call.input(at, 1, n, out);
      const Segment first = *in.segments().begin();
      EXPECT_EQ(*reinterpret_cast<int *>(first.data), *at);
      return reinterpret_cast<int *>(first.data) == at;
    };
    EXPECT_TRUE(isView(&v[0], 2));
    EXPECT_FALSE(isView(&v[0], 3));
    EXPECT_FALSE(isView(&v[2], 4));
    EXPECT_FALSE(isView(&v[5], 3));
    EXPECT_TRUE(isView(&v[6], 2));
    // Several outputs, and none.
    const Region copied = call.input(&v[0], 1, 1, out, call.output(&v[0], 1, 1));
    EXPECT_NE(copied.segments().begin()->data, reinterpret_cast<std::byte *>(&v[0]));
    const Region viewed = call.input(&v[2], 1, 1);
    EXPECT_EQ(viewed.segments().begin()->data, reinterpret_cast<std::byte *>(&v[2]));
  });
}

TEST(ShmCall, BlocksWithLengthsOfTheirOwn) {
  Team team(1);
  (void)team.run([](Communicator &comm) {
    std::vector<int> v{0, 1, 2, 3, 4, 5, 6, 7};
    const std::vector<std::size_t> len{3, 0, 4};
    const auto length = [&](Index j) { return len[static_cast<std::size_t>(j)]; };
    Communicator::Call call(comm, "lengths.quad", Datatype::of<int>());
    EXPECT_FALSE(call.requireLengths("len", len.data(), 3));
    EXPECT_FALSE(call.requireBufferOf("x", v.data(), 3, length));
    EXPECT_EQ(call.longest(), 4);
    EXPECT_FALSE(call.requireBuffer("y", v.data(), 1, 6));
    EXPECT_EQ(call.longest(), 6);
    const Region out = call.outputOf(v.data(), 3, length);
    EXPECT_EQ(out.count(), 3);
    EXPECT_EQ(out.length(1), 0);
    const auto firstOf = [](const Region &region) {
      return reinterpret_cast<int *>(region.segments().begin()->data);
    };
    EXPECT_EQ(*firstOf(out[2]), 3);
    // Memory of its own, with the same contents.
    const Region copy = call.temporaryOf(3, length);
    call.copy(copy, out);
    v.assign(8, -1);
    for (Index j : {Index{0}, Index{2}})
      EXPECT_EQ(*firstOf(copy[j]), j == 0 ? 0 : 3);
    EXPECT_EQ(call.temporaryLike(copy.slice(2, 3)).elements(), 4);
    EXPECT_EQ(call.temporaryBlocks(copy, 2).elements(), 8);
    // An input is copied only where it overlaps; blocks without elements do not.
    const auto isView = [&](const int *at, Index blocks) {
      return firstOf(call.inputOf(at, blocks, length, call.output(&v[3], 1, 2))) == at;
    };
    EXPECT_TRUE(isView(&v[0], 2));
    EXPECT_FALSE(isView(&v[0], 3));
    EXPECT_FALSE(isView(&v[4], 1));
    EXPECT_TRUE(isView(&v[5], 1));
    EXPECT_FALSE(call.finish({}));
  });
}

TEST(ShmCall, LengthsThatCannotBeAreRefused) {
  Team team(1);
  (void)team.run([](Communicator &comm) {
    const auto fails = [&](const char *text, auto &&what) {
      Communicator::Call call(comm, "lengths.quad", Datatype::of<int>());
      const Status status = what(call);
      EXPECT_STREQ(status.text(), text);
      // What has failed stays so.
      EXPECT_STREQ(call.finish({}).text(), text);
    };
    const std::size_t huge = ~std::size_t{0};
    const std::vector<std::size_t> tooLong{huge / 8, 1, huge / 8}, wrap{1, huge}, some{0, 2};
    const auto of = [](const std::vector<std::size_t> &len) {
      return [&len](Index j) { return len[static_cast<std::size_t>(j)]; };
    };
    const char *const missing = "lengths.quad: len is null on rank 0, but 3 lengths are expected there";
    const char *const larger =
        "lengths.quad: blocks of the lengths in len, elements of 4 bytes, are larger than the address space";
    fails(missing, [&](auto &call) { return call.requireLengths("len", nullptr, 3); });
    fails(larger, [&](auto &call) { return call.requireLengths("len", tooLong.data(), 3); });
    fails(larger, [&](auto &call) { return call.requireLengths("len", wrap.data(), 2); });
    fails("lengths.quad: buffer x is null on rank 0, but 2 elements are expected there",
          [&](auto &call) { return call.requireBufferOf("x", nullptr, 2, of(some)); });
    const char *const buffer =
        "lengths.quad: buffer x of elements of 4 bytes is larger than the address space";
    int element = 0;
    fails(buffer, [&](auto &call) { return call.requireBufferOf("x", &element, 2, of(wrap)); });
    fails(buffer, [&](auto &call) { return call.requireBufferOf("x", &element, 3, of(tooLong)); });
    fails("lengths.quad: blocks of rank 0 together are larger than the address space", [&](auto &call) {
      EXPECT_EQ(call.temporaryOf(2, of(wrap)).count(), 0);
      return call.finish({});
    });
    // More than there can be, but a number.
    Communicator::Call call(comm, "lengths.quad", Datatype::of<int>());
    (void)call.temporaryOf(3, of(tooLong));
    EXPECT_EQ(call.finish({}).code(), quadrille::ErrorCode::TooLarge);
    // No lengths, no elements: null is fine.
    Communicator::Call none(comm, "lengths.quad", Datatype::of<int>());
    EXPECT_FALSE(none.requireLengths("len", nullptr, 0));
    EXPECT_FALSE(none.requireBufferOf("x", nullptr, 1, of(some)));
    EXPECT_EQ(none.outputOf(nullptr, 1, of(some)).elements(), 0);
    EXPECT_FALSE(none.finish({}));
  });
}

TEST(ShmStep, NoneAndNoBlocksAreNoMessage) {
  Team team(2);
  Report report;
  (void)team.run([&](Communicator &comm) {
    Communicator::Call call(comm, "none.quad", Datatype::of<int>(), Operator::sum());
    int value = 5;
    const Region r = call.output(&value, 1, 1);
    auto step = call.step(comm.everyone(), 1);
    step.send(r, none);
    step.recv(r, none);
    step.send(none);
    step.recv(none);
    step.recvCombine(r, none, Side::Left);
    step.recvUpTo(r, none);
    step.send(r.slice(0, 0), 1 - comm.rank());
    step.recv(r.slice(0, 0), 1 - comm.rank());
    // This one is a message, of length 0.
    step.send(call.output(nullptr, 3, 0), 1 - comm.rank());
    step.recv(1 - comm.rank());
    if (Status bad = call.finish(step.finish()))
      report.expect(false, comm.rank(), bad.text());
    report.expect(value == 5, comm.rank(), "value untouched");
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(ShmStep, SegmentsNeedNotAgree) {
  Team team(2);
  Report report;
  (void)team.run([&](Communicator &comm) {
    std::vector<int> v(12);
    for (int i = 0; i < 12; ++i)
      v[static_cast<std::size_t>(i)] = i;
    Communicator::Call call(comm, "segments.quad", Datatype::of<int>(), Operator::sum());
    const Region r = call.output(v.data(), 12, 1);
    auto step = call.step(comm.everyone(), 1);
    if (comm.rank() == 0) {
      step.send(r.select(0, 12, [](Index j) { return j % 3 != 2; }), 1); // 0 1 3 4 6 7 9 10
      step.send(r.run(4, 5), 1);
    } else {
      const Region to = call.output(v.data(), 1, 12).split(3);
      step.recv(to.cyclic(2, 2, 3), 0); // elements 8 .. 11, 0 .. 3
      step.recvCombine(r.select(4, 8, [](Index) { return true; }).select(0, 4, [](Index j) { return j != 9; }),
                       0, Side::Right);
    }
    const Status status = call.finish(step.finish());
    if (comm.rank() == 1) {
      report.expect(status.code() == ErrorCode::OtherLength, 1, "5 elements for 4");
      const std::vector<int> expected{6, 7, 9, 10, 4, 5, 6, 7, 0, 1, 3, 4};
      report.expect(v == expected, 1, "the first message arrived");
    }
  });
  EXPECT_TRUE(report.good()) << report.text();
}

TEST(ShmStep, ElementSizesMustAgree) {
  Team team(2);
  const Status status = team.run([&](Communicator &comm) -> Status {
    std::vector<double> v(4);
    Communicator::Call call(comm, "size.quad", Datatype::opaque(comm.rank() == 0 ? 4 : 8));
    auto step = call.step(comm.everyone(), 2);
    if (comm.rank() == 0)
      step.send(call.output(v.data(), 1, 3), 1);
    else
      step.recv(call.output(v.data(), 1, 3), 0);
    return call.finish(step.finish());
  });
  EXPECT_STREQ(status.text(), "size.quad:2: rank 1 expects elements of 8 bytes from rank 0, "
                              "which sent elements of 4 bytes");
}

} // namespace
