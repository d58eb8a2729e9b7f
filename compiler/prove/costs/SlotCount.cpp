//===- SlotCount.cpp - How many blocks a condition selects ------------------------------------------------------------------===//
//
// The labels of an axis go through a range, and a filter selects some of them. Their number has a formula if the filter compares the label
// with numbers, asks for a residue, a digit or a bit of it, or is true of one half; also if one condition tells two ranges of labels
// apart, each with such a filter.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "prove/execution/Execution.h"

#include "llvm/ADT/STLExtras.h"

#include <array>

namespace quadrille::compiler::prove {

namespace {
/// The labels 0 ..< size for which the filter is true.
struct Selection {
  Term filter, label, size;

  bool mentionsLabel(Term term) const { return llvm::is_contained(variablesOf({term}), label); }
};
} // namespace

/// The c for which the number is label + c or c - label; null if there is none.
static Term residueShift(TermPool &pool, Term number, Term label) {
  for (const Monomial &part : TermPool::monomialsOf(number))
    if (part.atom == label && std::abs(part.coefficient) == 1)
      return pool.subtract(number, pool.scale(part.coefficient, label));
  return {};
}

/// The number divided by `factor`, if each of its parts is a multiple; else null.
static Term dividedBy(TermPool &pool, Term number, std::int64_t factor) {
  Term result = pool.integer(TermPool::constantOf(number) / factor);
  for (const Monomial &part : TermPool::monomialsOf(number))
    result = pool.add(result, pool.scale(part.coefficient / factor, part.atom));
  return pool.scale(factor, result) == number ? result : Term();
}

class Execution::SlotCount {
public:
  SlotCount(Execution &execution, Term guard, llvm::SMRange range) : execution(execution), pool(execution.pool), guard(guard), range(range) {}

  /// The number of slots of the axis times `denominator`; null if there is no formula.
  Term of(const Axis &axis) {
    if (axis.kind == Axis::Single)
      return one;
    if (axis.kind == Axis::Position)
      return axis.count;
    if (const std::optional<Axis> other = withoutFlips(axis))
      return of(*other);
    if (Term result = interval(axis))
      return result;
    if (beginsWithZero(axis)) {
      const Selection selection{axis.filter, axis.label, axis.hi};
      for (Term (SlotCount::*count)(const Selection &) : {&SlotCount::residues, &SlotCount::part, &SlotCount::groupOfResidue, &SlotCount::bits, &SlotCount::half, &SlotCount::parts})
        if (Term result = (this->*count)(selection))
          return result;
    }
    return bitsFrom(axis);
  }

  std::int64_t denominator = 1;

private:
  bool proved(Term goal) {
    return execution.isShownNow("how many blocks a condition selects", range, guard, goal);
  }

  /// Whether the labels may as well begin with 0: the filter leaves it out.
  bool beginsWithZero(const Axis &axis) {
    return axis.lo == zero || (axis.lo == one && proved(pool.negate(at(axis.filter, axis.label, zero))));
  }

  Term at(Term term, Term label, Term value) {
    TermPool::Substitution by;
    by[label.get()] = value;
    return pool.substitute(term, by);
  }

  /// If the filter is about label xor c, which takes each value in 0 ..< hi once if hi is a power of two and c is below it: the axis with the same
  /// number of labels whose filter is about the label. Else nothing.
  std::optional<Axis> withoutFlips(const Axis &axis) {
    Term flipped;
    forEachNode({axis.filter}, [&](Term node) {
      if (node->kind == TermKind::BitXor && llvm::is_contained(node->operands, axis.label))
        flipped = node;
    });
    if (!flipped || axis.lo != zero)
      return std::nullopt;
    const Term by = flipped->operands[flipped->operands[0] == axis.label ? 1 : 0], mark = pool.fresh("flipped");
    Axis result = axis;
    result.filter = pool.rebuild(axis.filter, [&](Term node) { return node == flipped ? mark : Term(); });
    if (llvm::is_contained(variablesOf({result.filter, by}), axis.label) ||
        !proved(pool.conjunction({pool.isPower2(axis.hi), pool.inRange(zero, by, axis.hi)})))
      return std::nullopt;
    result.filter = at(result.filter, mark, axis.label);
    return result;
  }

  /// The filter compares the label with other numbers: the labels are an interval, perhaps without one number.
  Term interval(const Axis &axis) {
    Term lo = axis.lo, hi = axis.hi, without;
    for (Term condition : conjunctsOf(axis.filter)) {
      if (pool.isTrue(condition))
        continue;
      const bool isNegated = condition->kind == TermKind::Not;
      const Term comparison = isNegated ? condition->operands[0] : condition;
      const bool isOrder = comparison->kind == TermKind::AtLeastZero;
      if (!isOrder && comparison->kind != TermKind::IsZero)
        return {};
      const Term sum = comparison->operands[0];
      const auto parts = TermPool::monomialsOf(sum);
      const Monomial *own = llvm::find_if(parts, [&](const Monomial &part) { return part.atom == axis.label; });
      if (own == parts.end() || std::abs(own->coefficient) != 1)
        return {};
      // label >= place, label <= place, or label == place
      const Term rest = pool.subtract(sum, pool.scale(own->coefficient, axis.label)), place = pool.scale(-own->coefficient, rest);
      if (llvm::is_contained(variablesOf({rest}), axis.label))
        return {};
      const bool isLowest = (own->coefficient == 1) != isNegated;
      if (!isOrder && !isNegated) {
        lo = pool.maximum(lo, place);
        hi = pool.minimum(hi, pool.add(place, one));
      } else if (isOrder && isLowest)
        lo = pool.maximum(lo, isNegated ? pool.add(place, one) : place);
      else if (isOrder)
        hi = pool.minimum(hi, isNegated ? place : pool.add(place, one));
      else if (isNegated && !without)
        without = place;
      else
        return {};
    }
    const Term count = pool.maximum(pool.subtract(hi, lo), zero);
    return without ? pool.subtract(count, pool.select(pool.inRange(lo, without, hi), one, zero)) : count;
  }

  /// Whether the term has each value in 0 ..< size once, as the label goes through them.
  bool isEachNumber(Term number, const Selection &selection) {
    if (number == selection.label)
      return true;
    if (number->kind != TermKind::Modulo || number->operands[1] != selection.size || selection.mentionsLabel(selection.size))
      return false;
    const Term shift = residueShift(pool, number->operands[0], selection.label);
    return shift && !selection.mentionsLabel(shift);
  }

  /// How many of the numbers 0 ..< size have this residue by m.
  Term withResidue(Term size, Term residue, Term m) { return pool.quotient(pool.add(pool.subtract(size, residue), pool.subtract(m, one)), m); }

  /// The filter selects a residue by m, or a digit (x div w) mod m.
  Term residues(const Selection &selection) {
    if (selection.filter->kind != TermKind::IsZero)
      return {};
    const Term sum = selection.filter->operands[0];
    for (const Monomial &part : TermPool::monomialsOf(sum)) {
      if (part.atom->kind != TermKind::Modulo || std::abs(part.coefficient) != 1)
        continue;
      Term number = part.atom->operands[0], m = part.atom->operands[1], weight = one;
      if (number->kind == TermKind::Quotient) {
        weight = number->operands[1];
        number = number->operands[0];
      }
      const Term rest = pool.scale(-part.coefficient, pool.subtract(sum, pool.scale(part.coefficient, part.atom)));
      if (llvm::any_of(std::array{rest, m, weight}, [&](Term term) { return selection.mentionsLabel(term); }))
        continue;
      for (Term (SlotCount::*count)(const Selection &, Term, Term, Term, Term) :
           {&SlotCount::ofWholeGroups, &SlotCount::ofEachNumber, &SlotCount::ofShifted})
        if (Term result = (this->*count)(selection, number, weight, m, rest))
          return result;
    }
    return {};
  }

  /// One in m slots, if m (w*m) divides the number of slots. Number + c, or c - number, has each residue as often.
  Term ofWholeGroups(const Selection &selection, Term number, Term weight, Term m, Term rest) {
    const Term shift = weight == one ? residueShift(pool, number, selection.label) : number == selection.label ? zero : Term();
    if (!shift || selection.mentionsLabel(shift) ||
        !proved(pool.both(areDigits(selection.size, weight, m, rest), pool.equal(pool.modulo(selection.size, pool.multiply(weight, m)), zero))))
      return {};
    const std::optional<std::int64_t> base = weight == one ? std::nullopt : TermPool::asInteger(m);
    if (!base)
      return pool.quotient(selection.size, m);
    denominator = exactProduct(denominator, *base); // so that p/3 words in each of the rounds are a fraction of p
    return selection.size;
  }

  Term areDigits(Term size, Term weight, Term m, Term rest) {
    return pool.conjunction({pool.lessEqual(zero, size), pool.lessEqual(one, weight), pool.lessEqual(one, m), pool.inRange(zero, rest, m)});
  }

  /// Each number below that of the slots occurs once, perhaps as (label + c) mod slots or (c - label) mod slots: every w*m of them have w
  /// with this digit, and so has what is left, as far as it goes.
  Term ofEachNumber(const Selection &selection, Term number, Term weight, Term m, Term rest) {
    if (!isEachNumber(number, selection) || !proved(areDigits(selection.size, weight, m, rest)))
      return {};
    if (weight == one)
      return withResidue(selection.size, rest, m);
    if (const auto group = TermPool::asInteger(weight); group && *group > 1)
      if (Term groups = dividedBy(pool, selection.size, *group)) // only whole groups of equal quotients
        return pool.scale(*group, withResidue(groups, rest, m));
    const Term group = pool.multiply(weight, m);
    const Term last = pool.subtract(pool.modulo(selection.size, group), pool.multiply(rest, weight));
    return pool.add(pool.multiply(pool.quotient(selection.size, group), weight), pool.minimum(pool.maximum(last, zero), weight));
  }

  /// The numbers are shift ..< shift + size.
  Term ofShifted(const Selection &selection, Term number, Term weight, Term m, Term rest) {
    const Term shift = pool.subtract(number, selection.label);
    if (weight != one || selection.mentionsLabel(shift) ||
        !proved(pool.both(areDigits(selection.size, weight, m, rest), pool.lessEqual(zero, shift))))
      return {};
    const Term end = pool.add(selection.size, shift);
    return pool.subtract(proved(pool.equal(pool.modulo(end, m), zero)) ? pool.quotient(end, m) : withResidue(end, rest, m),
                         withResidue(shift, rest, m));
  }

  /// The filter selects the c-th w numbers, label div w == c, or of each m: label mod m div w == c.
  Term part(const Selection &selection) {
    if (selection.filter->kind != TermKind::IsZero)
      return {};
    const Term sum = selection.filter->operands[0];
    for (const Monomial &own : TermPool::monomialsOf(sum)) {
      if (own.atom->kind != TermKind::Quotient || std::abs(own.coefficient) != 1)
        continue;
      const Term number = own.atom->operands[0], w = own.atom->operands[1];
      const bool isOfEach = number->kind == TermKind::Modulo && number->operands[0] == selection.label;
      const Term m = isOfEach ? number->operands[1] : selection.size;
      const Term c = pool.scale(-own.coefficient, pool.subtract(sum, pool.scale(own.coefficient, own.atom)));
      if ((!isOfEach && number != selection.label) ||
          llvm::any_of(std::array{w, m, c}, [&](Term term) { return selection.mentionsLabel(term); }) ||
          !proved(pool.conjunction({pool.lessEqual(one, w), pool.lessEqual(one, m), pool.lessEqual(zero, c), pool.lessEqual(zero, selection.size)})))
        continue;
      const auto below = [&](Term end) { // of the first `end` numbers
        return pool.minimum(pool.maximum(pool.subtract(end, pool.multiply(c, w)), zero), w);
      };
      if (!isOfEach)
        return below(selection.size);
      return pool.add(pool.multiply(pool.quotient(selection.size, m), below(m)), below(pool.modulo(selection.size, m)));
    }
    return {};
  }

  /// The k for which the quotient is number div m div k; null if there is none. Numbers m and k are one divisor.
  Term furtherDivisor(Term quotient, Term number, Term m) {
    if (quotient->operands[0] == pool.quotient(number, m))
      return quotient->operands[1];
    const std::optional<std::int64_t> known = TermPool::asInteger(m);
    return quotient->operands[0] == number && known && *known >= 1 ? dividedBy(pool, quotient->operands[1], *known) : Term();
  }

  /// The filter selects, of the numbers with a residue by m, the s-th k ones: x mod m == c and x div m div k == s.
  Term groupOfResidue(const Selection &selection) {
    if (selection.filter->kind != TermKind::And || selection.filter->operands.size() != 2)
      return {};
    for (unsigned first : {0, 1}) {
      const Term residue = selection.filter->operands[first], group = selection.filter->operands[1 - first];
      if (residue->kind != TermKind::IsZero || group->kind != TermKind::IsZero)
        continue;
      for (const Monomial &part : TermPool::monomialsOf(residue->operands[0]))
        for (const Monomial &other : TermPool::monomialsOf(group->operands[0])) {
          if (part.atom->kind != TermKind::Modulo || std::abs(part.coefficient) != 1 || other.atom->kind != TermKind::Quotient ||
              std::abs(other.coefficient) != 1)
            continue;
          const Term number = part.atom->operands[0], m = part.atom->operands[1], k = furtherDivisor(other.atom, number, m);
          const Term c = pool.scale(-part.coefficient, pool.subtract(residue->operands[0], pool.scale(part.coefficient, part.atom)));
          const Term s = pool.scale(-other.coefficient, pool.subtract(group->operands[0], pool.scale(other.coefficient, other.atom)));
          if (!k || llvm::any_of(std::array{c, s, m, k}, [&](Term term) { return selection.mentionsLabel(term); }) ||
              !isEachNumber(number, selection) ||
              !proved(pool.conjunction({areDigits(selection.size, k, m, c), pool.lessEqual(zero, s)})))
            continue;
          const Term left = pool.subtract(withResidue(selection.size, c, m), pool.multiply(k, s));
          return pool.minimum(pool.maximum(left, zero), k);
        }
    }
    return {};
  }

  /// The filter selects labels with bit m set: m of every 2*m, and of an incomplete last group what exceeds m.
  Term bits(const Selection &selection) {
    const Term filter = selection.filter;
    if (filter->kind != TermKind::Bit || filter->operands[0] != selection.label || selection.mentionsLabel(filter->operands[1]))
      return {};
    const Term m = filter->operands[1], twice = pool.scale(2, m);
    if (!proved(pool.both(pool.lessEqual(zero, selection.size), pool.lessEqual(one, m))))
      return {};
    if (proved(pool.equal(pool.modulo(selection.size, twice), zero))) { // all groups are complete
      denominator = exactProduct(denominator, 2);
      return selection.size;
    }
    return pool.add(pool.multiply(pool.quotient(selection.size, twice), m),
                    pool.maximum(zero, pool.subtract(pool.modulo(selection.size, twice), m)));
  }

  /// The same where the labels begin later, but not after the first with the bit.
  Term bitsFrom(const Axis &axis) {
    const bool isBit = axis.filter->kind == TermKind::Bit && proved(pool.inRange(zero, axis.lo, pool.add(axis.filter->operands[1], one)));
    return isBit ? bits({axis.filter, axis.label, axis.hi}) : Term();
  }

  /// The filter selects half of the labels, if flipping bit m maps selected labels to others and vice versa.
  Term half(const Selection &selection) {
    llvm::SmallVector<Term, 4> flipped;
    forEachNode({selection.filter}, [&](Term node) {
      if (node->kind == TermKind::Bit && node->operands[0] == selection.label && !llvm::is_contained(flipped, node->operands[1]))
        flipped.push_back(node->operands[1]);
    });
    for (Term m : flipped) {
      const Term other = pool.bitXor(selection.label, m);
      if (!proved(pool.both(pool.lessEqual(zero, selection.size),
                            pool.implies(pool.inRange(zero, selection.label, selection.size),
                                         pool.both(pool.inRange(zero, other, selection.size),
                                                   pool.equal(at(selection.filter, selection.label, other), pool.negate(selection.filter)))))))
        continue;
      denominator = exactProduct(denominator, 2);
      return selection.size;
    }
    return {};
  }

  /// A condition tells labels below a number from the others. Each side is counted by itself.
  Term parts(const Selection &selection) {
    Term choice, place;
    bool isBelow = true; // whether the first side is below the number
    forEachNode({selection.filter}, [&](Term node) {
      if (choice || node->kind != TermKind::Select)
        return;
      const bool isNegated = node->operands[0]->kind == TermKind::Not;
      const Term condition = isNegated ? node->operands[0]->operands[0] : node->operands[0];
      if (condition->kind != TermKind::AtLeastZero)
        return;
      for (const Monomial &part : TermPool::monomialsOf(condition->operands[0])) {
        const Term rest = pool.subtract(condition->operands[0], pool.scale(part.coefficient, part.atom));
        if (part.atom != selection.label || std::abs(part.coefficient) != 1 || selection.mentionsLabel(rest))
          continue;
        choice = node;
        isBelow = (part.coefficient == -1) != isNegated; // rest - label >= 0, or label + rest >= 0
        place = part.coefficient == -1 ? pool.add(rest, one) : pool.scale(-1, rest);
      }
    });
    if (!choice || !proved(pool.both(pool.lessEqual(zero, place), pool.lessEqual(place, selection.size))))
      return {};
    auto side = [&](unsigned operand) {
      return pool.rebuild(selection.filter, [&](Term node) { return node == choice ? choice->operands[operand] : Term(); });
    };
    const Term below = residues({side(isBelow ? 1 : 2), selection.label, place});
    const Term others = at(side(isBelow ? 2 : 1), selection.label, pool.add(selection.label, place));
    const Term above = below && denominator == 1 ? residues({others, selection.label, pool.subtract(selection.size, place)}) : Term();
    if (above && denominator == 1)
      return pool.add(below, above);
    denominator = 1; // a fraction of one side is no fraction of both
    return {};
  }

  Execution &execution;
  TermPool &pool;
  const Term guard;
  const llvm::SMRange range;
  const Term zero = pool.integer(0), one = pool.integer(1);
};

/// The number of slots of an axis is the result divided by `denominator`, which this multiplies. Null if there is no formula.
Term Execution::countOf(const Axis &axis, Term guard, llvm::SMRange range, std::int64_t &denominator) {
  SlotCount count(*this, guard, range);
  const Term result = count.of(axis);
  if (result)
    denominator = exactProduct(denominator, count.denominator);
  return result;
}

} // namespace quadrille::compiler::prove
