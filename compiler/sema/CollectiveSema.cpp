//===- CollectiveSema.cpp - Analysis of a collective -----------------------------------------------------------------===//

#include "CollectiveSema.h"

#include "ExprSema.h"

namespace quadrille::compiler::sema {

namespace {
class CollectiveSema {
public:
  CollectiveSema(const ast::Collective &text, const FileScope &scope, ir::Program &program, Diagnostics &diagnostics)
      : text(text), result(std::make_unique<ir::Collective>()),
        exprs(scope, program, result->variables, names, diagnostics), diagnostics(diagnostics) {}

  std::unique_ptr<ir::Collective> run() {
    unsigned before = diagnostics.errorCount();
    result->name = text.name.text;
    result->range = text.name.range;
    exprs.note(result->range, result->range, MentionKind::Collective);
    Symbol p;
    p.variable = exprs.newVariable("p", ir::Type::Integer, false, text.name.range);
    names.add("p", p);
    for (const ast::Parameter &param : text.inputs)
      if (!param.type && param.extents.empty())
        number(param);
    result->numberCount = static_cast<unsigned>(result->variables.size()) - 1;
    me.variable = exprs.newVariable("me", ir::Type::Integer, true, text.name.range);
    for (const ast::Parameter &param : text.inputs)
      if (!param.type && !param.extents.empty())
        table(param);
    for (const ast::Parameter &param : text.inputs)
      parameter(param, result->inputs);
    for (const ast::Parameter &param : text.outputs)
      parameter(param, result->outputs);
    for (const ast::Promise &p : text.promises)
      promise(p);
    for (const ast::Knows &knows : text.knowledge)
      knowledge(knows);
    return diagnostics.errorCount() == before ? std::move(result) : nullptr;
  }

private:
  void number(const ast::Parameter &param) {
    Symbol symbol;
    symbol.variable = exprs.newVariable(param.name.text, ir::Type::Integer, false, param.name.range);
    symbol.range = param.name.range;
    exprs.note(symbol.range, symbol);
    if (names.find(param.name.text))
      exprs.error(param.name.range, diag::Redeclared{.name = param.name.text});
    names.add(param.name.text, symbol);
  }

  void table(const ast::Parameter &param) {
    Symbol symbol{Symbol::Table};
    symbol.table = tableCount++;
    symbol.extents = static_cast<unsigned>(param.extents.size());
    symbol.range = param.name.range;
    exprs.note(symbol.range, symbol);
    if (names.find(param.name.text))
      exprs.error(param.name.range, diag::Redeclared{.name = param.name.text});
    names.add(param.name.text, symbol);
  }

  void parameter(const ast::Parameter &param, std::vector<ir::CollectiveParam> &into) {
    ir::CollectiveParam result;
    result.name = param.name.text;
    result.range = param.name.range;
    result.isNumber = !param.type && param.extents.empty();
    result.isTable = !param.type && !param.extents.empty();
    for (const ast::ExprPtr &extent : param.extents)
      result.extents.push_back(exprs.integer(*extent));
    if (param.extents.size() > 2 || (param.type && !param.extents.empty()))
      exprs.error(param.name.range,
                  param.type ? diag::TypeMismatch{.expected = diag::ThingBlocksWithType{}, .found = diag::ThingTableWithType{}}
                             : diag::TypeMismatch{.expected = diag::ThingTableOfOneOrTwo{}, .found = diag::ThingMore{}});
    if (param.type) {
      result.isArray = param.type->count != nullptr;
      if (result.isArray)
        result.count = exprs.integer(*param.type->count);
      if (param.type->length) {
        names.push();
        names.add("me", me);
        result.length = exprs.lengthOf(*param.type->length, result.isArray);
        names.pop();
      }
    } else if (&into == &this->result->outputs) {
      exprs.error(param.name.range,
                  diag::TypeMismatch{.expected = diag::ThingBlockWithType{},
                                     .found = result.isTable ? diag::Thing(diag::ThingTable{}) : diag::ThingNumber{}});
    }
    // Clashes with numbers and tables were reported before.
    for (const auto *list : {&this->result->inputs, &this->result->outputs})
      for (const ir::CollectiveParam &other : *list)
        if (other.name == result.name && (result.isData() || other.isData()))
          exprs.error(param.name.range, diag::Redeclared{.name = param.name.text});
    if (param.presence)
      result.presence = exprs.integer(*param.presence);
    if (result.isData())
      exprs.note(result.range, result.range, MentionKind::Blocks);
    into.push_back(result);
  }

  void knowledge(const ast::Knows &knows) {
    names.push();
    names.add("me", me);
    if (std::optional<ir::Knowledge> known = exprs.knowledgeOf(*knows.entry, knows.condition.get())) {
      known->range = knows.range;
      result->knowledge.push_back(std::move(*known));
    }
    names.pop();
  }

  void notAPromise(llvm::SMRange range) { exprs.error(range, diag::NotAPromise{}); }

  /// The variable of a name that is not declared: a free variable, for all whose values the promise holds.
  std::optional<unsigned> freeVariable(const ast::Expr &expr) {
    if (expr.kind != ast::ExprKind::Name || names.find(expr.text))
      return std::nullopt;
    Symbol symbol;
    symbol.variable = exprs.newVariable(expr.text, ir::Type::Integer, false, expr.range);
    symbol.range = expr.range;
    exprs.note(symbol.range, symbol);
    names.add(expr.text, symbol);
    return symbol.variable;
  }

  static const ir::CollectiveParam *find(const std::vector<ir::CollectiveParam> &params, llvm::StringRef name,
                                         unsigned &index) {
    for (index = 0; index < params.size(); ++index)
      if (params[index].name == name && params[index].isData())
        return &params[index];
    return nullptr;
  }

  bool checkIndexed(const ir::CollectiveParam &param, const ast::Expr *index, llvm::SMRange range) {
    if (param.isArray == (index != nullptr))
      return true;
    exprs.error(range, param.isArray ? diag::ShapeMismatch{.expected = diag::ThingOneBlockOfRank{.buffer = param.name}, .found = diag::ThingAll{}}
                                     : diag::ShapeMismatch{.expected = diag::ThingSingleBlockOf{.buffer = param.name}, .found = diag::ThingIndex{}});
    return false;
  }

  void term(const ast::Expr &expr, ir::PromisedTerm &into) {
    std::optional<DataAtRank> data = dataAtRank(expr);
    if (!data)
      return notAPromise(expr.range);
    auto [base, rank, index] = *data;
    unsigned which = 0;
    const ir::CollectiveParam *param = find(result->inputs, base->text, which);
    if (param)
      exprs.note(base->range, param->range, MentionKind::Blocks);
    else
      return exprs.error(base->range,
                         diag::TypeMismatch{.expected = diag::ThingInputOfCollective{}, .found = diag::ThingNamed{.name = base->text}});
    if (!checkIndexed(*param, index, expr.range))
      return;
    into.input = which;
    into.rank = exprs.integer(*rank);
    into.index = index ? exprs.integer(*index) : nullptr;
  }

  void promise(const ast::Promise &promise) {
    ir::Promise out;
    out.range = promise.range;
    names.push();
    analyze(promise, out);
    names.pop();
    result->promises.push_back(out);
  }

  void analyze(const ast::Promise &promise, ir::Promise &out) {
    const ast::Expr &claim = *promise.claim;
    if (claim.kind == ast::ExprKind::Call && claim.text == "heard" && claim.operands.size() == 2) {
      out.isHeard = true;
      if (!freeVariable(*claim.operands[0]) || !freeVariable(*claim.operands[1]) || promise.condition)
        notAPromise(claim.range);
      return;
    }
    std::optional<DataAtRank> data;
    if (claim.kind == ast::ExprKind::Binary && claim.text == "==")
      data = dataAtRank(*claim.operands[0]);
    if (!data)
      return notAPromise(claim.range);
    auto [base, rank, index] = *data;
    const ir::CollectiveParam *output = find(result->outputs, base->text, out.output);
    if (output)
      exprs.note(base->range, output->range, MentionKind::Blocks);
    else
      return exprs.error(base->range,
                         diag::TypeMismatch{.expected = diag::ThingResultOfCollective{}, .found = diag::ThingNamed{.name = base->text}});
    if (!checkIndexed(*output, index, claim.operands[0]->range))
      return;
    out.rankVariable = freeVariable(*rank);
    if (!out.rankVariable)
      out.rank = exprs.integer(*rank);
    if (index) {
      out.indexVariable = freeVariable(*index);
      if (!out.indexVariable)
        out.index = exprs.integer(*index);
    }
    const ast::Expr &right = *claim.operands[1];
    if (right.kind == ast::ExprKind::Fold) {
      out.term.isFold = true;
      out.term.lo = exprs.integer(*right.operands[1]);
      out.term.hi = exprs.exclusive(exprs.integer(*right.operands[2]), right.inclusive);
      Symbol symbol;
      symbol.variable = out.term.binder = exprs.newVariable(right.text, ir::Type::Integer, false, right.textRange);
      symbol.range = right.textRange;
      exprs.note(symbol.range, symbol);
      if (names.find(right.text))
        exprs.error(right.textRange, diag::Redeclared{.name = right.text});
      names.add(right.text, symbol);
      if (right.operands.size() > 3)
        out.term.condition = exprs.boolean(*right.operands[3]);
      term(*right.operands[0], out.term);
    } else {
      term(right, out.term);
    }
    if (promise.condition)
      out.condition = exprs.boolean(*promise.condition);
  }

  const ast::Collective &text;
  std::unique_ptr<ir::Collective> result;
  Names names;
  ExprSema exprs;
  Diagnostics &diagnostics;
  Symbol me;
  unsigned tableCount = 0;
};
} // namespace

std::unique_ptr<ir::Collective> analyzeCollective(const ast::Collective &text, const FileScope &scope,
                                                  ir::Program &program, Diagnostics &diagnostics) {
  return CollectiveSema(text, scope, program, diagnostics).run();
}

} // namespace quadrille::compiler::sema
