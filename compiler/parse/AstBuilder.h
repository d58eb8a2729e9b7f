//===- AstBuilder.h - From ANTLR's parse tree to the syntax tree --------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PARSE_ASTBUILDER_H
#define QUADRILLE_PARSE_ASTBUILDER_H

#include "SyntaxErrors.h"

#include "ast/Ast.h"

#include "QuadrilleParser.h"

#include <optional>

namespace quadrille::compiler {

/// Builds the syntax tree. The grammar names every operand, so children are accessed by name.
class AstBuilder {
public:
  struct TooDeep {
    llvm::SMRange range;
  };

  AstBuilder(const TokenPlaces &places, Diagnostics &diagnostics) : places(places), diagnostics(diagnostics) {}

  /// Nothing if a number is malformed, which is reported. Throws TooDeep.
  std::optional<ast::File> build(grammar::QuadrilleParser::FileContext *file);

private:
  using P = grammar::QuadrilleParser;

  ast::Collective collective(P::CollectiveDeclContext *context);
  ast::Parameter parameter(P::ParameterContext *context);
  ast::Function function(P::FunctionDeclContext *context);
  ast::Lemma lemma(P::LemmaDeclContext *context);
  ast::Tree tree(P::TreeDeclContext *context);
  ast::Schedule schedule(P::ScheduleDeclContext *context);
  ast::Clause clause(P::ClauseContext *context);
  ast::Block block(const std::vector<P::StatementContext *> &statements);
  std::unique_ptr<ast::Statement> statement(P::StatementContext *context);
  template <typename IfContext>
  std::unique_ptr<ast::Statement> ifStatement(IfContext *context);
  void loopHead(P::ForHeadContext *context, ast::Statement &statement);
  std::optional<ast::BlockType> blockType(P::BlockTypeContext *context);

  ast::ExprPtr expr(P::ExprContext *context);
  ast::ExprPtr optionalExpr(P::ExprContext *context) { return context ? expr(context) : nullptr; }
  ast::ExprPtr atom(P::AtomContext *context);
  /// A fold or aggregate `(term for id in lo ..< hi if condition)`.
  template <class Context> ast::ExprPtr folded(ast::ExprKind kind, Context *context, P::ExprContext *term);
  ast::ExprPtr aggregate(P::CallAtomContext *context);
  ast::ExprPtr argument(P::ArgumentContext *context);
  ast::ExprPtr indexed(P::IndexExprContext *context);
  ast::ExprPtr place(P::PlaceContext *context);
  /// Adds the parts of an index to a node that already has its base.
  void index(P::IndexContext *at, ast::Expr &result);
  ast::ExprPtr integer(antlr4::Token *token);
  ast::ExprPtr node(ast::ExprKind kind, const antlr4::ParserRuleContext *context) const;
  ast::ExprPtr binary(const antlr4::ParserRuleContext *context, antlr4::Token *op, P::ExprContext *left,
                      P::ExprContext *right);
  ast::ExprPtr range(const antlr4::ParserRuleContext *context, antlr4::Token *op, P::ExprContext *lo,
                     P::ExprContext *hi);

  ast::Name name(P::NameContext *context) const;
  ast::Name name(antlr4::Token *token) const;
  std::vector<ast::Name> names(const std::vector<P::NameContext *> &contexts) const;

  const TokenPlaces &places;
  Diagnostics &diagnostics;
  unsigned depth = 0;
  bool failed = false;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_PARSE_ASTBUILDER_H
