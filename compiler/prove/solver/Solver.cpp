//===- Solver.cpp - Questions to Z3 ----------------------------------------------------------------------------------------===//

#include "Solver.h"

#include "Lemmas.h"
#include "Shifts.h"
#include "SharedAnswers.h"
#include "SmtLib.h"
#include "Translation.h"

#include "limits/Limits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <cassert>
#include <climits>
#include <limits>

namespace quadrille::compiler::prove {

namespace {

/// Whether exact evaluation confirms that the model is a counterexample.
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

/// Sets the reason why Z3 has no answer: no memory, or no resources (`given`) left.
void explain(SolverResult &outcome, llvm::StringRef reason, const LimitInForce &given) {
  outcome.outOfMemory = reason.contains("memory") || reason.contains("memout");
  outcome.reason = outcome.outOfMemory ? "memory" : reason.str();
  outcome.ranOut = outcome.outOfMemory ? solverMemory() : given;
}

unsigned limitOf(std::uint64_t resources) {
  return static_cast<unsigned>(std::min<std::uint64_t>(resources, std::numeric_limits<unsigned>::max()));
}
} // namespace

// ---- the solver ----------------------------------------------------------------------------------------------------------------

void limitSolverMemory(unsigned megabytes) {
  // Searches end by themselves above the watermark. An allocation beyond the maximum throws wherever it happens, so the maximum
  // must leave room for a context and for a schedule's formulas.
  constexpr unsigned leastMaximum = 128;
  memoryLimit = megabytes;
  const std::uint64_t bytes = std::uint64_t(megabytes) << 20;
  Z3_global_param_set("memory_high_watermark", std::to_string(std::min<std::uint64_t>(bytes, UINT_MAX)).c_str());
  Z3_global_param_set("memory_max_size", std::to_string(std::max(leastMaximum, megabytes + megabytes / 4)).c_str());
}

LimitInForce solverMemory() { return limits::solverMemory.at(memoryLimit); }

bool solverMemoryLeft() { return memoryLimit == 0 || Z3_get_estimated_alloc_size() >> 20 < memoryLimit; }

std::string solverVersion() { return Z3_get_full_version(); }

struct Solver::Implementation {
  explicit Implementation(TermPool &pool, SharedAnswers *shared = nullptr) : pool(pool), shared(shared), translate(context) {}

  /// The formulas that a counterexample has to satisfy. `powers`: variables of powers of two are at least 1.
  struct Question {
    std::vector<Term> hypotheses, powers, lemmas;
    Term contradiction; // the negation of the goal
    llvm::SmallVector<Term, 8> variables;
  };

  Question questionOf(llvm::ArrayRef<Term> hypotheses, Term goal) {
    assert(goal && goal->isBoolean() && llvm::all_of(hypotheses, [](Term h) { return h && h->isBoolean(); }));
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

  z3::check_result check(z3::solver &solver, std::uint64_t resources) { return check(solver, resources, z3::expr_vector(context)); }

  /// Asks Z3. Of the literals in `assumed` the solver's unsat core tells which ones a contradiction needs.
  z3::check_result check(z3::solver &solver, std::uint64_t resources, const z3::expr_vector &assumed) {
    z3::params params(context);
    params.set("rlimit", limitOf(resources));
    params.set("ctrl_c", false); // Ctrl-C shall end the program, not the question
    if (!assumed.empty())
      params.set("core.minimize", true);
    solver.set(params);
    const z3::check_result result = assumed.empty() ? solver.check() : solver.check(assumed);
    z3::stats statistics = solver.statistics();
    for (unsigned i = 0; i < statistics.size(); ++i)
      if (statistics.key(i) == "rlimit count")
        used = statistics.uint_value(i);
    return result;
  }

  static std::optional<std::int64_t> valueOf(const z3::expr &value) {
    std::int64_t result;
    if (value.is_numeral_i64(result))
      return result;
    return std::nullopt;
  }

  SolverResult prove(llvm::ArrayRef<Term> certain, Term goal, Effort effort, llvm::ArrayRef<Term> suppositions = {}) {
    SolverResult outcome;
    try {
      std::vector<Term> hypotheses(certain.begin(), certain.end());
      hypotheses.insert(hypotheses.end(), suppositions.begin(), suppositions.end());
      Question q = questionOf(hypotheses, goal);
      q.hypotheses.resize(certain.size());
      if (q.lemmas.size() > effort.first.value() / limits::stepsPerLemma) {
        outcome.ranOut = effort.first;
        outcome.reason = "too many lemmas";
        return outcome;
      }
      // The first arithmetic is faster, and more of its models pass exact evaluation. If it does not finish, the other one may.
      // That one is asked in a context of its own, since its time depends on the order in which terms were created.
      constexpr unsigned firstArithmetic = 2, otherArithmetic = 6;
      if (!decide(q, suppositions, firstArithmetic, effort.first, outcome) && effort.other.value() > 0) {
        Implementation apart(pool);
        apart.decide(q, suppositions, otherArithmetic, effort.other, outcome);
        usedApart += apart.used;
      }
      if (outcome.answer == Answer::Unknown && !outcome.ranOut) {
        if (isCounterexample(outcome.model, hypotheses, goal))
          outcome.answer = Answer::Refuted;
        else {
          outcome.reason = "the lemmas do not suffice";
          if (q.lemmas.size() >= limits::lemmas) // more lemmas might
            outcome.ranOut = limits::lemmas;
        }
      }
    } catch (const z3::exception &e) {
      explain(outcome, e.msg(), effort.first);
    } catch (const TermOverflow &overflow) {
      outcome.reason = "numbers too large";
      outcome.ranOut = overflow.limit;
    }
    return outcome;
  }

  /// All on which the answer to a question and its resources depend: formulas in their order, which ones are suppositions, and the effort.
  std::string keyOf(const Question &q, llvm::ArrayRef<Term> suppositions, Effort effort) const {
    std::vector<Term> all;
    for (llvm::ArrayRef<Term> terms : {llvm::ArrayRef(q.hypotheses), llvm::ArrayRef(q.powers), llvm::ArrayRef(q.lemmas), suppositions})
      all.insert(all.end(), terms.begin(), terms.end());
    all.push_back(q.contradiction);
    std::string key;
    auto number = [&](std::uint64_t value) { key.append(reinterpret_cast<const char *>(&value), sizeof value); };
    number(effort.first.value());
    number(effort.other.value());
    number(q.hypotheses.size());
    number(suppositions.size());
    llvm::DenseMap<Term, unsigned> places; // equal questions visit equal nodes in the same order, though their terms have other numbers
    forEachNode(all, [&](Term a) {
      places.try_emplace(a, static_cast<unsigned>(places.size()));
      number(static_cast<std::uint64_t>(a->kind));
      number(a->isPower);
      number(a->name.size());
      key += a->name;
      number(static_cast<std::uint64_t>(a->constant));
      number(a->monomials.size());
      for (const Monomial &m : a->monomials) {
        number(static_cast<std::uint64_t>(m.coefficient));
        number(places.lookup(m.atom));
      }
      number(a->operands.size());
      for (Term operand : a->operands)
        number(places.lookup(operand));
    });
    for (Term a : all)
      number(places.lookup(a));
    return llvm::toStringRef(llvm::SHA256::hash(llvm::arrayRefFromStringRef(key))).str();
  }

  /// Asks a shared question, in a context of its own, unless its answer is known.
  SolverResult proveShared(const prove::Question &question, Effort effort) {
    std::vector<Term> hypotheses = question.hypotheses;
    llvm::append_range(hypotheses, question.suppositions);
    std::string key;
    Question q;
    try {
      q = questionOf(hypotheses, question.goal);
      q.hypotheses.resize(question.hypotheses.size());
      if (shared)
        key = keyOf(q, question.suppositions, effort);
    } catch (const TermOverflow &) { // it is no question for Z3, as `prove` says
      return prove(question.hypotheses, question.goal, effort, question.suppositions);
    }
    if (const auto known = shared ? shared->find(key) : std::nullopt) {
      SolverResult outcome = known->outcome;
      for (unsigned i : known->restsOn)
        outcome.restsOn.push_back(question.suppositions[i]);
      for (auto [i, value] : known->model)
        outcome.model.values.push_back({q.variables[i], value});
      usedApart += known->resources;
      return outcome;
    }
    Implementation apart(pool);
    SolverResult outcome = apart.prove(question.hypotheses, question.goal, effort, question.suppositions);
    const std::uint64_t resources = apart.used + apart.usedApart;
    usedApart += resources;
    if (shared && !outcome.outOfMemory) { // with more memory left there might be another answer
      SharedAnswers::Answered answer{outcome, {}, {}, resources};
      answer.outcome.restsOn.clear();
      answer.outcome.model.values.clear();
      for (Term used : outcome.restsOn)
        answer.restsOn.push_back(static_cast<unsigned>(llvm::find(question.suppositions, used) - question.suppositions.begin()));
      for (auto [variable, value] : outcome.model.values)
        answer.model.push_back({static_cast<unsigned>(llvm::find(q.variables, variable) - q.variables.begin()), value});
      shared->keep(key, std::move(answer));
    }
    return outcome;
  }

  /// Asks one arithmetic. Sets the answer Proved, or a model; false if the resources ran out.
  bool decide(const Question &q, llvm::ArrayRef<Term> suppositions, unsigned arithmetic, const LimitInForce &resources, SolverResult &outcome) {
    z3::expr_vector marks(context); // mark i implies supposition i
    for (size_t i = 0; i < suppositions.size(); ++i)
      marks.push_back(context.bool_const(("supposed'" + std::to_string(i)).c_str()));
    z3::solver solver(context, z3::solver::simple());
    z3::params params(context);
    params.set("arith.solver", arithmetic);
    // If a variable's value is no integer, mostly branch, rarely cut. Few cuts help with questions of schedules, and each one
    // makes all further steps longer.
    params.set("arith.branch_cut_ratio", 10u);
    solver.set(params);
    for (const auto &terms : {q.hypotheses, q.powers, q.lemmas})
      for (Term a : terms)
        solver.add(translate(a));
    for (size_t i = 0; i < suppositions.size(); ++i)
      solver.add(z3::implies(marks[static_cast<unsigned>(i)], translate(suppositions[i])));
    solver.add(translate(q.contradiction));
    const z3::check_result result = check(solver, resources.value(), marks);
    if (result == z3::unknown) {
      explain(outcome, solver.reason_unknown(), resources);
      return false;
    }
    outcome.ranOut.reset();
    outcome.reason.clear();
    if (result == z3::unsat) {
      outcome.answer = Answer::Proved;
      if (marks.empty())
        return true;
      const z3::expr_vector core = solver.unsat_core(); // call it once: a second call returns an empty core
      for (const z3::expr &needed : core)
        for (unsigned i = 0; i < marks.size(); ++i)
          if (z3::eq(needed, marks[i]))
            outcome.restsOn.push_back(suppositions[i]);
      assert(outcome.restsOn.size() == core.size() && "it rests on something that nobody supposed");
      return true;
    }
    z3::model model = solver.get_model();
    for (Term variable : q.variables)
      if (auto value = valueOf(model.eval(translate(variable), true)))
        outcome.model.values.push_back({variable, *value});
    return true;
  }

  SolverResult refute(llvm::ArrayRef<Term> hypotheses, Term goal, unsigned bits,
                 llvm::ArrayRef<std::pair<Term, std::int64_t>> upperBounds, const LimitInForce &resources) {
    // Models in which something overflows are no counterexamples: exclude them and ask again.
    SolverResult outcome;
    try {
      assert(bits > 3 && bits < 64 && "values are below 2^(bits - 3)");
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
      for (unsigned models = 0; models < limits::solverModels; ++models) {
        z3::check_result result = check(solver, resources.value());
        if (result == z3::unknown) {
          explain(outcome, solver.reason_unknown(), resources);
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
      explain(outcome, e.msg(), resources);
    } catch (const BitVectorTranslation::TooNarrow &) {
      outcome.reason = "numbers too large";
    }
    return outcome;
  }

  TermPool &pool;
  SharedAnswers *shared;
  z3::context context;
  IntegerTranslation translate;
  std::uint64_t used = 0, usedApart = 0; // resource units, in this context and in those of single questions
};

Solver::Solver(TermPool &pool, SharedAnswers *shared) : implementation(std::make_unique<Implementation>(pool, shared)) {}
Solver::~Solver() = default;

SolverResult Solver::prove(const Question &asked, Effort effort) {
  const Shifts shifts(implementation->pool, asked);
  if (!shifts.empty())
    try {
      return shifts.undo(prove(shifts.apply(asked), effort), asked);
    } catch (const TermOverflow &) { // then it is asked as it is
    }
  if (asked.isShared)
    return implementation->proveShared(asked, effort);
  return implementation->prove(asked.hypotheses, asked.goal, effort, asked.suppositions);
}

Answer Solver::satisfiable(llvm::ArrayRef<Term> hypotheses, Effort effort) {
  // An example of the hypotheses is a counterexample to the goal `false`.
  Term never = implementation->pool.truth(false);
  SolverResult outcome = implementation->prove(hypotheses, never, effort);
  if (outcome.answer == Answer::Unknown)
    outcome = implementation->refute(hypotheses, never, limits::exampleBits, {}, effort.other);
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

SolverResult Solver::refute(const Question &question, unsigned bits, llvm::ArrayRef<std::pair<Term, std::int64_t>> upperBounds,
                       const LimitInForce &resources) {
  return implementation->refute(question.hypotheses, question.goal, bits, upperBounds, resources);
}

std::string Solver::smtlib(const Question &question) {
  if (const Shifts shifts(implementation->pool, question); !shifts.empty())
    return smtlib(shifts.apply(question));
  std::vector<Term> hypotheses = question.hypotheses;
  hypotheses.insert(hypotheses.end(), question.suppositions.begin(), question.suppositions.end());
  auto q = implementation->questionOf(hypotheses, question.goal);
  // Print each hypothesis once, and none that is `true`.
  llvm::SmallDenseSet<Term, 32> seen;
  llvm::erase_if(q.hypotheses, [&](Term h) { return implementation->pool.isTrue(h) || !seen.insert(h).second; });
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

std::uint64_t Solver::resourcesUsed() const { return implementation->used + implementation->usedApart; }

} // namespace quadrille::compiler::prove
