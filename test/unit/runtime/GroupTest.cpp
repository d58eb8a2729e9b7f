//===- GroupTest.cpp - The ranks that take part ---------------------------===//

#include "quadrille/group.h"

#include <gtest/gtest.h>

using namespace quadrille;

TEST(Group, EveryoneIsTheIdentity) {
  const Group all = Group::everyone(5, 3);
  EXPECT_EQ(all.size(), 5);
  EXPECT_EQ(all.rank(), 3);
  EXPECT_EQ(all.at(4), 4);
  EXPECT_TRUE(all.contains(0) && all.contains(4));
  EXPECT_FALSE(all.contains(5) || all.contains(none));
}

TEST(Group, OfAListRenumbers) {
  const Group odd = Group::of({7, 3, 5}, 5);
  EXPECT_EQ(odd.size(), 3);
  EXPECT_EQ(odd.rank(), 2);
  EXPECT_EQ(odd.at(0), 7);
  const Group others = Group::of({7, 3, 5}, 4);
  EXPECT_FALSE(others.isMember());
  EXPECT_EQ(others.rank(), none);
}

TEST(Group, GroupsNest) {
  const Group odd = Group::of({1, 3, 5, 7}, 5);
  const Group upper = odd.among({2, 3});
  EXPECT_EQ(upper.rank(), 0);
  EXPECT_EQ(upper.at(0), 5);
  EXPECT_EQ(upper.at(1), 7);
  EXPECT_EQ(odd.among({0, 1}).rank(), none);
  EXPECT_EQ(upper.among({1, 0}).at(0), 7);
  // A rank that is not in the group is not in a subgroup, either.
  EXPECT_EQ(Group::of({1, 3}, 0).among({0}).rank(), none);
  // A rank the group does not have.
  EXPECT_EQ(odd.among({2, 4}).at(1), none);
  EXPECT_EQ(Group::of({}, 0).size(), 0);
}
