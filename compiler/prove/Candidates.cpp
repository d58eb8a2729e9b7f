//===- Candidates.cpp - Invariants to try -------------------------------------------------------------------------------===//

#include "Candidates.h"

#include "Infer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

namespace quadrille::prove {

namespace {
/// Combinations of formulas for the storages of one loop that are tried.
constexpr size_t maxCombinations = 12;
} // namespace

struct Candidates::Store {
  const ir::Schedule &schedule;
  TermPool &pool;
  std::optional<Trace> trace;
  bool failed = false; // the small cases cannot be followed
};

Candidates::Candidates(const ir::Schedule &schedule, TermPool &pool)
    : store(new Store{schedule, pool, std::nullopt, false}) {}

Candidates::~Candidates() = default;

/// The contributors of an interval of ranks.
static Term membersOf(TermPool &pool, const StateSymbols &symbols, Term lo, Term length) {
  return pool.less(pool.modulo(pool.subtract(symbols.member, lo), symbols.p), length);
}

/// A formula of the fitter as the execution wants it: of slots that nobody reads any more nothing is known.
static Content contentOf(TermPool &pool, const ContentFormula &formula, const StateSymbols &symbols, Products products) {
  Content content;
  content.valid = formula.valid;
  content.unknown = formula.live ? pool.negate(formula.valid) : pool.truth(false);
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

/// The packets of a used schedule's caller are its blocks: rows of a storage that has no packets count them as such.
static TraceRows inBlocksOf(const Storage &storage, TraceRows rows, const TraceSymbols &names, TermPool &pool, Term packets) {
  if (!packets || storage.packets != pool.integer(1))
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

std::vector<Invariant> Candidates::invariants(const LoopHead &head, const StateSymbols &symbols) {
  TermPool &pool = store->pool;
  if (!store->trace && !store->failed) {
    try {
      store->trace = traceLoops(store->schedule, traceCases(store->schedule));
    } catch (const Finding &) {
      store->failed = true;
    } catch (const EvaluationError &) {
      store->failed = true;
    }
  }
  if (store->failed)
    return {};
  const LoopTrace *loop = store->trace->find({head.place.uses, head.loop});
  if (!loop)
    return {};
  TraceSymbols names;
  names.p = symbols.p;
  names.me = symbols.me;
  names.block = symbols.block;
  names.packet = symbols.packet;
  names.contributor = symbols.member;
  for (unsigned i = 0; i < store->schedule.numberCount; ++i)
    names.numbers.push_back(pool.variable(store->schedule.variables[ir::Schedule::firstNumber + i].name));
  // Loops around this one are known by formulas; the fitter wants variables.
  TermPool::Substitution outer;
  for (size_t i = 0; i < head.heads.size(); ++i) {
    Term value = head.heads[i];
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
  const Atoms atoms = atomsOf(store->schedule, *loop, names, pool);
  std::vector<std::vector<Content>> perStorage;
  for (const Storage *storage : head.written) {
    const StorageTrace *rows = loop->find({storage->place.uses, storage->buffer});
    if (!rows || rows->rows.size() == 0)
      return {};
    std::vector<Content> contents;
    const TraceRows shaped = inBlocksOf(*storage, rows->rows, names, pool, head.packets);
    for (const ContentFormula &formula : fitContent(pool, shaped, names, atoms, head.products != Products::Ordered)) {
      const bool isInterval = formula.lo && formula.length;
      if (!isInterval && (head.products != Products::Members || !formula.member))
        continue;
      Content content = contentOf(pool, formula, symbols, head.products);
      for (Term *part : content.parts())
        *part = pool.substitute(*part, outer);
      contents.push_back(content);
    }
    if (contents.empty())
      return {};
    perStorage.push_back(std::move(contents));
  }
  // The best of all first, then those that differ from it in the fewest and smallest steps.
  std::vector<Invariant> result;
  std::vector<size_t> choice(perStorage.size(), 0);
  for (size_t total = 0; total < 10 && result.size() < maxCombinations; ++total) {
    std::function<void(size_t, size_t)> choose = [&](size_t at, size_t left) {
      if (result.size() >= maxCombinations)
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
    choose(0, total);
  }
  return result;
}

// ---- in the syntax of the language ---------------------------------------------------------------------------------------

InvariantText invariantText(const LoopHead &head, const Invariant &invariant, const ir::Schedule &schedule, TermPool &pool,
                            const StateSymbols &symbols) {
  InvariantText result;
  result.loop = head.loop->keyword;
  // Names that the loop does not use itself.
  TermPool::Substitution names;
  auto free = [&](llvm::StringRef wanted) {
    std::string name = wanted.str();
    auto taken = [&] {
      return llvm::any_of(schedule.variables, [&](const ir::Variable &v) { return v.name == name; });
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
  // Symbols are numbered where a name occurs twice; the text has the name.
  auto shown = [&](Term term) {
    std::string text = prove::text(pool.substitute(term, names)), plain;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '!') {
        plain += text[i];
        continue;
      }
      while (i + 1 < text.size() && llvm::isDigit(text[i + 1]))
        ++i;
    }
    return plain;
  };
  for (size_t i = 0; i < invariant.size(); ++i) {
    const Storage &storage = *head.written[i];
    const Content &content = invariant[i];
    std::string line = "invariant ";
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
      if (TermPool::asInteger(content.length) == 1)
        value = name + "@" + rank(content.lo) + at;
      else if (head.products == Products::Members)
        value = "fold(" + name + "@" + member->name + at + " for " + member->name + " in 0 ..< p if " + shown(content.member) + ")";
      else {
        std::string each = head.products == Products::Cyclic ? "(" + member->name + " mod p)" : member->name;
        value = "fold(" + name + "@" + each + at + " for " + member->name + " in " + shown(content.lo) + " ..< " +
                shown(pool.add(content.lo, content.length)) + ")";
      }
      line += place + " == " + value;
    }
    if (!pool.isTrue(content.valid))
      line += " if " + shown(content.valid) + (pool.isFalse(content.unknown) ? " else empty" : "");
    result.lines.push_back(std::move(line));
  }
  return result;
}

} // namespace quadrille::prove
