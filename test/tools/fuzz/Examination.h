//===- Examination.h - One schedule and all that is said of it -------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_FUZZ_EXAMINATION_H
#define QUADRILLE_TEST_FUZZ_EXAMINATION_H

#include "Oracle.h"

#include "prove/Prove.h"

namespace quadrille::compiler::fuzz {

class Examination {
public:
  Examination(Compiler &compiler, const ir::Schedule &schedule, const Questions &questions, const Teller &teller);

  /// The verdict of the checks, as told.
  std::string run();

private:
  // Each asks one more question. In files of their own: Engines, Data, Pictures, Rounds, Costs, Proofs.
  void compareEngines();
  void runOnData();
  void draw();
  void recount();
  void compareClauses();
  void compareFormulas();
  void emit();
  void prove();
  void proveAlone();

  /// Those that `requires` admits, with all roots.
  std::vector<Case> cases(llvm::ArrayRef<std::int64_t> ps, llvm::ArrayRef<std::int64_t> parameters);
  /// Some with larger numbers.
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
