//===- KnownTables.h - Tables of which a rank knows some entries ------------------------------------------*- C++ -*-===//
//
// Of a table of which a rank need not know everything, an emitted function takes what is known as MPI's functions do: one parameter for
// each statement of the collective, `knows len[me]` or `knows len[j] if me == root`. It finds an entry among them by a function, which
// is then passed on in place of the table.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_KNOWNTABLES_H
#define QUADRILLE_EMIT_KNOWNTABLES_H

#include "IrToCpp.h"

namespace quadrille::compiler::emit {

/// The parameters of a public function for the tables of its schedule.
class KnownTables {
public:
  /// `exprs`: the public function's, with p, the numbers and `me` bound. `settle`: settles a name among its locals.
  KnownTables(const ir::Schedule &schedule, ExprLowering &exprs, llvm::function_ref<std::string(const std::string &)> settle);

  std::vector<cpp::Parameter> parameters() const;
  /// Appends the lines of the header's comment.
  void comment(std::vector<std::string> &lines) const;
  /// Emits that the lengths which the rank knows are there, and the functions that find entries.
  void check(cpp::Body &body) const;
  /// A name for the number of a block.
  const std::string &blockName() const { return indexNames[1]; }
  /// The names of these functions, one for each table.
  const std::vector<std::string> &names() const { return found; }
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
  cpp::ExprPtr index(unsigned table, const std::vector<cpp::ExprPtr> &at) const;
  bool dependsOnIndex(const Part &part) const;
  void bindFree(const Part &part, const std::vector<cpp::ExprPtr> &at) const;
  cpp::ExprPtr lookup(unsigned table) const;

  const ir::Schedule &schedule;
  ExprLowering &exprs;
  std::vector<Part> parts;
  std::vector<std::string> found;
  std::vector<std::string> indexNames; // i and j, or what is free
};

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_KNOWNTABLES_H
