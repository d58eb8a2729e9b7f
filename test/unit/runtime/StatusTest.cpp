//===- StatusTest.cpp - Success, or what went wrong -----------------------===//

#include "quadrille/status.h"

#include <gtest/gtest.h>

using namespace quadrille;

TEST(Status, GoodIsFalseAndSaysOk) {
  const Status good;
  EXPECT_FALSE(good);
  EXPECT_EQ(good.code(), ErrorCode::Ok);
  EXPECT_STREQ(good.text(), "ok");
}

TEST(Status, ErrorIsTrueAndCopiesShareTheText) {
  Status copy;
  {
    const Status bad = Status::format(ErrorCode::BadRoot, "%s: root %d", "x.quad", 7);
    ASSERT_TRUE(bad);
    copy = bad;
    EXPECT_EQ(copy.text(), bad.text());
  }
  EXPECT_EQ(copy.code(), ErrorCode::BadRoot);
  EXPECT_STREQ(copy.text(), "x.quad: root 7");
}

TEST(Status, WithoutTextTheCodeSpeaks) {
  EXPECT_STREQ(Status(ErrorCode::Timeout, nullptr).text(), "timeout");
  EXPECT_STREQ(Status(ErrorCode::Timeout, "late").text(), "late");
}

TEST(Status, LongTextsAreKept) {
  const std::string longText(5000, 'x');
  EXPECT_EQ(Status::format(ErrorCode::Transport, "%s!", longText.c_str()).text(),
            longText + "!");
}

TEST(Status, CodesAreStable) {
  EXPECT_EQ(static_cast<int>(ErrorCode::NullBuffer), 1);
  EXPECT_EQ(static_cast<int>(ErrorCode::BadRoot), 2);
  EXPECT_EQ(static_cast<int>(ErrorCode::BadParameter), 3);
  EXPECT_EQ(static_cast<int>(ErrorCode::UnsupportedSize), 4);
  EXPECT_EQ(static_cast<int>(ErrorCode::NotCommutative), 5);
  EXPECT_EQ(static_cast<int>(ErrorCode::TooLarge), 6);
  EXPECT_EQ(static_cast<int>(ErrorCode::BadPartner), 7);
  EXPECT_EQ(static_cast<int>(ErrorCode::OutOfMemory), 8);
  EXPECT_EQ(static_cast<int>(ErrorCode::Timeout), 9);
  EXPECT_EQ(static_cast<int>(ErrorCode::Aborted), 10);
  EXPECT_EQ(static_cast<int>(ErrorCode::Transport), 11);
  EXPECT_EQ(static_cast<int>(ErrorCode::OtherLength), 12);
  for (int code = 0; code <= 12; ++code)
    EXPECT_STRNE(toString(static_cast<ErrorCode>(code)), "unknown error") << code;
}
