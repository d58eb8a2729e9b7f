#include "report/Catalogue.h"

#include <gtest/gtest.h>

using namespace quadrille::compiler;

namespace {

TEST(Citation, InParentheses) {
  EXPECT_EQ(citation("A ring (Grama et al., 2003, Algorithm 4.4)."), "Grama et al., 2003, Algorithm 4.4");
  EXPECT_EQ(citation("One (A, 1997) and another\n(B et al., 2019a)."), "A, 1997; B et al., 2019a");
  EXPECT_EQ(citation("By hand (p > 1) in 5 steps."), "");
}

TEST(Citation, Sentence) {
  EXPECT_EQ(citation("For small blocks.\nBruck et al. (1997), Sect. 4: rotates first."), "Bruck et al. (1997), Sect. 4");
  EXPECT_EQ(citation("No year 123456 here."), "");
}

} // namespace
