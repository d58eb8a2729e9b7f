//===- Machine.h - The memory of all ranks while a schedule runs --------------------------------------------------*- C++ -*-===//
//
// Each rank has a row of slots for every buffer. A slot is a block or, if the schedule splits blocks, the smallest packet that
// any split makes (a block then has `unit` slots). A slot holds a product of inputs (Values.h) and, on demand, a fingerprint of
// its bracketing. It has a length class: slots of equal class are equally long for all lengths of blocks.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_INSTANTIATE_MACHINE_H
#define QUADRILLE_INSTANTIATE_MACHINE_H

#include "Values.h"

#include "diagnostics/Diagnostics.h"
#include "evaluate/Knowledge.h"
#include "ir/Schedule.h"

#include <cassert>
#include <deque>

namespace quadrille::compiler {

/// Throws Finding if `count` (>= 0) blocks of `unit` slots on `ranks` ranks have too many slots.
void requireSlots(llvm::StringRef buffer, std::int64_t count, std::uint64_t unit, std::uint64_t ranks, llvm::SMRange range);

/// Some consecutive slots of a row.
struct SlotRun {
  std::uint32_t lo, count;
};

/// How a block is divided into slots. `factors`: the numbers of packets of nested splits, outermost first; {p} for p packets.
struct Granularity {
  std::vector<std::int64_t> factors;

  std::uint32_t unit() const {
    std::uint64_t result = 1;
    for (std::int64_t f : factors) {
      assert(f > 0 && "a block has at least one packet");
      result *= static_cast<std::uint64_t>(f);
    }
    return static_cast<std::uint32_t>(result);
  }
  /// The number of elements of slot 0 <= slot < unit of a block of n elements. Remainders of a split go to its first packets.
  std::int64_t length(std::int64_t n, std::uint32_t slot) const;
};

/// The granularity for all splits of `schedule` and of the schedules that it uses. Throws EvaluationError, Finding.
Granularity granularityOf(const ir::Schedule &schedule, const Case &instance);

/// The memory of one buffer, on all ranks.
struct Storage {
  std::string name;
  std::uint32_t ranks = 0;
  std::uint32_t stride = 0;            // slots per rank
  std::vector<Value> values;           // [rank][slot]; empty for inputs, whose values are computed
  std::vector<std::uint64_t> brackets; // fingerprints; empty if not wanted
  bool ownClasses = false;             // each slot has a length class of its own; else the class is the slot's number modulo `unit`
  std::vector<std::uint32_t> classes;  // length class per slot, if ownClasses
  std::vector<std::uint32_t> counts;   // per rank, slots in use; empty: all
  bool isInput = false;
  std::uint32_t inputBlock = 0; // of an input: the number of its first block among all inputs
  std::int64_t onlyRank = -1;   // of an input: the only rank that has it; -1: all have it
  bool endsWithStep = false;    // a name declared by a receive of a step

  std::uint32_t *classesOf(std::uint32_t rank) {
    assert(ownClasses && rank < ranks && "the storage has length classes of its own");
    return classes.data() + std::size_t(rank) * stride;
  }
  std::uint32_t count(std::uint32_t rank) const { return counts.empty() ? stride : counts[rank]; }
};

/// A message that is delivered.
struct Delivery {
  std::uint64_t number = 0; // among all messages of the run
  std::uint32_t source = 0, destination = 0, round = 0;
  const ir::TransferStmt *send = nullptr, *recv = nullptr;
};

/// Observes reads and writes of single slots. This is slow, so it is used for small cases only.
class UsageObserver {
public:
  virtual ~UsageObserver() = default;
  virtual void onRead(const Storage &storage, std::uint32_t rank, std::uint32_t slot) = 0;
  virtual void onWrite(const Storage &storage, std::uint32_t rank, std::uint32_t slot) = 0;
  /// `hadIt`: the slot already held the same product.
  virtual void onReceive(const Storage &storage, std::uint32_t rank, std::uint32_t slot, bool hadIt,
                         const Delivery &delivery) = 0;
};

/// The first combination out of order: the factors of both operands are consecutive ranks in order, those of the result not.
struct OrderBreak {
  bool found = false;
  std::uint32_t rank = 0, roundsBefore = 0;
  Value product = emptyValue;
  llvm::SMRange where;
  const std::uint32_t *rounds = nullptr; // the current number of rounds
};

class Machine {
public:
  /// `sampleLengths`: lengths for which words are counted. If all blocks have n elements and are never split, the machine ignores
  /// them and counts whole blocks: words are proportional to n.
  Machine(std::uint32_t ranks, Granularity granularity, ValueDomain &domain, bool wantBrackets, LengthTables tables,
          std::vector<Lengths> sampleLengths, const Limits &limits);

  Storage &add(std::string name, std::uint32_t stride);
  /// Lets every slot have a length class of its own. The storage must have been reset.
  void addClasses(Storage &storage);
  Storage &addInput(std::string name, std::uint32_t stride, std::uint32_t inputBlock, std::int64_t onlyRank);
  /// Empties the storage and gives it at least `stride` slots per rank. `ownShape`: numbers of slots and their lengths will be set
  /// later for each rank, by emptyRow or declareRow.
  void reset(Storage &storage, std::uint32_t stride, bool ownShape);
  /// All storages: inputs, outputs, then local buffers in the order of their declarations, also those of used schedules.
  const std::deque<Storage> &memory() const { return storages; }
  /// Empties the row of a rank and gives it `count` slots, with lengths by position.
  void emptyRow(Storage &storage, std::uint32_t rank, std::uint32_t count);
  /// The same with the given length class for each slot; null: by position.
  void declareRow(Storage &storage, std::uint32_t rank, std::uint32_t count, const std::uint32_t *classes);

  Value read(const Storage &storage, std::uint32_t rank, std::uint32_t slot) const {
    assert(rank < ranks && slot < storage.stride && "a slot of the rank's row");
    if (!storage.isInput)
      return storage.values[std::uint64_t(rank) * storage.stride + slot];
    if (storage.onlyRank >= 0 && storage.onlyRank != rank)
      return emptyValue;
    return domain.atom(storage.inputBlock + slot / unitSlots, rank);
  }
  void write(Storage &storage, std::uint32_t rank, std::uint32_t slot, Value value) {
    assert(!storage.isInput && rank < ranks && slot < storage.stride && "inputs are not written");
    storage.values[std::uint64_t(rank) * storage.stride + slot] = value;
  }
  /// The product a <> b. Throws Finding if products exceed the limits: their size may double in every step.
  Value combine(Value a, Value b) {
    const Value product = domain.combine(a, b);
    if (ValueDomain::isInterned(product) && used + domain.internedBytes() > limits.memoryBytes)
      throw tooMuchMemory(ranks, used + domain.internedBytes(), limits);
    checkWork();
    return product;
  }
  /// Throws Finding if the run has taken more work than it may.
  void checkWork() const { compiler::checkWork(limits); }
  std::uint32_t lengthClass(const Storage &storage, std::uint32_t rank, std::uint32_t slot) const {
    assert(rank < ranks && slot < storage.stride && "a slot of the rank's row");
    return !storage.ownClasses ? slot % unitSlots : storage.classes[std::uint64_t(rank) * storage.stride + slot];
  }
  /// Whether data of length class `wanted` may be put into a slot: it has the same class. With `takesLength` (ir/Lengths.h) the
  /// slot takes this class instead. The engines and the interpreter call this for all data that they move or store.
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

  /// Whether slots may differ in length.
  bool hasClasses() const { return unitSlots > 1 || tables; }
  bool countsBlocks() const { return !hasClasses(); }
  /// The number of elements of a slot of this class.
  std::int64_t length(std::uint32_t lengthClass, size_t sample) const {
    assert(sample < samples.size() && lengthClass * samples.size() < lengths.size() && "a class of this machine");
    return lengths[lengthClass * samples.size() + sample];
  }
  /// A length class in words: "packet 3", "a block of len[2][3] elements".
  diag::Length describeClass(std::uint32_t lengthClass) const;
  size_t sampleCount() const { return samples.size(); }
  /// Throws Finding if a rank does not know the lengths of this class. `buffer`: the buffer that holds the blocks, for the message.
  void requireKnown(std::uint32_t rank, std::uint32_t lengthClass, llvm::StringRef buffer, llvm::SMRange range) const {
    if (known && lengthClass >= unitSlots && !known->knows(rank, lengthClass / unitSlots - 1))
      throw known->unknown(rank, lengthClass / unitSlots - 1, buffer, range);
  }
  /// Adds the number of elements of a run of slots to `words`, for each sample.
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
  Nodes nodes; // of all ranks; null: nobody asks
  std::unique_ptr<KnownLengths> known; // null: every rank knows all lengths
  UsageObserver *usage = nullptr; // may be null
  OrderBreak *orderBreak = nullptr; // may be null; watched in small cases
  std::uint64_t messages = 0;     // delivered so far
  const std::vector<Lengths> samples; // if countsBlocks(), a single one with n = 1

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

/// A number of slots, and a run of slots, for diagnostics: in blocks if they are whole ones, else in packets.
diag::Amount amountOf(std::uint64_t slots, std::uint32_t unit);
diag::Part partOf(std::uint32_t lo, std::uint32_t count, std::uint32_t unit);

/// The same as text: `packet 3`, `blocks 4 ..< 7`; `2 blocks`.
std::string describeSlots(std::uint32_t lo, std::uint32_t count, std::uint32_t unit);
std::string describeAmount(std::uint64_t slots, std::uint32_t unit);

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_MACHINE_H
