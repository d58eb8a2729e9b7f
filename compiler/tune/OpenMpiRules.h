//===- OpenMpiRules.h - Choices as rules of Open MPI -----------------------------------------------------------------*- C++ -*-===//
//
// Open MPI's component `tuned` reads rules from a file (coll_tuned_dynamic_rules_filename). Its algorithms have numbers, which
// `ompi_info --param coll tuned --level 9` lists; these are of Open MPI 4.1.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TUNE_OPENMPIRULES_H
#define QUADRILLE_TUNE_OPENMPIRULES_H

#include "ExportedRules.h"

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
  RuleBytes bytes; // not known: Open MPI takes the first rule
};
llvm::ArrayRef<OpenMpiCollective> openMpiCollectives();

/// Algorithms are numbers.
llvm::ArrayRef<Counterpart> openMpiCounterparts();

/// The rules for p ranks and more, up to the next p that has rules.
struct OpenMpiRules {
  std::int64_t p = 0;
  std::vector<ExportedRule> rules; // rising, from 0 bytes on
};

/// The text of the file. `rules`: those for each of openMpiCollectives(). `table`: the name of the table that they come from.
std::string openMpiFile(llvm::ArrayRef<std::vector<OpenMpiRules>> rules, llvm::StringRef table);

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_OPENMPIRULES_H
