//===- MachineTest.cpp - Durations, parameters, and the text of machine.json --------------------------------------------------===//

#include "machines/MachineDescription.h"

#include "diagnostics/Diagnostics.h"
#include "source/Sources.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

using namespace quadrille::compiler;

TEST(Durations, AreWrittenWithFourDigits) {
  EXPECT_EQ(durationText(0), "0s");
  EXPECT_EQ(durationText(1.5), "1.5s");
  EXPECT_EQ(durationText(14.4e-6), "14.4us");
  EXPECT_EQ(durationText(5e-10), "0.5ns");
  EXPECT_EQ(durationText(1e-6), "1us");
  EXPECT_EQ(durationText(999.4e-9), "999.4ns");
  EXPECT_EQ(durationText(999.96e-9), "1us");
  EXPECT_EQ(durationText(1234567), "1.235e+06s");
}

TEST(Durations, AreReadInEveryUnit) {
  EXPECT_DOUBLE_EQ(parseDuration("2us").value(), 2e-6);
  EXPECT_DOUBLE_EQ(parseDuration("0.5ns").value(), 5e-10);
  EXPECT_DOUBLE_EQ(parseDuration("1e3ms").value(), 1);
  EXPECT_DOUBLE_EQ(parseDuration("3s").value(), 3);
  EXPECT_DOUBLE_EQ(parseDuration("0us").value(), 0);
  for (const char *wrong : {"", "2", "us", "-2us", "2 us", "infs", "nans", "0x1s", "1e999s", "2µs", "1..2us", "2usus"})
    EXPECT_FALSE(parseDuration(wrong)) << wrong;
}

TEST(MachineParameters, ArePricesOfTheThreeCoefficients) {
  const MachineParameters parameters{2e-6, 5e-10, 1e-10};
  EXPECT_DOUBLE_EQ(parameters.seconds({3, 1000, 500}), 6e-6 + 5e-7 + 5e-8);
  EXPECT_EQ(parameters.text(), "alpha = 2us, beta = 0.5ns, gamma = 0.1ns");
  MachineDescription machine;
  machine.parameters = parameters;
  machine.elementBytes = 8;
  EXPECT_DOUBLE_EQ(machine.forWordsOf(4).alpha, 2e-6);
  EXPECT_DOUBLE_EQ(machine.forWordsOf(4).beta, 2.5e-10);
  EXPECT_DOUBLE_EQ(machine.forWordsOf(16).gamma, 2e-10);
}

TEST(MachineFile, IsReadAsItWasWritten) {
  MachineDescription machine;
  machine.parameters = {2e-6, 5.25e-10, 1e-10};
  machine.backend = "mpi";
  machine.ranks = 12;
  machine.element = "float";
  machine.elementBytes = 4;
  MachineFit fit;
  fit.pattern = "shift";
  fit.ranks = 12;
  fit.line = {2e-6, 5.25e-10, -3.5, 0.75, 64};
  fit.points = {{1, 1e-6, 2e-6, 3e-6}, {64, 2e-6, 3e-6, 4e-6}};
  fit.segments = {{1, 1e-6, 0}, {64, 3e-6, 2e-10}};
  machine.fits.push_back(fit);

  llvm::SmallString<128> file;
  int descriptor = -1;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("machine", "json", descriptor, file));
  {
    llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
    out << machineText(machine);
  }
  Sources sources;
  Diagnostics diagnostics(sources, llvm::errs(), DiagnosticsFormat::Text, false);
  const std::optional<MachineDescription> again = readMachine(file, diagnostics);
  llvm::sys::fs::remove(file);
  ASSERT_TRUE(again);
  EXPECT_EQ(machineText(*again), machineText(machine));
  EXPECT_EQ(again->backend, "mpi");
  EXPECT_EQ(again->fits[0].points[1].upperQuartile, 4e-6);
  EXPECT_EQ(again->fits[0].segments[1].perWord, 2e-10);
  EXPECT_EQ(again->fits[0].line.r2, -3.5);
}
