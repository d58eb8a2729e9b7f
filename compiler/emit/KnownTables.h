//===- KnownTables.h - Tables of which a rank knows some entries ------------------------------------------*- C++ -*-===//
//
// If a rank need not know all of a table, the emitted function has no parameter for the table. As in MPI, it has one for each statement
// of the collective, such as `knows len[me]` or `knows len[j] if me == root`. A lambda that finds an entry among these parameters is
// passed on in place of the table.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_KNOWNTABLES_H
#define QUADRILLE_EMIT_KNOWNTABLES_H

#include "IrToCpp.h"

#include <cassert>

namespace quadrille::compiler::emit {

/// The parameters of a public function for the tables of its schedule.
class KnownTables {
public:
  /// `exprs`: of the public function, with p, the numbers and `me` bound. `settle`: chooses a free name among its local ones.
  KnownTables(const ir::Schedule &schedule, ExprLowering &exprs, llvm::function_ref<std::string(const std::string &)> settle);

  std::vector<cpp::Parameter> parameters() const;
  /// Those for one table.
  std::vector<cpp::Parameter> parametersOf(unsigned table) const;
  /// Appends the lines of the header's comment.
  void comment(std::vector<std::string> &lines) const;
  /// Emits checks that the parameters which this rank needs are given, and the lambdas that find entries.
  void check(cpp::Body &body) const;
  /// The same for one table.
  void check(unsigned table, cpp::Body &body) const;
  /// Names for two indices of a table.
  const std::string &indexName(std::size_t i) const {
    assert(indexNames.size() == 2 && "settled in the constructor");
    return indexNames[i];
  }
  /// A name for the number of a block.
  const std::string &blockName() const { return indexName(1); }
  /// The names of the lambdas that find entries, one for each table.
  const std::vector<std::string> &names() const { return found; }
  /// The number of entries of a table, and the place of one, row by row. `at`: its indices.
  cpp::ExprPtr entries(unsigned table) const;
  cpp::ExprPtr index(unsigned table, const std::vector<cpp::ExprPtr> &at) const;
  /// The function template that calls `run` with these parameters, taken from whole tables; for programs that have them.
  cpp::Function fromWholeTables(const std::string &name, std::vector<cpp::Parameter> numbers) const;

private:
  struct Part {
    unsigned table;
    const ir::Knowledge *stated; // null: the whole table, which all ranks know
    std::string name;
    std::vector<unsigned> free;  // which of its indices stand for every index
  };
  void add(unsigned table, const ir::Knowledge *stated);
  cpp::ExprPtr extent(unsigned table, unsigned index) const;
  cpp::ExprPtr count(const Part &part) const;
  bool dependsOnIndex(const Part &part) const;
  void bindFree(const Part &part, const std::vector<cpp::ExprPtr> &at) const;
  cpp::ExprPtr lookup(unsigned table) const;

  const ir::Schedule &schedule;
  ExprLowering &exprs;
  std::vector<Part> parts;
  std::vector<std::string> found;
  std::vector<std::string> indexNames; // names for two indices: i and j, or others if these are taken
};

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_KNOWNTABLES_H
