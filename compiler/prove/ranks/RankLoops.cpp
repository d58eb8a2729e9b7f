//===- RankLoops.cpp - Loops of ranks that go through different steps ---------------------------------------------------===//
//
// What slots hold at the head of a loop is derived from one iteration, which is followed on trial: each iteration writes a slot of its own,
// or a rank writes the slot in one of them, or all combine it with something. It is a guess, of which the caller requires that it
// holds before the loop and that the body keeps it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "RankExecution.h"

#include "prove/terms/Factors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <array>

namespace quadrille::compiler::prove {

void RankExecution::write(const Slots &slots, const Content &content, Term guard, llvm::SMRange range) {
  if (touches && !slots.storage->isMessage)
    for (bool ofBlock : {true, false}) {
      const Axis &axis = ofBlock ? slots.block : slots.packet;
      if (axis.kind == Axis::Single || (axis.kind == Axis::Position && !axis.modulus && !TermPool::asInteger(axis.start)))
        touches->push_back({slots.storage, ofBlock, axis.start, axis.kind == Axis::Single ? Term() : axis.count, guard});
    }
  Execution::write(slots, content, guard, range);
}

Term RankExecution::Growth::last(TermPool &pool) const {
  return loop.descending ? pool.add(head, pool.integer(1)) : pool.subtract(head, pool.integer(1));
}

Term RankExecution::Growth::iterations(TermPool &pool) const {
  return loop.descending ? pool.subtract(pool.subtract(loop.hi, pool.integer(1)), head) : pool.subtract(head, loop.lo);
}

namespace {
/// The iteration that writes the slot `symbol`, if iteration `variable` writes the slot `slot`, a formula in `variable`. `first`: the
/// first iteration. Null if there is no formula.
Term iterationOf(TermPool &pool, Term slot, Term variable, Term symbol, Term first) {
  const Term inside = slot->kind == TermKind::Modulo ? slot->operands[0] : slot;
  Term rest = inside;
  std::int64_t sign = 0;
  for (const Monomial &m : TermPool::monomialsOf(inside))
    if (m.atom == variable) {
      sign = m.coefficient;
      rest = pool.subtract(inside, pool.scale(sign, variable));
    }
  if ((sign != 1 && sign != -1) || llvm::is_contained(variablesOf({rest}), variable))
    return {};
  Term iteration = pool.scale(sign, pool.subtract(symbol, rest));
  if (slot->kind == TermKind::Modulo) // the only such iteration among `modulus` consecutive ones from `first` on
    iteration = pool.add(first, pool.modulo(pool.subtract(iteration, first), slot->operands[1]));
  return iteration;
}

/// How many slots the rows may have of which iteration `variable` writes `width` slots from `first` on: `width`, or what the iteration is
/// multiplied by.
llvm::SmallVector<Term, 4> widthsOf(Term first, Term width, Term variable) {
  llvm::SmallVector<Term, 4> result{width};
  for (const Monomial &part : TermPool::monomialsOf(first))
    if (part.atom->kind == TermKind::Product && llvm::is_contained(variablesOf({part.atom}), variable))
      for (Term factor : part.atom->operands)
        if (!llvm::is_contained(variablesOf({factor}), variable) && !llvm::is_contained(result, factor))
          result.push_back(factor);
  return result;
}
} // namespace

Term RankExecution::onlyIterationOf(Term condition, const RankLoop &loop, Term number, llvm::SMRange range) {
  if (!llvm::is_contained(variablesOf({condition}), number))
    return {};
  std::vector<Term> candidates = iterationsByEquations(condition, number);
  llvm::append_range(candidates, iterationsByParts(condition, number));
  bool hasPower = false;
  forEachNode({condition}, [&](Term node) { hasPower |= node->kind == TermKind::Power2; });
  if (hasPower)
    llvm::append_range(candidates, std::array{pool.floorLog2(names.me), defined.trailingZeros(names.me)});
  for (Term candidate : candidates)
    if (holds(pool.equal(number, candidate),
              pool.conjunction({condition, pool.inRange(loop.lo, number, loop.hi), pool.inRange(pool.integer(0), names.me, names.p)}), range))
      return candidate;
  return {};
}

/// What a slot holds at the head of a loop in which each iteration combines it with something. `isEmpty`: nothing is there before the first
/// iteration. Nothing if it is no such loop.
std::optional<Content> RankExecution::accumulated(const Content &atEntry, bool isEmpty, const Growth &growth) {
  const RankLoop &loop = growth.loop;
  const Term one = pool.integer(1);
  Content begun = atEntry;
  if (isEmpty) { // the first iteration puts something there
    TermPool::Substitution first;
    first[growth.number.get()] = loop.descending ? pool.subtract(loop.hi, one) : loop.lo;
    begun = substitute(growth.after(empty()), first);
  }
  const std::optional<Content> result = products == Products::Members ? membersAtHead(begun, growth) : intervalAtHead(begun, isEmpty, growth);
  return result && isEmpty ? select(pool.lessEqual(one, growth.iterations(pool)), *result, empty()) : result;
}

/// `accumulated` for a product over an interval of ranks that has grown in each iteration so far.
std::optional<Content> RankExecution::intervalAtHead(const Content &begun, bool isEmpty, const Growth &growth) {
  const RankLoop &loop = growth.loop;
  const Term one = pool.integer(1);
  const auto changes = [&](Term term) { return llvm::is_contained(variablesOf({term}), growth.number); };
  Content before = begun, result = begun;
  before.lo = pool.fresh("lo");
  before.length = pool.fresh("length");
  const auto mentionsBefore = [&](Term term) {
    const auto variables = variablesOf({term});
    return llvm::is_contained(variables, before.lo) || llvm::is_contained(variables, before.length);
  };
  const Content then = growth.after(before);
  const Term last = growth.last(pool), iterations = growth.iterations(pool);
  const Term done = isEmpty ? pool.subtract(iterations, one) : iterations; // of those that combine something with what is there
  const Term isIteration =
      pool.conjunction({growth.where, pool.inRange(loop.lo, growth.number, loop.hi), pool.inRange(pool.integer(0), names.me, names.p)});
  const auto isAlways = [&](Term choice) { return changes(choice) && holds(choice, isIteration, growth.range); };
  /// The value at the head of what is `from` before an iteration and `to` after it; null if there is no formula. It grows by the same in each
  /// iteration, or is what the last one has made it. `known`: what holds where `to` is a branch of choices.
  const std::function<Term(Term, Term, Term, std::vector<Term>)> atHead = [&](Term entry, Term from, Term to, std::vector<Term> known) -> Term {
    if (to->kind == TermKind::Select) {
      const Term choice = pool.rebuild(to->operands[0], [&](Term part) { return llvm::is_contained(known, part) ? pool.truth(true) : Term(); });
      if (mentionsBefore(choice) || pool.isTrue(choice) || isAlways(choice)) // whether the operand follows what is there: it does, or the invariant is not kept
        return atHead(entry, from, to->operands[1], std::move(known));
      const Term no = atHead(entry, from, to->operands[2], known);
      llvm::append_range(known, conjunctsOf(choice));
      const Term yes = atHead(entry, from, to->operands[1], std::move(known));
      return yes && no && !changes(choice) ? pool.select(choice, yes, no) : Term();
    }
    if (const Term difference = pool.subtract(to, from); !changes(difference) && !mentionsBefore(difference))
      return pool.add(entry, pool.multiply(difference, done));
    if (mentionsBefore(to))
      return {};
    TermPool::Substitution by;
    by[growth.number.get()] = last;
    return pool.select(pool.lessEqual(one, done), pool.substitute(to, by), entry);
  };
  result.length = atHead(begun.length, before.length, then.length, {});
  result.lo = atHead(begun.lo, before.lo, then.lo, {});
  return result.length && result.lo ? std::optional(result) : std::nullopt;
}

/// `accumulated` for a product over a set of ranks, to which each iteration adds those that are below a child of the rank (Forest.h). So a rank
/// is in it from the iteration on that serves the child on its way up.
std::optional<Content> RankExecution::membersAtHead(const Content &begun, const Growth &growth) {
  const RankLoop &loop = growth.loop;
  const auto changes = [&](Term term) { return llvm::is_contained(variablesOf({term}), growth.number); };
  Content before = begun, result = begun;
  before.member = pool.equal(pool.fresh("member"), pool.integer(0)); // an unknown condition
  const Term after = growth.after(before).member;
  const Term added = pool.rebuild(after, [&](Term part) { return part == before.member ? pool.truth(false) : Term(); });
  if (added == after) { // what was there does not matter
    TermPool::Substitution by;
    by[growth.number.get()] = growth.last(pool);
    result.member = pool.select(pool.lessEqual(pool.integer(1), growth.iterations(pool)), pool.substitute(added, by), begun.member);
    return result;
  }
  if (!changes(added))
    return pool.isFalse(added) ? std::optional(result) : std::nullopt;
  Term iteration;
  forEachNode({added}, [&](Term node) {
    if (!iteration && forest && forest->isBelow(node) && changes(node->operands[1]))
      iteration = onlyIterationOf(pool.both(added, pool.equal(node->operands[1], forest->before(names.me, node->operands[0]))), loop, growth.number, growth.range);
  });
  if (!iteration)
    return std::nullopt;
  TermPool::Substitution by;
  by[growth.number.get()] = iteration;
  const Term isOver = loop.descending ? pool.inRange(pool.add(growth.head, pool.integer(1)), iteration, loop.hi) : pool.inRange(loop.lo, iteration, growth.head);
  result.member = pool.either(begun.member, pool.both(isOver, pool.substitute(added, by)));
  return result;
}

/// Derives an invariant for a loop whose iterations write different slots. At the head a slot holds what it held before the loop
/// if the iterations that write it are still to come, else what these iterations make of it. That the body keeps the invariant is
/// required by the caller.
std::vector<Invariant> RankExecution::deriveInvariants(const ir::ForStmt &stmt, Frame &frame, Term guard,
                                                       const RankLoop &loop, llvm::ArrayRef<SymbolicBuffer *> written, Term head) {
  if (written.empty())
    return {{}};
  const Progress before = progress();
  const std::vector<Content> held = buffers.contents();
  const Term trial = pool.fresh(loop.variable->name);
  std::vector<Touch> noted;
  /// The contents after the body, given those before it; records its writes in `noted`.
  auto run = [&](const std::vector<Content> &contents) {
    noted.clear();
    const llvm::SaveAndRestore noting(touches, &noted);
    const llvm::SaveAndRestore trying(isTrial, true);
    for (auto [buffer, content] : llvm::zip_equal(buffers, contents))
      buffer->content = content;
    iterate(stmt, frame, guard, loop, trial);
    std::vector<Content> result = buffers.contents();
    result.resize(contents.size());
    takeBack(before);
    return result;
  };
  run(held);
  // The iterations that write a slot, earliest first: of a descending loop those with the largest numbers.
  struct Writer {
    SymbolicBuffer *storage;
    Term iteration;
    std::int64_t offset;
  };
  std::vector<Writer> writers;
  std::vector<std::pair<size_t, Content>> sums; // of the slots to which every iteration adds something, by number of the buffer
  for (SymbolicBuffer *storage : written) {
    bool any = false;
    for (const Touch &touch : noted) {
      if (touch.storage != storage)
        continue;
      const Term symbol = touch.ofBlock ? names.block : names.packet;
      Term iteration;
      if (!touch.width)
        iteration = iterationOf(pool, touch.slot, trial, symbol, loop.lo);
      else // rows of slots are told by their numbers; the last one may be shorter
        for (Term width : widthsOf(touch.slot, touch.width, trial))
          if (const Term row = iteration ? Term() : exactQuotient(pool, touch.slot, width))
            iteration = iterationOf(pool, row, trial, pool.quotient(symbol, width), loop.lo);
      if (!iteration)
        continue;
      any = true;
      if (llvm::none_of(writers, [&](const Writer &w) { return w.storage == storage && w.iteration == iteration; }))
        writers.push_back({storage, iteration, (loop.descending ? -1 : 1) * TermPool::constantOf(iteration)});
    }
    // A rank receives its slot in one of the iterations only, as on a binomial tree.
    for (const Touch &touch : noted) {
      if (any)
        break;
      if (touch.storage == storage && !touch.width && !llvm::is_contained(variablesOf({touch.slot}), trial))
        if (const Term iteration = onlyIterationOf(touch.guard, loop, trial, stmt.keyword)) {
          any = true;
          writers.push_back({storage, iteration, 0});
        }
    }
    if (any)
      continue;
    const size_t which = static_cast<size_t>(llvm::find(buffers, storage) - buffers.begin());
    if (which == held.size())
      return {};
    const Term where = slotsWhere(*storage, guard);
    const bool isEmpty = holds(pool.negate(pool.either(held[which].valid, held[which].unknown)), where, stmt.keyword);
    const auto after = [&](const Content &before) {
      std::vector<Content> contents = held;
      contents[which] = before;
      return run(contents)[which];
    };
    std::optional<Content> sum = accumulated(held[which], isEmpty, {loop, trial, head, where, stmt.keyword, after});
    if (!sum)
      return {};
    sums.push_back({which, std::move(*sum)});
  }
  llvm::stable_sort(writers, [](const Writer &a, const Writer &b) { return a.offset < b.offset; });
  std::vector<Content> current = held, invariant = held;
  for (const auto &[which, sum] : sums) {
    TermPool::Substitution by;
    by[head.get()] = trial;
    invariant[which] = sum;
    current[which] = substitute(sum, by);
  }
  for (size_t i = 0; i < writers.size();) {
    const std::int64_t offset = writers[i].offset;
    const std::vector<Content> after = run(current);
    for (; i < writers.size() && writers[i].offset == offset; ++i) {
      const size_t which = static_cast<size_t>(llvm::find(buffers, writers[i].storage) - buffers.begin());
      if (which == buffers.size())
        continue;
      const Term iteration = writers[i].iteration;
      TermPool::Substitution by;
      by[trial.get()] = iteration;
      const Content done = substitute(after[which], by);
      const Term isOne = pool.inRange(loop.lo, iteration, loop.hi);
      const Term isOver = loop.descending ? pool.less(head, iteration) : pool.less(iteration, head);
      invariant[which] = select(pool.both(isOne, isOver), done, invariant[which]);
      current[which] = select(isOne, done, current[which]);
    }
  }
  Invariant result;
  for (SymbolicBuffer *storage : written) {
    const size_t which = static_cast<size_t>(llvm::find(buffers, storage) - buffers.begin());
    if (which == buffers.size())
      return {};
    result.push_back(invariant[which]);
  }
  return {result};
}

/// Candidates for an invariant of a loop that sends what it writes: at the head, every rank, or every one that is still to take part, holds what it
/// would send in the coming iteration. On a binomial tree ranks take part whose number is a multiple of the loop's power.
std::vector<Invariant> RankExecution::invariantsByContracts(const RankLoop &loop, Frame &frame, llvm::ArrayRef<SymbolicBuffer *> written, Term head) {
  std::vector<Term> values = iterations();
  values.push_back(head);
  Invariant sent;
  for (const SymbolicBuffer *storage : written) {
    const auto sends = [&](const RankOp &op) {
      return op.isSend() && op.loops.size() == values.size() && op.loops.back().place == loop.place && op.stmt->message &&
             ir::isWhole(*op.stmt->message) && frame.views[op.stmt->message->buffer->index].storage == storage;
    };
    const auto op = llvm::find_if(program.ops, sends);
    const size_t number = static_cast<size_t>(op - program.ops.begin());
    if (op == program.ops.end() || !contracts[number])
      return {};
    Content &content = sent.emplace_back(*contracts[number]);
    for (Term *part : content.parts())
      *part = program.at(*op, *part, names.me, values);
  }
  TermPool::Substitution by;
  by[loop.variable.get()] = head;
  std::vector<Invariant> result{sent};
  if (loop.first == loop.variable)
    return result;
  std::vector<Term> ranks{names.me};
  for (Term from : program.countedFrom())
    ranks.push_back(pool.modulo(pool.subtract(names.me, from), names.p));
  for (Term rank : ranks) {
    for (Content &content : sent)
      content.unknown = pool.notEqual(pool.modulo(rank, pool.substitute(loop.first, by)), pool.integer(0));
    result.push_back(sent);
  }
  return result;
}

/// Requires the invariants that the author states, which must follow from the derived contents at the head (`atHead`). No other
/// claim depends on them.
void RankExecution::requireStated(const ir::ForStmt &stmt, Frame &frame, Term guard,
                                  llvm::function_ref<Content(const SymbolicBuffer &)> atHead) {
  const size_t firstObligation = found.size();
  for (const ir::Invariant &stated : stmt.invariants)
    try {
      if (stated.holder) {
        doubtful.push_back({stated.range, diag::InvariantUnread{}});
        throw NotModelled{Gap::ProductAtDifferentTimes, stated.range};
      }
      if (!stated.buffer) // whom ranks have heard of is not followed
        throw NotModelled{Gap::HeardByRank, stated.range};
      const SymbolicBuffer &storage = *statedStorage(stated, frame);
      const Content wanted = statedContents(stated, frame, storage, guard).back();
      requireSame("the stated invariant of `" + storage.name + "` holds", stated.range, slotsWhere(storage, guard),
                  atHead(storage), wanted);
    } catch (const NotModelled &gap) {
      if (!unread)
        unread = gap;
    }
  for (Obligation &obligation : found.newest(firstObligation))
    obligation.isStatedOnly = obligation.claim != Claim::Defined; // its expressions must have values all the same
}

void RankExecution::loop(const ir::ForStmt &stmt, Frame &frame, Term guard) {
  const bool isOwn = frame.place.uses.empty() && !isTrial; // else stated invariants are not required here
  auto asItIs = [&](Term isThere) {
    if (isOwn)
      requireStated(stmt, frame, isThere, [](const SymbolicBuffer &storage) { return storage.content; });
  };
  if (overChildren(stmt, frame, guard, asItIs))
    return;
  packetsFixed = true;
  const RankLoop loop = enter(stmt, frame, guard);
  std::vector<SymbolicBuffer *> written;
  findWritten(stmt.body, frame, written);
  llvm::erase(written, heard);
  const Term one = pool.integer(1);
  // The head is the number of the next iteration; after the last one, what it would be in the next: the upper bound, or one less than
  // the lower bound of a descending loop. A loop without iterations has the same head before and after.
  const Term end = pool.maximum(loop.lo, loop.hi);
  const Term first = loop.descending ? pool.subtract(end, one) : loop.lo, exit = loop.descending ? pool.subtract(loop.lo, one) : end;
  const Term next = pool.add(loop.variable, loop.descending ? pool.integer(-1) : one);
  const Term head = pool.fresh(loop.variable->name);
  std::vector<Invariant> invariants = deriveInvariants(stmt, frame, guard, loop, written, head);
  auto headIs = [&](const Content &content, Term value) {
    TermPool::Substitution by;
    by[head.get()] = value;
    return substitute(content, by);
  };
  auto requireInvariant = [&](const Invariant &invariant, Term value, const char *when) {
    for (size_t i = 0; i < written.size(); ++i) {
      const SymbolicBuffer &storage = *written[i];
      const Term inside = pool.conjunction({guard, pool.inRange(pool.integer(0), names.block, storage.blocks),
                                            pool.inRange(pool.integer(0), names.packet, storage.packets)});
      requireSame("the invariant of `" + storage.name + "` " + when, stmt.keyword, inside, storage.content,
                  headIs(invariant[i], value));
    }
  };
  std::vector<Content> before;
  for (const SymbolicBuffer *storage : written)
    before.push_back(storage->content);
  const size_t outerBuffers = buffers.size();
  const auto followBody = [&](const Invariant &invariant) {
    const Trail<Term>::Scope inBody(facts);
    assume(pool.inRange(loop.lo, loop.variable, loop.hi));
    for (size_t i = 0; i < written.size(); ++i)
      written[i]->content = headIs(invariant[i], loop.variable);
    iterate(stmt, frame, guard, loop, loop.variable);
    requireInvariant(invariant, next, "is kept by the body of the loop");
  };
  if (invariants.empty())
    for (Invariant &candidate : invariantsByContracts(loop, frame, written, head)) {
      const Progress start = progress();
      {
        const llvm::SaveAndRestore trying(isTrial, true);
        requireInvariant(candidate, first, "holds before the loop");
        followBody(candidate);
      }
      const bool isKept = llvm::all_of(found.since(start.found.size()), [&](const Obligation &obligation) {
        return obligation.claim != Claim::Invariant || oracle.isProved(obligation);
      });
      takeBack(start);
      if (isKept) {
        invariants.push_back(std::move(candidate));
        break;
      }
    }
  if (invariants.empty())
    throw NotModelled{Gap::NoInvariant, stmt.keyword, oracle.boundOfSearch()};
  const Invariant &invariant = invariants[0];
  requireInvariant(invariant, first, "holds before the loop");
  if (isOwn) {
    const Trail<Term>::Scope atHead(facts);
    if (!stmt.invariants.empty() && (stmt.loop == ir::LoopKind::Half || stmt.loop == ir::LoopKind::HalvingsReversed))
      throw NotModelled{Gap::MultiplyingByRank, stmt.keyword}; // its formulas do not hold after the last iteration
    const auto [least, greatest] = loop.descending ? std::pair(exit, first) : std::pair(first, exit);
    assume(pool.both(pool.lessEqual(least, head), pool.lessEqual(head, greatest)));
    setVariables(stmt, frame, loop, head);
    requireStated(stmt, frame, guard, [&](const SymbolicBuffer &storage) {
      const auto at = llvm::find(written, &storage);
      return at == written.end() ? storage.content : invariant[static_cast<size_t>(at - written.begin())];
    });
  }
  followBody(invariant);
  buffers.forget(outerBuffers);
  for (size_t i = 0; i < written.size(); ++i)
    written[i]->content = select(guard, headIs(invariant[i], exit), before[i]);
}

} // namespace quadrille::compiler::prove
