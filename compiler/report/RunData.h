//===- RunData.h - Runs as data ----------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_RUNDATA_H
#define QUADRILLE_REPORT_RUNDATA_H

#include "Results.h"
#include "RunReport.h"

#include <map>

namespace quadrille::compiler {

/// Collects the cases of a run: members, tests and rows of the table, one for each case.
class RunData {
public:
  explicit RunData(const run::RunRequest &request) : request(request) {}

  void add(const run::CaseReport &report);
  /// The results of a schedule. `diagnostics`: those about it.
  Results::Entry entry(const RunReport::Line &line, const std::string &verdict, std::vector<size_t> diagnostics) const;

private:
  /// What is kept of a case, whose own data end with the run.
  struct Kept {
    std::string name; // "p=5 n=100 type=double op=sum"
    std::vector<std::pair<std::string, std::string>> words;       // "type", "double"
    std::vector<std::pair<std::string, std::int64_t>> numbers;    // "p", 5
    std::string wrong;
    bool wasRun = true;
    run::Timing timing;
    std::vector<std::string> shown;
    std::optional<run::CallTrace> trace;
  };
  std::string verdictOf(const Kept &kept) const;
  void write(Results::Json &json, const Kept &kept) const;
  Results::Row row(const Kept &kept) const;

  const run::RunRequest &request;
  std::map<const ir::Schedule *, std::vector<Kept>> cases;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_RUNDATA_H
