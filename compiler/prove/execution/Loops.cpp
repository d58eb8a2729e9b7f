//===- Loops.cpp - Loops and their invariants --------------------------------------------------------------------------===//

#include "Execution.h"

#include "ir/Walk.h"
#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::prove {

/// The condition under which two contents, neither of them empty, are the same product.
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

/// The condition under which `had` is full and known where `wanted` is.
Term Execution::sameFullness(const Content &had, const Content &wanted) {
  return pool.select(wanted.unknown, pool.implies(wanted.valid, had.valid),
                     pool.both(pool.negate(had.unknown), pool.equal(had.valid, wanted.valid)));
}

Term Execution::sameContent(const Content &had, const Content &wanted) {
  Term known = pool.conjunction({pool.negate(had.unknown), pool.equal(had.valid, wanted.valid),
                                 pool.implies(wanted.valid, sameProduct(had, wanted))});
  return pool.select(wanted.unknown, pool.implies(wanted.valid, had.valid), known);
}

/// `guard`, and that the generic slot is a slot of the storage.
Term Execution::slotsWhere(const SymbolicBuffer &storage, Term guard) {
  const Term zero = pool.integer(0);
  return pool.conjunction({guard, pool.inRange(zero, names.block, storage.blocks),
                           pool.inRange(zero, names.packet, storage.packets)});
}

/// Whether an obligation of this claim may fail because the invariant is wrong.
static bool dependsOnInvariant(Claim claim) {
  return claim == Claim::Invariant || claim == Claim::Initialization || claim == Claim::Result || claim == Claim::Operator;
}

/// A loop, and where the execution stands before it.
struct Execution::LoopAt {
  Execution &execution;
  TermPool &pool;
  const ir::ForStmt &stmt;
  Frame &frame;
  const Term guard;
  const LoopModel &model;
  const LoopHead &head;
};

class Execution::LoopTrial : LoopAt {
public:
  LoopTrial(Execution &execution, const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
            const LoopHead &head, const Invariant &invariant)
      : LoopAt{execution, execution.pool, stmt, frame, guard, model, head}, invariant(invariant), firstObligation(execution.found.size()) {
    assert(invariant.size() == head.written.size() && "an invariant says what each storage holds that is written");
    assert(llvm::all_of(invariant, [](const Content &content) { return content.isWhole(); }));
    if (execution.moving)
      here = *execution.moving;
    // The invariant of `heard` may say less than holds, since ranks never forget whom they have heard of. But if the author says
    // that no other rank has been heard of, that is required too.
    hearsNoMore = frame.place.uses.empty() && llvm::any_of(stmt.invariants, [](const ir::Invariant &stated) {
                    return !stated.buffer && stated.elseEmpty;
                  });
  }

  /// Follows the loop with the invariant, and sets the state behind it. False if the invariant is not shown; then it may return
  /// early, unless `toTheEnd`.
  bool run(bool toTheEnd) {
    std::vector<Content> otherwise; // the contents if the loop is not executed
    for (const SymbolicBuffer *storage : head.written)
      otherwise.push_back(storage->content);
    requireAt(model.entry, "holds before the loop", [](const Location &location, Term) { return location.first; });
    if (!toTheEnd && !isShown())
      return false;
    execution.endWork(stmt.keyword);
    const SymbolicCost before = std::exchange(execution.cost, execution.noCost());
    const Work work = execution.enterLoopOfWork(stmt);
    execution.noteLoop(stmt, model, guard);
    followBody();
    execution.leaveLoopOfWork(work);
    const bool all = !toTheEnd && isShown();
    execution.addIterations(stmt, model, before, guard);
    goOn(otherwise);
    return all;
  }

  /// Guesses for a loop in which each iteration writes slots of its own, if its number can be told from the slot and the rank: the
  /// slots of iterations that are over hold what these wrote, if they read what was there before the loop.
  static std::vector<Invariant> ofOwnSlots(Execution &execution, const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                           const LoopHead &head) {
    TermPool &pool = execution.pool;
    const Term round = model.first;
    const bool descends = stmt.loop == ir::LoopKind::Descending; // by 1, from the entry less 1
    if ((!descends && (stmt.loop != ir::LoopKind::Ascending || model.next != pool.add(model.head, pool.integer(1)))) ||
        hasLoopsInSteps(stmt.body)) // an iteration writes as many slots as such a loop has iterations
      return {};
    Invariant atEntry;
    for (const SymbolicBuffer *storage : head.written)
      atEntry.push_back(storage->content);
    std::vector<Written> recorded;
    const Progress before = execution.progress();
    {
      const llvm::SaveAndRestore recording(execution.writes, &recorded);
      execution.tryInvariant(stmt, frame, guard, model, head, atEntry, /*toTheEnd=*/true);
    }
    execution.takeBack(before);
    llvm::erase_if(recorded, [&](const Written &write) { return !llvm::is_contained(head.written, write.storage); });
    if (recorded.empty() || recorded.size() > limits::writesOfIteration)
      return {};
    std::vector<Term> inBody = model.inBody;
    TermPool::Substitution toBody;
    toBody[model.head.get()] = model.atBody;
    for (Term fact : model.facts)
      inBody.push_back(pool.substitute(fact, toBody));
    Invariant invariant = atEntry;
    for (Written &write : recorded) {
      // An inner loop may have no iteration.
      if (write.loops != execution.heads.size() + 1)
        return {};
      const Term isWritten = pool.both(write.guard, execution.isAmong(write.slots));
      const Term inIteration = pool.both(pool.conjunction(inBody), execution.slotsWhere(*write.storage, isWritten));
      const Term iteration = execution.iterationWhere(isWritten, round, inIteration, stmt.keyword);
      if (!iteration)
        return {};
      // What is written may be known though not all that its sender has is.
      if (execution.holds(pool.negate(write.content.unknown), inIteration, stmt.keyword))
        write.content.unknown = pool.truth(false);
      TermPool::Substitution by;
      by[round.get()] = iteration;
      const Term isOver = descends ? pool.inRange(model.head, iteration, model.entry) : pool.inRange(model.entry, iteration, model.head);
      Content &content = invariant[static_cast<size_t>(llvm::find(head.written, write.storage) - head.written.begin())];
      content = execution.select(pool.conjunction({guard, isOver, pool.substitute(isWritten, by)}), execution.substitute(write.content, by), content);
    }
    return {invariant};
  }

private:
  using NewRank = llvm::function_ref<Term(const Location &, Term call)>;

  Content headIs(const Content &content, Term value) const {
    TermPool::Substitution by;
    by[model.head.get()] = value;
    return execution.substitute(content, by);
  }

  /// Adds what is known about locations when the head has this value.
  void knowLocations(Term value) {
    TermPool::Substitution by;
    by[model.head.get()] = value;
    for (Location location : here) {
      location.bound = pool.substitute(location.bound, by);
      location.guard = guard;
      execution.locations.push_back(std::move(location));
    }
  }

  Content moved(Content content, NewRank rank) {
    for (const Location &location : here)
      for (Term *part : content.parts())
        *part = execution.located(*part, location, [&](Term call) { return rank(location, call); });
    return content;
  }

  /// Requires the invariant for a value of the head. `rank` tells the ranks at which contributions are then.
  void requireAt(Term value, const std::string &when, NewRank rank) {
    auto require = [&](const std::string &name, Term where, Term goal) {
      execution.require(Claim::Invariant, name, stmt.keyword, where, goal);
    };
    for (auto [written, content] : llvm::zip(head.written, invariant)) {
      const SymbolicBuffer &storage = *written;
      const Content wanted = moved(headIs(content, value), rank);
      const std::string name = "the invariant of `" + storage.name + "` " + when;
      const Term slots = execution.slotsWhere(storage, guard);
      if (llvm::any_of(here, [&](const Location &location) { return location.storage == &storage; })) {
        // Fullness does not depend on where contributions are, so it is a separate, simpler obligation.
        require(name, slots, execution.sameFullness(storage.content, wanted));
        require(name, pool.conjunction({slots, pool.negate(wanted.unknown), wanted.valid}),
                execution.sameProduct(storage.content, wanted));
        continue;
      }
      require(name, slots, &storage == execution.heard && !hearsNoMore ? pool.implies(wanted.valid, storage.content.valid)
                                                                        : execution.sameContent(storage.content, wanted));
    }
    for (const Location &location : here) {
      const Term holder = rank(location, execution.callOf(location));
      TermPool::Substitution there, by;
      there[execution.names.me.get()] = holder;
      by[model.head.get()] = value;
      by[location.rank.get()] = holder;
      by[execution.names.block.get()] = pool.substitute(location.slot, there);
      require("the bound on where contributions are " + when,
              pool.both(execution.slotsWhere(*location.storage, guard),
                        pool.inRange(pool.integer(0), execution.names.member, execution.names.p)),
              pool.substitute(location.bound, by));
    }
  }

  bool isShown() {
    return llvm::all_of(execution.found.since(firstObligation), [&](const Obligation &obligation) {
      return !dependsOnInvariant(obligation.claim) || execution.oracle.isProved(obligation);
    });
  }

  /// Follows one iteration from an arbitrary head; facts about that head are removed afterwards.
  void followBody() {
    const Trail<Location>::Scope known(execution.locations);
    const Trail<Term>::Scope assumed(execution.facts);
    knowLocations(model.atBody);
    for (auto [storage, content] : llvm::zip(head.written, invariant))
      storage->content = headIs(content, model.atBody);
    TermPool::Substitution body;
    body[model.head.get()] = model.atBody;
    for (Term fact : model.facts)
      execution.assume(pool.substitute(fact, body));
    for (Term fact : model.inBody)
      execution.assume(fact);
    frame.values[stmt.variable] = {model.first, {}, {}};
    if (model.second)
      frame.values[stmt.second] = {model.second, {}, {}};
    execution.heads.push_back(model.atBody);
    execution.execute(stmt.body, frame, guard);
    execution.endWork(stmt.keyword);
    execution.noteEndOfLoop();
    execution.heads.pop_back();
    requireAt(model.next, "is kept by the body of the loop",
              [&](const Location &location, Term call) { return execution.rankAfter(location, call); });
  }

  /// Sets the state after the loop.
  void goOn(llvm::ArrayRef<Content> otherwise) {
    knowLocations(model.exit ? model.exit : model.head);
    for (size_t i = 0; i < head.written.size(); ++i)
      head.written[i]->content =
          execution.select(guard, model.exit ? headIs(invariant[i], model.exit) : invariant[i], otherwise[i]);
    if (model.exit)
      return;
    for (Term fact : model.facts)
      execution.assume(fact);
    for (Term fact : model.atExit)
      execution.assume(fact);
  }

  const Invariant &invariant;
  const size_t firstObligation;
  llvm::MutableArrayRef<Location> here; // the locations that this loop moves
  bool hearsNoMore = false;
};

bool Execution::tryInvariant(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                             const LoopHead &head, const Invariant &invariant, bool toTheEnd) {
  return LoopTrial(*this, stmt, frame, guard, model, head, invariant).run(toTheEnd);
}

/// The invariants to try, best first: those that the author states, completed by found ones for storages without a stated one.
std::vector<Invariant> Execution::candidatesFor(const ir::ForStmt &stmt, Frame &frame, Term guard, const LoopModel &model,
                                                const LoopHead &head, std::vector<Location> &located) {
  const bool isUsed = !frame.place.uses.empty();
  // The search for invariants takes long: skip it if the author states one for every written storage.
  const bool saysAll = !isUsed && !head.written.empty() && llvm::all_of(head.written, [&](const SymbolicBuffer *storage) {
    return llvm::any_of(stmt.invariants, [&](const ir::Invariant &stated) { return statedStorage(stated, frame) == storage; });
  });
  std::vector<Invariant> guessed;
  if (head.written.empty()) // there is nothing to say, also if no small case comes to the loop
    guessed.emplace_back();
  else if (!saysAll)
    guessed = oracle.invariants(head, names);
  if (stmt.invariants.empty())
    return guessed;
  const Progress before = progress();
  std::vector<Invariant> stated;
  try {
    located = statedLocations(stmt, frame, guard, model, head);
    stated = statedInvariants(stmt, frame, guard, model, head, guessed, located);
    if (stated.empty() && saysAll) // the stated invariant has no formula
      stated = statedInvariants(stmt, frame, guard, model, head, guessed = oracle.invariants(head, names), located);
    requireStatedOfUnwritten(stmt, frame, guard, model, head);
  } catch (const NotModelled &gap) { // a number in it has no formula
    takeBack(before);
    located.clear();
    if (!isUsed && !unread)
      unread = gap;
    return saysAll ? oracle.invariants(head, names) : guessed;
  }
  if (isUsed) // the caller may use the schedule with other contents than the invariants assume
    llvm::append_range(stated, guessed);
  else
    for (const ir::Invariant &invariant : stmt.invariants)
      if (const SymbolicBuffer *storage = statedStorage(invariant, frame);
          invariant.holder && llvm::is_contained(head.written, storage) &&
          llvm::none_of(located, [&](const Location &location) { return location.storage == storage; }))
        unread = NotModelled{Gap::ProductWithoutFormula, invariant.range};
  return stated;
}

/// The search for an invariant with which a loop is followed: what is stated, what is guessed, and what rules give, in this
/// order. Each attempt is taken back if it fails.
class Execution::LoopSearch : LoopAt {
public:
  explicit LoopSearch(const LoopAt &loop) : LoopAt(loop) {}

  /// Follows the loop with the first invariant that is shown. If none is, with the best one, so that its open obligations are
  /// reported, or with none.
  void run() {
    // Stated invariants must have values, whichever candidate is used: candidatesFor adds these obligations.
    if (execution.contentsMatter)
      candidates = execution.candidatesFor(stmt, frame, guard, model, head, located);
    allowUnknown();
    noteUnread();
    before = execution.progress();
    if (!execution.contentsMatter)
      return goOnWithout();
    if (candidates.empty()) {
      if (tryRules() || tryNeeded() || tryInPieces())
        return;
      // Claims that do not depend on contents can still be shown.
      if (!execution.missing)
        execution.missing = NotModelled{Gap::NoInvariant, stmt.keyword, execution.oracle.boundOfSearch()};
      return goOnWithout();
    }
    if (tryCandidates() || (stmt.invariants.empty() ? tryWithoutStated() : tryBesideStated()))
      return;
    tryOne(candidates[0], located, /*toTheEnd=*/true);
  }

private:
  /// What is empty in traces, where the schedule stands alone, may hold anything where it is used in groups.
  void allowUnknown() {
    if (!execution.alone || !execution.alone->allowsForUnknown())
      return;
    for (Invariant candidate : std::vector(candidates)) {
      for (Content &content : candidate)
        content.unknown = pool.either(content.unknown, pool.negate(content.valid));
      candidates.push_back(std::move(candidate));
    }
  }

  /// Notes that a stated invariant is not read.
  void noteUnread() {
    if (!execution.contentsMatter || !candidates.empty() || !frame.place.uses.empty())
      return;
    for (const ir::Invariant &stated : stmt.invariants)
      if (!execution.unread && llvm::is_contained(head.written, execution.statedStorage(stated, frame)))
        execution.unread = NotModelled{Gap::StatedAlone, stated.range};
  }

  /// Follows the loop without an invariant: what it writes is unknown.
  void goOnWithout() {
    Invariant unknown;
    for (const SymbolicBuffer *storage : head.written) {
      unknown.push_back(storage->content);
      unknown.back().unknown = pool.truth(storage != execution.heard);
      unknown.back().valid = pool.truth(false);
    }
    execution.tryInvariant(stmt, frame, guard, model, head, unknown, /*toTheEnd=*/true);
  }

  bool tryEach(llvm::ArrayRef<Invariant> invariants) {
    for (const Invariant &candidate : invariants) {
      execution.used.push_back({head, candidate});
      if (execution.tryInvariant(stmt, frame, guard, model, head, candidate))
        return true;
      execution.takeBack(*before);
    }
    return false;
  }

  /// What is tried without the traces of small cases.
  bool tryRules() {
    for (const auto rule : {&Execution::tryPigeonhole, &Execution::tryLocations}) {
      if ((execution.*rule)(stmt, frame, guard, model, head))
        return true;
      execution.takeBack(*before);
    }
    return tryEach(LoopTrial::ofOwnSlots(execution, stmt, frame, guard, model, head));
  }

  /// If sends do not meet receives, no invariant would help. A goal `false` says that contents are known: that takes one.
  bool isInVain() {
    goOnWithout();
    const bool result = llvm::any_of(execution.found.since(before->found.size()), [&](const Obligation &obligation) {
      return obligation.claim == Claim::Matching && !pool.isFalse(obligation.goal) && !execution.oracle.isProved(obligation);
    });
    execution.takeBack(*before);
    return result;
  }

  bool tryInPieces() {
    if (isInVain())
      return false;
    LoopHead longer = head;
    longer.inPieces = true;
    return tryEach(execution.oracle.invariants(longer, execution.names));
  }

  /// `moved`: the locations of which the candidate speaks.
  bool tryOne(const Invariant &candidate, std::vector<Location> &moved, bool toTheEnd) {
    for (Location &location : moved)
      location.sent.clear();
    const llvm::SaveAndRestore own(execution.moving, moved.empty() ? nullptr : &moved);
    execution.used.push_back({head, candidate});
    return execution.tryInvariant(stmt, frame, guard, model, head, candidate, toTheEnd);
  }

  bool tryEachWith(llvm::ArrayRef<Invariant> invariants, std::vector<Location> &moved) {
    for (const Invariant &candidate : invariants) {
      if (tryOne(candidate, moved, /*toTheEnd=*/false))
        return true;
      execution.takeBack(*before);
    }
    return false;
  }

  bool tryCandidates() { return tryEachWith(candidates, located); }

  /// Candidates may be wrong about slots that are not read any more: tries some that leave these out, then the rules.
  bool tryWithoutStated() {
    LoopHead less = head;
    less.ofLiveSlots = true;
    return tryEachWith(execution.oracle.invariants(less, execution.names), located) || tryRules() || tryNeeded() || tryInPieces();
  }

  /// What is read may be assigned to slots of which nothing is made.
  bool tryNeeded() {
    LoopHead less = head;
    less.ofNeededSlots = true;
    return tryEach(execution.oracle.invariants(less, execution.names));
  }

  /// If the stated invariant cannot be shown, another one may suffice for all claims that depend on one.
  bool tryBesideStated() {
    if (!frame.place.uses.empty())
      return false;
    const size_t firstObligation = execution.found.size();
    tryOne(candidates[0], located, /*toTheEnd=*/true);
    std::vector<Obligation> stated;
    llvm::copy_if(execution.found.since(firstObligation), std::back_inserter(stated),
                  [](const Obligation &obligation) { return obligation.claim == Claim::Invariant; });
    execution.takeBack(*before);
    std::vector<Location> none;
    if (!tryEachWith(execution.oracle.invariants(head, execution.names), none))
      return false;
    for (Obligation &obligation : stated) {
      obligation.isStatedOnly = true;
      execution.found.push_back(std::move(obligation));
    }
    return true;
  }

  std::vector<Location> located; // of the candidates
  std::vector<Invariant> candidates;
  std::optional<Progress> before; // the first attempt
};

/// Whether the loop is followed iteration by iteration: it has few of them, which its text tells, and no loop in them.
static bool isUnrolled(const ir::ForStmt &stmt) {
  const auto isNumber = [](const ir::Expr *bound) { return bound && bound->op == ir::Op::Constant; };
  std::int64_t iterations;
  return stmt.loop == ir::LoopKind::Ascending && !stmt.factor && stmt.invariants.empty() && isNumber(stmt.lo) && isNumber(stmt.hi) &&
         !llvm::SubOverflow(stmt.hi->value, stmt.lo->value, iterations) && iterations <= limits::unrolledIterations &&
         !ir::anyStatement(stmt.body, [](const ir::Stmt &inner) { return llvm::isa<ir::ForStmt, ir::UseStmt>(inner); });
}

void Execution::loop(const ir::ForStmt &stmt, Frame &frame, Term guard) {
  for (const ir::Expr *bound : {stmt.lo, stmt.hi, stmt.factor})
    if (bound && bound->dependsOnRank)
      throw NotModelled{Gap::LoopFromRank, stmt.keyword};
  if (isUnrolled(stmt)) {
    for (std::int64_t value = stmt.lo->value; value < stmt.hi->value; ++value) {
      frame.values[stmt.variable] = {pool.integer(value), {}, {}};
      execute(stmt.body, frame, guard);
    }
    return;
  }
  LoopModel model = modelOf(stmt, frame, guard);
  model.trips = tripsOf(stmt, model);
  if (stmt.loop == ir::LoopKind::Times && model.trips && !model.iterations)
    last[model.head.get()] = pool.multiply(model.entry, pool.power2(model.trips));
  else if (stmt.loop == ir::LoopKind::Halvings)
    last[model.head.get()] = pool.integer(1);
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
  const llvm::SaveAndRestore<std::vector<Location> *> around(moving, nullptr); // this loop moves only its own locations
  LoopSearch({*this, pool, stmt, frame, guard, model, head}).run();
}

} // namespace quadrille::compiler::prove
