//===- NodesTest.cpp - On which node each rank is -------------------------===//

#include "quadrille/nodes.h"
#include "quadrille/shm.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

using namespace quadrille;

namespace {

/// Sets QUADRILLE_NODES for a time.
class Pretended {
public:
  explicit Pretended(const char *text) { setenv("QUADRILLE_NODES", text, 1); }
  ~Pretended() { unsetenv("QUADRILLE_NODES"); }
};

std::string pretended(const char *text, Index size) {
  const Pretended here(text);
  std::string result;
  for (Index node : detail::pretendedNodes(size))
    result += std::to_string(node) + " ";
  return result;
}

} // namespace

TEST(Nodes, AreNumberedAsRanksMeetThem) {
  const Nodes nodes({7, 3, 7, 5, 3}, Group::everyone(5, 0), 0);
  EXPECT_EQ(nodes.count(), 3);
  EXPECT_EQ(nodes.largest(), 2);
  EXPECT_FALSE(nodes.areConsecutive());
  const Index node[] = {0, 1, 0, 2, 1}, local[] = {0, 0, 1, 0, 1};
  for (Index rank = 0; rank < 5; ++rank) {
    EXPECT_EQ(nodes.node(rank), node[rank]);
    EXPECT_EQ(nodes.localRank(rank), local[rank]);
    EXPECT_EQ(nodes.rank(node[rank], local[rank]), rank);
  }
  EXPECT_EQ(nodes.size(2), 1);
}

TEST(Nodes, AreThoseOfTheGroupCountedFromItsOrigin) {
  const std::vector<Index> map{0, 0, 1, 1, 1, 2};
  const Group odd = Group::of({1, 3, 5}, 3);
  const Nodes own(map, odd, 0);
  EXPECT_EQ(own.count(), 3);
  EXPECT_TRUE(own.areConsecutive());
  const Nodes all(map, Group::everyone(6, 0), 4);
  EXPECT_EQ(all.node(0), 0); // rank 4
  EXPECT_EQ(all.node(1), 1);
  EXPECT_EQ(all.node(5), 0); // rank 3
  EXPECT_EQ(all.rank(0, 2), 5);
  EXPECT_FALSE(all.areConsecutive());
}

TEST(Nodes, DoNotExistBeyondTheLast) {
  const Nodes nodes({}, Group::everyone(3, 0), 0);
  EXPECT_EQ(nodes.count(), 1);
  EXPECT_EQ(nodes.largest(), 3);
  for (Index wrong : {Index(-1), Index(3), none}) {
    EXPECT_EQ(nodes.node(wrong), none);
    EXPECT_EQ(nodes.localRank(wrong), none);
    EXPECT_EQ(nodes.rank(wrong, 0), none);
    EXPECT_EQ(nodes.rank(0, wrong), none);
    EXPECT_EQ(nodes.size(wrong), 0);
  }
}

TEST(Nodes, ArePretendedAsTheEnvironmentSays) {
  EXPECT_EQ(pretended("2", 5), "0 0 0 1 1 ");
  EXPECT_EQ(pretended("9", 2), "0 1 ");
  EXPECT_EQ(pretended("0,1,0", 3), "0 1 0 ");
  testing::internal::CaptureStderr();
  for (const char *nothing : {"", "0", "x", "1,", ",1", "0,1", "-1", "0,1,0x", "1 2 3"})
    EXPECT_EQ(pretended(nothing, 3), "") << nothing;
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "quadrille: the environment variable QUADRILLE_NODES is `0`, which is ignored: it is a number of nodes, "
                                                    "or the node of each rank, as in 0,0,1,2\n"); // once
}

TEST(Nodes, AreTheSameOnAllThreads) {
  const Pretended here("0,1,0,1");
  shm::Team team(4);
  const Status bad = team.run([](shm::Communicator &comm) -> Status {
    const Nodes nodes = comm.nodes();
    return nodes.count() == 2 && nodes.node(comm.rank()) == comm.rank() % 2 ? Status() : Status(ErrorCode::BadParameter, "another map");
  });
  EXPECT_FALSE(bad) << bad.text();
}
