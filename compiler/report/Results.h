//===- Results.h - What a command has found, as data -----------------------------------------------------------*- C++ -*-===//
//
// Results of check, prove, cost and run for other programs: JSON, the format of JUnit for systems that run tests, and CSV. The
// page docs/results.md describes the members. Commands add what they know of each schedule; here is what is common to them.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_REPORT_RESULTS_H
#define QUADRILLE_REPORT_RESULTS_H

#include "diagnostics/Diagnostics.h"
#include "ir/Schedule.h"
#include "source/Sources.h"

#include "llvm/Support/JSON.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quadrille::compiler {

class Results {
public:
  /// The number of the format: another one if a member has gone or has another meaning. New members do not change it.
  static constexpr std::int64_t version = 1;

  enum class Format { Json, Junit, Csv };
  using Json = llvm::json::OStream;

  /// A test in the sense of JUnit.
  struct Test {
    enum Outcome { Passed, Failed, NotDone, LeftOut } outcome = Passed;
    std::string name;    // "result", "p=5 n=100 root=2"; empty: the schedule as a whole
    std::string message; // why it was not passed
  };

  /// A row of a table: names of columns, and what stands there.
  using Row = std::vector<std::pair<std::string, std::string>>;

  struct Entry {
    const ir::Schedule *schedule = nullptr;
    std::string verdict;
    std::function<void(Json &)> members; // writes what else is known, as members of the object that is being written
    std::vector<Test> tests;             // none: one of the schedule as a whole, failed if an error was reported
    std::vector<Row> rows;
    std::vector<size_t> diagnostics;     // those about it: their numbers in Diagnostics::reported
  };

  Results(llvm::StringRef command, const Diagnostics &diagnostics, const Sources &sources)
      : command(command), diagnostics(diagnostics), sources(sources) {}

  /// What was reported up to now is about no schedule.
  void begin() { seen = diagnostics.reported().size(); }
  /// What was reported since the last call, or `begin`.
  std::vector<size_t> reportedSince();
  /// Adds a schedule, and takes what was reported since the last one to be about it.
  void add(Entry entry);

  /// `isGood`: the command ends with status 0.
  void write(Format format, bool isGood, llvm::raw_ostream &out) const;

private:
  void writeJson(bool isGood, llvm::raw_ostream &out) const;
  void writeJunit(llvm::raw_ostream &out) const;
  void writeCsv(llvm::raw_ostream &out) const;
  bool isError(size_t number) const { return diagnostics.severityOf(diagnostics.reported()[number]) == diag::Severity::Error; }
  /// "ring.quad:6:7: error: ... [Q0301]", with its notes below it.
  std::string textOf(size_t number) const;
  std::vector<Test> testsOf(const Entry &entry) const;

  std::string command;
  const Diagnostics &diagnostics;
  const Sources &sources;
  std::vector<Entry> entries;
  size_t seen = 0;
};

/// Writes numbers as an array.
void writeNumbers(llvm::json::OStream &json, llvm::StringRef name, llvm::ArrayRef<std::int64_t> numbers);

/// Writes names with their numbers as members, those of a case for instance.
void writeValues(llvm::json::OStream &json, const diag::Values &values);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_RESULTS_H
