#include "report/Results.h"

#include <gtest/gtest.h>

using namespace quadrille::compiler;

namespace {

/// Results of one schedule, whose name stands nowhere.
struct ResultsTest : testing::Test {
  ResultsTest() {
    collective.name = "scan";
    schedule.name = "s";
    schedule.collective = &collective;
  }

  std::string written(Results::Format format) {
    std::string text;
    llvm::raw_string_ostream out(text);
    results.write(format, /*isGood=*/true, out);
    return text;
  }

  Sources sources;
  Diagnostics diagnostics{sources, llvm::nulls(), DiagnosticsFormat::Text, /*colour=*/false};
  ir::Collective collective;
  ir::Schedule schedule;
  Results results{"run", diagnostics, sources};
};

TEST_F(ResultsTest, NothingIsADocument) {
  EXPECT_NE(written(Results::Format::Json).find("\"schedules\": []"), std::string::npos);
  EXPECT_NE(written(Results::Format::Junit).find("tests=\"0\""), std::string::npos);
  EXPECT_EQ(written(Results::Format::Csv), "");
}

TEST_F(ResultsTest, XmlHasNoSpecialCharacters) {
  results.add({&schedule, "failed", nullptr, {{Results::Test::Failed, "a<b", "\"1\" & 2\n\x01"}}, {}, {}});
  const std::string text = written(Results::Format::Junit);
  EXPECT_NE(text.find("classname=\"scan.s\" name=\"a&lt;b\""), std::string::npos) << text;
  EXPECT_NE(text.find("message=\"&quot;1&quot; &amp; 2\""), std::string::npos) << text;
  EXPECT_EQ(text.find('\x01'), std::string::npos);
}

TEST_F(ResultsTest, ColumnsAreThoseOfAnyRow) {
  results.add({&schedule, "ok", nullptr, {}, {{{"p", "2"}, {"n", "1,\"2\""}}, {{"p", "3"}, {"root", "0"}, {"n", "7"}}}, {}});
  EXPECT_EQ(written(Results::Format::Csv), "schedule,p,root,n\nscan/s,2,,\"1,\"\"2\"\"\"\nscan/s,3,0,7\n");
}

TEST_F(ResultsTest, AnErrorFailsAScheduleWithoutTests) {
  results.begin();
  diagnostics.reportFile("x", diag::NoScheduleInFile{});
  results.add({&schedule, "failed", nullptr, {}, {}, {}});
  diagnostics.reportFile("y", diag::NoScheduleInFile{});
  const std::string text = written(Results::Format::Junit);
  EXPECT_NE(text.find("tests=\"2\" failures=\"1\" errors=\"1\""), std::string::npos) << text;
}

} // namespace
