//===- CostClaims.cpp - Are the `cost` and `rounds` clauses true? -------------------------------------------------------------------===//

#include "CostClaims.h"

#include "Check.h"

#include "limits/Limits.h"

#include <queue>
#include <random>
#include <set>

namespace quadrille::compiler {

// ---- lengths -------------------------------------------------------------------------------------------------------------

void ClauseReach::join(const ClauseReach &other) {
  if (other.below && (!below || *other.below < *below)) {
    below = other.below;
    limit = other.limit;
  }
  ofTables |= other.ofTables;
  isUnmeasured |= other.isUnmeasured;
}

std::string ClauseReach::text(const ir::Schedule &schedule) const {
  if (isEverything())
    return schedule.tables.empty() ? "every n" : "all lengths";
  return ofTables ? "some lengths"
                  : "n < " + std::to_string(*below) + " and some more" + (limit ? ", within " + limit->text() : "");
}

std::vector<std::int64_t> sampleLengths(std::int64_t unit) {
  constexpr std::int64_t large = (std::int64_t(1) << 30) + 1; // not a power of two; sums over many ranks still fit
  std::set<std::int64_t> lengths = {1, unit, 3 * unit + 1, 1000, large};
  if (unit > 2)
    lengths.insert(2 * unit - 1);
  return {lengths.begin(), lengths.end()};
}

/// Appends tables with a single nonzero entry. They expose clauses that omit or confuse entries.
static void appendSingleEntries(const LengthTables &tables, std::vector<Lengths> &samples) {
  const std::uint64_t entries = entryCount(tables);
  for (std::uint64_t entry = 0; entry < entries && entries <= limits::singleEntries; ++entry) {
    Lengths &single = samples.emplace_back(fill(tables, 0, LengthPattern::Even));
    single.n = single.entries[entry] = 1;
  }
}

/// Tables at which a LengthForm is evaluated, which needs no run: tables with one nonzero entry, with one zero entry, and
/// some with random entries 0 and 1.
static std::vector<Lengths> sparseTables(const LengthTables &tables) {
  const size_t halves = limits::mixedTables;
  std::vector<Lengths> result;
  const size_t entries = entryCount(tables);
  for (size_t entry = 0; entry < std::min(entries, limits::sparseEntries.value()); ++entry)
    for (std::int64_t others : {0, 1}) {
      Lengths &one = result.emplace_back(fill(tables, others, LengthPattern::Even));
      one.n = 1;
      one.entries[entry] = 1 - others;
    }
  std::mt19937 random(1);
  for (size_t i = 0; i < halves && entries <= limits::sparseEntries; ++i) {
    Lengths &half = result.emplace_back(fill(tables, 1, LengthPattern::Even));
    for (std::int64_t &entry : half.entries)
      entry = random() % 2;
  }
  return result;
}

std::vector<Lengths> sampleLengths(std::int64_t unit, const LengthTables &tables) {
  std::vector<Lengths> samples;
  if (tables) {
    samples.push_back(fill(tables, 1, LengthPattern::Even));
    for (std::int64_t n : {std::int64_t(1), 3 * unit + 1, std::int64_t(1000)})
      for (LengthPattern pattern : {LengthPattern::Uneven, LengthPattern::Single})
        samples.push_back(fill(tables, n, pattern));
    appendSingleEntries(tables, samples);
  } else {
    for (std::int64_t n : sampleLengths(unit))
      samples.push_back(n);
  }
  return samples;
}

/// The lengths whose multiples are measured.
static std::vector<Lengths> directions(std::int64_t unit, const LengthTables &tables) {
  if (!tables)
    return {1};
  std::vector<Lengths> result{fill(tables, 1, LengthPattern::Even), fill(tables, 1, LengthPattern::Single)};
  for (std::int64_t n : {std::int64_t(1), 3 * unit + 1, std::int64_t(1000)})
    result.push_back(fill(tables, n, LengthPattern::Uneven));
  appendSingleEntries(tables, result);
  return result;
}

ClauseLengths::ClauseLengths(const CaseRun &run, unsigned turns, std::vector<Lengths> &samples) : unit(run.granularity.unit()) {
  const ir::Schedule &schedule = run.schedule;
  const LengthTables &tables = run.tables;
  const std::uint64_t packets = (1 + entryCount(tables)) * static_cast<std::uint64_t>(unit);
  if ((!schedule.cost && !schedule.rounds) || (unit == 1 && !tables) || (tables && packets > limits::clauseLengths))
    return;
  const std::vector<Lengths> once = directions(unit, tables);
  const std::uint64_t wanted = schedule.cost ? turns * static_cast<std::uint64_t>(unit) : 2;
  const std::uint64_t most = std::min(limits::clauseSamples.value(), limits::clauseLengths / std::max<std::uint64_t>(run.instance.p, packets)) / once.size();
  canDouble = 2 * wanted <= most;
  scales = wanted <= most ? wanted : std::max<std::uint64_t>(2, std::min(most, limits::clauseScales.value()));
  for (const Lengths &lengths : once) {
    firstSamples.push_back(samples.size());
    for (size_t scale = 1; scale < scales; ++scale)
      samples.push_back(*lengths.times(static_cast<std::int64_t>(scale)));
  }
}

std::vector<CostLine> ClauseLengths::lines(const MeasuredCost &cost) const {
  std::vector<CostLine> result;
  auto add = [&](const Lengths &once, llvm::ArrayRef<Cost> measured) {
    std::vector<Cost> costs{{measured.front().a, 0, 0}}; // empty messages are sent, too
    llvm::append_range(costs, measured);
    result.push_back({once, CostByScale(unit, std::move(costs))});
  };
  if (cost.perBlock)
    add(1, cost.synchronous.front());
  for (size_t first : firstSamples)
    add(cost.samples[first], llvm::ArrayRef(cost.synchronous).slice(first, scales - 1));
  return result;
}

// ---- comparison ----------------------------------------------------------------------------------------------------------

namespace {

/// A multiple at which a clause is wrong, or has no value.
struct Failure {
  std::int64_t scale; // the multiple
  Diagnostic diagnostic;
};

/// The result of comparing a clause with the measured cost, both polynomials up to the step `last`. If the clause is wrong at a step,
/// that step is `wrong`, and `last` is the step before it.
struct Comparison {
  LinearCost wanted, found;
  std::int64_t last;
  std::optional<std::int64_t> wrong;
};

/// Whether an error means that a number is too large to compute, and says nothing about the clause.
bool isBeyondNumbers(diag::Id id) {
  return isLimit(id) || id == diag::Id::Overflow || id == diag::Id::TooManyCalls || id == diag::Id::RecursionTooDeep;
}

class ClauseCheck {
public:
  ClauseCheck(const CaseRun &run, const KnownCost &known)
      : schedule(run.schedule), instance(run.instance), limits(run.limits), known(known), frame(run.clauses) {
    for (const std::optional<ir::CostClause> *claim : {&schedule.cost, &schedule.rounds})
      if (*claim)
        claims.push_back(&**claim);
    auto isOfTables = [&](const ir::CostClause *claim) { return !isRounds(*claim) || ir::mentions(*claim->formula, ir::Op::Element); };
    reach.ofTables = !schedule.tables.empty() && (known.lines.empty() || llvm::any_of(claims, isOfTables));
  }

  ClauseReach run() {
    for (const CostLine &line : known.lines) {
      std::optional<Failure> first;
      for (const ir::CostClause *claim : claims)
        if (std::optional<Failure> found = firstOn(line, *claim, first ? first->scale - 1 : GrowingLengths::mostScale))
          first = std::move(found);
      if (first)
        throw Finding{std::move(first->diagnostic)};
    }
    auto isBeyond = [&](std::int64_t n) { return !reach.ofTables && reach.below && n >= *reach.below; };
    for (size_t i = 0; i < known.samples.size(); ++i)
      if (const auto &[lengths, cost] = known.samples[i]; i < known.given || known.lines.empty() || isBeyond(lengths.n))
        compareAt(lengths, LinearCost::of(cost), /*mustHaveValue=*/i < known.given);
    if (reach.below && !reach.ofTables)
      for (std::int64_t n : constants())
        if (const CostLine &line = known.lines.front(); isBeyond(n))
          if (std::optional<CostStretch> cost = line.cost.at({line.once, n}, 0, schedule.cost && hasGamma(*schedule.cost)))
            compareAt(n, cost->cost, /*mustHaveValue=*/false);
    // Forms do not count operator applications.
    if (!reach.ofTables || !known.forms || !known.forms->words() ||
        llvm::any_of(claims, [&](const ir::CostClause *claim) { return hasGamma(*claim); }))
      return reach;
    if (holdForAllTables())
      return {};
    // A wrong clause is usually wrong for one of these tables.
    for (const Lengths &lengths : sparseTables(known.tables)) {
      const Rational words = known.forms->words()->at(lengths);
      compareAt(lengths, {0, known.forms->startups(), words, 0}, /*mustHaveValue=*/false);
    }
    return reach;
  }

private:
  bool isRounds(const ir::CostClause &claim) const { return schedule.rounds && &claim == &*schedule.rounds; }
  bool hasGamma(const ir::CostClause &claim) const { return claim.mentionsGamma && known.hasWork; }

  // ---- one clause

  /// Compares a clause with the cost `found` from `step` on. For a `rounds` clause only the last step of `found` is used. Throws
  /// EvaluationError, WiderSteps; Finding if the work is done.
  Comparison compare(const ir::CostClause &claim, const CostStretch &found, const GrowingLengths &lengths, std::int64_t step) {
    checkWork(limits); // a clause may take longer than the schedule
    CostStretch wanted = evaluateClause(*claim.formula, frame, lengths, step, operations);
    Comparison result{std::move(wanted.cost), found.cost, std::min(wanted.last, found.last), {}};
    auto require = [&](const Polynomial &claimed, const Polynomial &measured) {
      const Polynomial more = claimed - measured;
      if (!more.valid())
        throw EvaluationError{claim.formula->range, diag::Overflow{.what = claim.text}};
      const auto right = claim.upperBound ? Polynomial::Signs::NotNegative : Polynomial::Signs::Zero;
      const std::int64_t last =
          Polynomial::isAmong(more.sign(step), right) ? more.lastWith(right, step, result.last) : step - 1;
      if (last < result.last) {
        result.wrong = last + 1;
        result.last = last;
      }
    };
    if (isRounds(claim)) {
      if (!result.wanted.isNumber())
        throw EvaluationError{claim.formula->range, diag::TypeMismatch{.expected = diag::ThingNumber{}, .found = diag::ThingCost{}}};
      require(result.wanted.constant, known.rounds);
      return result;
    }
    if (!result.wanted.constant.isZero())
      throw EvaluationError{claim.formula->range, diag::CostNotLinear{}};
    require(result.wanted.a, result.found.a);
    require(result.wanted.b, result.found.b);
    if (hasGamma(claim))
      require(result.wanted.c, result.found.c);
    return result;
  }

  // ---- all tables

  /// Whether it can be shown that the clauses hold for all tables.
  bool holdForAllTables() const {
    return llvm::all_of(claims, [&](const ir::CostClause *claim) {
      const std::optional<LengthFormCost> wanted = evaluateForAllLengths(*claim->formula, frame, known.tables);
      auto holds = [&](LengthForm difference, const LengthForm &found) {
        difference.add(found, -1);
        return difference.valid() && (claim->upperBound ? difference.isNowhereNegative() : difference.isZero());
      };
      if (!wanted)
        return false;
      if (isRounds(*claim))
        return holds(wanted->constant, Rational(known.rounds));
      return wanted->constant.isZero() && holds(wanted->a, Rational(known.forms->startups())) &&
             holds(wanted->b, *known.forms->words());
    });
  }

  // ---- messages

  Diagnostic wrong(const ir::CostClause &claim, const Comparison &comparison, const diag::AtLengths &lengths) const {
    const diag::Values values = valuesOf(schedule, instance);
    const std::int64_t step = *comparison.wrong;
    const llvm::SMRange range = claim.formula->range;
    if (isRounds(claim)) {
      const std::string stated = comparison.wanted.text(false, step);
      if (claim.upperBound)
        return Diagnostic(range,
                          diag::RoundsExceeded{.found = known.rounds, .bound = stated, .instance = values, .lengths = lengths});
      return Diagnostic(range, diag::RoundsWrong{.found = known.rounds, .stated = stated, .instance = values, .lengths = lengths});
    }
    const bool gamma = hasGamma(claim);
    const std::string found = comparison.found.text(gamma, step), stated = comparison.wanted.text(gamma, step);
    if (claim.upperBound)
      return Diagnostic(range, diag::CostExceeded{.found = found, .bound = stated, .instance = values, .lengths = lengths});
    return Diagnostic(range, diag::CostWrong{.found = found, .stated = stated, .instance = values, .lengths = lengths});
  }

  /// Throws Finding if a clause is wrong at these lengths; EvaluationError if it has no value, unless a number is too large and
  /// `mustHaveValue` is false.
  void compareAt(const Lengths &lengths, const LinearCost &cost, bool mustHaveValue) {
    for (const ir::CostClause *claim : claims)
      try {
        const Comparison comparison = compare(*claim, {cost, 0}, {lengths}, 0);
        if (comparison.wrong)
          throw Finding{wrong(*claim, comparison, diag::AtLengthsOnce{.lengths = text(lengths)})};
      } catch (const EvaluationError &error) {
        if (mustHaveValue || !isBeyondNumbers(error.id()))
          throw;
      }
  }

  static std::string text(const Lengths &lengths) {
    return lengths.tables ? lengthsText(lengths) : "n = " + std::to_string(lengths.n);
  }
  static diag::AtLengths lengthsOf(const CostLine &line, std::int64_t scale) {
    const std::optional<Lengths> lengths = line.once.times(scale);
    return lengths ? diag::AtLengths(diag::AtLengthsOnce{.lengths = text(*lengths)})
                   : diag::AtLengthsMultiple{.lengths = text(line.once), .times = scale};
  }

  // ---- all lengths of a line

  /// The smallest multiple, up to `most`, at which the clause is wrong.
  std::optional<Failure> firstOn(const CostLine &line, const ir::CostClause &claim, std::int64_t most) {
    for (std::int64_t width = line.cost.unit <= limits::clauseWidth ? line.cost.unit : 1;;)
      try {
        return firstOn(line, claim, most, width);
      } catch (const WiderSteps &wider) {
        width *= wider.factor;
      }
  }

  std::optional<Failure> firstOn(const CostLine &line, const ir::CostClause &claim, std::int64_t most, std::int64_t width) {
    std::optional<Failure> first;
    auto isWrongAt = [&](std::int64_t scale, Diagnostic diagnostic) {
      first = Failure{scale, std::move(diagnostic)};
      most = scale - 1;
    };
    // For each rest modulo the width, the smallest multiple that has not been compared.
    std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> next;
    for (std::int64_t rest = 0; rest < width; ++rest)
      next.push(rest);
    operations = 0;
    for (std::int64_t stretches = 0; !next.empty() && next.top() <= most; ++stretches) {
      const std::int64_t scale = next.top(), step = scale / width;
      const GrowingLengths lengths{line.once, scale % width, width, limits::clauseWidth};
      try {
        std::optional<LimitInForce> limit;
        if (stretches > 0 && operations >= limits::clauseOperations)
          limit = limits::clauseOperations;
        else if (stretches > 0 && stretches >= width + limits::clauseStretches)
          limit = limits::clauseStretches;
        const std::optional<Comparison> comparison = limit ? std::nullopt : compareFrom(claim, line, lengths, step, limit);
        if (!comparison) {
          ClauseReach upTo;
          upTo.below = scale;
          upTo.limit = limit;
          reach.join(upTo);
          break;
        }
        next.pop();
        if (comparison->wrong) {
          if (const std::int64_t at = lengths.scale(*comparison->wrong); at <= most)
            isWrongAt(at, wrong(claim, *comparison, lengthsOf(line, at)));
        } else if (comparison->last < lengths.lastStep()) {
          next.push(lengths.scale(comparison->last + 1));
        }
      } catch (const EvaluationError &error) {
        isWrongAt(scale, withoutValue(claim, line, scale, error));
      }
    }
    return first;
  }

  /// Compares from `step` on. Nothing if the cost there was not measured, or a number is too large to compute.
  std::optional<Comparison> compareFrom(const ir::CostClause &claim, const CostLine &line, const GrowingLengths &lengths,
                                        std::int64_t step, std::optional<LimitInForce> &limit) {
    auto found = [&](const GrowingLengths &at, std::int64_t from) {
      return isRounds(claim) ? CostStretch{{}, at.lastStep()} : line.cost.at(at, from, hasGamma(claim));
    };
    const std::optional<CostStretch> cost = found(lengths, step);
    if (!cost) {
      reach.isUnmeasured = true;
      limit = limits::clauseSamples;
      return std::nullopt;
    }
    try {
      return compare(claim, *cost, lengths, step);
    } catch (const EvaluationError &) {
    }
    // The polynomials cannot be formed for all following lengths. Compare at this length alone.
    const GrowingLengths alone{line.once, lengths.scale(step)};
    try {
      Comparison result = compare(claim, *found(alone, 0), alone, 0);
      result.last += step;
      if (result.wrong)
        result.wrong = step;
      return result;
    } catch (const EvaluationError &error) {
      if (alone.first > 1 && isBeyondNumbers(error.id()))
        return std::nullopt;
      throw;
    }
  }

  Diagnostic withoutValue(const ir::CostClause &claim, const CostLine &line, std::int64_t scale, const EvaluationError &error) const {
    Diagnostic result(error.range, error.facts);
    auto hasValueAt = [&](std::int64_t other) {
      try {
        std::uint64_t ignored = 0;
        evaluateClause(*claim.formula, frame, {line.once, other}, 0, ignored);
        return true;
      } catch (const EvaluationError &) {
        return false;
      }
    };
    if (scale > 0 || hasValueAt(1))
      result.note({}, diag::ForLengths{.lengths = lengthsOf(line, scale)});
    return result;
  }

  // ---- lengths that the text suggests

  /// Constant parts of the clauses and their neighbours, at which a clause may go wrong; and the default lengths.
  std::set<std::int64_t> constants() const {
    const std::vector<std::int64_t> usual = sampleLengths(known.lines.front().cost.unit);
    std::set<std::int64_t> result(usual.begin(), usual.end());
    std::set<const ir::Function *> functions;
    for (const ir::CostClause *claim : claims)
      addConstants(*claim->formula, /*isOfSchedule=*/true, {}, functions, result);
    return result;
  }

  void addConstants(const ir::Expr &expr, bool isOfSchedule, std::vector<unsigned> bound, std::set<const ir::Function *> &functions,
                    std::set<std::int64_t> &result) const {
    const bool isFixed = expr.type == ir::Type::Integer && !ir::anyPart(expr, [&](const ir::Expr &part) {
      return ir::isCostOnly(part.op) || (part.op == ir::Op::Variable && (!isOfSchedule || llvm::is_contained(bound, part.variable)));
    });
    if (isFixed) {
      try {
        const std::int64_t value = evaluate(expr, frame);
        for (std::int64_t n : {value - 1, value, value + 1})
          if (n >= 0)
            result.insert(n);
      } catch (const EvaluationError &) {
      }
      return;
    }
    if (expr.op == ir::Op::SumOver || expr.op == ir::Op::MinimumOver || expr.op == ir::Op::MaximumOver)
      bound.push_back(expr.variable);
    for (const ir::Expr *operand : expr.operands)
      addConstants(*operand, isOfSchedule, bound, functions, result);
    if (expr.op == ir::Op::Call && functions.insert(expr.function).second)
      addConstants(*expr.function->body, /*isOfSchedule=*/false, {}, functions, result);
  }

  const ir::Schedule &schedule;
  const Case &instance;
  const Limits &limits;
  const KnownCost &known;
  const Frame &frame;
  llvm::SmallVector<const ir::CostClause *, 2> claims;
  ClauseReach reach;
  std::uint64_t operations = 0; // spent on one clause on one line
};

} // namespace

ClauseReach checkCostClaims(const CaseRun &run, const KnownCost &known) {
  return run.schedule.cost || run.schedule.rounds ? ClauseCheck(run, known).run() : ClauseReach();
}

} // namespace quadrille::compiler
