//===- AstBuilder.cpp - From ANTLR's parse tree to the syntax tree ---------------------------------------------------------------===//

#include "AstBuilder.h"

#include "Alternatives.h"

#include "diagnostics/Diagnostics.h"
#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler {

using namespace ast;

namespace {
/// Counts the nesting of statements and expressions. Throws TooDeep beyond a limit.
class Deeper {
public:
  Deeper(unsigned &depth, llvm::SMRange range) : depth(depth) {
    if (++depth > limits::nestingLevels)
      throw AstBuilder::TooDeep{range};
  }
  ~Deeper() { --depth; }

private:
  unsigned &depth;
};
} // namespace

std::optional<File> AstBuilder::build(P::FileContext *context) {
  File file;
  for (P::ItemContext *item : context->items) {
    if (!file.first.isValid())
      file.first = places.range(item).Start;
    if (auto *i = item->importDecl())
      file.imports.push_back({{places.range(i->folder ? i->folder : i->id).Start, places.range(i->id).End},
                              (i->folder ? i->folder->getText() + "/" : "") + i->id->getText()});
    else if (auto *c = item->collectiveDecl())
      file.collectives.push_back(collective(c));
    else if (auto *s = item->scheduleDecl())
      file.schedules.push_back(schedule(s));
    else if (auto *f = item->functionDecl())
      file.functions.push_back(function(f));
    else if (auto *l = item->lemmaDecl())
      file.lemmas.push_back(lemma(l));
    else if (auto *t = item->treeDecl())
      file.trees.push_back(tree(t));
  }
  if (failed)
    return std::nullopt;
  return file;
}

Name AstBuilder::name(P::NameContext *context) const { return {context->getText(), places.range(context)}; }

Name AstBuilder::name(antlr4::Token *token) const { return {token->getText(), places.range(token)}; }

std::optional<BlockType> AstBuilder::blockType(P::BlockTypeContext *context) {
  if (!context)
    return std::nullopt;
  return BlockType{places.range(context), optionalExpr(context->count), optionalExpr(context->length)};
}

// ---- declarations ------------------------------------------------------------------------------------------------------

std::vector<Name> AstBuilder::names(const std::vector<P::NameContext *> &contexts) const {
  std::vector<Name> result;
  for (auto *context : contexts)
    result.push_back(name(context));
  return result;
}

Parameter AstBuilder::parameter(P::ParameterContext *context) {
  Parameter result{name(context->id), {}, blockType(context->type), optionalExpr(context->presence)};
  for (auto *extent : context->extents)
    result.extents.push_back(expr(extent));
  return result;
}

Collective AstBuilder::collective(P::CollectiveDeclContext *context) {
  Collective result;
  result.name = name(context->id);
  result.range = places.range(context);
  for (auto *input : context->inputs)
    result.inputs.push_back(parameter(input));
  for (auto *output : context->outputs)
    result.outputs.push_back(parameter(output));
  for (auto *promise : context->promises)
    result.promises.push_back({places.range(promise), expr(promise->claim), optionalExpr(promise->condition)});
  for (auto *knows : context->knowledge)
    result.knowledge.push_back({places.range(knows), expr(knows->entry), optionalExpr(knows->condition)});
  return result;
}

Function AstBuilder::function(P::FunctionDeclContext *context) {
  Function result;
  result.name = name(context->id);
  result.params = names(context->params);
  result.body = expr(context->body);
  return result;
}

Lemma AstBuilder::lemma(P::LemmaDeclContext *context) {
  Lemma result;
  result.name = name(context->id);
  result.params = names(context->params);
  result.claim = expr(context->claim);
  result.condition = optionalExpr(context->condition);
  return result;
}

Tree AstBuilder::tree(P::TreeDeclContext *context) {
  Tree result;
  result.name = name(context->id);
  result.subject = name(context->subject);
  for (auto *param : context->params)
    result.params.push_back({name(param->id), optionalExpr(param->preset)});
  result.root = expr(context->rootExpr);
  result.parent = optionalExpr(context->parentExpr);
  result.left = expr(context->leftExpr);
  result.right = expr(context->rightExpr);
  return result;
}

Schedule AstBuilder::schedule(P::ScheduleDeclContext *context) {
  Schedule result;
  result.name = name(context->id);
  result.range = places.range(context);
  for (auto *param : context->params)
    result.params.push_back({name(param->id), param->kind != nullptr});
  result.collective = name(context->collective);
  if (P::InstanceContext *base = context->base) {
    Instance &instance = result.instance.emplace();
    instance.range = places.range(base);
    if (base->folder)
      instance.folder = name(base->folder);
    instance.schedule = name(base->id);
    instance.isReversed = base->reverse != nullptr;
    for (auto *arg : base->args)
      instance.args.push_back(expr(arg));
  }
  for (auto *input : context->inputs)
    result.inputs.push_back(name(input));
  for (auto *output : context->outputs)
    result.outputs.push_back(name(output));
  for (auto *c : context->clauses)
    result.clauses.push_back(clause(c));
  result.body = block(context->body);
  return result;
}

Clause AstBuilder::clause(P::ClauseContext *context) {
  Clause result;
  result.range = places.range(context);
  if (auto *known = as<P::KnowsClauseContext>(context)) {
    result.kind = ClauseKind::Knows;
    result.expr = expr(known->knowledge->entry);
    result.condition = optionalExpr(known->knowledge->condition);
    if (known->id) {
      result.folder = name(known->folder);
      result.name = name(known->id);
    }
  } else if (auto *requirement = as<P::RequiresClauseContext>(context)) {
    result.kind = ClauseKind::Requires;
    result.expr = expr(requirement->condition);
  } else if (auto *model = as<P::ModelClauseContext>(context)) {
    result.kind = ClauseKind::Model;
    result.name = name(model->id);
    result.expr = optionalExpr(model->ports);
  } else if (auto *cost = as<P::CostClauseContext>(context)) {
    result.kind = ClauseKind::Cost;
    result.upperBound = cost->bound != nullptr;
    result.expr = expr(cost->formula);
  } else if (auto *rounds = as<P::RoundsClauseContext>(context)) {
    result.kind = ClauseKind::Rounds;
    result.upperBound = rounds->bound != nullptr;
    result.expr = expr(rounds->formula);
  } else if (auto *ranks = as<P::RanksClauseContext>(context)) {
    result.kind = ClauseKind::RanksFrom;
    result.expr = expr(ranks->origin);
  } else {
    result.kind = ClauseKind::Lockstep;
  }
  return result;
}

// ---- statements --------------------------------------------------------------------------------------------------------

Block AstBuilder::block(const std::vector<P::StatementContext *> &statements) {
  Block result;
  for (P::StatementContext *s : statements)
    result.push_back(statement(s));
  return result;
}

template <typename IfContext> std::unique_ptr<Statement> AstBuilder::ifStatement(IfContext *context) {
  Deeper deeper(depth, places.range(context->getStart()));
  auto result = std::make_unique<Statement>();
  result->kind = StatementKind::If;
  result->range = places.range(context);
  result->keyword = places.range(context->getStart());
  result->value = expr(context->condition);
  result->body = block(context->yes);
  result->otherwise = block(context->no);
  if (context->chained)
    result->otherwise.push_back(ifStatement(context->chained));
  return result;
}

std::unique_ptr<Statement> AstBuilder::statement(P::StatementContext *context) {
  if (auto *s = as<P::IfStatementContext>(context))
    return ifStatement(s);
  Deeper deeper(depth, places.range(context->getStart()));
  auto result = std::make_unique<Statement>();
  result->range = places.range(context);
  result->keyword = places.range(context->getStart());
  if (auto *s = as<P::LetStatementContext>(context)) {
    result->kind = StatementKind::Let;
    result->names.push_back(name(s->id));
    result->value = expr(s->value);
  } else if (auto *s = as<P::VarStatementContext>(context)) {
    result->kind = StatementKind::Var;
    result->names.push_back(name(s->id));
    result->type = blockType(s->type);
    result->value = optionalExpr(s->value);
  } else if (auto *s = as<P::SendStatementContext>(context)) {
    result->kind = StatementKind::Send;
    result->message = optionalExpr(s->message);
    result->value = expr(s->peer);
  } else if (auto *s = as<P::RecvStatementContext>(context)) {
    result->kind = StatementKind::Recv;
    result->message = optionalExpr(s->message);
    result->value = expr(s->peer);
  } else if (auto *s = as<P::ExchangeStatementContext>(context)) {
    result->kind = StatementKind::Exchange;
    result->message = optionalExpr(s->message);
    result->value = expr(s->peer);
    result->target = optionalExpr(s->target);
  } else if (auto *s = as<P::StepStatementContext>(context)) {
    result->kind = StatementKind::Step;
    result->body = block(s->body);
  } else if (auto *s = as<P::ForStatementContext>(context)) {
    result->kind = StatementKind::For;
    loopHead(s->head, *result);
    result->body = block(s->body);
  } else if (auto *s = as<P::InvariantStatementContext>(context)) {
    result->kind = StatementKind::Invariant;
    result->value = expr(s->claim);
    result->condition = optionalExpr(s->condition);
    if (s->otherwise)
      result->names.push_back(name(s->otherwise));
  } else if (auto *s = as<P::ClockStatementContext>(context)) {
    result->kind = StatementKind::Clock;
    for (auto *time : s->times)
      result->args.push_back(expr(time));
  } else if (auto *s = as<P::SplitStatementContext>(context)) {
    result->kind = StatementKind::Split;
    for (auto *var : s->vars)
      result->names.push_back(name(var));
    result->value = expr(s->parts);
  } else if (auto *s = as<P::UseStatementContext>(context)) {
    result->kind = StatementKind::Use;
    result->names.push_back(name(s->collective));
    result->names.push_back(name(s->algorithm));
    for (auto *param : s->params)
      result->params.push_back(expr(param));
    for (auto *arg : s->args)
      result->args.push_back(expr(arg));
    for (auto *r : s->results)
      result->results.push_back(expr(r));
    if (s->member) {
      result->member = expr(s->member);
      result->binder = name(s->binder);
      result->lo = expr(s->lo);
      result->hi = expr(s->hi);
      result->inclusive = s->op->getText() == "..";
    }
  } else {
    auto *assign = as<P::AssignStatementContext>(context);
    result->kind = StatementKind::Assign;
    result->target = place(assign->target);
    result->value = expr(assign->value);
    result->origin = optionalExpr(assign->origin);
    result->keyword = result->range;
  }
  return result;
}

void AstBuilder::loopHead(P::ForHeadContext *context, Statement &statement) {
  if (auto *loop = as<P::HalvingsLoopContext>(context)) {
    statement.loop = loop->reverse ? LoopKind::HalvingsReversed : LoopKind::Halvings;
    statement.names.push_back(name(loop->half));
    statement.names.push_back(name(loop->whole));
    statement.lo = expr(loop->extent);
    return;
  }
  auto *loop = as<P::NamedLoopContext>(context);
  statement.names.push_back(name(loop->id));
  ExprPtr begin = expr(loop->begin), end = optionalExpr(loop->end);
  statement.factor = optionalExpr(loop->factor);
  if (loop->down) {
    statement.loop = loop->halving ? LoopKind::Half : LoopKind::Descending;
    statement.hi = std::move(begin);
    statement.lo = std::move(end);
  } else {
    const bool times = loop->scale && loop->scale->getText() == "times";
    statement.loop = !end ? LoopKind::Set : times ? LoopKind::Times : LoopKind::Ascending;
    statement.inclusive = loop->op && loop->op->getText() == "..";
    statement.lo = std::move(begin);
    statement.hi = std::move(end);
  }
}

// ---- expressions -------------------------------------------------------------------------------------------------------

ExprPtr AstBuilder::node(ExprKind kind, const antlr4::ParserRuleContext *context) const {
  auto result = std::make_unique<Expr>();
  result->kind = kind;
  result->range = places.range(context);
  return result;
}

ExprPtr AstBuilder::binary(const antlr4::ParserRuleContext *context, antlr4::Token *op, P::ExprContext *left,
                           P::ExprContext *right) {
  ExprPtr result = node(ExprKind::Binary, context);
  result->text = op->getText() == "⊗" ? "<>" : op->getText();
  result->textRange = places.range(op);
  result->operands.push_back(expr(left));
  result->operands.push_back(expr(right));
  return result;
}

ExprPtr AstBuilder::range(const antlr4::ParserRuleContext *context, antlr4::Token *op, P::ExprContext *lo,
                          P::ExprContext *hi) {
  ExprPtr result = node(ExprKind::Range, context);
  result->inclusive = op->getText() == "..";
  result->operands.push_back(expr(lo));
  result->operands.push_back(expr(hi));
  return result;
}

ExprPtr AstBuilder::expr(P::ExprContext *context) {
  Deeper deeper(depth, places.range(context->getStart()));
  if (auto *e = as<P::AtomExprContext>(context))
    return atom(e->value);
  if (auto *e = as<P::IndexExprContext>(context))
    return indexed(e);
  if (auto *e = as<P::AtRankExprContext>(context)) {
    ExprPtr result = node(ExprKind::AtRank, context);
    result->operands.push_back(expr(e->operand));
    result->operands.push_back(atom(e->rank));
    return result;
  }
  if (auto *e = as<P::FieldExprContext>(context)) {
    ExprPtr result = node(ExprKind::Field, context);
    result->operands.push_back(expr(e->operand));
    result->text = e->field->getText();
    result->textRange = places.range(e->field);
    return result;
  }
  auto unary = [&](antlr4::Token *op, P::ExprContext *operand) {
    ExprPtr result = node(ExprKind::Unary, context);
    result->text = op->getText();
    result->textRange = places.range(op);
    result->operands.push_back(expr(operand));
    return result;
  };
  if (auto *e = as<P::SignExprContext>(context))
    return unary(e->op, e->operand);
  if (auto *e = as<P::NotExprContext>(context))
    return unary(e->op, e->operand);
  if (auto *e = as<P::SelectExprContext>(context)) {
    ExprPtr result = node(ExprKind::Select, context);
    result->operands.push_back(expr(e->condition));
    result->operands.push_back(expr(e->yes));
    result->operands.push_back(expr(e->no));
    return result;
  }
  if (auto *e = as<P::PowerExprContext>(context))
    return binary(context, e->op, e->left, e->right);
  if (auto *e = as<P::ProductExprContext>(context))
    return binary(context, e->op, e->left, e->right);
  if (auto *e = as<P::SumExprContext>(context))
    return binary(context, e->op, e->left, e->right);
  if (auto *e = as<P::ShiftExprContext>(context))
    return binary(context, e->op, e->left, e->right);
  if (auto *e = as<P::BitAndExprContext>(context))
    return binary(context, e->op, e->left, e->right);
  if (auto *e = as<P::BitXorExprContext>(context))
    return binary(context, e->op, e->left, e->right);
  if (auto *e = as<P::BitOrExprContext>(context))
    return binary(context, e->op, e->left, e->right);
  if (auto *e = as<P::CompareExprContext>(context))
    return binary(context, e->op, e->left, e->right);
  if (auto *e = as<P::AndExprContext>(context))
    return binary(context, e->op, e->left, e->right);
  if (auto *e = as<P::OrExprContext>(context))
    return binary(context, e->op, e->left, e->right);
  auto *e = as<P::CombineExprContext>(context);
  return binary(context, e->op, e->left, e->right);
}

ExprPtr AstBuilder::indexed(P::IndexExprContext *context) {
  ExprPtr result = node(ExprKind::Index, context);
  result->operands.push_back(expr(context->operand));
  index(context->at, *result);
  return result;
}

ExprPtr AstBuilder::place(P::PlaceContext *context) {
  Deeper deeper(depth, places.range(context->getStart()));
  if (auto *indexed = as<P::IndexPlaceContext>(context)) {
    ExprPtr result = node(ExprKind::Index, context);
    result->operands.push_back(place(indexed->operand));
    index(indexed->at, *result);
    return result;
  }
  ExprPtr result = node(ExprKind::Name, context);
  result->text = context->getText();
  return result;
}

void AstBuilder::index(P::IndexContext *at, Expr &result) {
  if (auto *select = as<P::SelectIndexContext>(at)) {
    result.indexKind = ast::IndexKind::Filter;
    result.inclusive = select->op->getText() == "..";
    result.text = select->id->getText();
    result.textRange = places.range(select->id);
    result.operands.push_back(expr(select->lo));
    result.operands.push_back(expr(select->hi));
    result.operands.push_back(expr(select->condition));
    return;
  }
  auto *point = as<P::PointIndexContext>(at);
  result.operands.push_back(expr(point->at));
  if (point->hi) {
    result.indexKind = ast::IndexKind::Range;
    result.inclusive = point->op->getText() == "..";
    result.operands.push_back(expr(point->hi));
  } else if (point->len) {
    result.indexKind = ast::IndexKind::Run;
    ExprPtr length = expr(point->len);
    // `y[a ..+ len mod m]` is the cyclic slice; `(len mod m)` in parentheses is only a length.
    if (length->kind == ExprKind::Binary && length->text == "mod" && !length->parenthesized) {
      result.indexKind = ast::IndexKind::Cyclic;
      ExprPtr len = std::move(length->operands[0]), modulus = std::move(length->operands[1]);
      result.operands.push_back(std::move(len));
      result.operands.push_back(std::move(modulus));
    } else {
      result.operands.push_back(std::move(length));
    }
  }
}

ExprPtr AstBuilder::integer(antlr4::Token *token) {
  auto result = std::make_unique<Expr>();
  result->kind = ExprKind::Integer;
  result->range = places.range(token);
  std::string text = token->getText();
  std::string digits;
  for (char c : text)
    if (c != '_')
      digits += c;
  llvm::StringRef ref(digits);
  unsigned radix = ref.consume_front("0x") ? 16 : ref.consume_front("0b") ? 2 : 10;
  bool wellFormed = !ref.empty() && llvm::all_of(ref, [&](char c) {
    return radix == 16 ? llvm::isHexDigit(c) : radix == 2 ? (c == '0' || c == '1') : llvm::isDigit(c);
  });
  if (!wellFormed) {
    diagnostics.report(result->range, diag::MalformedInteger{.text = text});
    failed = true;
  } else if (ref.getAsInteger(radix, result->value)) {
    diagnostics.report(result->range, diag::IntegerTooLarge{.text = text});
    failed = true;
  }
  return result;
}

ExprPtr AstBuilder::atom(P::AtomContext *context) {
  if (auto *a = as<P::IntegerAtomContext>(context))
    return integer(a->literal);
  if (auto *a = as<P::NameAtomContext>(context)) {
    ExprPtr result = node(ExprKind::Name, context);
    result->text = a->id->getText();
    return result;
  }
  if (auto *a = as<P::ParenAtomContext>(context)) {
    ExprPtr result = expr(a->inner);
    result->parenthesized = true;
    return result;
  }
  if (auto *a = as<P::CallAtomContext>(context)) {
    if (a->aggregate)
      return aggregate(a);
    ExprPtr result = node(ExprKind::Call, context);
    result->text = a->callee->getText();
    result->textRange = places.range(a->callee);
    for (auto *arg : a->args)
      result->operands.push_back(argument(arg));
    return result;
  }
  if (auto *a = as<P::FoldAtomContext>(context))
    return folded(ExprKind::Fold, a, a->term);
  return node(ExprKind::None, context);
}

template <class Context> ExprPtr AstBuilder::folded(ExprKind kind, Context *context, P::ExprContext *term) {
  ExprPtr result = node(kind, context);
  result->text = context->id->getText();
  result->textRange = places.range(context->id);
  result->inclusive = context->op->getText() == "..";
  result->operands.push_back(expr(term));
  result->operands.push_back(expr(context->lo));
  result->operands.push_back(expr(context->hi));
  if (context->condition)
    result->operands.push_back(expr(context->condition));
  return result;
}

ExprPtr AstBuilder::aggregate(P::CallAtomContext *context) {
  const P::ArgumentContext *term = context->args.front();
  if (term->op) { // `sum(0 ..< 3 for ...)`, whose term is a range
    diagnostics.report(places.range(context->aggregate), diag::UnexpectedToken{.keyword = false,
                                                                                .found = context->aggregate->getText(),
                                                                                .expected = {{diag::SyntaxOperator{}, diag::SyntaxWord{.word = ")"}, diag::SyntaxWord{.word = ","}}},
                                                                                .near = "",
                                                                                .loopHead = false});
    failed = true;
  }
  ExprPtr result = folded(ExprKind::Aggregate, context, term->value);
  result->callee = context->callee->getText();
  result->calleeRange = places.range(context->callee);
  return result;
}

ExprPtr AstBuilder::argument(P::ArgumentContext *context) {
  return context->op ? range(context, context->op, context->value, context->hi) : expr(context->value);
}

} // namespace quadrille::compiler
