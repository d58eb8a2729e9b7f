//===- Clocks.cpp - The search for clocks ----------------------------------------------------------------------------------===//

#include "Clocks.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::prove {

Term isEarlier(TermPool &pool, llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b) {
  Term result = pool.truth(false);
  for (size_t i = a.size(); i-- > 0;)
    result = pool.either(pool.less(a[i], b[i]), pool.both(pool.equal(a[i], b[i]), result));
  return result;
}

Term isSame(TermPool &pool, llvm::ArrayRef<Term> a, llvm::ArrayRef<Term> b) {
  llvm::SmallVector<Term, 4> same;
  for (size_t i = 0; i < a.size(); ++i)
    same.push_back(pool.equal(a[i], b[i]));
  return pool.conjunction(same);
}

namespace {

/// Something that tells messages apart: a formula per op, and its value for every message.
struct Quality {
  std::vector<Term> of; // per op; null where it has none
  std::vector<std::int64_t> values;
};

class Search {
public:
  using IsSound = llvm::function_ref<bool(unsigned, const std::vector<Clock> &)>;

  Search(RankProgram &program, TermPool &pool, DefinedTerms &defined, IsSound isSound)
      : program(program), pool(pool), defined(defined), isSound(isSound) {}

  std::optional<std::vector<Clock>> run() {
    findQualities();
    findOrder();
    // What tells phases apart comes first, or what tells iterations apart.
    std::vector<std::vector<const Quality *>> heads;
    if (program.phases > 1) {
      if (iteration)
        heads = {{&*phase, &*iteration}, {&*iteration, &*phase}};
      heads.push_back({&*phase});
    } else {
      if (iteration)
        heads.push_back({&*iteration});
      heads.push_back({});
    }
    std::optional<std::vector<Clock>> first;
    for (const auto &head : heads) {
      bool sound = true;
      auto clocks = complete(head, sound);
      if (clocks && sound)
        return clocks;
      if (!first)
        first = std::move(clocks);
    }
    return first;
  }

private:
  // ---- what tells messages apart

  void addQuality(const std::function<Term(unsigned)> &of) {
    if (auto quality = qualityOf(of))
      qualities.push_back(std::move(*quality));
  }

  /// Both sides of every message must see the same.
  std::optional<Quality> qualityOf(const std::function<Term(unsigned)> &of) {
    Quality quality;
    for (unsigned op = 0; op < program.ops.size(); ++op) {
      quality.of.push_back(of(op));
      if (!quality.of.back())
        return std::nullopt;
    }
    for (const SmallMessage &message : program.messages) {
      auto sent = program.valueAt(message, true, quality.of[message.send]);
      if (!sent || sent != program.valueAt(message, false, quality.of[message.recv]))
        return std::nullopt;
      quality.values.push_back(*sent);
    }
    return quality;
  }

  void findQualities() {
    const Term zero = pool.integer(0), me = pool.variable("me");
    auto sender = [&](unsigned op) { return program.ops[op].isSend() ? me : program.ops[op].peer; };
    auto receiver = [&](unsigned op) { return program.ops[op].isSend() ? program.ops[op].peer : me; };
    // The iteration of the send, or of the receive, as far as its loops say one.
    auto iterationOf = [&](bool ofSend) {
      return [&, ofSend](unsigned op) -> Term {
        if (program.ops[op].isSend() == ofSend)
          return program.ops[op].loops.empty() ? zero : program.ops[op].loops[0].variable;
        Term result;
        for (const RankPair &pair : program.partners[op]) {
          Term value = pair.values.empty() ? zero : pair.values[0];
          if (result && result != value)
            return {};
          result = value;
        }
        return result ? result : zero;
      };
    };
    phase = qualityOf([&](unsigned op) { return pool.integer(program.ops[op].phase); });
    iteration = qualityOf(iterationOf(true));
    auto other = qualityOf(iterationOf(false));
    if (!iteration || (other && llvm::all_of(iteration->values, [](std::int64_t v) { return v == 0; })))
      iteration = other;
    addQuality([&](unsigned) { return zero; });
    auto both = [&](const std::function<Term(unsigned)> &of) {
      addQuality(of);
      addQuality([&](unsigned op) { return pool.subtract(zero, of(op)); });
    };
    for (const DefinedTerms::Measure &measure : defined.measures()) {
      auto inTree = [&](unsigned op, Term rank) {
        const Term origin = program.ops[op].origin;
        return measure.of(origin ? pool.modulo(pool.subtract(rank, origin), pool.variable("p")) : rank);
      };
      both([&](unsigned op) { return inTree(op, sender(op)); });
      both([&](unsigned op) { return inTree(op, receiver(op)); });
    }
    both(receiver);
    both(sender);
    if (iteration) {
      both([&](unsigned op) { return iteration->of[op]; });
      for (auto rank : {std::function<Term(unsigned)>(sender), std::function<Term(unsigned)>(receiver)})
        addQuality([&](unsigned op) { return pool.add(pool.scale(2, iteration->of[op]), rank(op)); });
    }
  }

  /// Pairs of messages of which the first has to be earlier.
  void findOrder() {
    for (const SmallCase &small : program.cases)
      for (const auto &steps : small.steps)
        for (size_t i = 0; i + 1 < steps.size(); ++i)
          for (unsigned before : steps[i])
            for (unsigned after : steps[i + 1])
              order.push_back({before, after});
    llvm::sort(order);
    order.erase(std::unique(order.begin(), order.end()), order.end());
  }

  // ---- combinations

  unsigned phaseOf(unsigned message) const { return program.ops[program.messages[message].send].phase; }

  std::optional<std::vector<Clock>> complete(llvm::ArrayRef<const Quality *> head, bool &sound) {
    std::vector<std::vector<std::pair<unsigned, unsigned>>> left(program.phases); // that the head does not tell
    for (auto [before, after] : order) {
      int told = 0;
      for (const Quality *quality : head)
        if (told == 0)
          told = quality->values[before] < quality->values[after] ? -1 : quality->values[before] > quality->values[after];
      if (told > 0)
        return std::nullopt;
      if (told < 0)
        continue;
      if (phaseOf(before) != phaseOf(after))
        return std::nullopt;
      left[phaseOf(before)].push_back({before, after});
    }
    std::vector<Clock> clocks(program.ops.size());
    for (unsigned phase = 0; phase < program.phases; ++phase) {
      unsigned tried = 0;
      bool found = false;
      std::vector<Clock> first;
      for (const Quality &major : qualities)
        for (const Quality &minor : qualities) {
          if (tried >= maxClocks || !fits(left[phase], major, minor))
            continue;
          std::vector<Clock> candidate(program.ops.size());
          for (unsigned op = 0; op < program.ops.size(); ++op) {
            if (program.ops[op].phase != phase)
              continue;
            for (const Quality *quality : head)
              candidate[op].push_back(quality->of[op]);
            candidate[op].push_back(major.of[op]);
            candidate[op].push_back(minor.of[op]);
          }
          if (first.empty())
            first = candidate;
          ++tried;
          if (isSound(phase, candidate)) {
            first = candidate;
            tried = maxClocks;
            found = true;
          }
        }
      sound = sound && found;
      if (first.empty())
        return std::nullopt;
      for (unsigned op = 0; op < program.ops.size(); ++op)
        if (program.ops[op].phase == phase)
          clocks[op] = first[op];
    }
    return clocks;
  }

  bool fits(llvm::ArrayRef<std::pair<unsigned, unsigned>> pairs, const Quality &major, const Quality &minor) const {
    return llvm::all_of(pairs, [&](auto pair) {
      auto [before, after] = pair;
      if (major.values[before] != major.values[after])
        return major.values[before] < major.values[after];
      return minor.values[before] < minor.values[after];
    });
  }

  RankProgram &program;
  TermPool &pool;
  DefinedTerms &defined;
  IsSound isSound;
  std::optional<Quality> phase, iteration;
  std::vector<Quality> qualities;
  std::vector<std::pair<unsigned, unsigned>> order;
};

} // namespace

std::optional<std::vector<Clock>> findClocks(RankProgram &program, TermPool &pool, DefinedTerms &defined,
                                             llvm::function_ref<bool(unsigned phase, const std::vector<Clock> &)> isSound) {
  return Search(program, pool, defined, isSound).run();
}

} // namespace quadrille::prove
