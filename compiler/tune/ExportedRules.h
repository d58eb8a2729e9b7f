//===- ExportedRules.h - Choices as rules of another library ---------------------------------------------------------*- C++ -*-===//
//
// Other libraries choose among their own algorithms. A rule of theirs can say what a row of ours does where they have an algorithm that does
// the same as the schedule: its counterpart.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TUNE_EXPORTEDRULES_H
#define QUADRILLE_TUNE_EXPORTEDRULES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace quadrille::compiler::tune {

/// An algorithm and a schedule are counterparts if they send the same to the same ranks.
struct Counterpart {
  const char *collective, *schedule;
  const char *algorithm; // the other library's name or number for it
  enum Ranks { ForAny, ForPowersOfTwo, ForOthers } ranks = ForAny;
  enum Operators { Any, Commutative } operators = Any; // for which the algorithm is right
  std::int64_t parameter = 0; // the only one of the schedule with which they are; 0: any, or it has none
  /// The setting that the other library needs for all calls of the collective. `Own`: it is the schedule's parameter.
  std::int64_t setting = 0;
  static constexpr std::int64_t Own = -1;
};

/// The first that holds for a schedule with this parameter (0 if it has none); null: there is none.
const Counterpart *counterpartOf(llvm::ArrayRef<Counterpart> counterparts, llvm::StringRef collective, llvm::StringRef schedule, std::int64_t parameter,
                                 std::int64_t p, bool commutative);

/// What the bytes in rules are: those of a block, or those of p blocks. `NotKnown`: ranks know different lengths, and the library compares none.
/// `NotAsked`: rules cannot depend on them.
enum class RuleBytes { OfBlock, OfAllBlocks, NotKnown, NotAsked };

/// The choice for blocks of `bytes` bytes and more, up to those of the next rule.
struct ExportedRule {
  std::uint64_t bytes = 0;
  std::string algorithm;    // empty: the other library chooses
  std::int64_t setting = 0; // see Counterpart
  std::string schedule;     // that was chosen, also if it has no counterpart

  bool takesSame(const ExportedRule &other) const { return algorithm == other.algorithm && setting == other.setting; }
  bool operator==(const ExportedRule &other) const { return bytes == other.bytes && takesSame(other) && schedule == other.schedule; }
};

} // namespace quadrille::compiler::tune

#endif // QUADRILLE_TUNE_EXPORTEDRULES_H
