//===- Locations.cpp - Where contributions are ------------------------------------------------------------------------===//
//
// A reduction may gather sets of ranks that no formula tells, as on circulant graphs. Then it is followed where the
// contribution of each rank to each block is: at first with the rank itself; a send of the block takes it along. The
// invariant only bounds the ranks that may have it. What a slot holds is by definition the contributions that are there,
// so no rank is ever twice in a product, and in the end the bound leaves one rank.
//
// A slot that was sent is given up: nothing is known about it any more. The bound says which slots are not.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Execution.h"

namespace quadrille::prove {

Term Execution::located(Term term, llvm::StringRef function, llvm::function_ref<Term(Term, Term)> rank) {
  return pool.rebuild(term, [&](Term node) -> Term {
    if (node->kind == TermKind::Apply && node->name == function)
      return rank(node->operands[0], node->operands[1]);
    return {};
  });
}

void Execution::addLocations(Obligation &obligation) {
  if (locations.empty())
    return;
  std::vector<Term> all = obligation.hypotheses, more;
  all.push_back(obligation.goal);
  forEachNode(all, [&](Term node) {
    for (const Location &known : locations)
      if (node->kind == TermKind::Apply && node->name == known.function) {
        TermPool::Substitution by;
        by[known.rank.get()] = node;
        by[names.block.get()] = node->operands[1];
        more.push_back(pool.both(pool.inRange(pool.integer(0), node, names.p), pool.substitute(known.bound, by)));
      }
  });
  obligation.hypotheses.insert(obligation.hypotheses.end(), more.begin(), more.end());
}

bool Execution::tryLocations(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                             const LoopHead &head) {
  const Term zero = pool.integer(0);
  if (products != Products::Members || head.written.size() != 1 || origin || !pool.isTrue(guard))
    return false;
  Storage &storage = *head.written[0];
  if (!storage.buffer || storage.blocks != names.p)
    return false;
  struct {
    std::vector<Content> contents;
    size_t obligations, facts, used, locations;
    Cost cost;
  } before{{}, found.size(), facts.size(), used.size(), locations.size(), cost};
  const Content content = storage.content;
  for (bool ahead : {true, false}) {
    Location tried;
    tried.function = "location" + std::to_string(locations.size());
    tried.rank = pool.variable("rank'");
    Term distance = ahead ? pool.subtract(names.block, tried.rank) : pool.subtract(tried.rank, names.block);
    tried.bound = pool.less(pool.modulo(distance, names.p), model.head);
    TermPool::Substitution by;
    by[tried.rank.get()] = names.me;
    Content invariant = content;
    invariant.valid = pool.substitute(tried.bound, by);
    invariant.unknown = pool.negate(invariant.valid);
    invariant.input = zero;
    invariant.block = names.block;
    invariant.packet = names.packet;
    invariant.member = pool.equal(pool.apply(tried.function, {names.member, names.block}), names.me);
    location = &tried;
    used.push_back({head, {invariant}});
    bool kept = false;
    try {
      kept = tryInvariant(stmt, frame, guard, model, head, {invariant});
    } catch (...) {
      location = nullptr;
      throw;
    }
    location = nullptr;
    if (kept)
      return true;
    storage.content = content;
    found.resize(before.obligations);
    facts.resize(before.facts);
    used.resize(before.used);
    locations.resize(before.locations);
    cost = before.cost;
  }
  return false;
}

} // namespace quadrille::prove
