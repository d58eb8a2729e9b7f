//===- Solver.cpp - Terms to Z3 and to SMT-LIB -----------------------------------------------------------------------------===//

#include "Solver.h"

#include "Lemmas.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <z3++.h>

#include <algorithm>
#include <climits>
#include <limits>
#include <set>

namespace quadrille::prove {

namespace {

// ---- what nonlinear operations are called ----------------------------------------------------------------------------

struct Function {
  TermKind kind;
  const char *name;
  unsigned arity;
};

/// As the solver and SMT-LIB see them: functions of integers of which only the lemmas tell something.
constexpr Function functions[] = {
    {TermKind::Product, "times", 2},       {TermKind::Modulo, "modulo", 2},        {TermKind::Quotient, "quotient", 2},
    {TermKind::Power2, "pow2", 1},         {TermKind::CeilLog2, "ceil_log2", 1},   {TermKind::FloorLog2, "floor_log2", 1},
    {TermKind::BitXor, "bitwise_xor", 2},  {TermKind::BitAnd, "bitwise_and", 2},   {TermKind::BitOr, "bitwise_or", 2},
    {TermKind::Bit, "bit", 2},             {TermKind::IsPower2, "is_pow2", 1},
};

const Function *functionOf(TermKind kind) {
  const auto *found = llvm::find_if(functions, [&](const Function &f) { return f.kind == kind; });
  return found == std::end(functions) ? nullptr : found;
}

/// A positive number as second operand: remainders, quotients and bits are linear then.
std::optional<std::int64_t> literalDivisor(Term a) {
  if (a->kind != TermKind::Modulo && a->kind != TermKind::Quotient && a->kind != TermKind::Bit)
    return std::nullopt;
  auto divisor = TermPool::asInteger(a->operands[1]);
  return divisor && *divisor > 0 ? divisor : std::nullopt;
}

/// All terms that one is directly made of.
template <typename Visit> void forEachOperand(Term a, Visit visit) {
  for (const Monomial &m : a->monomials)
    visit(m.atom);
  for (Term operand : a->operands)
    visit(operand);
}

// ---- over the integers -------------------------------------------------------------------------------------------------

class IntegerTranslation {
public:
  explicit IntegerTranslation(z3::context &context) : context(context) {
    for (const Function &f : functions) {
      std::vector<z3::sort> domain(f.arity, context.int_sort());
      z3::sort range = f.kind == TermKind::Bit || f.kind == TermKind::IsPower2 ? context.bool_sort() : context.int_sort();
      declarations.push_back(context.function(f.name, f.arity, domain.data(), range));
    }
  }

  z3::expr operator()(Term root) {
    forEachNode({root}, [&](Term a) {
      if (!known.contains(a)) {
        z3::expr translated = translate(a);
        known[a] = static_cast<unsigned>(translations.size());
        translations.push_back(translated);
      }
    });
    return of(root);
  }

private:
  z3::expr of(Term a) { return translations[known.lookup(a)]; }

  z3::expr translate(Term a) {
    auto number = [&](std::int64_t value) { return context.int_val(value); };
    auto operand = [&](unsigned i) { return of(a->operands[i]); };
    switch (a->kind) {
    case TermKind::Variable:
      return context.int_const(a->name.c_str());
    case TermKind::BooleanVariable:
      return context.bool_const(a->name.c_str());
    case TermKind::Sum: {
      z3::expr_vector parts(context);
      for (const Monomial &m : a->monomials)
        parts.push_back(m.coefficient == 1 ? of(m.atom) : number(m.coefficient) * of(m.atom));
      if (a->constant != 0 || parts.empty())
        parts.push_back(number(a->constant));
      return parts.size() == 1 ? parts[0] : z3::sum(parts);
    }
    case TermKind::Select:
      return z3::ite(operand(0), operand(1), operand(2));
    case TermKind::True:
    case TermKind::False:
      return context.bool_val(a->kind == TermKind::True);
    case TermKind::AtLeastZero:
      return operand(0) >= 0;
    case TermKind::IsZero:
      return operand(0) == 0;
    case TermKind::Not:
      return !operand(0);
    case TermKind::And:
    case TermKind::Or: {
      z3::expr_vector parts(context);
      for (Term part : a->operands)
        parts.push_back(of(part));
      return a->kind == TermKind::And ? z3::mk_and(parts) : z3::mk_or(parts);
    }
    default:
      break;
    }
    if (auto divisor = literalDivisor(a)) {
      if (a->kind == TermKind::Modulo)
        return z3::mod(operand(0), number(*divisor));
      z3::expr quotient = operand(0) / number(*divisor);
      return a->kind == TermKind::Quotient ? quotient : z3::mod(quotient, number(2)) == 1;
    }
    if (a->kind == TermKind::Apply) {
      std::vector<z3::sort> domain(a->operands.size(), context.int_sort());
      z3::func_decl applied =
          context.function(a->name.c_str(), static_cast<unsigned>(domain.size()), domain.data(), context.int_sort());
      z3::expr_vector arguments(context);
      for (Term argument : a->operands)
        arguments.push_back(of(argument));
      return applied(arguments);
    }
    z3::func_decl function = declarations[static_cast<size_t>(functionOf(a->kind) - functions)];
    if (a->operands.size() == 1)
      return function(operand(0));
    z3::expr result = function(operand(0), operand(1));
    for (unsigned i = 2; i < a->operands.size(); ++i) // products of many
      result = function(result, operand(i));
    return result;
  }

  z3::context &context;
  std::vector<z3::func_decl> declarations;
  llvm::DenseMap<Term, unsigned> known;
  std::vector<z3::expr> translations;
};

// ---- over bit-vectors ---------------------------------------------------------------------------------------------------

/// Exact as long as nothing overflows; whoever finds a model has to evaluate the formulas on it.
class BitVectorTranslation {
public:
  struct TooNarrow {};

  BitVectorTranslation(z3::context &context, unsigned bits) : side(context), context(context), bits(bits) {}

  z3::expr operator()(Term root) {
    forEachNode({root}, [&](Term a) {
      if (!known.contains(a)) {
        z3::expr translated = translate(a);
        known[a] = static_cast<unsigned>(translations.size());
        translations.push_back(translated);
      }
    });
    return of(root);
  }

  z3::expr number(std::int64_t value) {
    if (value >= (std::int64_t(1) << (bits - 1)) || value < -(std::int64_t(1) << (bits - 1)))
      throw TooNarrow{};
    return context.bv_val(value, bits);
  }

  z3::expr_vector side; // ranges of variables and powers, and that products do not overflow

private:
  z3::expr of(Term a) { return translations[known.lookup(a)]; }

  z3::expr powerOf(z3::expr exponent) {
    side.push_back(exponent < number(bits - 3));
    return z3::ite(exponent >= 0, z3::shl(number(1), exponent), number(0));
  }

  bool isSurelyPower(Term a) {
    if (auto value = TermPool::asInteger(a))
      return *value > 0 && (*value & (*value - 1)) == 0;
    if (a->kind == TermKind::Sum && a->constant == 0 && a->monomials.size() == 1) {
      std::int64_t factor = a->monomials[0].coefficient;
      return factor > 0 && (factor & (factor - 1)) == 0 && isSurelyPower(a->monomials[0].atom);
    }
    return a->kind == TermKind::Power2 || (a->kind == TermKind::Variable && a->isPower);
  }

  z3::expr translate(Term a) {
    auto operand = [&](unsigned i) { return of(a->operands[i]); };
    switch (a->kind) {
    case TermKind::Variable: {
      z3::expr result = context.bv_const(a->name.c_str(), bits);
      std::int64_t limit = std::int64_t(1) << (bits - 3);
      side.push_back(result < number(limit) && result > number(-limit));
      if (a->isPower)
        side.push_back(result > 0 && (result & (result - number(1))) == 0);
      return result;
    }
    case TermKind::BooleanVariable:
      return context.bool_const(a->name.c_str());
    case TermKind::Sum: {
      z3::expr total = number(a->constant);
      bool first = a->constant == 0;
      for (const Monomial &m : a->monomials) {
        z3::expr part = m.coefficient == 1    ? of(m.atom)
                        : m.coefficient == -1 ? -of(m.atom)
                                              : number(m.coefficient) * of(m.atom);
        total = first ? part : total + part;
        first = false;
      }
      return total;
    }
    case TermKind::Apply: // of which only the integers know anything
      throw TooNarrow{};
    case TermKind::Product: {
      z3::expr result = operand(0);
      for (unsigned i = 1; i < a->operands.size(); ++i) {
        z3::expr wide = z3::sext(result, bits) * z3::sext(operand(i), bits);
        result = wide.extract(bits - 1, 0);
        side.push_back(z3::sext(result, bits) == wide);
      }
      return result;
    }
    case TermKind::Modulo:
      if (isSurelyPower(a->operands[1]))
        return operand(0) & (operand(1) - number(1));
      return z3::smod(operand(0), operand(1));
    case TermKind::Quotient:
      return (operand(0) - z3::smod(operand(0), operand(1))) / operand(1);
    case TermKind::Power2:
      return powerOf(operand(0));
    case TermKind::CeilLog2:
    case TermKind::FloorLog2: {
      z3::expr x = a->kind == TermKind::FloorLog2 ? operand(0) : operand(0) - number(1);
      int none = a->kind == TermKind::FloorLog2 ? 0 : -1;
      z3::expr result = number(none);
      for (unsigned i = 0; i + 1 < bits; ++i) // the highest bit of x
        result = z3::ite(x.extract(i, i) == 1, number(i), result);
      return a->kind == TermKind::FloorLog2 ? result : result + number(1);
    }
    case TermKind::BitXor:
      return operand(0) ^ operand(1);
    case TermKind::BitAnd:
      return operand(0) & operand(1);
    case TermKind::BitOr:
      return operand(0) | operand(1);
    case TermKind::Select:
      return z3::ite(operand(0), operand(1), operand(2));
    case TermKind::True:
    case TermKind::False:
      return context.bool_val(a->kind == TermKind::True);
    case TermKind::AtLeastZero:
      return operand(0) >= 0;
    case TermKind::IsZero:
      return operand(0) == 0;
    case TermKind::Bit:
      if (isSurelyPower(a->operands[1]))
        return (operand(0) & operand(1)) != 0;
      return ((operand(0) - z3::smod(operand(0), operand(1))) / operand(1)).extract(0, 0) == 1;
    case TermKind::IsPower2:
      return operand(0) > 0 && (operand(0) & (operand(0) - number(1))) == 0;
    case TermKind::Not:
      return !operand(0);
    case TermKind::And:
    case TermKind::Or: {
      z3::expr_vector parts(context);
      for (Term part : a->operands)
        parts.push_back(of(part));
      return a->kind == TermKind::And ? z3::mk_and(parts) : z3::mk_or(parts);
    }
    }
    throw TooNarrow{};
  }

  z3::context &context;
  unsigned bits;
  llvm::DenseMap<Term, unsigned> known;
  std::vector<z3::expr> translations;
};

// ---- as text --------------------------------------------------------------------------------------------------------------

/// SMT-LIB 2; what is long and occurs more than once gets a name.
class SmtLibPrinter {
public:
  explicit SmtLibPrinter(llvm::ArrayRef<Term> assertions) : assertions(assertions) {
    forEachNode(assertions, [&](Term a) { forEachOperand(a, [&](Term operand) { ++uses[operand]; }); });
  }

  std::string declarations() {
    std::string result;
    llvm::DenseMap<int, bool> used;
    forEachNode(assertions, [&](Term a) { used[static_cast<int>(a->kind)] |= !literalDivisor(a); });
    for (const Function &f : functions) {
      if (!used.lookup(static_cast<int>(f.kind)))
        continue;
      bool truth = f.kind == TermKind::Bit || f.kind == TermKind::IsPower2;
      result += std::string("(declare-fun ") + f.name + (f.arity == 1 ? " (Int) " : " (Int Int) ") + (truth ? "Bool" : "Int") + ")\n";
    }
    std::set<std::string> applied;
    forEachNode(assertions, [&](Term a) {
      if (a->kind != TermKind::Apply)
        return;
      std::string domain = "Int";
      for (size_t i = 1; i < a->operands.size(); ++i)
        domain += " Int";
      applied.insert("(declare-fun " + symbol(a) + " (" + domain + ") Int)\n");
    });
    for (const std::string &declaration : applied)
      result += declaration;
    for (Term variable : variablesOf(assertions))
      result += "(declare-fun " + symbol(variable) + " () " + sort(variable) + ")\n";
    return result;
  }

  /// Definitions that the assertion needs and the assertion itself.
  std::string assertion(Term a) {
    std::string result;
    forEachNode({a}, [&](Term part) {
      if (texts.contains(part))
        return;
      std::string whole = print(part);
      bool isPart = uses.lookup(part) > 1 && whole.size() > 24;
      if (isPart) {
        std::string name = "t" + std::to_string(++names);
        result += "(define-fun " + name + " () " + sort(part) + " " + whole + ")\n";
        whole = name;
      }
      texts[part] = whole;
    });
    return result + "(assert " + texts[a] + ")\n";
  }

private:
  static const char *sort(Term a) { return a->isBoolean() ? "Bool" : "Int"; }

  static std::string symbol(Term variable) { return "|" + variable->name + "|"; }

  static std::string number(std::int64_t value) {
    if (value >= 0)
      return std::to_string(value);
    return "(- " + std::to_string(value).substr(1) + ")";
  }

  std::string print(Term a) {
    auto operand = [&](unsigned i) { return texts[a->operands[i]]; };
    auto call = [&](llvm::StringRef name, llvm::ArrayRef<std::string> arguments) {
      return "(" + name.str() + " " + llvm::join(arguments, " ") + ")";
    };
    switch (a->kind) {
    case TermKind::Variable:
    case TermKind::BooleanVariable:
      return symbol(a);
    case TermKind::Sum: {
      std::vector<std::string> parts;
      for (const Monomial &m : a->monomials)
        parts.push_back(m.coefficient == 1    ? texts[m.atom]
                        : m.coefficient == -1 ? call("-", {texts[m.atom]})
                                              : call("*", {number(m.coefficient), texts[m.atom]}));
      if (a->constant != 0 || parts.empty())
        parts.push_back(number(a->constant));
      return parts.size() == 1 ? parts[0] : call("+", parts);
    }
    case TermKind::Apply: {
      std::vector<std::string> arguments;
      for (Term argument : a->operands)
        arguments.push_back(texts[argument]);
      return call(symbol(a), arguments);
    }
    case TermKind::Select:
      return call("ite", {operand(0), operand(1), operand(2)});
    case TermKind::True:
      return "true";
    case TermKind::False:
      return "false";
    case TermKind::AtLeastZero:
      return call(">=", {operand(0), "0"});
    case TermKind::IsZero:
      return call("=", {operand(0), "0"});
    case TermKind::Not:
      return call("not", {operand(0)});
    case TermKind::And:
    case TermKind::Or: {
      std::vector<std::string> parts;
      for (Term part : a->operands)
        parts.push_back(texts[part]);
      return call(a->kind == TermKind::And ? "and" : "or", parts);
    }
    default:
      break;
    }
    if (literalDivisor(a)) {
      if (a->kind == TermKind::Modulo)
        return call("mod", {operand(0), operand(1)});
      std::string quotient = call("div", {operand(0), operand(1)});
      return a->kind == TermKind::Quotient ? quotient : call("=", {call("mod", {quotient, "2"}), "1"});
    }
    const char *name = functionOf(a->kind)->name;
    if (a->operands.size() == 1)
      return call(name, {operand(0)});
    std::string result = call(name, {operand(0), operand(1)});
    for (unsigned i = 2; i < a->operands.size(); ++i)
      result = call(name, {result, operand(i)});
    return result;
  }

  llvm::ArrayRef<Term> assertions;
  llvm::DenseMap<Term, unsigned> uses;
  llvm::DenseMap<Term, std::string> texts;
  unsigned names = 0;
};

/// Whether the model is a counterexample, by exact evaluation.
bool isCounterexample(const Model &model, llvm::ArrayRef<Term> hypotheses, Term goal) {
  llvm::DenseMap<Term, std::int64_t> values(model.values.begin(), model.values.end());
  auto valueOf = [&](Term variable) { return values.lookup(variable); };
  return llvm::all_of(hypotheses, [&](Term h) { return evaluate(h, valueOf) == 1; }) && evaluate(goal, valueOf) == 0 &&
         llvm::all_of(model.values, [](const auto &entry) {
           return !entry.first->isPower || (entry.second > 0 && (entry.second & (entry.second - 1)) == 0);
         });
}

/// Megabytes; 0: no limit.
unsigned memoryLimit = 0;

/// Why there is no answer, in our words where it is for want of memory.
void explain(Outcome &outcome, llvm::StringRef reason) {
  outcome.outOfMemory = reason.contains("memory") || reason.contains("memout");
  outcome.reason = outcome.outOfMemory ? "memory" : reason.str();
}

unsigned limitOf(std::uint64_t resources) {
  return static_cast<unsigned>(std::min<std::uint64_t>(resources, std::numeric_limits<unsigned>::max()));
}
} // namespace

// ---- the solver ----------------------------------------------------------------------------------------------------------------

void limitSolverMemory(unsigned megabytes) {
  // Above the watermark searches end by themselves. What allocates beyond the maximum is thrown out of wherever it is,
  // so that there has to be room for a context and for a schedule's formulas.
  constexpr unsigned leastMaximum = 128;
  memoryLimit = megabytes;
  const std::uint64_t bytes = std::uint64_t(megabytes) << 20;
  Z3_global_param_set("memory_high_watermark", std::to_string(std::min<std::uint64_t>(bytes, UINT_MAX)).c_str());
  Z3_global_param_set("memory_max_size", std::to_string(std::max(leastMaximum, megabytes + megabytes / 4)).c_str());
}

bool solverMemoryLeft() { return memoryLimit == 0 || Z3_get_estimated_alloc_size() >> 20 < memoryLimit; }

std::string solverVersion() { return Z3_get_full_version(); }

struct Solver::Implementation {
  explicit Implementation(TermPool &pool) : pool(pool), translate(context) {}

  /// Everything that a counterexample has to fulfil; power variables are at least 1.
  struct Question {
    std::vector<Term> hypotheses, powers, lemmas;
    Term contradiction; // the goal does not hold
    llvm::SmallVector<Term, 8> variables;
  };

  Question questionOf(llvm::ArrayRef<Term> hypotheses, Term goal) {
    Question q;
    q.hypotheses.assign(hypotheses.begin(), hypotheses.end());
    q.contradiction = pool.negate(goal);
    std::vector<Term> formulas = q.hypotheses;
    formulas.push_back(q.contradiction);
    q.variables = variablesOf(formulas);
    for (Term variable : q.variables)
      if (variable->isPower)
        q.powers.push_back(pool.lessEqual(pool.integer(1), variable));
    q.lemmas = lemmasFor(pool, formulas);
    return q;
  }

  z3::check_result check(z3::solver &solver, std::uint64_t resources) {
    z3::params params(context);
    params.set("rlimit", limitOf(resources));
    params.set("ctrl_c", false); // it ends the program, not the question
    solver.set(params);
    z3::check_result result = solver.check();
    z3::stats statistics = solver.statistics();
    for (unsigned i = 0; i < statistics.size(); ++i)
      if (statistics.key(i) == "rlimit count")
        used = statistics.uint_value(i);
    return result;
  }

  z3::expr boundless(Term variable) {
    return variable->isBoolean() ? context.bool_const(variable->name.c_str()) : context.int_const(variable->name.c_str());
  }

  static std::optional<std::int64_t> valueOf(const z3::expr &value) {
    if (value.is_bool())
      return value.is_true();
    std::int64_t result;
    if (value.is_numeral_i64(result))
      return result;
    return std::nullopt;
  }

  Outcome prove(llvm::ArrayRef<Term> hypotheses, Term goal, std::uint64_t resources) {
    Outcome outcome;
    try {
      Question q = questionOf(hypotheses, goal);
      // One arithmetic finds more models that stand exact evaluation; where it does not come to an end, another may.
      for (unsigned arithmetic : {2u, 6u}) {
        z3::solver solver(context, z3::solver::simple());
        z3::params params(context);
        params.set("arith.solver", arithmetic);
        solver.set(params);
        for (const auto &terms : {q.hypotheses, q.powers, q.lemmas})
          for (Term a : terms)
            solver.add(translate(a));
        solver.add(translate(q.contradiction));
        const z3::check_result result = check(solver, resources);
        if (result == z3::unsat) {
          outcome.answer = Answer::Proved;
          outcome.reason.clear();
          return outcome;
        }
        if (result == z3::unknown) {
          explain(outcome, solver.reason_unknown());
          continue;
        }
        z3::model model = solver.get_model();
        for (Term variable : q.variables)
          if (auto value = valueOf(model.eval(boundless(variable), true)))
            outcome.model.values.push_back({variable, *value});
        if (isCounterexample(outcome.model, hypotheses, goal))
          outcome.answer = Answer::Refuted;
        else
          outcome.reason = "the lemmas do not suffice";
        return outcome;
      }
    } catch (const z3::exception &e) {
      explain(outcome, e.msg());
    } catch (const TermOverflow &) {
      outcome.reason = "numbers too large";
    }
    return outcome;
  }

  Outcome refute(llvm::ArrayRef<Term> hypotheses, Term goal, unsigned bits,
                 llvm::ArrayRef<std::pair<Term, std::int64_t>> upperBounds, std::uint64_t resources) {
    // A model in which something overflows is no counterexample, and the next one may be.
    constexpr unsigned maxModels = 16;
    Outcome outcome;
    try {
      BitVectorTranslation translateBits(context, bits);
      std::vector<Term> formulas(hypotheses.begin(), hypotheses.end());
      formulas.push_back(goal);
      auto variables = variablesOf(formulas);
      z3::solver solver = (z3::tactic(context, "simplify") & z3::tactic(context, "propagate-values") &
                           z3::tactic(context, "solve-eqs") & z3::tactic(context, "bit-blast") & z3::tactic(context, "sat"))
                              .mk_solver();
      for (Term h : hypotheses)
        solver.add(translateBits(h));
      solver.add(!translateBits(goal));
      for (auto [variable, bound] : upperBounds)
        if (bound < (std::int64_t(1) << (bits - 3)))
          solver.add(translateBits(variable) <= translateBits.number(bound));
      for (unsigned i = 0; i < translateBits.side.size(); ++i)
        solver.add(translateBits.side[static_cast<int>(i)]);
      for (unsigned models = 0; models < maxModels; ++models) {
        z3::check_result result = check(solver, resources);
        if (result == z3::unknown) {
          explain(outcome, solver.reason_unknown());
          return outcome;
        }
        if (result == z3::unsat) {
          outcome.searched = models == 0;
          outcome.reason = outcome.searched ? "no counterexample as small as that" : "all candidates overflow";
          return outcome;
        }
        z3::model model = solver.get_model();
        Model candidate;
        z3::expr same = context.bool_val(true);
        for (Term variable : variables) {
          z3::expr constant = translateBits(variable), value = model.eval(constant, true);
          same = same && constant == value;
          if (variable->isBoolean()) {
            candidate.values.push_back({variable, value.is_true()});
            continue;
          }
          std::int64_t signedValue = static_cast<std::int64_t>(value.get_numeral_uint64());
          if (signedValue >= (std::int64_t(1) << (bits - 1)))
            signedValue -= std::int64_t(1) << bits;
          candidate.values.push_back({variable, signedValue});
        }
        if (isCounterexample(candidate, hypotheses, goal)) {
          outcome.answer = Answer::Refuted;
          outcome.model = std::move(candidate);
          return outcome;
        }
        solver.add(!same);
      }
      outcome.reason = "all candidates overflow";
    } catch (const z3::exception &e) {
      explain(outcome, e.msg());
    } catch (const BitVectorTranslation::TooNarrow &) {
      outcome.reason = "numbers too large";
    }
    return outcome;
  }

  TermPool &pool;
  z3::context context;
  IntegerTranslation translate;
  std::uint64_t used = 0;
};

Solver::Solver(TermPool &pool) : implementation(std::make_unique<Implementation>(pool)) {}
Solver::~Solver() = default;

Outcome Solver::prove(const Question &question, std::uint64_t resources) {
  return implementation->prove(question.hypotheses, question.goal, resources);
}

Answer Solver::satisfiable(llvm::ArrayRef<Term> hypotheses, std::uint64_t resources) {
  // An example is a counterexample to `false`.
  Term never = implementation->pool.truth(false);
  Outcome outcome = implementation->prove(hypotheses, never, resources);
  if (outcome.answer == Answer::Unknown)
    outcome = implementation->refute(hypotheses, never, 12, {}, resources);
  switch (outcome.answer) {
  case Answer::Proved:
    return Answer::Refuted;
  case Answer::Refuted:
    return Answer::Proved;
  case Answer::Unknown:
    break;
  }
  return Answer::Unknown;
}

Outcome Solver::refute(const Question &question, unsigned bits, llvm::ArrayRef<std::pair<Term, std::int64_t>> upperBounds,
                       std::uint64_t resources) {
  return implementation->refute(question.hypotheses, question.goal, bits, upperBounds, resources);
}

std::string Solver::smtlib(const Question &question) {
  auto q = implementation->questionOf(question.hypotheses, question.goal);
  std::vector<Term> all;
  for (const auto &terms : {q.hypotheses, q.powers, q.lemmas})
    all.insert(all.end(), terms.begin(), terms.end());
  all.push_back(q.contradiction);
  SmtLibPrinter printer(all);
  std::string name = question.name;
  std::replace(name.begin(), name.end(), '\n', ' ');
  std::string result = "; " + name + "\n; unsat: proved for all integers\n(set-logic QF_UFLIA)\n" + printer.declarations();
  auto section = [&](llvm::StringRef title, llvm::ArrayRef<Term> terms) {
    if (!terms.empty())
      result += "\n; " + title.str() + "\n";
    for (Term a : terms)
      result += printer.assertion(a);
  };
  section("hypotheses", q.hypotheses);
  section("powers of two", q.powers);
  section("lemmas", q.lemmas);
  section("the goal does not hold", {q.contradiction});
  return result + "\n(check-sat)\n";
}

std::uint64_t Solver::resourcesUsed() const { return implementation->used; }

} // namespace quadrille::prove
