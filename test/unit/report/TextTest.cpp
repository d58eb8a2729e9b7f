#include "report/Text.h"

#include <gtest/gtest.h>

using namespace quadrille::compiler;

namespace {

TEST(RangeText, Runs) {
  EXPECT_EQ(rangeText({}), "none");
  EXPECT_EQ(rangeText({7}), "7");
  EXPECT_EQ(rangeText({1, 2}), "1,2");
  EXPECT_EQ(rangeText({1, 2, 3, 4}), "1..4");
  EXPECT_EQ(rangeText({1, 2, 4, 8, 9, 10}), "1,2,4,8..10");
}

TEST(PlaceText, NoPlace) {
  Sources sources;
  EXPECT_EQ(placeText(sources, {}), "");
  const unsigned buffer = sources.add("one\ntwo\n", "x.quad");
  const llvm::SMLoc second = llvm::SMLoc::getFromPointer(sources.text(buffer).begin() + 5);
  EXPECT_EQ(placeText(sources, {second, second}), "x.quad:2:2");
}

std::string columns(const std::vector<std::vector<std::string>> &rows, unsigned width) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printColumns(rows, width, out);
  return text;
}

TEST(PrintColumns, CharactersNotBytes) { EXPECT_EQ(columns({{"→", "b"}, {"aa", "b"}}, 0), "→   b\naa  b\n"); }

TEST(PrintColumns, EmptyCellsLeaveNoBlanksAtTheEnd) { EXPECT_EQ(columns({{"a", "", "c"}, {"a", "b", ""}}, 0), "a     c\na  b\n"); }

TEST(PrintColumns, LeavesOutColumnsOnTheRight) {
  EXPECT_EQ(columns({{"aaaa", "bbbb", "cccc"}}, 16), "aaaa  bbbb  cccc\n");
  EXPECT_EQ(columns({{"aaaa", "bbbb", "cccc"}}, 15), "aaaa  bbbb\n");
  EXPECT_EQ(columns({{"aaaa", "bbbb", "cccc"}}, 10), "aaaa  bbbb\n");
  // Never the first two.
  EXPECT_EQ(columns({{"a name", "some words that go on below", "x"}}, 20), "a name  some words\n"
                                                                          "        that go on\n"
                                                                          "        below\n");
}

std::string wrappedColumns(const std::vector<std::vector<std::string>> &rows, unsigned width) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printWrapped(rows, width, out);
  return text;
}

TEST(Wrapped, AtBlanks) {
  EXPECT_EQ(wrapped("", 5), std::vector<std::string>{""});
  EXPECT_EQ(wrapped("a  bb ccc", 5), (std::vector<std::string>{"a  bb", "ccc"}));
  EXPECT_EQ(wrapped("a toolong b", 3), (std::vector<std::string>{"a", "toolong", "b"}));
  EXPECT_EQ(wrapped("→→ →→", 5), std::vector<std::string>{"→→ →→"});
}

TEST(PrintBeside, GoesBelowWhereThereIsNoRoom) {
  const auto beside = [](unsigned columns) {
    std::string text;
    llvm::raw_string_ostream out(text);
    printBeside("  label", 10, "some words of a text", columns, out);
    return text;
  };
  EXPECT_EQ(beside(0), "  label   some words of a text\n");
  EXPECT_EQ(beside(30), "  label   some words of a text\n");
  EXPECT_EQ(beside(29), "  label\n"
                        "      some words of a text\n");
  EXPECT_EQ(beside(20), "  label\n"
                        "      some words of\n"
                        "      a text\n");
}

TEST(PrintWrapped, WideCellsGoOnBelow) {
  const std::vector<std::vector<std::string>> rows{{"name", "some words of a text that is long", "and others that are as well"},
                                                   {"n", "short", "short"}};
  EXPECT_EQ(wrappedColumns(rows, 0), wrappedColumns(rows, 72));
  EXPECT_EQ(wrappedColumns(rows, 40), "name  some words of a  and others that\n"
                                      "      text that is     are as well\n"
                                      "      long\n"
                                      "n     short            short\n");
  // Lists, names and formulas break behind their marks; else where the column ends.
  EXPECT_EQ(wrappedColumns({{"ranks", "1..17,31..33"}}, 16), "ranks  1..17,\n"
                                                             "       31..33\n");
  EXPECT_EQ(wrappedColumns({{"ranks", "abcdefghijkl"}}, 16), "ranks  abcdefghi\n"
                                                             "       jkl\n");
  // Without room for columns, rows are paragraphs.
  EXPECT_EQ(wrappedColumns({{"a name of a row", "some words of a text", "and others"}}, 24), "a name of a row\n"
                                                                                           "    some words of a text\n"
                                                                                           "    and others\n");
}

} // namespace
