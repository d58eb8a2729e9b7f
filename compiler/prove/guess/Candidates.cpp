//===- Candidates.cpp - Invariants to try -------------------------------------------------------------------------------===//

#include "Candidates.h"

#include "Infer.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

namespace quadrille::compiler::prove {

/// A schedule that is traced on small cases.
struct Candidates::Source {
  explicit Source(const ir::Schedule &schedule) : schedule(schedule) {}

  const ir::Schedule &schedule;
  std::optional<Trace> trace, longer; // of small cases; of somewhat larger ones, too
  bool failed = false; // a small case had an error
  /// If it is the schedule `like`: maps loops, uses and buffers of the proved schedule to those of this one.
  std::map<const ir::Stmt *, const ir::Stmt *> statements;
  std::map<const ir::Buffer *, const ir::Buffer *> buffers;

  template <typename Node> const Node *find(const Node *node) const {
    auto there = statements.find(node);
    return there == statements.end() ? node : llvm::cast<Node>(there->second);
  }
  const ir::Buffer *find(const ir::Buffer *buffer) const {
    auto there = buffers.find(buffer);
    return there == buffers.end() ? buffer : there->second;
  }
  llvm::SmallVector<const ir::UseStmt *, 2> find(llvm::ArrayRef<const ir::UseStmt *> uses) const {
    llvm::SmallVector<const ir::UseStmt *, 2> result;
    for (const ir::UseStmt *use : uses)
      result.push_back(find(use));
    return result;
  }
};

/// What was fitted to the rows of a storage. Each attempt has other variables for the heads of loops.
struct Candidates::Fitted {
  const StorageTrace *rows;
  Term packets; // by which they were renumbered; null: they were not
  bool cyclic;
  OfSlots slots;
  bool inPieces;
  llvm::SmallVector<Term, 2> heads;
  std::vector<ContentFormula> formulas;
  LimitInForce reached;
};

struct Candidates::Store {
  TermPool &pool;
  std::vector<Source> sources;
  std::vector<Fitted> fitted;
  unsigned fittedInPieces = 0; // how many of these were fitted in pieces
};

/// Appends the loops and uses of a body, in the order of the text.
static void listLoops(const ir::Body &body, std::vector<const ir::Stmt *> &list) {
  for (const auto &stmt : body) {
    if (auto *loop = llvm::dyn_cast<ir::ForStmt>(stmt.get())) {
      list.push_back(loop);
      listLoops(loop->body, list);
    } else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(stmt.get())) {
      listLoops(branch->yes, list);
      listLoops(branch->no, list);
    } else if (auto *step = llvm::dyn_cast<ir::StepStmt>(stmt.get())) {
      listLoops(step->body, list);
    } else if (llvm::isa<ir::UseStmt>(stmt.get())) {
      list.push_back(stmt.get());
    }
  }
}

Candidates::Candidates(const ir::Schedule &schedule, TermPool &pool, const ir::Schedule *like)
    : store(new Store{pool, {}, {}}) {
  if (like) {
    Source &source = store->sources.emplace_back(*like);
    std::vector<const ir::Stmt *> here, there;
    listLoops(schedule.body, here);
    listLoops(like->body, there);
    if (here.size() == there.size() && schedule.buffers.size() == like->buffers.size()) {
      for (size_t i = 0; i < here.size(); ++i)
        if (here[i]->kind == there[i]->kind)
          source.statements[here[i]] = there[i];
      for (size_t i = 0; i < schedule.buffers.size(); ++i)
        source.buffers[schedule.buffers[i].get()] = like->buffers[i].get();
    }
  }
  store->sources.emplace_back(schedule);
}

Candidates::~Candidates() = default;

/// The condition that the generic member is in the cyclic interval of `length` ranks from `lo`.
static Term membersOf(TermPool &pool, const StateSymbols &symbols, Term lo, Term length) {
  return pool.less(pool.modulo(pool.subtract(symbols.member, lo), symbols.p), length);
}

/// Converts a formula of the fitter to a Content. If it only describes live slots, the others are unknown.
static Content contentOf(TermPool &pool, const ContentFormula &formula, const StateSymbols &symbols, Products products) {
  Content content;
  content.valid = formula.valid;
  content.unknown = formula.live ? pool.negate(formula.valid) : formula.known ? pool.negate(formula.known) : pool.truth(false);
  content.input = formula.input;
  content.block = formula.block;
  content.packet = formula.packet;
  content.lo = formula.lo ? formula.lo : pool.integer(0);
  content.length = formula.length ? formula.length : pool.integer(0);
  content.member = pool.truth(false);
  if (products == Products::Members)
    content.member = formula.member ? formula.member : membersOf(pool, symbols, formula.lo, formula.length);
  return content;
}

/// The same if the product has no formula: `member` is null.
static Content placeOf(TermPool &pool, const ContentFormula &formula) {
  const Term zero = pool.integer(0);
  return {formula.valid, pool.negate(formula.valid), formula.input, formula.block, formula.packet, zero, zero, {}};
}

/// If a used schedule's blocks are the caller's packets, its storages have no packets: renumbers their slots as blocks. `packets`:
/// packets per block of the caller; null: nothing is renumbered.
static TraceRows inBlocksOf(TraceRows rows, const TraceSymbols &names, Term packets) {
  if (!packets)
    return rows;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    auto parts = evaluate(packets, [&](Term variable) -> std::int64_t {
      if (variable == names.p)
        return rows.p[row];
      for (size_t i = 0; i < names.numbers.size(); ++i)
        if (variable == names.numbers[i])
          return rows.numbers[i][row];
      return 1;
    });
    rows.block[row] = static_cast<std::int32_t>(rows.block[row] * parts.value_or(1) + rows.packet[row]);
    rows.packet[row] = 0;
  }
  return rows;
}

std::vector<ContentFormula> Candidates::fit(const StorageTrace &rows, Term packets, const LoopTrace &loop, const Source &source,
                                            const TraceSymbols &names, const LoopHead &head, bool ofSome) {
  TermPool &pool = store->pool;
  const bool cyclic = head.products != Products::Ordered;
  const OfSlots slots = head.ofPlaces ? OfSlots::Places : head.ofNeededSlots ? OfSlots::Needed : head.ofLiveSlots ? OfSlots::Live : OfSlots::AllOrLive;
  auto isAlike = [](Term a, Term b) { return a->isPower == b->isPower; };
  for (const Fitted &known : store->fitted)
    if (known.rows == &rows && known.packets == packets && known.cyclic == cyclic && known.slots == slots &&
        known.inPieces == head.inPieces && llvm::equal(known.heads, names.heads, isAlike)) {
      TermPool::Substitution anew;
      for (auto [before, now] : llvm::zip_equal(known.heads, names.heads))
        anew[before.get()] = now;
      std::vector<ContentFormula> formulas = known.formulas;
      for (ContentFormula &formula : formulas)
        for (Term *part : {&formula.valid, &formula.input, &formula.block, &formula.packet, &formula.lo, &formula.length, &formula.member, &formula.known})
          if (*part)
            *part = pool.substitute(*part, anew);
      if (formulas.empty())
        reached = known.reached;
      return formulas;
    }
  if (head.inPieces) {
    if (store->fittedInPieces >= limits::fitsInPieces) {
      reached = limits::fitsInPieces;
      return {};
    }
    ++store->fittedInPieces;
  }
  Atoms atoms = atomsOf(source.schedule, loop, names, pool, head.inPieces);
  // Blocks may be those of ranks: terms that number this rank in another way number them, too. (`ofSome`: whom a rank has heard of only
  // grows, so it may be more than what the invariant says.)
  TermPool::Substitution toBlock;
  toBlock[names.me.get()] = names.block;
  for (Term position : std::vector(atoms.positions)) {
    if (ofSome || head.inPieces || position->kind == TermKind::BitXor) {
      atoms.positions.push_back(pool.substitute(position, toBlock));
      atoms.others.push_back(atoms.positions.back());
    }
  }
  Fitted fitted{&rows, packets, cyclic, slots, head.inPieces, names.heads, {}, reached};
  FitLimits limits;
  limits.inPieces = head.inPieces;
  if (head.inPieces) { // more features make more expressions, and more of them fit a sample by chance
    limits.rounds *= 2;
    limits.expressions *= 3;
    limits.candidates *= 3;
  }
  fitted.formulas = fitContent(pool, inBlocksOf(rows.rows, names, packets), names, atoms, cyclic, ofSome, limits, &fitted.reached, slots);
  reached = fitted.reached;
  return store->fitted.emplace_back(std::move(fitted)).formulas;
}

std::vector<Invariant> Candidates::invariants(const LoopHead &head, const StateSymbols &symbols) {
  std::vector<Invariant> result;
  for (Source &source : store->sources)
    llvm::append_range(result, invariantsFrom(source, head, symbols));
  return result;
}

/// The names that formulas about a trace have. The fitter needs variables for the values at the heads of loops: it gets new ones
/// for those that are formulas, and `outer` has the formulas.
static TraceSymbols symbolsOfTrace(TermPool &pool, const ir::Schedule &schedule, const LoopHead &head, const StateSymbols &symbols,
                                   TermPool::Substitution &outer) {
  TraceSymbols names;
  names.p = symbols.p;
  names.me = symbols.me;
  names.block = symbols.block;
  names.packet = symbols.packet;
  names.contributor = symbols.member;
  for (unsigned i = 0; i < schedule.numberCount; ++i)
    names.numbers.push_back(pool.variable(schedule.variables[ir::Schedule::firstNumber + i].name));
  for (Term value : head.heads) {
    if (value->kind == TermKind::Variable) {
      names.heads.push_back(value);
      continue;
    }
    llvm::SmallVector<Monomial, 3> parts = TermPool::monomialsOf(value);
    bool isPower = parts.size() == 1 && TermPool::constantOf(value) == 0 && parts[0].atom->isPower;
    Term variable = pool.fresh("head", isPower);
    names.heads.push_back(variable);
    outer[variable.get()] = value;
  }
  return names;
}

/// Takes one of the contents of each storage: the best of each first, then in the order of the sum of their positions.
static std::vector<Invariant> combinationsOf(llvm::ArrayRef<std::vector<Content>> perStorage) {
  std::vector<Invariant> result;
  std::vector<size_t> choice(perStorage.size(), 0);
  const std::function<void(size_t, size_t)> choose = [&](size_t at, size_t left) {
    if (result.size() >= limits::invariants)
      return;
    if (at == perStorage.size()) {
      if (left > 0)
        return;
      Invariant invariant;
      for (size_t i = 0; i < choice.size(); ++i)
        invariant.push_back(perStorage[i][choice[i]]);
      result.push_back(std::move(invariant));
      return;
    }
    for (size_t i = 0; i <= std::min(left, perStorage[at].size() - 1); ++i) {
      choice[at] = i;
      choose(at + 1, left - i);
    }
  };
  for (size_t total = 0; total < limits::invariantChanges && result.size() < limits::invariants; ++total)
    choose(0, total);
  return result;
}

std::vector<Invariant> Candidates::invariantsFrom(Source &source, const LoopHead &head, const StateSymbols &symbols) {
  TermPool &pool = store->pool;
  std::optional<Trace> &trace = head.inPieces ? source.longer : source.trace;
  if (!trace && !source.failed) {
    try {
      trace = traceLoops(source.schedule, traceCases(source.schedule, /*more=*/head.inPieces));
    } catch (const Finding &) {
      source.failed = true;
    } catch (const EvaluationError &) {
      source.failed = true;
    }
  }
  if (source.failed)
    return {};
  const LoopTrace *loop = trace->find({source.find(head.place.uses), source.find(head.loop)});
  if (!loop)
    return {};
  TermPool::Substitution outer;
  const TraceSymbols names = symbolsOfTrace(pool, source.schedule, head, symbols, outer);
  auto hasDeadSlots = [](const StorageTrace &storage) {
    return llvm::any_of(llvm::zip(storage.rows.valid, storage.rows.live), [](auto row) { return std::get<0>(row) && !std::get<1>(row); });
  };
  if (head.ofLiveSlots && llvm::none_of(loop->storages, hasDeadSlots))
    return {};
  if (head.ofNeededSlots && llvm::all_of(loop->storages, [](const StorageTrace &storage) { return storage.rows.needed == storage.rows.live; }))
    return {};
  std::vector<std::vector<Content>> perStorage;
  for (const SymbolicBuffer *storage : head.written) {
    const StorageTrace *rows = loop->find({source.find(storage->place.uses), source.find(storage->buffer)});
    if (!rows || rows->rows.size() == 0)
      return {};
    std::vector<Content> contents;
    const Term packets = storage->packets == pool.integer(1) ? head.packets : Term();
    for (const ContentFormula &formula : fit(*rows, packets, *loop, source, names, head, /*ofSome=*/!storage->buffer)) {
      const bool isInterval = formula.lo && formula.length, hasNoFormula = head.ofPlaces && !formula.member && !isInterval;
      if (!isInterval && !hasNoFormula && (head.products != Products::Members || !formula.member))
        continue;
      Content content = hasNoFormula ? placeOf(pool, formula) : contentOf(pool, formula, symbols, head.products);
      if (!storage->buffer && formula.live) { // each rank has heard of itself
        content.valid = pool.either(pool.equal(symbols.block, symbols.me), content.valid);
        content.unknown = pool.negate(content.valid);
      }
      for (Term *part : content.parts())
        if (*part)
          *part = pool.substitute(*part, outer);
      // If the formula describes only live slots, first try that the others are unknown but full.
      if (formula.live && !head.ofPlaces && llvm::all_of(rows->rows.valid, [](std::uint8_t valid) { return valid != 0; })) {
        Content something = content;
        something.valid = pool.truth(true);
        contents.push_back(something);
      }
      contents.push_back(content);
    }
    if (contents.empty())
      return {};
    perStorage.push_back(std::move(contents));
  }
  std::vector<Invariant> result = combinationsOf(perStorage);
  if (result.size() >= limits::invariants)
    reached = limits::invariants;
  return result;
}

// ---- in the syntax of the language ---------------------------------------------------------------------------------------

/// Whether a member formula applies location functions (execution/Locations.cpp).
static bool tellsLocations(Term member) {
  bool result = false;
  forEachNode({member}, [&](Term node) { result |= isLocation(node); });
  return result;
}

Explanation invariantText(const LoopHead &head, const Invariant &invariant, const ir::Schedule &schedule, TermPool &pool,
                          const StateSymbols &symbols) {
  Explanation result;
  result.range = head.loop->keyword;
  // Names that the schedule does not use.
  TermPool::Substitution names;
  auto free = [&](llvm::StringRef wanted) {
    std::string name = wanted.str();
    auto taken = [&] {
      return llvm::any_of(schedule.variables, [&](const ir::Variable &v) { return v.name == name && !v.ofInvariant; });
    };
    while (taken())
      name += "_";
    return pool.variable(name);
  };
  const Term block = free("j"), packet = free("i"), member = free("r");
  names[symbols.block.get()] = block;
  names[symbols.packet.get()] = packet;
  names[symbols.member.get()] = member;
  names[head.heads.back().get()] = head.shown;
  // Fresh variables are called name!number: the text omits the number.
  auto shown = [&](Term term) {
    std::string text = prove::text(pool.substitute(term, names)), plain;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '!' || i + 1 == text.size() || !llvm::isDigit(text[i + 1])) {
        plain += text[i];
        continue;
      }
      while (i + 1 < text.size() && llvm::isDigit(text[i + 1]))
        ++i;
    }
    return plain;
  };
  const bool isOwn = head.place.uses.empty();
  if (!isOwn)
    result.lines.push_back("// as " + schedule.path() + " uses it, with its inputs:");
  for (size_t i = 0; i < invariant.size(); ++i) {
    const SymbolicBuffer &storage = *head.written[i];
    const Content &content = invariant[i];
    std::string line = isOwn ? "invariant " : "// ";
    if (!storage.buffer) {
      line += "heard(" + block->name + ")";
    } else {
      std::string place = storage.name;
      if (storage.buffer->isArray)
        place += "[" + block->name + "]";
      if (TermPool::asInteger(storage.packets) != 1)
        place += "[" + packet->name + "]";
      auto number = TermPool::asInteger(content.input);
      const ir::Buffer *input = number && static_cast<size_t>(*number) < schedule.inputs.size()
                                    ? schedule.inputs[static_cast<size_t>(*number)]
                                    : nullptr;
      std::string name = input ? input->name : "x", at = input && input->isArray ? "[" + shown(content.block) + "]" : "";
      auto rank = [&](Term term) {
        std::string text = shown(term);
        bool simple = llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
        return simple ? text : "(" + text + ")";
      };
      std::string value;
      if (head.products == Products::Members && tellsLocations(content.member) && content.member->kind != TermKind::IsZero) {
        // Only some slots hold located contributions: the language cannot say this.
        result.lines.push_back("// " + place + " holds contributions, if " + shown(content.valid));
        continue;
      }
      if (head.products == Products::Members && tellsLocations(content.member)) {
        const Term each = free("q");
        TermPool::Substitution holder;
        holder[symbols.me.get()] = member;
        const Term condition = pool.substitute(content.valid, holder);
        place.insert(storage.name.size(), "@" + member->name);
        line += "fold(" + place + " for " + member->name + " in 0 ..< p" +
                (pool.isTrue(condition) ? "" : " if " + shown(condition)) + ") == fold(" + name + "@" + each->name + at +
                " for " + each->name + " in 0 ..< p)";
        result.lines.push_back(std::move(line));
        continue;
      }
      const bool isRange = head.products != Products::Members ||
                           content.member == membersOf(pool, symbols, content.lo, content.length);
      if (isRange && TermPool::asInteger(content.length) == 1)
        value = name + "@" + rank(content.lo) + at;
      else if (head.products == Products::Members && isRange && content.length == symbols.p)
        value = "fold(" + name + "@" + member->name + at + " for " + member->name + " in 0 ..< p)";
      else if (head.products == Products::Members) {
        if (isOwn)
          line = "// "; // in the language, such a fold has no condition
        value = "fold(" + name + "@" + member->name + at + " for " + member->name + " in 0 ..< p if " + shown(content.member) + ")";
      } else {
        std::string each = head.products == Products::Cyclic ? "(" + member->name + " mod p)" : member->name;
        value = "fold(" + name + "@" + each + at + " for " + member->name + " in " + shown(content.lo) + " ..< " +
                shown(pool.add(content.lo, content.length)) + ")";
      }
      line += place + " == " + value;
    }
    if (Term known = pool.both(content.valid, pool.negate(content.unknown)); !pool.isTrue(known))
      line += " if " + shown(known) + (pool.isFalse(content.unknown) ? " else empty" : "");
    result.lines.push_back(std::move(line));
  }
  return result;
}

} // namespace quadrille::compiler::prove
