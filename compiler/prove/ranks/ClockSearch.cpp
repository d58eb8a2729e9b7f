//===- ClockSearch.cpp - The search for clocks -------------------------------------------------------------------------------===//

#include "Clocks.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::prove {

namespace {

/// For each op, a formula that distinguishes messages; and its values for all messages of the small cases.
struct Quality {
  std::vector<Term> of, shown; // per op; `shown` in the names of the op's schedule
  std::vector<std::int64_t> values;
};

struct Ends {
  Term sender, receiver;               // in the outermost schedule's numbering
  Term senderInFrame, receiverInFrame; // in the numbering of the op's schedule
  Term iteration;                      // null until it is known
};

class Search {
public:
  using IsSound = llvm::function_ref<bool(unsigned, const std::vector<Clock> &)>;

  Search(const ir::Schedule &schedule, RankOperations &program, TermPool &pool, DefinedTerms &defined, IsSound isSound)
      : schedule(schedule), program(program), pool(pool), defined(defined), isSound(isSound), order(program.consecutive()) {}

  std::optional<Clocks> run() {
    mayName = llvm::none_of(schedule.variables, [](const ir::Variable &v) { return !v.ofInvariant && isEndName(v.name); }) &&
              llvm::none_of(schedule.buffers, [](const auto &buffer) { return isEndName(buffer->name); }) &&
              llvm::none_of(schedule.tables, [](const ir::Table &table) { return isEndName(table.name); });
    findQualities();
    findStated();
    // The first words of a clock distinguish sections, phases, or iterations.
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
    if (section)
      for (auto &head : heads)
        head.insert(head.begin(), &*section);
    std::optional<std::vector<Words>> first;
    for (const auto &head : heads) {
      bool sound = true;
      auto clocks = complete(head, sound);
      if (clocks && sound)
        return finish(*clocks);
      if (!first)
        first = std::move(clocks);
    }
    if (std::optional<std::vector<Words>> ofHub = section ? std::nullopt : clockOfHub())
      return finish(*ofHub);
    return first ? std::optional(finish(*first)) : std::nullopt;
  }

private:
  struct Words {
    Clock of, shown;
    void add(const Quality &quality, unsigned op) {
      of.push_back(quality.of[op]);
      shown.push_back(quality.shown[op]);
    }
  };

  // ---- formulas that distinguish messages

  using ClockShape = std::function<Term(unsigned, const Ends &)>;

  static bool isEndName(llvm::StringRef name) { return name == "sender" || name == "receiver"; }

  /// The ends of an op's message, as formulas in `me` or as the names `sender` and `receiver`.
  Ends endsOf(unsigned number, bool asNames) const {
    const RankOp &op = program.ops[number];
    const Term me = pool.variable("me"), p = pool.variable("p");
    Ends ends;
    ends.sender = op.isSend() ? me : op.peer;
    ends.receiver = op.isSend() ? op.peer : me;
    for (auto [rank, inFrame, name] : {std::tuple(&ends.sender, &ends.senderInFrame, "sender"),
                                       std::tuple(&ends.receiver, &ends.receiverInFrame, "receiver")}) {
      *inFrame = op.origin ? pool.modulo(pool.subtract(*rank, op.origin), p) : *rank;
      if (!asNames)
        continue;
      if (mayName)
        *inFrame = pool.variable(name);
      else
        *inFrame = *rank == me ? me : inFrameOf(op, *inFrame);
      *rank = op.origin ? pool.modulo(pool.add(*inFrame, op.origin), p) : *inFrame;
    }
    if (iteration)
      ends.iteration = (asNames ? iteration->shown : iteration->of)[number];
    return ends;
  }

  /// A formula in the outermost `me`, translated to the numbering of the op's schedule.
  Term inFrameOf(const RankOp &op, Term term) const {
    if (!op.origin)
      return term;
    TermPool::Substitution by;
    by[pool.variable("me").get()] = pool.modulo(pool.add(pool.variable("me"), op.origin), pool.variable("p"));
    return pool.substitute(term, by);
  }

  void addQuality(const ClockShape &of) {
    if (auto quality = qualityOf(of))
      qualities.push_back(std::move(*quality));
  }

  /// The quality of a formula; nothing if the two sides of some message have different values.
  std::optional<Quality> qualityOf(const ClockShape &of) {
    Quality quality;
    for (unsigned op = 0; op < program.ops.size(); ++op) {
      quality.of.push_back(of(op, endsOf(op, false)));
      if (!quality.of.back())
        return std::nullopt;
      quality.shown.push_back(of(op, endsOf(op, true)));
    }
    for (const SmallMessage &message : program.messages) {
      auto sent = program.valueAt(message, true, quality.of[message.send]);
      if (!sent || sent != program.valueAt(message, false, quality.of[message.recv]))
        return std::nullopt;
      quality.values.push_back(*sent);
    }
    return quality;
  }

  /// What holds for the other side of an op, which may be one of several.
  Term ofPartners(unsigned op, llvm::function_ref<Term(const RankPair &)> valueOf) {
    Term result;
    for (const RankPair &pair : program.partners[op]) {
      const Term value = valueOf(pair);
      result = !result || result == value ? value : pool.select(program.meets(program.ops[op], pair), value, result);
    }
    return result ? result : pool.integer(0);
  }

  void findQualities() {
    const Term zero = pool.integer(0);
    auto sender = [](unsigned, const Ends &ends) { return ends.sender; };
    auto receiver = [](unsigned, const Ends &ends) { return ends.receiver; };
    // The iteration of the outermost loop around the send, or around the receive.
    auto iterationOf = [&](bool ofSend) {
      return [&, ofSend](unsigned op, const Ends &) -> Term {
        if (program.ops[op].isSend() == ofSend)
          return program.ops[op].loops.empty() ? zero : program.ops[op].loops[0].variable;
        return ofPartners(op, [&](const RankPair &pair) { return pair.values.empty() ? zero : pair.values[0]; });
      };
    };
    // The place in the program of the send, or of the receive.
    auto placeOf = [&](bool ofSend) {
      return [&, ofSend](unsigned op, const Ends &) -> Term {
        if (program.ops[op].isSend() == ofSend)
          return pool.integer(program.ops[op].place);
        return ofPartners(op, [&](const RankPair &pair) { return pool.integer(program.ops[pair.op].place); });
      };
    };
    auto iterationQuality = [&](bool ofSend) {
      auto quality = qualityOf(iterationOf(ofSend));
      for (unsigned op = 0; quality && op < program.ops.size(); ++op)
        quality->shown[op] = inFrameOf(program.ops[op], quality->shown[op]);
      return quality;
    };
    phase = qualityOf([&](unsigned op, const Ends &) { return pool.integer(program.ops[op].phase); });
    if (!program.groups.empty())
      section = qualityOf([&](unsigned op, const Ends &) { return pool.integer(program.sections[program.ops[op].phase]); });
    iteration = iterationQuality(true);
    auto other = iterationQuality(false);
    if (!iteration || (other && llvm::all_of(iteration->values, [](std::int64_t v) { return v == 0; })))
      iteration = other;
    addQuality([&](unsigned, const Ends &) { return zero; });
    auto both = [&](const ClockShape &of) {
      addQuality(of);
      addQuality([&](unsigned op, const Ends &ends) { return pool.subtract(zero, of(op, ends)); });
    };
    for (const DefinedTerms::Measure &measure : defined.measures()) {
      both([&](unsigned, const Ends &ends) { return measure.of(ends.senderInFrame); });
      both([&](unsigned, const Ends &ends) { return measure.of(ends.receiverInFrame); });
    }
    both(receiver);
    both(sender);
    const std::vector<Term> origins = program.countedFrom();
    for (Term from : origins)
      for (const ClockShape &rank : {ClockShape(receiver), ClockShape(sender)})
        both([&, from](unsigned op, const Ends &ends) { return pool.modulo(pool.subtract(rank(op, ends), from), pool.variable("p")); });
    std::vector<Term> centres = program.numbers;
    if (program.origin())
      centres.push_back(zero);
    for (Term centre : centres) // away from a rank that the schedule names, on both sides
      for (const ClockShape &rank : {ClockShape(sender), ClockShape(receiver)})
        both([&, centre](unsigned op, const Ends &ends) {
          const Term distance = pool.subtract(rank(op, ends), centre);
          return pool.maximum(distance, pool.scale(-1, distance));
        });
    addQuality(placeOf(true));
    addQuality(placeOf(false));
    for (Term condition : program.comparisons(/*ofReceives=*/true)) { // ranks count upwards where it holds, and downwards elsewhere, as in two chains
      const auto choose = [&, condition](const Ends &ends, Term yes, Term no) {
        TermPool::Substitution by;
        by[pool.variable("me").get()] = ends.receiver;
        return pool.select(pool.substitute(condition, by), yes, no);
      };
      both([&](unsigned, const Ends &ends) { return choose(ends, ends.receiver, pool.scale(-1, ends.receiver)); });
      both([&](unsigned, const Ends &ends) { return choose(ends, pool.integer(1), zero); });
    }
    if (iteration) {
      both([](unsigned, const Ends &ends) { return ends.iteration; });
      for (const ClockShape &rank : {ClockShape(sender), ClockShape(receiver)})
        addQuality([&](unsigned op, const Ends &ends) { return pool.add(pool.scale(2, ends.iteration), rank(op, ends)); });
    }
  }

  /// Evaluates the stated clock for every message; leaves it empty where the two sides differ.
  void findStated() {
    if (program.clockGap)
      return;
    for (const SmallMessage &message : program.messages) {
      std::vector<std::int64_t> &words = stated.emplace_back();
      const std::vector<Term> &sent = program.ops[message.send].times, &received = program.ops[message.recv].times;
      for (size_t i = 0; i < std::min(sent.size(), received.size()); ++i) {
        auto word = program.valueAt(message, true, sent[i]);
        if (!word || word != program.valueAt(message, false, received[i]))
          break;
        words.push_back(*word);
      }
      if (words.size() < sent.size())
        words.clear();
    }
  }

  // ---- combinations

  unsigned phaseOf(unsigned message) const { return program.ops[program.messages[message].send].phase; }

  std::optional<std::vector<Words>> complete(llvm::ArrayRef<const Quality *> head, bool &sound) {
    std::vector<std::vector<std::pair<unsigned, unsigned>>> left(program.phases); // pairs that the head does not order
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
    std::vector<Words> result(program.ops.size());
    for (unsigned phase = 0; phase < program.phases; ++phase) {
      unsigned tried = 0;
      bool found = false;
      std::vector<Words> first;
      // Considers one candidate; the search ends with the first one that is sound.
      auto consider = [&](llvm::function_ref<void(Words &, unsigned op)> add) {
        std::vector<Words> candidate(program.ops.size());
        std::vector<Clock> times(program.ops.size());
        for (unsigned op = 0; op < program.ops.size(); ++op) {
          if (program.ops[op].phase != phase)
            continue;
          for (const Quality *quality : head)
            candidate[op].add(*quality, op);
          add(candidate[op], op);
          times[op] = candidate[op].of;
        }
        if (first.empty())
          first = candidate;
        ++tried;
        if (!isSound(phase, times))
          return;
        first = std::move(candidate);
        tried = limits::clocks;
        found = true;
      };
      if (fitsStated(phase, left[phase]))
        consider([&](Words &words, unsigned op) {
          for (Term time : program.ops[op].times) {
            words.of.push_back(time);
            words.shown.push_back(inFrameOf(program.ops[op], time));
          }
        });
      for (const Quality &major : qualities)
        for (const Quality &minor : qualities) {
          if (tried >= limits::clocks || !fits(left[phase], major, minor))
            continue;
          consider([&](Words &words, unsigned op) {
            words.add(major, op);
            words.add(minor, op);
          });
        }
      sound = sound && found;
      if (first.empty())
        return std::nullopt;
      for (unsigned op = 0; op < program.ops.size(); ++op)
        if (program.ops[op].phase == phase)
          result[op] = first[op];
    }
    return result;
  }

  // ---- one rank on one side of every message

  /// The numbers by which a program orders an op: places and iterations, outermost first.
  Clock positionOf(const RankOp &op) const {
    Clock position;
    for (const RankLoop &loop : op.loops) {
      position.push_back(pool.integer(loop.place));
      position.push_back(loop.descending ? pool.scale(-1, loop.variable) : loop.variable);
    }
    position.push_back(pool.integer(op.place));
    return position;
  }

  /// The clock by which messages come in the order in which one rank, that is on one side of all of them, takes part in them; nothing if
  /// there is no such rank, or that clock is not sound.
  std::optional<std::vector<Words>> clockOfHub() {
    std::vector<Term> hubs{pool.integer(0), pool.subtract(pool.variable("p"), pool.integer(1))};
    llvm::append_range(hubs, program.numbers);
    if (program.origin())
      hubs.push_back(pool.modulo(program.origin(), pool.variable("p")));
    size_t length = 0;
    for (const RankOp &op : program.ops)
      length = std::max(length, positionOf(op).size());
    for (Term hub : hubs) {
      enum Side { Unknown, Hub, Other, Either };
      std::vector<Side> sides(program.ops.size(), Unknown);
      auto note = [&](unsigned op, bool isHub) {
        const Side side = isHub ? Hub : Other;
        sides[op] = sides[op] == Unknown || sides[op] == side ? side : Either;
      };
      bool isOnAll = !program.messages.empty();
      for (const SmallMessage &message : program.messages) {
        const auto rank = program.valueAt(message, true, hub);
        isOnAll &= rank == message.source || rank == message.destination;
        note(message.send, rank == message.source);
        note(message.recv, rank == message.destination);
      }
      if (!isOnAll || llvm::is_contained(sides, Either))
        continue;
      std::vector<Words> words(program.ops.size());
      for (unsigned number = 0; number < program.ops.size(); ++number) {
        const RankOp &op = program.ops[number];
        Clock &position = words[number].of;
        if (sides[number] != Other) {
          position = positionOf(op);
          position.resize(length, pool.integer(0));
        } else {
          for (const RankPair &pair : program.partners[number]) {
            Clock there = positionOf(program.ops[pair.op]);
            there.resize(length, pool.integer(0));
            const Term meets = program.meets(op, pair);
            for (size_t i = 0; i < length; ++i) {
              const Term word = program.at(program.ops[pair.op], there[i], op.peer, pair.values);
              position.size() <= i ? position.push_back(word) : void(position[i] = pool.select(meets, word, position[i]));
            }
          }
        }
        for (Term word : position)
          words[number].shown.push_back(inFrameOf(op, word));
      }
      std::vector<Clock> times;
      for (const Words &of : words)
        times.push_back(of.of);
      bool sound = true;
      for (unsigned phase = 0; sound && phase < program.phases; ++phase)
        sound = isSound(phase, times);
      if (sound)
        return words;
    }
    return std::nullopt;
  }

  /// Whether the stated clock orders a phase's messages in the small cases.
  bool fitsStated(unsigned phase, llvm::ArrayRef<std::pair<unsigned, unsigned>> pairs) const {
    bool isStated = !program.clockGap;
    for (const RankOp &op : program.ops)
      isStated &= op.phase != phase || op.clock;
    for (unsigned message = 0; isStated && message < program.messages.size(); ++message)
      isStated &= phaseOf(message) != phase || !stated[message].empty();
    return isStated && llvm::all_of(pairs, [&](auto pair) { return stated[pair.first] < stated[pair.second]; });
  }

  bool fits(llvm::ArrayRef<std::pair<unsigned, unsigned>> pairs, const Quality &major, const Quality &minor) const {
    return llvm::all_of(pairs, [&](auto pair) {
      auto [before, after] = pair;
      if (major.values[before] != major.values[after])
        return major.values[before] < major.values[after];
      return minor.values[before] < minor.values[after];
    });
  }

  /// Pads all clocks to one length, and makes their texts, which leave out words that are equal for all ops.
  Clocks finish(std::vector<Words> &words) {
    const Term zero = pool.integer(0);
    size_t length = 0;
    for (const Words &of : words)
      length = std::max(length, of.of.size());
    Clocks result;
    for (Words &of : words) {
      of.of.resize(length, zero);
      of.shown.resize(length, zero);
      result.times.push_back(of.of);
      result.texts.push_back("clock ");
    }
    bool any = false;
    for (size_t i = 0; i < length; ++i) {
      const Term first = words[0].shown[i];
      if (TermPool::asInteger(first) && llvm::all_of(words, [&](const Words &of) { return of.shown[i] == first; }))
        continue;
      for (unsigned op = 0; op < words.size(); ++op)
        result.texts[op] += (any ? ", " : "") + defined.text(words[op].shown[i], program.ops[op].treeNames);
      any = true;
    }
    if (!any)
      for (std::string &text : result.texts)
        text += "0";
    return result;
  }

  const ir::Schedule &schedule;
  RankOperations &program;
  TermPool &pool;
  DefinedTerms &defined;
  IsSound isSound;
  bool mayName = true; // the schedule does not use the names `sender` and `receiver`
  std::optional<Quality> section, phase, iteration; // `section` only if schedules are used in groups
  std::vector<Quality> qualities;
  std::vector<std::vector<std::int64_t>> stated; // the stated time per message; empty if none is stated
  const std::vector<std::pair<unsigned, unsigned>> order; // the first of a pair must have an earlier time
};

} // namespace

std::optional<Clocks> findClocks(const ir::Schedule &schedule, RankOperations &program, TermPool &pool, DefinedTerms &defined,
                                 llvm::function_ref<bool(unsigned phase, const std::vector<Clock> &)> isSound) {
  std::optional<Clocks> result = Search(schedule, program, pool, defined, isSound).run();
  if (!result && program.phases > 1 && program.groups.empty()) { // some ranks go through phases in one order, others in another
    program.joinPhases();
    result = Search(schedule, program, pool, defined, isSound).run();
  }
  return result;
}

} // namespace quadrille::compiler::prove
