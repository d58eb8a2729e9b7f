//===- PlainFunctions.cpp - Functions that lemmas speak of and that do not call themselves -------------------------------===//
//
// The value of such a function has a formula, but the formula makes terms large when it is inserted at each call. If lemmas say
// what proofs need, a call is an application of an uninterpreted function instead, described by the lemmas; its formula is used
// only if they do not suffice. This applies to functions with a lemma that mentions no recursive function: lemmas that mention
// both need the formula.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "DefinedTerms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::prove {

/// Whether a lemma mentions the function, and no recursive one.
static bool isAbout(const ir::Lemma &lemma, const ir::Function &function) {
  bool isNamed = false, namesRecursive = false;
  std::function<void(const ir::Expr &)> visit = [&](const ir::Expr &expr) {
    if (expr.op == ir::Op::Call) {
      isNamed |= expr.function == &function;
      namesRecursive |= isRecursive(*expr.function);
    }
    for (const ir::Expr *operand : expr.operands)
      visit(*operand);
  };
  visit(*lemma.claim);
  if (lemma.condition)
    visit(*lemma.condition);
  return isNamed && !namesRecursive;
}

Term DefinedTerms::lemmaCall(const ir::Function &function, llvm::ArrayRef<Value> arguments, Term &isDefined) {
  if (function.lemmas.empty())
    return {};
  const Bounds *bounds = plainFunction(function, arguments);
  if (!bounds) { // its lemmas have to be shown nevertheless
    wantLaws(function);
    return {};
  }
  std::vector<Term> terms;
  for (const Value &argument : arguments)
    terms.push_back(argument.term);
  isDefined = instance(bounds->hasValue, *bounds, terms, bounds->result);
  return pool.apply(nameOf(function), terms);
}

/// Asks for the laws of a function. They are added when no search for bounds is open, since they may mention the functions
/// searched.
void DefinedTerms::wantLaws(const ir::Function &function) {
  if (lawsAsked.insert(&function).second)
    lawsWanted.push_back(&function);
  if (!lawsWanted.empty() && open.empty() && !addingLaws) {
    const llvm::SaveAndRestore adding(addingLaws, true);
    addLaws();
  }
}

/// The entry of a plain function with lemmas; null if it has none that qualify, or if an argument or the result may be `none`.
const DefinedTerms::Bounds *DefinedTerms::plainFunction(const ir::Function &function, llvm::ArrayRef<Value> values) {
  auto isNumber = [](const Value &value) { return !value.exists && value.term && !value.term->isBoolean(); };
  if (function.type != ir::Type::Integer || !llvm::all_of(values, isNumber) ||
      llvm::none_of(function.lemmas, [&](const ir::Lemma *lemma) { return isAbout(*lemma, function); }))
    return nullptr;
  const std::string name = nameOf(function);
  if (auto known = recursive.find(name); known != recursive.end())
    return known->second->function == &function ? known->second.get() : nullptr;
  auto bounds = std::make_unique<Bounds>();
  bounds->function = &function;
  bounds->isPlain = true;
  std::vector<Value> arguments(function.variables.size());
  for (unsigned i = 0; i < function.argumentCount; ++i) {
    bounds->arguments.push_back(argumentName(function, i));
    arguments[i] = {bounds->arguments.back(), {}, {}};
  }
  bounds->result = resultName(function);
  Value value;
  llvm::SmallVector<Term, 8> needs;
  {
    open.push_back(&function);
    auto close = llvm::make_scope_exit([&] { open.pop_back(); });
    const Numbers::Apart apart(numbers);
    value = numbers.value(*function.body, arguments);
    for (const Numbers::Need &need : numbers.needs)
      needs.push_back(need.condition);
  }
  if (value.exists)
    return nullptr;
  bounds->body = value.term;
  bounds->isSmall = true;
  forEachNode({value.term}, [&](Term a) { bounds->isSmall &= a->kind != TermKind::Apply || !recursive.contains(a->name); });
  bounds->hasValue = pool.conjunction(needs);
  const Bounds *result = (recursive[name] = std::move(bounds)).get();
  wantLaws(function);
  return result;
}

bool DefinedTerms::isPlain(Term call) const {
  auto function = recursive.find(call->name);
  return call->kind == TermKind::Apply && function != recursive.end() && function->second->isPlain;
}

/// The term with all calls of plain functions replaced by their formulas.
Term DefinedTerms::withFormulas(Term term) {
  return pool.rebuild(term, [&](Term a) -> Term {
    if (!isPlain(a))
      return {};
    std::vector<Term> arguments;
    for (Term argument : a->operands)
      arguments.push_back(withFormulas(argument));
    const Bounds &bounds = *recursive.at(a->name);
    return withFormulas(instance(bounds.body, bounds, arguments, bounds.result));
  });
}

} // namespace quadrille::compiler::prove
