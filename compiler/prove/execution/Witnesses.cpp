//===- Witnesses.cpp - Ranks that may have the longest message ------------------------------------------------------------===//
//
// The guard of a send tells which ranks send in a round. Candidates are derived from the structure of the guard; that a candidate
// sends, and that no rank sends a longer message, is proved elsewhere (costs/CostOfRounds).
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Execution.h"

#include "limits/Limits.h"
#include "prove/definitions/FormulaFit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>

namespace quadrille::compiler::prove {

/// Candidates: the first and the last ranks, ranks at which an index of the message is 0, and ranks from the guard.
llvm::SmallVector<Term, 8> Execution::witnesses(const Transfer &send) {
  const Term zero = pool.integer(0), one = pool.integer(1);
  llvm::SmallVector<Term, 8> result{zero, pool.subtract(names.p, one)};
  auto addZeroOf = [&](Term index) {
    Term inside = index->kind == TermKind::Modulo ? index->operands[0] : index;
    for (const Monomial &m : TermPool::monomialsOf(inside)) {
      if (m.atom != names.me || (m.coefficient != 1 && m.coefficient != -1))
        continue;
      Term rest = pool.subtract(inside, pool.scale(m.coefficient, m.atom));
      result.push_back(pool.modulo(pool.scale(-m.coefficient, rest), names.p));
    }
  };
  result.push_back(one);
  // Rank 0, or if it does not send, rank 1.
  result.push_back(pool.select(at(send.guard, zero), zero, one));
  if (send.slots) {
    for (const Axis *axis : {&send.slots->packet, &send.slots->block})
      if (axis->start)
        addZeroOf(axis->start);
    addZeroOf(packetOf(*send.slots));
  }
  // The first and the last rank for which the guard holds.
  Term most, least;
  forEachNode({send.guard}, [&](Term node) {
    if (node->kind != TermKind::AtLeastZero && node->kind != TermKind::IsZero)
      return;
    for (const Monomial &m : TermPool::monomialsOf(node->operands[0])) {
      if (m.atom != names.me || (m.coefficient != 1 && m.coefficient != -1))
        continue;
      Term bound = pool.scale(-m.coefficient, pool.subtract(node->operands[0], pool.scale(m.coefficient, m.atom)));
      result.push_back(bound);
      if (m.coefficient == 1)
        least = least ? pool.maximum(least, bound) : bound;
      else
        most = most ? pool.minimum(most, bound) : bound;
    }
  });
  for (Term variable : variablesOf({send.guard}))
    if (variable != names.me && variable != names.p && variable->kind == TermKind::Variable && result.size() < limits::witnessNumbers)
      result.push_back(variable);
  forEachNode({send.guard}, [&](Term node) {
    if (node->kind == TermKind::Power2 && result.size() < limits::witnessNumbers + 2)
      result.push_back(node);
  });
  // If the guard contains me div w: rank w, the first one with the value 1. If it contains me mod w: the first one after 0 with the value 0.
  for (TermKind kind : {TermKind::Quotient, TermKind::Modulo})
    forEachNode({send.guard}, [&](Term node) {
      if (node->kind == kind && node->operands[0] == names.me && result.size() < limits::witnessNumbers + 4 && !llvm::is_contained(result, node->operands[1]))
        result.push_back(node->operands[1]);
    });
  // If it asks for a residue, as (me + 1) mod w == s does: the first rank that has it. So with a row, as me div w == s.
  forEachNode({send.guard}, [&](Term node) {
    if (node->kind != TermKind::IsZero)
      return;
    const Term compared = node->operands[0];
    for (const Monomial &part : TermPool::monomialsOf(compared)) {
      if ((part.atom->kind != TermKind::Modulo && part.atom->kind != TermKind::Quotient) || std::abs(part.coefficient) != 1)
        continue;
      const Term by = part.atom->operands[1], before = pool.subtract(part.atom->operands[0], names.me);
      const Term number = pool.subtract(part.atom, pool.scale(part.coefficient, compared));
      const Term rank = pool.subtract(part.atom->kind == TermKind::Modulo ? number : pool.multiply(number, by), before);
      for (Term candidate : {rank, pool.add(rank, by)})
        if (!llvm::is_contained(variablesOf({candidate}), names.me) && !llvm::is_contained(result, candidate))
          result.push_back(candidate);
    }
  });
  addWitnesses(send.guard, result);
  if (least) {
    result.push_back(least);
    result.push_back(pool.maximum(zero, least));
  }
  if (most)
    result.push_back(most);
  for (const Transfer &receive : receives) // who sends to the first ranks
    if (!receive.index)
      for (Term rank : {zero, one})
        result.push_back(at(receive.peer, rank));
  addCountedFrom(send, result);
  // A rank that depends on the generic one is of use only if all messages are as long.
  std::stable_partition(result.begin(), result.end(), [&](Term rank) { return !llvm::is_contained(variablesOf({rank}), names.me); });
  return result;
}

/// If the guard counts ranks from another one, as (me - root) mod p: adds the ranks that would be candidates if it counted from 0.
void Execution::addCountedFrom(const Transfer &send, llvm::SmallVectorImpl<Term> &result) {
  const std::vector<Term> origins = originsByHand(pool, {send.guard}, names.me, names.p);
  if (origins.empty())
    return;
  const Term from = origins[0], counted = pool.modulo(pool.subtract(names.me, from), names.p);
  Transfer other = send;
  other.slots.reset();
  other.guard = pool.rebuild(send.guard, [&](Term node) { return node == counted ? names.me : Term(); });
  for (Term rank : witnesses(other))
    result.push_back(pool.modulo(pool.add(rank, from), names.p));
}

/// Adds candidates from functions and conditional formulas of `me` in the guard.
void Execution::addWitnesses(Term guard, llvm::SmallVectorImpl<Term> &result) {
  const Term last = pool.subtract(names.p, pool.integer(1));
  auto add = [&](Term rank) {
    if (result.size() < limits::witnesses && !llvm::is_contained(result, rank))
      result.push_back(rank);
  };
  // Values of functions at the first and the last rank.
  forEachNode({guard}, [&](Term node) {
    if (node->kind == TermKind::Apply && llvm::is_contained(node->operands, names.me))
      for (Term end : {pool.integer(0), last})
        add(at(node, end));
  });
  // On a grid: rank 0, or if it does not send, the next rank along a dimension.
  forEachNode({guard}, [&](Term node) {
    if (node->kind == TermKind::Quotient && node->operands[0] == names.me && !TermPool::asInteger(node->operands[1]))
      add(pool.select(at(guard, pool.integer(0)), pool.integer(0), node->operands[1]));
  });
  // If the guard compares a place (if c then f(me) else g(me)): the rank at the first place that the guard admits.
  llvm::SetVector<Term> places;
  llvm::DenseMap<Term, Term> first;
  forEachNode({guard}, [&](Term node) {
    if (node->kind != TermKind::AtLeastZero)
      return;
    for (const Monomial &part : TermPool::monomialsOf(node->operands[0])) {
      if (part.atom->kind != TermKind::Select || part.coefficient != 1 ||
          !llvm::is_contained(variablesOf({part.atom}), names.me))
        continue;
      const Term bound = pool.subtract(part.atom, node->operands[0]);
      if (llvm::is_contained(variablesOf({bound}), names.me))
        continue;
      first[part.atom] = places.insert(part.atom) ? bound : pool.maximum(first[part.atom], bound);
    }
  });
  /// The rank for which a linear formula has this value; null if the formula is not linear in `me`.
  auto rankWith = [&](Term formula, Term value) -> Term {
    for (const Monomial &part : TermPool::monomialsOf(formula))
      if (part.atom == names.me && (part.coefficient == 1 || part.coefficient == -1)) {
        const Term rest = pool.subtract(formula, pool.scale(part.coefficient, part.atom));
        return llvm::is_contained(variablesOf({rest}), names.me) ? Term()
                                                                 : pool.scale(part.coefficient, pool.subtract(value, rest));
      }
    return {};
  };
  for (Term place : places) {
    const Term here = rankWith(place->operands[1], first[place]), there = rankWith(place->operands[2], first[place]);
    if (here && there)
      add(pool.select(at(place->operands[0], here), here, there));
  }
}

} // namespace quadrille::compiler::prove
