//===- Outcome.cpp - What ranks report about a case ------------------------------------------------------------------------===//

#include "Outcome.h"

#include "quadrille/status.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace quadrille::compiler::run {

static std::string reportFile(const Scratch &scratch, std::int64_t rank) { return scratch.file("rank" + std::to_string(rank)); }

bool anyRankBegan(std::int64_t p, const Scratch &scratch) {
  for (std::int64_t rank = 0; rank < p; ++rank)
    if (llvm::sys::fs::exists(reportFile(scratch, rank)))
      return true;
  return false;
}

namespace {

/// The words of a line.
class Words {
public:
  explicit Words(llvm::StringRef line) : left(line) {}

  llvm::StringRef word() {
    llvm::StringRef first;
    std::tie(first, left) = left.split(' ');
    return first;
  }
  template <class Number> bool number(Number &value) { return !word().getAsInteger(10, value); }
  std::string rest() const { return left.str(); }

private:
  llvm::StringRef left;
};

} // namespace

/// Adds a fact of a rank to the outcome of its case. `what`: the first word of its line; `words`: those behind the number of the case.
static void addFact(Outcome &outcome, std::int64_t rank, llvm::StringRef what, Words words) {
  const auto number = [&](auto &value) { return words.number(value); };
  if (what == "block") {
    Outcome::Block block{rank, 0, 0, 0};
    if (number(block.output) && number(block.index) && number(block.hash))
      outcome.blocks.push_back(block);
  } else if (what == "status") {
    int code = 0;
    if (number(code))
      outcome.errors.push_back({rank, code == static_cast<int>(ErrorCode::Aborted), words.rest()});
  } else if (what == "changed") {
    outcome.misbehaviour = "rank " + std::to_string(rank) + " wrote to its input";
  } else if (what == "overrun") {
    outcome.misbehaviour = "rank " + std::to_string(rank) + " wrote beside its buffers";
  } else if (what == "differs") {
    std::uint64_t call = 0;
    Outcome::Block block{rank, 0, 0, 0};
    if (number(call) && number(block.output) && number(block.index))
      outcome.differences.push_back({call, block});
  } else if (what == "entered") {
    std::pair<std::int64_t, std::int64_t> stay;
    if (number(stay.first) && number(stay.second))
      outcome.stay.push_back(stay);
  } else if (what == "chose") {
    std::int64_t packets;
    if (number(packets))
      outcome.chosen.push_back(packets);
  } else if (what == "time") {
    std::int64_t ns;
    if (number(ns))
      outcome.timesNs[static_cast<size_t>(rank)].push_back(ns);
  } else if (what == "library") {
    std::int64_t ns;
    if (number(ns))
      outcome.libraryNs[static_cast<size_t>(rank)].push_back(ns);
  } else if (what == "otherwise") {
    Outcome::Block block{rank, 0, 0, 0};
    if (number(block.output) && number(block.index))
      outcome.otherwise.push_back(block);
  } else if (what == "trace") {
    Outcome::RankMessages trace{rank, 0, 0, 0};
    if (number(trace.steps) && number(trace.hash) && number(trace.combined))
      outcome.traces.push_back(trace);
  } else if (what == "message") {
    std::uint64_t step = 0, isSend = 0, lockstep = 0;
    harness::Message message{};
    if (number(step) && number(isSend) && number(message.partner) && number(message.elements) && number(message.content) &&
        number(lockstep)) {
      message.isSend = isSend != 0;
      message.lockstep = lockstep != 0;
      outcome.messages[{rank, step}].push_back(message);
    }
  } else if (what == "clock") {
    outcome.clocks[static_cast<size_t>(rank)] = words.rest();
  } else if (what == "traced") {
    size_t call = 0;
    RankTrace trace;
    std::vector<RankTrace> &calls = outcome.traced[static_cast<size_t>(rank)];
    if (number(call) && call == calls.size() && number(trace.enteredNs) && number(trace.leftNs))
      calls.push_back(std::move(trace));
  } else if (what == "moved") {
    size_t call = 0;
    RankTrace::Operation moved{};
    std::vector<RankTrace> &calls = outcome.traced[static_cast<size_t>(rank)];
    const bool isOfLast = number(call) && call + 1 == calls.size();
    moved.about.kind = words.word().str();
    if (isOfLast && number(moved.about.line) && number(moved.about.step) && number(moved.about.partner) && number(moved.about.message) &&
        number(moved.about.bytes) && number(moved.readyNs) && number(moved.beginNs) && number(moved.endNs))
      calls.back().operations.push_back(std::move(moved));
  } else if (what == "done") {
    outcome.doneBy.push_back(rank);
  }
}

std::vector<Outcome> readReports(std::int64_t p, size_t cases, const Scratch &scratch) {
  std::vector<Outcome> outcomes(cases);
  for (Outcome &outcome : outcomes) {
    for (auto *times : {&outcome.timesNs, &outcome.libraryNs})
      times->resize(static_cast<size_t>(p));
    outcome.traced.resize(static_cast<size_t>(p));
    outcome.clocks.resize(static_cast<size_t>(p));
  }
  for (std::int64_t rank = 0; rank < p; ++rank) {
    auto file = llvm::MemoryBuffer::getFile(reportFile(scratch, rank));
    if (!file)
      continue;
    llvm::StringRef rest = (*file)->getBuffer();
    while (!rest.empty()) {
      llvm::StringRef line;
      std::tie(line, rest) = rest.split('\n');
      Words words(line);
      llvm::StringRef what = words.word();
      size_t id = 0;
      if (words.number(id) && id < outcomes.size())
        addFact(outcomes[id], rank, what, words);
    }
  }
  return outcomes;
}

std::string dumpFile(const Scratch &scratch, std::int64_t rank, std::int64_t caseId, unsigned output) {
  return reportFile(scratch, rank) + "." + std::to_string(caseId) + "." + std::to_string(output);
}

} // namespace quadrille::compiler::run
