//===- Progress.h - How far an execution has come -------------------------------------------------------------*- C++ -*-===//
//
// What an execution tries may fail: an invariant, a clock, a shorter way to say something. Then it goes back to where it was. All
// that it may have changed by then is in Progress, of which a copy is made before and assigned back; so nothing can be forgotten
// that is put there. Two things are no progress. What holds in some part of the schedule only, such as the loops around a statement:
// whoever sets it sets it back. What names stand for (SymbolicFrame): statements set a name before others read it.
//
// Private to prove/.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PROVE_EXECUTION_PROGRESS_H
#define QUADRILLE_PROVE_EXECUTION_PROGRESS_H

#include "State.h"
#include "Trail.h"

#include "diagnostics/Diagnostics.h"
#include "ir/Lengths.h"
#include "prove/definitions/DefinedTerms.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>

namespace quadrille::compiler::prove {

/// A loop whose head needs an invariant.
struct LoopHead {
  Place place;
  const ir::ForStmt *loop = nullptr;
  /// What stands for the head values of the enclosing loops and of this one, outermost first: as Trace.h records them.
  std::vector<Term> heads;
  Term shown;                     // the head in terms of the loop variable as the body sees it
  Products products = Products::Ordered;
  Term packets;                   // per block; null if nothing is split
  std::vector<SymbolicBuffer *> written; // in its body
};

/// A formula for what each written storage holds at the head, in the order of LoopHead::written.
using Invariant = std::vector<Content>;

/// The names of a schedule that is being executed, and what they stand for.
struct SymbolicFrame : Variables {
  SymbolicFrame(const ir::Schedule &schedule) : Variables{schedule, {}}, lengths(ir::lengthsOf(schedule)) {}
  Place place;
  ir::BlockLengths lengths;
  std::vector<SymbolicView> views;
  Term origin;                 // in the numbering of the outermost schedule; null: 0
  std::vector<unsigned> tables; // its tables among the collective's
  bool blocksArePackets = false;
  std::vector<Content> inputsAtEntry; // of the storages that the inputs of a used schedule lie in, when it began
  // The clock of the `use`s that lead here, over the variables that stand for the two ranks of a message.
  std::vector<Term> times;
  Term timesExist;              // whether these numbers have values
  const ir::Clock *clock = nullptr; // the innermost of them
};

/// A transfer of the generic rank.
struct SymbolicTransfer {
  const ir::TransferStmt *stmt = nullptr;
  Term guard;
  Term peer; // in the outermost numbering
  std::optional<Slots> slots;
  SymbolicFrame *frame = nullptr;
};

/// Where contributions to the slots of a storage are, of loops whose products have no closed form (Locations.cpp).
struct SymbolicLocation {
  std::string function; // of a contributor, a block and a packet: the rank that has it
  SymbolicBuffer *storage;
  Term rank;            // the variable that stands for that rank in `bound`
  Term bound;           // what is known about it, with `block'`, `packet'` and the head of the loop
  Content content;      // of the storage at the head of the loop
  Term first;           // the rank that has it before the loop
  Term guard = {};      // where the loop is executed, the same for all ranks: what is known holds there
  std::vector<std::vector<SymbolicTransfer>> sent = {}; // by the loop's body, step by step
};

/// A clock of a transfer, for those who want to see it.
struct ClockText {
  llvm::SMRange range; // of the transfer
  std::string text;    // in the syntax of the language
};

/// The buffers that there are, in the order of their declarations. Views point to them, so that they stay where they are: a copy
/// takes down what each of them is and holds, and to assign it back is to have them be and hold that again.
class SymbolicBuffers {
public:
  SymbolicBuffers() = default;
  SymbolicBuffers(const SymbolicBuffers &other) : list(other.list), values(other.values) {
    if (values.empty())
      for (const SymbolicBuffer *buffer : list)
        values.push_back(*buffer);
  }
  SymbolicBuffers &operator=(const SymbolicBuffers &before) {
    assert(before.values.size() == before.list.size());
    list = before.list;
    for (auto [buffer, value] : llvm::zip_equal(list, before.values))
      *buffer = value;
    return *this;
  }

  void add(SymbolicBuffer &buffer) { list.push_back(&buffer); }
  std::size_t size() const { return list.size(); }
  /// Those from number `first` on are gone.
  void forget(std::size_t first) {
    assert(first <= list.size());
    list.resize(first);
  }
  auto begin() const { return list.begin(); }
  auto end() const { return list.end(); }
  std::vector<Content> contents() const {
    std::vector<Content> result;
    for (const SymbolicBuffer *buffer : list)
      result.push_back(buffer->content);
    return result;
  }

private:
  std::vector<SymbolicBuffer *> list;
  std::vector<SymbolicBuffer> values; // of a copy
};

/// All that an execution may take back.
struct Progress {
  SymbolicBuffers buffers;
  Trail<Term> facts;                         // that hold at this point of the schedule
  Trail<SymbolicLocation> locations;         // what is known of them there
  Trail<Obligation> found;
  Trail<std::pair<LoopHead, Invariant>> used;
  Cost cost = {};
  TermPool::Substitution last;               // values of loop variables
  Term packets;                              // per block of the collective; null until a split says
  bool packetsFixed = false;                 // something has been shown with the present number of packets
  unsigned places = 0;                       // steps and loops that were met, where ranks go through different ones
  std::optional<NotModelled> costUnknown, missing, unused, unread, unreadTimes;
  Trail<ClockText> clocksShown;
  Trail<Diagnostic> doubtful;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_EXECUTION_PROGRESS_H
