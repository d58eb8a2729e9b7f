//===- Diagram.cpp - The content of a space-time diagram ----------------------------------------------------------------------------===//

#include "Diagram.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

namespace quadrille::compiler::draw {

/// If a label is longer, all labels of its round only tell the number of blocks.
static constexpr size_t maxLabelLength = 18;

std::uint64_t Diagram::arrowsShown() const {
  std::uint64_t count = 0;
  for (const TracedRound &round : rounds)
    count += round.arrows.size();
  return count;
}

std::string setText(const std::vector<std::uint64_t> &set, std::uint64_t modulus) {
  struct Range {
    std::uint64_t lo, hi;
  };
  std::vector<Range> ranges;
  for (std::uint64_t value : set)
    if (!ranges.empty() && ranges.back().hi + 1 == value)
      ranges.back().hi = value;
    else
      ranges.push_back({value, value});
  if (modulus && ranges.size() > 1 && ranges.front().lo == 0 && ranges.back().hi + 1 == modulus) {
    ranges.front().lo = ranges.back().lo;
    ranges.pop_back();
  }
  std::string text;
  for (const Range &range : ranges) {
    text += (text.empty() ? "" : ",") + std::to_string(range.lo);
    if (range.lo != range.hi)
      text += ".." + std::to_string(range.hi);
  }
  return text;
}

/// A product as text, with factors in their order: "0:3", cyclically "5:1", with gaps "0:1,4".
static std::string productText(const std::vector<Run> &runs, std::uint64_t p, bool namesBlocks) {
  std::string text;
  for (const Run &run : runs) {
    text += (text.empty() ? "" : ",") + std::to_string(run.lo);
    if (run.length > 1)
      text += ":" + std::to_string((run.lo + run.length - 1) % p);
    if (namesBlocks)
      text += "[" + std::to_string(run.block) + "]";
  }
  return text;
}

DiagramRecorder::DiagramRecorder(const ir::Schedule &schedule, std::uint64_t blocks, std::uint64_t maxArrows, bool refuseMore, const Look &look)
    : schedule(schedule), look(look), blocks(blocks), maxArrows(maxArrows), refuseMore(refuseMore), folds(schedule.collective->folds()) {
  namesRank = folds || llvm::any_of(schedule.inputs, [](const ir::Buffer *input) { return !input->presence; });
  namesBlock = schedule.inputs.size() > 1 || llvm::any_of(schedule.inputs, [](const ir::Buffer *b) { return b->isArray; });
  diagram.schedule = schedule.path();
}

void DiagramRecorder::explainLabels(bool namesPacket) {
  std::string shape = folds ? "a:b" : namesRank ? "i" : "", what;
  std::string name = folds ? "ranks" : namesRank ? "owner" : "";
  auto part = [&](const char *letter, const char *noun) {
    shape += shape.empty() ? letter : "[" + std::string(letter) + "]";
    name += name.empty() ? noun : "[" + std::string(noun) + "]";
    what = std::string(noun) + " " + letter + (what.empty() ? "" : " of " + what);
  };
  if (namesBlock)
    part("j", "block");
  if (namesPacket)
    part(namesBlock ? "k" : "j", "packet");
  if (folds)
    what += what.empty() ? "the product of what ranks a to b put in" : " of the product over ranks a to b";
  else if (namesRank)
    what += what.empty() ? "the block of rank i" : namesBlock ? " of rank i" : " of the block of rank i";
  else if (!what.empty())
    what += namesBlock ? " of the root" : " of the block";
  diagram.labelName = name;
  diagram.legend = schedule.inputs.empty() ? "messages carry no data"
                   : what.empty()          ? "every message is the block of the root"
                                           : "label " + shape + ": " + what;
}

void DiagramRecorder::onRound(const Round &round, const Machine &machine) {
  if (diagram.roundsSeen == 0)
    explainLabels(machine.unitSlots > 1);
  ++diagram.roundsSeen;
  if (!look.showsRound(round.number))
    return;
  const auto isWanted = [&](const Transfer &transfer) {
    return !look.ranks || look.ranks->contains(transfer.source) || look.ranks->contains(transfer.destination);
  };
  diagram.arrowsSeen += static_cast<std::uint64_t>(llvm::count_if(round.transfers, isWanted));
  if (refuseMore && (diagram.arrowsSeen > maxArrows || diagram.rounds.size() >= maxArrows))
    throw TooManyArrows();
  if (recorded == maxArrows)
    return;
  TracedRound traced;
  traced.number = round.number;
  bool tooLong = false;
  std::vector<const Transfer *> transfers; // of the arrows
  for (const Transfer &transfer : round.transfers) {
    if (recorded == maxArrows)
      break;
    if (!isWanted(transfer))
      continue;
    ++recorded;
    transfers.push_back(&transfer);
    Arrow arrow;
    arrow.source = transfer.source;
    arrow.destination = transfer.destination;
    name(transfer, machine, arrow);
    tooLong |= arrow.label.size() > maxLabelLength;
    traced.arrows.push_back(std::move(arrow));
  }
  if (tooLong)
    for (size_t i = 0; i < traced.arrows.size(); ++i)
      traced.arrows[i].label = describeAmount(transfers[i]->slots, machine.unitSlots);
  diagram.rounds.push_back(std::move(traced));
}

void DiagramRecorder::onRestart() {
  diagram.rounds.clear();
  diagram.roundsSeen = diagram.arrowsSeen = recorded = 0;
}

namespace {

/// What labels name.
struct Naming {
  const ir::Schedule &schedule;
  std::uint64_t blocks;
  bool folds, namesRank, namesBlock;
};

/// The label and the hue of one message.
class MessageName {
public:
  MessageName(const Naming &naming, const Transfer &transfer, const Machine &machine) : naming(naming), machine(machine) {
    for (std::uint32_t i = 0; i < transfer.runCount; ++i)
      for (std::uint32_t s = 0; s < transfer.runs[i].count; ++s) {
        std::uint32_t slot = transfer.runs[i].lo + s;
        Value value = machine.read(*transfer.storage, transfer.source, slot);
        auto [entry, isNew] = packetsOf.try_emplace(value);
        if (isNew)
          order.push_back(value);
        entry->second.insert(machine.lengthClass(*transfer.storage, transfer.source, slot));
      }
    for (const auto &entry : packetsOf)
      isWhole &= entry.second.size() == machine.unitSlots;
  }

  /// Identifies what a reader would follow through the picture; nothing for empty blocks.
  std::optional<std::int64_t> hue() const {
    if (order.empty())
      return std::nullopt;
    const std::vector<Run> first = machine.domain.runs(order[0]);
    if (first.empty())
      return std::nullopt;
    const std::uint64_t firstPacket = *packetsOf.at(order[0]).begin();
    return static_cast<std::int64_t>(naming.folds        ? naming.namesBlock        ? first[0].block
                                                           : machine.unitSlots > 1 ? firstPacket
                                                                                   : first[0].lo
                                     : naming.namesRank  ? first[0].lo
                                     : naming.namesBlock ? first[0].block
                                                         : firstPacket);
  }

  std::string label() const {
    std::string result;
    for (const Term &term : terms()) {
      result += (result.empty() ? "" : " ") + textOf(term);
      if (result.size() > 200)
        break;
    }
    return result;
  }

private:
  using Set = std::set<std::uint64_t>;

  /// Ranks with the same blocks and packets share a term: 0..1[2..3].
  struct Term {
    std::string ranks;
    Set owners, blocks, packets;
    bool empty = false;
  };

  static std::vector<std::uint64_t> sorted(const Set &set) { return std::vector<std::uint64_t>(set.begin(), set.end()); }

  std::vector<Term> terms() const {
    std::vector<Term> ofProducts;
    for (Value value : order) {
      Term part = termOf(value);
      const auto same = llvm::find_if(ofProducts, [&](const Term &term) {
        return term.ranks == part.ranks && term.owners == part.owners && term.packets == part.packets && term.empty == part.empty;
      });
      if (same == ofProducts.end())
        ofProducts.push_back(std::move(part));
      else
        same->blocks.insert(part.blocks.begin(), part.blocks.end());
    }
    if (naming.folds)
      return ofProducts;
    std::vector<Term> joined;
    for (Term &term : ofProducts) {
      const auto same = llvm::find_if(joined, [&](const Term &other) {
        return other.blocks == term.blocks && other.packets == term.packets && other.empty == term.empty;
      });
      if (same == joined.end())
        joined.push_back(std::move(term));
      else
        same->owners.insert(term.owners.begin(), term.owners.end());
    }
    return joined;
  }

  Term termOf(Value value) const {
    Term term;
    std::vector<Run> runs = machine.domain.runs(value);
    if (!isWhole)
      term.packets = packetsOf.at(value);
    if (runs.empty()) {
      term.empty = true;
    } else if (naming.folds) {
      const std::uint64_t p = machine.domain.size();
      bool mixed = llvm::any_of(runs, [&](const Run &run) { return run.block != runs[0].block; });
      // The runs of a commutative product are sorted: join the first and the last one if they are cyclically adjacent.
      if (runs.size() > 1 && !mixed && naming.schedule.requiresCommutative && runs.front().lo == 0 &&
          runs.back().lo + std::uint64_t(runs.back().length) == p) {
        runs.back().length += runs.front().length;
        std::rotate(runs.begin(), runs.end() - 1, runs.end());
        runs.erase(runs.begin() + 1);
      }
      term.ranks = productText(runs, p, mixed);
      if (naming.namesBlock && !mixed)
        term.blocks = {runs[0].block};
    } else {
      if (naming.namesRank)
        term.owners = {runs[0].lo};
      if (naming.namesBlock)
        term.blocks = {runs[0].block};
    }
    return term;
  }

  std::string textOf(const Term &term) const {
    std::string text = term.empty ? "empty" : naming.folds ? term.ranks : setText(sorted(term.owners), machine.domain.size());
    if (!term.blocks.empty()) {
      std::string blockText = setText(sorted(term.blocks), naming.schedule.inputs.size() == 1 ? naming.blocks : 0);
      text += text.empty() ? blockText : "[" + blockText + "]";
    }
    if (!term.packets.empty()) {
      std::string packetText = setText(sorted(term.packets), 0);
      text += text.empty() ? packetText : "[" + packetText + "]";
    } else if (text.empty()) {
      text = setText(sorted(packetsOf.at(order[0])), 0); // there is only one block: name its packets
    }
    return text;
  }

  const Naming naming;
  const Machine &machine;
  // The data of the message: products and, for each, the numbers of the packets.
  std::vector<Value> order;
  std::map<Value, Set> packetsOf;
  bool isWhole = true; // no block is sent in part
};

} // namespace

void DiagramRecorder::name(const Transfer &transfer, const Machine &machine, Arrow &arrow) const {
  if (!transfer.storage || !(namesRank || namesBlock || machine.unitSlots > 1))
    return;
  const MessageName of({schedule, blocks, folds, namesRank, namesBlock}, transfer, machine);
  if (std::optional<std::int64_t> hue = of.hue())
    arrow.hue = *hue;
  arrow.label = of.label();
}

} // namespace quadrille::compiler::draw
