//===- Results.h - What a command has found, as data -----------------------------------------------------------*- C++ -*-===//
//
// Results of check, prove, cost and run for other programs, as JSON, in JUnit's format for CI systems, and as CSV. docs/results.md
// describes the members. Commands add the members of each schedule; this is the part that all commands have in common.
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
  /// The number of the format. It changes if a member is removed or gets another meaning, not if one is added.
  static constexpr std::int64_t version = 1;

  enum class Format { Json, Junit, Csv };
  using Json = llvm::json::OStream;

  /// A test in the sense of JUnit.
  struct Test {
    enum Outcome { Passed, Failed, NotDone, LeftOut } outcome = Passed;
    std::string name;    // "result", "p=5 n=100 root=2"; empty: the schedule as a whole
    std::string message; // why it failed
  };

  /// A row of a table: the names of columns, and the texts in them.
  using Row = std::vector<std::pair<std::string, std::string>>;

  struct Entry {
    const ir::Schedule *schedule = nullptr;
    std::string verdict;
    std::function<void(Json &)> members; // writes further members of the schedule's object
    std::vector<Test> tests;             // empty: there is one test, the schedule as a whole, which fails if an error was reported
    std::vector<Row> rows;
    std::vector<size_t> diagnostics;     // the indices in Diagnostics::reported of those about the schedule
  };

  Results(llvm::StringRef command, const Diagnostics &diagnostics, const Sources &sources)
      : command(command), diagnostics(diagnostics), sources(sources) {}

  /// From here on diagnostics are about schedules; those before are about none.
  void begin() { seen = diagnostics.reported().size(); }
  /// The indices of the diagnostics that were reported since the last call, or since `begin`.
  std::vector<size_t> reportedSince();
  /// Adds a schedule. Diagnostics that were reported since the last one are taken to be about it.
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

/// Writes names and numbers, such as those of a case, as members.
void writeValues(llvm::json::OStream &json, const diag::Values &values);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_RESULTS_H
