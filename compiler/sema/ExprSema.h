//===- ExprSema.h - Names and expressions ----------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SEMA_EXPRSEMA_H
#define QUADRILLE_SEMA_EXPRSEMA_H

#include "Sema.h"

#include "diagnostics/Diagnostics.h"
#include "ir/Operations.h"

#include <deque>
#include <optional>

namespace quadrille::compiler::sema {

/// What a name stands for in a body.
struct Symbol {
  enum Kind { Number, Range, Buffer, Inlined, Table } kind = Number;
  unsigned variable = 0;                // Number: its variable; Range: of lo, hi is the next
  ir::Buffer *buffer = nullptr;         // Buffer
  unsigned table = 0;                   // Table: its number,
  unsigned extents = 0;                 //   and how many indices it takes
  const ir::Expr *value = nullptr;      // Inlined: the value that stands for the name
  llvm::SMRange range = {};
};

/// Nested scopes of names. An inner declaration may not hide an outer one: schedules are short, and hiding confuses.
class Names {
public:
  void push() { scopes.emplace_back(); }
  void pop() { scopes.pop_back(); }
  const Symbol *find(llvm::StringRef name) const;
  void add(llvm::StringRef name, Symbol symbol) { scopes.back()[name] = symbol; }
  /// Adds to an enclosing scope: `depth` is what depth() was in it.
  void addAt(size_t depth, llvm::StringRef name, Symbol symbol) { scopes[depth - 1][name] = symbol; }
  size_t depth() const { return scopes.size(); }
  std::string suggestion(llvm::StringRef name) const;

private:
  // A deque: a symbol that was found keeps its address while scopes are added.
  std::deque<llvm::StringMap<Symbol>> scopes{1};
};

/// The nearest candidate, or nothing.
std::string didYouMean(llvm::StringRef name, const std::vector<std::string> &candidates);

/// "no blocks", "1 block", "2 blocks".
std::string plural(size_t count, llvm::StringRef noun);

/// `x@rank` or `x@rank[index]`; `index` may be null.
struct DataAtRank {
  const ast::Expr *base, *rank, *index;
};
/// Takes such data apart; nothing if the expression is none.
std::optional<DataAtRank> dataAtRank(const ast::Expr &expr);

/// Analyzes the expressions of one frame (a schedule, collective, function or tree definition).
class ExprSema {
public:
  enum class Context { Plain, Cost, Clock };

  ExprSema(const FileScope &scope, ir::Program &program, std::vector<ir::Variable> &variables, Names &names,
           Diagnostics &diagnostics)
      : scope(scope), program(program), variables(variables), names(names), diagnostics(diagnostics) {}

  const ir::Expr *integer(const ast::Expr &expr) { return typed(expr, ir::Type::Integer); }
  const ir::Expr *boolean(const ast::Expr &expr) { return typed(expr, ir::Type::Boolean); }
  /// Any type. Null after an error.
  const ir::Expr *any(const ast::Expr &expr);
  const ir::Expr *typed(const ast::Expr &expr, ir::Type type);

  void setContext(Context c) { context = c; }
  unsigned newVariable(llvm::StringRef name, ir::Type type, bool dependsOnRank, llvm::SMRange range);
  ir::Expr *make(ir::Op op, ir::Type type, llvm::SMRange range, llvm::ArrayRef<const ir::Expr *> operands);
  const ir::Expr *constant(std::int64_t value, llvm::SMRange range);
  ir::Expr *variable(unsigned index, llvm::SMRange range);
  /// What stands after `of`: `len[j]`, `len[i][j]` or `packet(len[j], k, i)`. Of an array of blocks, a name that stands
  /// for nothing else is the number of the block.
  std::optional<ir::LengthOf> lengthOf(const ast::Expr &expr, bool ofArray);
  /// hi + 1 for an inclusive range.
  const ir::Expr *exclusive(const ir::Expr *hi, bool inclusive);

  void error(llvm::SMRange range, diag::Facts facts) {
    diagnostics.report(range, std::move(facts));
  }

  /// Whether the language itself has a function of this name.
  static bool isBuiltin(llvm::StringRef name);

  /// What an expression looks like, for `found ...`.
  std::string describe(const ast::Expr &expr) const;

private:
  const ir::Expr *name(const ast::Expr &expr);
  const ir::Expr *call(const ast::Expr &expr);
  const ir::Expr *builtin(const ast::Expr &expr, const ir::Operation &operation);
  const ir::Expr *height(const ast::Expr &expr);
  /// Of `rank`, of `me` if it is null.
  const ir::Expr *field(const ast::Expr &expr, const ir::Expr *rank = nullptr);
  const ir::Expr *fieldAtRank(const ast::Expr &expr);
  const ir::Expr *unary(const ast::Expr &expr);
  const ir::Expr *binary(const ast::Expr &expr);
  const ir::Expr *comparison(const ast::Expr &expr);
  const ir::Expr *select(const ast::Expr &expr);
  const ir::Expr *aggregate(const ast::Expr &expr);
  /// `len[i][j]`, where `len` is a table; null if it is none.
  const Symbol *tableOf(const ast::Expr &expr, llvm::SmallVectorImpl<const ast::Expr *> &indices) const;
  /// The indices of an element of a table, as many as it takes. False after an error.
  bool tableIndices(const ast::Expr &expr, const Symbol &table, llvm::ArrayRef<const ast::Expr *> indices,
                    llvm::SmallVectorImpl<const ir::Expr *> &into);
  const ir::Expr *element(const ast::Expr &expr);
  const ir::Expr *buildTree(const ast::Expr &expr, const ir::Tree &tree);
  /// The two bounds of a range argument or of a name bound to a range.
  bool rangeBounds(const ast::Expr &expr, const ir::Expr *&lo, const ir::Expr *&hi);

  const FileScope &scope;
  ir::Program &program;
  std::vector<ir::Variable> &variables;
  Names &names;
  Diagnostics &diagnostics;
  Context context = Context::Plain;
};

} // namespace quadrille::compiler::sema

#endif // QUADRILLE_SEMA_EXPRSEMA_H
