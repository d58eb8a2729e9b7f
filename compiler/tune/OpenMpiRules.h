//===- OpenMpiRules.h - Choices as rules of Open MPI -----------------------------------------------------------------*- C++ -*-===//
//
// Open MPI's component `tuned` reads rules from a file (coll_tuned_dynamic_rules_filename). Its algorithms have numbers, which
// `ompi_info --param coll tuned --level 9` lists; these are of Open MPI 4.1.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TUNE_OPENMPIRULES_H
#define QUADRILLE_TUNE_OPENMPIRULES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace quadrille::compiler::tune {

/// A collective of Open MPI that does what one of ours does.
struct OpenMpiCollective {
  const char *ours;
  const char *theirs; // MPI's name
  int number;
  /// What the bytes in its rules are: those of a block, or those of p blocks. Where ranks know different lengths, Open MPI compares
  /// none, and takes the first rule.
  enum Bytes { OfBlock, OfAllBlocks, NotKnown } bytes;
};
llvm::ArrayRef<OpenMpiCollective> openMpiCollectives();

/// The algorithm that is this schedule; 0: none, so the choice is left to Open MPI. `parameter`: of the schedule, 0 if it has none.
int openMpiAlgorithm(const OpenMpiCollective &collective, llvm::StringRef schedule, std::int64_t parameter);

/// The choice for blocks of `bytes` bytes and more, up to those of the next rule.
struct OpenMpiRule {
  std::uint64_t bytes = 0;
  int algorithm = 0;
  std::string schedule; // that was chosen, also if Open MPI has no such algorithm

  bool operator==(const OpenMpiRule &) const = default;
};

/// The rules for p ranks and more, up to the next p that has rules.
struct OpenMpiRules {
  std::int64_t p = 0;
  std::vector<OpenMpiRule> rules; // rising, from 0 bytes on
};

/// The text of the file. `rules`: those for each of openMpiCollectives(). `table`: the name of the table that they come from.
std::string openMpiFile(llvm::ArrayRef<std::vector<OpenMpiRules>> rules, llvm::StringRef table);

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_OPENMPIRULES_H
