//===- Infer.cpp - Formulas fitted to tables ----------------------------------------------------------------------------------===//

#include "Infer.h"

#include "Enumeration.h"

#include "arithmetic/Integers.h"
#include "limits/Limits.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace quadrille::compiler::prove {

// ---- samples --------------------------------------------------------------------------------------------------------------

/// The next number of a fixed pseudo-random sequence.
static std::uint64_t nextRandom(std::uint64_t &state) {
  state += 0x9E3779B97F4A7C15ull;
  std::uint64_t x = state;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

Fitter::Fitter(TermPool &pool, const FeatureTable &table, FitLimits limits) : pool(pool), table(table), limits(limits) {
  std::vector<std::uint32_t> all(table.rows);
  std::iota(all.begin(), all.end(), 0);
  std::uint64_t state = 1;
  const std::size_t count = std::min(limits.sampleRows, all.size());
  for (std::size_t i = 0; i < count; ++i)
    std::swap(all[i], all[i + nextRandom(state) % (all.size() - i)]);
  sample.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
}

Fitter::~Fitter() = default;

LimitInForce Fitter::bound() const { return enumeration ? enumeration->bound() : limits::fitSize.at(limits.size); }

template <typename Value, typename Search, typename Contradicts>
std::vector<Term> Fitter::fit(llvm::ArrayRef<Value> target, llvm::ArrayRef<std::uint8_t> mask, Search search,
                              Contradicts contradicts) {
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t row = 0; row < table.rows; ++row)
    if (mask[row])
      wanted.push_back(row);
  constexpr std::size_t blockRows = 2048; // fit in a cache
  std::vector<Term> result;
  for (unsigned round = 0; round < limits.rounds; ++round) {
    if (!enumeration)
      enumeration = std::make_unique<Enumeration>(pool, table, sample, limits);
    std::vector<std::uint8_t> sampleMask;
    std::vector<std::int32_t> sampleTarget;
    for (std::uint32_t row : sample) {
      sampleMask.push_back(mask[row]);
      sampleTarget.push_back(target[row]);
    }
    std::vector<std::uint32_t> refuting;
    std::size_t tried = 0;
    for (Term candidate : ((*enumeration).*search)(sampleTarget, sampleMask)) {
      if (result.size() == limits.answers || tried++ == limits::fitCompared)
        break;
      std::vector<std::int64_t> values;
      bool holds = true;
      for (std::size_t first = 0; holds && first < wanted.size(); first += blockRows) {
        auto block = llvm::ArrayRef(wanted).slice(first, std::min(blockRows, wanted.size() - first));
        holds = table.evaluate(candidate, block, values);
        unsigned found = 0;
        for (std::size_t i = 0; holds && i < block.size(); ++i)
          if (contradicts(values[i], target[block[i]])) {
            refuting.push_back(block[i]);
            if (++found == 4)
              break;
          }
        holds &= found == 0;
      }

      if (holds && !llvm::is_contained(result, candidate))
        result.push_back(candidate);
    }
    if (!result.empty() || refuting.empty())
      break;
    // Add rows in which formulas that fit the sample are wrong.
    llvm::sort(refuting);
    refuting.erase(std::unique(refuting.begin(), refuting.end()), refuting.end());
    refuting.resize(std::min(refuting.size(), limits::fitAddedRows.value()));
    sample.insert(sample.end(), refuting.begin(), refuting.end());
    enumeration.reset();
  }
  return result;
}

static bool differs(std::int64_t value, std::int64_t target) { return value != target; }

template <typename Value, typename Fit>
std::vector<Term> Fitter::inPieces(llvm::ArrayRef<Value> target, llvm::ArrayRef<std::uint8_t> mask, unsigned depth, Fit fit) {
  std::vector<std::uint32_t> all(table.rows);
  std::iota(all.begin(), all.end(), 0);
  for (Term guard : table.atoms.guards) {
    if (piecesTried >= limits::fitPieces)
      return {};
    std::vector<std::int64_t> values;
    if (!table.evaluate(guard, all, values))
      continue;
    std::vector<std::uint8_t> yes(table.rows), no(table.rows);
    for (std::size_t row = 0; row < table.rows; ++row) {
      yes[row] = mask[row] && values[row];
      no[row] = mask[row] && !values[row];
    }
    if (!llvm::is_contained(yes, 1) || !llvm::is_contained(no, 1))
      continue;
    piecesTried += 2;
    std::vector<Term> then = fit(target, yes), otherwise = fit(target, no);
    if (then.empty() && otherwise.empty())
      continue;
    if (then.empty() && depth > 1)
      then = inPieces<Value>(target, yes, depth - 1, fit);
    if (otherwise.empty() && depth > 1)
      otherwise = inPieces<Value>(target, no, depth - 1, fit);
    if (then.empty() || otherwise.empty())
      continue;
    std::vector<Term> result;
    for (std::size_t i = 0; i < std::max(then.size(), otherwise.size()) && result.size() < 2; ++i)
      result.push_back(pool.select(guard, then[std::min(i, then.size() - 1)], otherwise[std::min(i, otherwise.size() - 1)]));
    return result;
  }
  return {};
}

std::vector<Term> Fitter::fitInteger(llvm::ArrayRef<std::int32_t> target, llvm::ArrayRef<std::uint8_t> mask) {
  const auto plainly = [this](llvm::ArrayRef<std::int32_t> values, llvm::ArrayRef<std::uint8_t> where) {
    return fit(values, where, &Enumeration::integers, differs);
  };
  std::vector<Term> result = plainly(target, mask);
  return result.empty() && limits.inPieces && limits.levels ? inPieces(target, mask, limits.levels, plainly) : result;
}

std::vector<Term> Fitter::fitBoolean(llvm::ArrayRef<std::uint8_t> target, llvm::ArrayRef<std::uint8_t> mask) {
  const auto plainly = [this](llvm::ArrayRef<std::uint8_t> values, llvm::ArrayRef<std::uint8_t> where) {
    return fit(values, where, &Enumeration::booleans, differs);
  };
  std::vector<Term> result = plainly(target, mask);
  return result.empty() && limits.inPieces && limits.levels ? inPieces(target, mask, limits.levels, plainly) : result;
}

std::vector<Term> Fitter::fitWithin(llvm::ArrayRef<std::uint8_t> target, llvm::ArrayRef<std::uint8_t> mask) {
  return fit(target, mask, &Enumeration::within,
             [](std::int64_t value, std::int64_t isFull) { return value != 0 && isFull == 0; });
}

// ---- contents ------------------------------------------------------------------------------------------------------------------

namespace {
class ContentFit {
public:
  ContentFit(TermPool &pool, const TraceRows &rows, const TraceSymbols &symbols, const Atoms &atoms, bool cyclic,
             FitLimits limits)
      : pool(pool), rows(rows), symbols(symbols), atoms(atoms), cyclic(cyclic), limits(limits),
        table(tableOf(rows, symbols, atoms)), fitter(pool, table, limits) {}

  std::vector<ContentFormula> run(OfSlots slots) {
    ofPlaces = slots == OfSlots::Places;
    const std::size_t count = rows.size();
    std::vector<std::uint8_t> everywhere(count, 1), live(count), settled(count), needed(count);
    for (std::size_t row = 0; row < count; ++row) {
      live[row] = rows.valid[row] && rows.live[row];
      needed[row] = rows.valid[row] && rows.needed[row];
      if (slots == OfSlots::Needed)
        live[row] = needed[row];
      settled[row] = live[row] || !rows.valid[row];
    }
    std::vector<ContentFormula> result;
    if (slots == OfSlots::AllOrLive || (slots != OfSlots::Places && live == rows.valid))
      result = fit(rows.valid, everywhere, false);
    if (result.empty() && (live != rows.valid || ofPlaces))
      result = fit(live, everywhere, true);
    // If that fails too, full slots that are not read do not matter: the formula for `valid` may have any value there.
    if (result.empty() && live != rows.valid)
      result = fit(live, settled, true);
    if (result.empty() && slots == OfSlots::AllOrLive)
      result = fitRegular();
    return result;
  }

  /// Formulas that are true for many full slots and for no empty one. All other parts are 0, as in tables of whom ranks have heard.
  std::vector<ContentFormula> runForSome() {
    std::vector<ContentFormula> result;
    const Term zero = pool.integer(0);
    for (Term formula : fitter.fitWithin(rows.valid, std::vector<std::uint8_t>(rows.size(), 1)))
      result.push_back({formula, zero, zero, zero, zero, zero, {}, /*live=*/true});
    return result;
  }

  LimitInForce bound() const { return fitter.bound(); }

private:
  /// The values of one part of a content, by row.
  template <typename Part> std::vector<std::int32_t> column(Part part) const {
    std::vector<std::int32_t> result(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
      result[row] = part(row);
    return result;
  }

  std::vector<ContentFormula> fit(llvm::ArrayRef<std::uint8_t> valid, llvm::ArrayRef<std::uint8_t> where, bool isLive) {
    const std::vector<Term> formulas = fitter.fitBoolean(valid, where);
    const std::size_t sampled = fitter.sampled();
    for (Term formula : formulas) {
      // The formula may be true in more rows than `valid`; the other parts must fit in these rows too.
      std::vector<std::uint8_t> claimed(rows.size());
      std::vector<std::uint32_t> all(rows.size());
      std::iota(all.begin(), all.end(), 0);
      std::vector<std::int64_t> values;
      if (!table.evaluate(formula, all, values))
        continue;
      for (std::size_t row = 0; row < rows.size(); ++row)
        claimed[row] = values[row] != 0;
      std::vector<ContentFormula> result = fitParts(claimed);
      if (result.empty()) {
        if (llvm::equal(claimed, valid))
          return {}; // other formulas would fail too
        continue;
      }
      for (ContentFormula &content : result) {
        content.valid = formula;
        content.live = isLive;
      }
      // Append other formulas for `valid`, with the best ones for the other parts.
      for (Term other : fitter.sampled() == sampled ? formulas : fitter.fitBoolean(valid, where))
        if (other != formula && result.size() < limits.answers) {
          ContentFormula content = result[0];
          content.valid = other;
          if (llvm::equal(claimed, valid))
            result.push_back(content);
        }
      return result;
    }
    return {};
  }

  /// Formulas that are right for powers of two of ranks, and the condition under which they are right for other numbers. Where partners beyond the last
  /// rank are left out, as in a scan by recursive doubling, some slots hold sets of ranks that are as they happen to be, and that does not matter.
  std::vector<ContentFormula> fitRegular() {
    std::vector<std::uint8_t> regular(rows.size());
    bool isElsewhere = false;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      regular[row] = rows.valid[row] && arithmetic::isPow2(rows.p[row]);
      isElsewhere |= rows.valid[row] && !regular[row];
    }
    if (!isElsewhere || !llvm::is_contained(regular, 1))
      return {};
    const std::vector<Term> full = fitter.fitBoolean(rows.valid, std::vector<std::uint8_t>(rows.size(), 1));
    if (full.empty())
      return {};
    std::vector<std::uint32_t> all(rows.size());
    std::iota(all.begin(), all.end(), 0);
    std::vector<ContentFormula> result;
    for (ContentFormula content : fitParts(regular)) {
      if (!content.lo || !content.length)
        continue;
      std::vector<std::uint8_t> isRight(rows.valid.begin(), rows.valid.end());
      const auto compare = [&](Term formula, llvm::function_ref<std::int64_t(std::size_t)> wanted) {
        std::vector<std::int64_t> values;
        const bool hasValues = table.evaluate(formula, all, values);
        for (std::size_t row = 0; row < rows.size(); ++row)
          isRight[row] &= hasValues && !rows.compound[row] && values[row] == wanted(row);
      };
      compare(content.input, [&](std::size_t row) { return rows.input[row]; });
      compare(content.block, [&](std::size_t row) { return rows.inputBlock[row]; });
      compare(content.packet, [&](std::size_t row) { return rows.inputPacket[row]; });
      compare(content.lo, [&](std::size_t row) { return rows.lo[row]; });
      compare(content.length, [&](std::size_t row) { return rows.length[row]; });
      for (Term known : fitter.fitWithin(isRight, rows.valid)) {
        if (result.size() == limits.answers)
          return result;
        content.valid = full[0];
        content.known = known;
        result.push_back(content);
      }
    }
    return result;
  }

  std::vector<ContentFormula> fitParts(llvm::ArrayRef<std::uint8_t> mask) {
    if (!llvm::is_contained(mask, 1)) {
      Term zero = pool.integer(0);
      return {{{}, zero, zero, zero, zero, zero, {}, false}};
    }
    auto integer = [&](auto part) { return fitter.fitInteger(column(part), mask); };
    std::vector<std::vector<Term>> parts;
    for (const std::vector<std::int32_t> *values : {&rows.input, &rows.inputBlock, &rows.inputPacket}) {
      parts.push_back(integer([&](std::size_t row) { return (*values)[row]; }));
      if (parts.back().empty())
        return {};
    }
    bool compound = false;
    for (std::size_t row = 0; row < rows.size(); ++row)
      compound |= mask[row] && rows.compound[row];
    if (compound && ofPlaces) {
      return {{{}, parts[0][0], parts[1][0], parts[2][0], {}, {}, {}, false}};
    } else if (compound) {
      parts.push_back(fitMembers(mask));
    } else {
      auto [lo, length] = fitInterval(mask);
      parts.push_back(std::move(lo));
      parts.push_back(std::move(length));
    }
    if (llvm::any_of(parts, [](const std::vector<Term> &p) { return p.empty(); }))
      return {};
    // First the best formula of each part, then variants in which one part is another one.
    std::vector<ContentFormula> result;
    constexpr std::size_t all = 5; // as `changed`: every part
    auto add = [&](std::size_t changed, std::size_t to) {
      auto pick = [&](std::size_t part) {
        return parts[part][part == changed ? to : changed == all ? std::min(to, parts[part].size() - 1) : 0];
      };
      ContentFormula content;
      content.input = pick(0);
      content.block = pick(1);
      content.packet = pick(2);
      if (compound) {
        content.member = pick(3);
      } else {
        content.lo = pick(3);
        content.length = pick(4);
      }
      result.push_back(content);
    };
    add(0, 0);
    if (limits.inPieces) // the n-th formulas of all parts often belong together
      for (std::size_t to = 1; to < limits.answers / 2; ++to)
        if (llvm::any_of(parts, [&](const std::vector<Term> &part) { return to < part.size(); }))
          add(all, to);
    for (std::size_t to = 1; to < limits.answers; ++to)
      for (std::size_t part = 0; part < parts.size() && result.size() < limits.answers; ++part)
        if (to < parts[part].size())
          add(part, to);
    return result;
  }

  /// Fits the first rank of an interval. If `cyclic`, the first rank of a product of all ranks does not matter: formulas that fit
  /// all other rows come before those that fit these rows, too, which may be by chance.
  std::vector<Term> fitFirst(llvm::ArrayRef<std::uint8_t> mask) {
    const std::vector<std::int32_t> first = column([&](std::size_t row) { return rows.lo[row]; });
    std::vector<Term> result = fitter.fitInteger(first, mask);
    if (!cyclic)
      return result;
    std::vector<std::uint8_t> partial(mask.begin(), mask.end());
    for (std::size_t row = 0; row < rows.size(); ++row)
      partial[row] &= rows.length[row] < rows.p[row];
    if (!llvm::is_contained(partial, 1))
      return result;
    std::vector<Term> better = fitter.fitInteger(first, partial);
    if (better.empty() || (!result.empty() && llvm::is_contained(better, result[0])))
      return result;
    better.insert(better.end(), result.begin(), result.end());
    return better;
  }

  /// Fits first rank and length of an interval. If one of them has no formula, it is computed from the end and the other.
  std::pair<std::vector<Term>, std::vector<Term>> fitInterval(llvm::ArrayRef<std::uint8_t> mask) {
    auto integer = [&](auto part) { return fitter.fitInteger(column(part), mask); };
    std::vector<Term> lo = fitFirst(mask);
    std::vector<Term> length = integer([&](std::size_t row) { return rows.length[row]; });
    if (!lo.empty() && !length.empty())
      return {lo, length};
    const std::size_t few = limits::fitEnds;
    auto each = [&](const std::vector<Term> &first, const std::vector<Term> &second, auto make) {
      std::vector<Term> result;
      for (std::size_t i = 0; i < std::min(few, first.size()); ++i)
        for (std::size_t j = 0; j < std::min(few, second.size()); ++j)
          result.push_back(make(first[i], second[j]));
      return result;
    };
    auto endOf = [&](std::size_t row) { return rows.lo[row] + rows.length[row]; };
    if (std::vector<Term> end; !lo.empty() || !length.empty()) {
      end = integer(endOf);
      if (lo.empty())
        lo = each(end, length, [&](Term e, Term n) { return pool.subtract(e, n); });
      else
        length = each(end, lo, [&](Term e, Term l) { return pool.subtract(e, l); });
    }
    if (cyclic && !length.empty() && lo.empty()) {
      std::vector<Term> last = integer([&](std::size_t row) { return (endOf(row) - 1) % rows.p[row]; });
      lo = each(last, length, [&](Term l, Term n) {
        return pool.modulo(pool.add(pool.subtract(l, n), pool.integer(1)), symbols.p);
      });
    }
    return {lo, length};
  }

  std::vector<Term> fitMembers(llvm::ArrayRef<std::uint8_t> mask) {
    std::vector<std::uint32_t> which;
    for (std::uint32_t row = 0; row < rows.size(); ++row)
      if (mask[row])
        which.push_back(row);
    std::optional<ContributorRows> asked = rowsOfContributors(rows, which, symbols, atoms, pool);
    if (!asked)
      return {};
    FitLimits ofMembers = limits; // the table has a row for each rank that may contribute: too many for pieces and their limits
    ofMembers.levels = 0;
    ofMembers.expressions = FitLimits().expressions;
    ofMembers.candidates = FitLimits().candidates;
    Fitter members(pool, asked->table, ofMembers);
    return members.fitBoolean(asked->contributes, std::vector<std::uint8_t>(asked->table.rows, 1));
  }

  TermPool &pool;
  const TraceRows &rows;
  const TraceSymbols &symbols;
  const Atoms &atoms;
  const bool cyclic;
  bool ofPlaces = false;
  const FitLimits limits;
  const FeatureTable table;
  Fitter fitter;
};
} // namespace

std::vector<ContentFormula> fitContent(TermPool &pool, const TraceRows &rows, const TraceSymbols &symbols,
                                       const Atoms &atoms, bool cyclic, bool ofSome, FitLimits limits, LimitInForce *reached,
                                       OfSlots slots) {
  ContentFit fit(pool, rows, symbols, atoms, cyclic, limits);
  std::vector<ContentFormula> result = fit.run(slots);
  if (ofSome)
    llvm::append_range(result, fit.runForSome());
  if (result.empty() && reached)
    *reached = fit.bound();
  return result;
}

} // namespace quadrille::compiler::prove
