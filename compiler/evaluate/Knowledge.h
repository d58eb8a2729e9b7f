//===- Knowledge.h - Which ranks know which lengths ------------------------------------------------------------*- C++ -*-===//
//
// A collective says which entries of its tables a rank knows, and a schedule may require more (ir::Knowledge). A rank can hold a
// block only if it knows the block's length.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EVALUATE_KNOWLEDGE_H
#define QUADRILLE_EVALUATE_KNOWLEDGE_H

#include "Lengths.h"

namespace quadrille::compiler {

/// What the ranks of one case know of the tables of a schedule.
class KnownLengths {
public:
  /// `tables`: those of the case. Throws Finding if a rank is said to know an entry that does not exist; EvaluationError.
  KnownLengths(const ir::Schedule &schedule, const Case &instance, LengthTables tables);

  /// Whether a rank knows an entry, by its number among those of all tables. Throws EvaluationError.
  bool knows(std::uint32_t rank, std::uint32_t entry);
  /// The name of an entry.
  std::string text(std::uint32_t entry) const;
  /// The finding that a rank does not know an entry, the length of a block of `buffer`.
  Finding unknown(std::uint32_t rank, std::uint32_t entry, llvm::StringRef buffer, llvm::SMRange range) const;

private:
  static constexpr std::int64_t everyIndex = -1;
  struct Part {
    const ir::Knowledge *stated;
    // Per rank: the indices of the entries that are meant (`everyIndex`: any value), and whether the condition for knowing them
    // holds. If the condition mentions an index (dependsOnIndex), `holds` is true, and `knows` evaluates it for each entry.
    std::vector<llvm::SmallVector<std::int64_t, 2>> indices;
    std::vector<bool> holds;
    bool dependsOnIndex = false;
  };
  const LengthTable &tableOf(std::uint32_t entry) const;

  const ir::Schedule &schedule;
  const LengthTables tables;
  TreeCache trees;
  Frame frame;
  std::vector<std::vector<Part>> parts; // for each table; empty: every rank knows all of it
};

/// What the ranks of a case know of the tables; null if every rank knows all of them.
std::unique_ptr<KnownLengths> knownLengths(const ir::Schedule &schedule, const Case &instance, const LengthTables &tables);

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_KNOWLEDGE_H
