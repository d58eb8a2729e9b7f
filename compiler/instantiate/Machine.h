//===- Machine.h - The memory of all ranks while a schedule runs --------------------------------------------------*- C++ -*-===//
//
// Every buffer of every rank is a row of slots. A slot is a block, or, if the schedule splits blocks, the smallest
// packet that any split makes (a block is then `unit` slots). A slot holds a product of inputs (Values.h) and, on demand,
// a fingerprint of how that product was bracketed.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_MACHINE_H
#define QUADRILLE_INSTANTIATE_MACHINE_H

#include "Values.h"

#include "diagnostics/Diagnostics.h"
#include "evaluate/Lengths.h"
#include "ir/Schedule.h"

#include <deque>

namespace quadrille::compiler {

/// Throws Finding if `count` blocks (at least 0) of `unit` slots each are too many on `ranks` ranks.
void requireSlots(llvm::StringRef buffer, std::int64_t count, std::uint64_t unit, std::uint64_t ranks, llvm::SMRange range);

/// Some consecutive slots of a row.
struct SlotRun {
  std::uint32_t lo, count;
};

/// How n elements fall into slots: `factors` are the splits from the outside in, e.g. {p} for blocks cut into p packets.
struct Granularity {
  std::vector<std::int64_t> factors;

  std::uint32_t unit() const {
    std::uint64_t result = 1;
    for (std::int64_t f : factors)
      result *= static_cast<std::uint64_t>(f);
    return static_cast<std::uint32_t>(result);
  }
  /// Elements of slot `slot` (0 ..< unit) of a block of n elements: every split gives the first packets one more.
  std::int64_t length(std::int64_t n, std::uint32_t slot) const;
};

/// The granularity that the splits of `schedule`, and of all it uses, ask for. Throws EvaluationError, Finding.
Granularity granularityOf(const ir::Schedule &schedule, const Case &instance);

struct Storage {
  std::string name;
  std::uint32_t ranks = 0;
  std::uint32_t stride = 0;            // slots per rank
  std::vector<Value> values;           // empty while the storage is a virtual input
  std::vector<std::uint64_t> brackets; // fingerprints; empty if not wanted
  bool ownClasses = false;             // else a slot's length class is its position modulo the slots of a block
  std::vector<std::uint32_t> classes;  // length class per slot, if ownClasses
  std::vector<std::uint32_t> counts;   // slots in use per rank; empty: stride
  bool isInput = false;
  std::uint32_t inputBlock = 0; // first block number of an input
  std::int64_t onlyRank = -1;   // an input that only one rank has
  bool endsWithStep = false;    // a name that a step declares by receiving

  std::uint32_t *classesOf(std::uint32_t rank) { return classes.data() + std::size_t(rank) * stride; }
  std::uint32_t count(std::uint32_t rank) const { return counts.empty() ? stride : counts[rank]; }
};

/// A message on its way.
struct Delivery {
  std::uint64_t number = 0; // of all messages of the run
  std::uint32_t source = 0, destination = 0, round = 0;
  const ir::TransferStmt *send = nullptr, *recv = nullptr;
};

/// Sees which slots are read and written. Following every slot is slow, so only small cases are watched.
class UsageObserver {
public:
  virtual ~UsageObserver() = default;
  virtual void onRead(const Storage &storage, std::uint32_t rank, std::uint32_t slot) = 0;
  virtual void onWrite(const Storage &storage, std::uint32_t rank, std::uint32_t slot) = 0;
  /// `hadIt`: the slot held the same product already.
  virtual void onReceive(const Storage &storage, std::uint32_t rank, std::uint32_t slot, bool hadIt,
                         const Delivery &delivery) = 0;
};

/// The first product whose factors are not consecutive ranks in their order, though its operands' are.
struct OrderBreak {
  bool found = false;
  std::uint32_t rank = 0, roundsBefore = 0;
  Value product = emptyValue;
  llvm::SMRange where;
  const std::uint32_t *rounds = nullptr; // how many there have been so far
};

class Machine {
public:
  /// `sampleLengths`: lengths for which words are counted. A machine whose blocks are all of n elements and never split
  /// counts blocks instead, whatever is asked: its words are proportional to n.
  Machine(std::uint32_t ranks, Granularity granularity, ValueDomain &domain, bool wantBrackets, LengthTables tables,
          std::vector<Lengths> sampleLengths, const Limits &limits);

  Storage &add(std::string name, std::uint32_t stride);
  /// Gives every slot a class of its own. The storage has been reset.
  void addClasses(Storage &storage);
  Storage &addInput(std::string name, std::uint32_t stride, std::uint32_t inputBlock, std::int64_t onlyRank);
  /// Empties the storage and gives it at least `stride` slots per rank. `ownShape`: how many of them a rank has, and how long
  /// they are, is still to be said, rank by rank.
  void reset(Storage &storage, std::uint32_t stride, bool ownShape);
  /// Inputs, then outputs, then whatever has been declared so far, also by schedules used.
  const std::deque<Storage> &memory() const { return storages; }
  void emptyRow(Storage &storage, std::uint32_t rank, std::uint32_t count);
  /// The same for a row whose slots have the given classes, one per slot; null: by their position.
  void declareRow(Storage &storage, std::uint32_t rank, std::uint32_t count, const std::uint32_t *classes);

  Value read(const Storage &storage, std::uint32_t rank, std::uint32_t slot) const {
    if (!storage.isInput)
      return storage.values[std::uint64_t(rank) * storage.stride + slot];
    if (storage.onlyRank >= 0 && storage.onlyRank != rank)
      return emptyValue;
    return domain.atom(storage.inputBlock + slot / unitSlots, rank);
  }
  void write(Storage &storage, std::uint32_t rank, std::uint32_t slot, Value value) {
    storage.values[std::uint64_t(rank) * storage.stride + slot] = value;
  }
  /// The product a <> b. Throws Finding where products take more memory than there may be: they may double in every step.
  Value combine(Value a, Value b) {
    const Value product = domain.combine(a, b);
    if (ValueDomain::isInterned(product) && used + domain.internedBytes() > limits.memoryBytes)
      throw tooMuchMemory(ranks, used + domain.internedBytes(), limits);
    if (domain.joinedRuns() > limits.maxRuns)
      throw Finding{Diagnostic({}, diag::TooManySteps{.limit = limits.maxRuns, .what = "runs of factors in products"})};
    return product;
  }
  std::uint32_t lengthClass(const Storage &storage, std::uint32_t rank, std::uint32_t slot) const {
    return !storage.ownClasses ? slot % unitSlots : storage.classes[std::uint64_t(rank) * storage.stride + slot];
  }
  /// Whether something of class `wanted` may be put into a slot: it is as long for every n. A buffer that `takesLength`
  /// (ir/Lengths.h) is as long from now on. All that is moved or stored, by the engines and by the interpreter, is asked here.
  bool accepts(Storage &storage, std::uint32_t rank, std::uint32_t slot, std::uint32_t wanted, bool takesLength) {
    if (!hasClasses())
      return true;
    if (takesLength && storage.ownClasses) {
      storage.classes[std::uint64_t(rank) * storage.stride + slot] = wanted;
      return true;
    }
    return lengthClass(storage, rank, slot) == wanted;
  }
  std::uint64_t bracket(const Storage &storage, std::uint32_t rank, std::uint32_t slot) const {
    if (storage.isInput)
      return atomBracket(read(storage, rank, slot));
    return storage.brackets.empty() ? 0 : storage.brackets[std::uint64_t(rank) * storage.stride + slot];
  }
  static std::uint64_t atomBracket(Value value) { return mix(value * 0x9E3779B97F4A7C15ull + 1); }
  static std::uint64_t combineBrackets(std::uint64_t a, std::uint64_t b) {
    return mix(a * 0xBF58476D1CE4E5B9ull + (b ^ (b >> 31)) * 0x94D049BB133111EBull + 0x2545F4914F6CDD1Dull);
  }

  /// May blocks or packets be of different lengths?
  bool hasClasses() const { return unitSlots > 1 || tables; }
  bool countsBlocks() const { return !hasClasses(); }
  /// Elements of a slot of that class.
  std::int64_t length(std::uint32_t lengthClass, size_t sample) const { return lengths[lengthClass * samples.size() + sample]; }
  /// "packet 3", "a block of len[2][3] elements"
  std::string describeClass(std::uint32_t lengthClass) const;
  size_t sampleCount() const { return samples.size(); }
  /// Adds the elements of a run of slots, per sample, to `words`.
  void addWords(const Storage &storage, std::uint32_t rank, SlotRun run, std::int64_t *words) const {
    if (countsBlocks()) {
      words[0] += run.count;
      return;
    }
    for (std::uint32_t slot = run.lo; slot < run.lo + run.count; ++slot) {
      const std::int64_t *length = &lengths[lengthClass(storage, rank, slot) * samples.size()];
      for (size_t s = 0; s < samples.size(); ++s)
        words[s] += length[s];
    }
  }

  const std::uint32_t ranks;
  const Granularity granularity;
  const std::uint32_t unitSlots;
  const LengthTables tables;
  ValueDomain &domain;
  const bool wantBrackets;
  UsageObserver *usage = nullptr; // may be null
  OrderBreak *orderBreak = nullptr; // may be null; watched in small cases
  std::uint64_t messages = 0;     // delivered so far
  const std::vector<Lengths> samples; // n = 1 only if countsBlocks()

private:
  static std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9ull;
    x ^= x >> 27;
    return x * 0x94D049BB133111EBull;
  }
  void account(std::uint64_t bytes);

  const Limits &limits;
  std::vector<std::int64_t> lengths; // [class][sample]
  std::uint64_t used = 0;
  std::deque<Storage> storages;
};

/// What so many slots are, and a run of them: blocks if they are whole ones, else packets.
diag::Amount amountOf(std::uint64_t slots, std::uint32_t unit);
diag::Part partOf(std::uint32_t lo, std::uint32_t count, std::uint32_t unit);

/// `2 blocks`, `packet 3`, `blocks 4 ..< 7`: what they are called in messages.
std::string describeSlots(std::uint32_t lo, std::uint32_t count, std::uint32_t unit);
std::string describeAmount(std::uint64_t slots, std::uint32_t unit);

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_MACHINE_H
