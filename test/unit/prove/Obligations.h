//===- Obligations.h - Obligations of schedules, written by hand -----------------------------------------------------------===//
//
// The essential steps of proofs by induction over rounds, as obligations for the solver: w and u are powers of two, p is the
// number of ranks, i a rank, l a slot, s a round. With `broken` != 0 each obligation is false.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TEST_PROVE_OBLIGATIONS_H
#define QUADRILLE_TEST_PROVE_OBLIGATIONS_H

#include "prove/solver/Solver.h"

namespace quadrille::compiler::prove {

/// Terms with operators, for tests that read like formulas.
struct Expr {
  TermPool *pool;
  Term term;
  operator Term() const { return term; }
};

inline Expr lift(const Expr &like, std::int64_t value) { return {like.pool, like.pool->integer(value)}; }
inline Expr operator+(Expr a, Expr b) { return {a.pool, a.pool->add(a, b)}; }
inline Expr operator-(Expr a, Expr b) { return {a.pool, a.pool->subtract(a, b)}; }
inline Expr operator*(Expr a, Expr b) { return {a.pool, a.pool->multiply(a, b)}; }
inline Expr operator+(Expr a, std::int64_t b) { return a + lift(a, b); }
inline Expr operator-(Expr a, std::int64_t b) { return a - lift(a, b); }
inline Expr operator*(std::int64_t a, Expr b) { return lift(b, a) * b; }
inline Expr operator%(Expr a, Expr b) { return {a.pool, a.pool->modulo(a, b)}; }
inline Expr operator/(Expr a, Expr b) { return {a.pool, a.pool->quotient(a, b)}; }
inline Expr operator%(Expr a, std::int64_t b) { return a % lift(a, b); }
inline Expr operator/(Expr a, std::int64_t b) { return a / lift(a, b); }
inline Expr operator^(Expr a, Expr b) { return {a.pool, a.pool->bitXor(a, b)}; }
inline Expr operator<(Expr a, Expr b) { return {a.pool, a.pool->less(a, b)}; }
inline Expr operator<=(Expr a, Expr b) { return {a.pool, a.pool->lessEqual(a, b)}; }
inline Expr operator>=(Expr a, Expr b) { return b <= a; }
inline Expr operator>=(Expr a, std::int64_t b) { return a >= lift(a, b); }
inline Expr operator<=(Expr a, std::int64_t b) { return a <= lift(a, b); }
inline Expr operator==(Expr a, Expr b) { return {a.pool, a.pool->equal(a, b)}; }
inline Expr operator==(Expr a, std::int64_t b) { return a == lift(a, b); }
inline Expr operator&&(Expr a, Expr b) { return {a.pool, a.pool->both(a, b)}; }
inline Expr operator||(Expr a, Expr b) { return {a.pool, a.pool->either(a, b)}; }
inline Expr operator!(Expr a) { return {a.pool, a.pool->negate(a)}; }
inline Expr implies(Expr a, Expr b) { return {a.pool, a.pool->implies(a, b)}; }
inline Expr select(Expr c, Expr a, Expr b) { return {a.pool, a.pool->select(c, a, b)}; }
inline Expr minimum(Expr a, Expr b) { return {a.pool, a.pool->minimum(a, b)}; }
inline Expr bit(Expr a, Expr w) { return {a.pool, a.pool->bit(a, w)}; }
inline Expr power2(Expr a) { return {a.pool, a.pool->power2(a)}; }
inline Expr isPower2(Expr a) { return {a.pool, a.pool->isPower2(a)}; }
inline Expr ceilLog2(Expr a) { return {a.pool, a.pool->ceilLog2(a)}; }
inline Expr floorLog2(Expr a) { return {a.pool, a.pool->floorLog2(a)}; }
inline Expr aligned(Expr a, Expr w) { return a - a % w; }
inline Expr within(Expr a, Expr size) { return {a.pool, a.pool->inRange(a.pool->integer(0), a, size)}; }

struct Obligations {
  TermPool &pool;

  Expr var(llvm::StringRef name) { return {&pool, pool.variable(name)}; }
  Expr power(llvm::StringRef name) { return {&pool, pool.variable(name, true)}; }
  Expr number(std::int64_t value) { return {&pool, pool.integer(value)}; }

  Expr p = var("p"), i = var("i"), l = var("l"), s = var("s"), w = power("w");

  /// All-gather on a ring: after s rounds rank i has its block and those of the s ranks below it.
  Question ringStep(std::int64_t broken) {
    auto has = [&](Expr rounds, Expr rank, Expr slot) { return (rank - slot) % p <= rounds; };
    Expr from = (i - 1) % p, sent = (from - s + broken) % p, received = (i - s - 1) % p;
    Expr now = (l == received && has(s, from, sent)) || (!(l == received) && has(s, i, l));
    return {"ring, step",
            {p >= 2, s >= 0, s <= p - 2, within(i, p), within(l, p)},
            ((now == has(s + 1, i, l)) && implies(l == received, sent == l)).term};
  }

  /// All-reduce on a hypercube: rank i has the product of its subcube of w ranks, in order.
  Question hypercubeStep(std::int64_t broken) {
    Expr partner = i ^ w, first = aligned(i, w), second = aligned(partner, w);
    Expr lower = partner < i + broken;
    Expr low = select(lower, second, first), high = select(lower, first, second) + w;
    Expr adjacent = select(lower, second + w == first, first + w == second);
    return {"hypercube, step",
            {isPower2(p), w <= p - 1, within(i, p)},
            (adjacent && low == aligned(i, 2 * w) && high == aligned(i, 2 * w) + 2 * w && within(partner, p)).term};
  }

  /// The same with 1 << d instead of w, where d counts to log2(p).
  Question hypercubeCountedStep(std::int64_t broken) {
    Expr d = var("d"), v = power2(d), next = power2(d + 1);
    Expr partner = i ^ v, lower = partner < i + broken;
    Expr low = select(lower, aligned(partner, v), aligned(i, v));
    return {"hypercube, counted, step",
            {isPower2(p), d >= 0, d <= floorLog2(p) - 1, within(i, p)},
            (low == aligned(i, next) && within(partner, p)).term};
  }

  /// After all rounds of the counted loop the subcube is the set of all ranks.
  Question hypercubeEnd(std::int64_t broken) {
    Expr d = var("d");
    return {"hypercube, end",
            {isPower2(p), d >= 0, d == floorLog2(p) - broken, within(i, p)},
            (aligned(i, power2(d)) == 0 && power2(d) == p).term};
  }

  /// All-gather by Bruck: slot l holds the block of rank i + l, of w slots.
  Question bruckStep(std::int64_t broken) {
    Expr blocks = minimum(w, p - w), from = (i + w + broken) % p, x = l - w;
    Expr received = x >= 0 && x <= blocks - 1;
    Expr content = select(received, (from + x) % p, (i + l) % p), has = received || l <= w - 1;
    return {"bruck, step", {w <= p - 1, within(i, p), within(l, p)}, ((has == (l <= 2 * w - 1)) && implies(has, content == (i + l) % p)).term};
  }

  /// All-to-all by Bruck: slot l of rank i holds the block of rank i - l mod w for the rank l further on.
  Question bruckExchangeStep(std::int64_t broken) {
    auto source = [&](Expr rank, Expr grain) { return (rank - l % grain) % p; };
    Expr from = (i - w + broken) % p;
    return {"bruck exchange, step",
            {w <= p - 1, within(i, p), within(l, p)},
            (select(bit(l, w), source(from, w), source(i, w)) == source(i, 2 * w)).term};
  }

  /// Barrier by dissemination: rank i has heard of the w ranks below it.
  Question disseminationStep(std::int64_t broken) {
    auto heard = [&](Expr grain, Expr rank) { return (rank - l) % p <= grain - 1; };
    return {"dissemination, step",
            {w <= p - 1, within(i, p), within(l, p)},
            ((heard(w, i) || heard(w, (i - w + broken) % p)) == heard(2 * w, i)).term};
  }

  /// Broadcast in a binomial tree, where distances halve: ranks that are multiples of u have the message.
  Question halvingStep(std::int64_t broken) {
    Expr u = power("u"), half = u / 2, r = i % u;
    Expr receives = r == half + broken;
    Expr has = (receives && (i - half) % u == 0) || (!receives && r == 0);
    return {"halving, step", {u >= 2, within(i, p)}, (has == (i % half == 0)).term};
  }

  /// The pairs in that tree, with distance 1 << d and d counting down, for any p.
  Question halvingPairs(std::int64_t broken) {
    Expr d = var("d"), v = power2(d), to = i + v;
    return {"halving, pairs",
            {d >= 0, d <= ceilLog2(p) - 1, within(i, p), i % (2 * v) == 0, i + v <= p - 1 + broken},
            (within(to, p) && to % (2 * v) == v && !(to == i)).term};
  }

  /// Gather in a binomial tree, for any p: rank i has the slots i ..< i + w if it is a multiple of w.
  Question gatherStep(std::int64_t broken) {
    auto has = [&](Expr grain, Expr rank) { return rank % grain == 0 && rank <= l && l <= rank + grain - 1; };
    Expr receives = i % (2 * w) == 0 && i + w <= p - 1;
    Expr received = receives && i + w <= l && l <= minimum(i + 2 * w, p) - 1 - broken;
    Expr now = (received && has(w, i + w)) || (!received && has(w, i));
    return {"gather, step", {w <= p - 1, within(i, p), within(l, p)}, implies(has(2 * w, i), now).term};
  }

  /// All-gather on a mesh of rows of b ranks, along a column: after s rounds the s rows below have arrived.
  Question meshRange(std::int64_t broken) {
    Expr b = var("b"), row = aligned(i, b), first = (row - s * b) % p;
    return {"mesh, range",
            {b >= 1, p >= 1, p % b == 0, s >= 0, s <= p / b - 2, within(i, p)},
            (first >= 0 && first + b <= p - broken && first % b == 0).term};
  }

  /// On this mesh, the row that is sent is the one that the receiver expects.
  Question meshPairs(std::int64_t broken) {
    Expr b = var("b"), from = (i - b) % p;
    return {"mesh, pairs",
            {b >= 1, p >= 1, p % b == 0, s >= 0, s <= p / b - 2, within(i, p)},
            ((aligned(from, b) - s * b) % p == (aligned(i, b) - (s + 1) * b + broken) % p).term};
  }

  /// Reduce-scatter on a ring: slot l of rank i has the product of the cyclic range of ranks that ends at i.
  Question ringReduceStep(std::int64_t broken) {
    auto length = [&](Expr rounds, Expr rank, Expr slot) {
      Expr distance = ((rank - 2) % p - slot) % p;
      return select(distance <= rounds - 1, distance + 2, number(1));
    };
    auto first = [&](Expr rounds, Expr rank, Expr slot) { return (rank - length(rounds, rank, slot) + 1) % p; };
    Expr from = (i - 1) % p, sent = (from - 1 - s) % p, received = ((i - 2) % p - s - broken) % p;
    Expr other = length(s, from, sent), mine = length(s, i, l), start = first(s, from, sent);
    Expr arrives = l == received;
    return {"ring reduction, step",
            {p >= 2, s >= 0, s <= p - 2, within(i, p), within(l, p)},
            (implies(arrives, (start + other) % p == first(s, i, l) && other + mine <= p) &&
             select(arrives, other + mine, mine) == length(s + 1, i, l) &&
             select(arrives, start, first(s, i, l)) == first(s + 1, i, l))
                .term};
  }

  /// All-to-all by factors of the complete graph (p even or odd): which slots have been exchanged after s rounds.
  Question factorStep(std::int64_t broken) {
    Expr even = p % 2 == 0, q = p - select(even, number(1), number(0)), last = p - 1;
    auto partner = [&](Expr rank) {
      Expr j = ((2 * s + broken) % q - rank) % q;
      return select(even, select(rank == last, s, select(j == rank, last, j)), j);
    };
    auto round = [&](Expr a, Expr b) {
      Expr x = (a + b) % q, half = select(x % 2 == 0, x / 2, (x + q) / 2);
      return select(even, select(a == last, b, select(b == last, a, half)), half);
    };
    auto done = [&](Expr rounds, Expr slot) { return slot == i || round(i, slot) <= rounds - 1; };
    Expr j = partner(i), arrives = !(j == i) && l == j;
    return {"factors, step",
            {p >= 2, s >= 0, s <= q - 1, within(i, p), within(l, p)},
            (implies(arrives, !done(s, l)) && (arrives || done(s, l)) == done(s + 1, l) && partner(j) == i).term};
  }

  /// All-to-all on a hypercube: half of the slots change places along one dimension.
  Question hypercubeExchangeStep(std::int64_t broken) {
    auto source = [&](Expr rank, Expr slot, Expr grain) { return aligned(rank, grain) + slot % grain; };
    auto target = [&](Expr rank, Expr slot, Expr grain) { return aligned(slot, grain) + rank % grain; };
    Expr j = i ^ w, k = l ^ w, arrives = !(bit(l, w) == bit(i, w));
    Expr from = select(arrives, source(j, k + broken, w), source(i, l, w)), to = select(arrives, target(j, k, w), target(i, l, w));
    return {"hypercube exchange, step",
            {isPower2(p), w <= p - 1, within(i, p), within(l, p)},
            (within(j, p) && within(k, p) && from == source(i, l, 2 * w) && to == target(i, l, 2 * w)).term};
  }

  /// All-gather in the rows of a mesh: after s rounds rank i has the blocks of the ranks of its row that are up to s below.
  Question meshRowStep(std::int64_t broken) {
    Expr b = var("b"), row = aligned(i, b), from = row + (i - 1) % b, received = row + (i - s - 1 + broken) % b;
    auto has = [&](Expr rounds, Expr rank) { return aligned(rank, b) == aligned(l, b) && (rank - l) % b <= rounds; };
    Expr now = (l == received && has(s, from)) || (!(l == received) && has(s, i));
    return {"mesh row, step",
            {b >= 1, p >= 1, p % b == 0, s >= 0, s <= b - 2, within(i, p), within(l, p)},
            (now == has(s + 1, i)).term};
  }

  /// All-gather of whole rows along the columns: the sender has the blocks that it sends, and in the end all have arrived.
  Expr meshHas(Expr b, Expr rounds, Expr rank) { return (aligned(rank, b) - aligned(l, b)) % p <= rounds * b; }
  Question meshStep(std::int64_t broken) {
    Expr b = var("b"), from = (i - b) % p, first = (aligned(i, b) - (s + 1) * b) % p;
    Expr arrives = first <= l && l <= first + b - 1 + broken;
    return {"mesh, step",
            {b >= 1, p >= 1, p % b == 0, s >= 0, s <= p / b - 2, within(i, p), within(l, p)},
            (implies(arrives, meshHas(b, s, from)) && (arrives || meshHas(b, s, i)) == meshHas(b, s + 1, i)).term};
  }
  Question meshEnd(std::int64_t broken) {
    Expr b = var("b");
    return {"mesh, end",
            {b >= 1, p >= 1, p % b == 0, s >= 0, s == p / b - 1 - broken, within(i, p), within(l, p)},
            meshHas(b, s, i).term};
  }

  /// All-gather on a hypercube: rank i has the slots of its subcube.
  Question hypercubeGatherStep(std::int64_t broken) {
    Expr d = var("d"), v = power2(d), next = power2(d + 1), partner = i ^ v;
    auto has = [&](Expr grain, Expr rank) { return aligned(l, grain) == aligned(rank, grain); };
    Expr arrives = aligned(partner, v) <= l && l <= aligned(partner, v) + v - 1 - broken;
    return {"hypercube gather, step",
            {isPower2(p), d >= 0, d <= floorLog2(p) - 1, within(i, p), within(l, p)},
            (implies(arrives, has(v, partner)) && (arrives || has(v, i)) == has(next, i)).term};
  }

  /// Reduce-scatter on a hypercube: of the slots that agree with rank i in the bits below w, it keeps those that agree in bit w.
  Question hypercubeScatterStep(std::int64_t broken) {
    Expr partner = i ^ w, kept = l % (2 * w) == (i + broken) % (2 * w);
    Expr below = partner < i;
    Expr low = select(below, aligned(partner, w), aligned(i, w)), high = select(below, aligned(i, w), aligned(partner, w));
    return {"hypercube scatter, step",
            {isPower2(p), w <= p - 1, within(i, p), within(l, p)},
            implies(kept, l % w == i % w && l % w == partner % w && low + w == high && low == aligned(i, 2 * w)).term};
  }

  /// Two ranks meet in only one round if partners are i xor s.
  Question exclusivePairs(std::int64_t broken) {
    Expr t = var("t"), partner = i ^ s;
    return {"exclusive pairs",
            {isPower2(p), t >= 1, t <= s - 1 + broken, s <= p - 1, within(i, p)},
            (within(partner, p) && !(partner == i) && (partner ^ s) == i && !(partner == (i ^ t))).term};
  }

  /// Ranks are folded to a power of two by pairing neighbours: partners are other ranks, and rank() inverts the numbering.
  Question foldedPairs(std::int64_t broken) {
    Expr size = power2(floorLog2(p)), rest = p - size + broken, number = select(i <= 2 * rest - 1, i / 2, i - rest);
    auto rank = [&](Expr n) { return select(n <= rest - 1, 2 * n, n + rest); };
    Expr partner = rank(number ^ w);
    return {"folded pairs",
            {p >= 1, within(i, p), w <= size - 1, i % 2 == 0 || i >= 2 * rest},
            (within(partner, p) && !(partner == i) && rank(number) == i).term};
  }

  /// All-gather on a circulant graph: a step makes a slots from the first b = ceil(a / 2).
  Question circulantStep(std::int64_t broken) {
    Expr a = var("a"), b = (a + 1) / 2, from = (i + b + broken) % p, x = l - b;
    Expr arrives = x >= 0 && x <= a - b - 1;
    return {"circulant, step",
            {a >= 2, a <= p, within(i, p), within(l, p)},
            ((arrives || l <= b - 1) == (l <= a - 1) && implies(arrives, (from + x) % p == (i + l) % p)).term};
  }

  /// After d = ceil_log2(p) rounds 1 << d is at least p, so l mod (1 << d) is l.
  Question countedEnd(std::int64_t broken) {
    Expr d = var("d");
    return {"counted, end",
            {d == ceilLog2(p) - broken, d >= 0, p >= 1, within(l, p), within(i, p)},
            ((i - l % power2(d)) % p == (i - l) % p).term};
  }

  /// Powers of two with different exponents differ by a factor of at least two.
  Question powersApart(std::int64_t broken) {
    Expr d = var("d"), e = var("e");
    return {"powers apart", {d >= 0, e >= d + 1 - broken}, (2 * power2(d) <= power2(e)).term};
  }

  std::vector<Question> all(std::int64_t broken) {
    return {ringStep(broken),
            hypercubeStep(2 * broken),
            hypercubeCountedStep(2 * broken),
            hypercubeEnd(broken),
            bruckStep(broken),
            bruckExchangeStep(broken),
            disseminationStep(broken),
            halvingStep(broken),
            halvingPairs(broken),
            gatherStep(broken),
            meshRange(broken),
            meshPairs(broken),
            meshRowStep(broken),
            meshStep(broken),
            meshEnd(broken),
            ringReduceStep(broken),
            factorStep(broken),
            hypercubeExchangeStep(broken),
            hypercubeGatherStep(broken),
            hypercubeScatterStep(broken),
            exclusivePairs(broken),
            foldedPairs(broken),
            circulantStep(broken),
            countedEnd(broken),
            powersApart(broken)};
  }
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_TEST_PROVE_OBLIGATIONS_H
