//===- Loops.cpp - Loops: heads, facts, invariants ---------------------------------------------------------------------===//

#include "Execution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::prove {

// ---- what a loop does to its variables ---------------------------------------------------------------------------------

/// A power of two, as far as the term shows it; the number in front of it if it is a multiple.
static std::optional<std::int64_t> multipleOfPower(Term a) {
  if (auto value = TermPool::asInteger(a))
    return value;
  llvm::SmallVector<Monomial, 3> parts = TermPool::monomialsOf(a);
  if (parts.size() == 1 && TermPool::constantOf(a) == 0 &&
      (parts[0].atom->kind == TermKind::Power2 || (parts[0].atom->kind == TermKind::Variable && parts[0].atom->isPower)))
    return parts[0].coefficient;
  return std::nullopt;
}

/// Whether something is known here; nothing depends on it but how formulas look.
bool Execution::holds(Term goal, Term guard, llvm::SMRange range) {
  Obligation question{Claim::Defined, "bounds are in order", range, facts, goal};
  question.hypotheses.push_back(guard);
  complete(question);
  return oracle.isProved(question);
}

Execution::LoopModel Execution::modelOf(const ir::ForStmt &stmt, Frame &frame, Term guard) {
  const Term zero = pool.integer(0), one = pool.integer(1), two = pool.integer(2);
  const llvm::StringRef name = frame.schedule.variables[stmt.variable].name;
  auto bound = [&](const ir::Expr *expr, Term otherwise) { return expr ? termOf(*expr, frame, guard) : otherwise; };
  Term lo = bound(stmt.lo, zero), hi = bound(stmt.hi, zero), factor = bound(stmt.factor, one);
  LoopModel model;
  model.limit = hi;
  switch (stmt.loop) {
  case ir::LoopKind::Ascending: {
    auto by = TermPool::asInteger(factor);
    if (!by || *by < 1)
      throw NotModelled{"a loop whose step is no number", stmt.keyword};
    model.head = model.atBody = model.first = pool.fresh(name);
    model.entry = lo;
    model.next = pool.add(model.head, factor);
    model.facts = {pool.lessEqual(lo, model.head),
                   pool.either(pool.equal(model.head, lo), pool.less(model.head, pool.add(hi, factor)))};
    if (*by > 1)
      model.facts.push_back(pool.equal(pool.modulo(pool.subtract(model.head, lo), factor), zero));
    else
      model.exit = holds(pool.lessEqual(lo, hi), guard, stmt.keyword) ? hi : pool.maximum(lo, hi);
    model.inBody = {pool.less(model.head, hi)};
    model.atExit = {pool.lessEqual(hi, model.head)};
    return model;
  }
  case ir::LoopKind::Descending: {
    auto by = TermPool::asInteger(factor);
    if (!by || *by != 1)
      throw NotModelled{"a descending loop whose step is not 1", stmt.keyword};
    // The head is one more than the coming value: the number of iterations to go, if the last value is 0.
    model.head = pool.fresh(name);
    model.first = pool.fresh(name);
    model.atBody = pool.add(model.first, one);
    model.entry = pool.add(hi, one);
    if (!holds(pool.lessEqual(lo, model.entry), guard, stmt.keyword))
      model.entry = pool.maximum(model.entry, lo);
    model.next = model.first;
    model.facts = {pool.lessEqual(lo, model.head), pool.lessEqual(model.head, model.entry)};
    model.inBody = {pool.lessEqual(lo, model.first)};
    model.exit = lo;
    return model;
  }
  case ir::LoopKind::Times: {
    auto by = TermPool::asInteger(factor);
    auto first = multipleOfPower(lo);
    if (!by || *by < 2 || !first || *first < 1)
      throw NotModelled{"a loop that multiplies by what is no number", stmt.keyword};
    if (*by == 2 && TermPool::asInteger(lo)) {
      // w = first * 2 ** (number of iterations)
      std::int64_t odd = *first;
      while (odd % 2 == 0)
        odd /= 2;
      model.head = pool.fresh(name, odd == 1);
      if (odd != 1) {
        Term power = pool.fresh(name.str() + "'", true);
        model.facts.push_back(pool.equal(model.head, pool.scale(odd, power)));
      }
    } else {
      model.head = pool.fresh(name);
    }
    model.atBody = model.first = model.head;
    model.entry = lo;
    model.next = pool.multiply(factor, model.head);
    model.facts.push_back(pool.lessEqual(lo, model.head));
    model.facts.push_back(pool.either(pool.equal(model.head, lo), pool.less(model.head, pool.multiply(factor, hi))));
    model.inBody = {pool.less(model.head, hi)};
    model.atExit = {pool.lessEqual(hi, model.head)};
    return model;
  }
  case ir::LoopKind::Half: {
    if (TermPool::asInteger(lo) != 1)
      throw NotModelled{"a halving loop that does not end with 1", stmt.keyword};
    // Twice the coming value: a power of two if the first value is one.
    model.head = pool.fresh(name, true);
    model.first = pool.fresh(name, true);
    model.atBody = pool.multiply(two, model.first);
    model.entry = pool.select(pool.lessEqual(one, hi), pool.multiply(two, hi), one);
    require(Claim::Defined, "the first value of a halving loop is a power of two", stmt.keyword, guard,
            pool.isPower2(model.entry));
    model.next = model.first;
    model.facts = {pool.lessEqual(one, model.head), pool.lessEqual(model.head, model.entry)};
    model.inBody = {pool.lessEqual(one, model.first)};
    model.exit = one;
    return model;
  }
  case ir::LoopKind::Halvings:
    model.head = model.atBody = model.second = pool.fresh(frame.schedule.variables[stmt.second].name);
    model.entry = hi;
    model.first = pool.quotient(pool.add(model.head, one), two);
    model.next = model.first;
    model.facts = {pool.lessEqual(pool.minimum(one, hi), model.head), pool.lessEqual(model.head, hi)};
    model.inBody = {pool.less(one, model.head)};
    model.atExit = {pool.lessEqual(model.head, one)};
    return model;
  case ir::LoopKind::HalvingsReversed:
    // Only how a value follows the one before it is known: half < whole <= 2*half.
    model.head = model.atBody = model.first = pool.fresh(name);
    model.second = pool.fresh(frame.schedule.variables[stmt.second].name);
    model.entry = pool.minimum(one, hi);
    model.next = model.second;
    model.facts = {pool.lessEqual(model.entry, model.head), pool.lessEqual(model.head, hi)};
    model.inBody = {pool.less(model.head, hi), pool.less(model.head, model.second), pool.lessEqual(model.second, hi),
                    pool.inRange(pool.subtract(pool.multiply(two, model.head), one), model.second,
                                 pool.add(pool.multiply(two, model.head), one)),
                    pool.lessEqual(one, model.head)};
    model.exit = hi;
    return model;
  case ir::LoopKind::Others:
  case ir::LoopKind::Children:
    break;
  }
  throw NotModelled{"a loop over other ranks", stmt.keyword};
}

// ---- what it writes -------------------------------------------------------------------------------------------------------

static void findDeclared(const ir::Body &body, llvm::SmallPtrSetImpl<const ir::Buffer *> &declared) {
  for (const auto &stmt : body) {
    if (auto *declare = llvm::dyn_cast<ir::DeclareStmt>(stmt.get()))
      declared.insert(declare->buffer);
    else if (auto *step = llvm::dyn_cast<ir::StepStmt>(stmt.get()))
      declared.insert(step->messages.begin(), step->messages.end());
    else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(stmt.get()))
      findDeclared(branch->yes, declared), findDeclared(branch->no, declared);
    else if (auto *loop = llvm::dyn_cast<ir::ForStmt>(stmt.get()))
      findDeclared(loop->body, declared);
  }
}

static bool hasTransfers(const ir::Body &body) {
  return llvm::any_of(body, [](const std::unique_ptr<ir::Stmt> &stmt) {
    if (auto *branch = llvm::dyn_cast<ir::IfStmt>(stmt.get()))
      return hasTransfers(branch->yes) || hasTransfers(branch->no);
    if (auto *loop = llvm::dyn_cast<ir::ForStmt>(stmt.get()))
      return hasTransfers(loop->body);
    return llvm::isa<ir::StepStmt, ir::UseStmt>(stmt.get());
  });
}

void Execution::findWritten(const ir::Body &body, const Frame &frame, std::vector<Storage *> &written) {
  llvm::SmallPtrSet<const ir::Buffer *, 8> declared;
  findDeclared(body, declared);
  std::function<void(const ir::Body &)> walk = [&](const ir::Body &statements) {
    auto add = [&](const ir::Buffer &buffer) {
      Storage *storage = frame.views[buffer.index].storage;
      if (!declared.contains(&buffer) && storage && !llvm::is_contained(written, storage))
        written.push_back(storage);
    };
    for (const auto &stmt : statements) {
      if (auto *assign = llvm::dyn_cast<ir::AssignStmt>(stmt.get())) {
        add(*assign->target.buffer);
      } else if (auto *transfer = llvm::dyn_cast<ir::TransferStmt>(stmt.get())) {
        if (!transfer->isSend && transfer->message)
          add(*transfer->message->buffer);
      } else if (auto *step = llvm::dyn_cast<ir::StepStmt>(stmt.get())) {
        walk(step->body);
      } else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(stmt.get())) {
        walk(branch->yes);
        walk(branch->no);
      } else if (auto *loop = llvm::dyn_cast<ir::ForStmt>(stmt.get())) {
        walk(loop->body);
      } else if (auto *use = llvm::dyn_cast<ir::UseStmt>(stmt.get())) {
        for (const ir::Slice &slice : use->outputs)
          add(*slice.buffer);
      }
    }
  };
  walk(body);
  if (heard && hasTransfers(body))
    written.push_back(heard);
}

// ---- invariants -------------------------------------------------------------------------------------------------------------

/// Of two contents that are not empty.
Term Execution::sameProduct(const Content &had, const Content &wanted) {
  llvm::SmallVector<Term, 6> same{pool.equal(had.input, wanted.input), pool.equal(had.block, wanted.block),
                                  pool.equal(had.packet, wanted.packet)};
  switch (products) {
  case Products::Ordered:
    same.push_back(pool.equal(had.lo, wanted.lo));
    same.push_back(pool.equal(had.length, wanted.length));
    break;
  case Products::Cyclic:
    same.push_back(pool.equal(had.length, wanted.length));
    same.push_back(pool.either(pool.equal(had.lo, wanted.lo), pool.equal(wanted.length, names.p)));
    break;
  case Products::Members:
    same.push_back(pool.equal(had.member, wanted.member));
    break;
  }
  return pool.conjunction(same);
}

/// Whether something is there, and known, where it is to be.
Term Execution::sameFullness(const Content &had, const Content &wanted) {
  return pool.select(wanted.unknown, pool.implies(wanted.valid, had.valid),
                     pool.both(pool.negate(had.unknown), pool.equal(had.valid, wanted.valid)));
}

Term Execution::sameContent(const Content &had, const Content &wanted) {
  Term known = pool.conjunction({pool.negate(had.unknown), pool.equal(had.valid, wanted.valid),
                                 pool.implies(wanted.valid, sameProduct(had, wanted))});
  return pool.select(wanted.unknown, pool.implies(wanted.valid, had.valid), known);
}

/// `guard`, for a slot of the storage.
Term Execution::slotsWhere(const Storage &storage, Term guard) {
  const Term zero = pool.integer(0);
  return pool.conjunction({guard, pool.inRange(zero, names.block, storage.blocks),
                           pool.inRange(zero, names.packet, storage.packets)});
}

/// Whether a failure of such an obligation may be the fault of the invariant.
static bool dependsOnInvariant(Claim claim) {
  return claim == Claim::Invariant || claim == Claim::Initialization || claim == Claim::Result || claim == Claim::Operator;
}

bool Execution::tryInvariant(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                             const LoopHead &head, const Invariant &invariant, bool toTheEnd) {
  const size_t firstObligation = found.size(), firstFact = facts.size();
  std::vector<Content> otherwise; // where the loop does not run
  for (const Storage *storage : head.written)
    otherwise.push_back(storage->content);
  auto headIs = [&](const Content &content, Term value) {
    TermPool::Substitution by;
    by[model.head.get()] = value;
    return substitute(content, by);
  };
  llvm::MutableArrayRef<Location> here;
  if (moving)
    here = *moving;
  // What is known about locations at a head, and what they are one iteration later.
  auto knowLocations = [&](Term value) {
    TermPool::Substitution by;
    by[model.head.get()] = value;
    for (const Location &location : here) {
      locations.push_back(location);
      locations.back().bound = pool.substitute(location.bound, by);
      locations.back().guard = guard;
    }
  };
  using NewRank = llvm::function_ref<Term(const Location &, Term call)>;
  auto moved = [&](Content content, NewRank rank) {
    for (const Location &location : here)
      for (Term *part : content.parts())
        *part = located(*part, location, [&](Term call) { return rank(location, call); });
    return content;
  };
  // Of who has heard of whom, less may be known than is true: nothing is ever unheard. But an author who says that nobody
  // else has been heard of means it.
  const bool hearsNoMore = frame.place.uses.empty() && llvm::any_of(stmt.invariants, [](const ir::Invariant &stated) {
                             return !stated.buffer && stated.elseEmpty;
                           });
  auto requireInvariant = [&](Term value, const char *when, NewRank rank) {
    for (size_t i = 0; i < head.written.size(); ++i) {
      const Storage &storage = *head.written[i];
      const Content wanted = moved(headIs(invariant[i], value), rank);
      const std::string name = "the invariant of `" + storage.name + "` " + when;
      if (llvm::any_of(here, [&](const Location &location) { return location.storage == &storage; })) {
        // What is there, and that it is known, does not depend on where contributions are.
        const Term slots = slotsWhere(storage, guard);
        require(Claim::Invariant, name, stmt.keyword, slots, sameFullness(storage.content, wanted));
        require(Claim::Invariant, name, stmt.keyword, pool.conjunction({slots, pool.negate(wanted.unknown), wanted.valid}),
                sameProduct(storage.content, wanted));
        continue;
      }
      require(Claim::Invariant, name, stmt.keyword, slotsWhere(storage, guard),
              &storage == heard && !hearsNoMore ? pool.implies(wanted.valid, storage.content.valid)
                                                : sameContent(storage.content, wanted));
    }
    for (const Location &location : here) {
      TermPool::Substitution by;
      by[model.head.get()] = value;
      by[location.rank.get()] = rank(location, callOf(location));
      require(Claim::Invariant, std::string("the bound on where contributions are ") + when, stmt.keyword,
              pool.both(slotsWhere(*location.storage, guard), pool.inRange(pool.integer(0), names.member, names.p)),
              pool.substitute(location.bound, by));
    }
  };
  auto succeeded = [&] {
    bool all = true;
    for (size_t i = firstObligation; i < found.size() && all; ++i)
      if (dependsOnInvariant(found[i].claim))
        all = oracle.isProved(found[i]);
    return all;
  };
  requireInvariant(model.entry, "holds before the loop", [](const Location &location, Term) { return location.first; });
  if (!toTheEnd && !succeeded())
    return false;
  const size_t firstLocation = locations.size();
  knowLocations(model.atBody);
  for (size_t i = 0; i < head.written.size(); ++i)
    head.written[i]->content = headIs(invariant[i], model.atBody);
  TermPool::Substitution body;
  body[model.head.get()] = model.atBody;
  for (Term fact : model.facts)
    assume(pool.substitute(fact, body));
  for (Term fact : model.inBody)
    assume(fact);
  frame.values[stmt.variable] = {model.first, {}, {}};
  if (model.second)
    frame.values[stmt.second] = {model.second, {}, {}};
  heads.push_back(model.atBody);
  const Cost costBefore = cost;
  cost = noCost();
  execute(stmt.body, frame, guard);
  heads.pop_back();
  requireInvariant(model.next, "is kept by the body of the loop",
                   [&](const Location &location, Term call) { return rankAfter(location, call); });
  locations.resize(firstLocation);
  facts.resize(firstFact);
  const bool all = !toTheEnd && succeeded();
  addIterations(stmt, model, costBefore, guard);
  // After the loop.
  knowLocations(model.exit ? model.exit : model.head);
  for (size_t i = 0; i < head.written.size(); ++i)
    head.written[i]->content =
        select(guard, model.exit ? headIs(invariant[i], model.exit) : invariant[i], otherwise[i]);
  if (!model.exit) {
    for (Term fact : model.facts)
      assume(fact);
    for (Term fact : model.atExit)
      assume(fact);
  }
  return all;
}

void Execution::loop(const ir::ForStmt &stmt, Frame &frame, Term guard) {
  for (const ir::Expr *bound : {stmt.lo, stmt.hi, stmt.factor})
    if (bound && bound->dependsOnRank)
      throw NotModelled{"a loop whose bounds depend on the rank", stmt.keyword};
  LoopModel model = modelOf(stmt, frame, guard);
  model.trips = tripsOf(stmt, model);
  if (stmt.loop == ir::LoopKind::Times && model.trips)
    last[model.head.get()] = pool.multiply(model.entry, pool.power2(model.trips));
  else if (stmt.loop == ir::LoopKind::Halvings)
    last[model.head.get()] = pool.minimum(pool.integer(1), model.limit);
  packetsFixed = true;
  LoopHead head;
  head.place = frame.place;
  head.loop = &stmt;
  head.heads = heads;
  head.heads.push_back(model.head);
  head.shown = model.atBody;
  head.products = products;
  head.packets = packets;
  findWritten(stmt.body, frame, head.written);
  const llvm::SaveAndRestore<std::vector<Location> *> around(moving, nullptr); // by steps between those of this loop
  // What is said of the loop has to have a value whatever is tried.
  std::vector<Invariant> candidates;
  std::vector<Location> located;
  if (contentsMatter) {
    // The search takes long, and is for what the author does not say.
    auto isStated = [&](const Storage *storage) {
      return llvm::any_of(stmt.invariants,
                          [&](const ir::Invariant &stated) { return statedStorage(stated, frame) == storage; });
    };
    const bool saysAll = frame.place.uses.empty() && !head.written.empty() && llvm::all_of(head.written, isStated);
    if (!saysAll)
      candidates = oracle.invariants(head, names);
    if (!stmt.invariants.empty()) {
      located = statedLocations(stmt, frame, guard, model, head);
      std::vector<Invariant> stated = statedInvariants(stmt, frame, guard, model, head, candidates, located);
      if (stated.empty() && saysAll) // what it says has no formula
        stated = statedInvariants(stmt, frame, guard, model, head, candidates = oracle.invariants(head, names), located);
      if (frame.place.uses.empty())
        for (const ir::Invariant &invariant : stmt.invariants)
          if (const Storage *storage = statedStorage(invariant, frame);
              invariant.holder &&
              llvm::none_of(located, [&](const Location &location) { return location.storage == storage; }))
            unread = NotModelled{"a stated product over ranks that has no formula", invariant.range};
      // In a schedule that is used they may be about what its caller has put together in another way.
      if (!frame.place.uses.empty())
        llvm::append_range(stated, candidates);
      candidates = std::move(stated);
      requireStatedOfUnwritten(stmt, frame, guard, model, head);
    }
  }

  // What is to be taken back if an invariant fails.
  struct {
    std::vector<Content> contents;
    size_t obligations, facts, used, storages, locations;
    Cost cost;
  } before{{}, found.size(), facts.size(), used.size(), order.size(), locations.size(), cost};
  for (const Storage *storage : order)
    before.contents.push_back(storage->content);
  Content heardBefore = heard ? heard->content : Content{};
  auto restore = [&] {
    order.resize(before.storages);
    for (size_t i = 0; i < order.size(); ++i)
      order[i]->content = before.contents[i];
    if (heard)
      heard->content = heardBefore;
    found.resize(before.obligations);
    facts.resize(before.facts);
    used.resize(before.used);
    cost = before.cost;
    locations.resize(before.locations);
  };
  auto goOnWithout = [&] {
    Invariant unknown;
    for (const Storage *storage : head.written) {
      unknown.push_back(storage->content);
      unknown.back().unknown = pool.truth(storage != heard);
      unknown.back().valid = pool.truth(false);
    }
    tryInvariant(stmt, frame, guard, model, head, unknown, /*toTheEnd=*/true);
  };
  if (!contentsMatter)
    return goOnWithout();
  if (candidates.empty()) {
    if (frame.place.uses.empty())
      for (const ir::Invariant &stated : stmt.invariants)
        if (!unread && llvm::is_contained(head.written, statedStorage(stated, frame)))
          unread = NotModelled{"a stated invariant, as none was found for what else the loop writes", stated.range};
    if (tryPigeonhole(stmt, frame, guard, model, head))
      return;
    restore();
    if (tryLocations(stmt, frame, guard, model, head))
      return;
    restore();
    // What does not depend on what ranks hold can be shown all the same.
    if (!missing)
      missing = NotModelled{"no invariant was found for this loop", stmt.keyword};
    return goOnWithout();
  }
  auto tryOne = [&](const Invariant &candidate, bool toTheEnd) {
    for (Location &location : located)
      location.sent.clear();
    const llvm::SaveAndRestore own(moving, located.empty() ? nullptr : &located);
    used.push_back({head, candidate});
    return tryInvariant(stmt, frame, guard, model, head, candidate, toTheEnd);
  };
  for (const Invariant &candidate : candidates) {
    if (tryOne(candidate, /*toTheEnd=*/false))
      return;
    restore();
  }
  // What cannot be shown with the best of them is told, and what its body asks for without any of them.
  tryOne(candidates[0], /*toTheEnd=*/true);
}

} // namespace quadrille::prove
