//===- PlainFunctions.cpp - Functions that lemmas speak of and that do not call themselves -------------------------------===//
//
// What such a function yields has a formula. But where lemmas say what one needs to know of it, the formula is in the way:
// it would be put into others, again and again. So to those who call the function it is a name first, of which the lemmas
// speak, and its formula is looked at only where they do not suffice. The lemmas themselves are shown from the formulas,
// case by case, so that no formula has a choice in it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "DefinedTerms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

namespace quadrille::prove {

/// Whether an expression calls the function, not counting what others do.
static bool calls(const ir::Expr &expr, const ir::Function &function) {
  return (expr.op == ir::Op::Call && expr.function == &function) ||
         llvm::any_of(expr.operands, [&](const ir::Expr *operand) { return calls(*operand, function); });
}

/// Whether the text of a lemma names the function.
static bool isNamedIn(const ir::Lemma &lemma, const ir::Function &function) {
  return calls(*lemma.claim, function) || (lemma.condition && calls(*lemma.condition, function));
}

Term DefinedTerms::lemmaCall(const ir::Function &function, llvm::ArrayRef<Value> arguments, Term &isDefined) {
  const bool isNamed = llvm::any_of(function.lemmas, [&](const ir::Lemma *lemma) { return isNamedIn(*lemma, function); });
  if (!isNamed || function.type != ir::Type::Integer)
    return {};
  std::vector<Term> terms;
  for (const Value &argument : arguments) {
    if (argument.exists || !argument.term || argument.term->isBoolean())
      return {};
    terms.push_back(argument.term);
  }
  const Bounds *bounds = plainFunction(function);
  if (!bounds)
    return {};
  isDefined = instance(bounds->hasValue, *bounds, terms, bounds->result);
  return pool.apply(function.name + "()", terms);
}

/// The formula of a function; null if it may be `none`.
const DefinedTerms::Bounds *DefinedTerms::plainFunction(const ir::Function &function) {
  const std::string name = function.name + "()";
  if (auto known = recursive.find(name); known != recursive.end())
    return known->second.get();
  auto bounds = std::make_unique<Bounds>();
  bounds->function = &function;
  bounds->isPlain = true;
  std::vector<Value> values(function.variables.size());
  for (unsigned i = 0; i < function.argumentCount; ++i) {
    bounds->arguments.push_back(pool.variable(function.variables[i].name + "'" + function.name));
    values[i] = {bounds->arguments.back(), {}, {}};
  }
  bounds->result = pool.variable("result'" + function.name);
  // Laws wait until nothing is being looked into: they may speak of what is.
  Value value;
  llvm::SmallVector<Term, 8> needs;
  {
    open.push_back(&function);
    auto close = llvm::make_scope_exit([&, outer = std::move(numbers.needs)]() mutable {
      numbers.needs = std::move(outer);
      open.pop_back();
    });
    numbers.needs.clear();
    value = numbers.value(*function.body, values);
    for (const Numbers::Need &need : numbers.needs)
      needs.push_back(need.condition);
  }
  if (value.exists)
    return nullptr;
  bounds->body = value.term;
  bounds->isSmall = true;
  forEachNode({value.term}, [&](Term a) { bounds->isSmall &= !isPlain(a); });
  bounds->hasValue = pool.conjunction(needs);
  lawsWanted.push_back(&function);
  const Bounds *result = (recursive[name] = std::move(bounds)).get();
  if (open.empty() && !addingLaws) {
    addingLaws = true;
    addLaws();
    addingLaws = false;
  }
  return result;
}

bool DefinedTerms::isPlain(Term call) const {
  auto function = recursive.find(call->name);
  return call->kind == TermKind::Apply && function != recursive.end() && function->second->isPlain;
}

void DefinedTerms::complete(Obligation &obligation) {
  std::vector<Term> formulas = obligation.hypotheses;
  formulas.push_back(obligation.goal);
  const size_t given = obligation.hypotheses.size();
  auto add = [&](bool lookInside) {
    obligation.hypotheses.resize(given);
    for (Term lemma : lemmas(formulas, lookInside))
      obligation.hypotheses.push_back(lemma);
  };
  add(false);
  bool hasInside = false;
  forEachNode(formulas, [&](Term a) { hasInside |= isPlain(a) && recursive.at(a->name)->isSmall; });
  if (hasInside && !isProved(obligation))
    add(true);
}

/// The term with the formulas of functions in it: of those, or of all if there is no set; for all calls, or for those that
/// are no arguments of others.
Term DefinedTerms::lookedInto(Term term, const llvm::StringSet<> *functions, bool all) {
  return pool.rebuild(term, [&](Term a) -> Term {
    if (!isPlain(a) || (functions && !functions->contains(a->name)))
      return {};
    std::vector<Term> arguments(a->operands.begin(), a->operands.end());
    const Bounds &bounds = *recursive.at(a->name);
    if (!all)
      return instance(bounds.body, bounds, arguments, bounds.result);
    for (Term &argument : arguments)
      argument = lookedInto(argument, functions);
    return lookedInto(instance(bounds.body, bounds, arguments, bounds.result), functions);
  });
}

// ---- cases -----------------------------------------------------------------------------------------------------------------

namespace {
/// The first choice in a term that is in no other's branches; null if there is none.
Term firstChoice(Term term) {
  if (term->kind == TermKind::Select)
    return term;
  for (const Monomial &m : term->monomials)
    if (Term choice = firstChoice(m.atom))
      return choice;
  for (Term operand : term->operands)
    if (Term choice = firstChoice(operand))
      return choice;
  return {};
}

/// What to distinguish cases by: a condition that a choice depends on, without a choice in it. What is in a branch may not
/// matter, so outer choices come first. Null if there is no choice.
Term firstCondition(Term term) {
  Term condition;
  for (Term choice = firstChoice(term); choice; choice = firstChoice(condition))
    condition = choice->operands[0];
  while (condition && (condition->kind == TermKind::And || condition->kind == TermKind::Or || condition->kind == TermKind::Not))
    condition = condition->operands[0];
  return condition;
}

/// Sums, comparisons and remainders by numbers, and nothing else.
bool isSimple(Term term) {
  bool simple = true;
  forEachNode({term}, [&](Term a) {
    switch (a->kind) {
    case TermKind::Modulo:
    case TermKind::Quotient:
      simple &= TermPool::asInteger(a->operands[1]).has_value();
      break;
    case TermKind::Variable:
    case TermKind::Sum:
    case TermKind::True:
    case TermKind::False:
    case TermKind::BooleanVariable:
    case TermKind::AtLeastZero:
    case TermKind::IsZero:
    case TermKind::Not:
    case TermKind::And:
    case TermKind::Or:
      break;
    default:
      simple = false;
    }
  });
  return simple;
}
} // namespace

/// Shows a goal case by case, each with the lemmas about what occurs in it. Appends the cases to `shown`; where one of them
/// is not proved it is the last.
bool DefinedTerms::showCases(const Obligation &question, const Induction &induction, unsigned &casesLeft,
                             std::vector<Obligation> &shown) {
  Obligation obligation = question;
  llvm::erase_if(obligation.hypotheses, [&](Term a) { return pool.isTrue(a); });
  if (pool.isTrue(obligation.goal) || llvm::any_of(obligation.hypotheses, [&](Term a) { return pool.isFalse(a); }))
    return true;
  if (casesLeft == 0) {
    shown.push_back(obligation);
    return false;
  }
  std::vector<Term> formulas = obligation.hypotheses;
  formulas.push_back(obligation.goal);
  const Term condition = firstCondition(pool.conjunction(formulas));
  // What a case consists of is part of the goal: some cases never happen, and hypotheses are not to contradict each other.
  if (!condition) {
    --casesLeft;
    obligation.goal = pool.implies(pool.conjunction(obligation.hypotheses), obligation.goal);
    obligation.hypotheses = lemmas(formulas, &induction, false);
    shown.push_back(obligation);
    return isProved(obligation);
  }
  // Of those some are left out early.
  llvm::SmallVector<Term, 8> simple;
  for (Term hypothesis : obligation.hypotheses)
    if (isSimple(hypothesis))
      simple.push_back(hypothesis);
  const Obligation never{obligation.claim, obligation.name, obligation.range, {}, pool.negate(pool.conjunction(simple))};
  if (isProved(never)) {
    shown.push_back(never);
    return true;
  }
  for (bool holds : {true, false}) {
    Obligation part = obligation;
    auto simplified = [&](Term term) {
      return pool.rebuild(term, [&](Term a) { return a == condition ? pool.truth(holds) : Term(); });
    };
    for (Term &hypothesis : part.hypotheses)
      hypothesis = simplified(hypothesis);
    part.goal = simplified(part.goal);
    part.hypotheses.push_back(holds ? condition : pool.negate(condition));
    if (!showCases(part, induction, casesLeft, shown))
      return false;
  }
  return true;
}

} // namespace quadrille::prove
