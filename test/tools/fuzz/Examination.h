//===- Examination.h - The examination of one schedule -------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_FUZZ_EXAMINATION_H
#define QUADRILLE_TEST_FUZZ_EXAMINATION_H

#include "Oracle.h"

#include "prove/Prove.h"

namespace quadrille::compiler::fuzz {

class Examination {
public:
  Examination(Compiler &compiler, const ir::Schedule &schedule, const Questions &questions, const Teller &teller);

  /// Examines the schedule. Returns the verdict of the checks in words.
  std::string run();

private:
  // Each of these answers a Question; they are in Engines.cpp, Data.cpp, Pictures.cpp, Rounds.cpp, Costs.cpp, Proofs.cpp.
  void compareEngines();
  void runOnData();
  void draw();
  void recount();
  void compareClauses();
  void compareFormulas();
  void emit();
  void prove();
  void proveAlone();

  /// The cases that `requires` admits, with all roots.
  std::vector<Case> cases(llvm::ArrayRef<std::int64_t> ps, llvm::ArrayRef<std::int64_t> parameters);
  /// Some cases with larger numbers.
  std::vector<Case> laterCases();
  std::string textOf(const Diagnostic &diagnostic) const;
  std::string textOf(const Case &instance) const { return caseText(schedule, instance); }
  void finding(llvm::StringRef what, const std::string &details) const { teller.tell("finding", (what + "\n" + details).str()); }
  void stage(llvm::StringRef what) const { teller.tell("stage", what); }

  Compiler &compiler;
  const ir::Schedule &schedule;
  const Questions &questions;
  const Teller &teller;
  CheckOptions options;
  Verdict verdict;
  TreeCache trees;
};

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_EXAMINATION_H
