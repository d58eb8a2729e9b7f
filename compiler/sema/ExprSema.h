//===- ExprSema.h - Analysis of names and expressions ----------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SEMA_EXPRSEMA_H
#define QUADRILLE_SEMA_EXPRSEMA_H

#include "Mentions.h"
#include "Sema.h"

#include "diagnostics/Diagnostics.h"
#include "ir/Operations.h"

#include "llvm/ADT/StringSet.h"

#include <cassert>
#include <deque>
#include <optional>

namespace quadrille::compiler::sema {

/// The meaning of a name in a body.
struct Symbol {
  enum Kind { Number, Range, Buffer, Inlined, Table } kind = Number;
  unsigned variable = 0;                // Number: its variable; Range: the variable of lo, that of hi follows
  ir::Buffer *buffer = nullptr;         // Buffer
  unsigned table = 0;                   // Table: its index in the tables,
  unsigned extents = 0;                 //   and its number of indices
  const ir::Expr *value = nullptr;      // Inlined: the value that replaces the name
  llvm::SMRange range = {};
  bool isWrong = false;                 // Number: its value has an error, so nothing that follows from it is reported
};

/// Nested scopes of names. An inner declaration must not hide an outer one, which would be confusing.
class Names {
public:
  void push() { scopes.emplace_back(); }
  void pop() {
    assert(scopes.size() > 1 && "the outermost scope stays");
    scopes.pop_back();
  }
  const Symbol *find(llvm::StringRef name) const;
  void add(llvm::StringRef name, Symbol symbol) { scopes.back()[name] = symbol; }
  /// Adds a name to an enclosing scope. `depth`: the value of depth() in that scope.
  void addAt(size_t depth, llvm::StringRef name, Symbol symbol) {
    assert(0 < depth && depth <= scopes.size() && "an enclosing scope");
    scopes[depth - 1][name] = symbol;
  }
  size_t depth() const { return scopes.size(); }
  /// All names, sorted.
  std::vector<std::string> all() const;
  std::string suggestion(llvm::StringRef name) const;

private:
  // A deque, so that symbols keep their addresses when scopes are added.
  std::deque<llvm::StringMap<Symbol>> scopes{1};
};

/// The candidate most similar to a misspelled name; empty if none is similar.
std::string didYouMean(llvm::StringRef name, const std::vector<std::string> &candidates);

/// A number with its noun: "no blocks", "1 block", "2 blocks".

class ExprSema;

/// The condition that a rank exists and is below `me`.
const ir::Expr *isBelowMe(ExprSema &exprs, const ir::Expr &rank, bool mayBeNone, llvm::SMRange range);

/// `x@rank` or `x@rank[index]`; `index` may be null.
struct DataAtRank {
  const ast::Expr *base, *rank, *index;
};
/// The parts of such an expression; nothing for other expressions.
std::optional<DataAtRank> dataAtRank(const ast::Expr &expr);

/// Analyzes the expressions of one frame (a schedule, collective, function or tree definition).
class ExprSema {
public:
  enum class Context { Plain, Cost, Clock, Invariant };

  ExprSema(const FileScope &scope, ir::Program &program, std::vector<ir::Variable> &variables, Names &names,
           Diagnostics &diagnostics)
      : scope(&scope), program(program), variables(variables), names(names), diagnostics(diagnostics) {}
  /// Hands the noted mentions over, since buffers are fully known only now. The variables must outlive this object.
  ~ExprSema();

  const ir::Expr *integer(const ast::Expr &expr) { return typed(expr, ir::Type::Integer); }
  const ir::Expr *boolean(const ast::Expr &expr) { return typed(expr, ir::Type::Boolean); }
  /// Analyzes an expression of any type, or of the given one. Null after an error, which is reported.
  const ir::Expr *any(const ast::Expr &expr);
  const ir::Expr *typed(const ast::Expr &expr, ir::Type type);

  void setContext(Context c) { context = c; }
  /// Expressions may ask for the map from ranks to nodes, but in clocks and invariants.
  void knowNodes() { knowsNodes = true; }
  /// Replaces the scope of visible declarations that the constructor was given.
  void setScope(const FileScope &visible) { scope = &visible; }
  /// No new variable gets this name from here on; untaken() chooses another one.
  void take(llvm::StringRef name) { taken.insert(name); }
  std::string untaken(llvm::StringRef name) const;
  unsigned newVariable(llvm::StringRef name, ir::Type type, bool dependsOnRank, llvm::SMRange range);
  ir::Expr *make(ir::Op op, ir::Type type, llvm::SMRange range, llvm::ArrayRef<const ir::Expr *> operands);
  const ir::Expr *constant(std::int64_t value, llvm::SMRange range);
  ir::Expr *variable(unsigned index, llvm::SMRange range);
  /// Analyzes the length after `of`: `len[j]`, `len[i][j]` or `packet(len[j], k, i)`. In the type of an array of blocks, a name that
  /// is not declared is the number of the block.
  std::optional<ir::LengthOf> lengthOf(const ast::Expr &expr, bool ofArray);
  /// Analyzes what ranks know of a table: an entry and, unless null, a condition. In an index, a name that is not declared stands for
  /// every index.
  std::optional<ir::Knowledge> knowledgeOf(const ast::Expr &entry, const ast::Expr *condition);
  /// The exclusive upper bound of a range: hi, or hi + 1 if it is inclusive.
  const ir::Expr *exclusive(const ir::Expr *hi, bool inclusive);

  /// Looks up a name of the text, and records what it stands for.
  const Symbol *find(const ast::Name &name) { return find(name.text, name.range); }
  const Symbol *find(llvm::StringRef text, llvm::SMRange range);
  /// Records that a symbol is declared there, or mentioned.
  void note(llvm::SMRange range, const Symbol &symbol);
  /// Records the mention of a declaration of a file.
  void note(llvm::SMRange range, llvm::SMRange declaration, MentionKind kind);

  void error(llvm::SMRange range, diag::Facts facts) { error(Diagnostic(range, std::move(facts))); }
  void error(Diagnostic diagnostic) {
    diagnostics.report(std::move(diagnostic));
  }

  /// Whether the language has a builtin function of this name.
  static bool isBuiltin(llvm::StringRef name);

  /// Describes an expression for messages of the form `found ...`.
  diag::Thing describe(const ast::Expr &expr) const;

private:
  const ir::Expr *name(const ast::Expr &expr);
  const ir::Expr *call(const ast::Expr &expr);
  const ir::Expr *builtin(const ast::Expr &expr, const ir::Operation &operation);
  const ir::Expr *height(const ast::Expr &expr);
  /// An operation on the map from ranks to nodes.
  const ir::Expr *ofNodes(const ast::Expr &expr, ir::Op op);
  /// A field of a tree at the node `rank`; null: `me`.
  const ir::Expr *field(const ast::Expr &expr, const ir::Expr *rank = nullptr);
  const ir::Expr *fieldAtRank(const ast::Expr &expr);
  const ir::Expr *unary(const ast::Expr &expr);
  const ir::Expr *binary(const ast::Expr &expr);
  const ir::Expr *comparison(const ast::Expr &expr);
  const ir::Expr *select(const ast::Expr &expr);
  const ir::Expr *aggregate(const ast::Expr &expr);
  /// The table of `len[i][j]`, and its indices; null if the expression is not an element of a table.
  const Symbol *tableOf(const ast::Expr &expr, llvm::SmallVectorImpl<const ast::Expr *> &indices) const;
  /// Analyzes the indices of an element of a table, and checks their number. False after an error.
  bool tableIndices(const ast::Expr &expr, const Symbol &table, llvm::ArrayRef<const ast::Expr *> indices,
                    llvm::SmallVectorImpl<const ir::Expr *> &into);
  const ir::Expr *element(const ast::Expr &expr);
  const ir::Expr *buildTree(const ast::Expr &expr, const ir::Tree &tree);
  /// Analyzes a range argument, or a name bound to a range, and returns its bounds.
  bool rangeBounds(const ast::Expr &expr, const ir::Expr *&lo, const ir::Expr *&hi);

  const FileScope *scope;
  ir::Program &program;
  std::vector<ir::Variable> &variables;
  Names &names;
  Diagnostics &diagnostics;
  Context context = Context::Plain;
  bool knowsNodes = false;
  struct Noted {
    Mentions *mentions;
    llvm::SMRange range;
    Symbol symbol;
  };
  std::vector<Noted> noted;
  llvm::StringSet<> taken;
};

} // namespace quadrille::compiler::sema

#endif // QUADRILLE_SEMA_EXPRSEMA_H
