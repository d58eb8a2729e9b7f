//===- Judge.cpp - Whether a case came out as it should -----------------------------------------------------------------------===//

#include "Judge.h"

#include "MpiCollectives.h"

#include "diagnostics/Diagnostics.h"
#include "source/Counted.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

namespace quadrille::compiler::run {

using namespace ir;

static std::vector<std::int64_t> collectiveNumbers(const CallCase &c) {
  return {c.numbers.begin() + c.schedule->parameterCount, c.numbers.end()};
}

static std::string place(const CallCase &c, const Outcome::Block &block) {
  const Schedule &schedule = *c.schedule;
  std::string text = "rank " + std::to_string(block.rank) + ", `" + schedule.outputs[block.output]->name + "`";
  if (c.outputs[block.output].blocks != 1 || schedule.outputs[block.output]->isArray)
    text += " block " + std::to_string(block.index);
  return text;
}

/// The text of the first differing element of a block: runs the case again to get the elements.
std::string Judge::firstDifference(const CallCase &c, const Outcome::Block &block, const unsigned char *wanted, llvm::StringRef by) const {
  const std::string where = place(c, block);
  const size_t bytes = harness::elementBytes(c.element);
  Scratch scratch;
  if (!scratch.failure && dump(c, scratch)) {
    auto results = llvm::MemoryBuffer::getFile(dumpFile(scratch, block.rank, c.id, block.output));
    const DataShape &shape = c.outputs[block.output];
    const std::uint64_t elements = shape.length(block.rank, block.index, c.n);
    const size_t begin = shape.offset(block.rank, block.index, c.n) * bytes;
    if (results && (*results)->getBufferSize() >= begin + elements * bytes) {
      const auto *got = reinterpret_cast<const unsigned char *>((*results)->getBufferStart()) + begin;
      for (std::uint64_t e = 0; e < elements; ++e)
        if (std::memcmp(got + e * bytes, wanted + e * bytes, bytes) != 0) {
          bool isUntouched = llvm::all_of(llvm::ArrayRef(got + e * bytes, bytes), [](unsigned char b) { return b == harness::untouched; });
          return where + " element " + std::to_string(e) + " is " +
                 (isUntouched ? "never written" : elementText(c.element, got + e * bytes)) + ", " + by.str() + " " +
                 elementText(c.element, wanted + e * bytes);
        }
    }
  }
  return where + " is not what " + by.str();
}

std::string Judge::compare(const CallCase &c, const Outcome &outcome, Expected &expected) const {
  for (const Outcome::Block &block : outcome.blocks) {
    std::optional<std::uint64_t> wanted = expected.hash(block.output, block.rank, block.index);
    if (!wanted || *wanted == block.hash)
      continue;
    const Bytes *bytes = expected.block(block.output, block.rank, block.index);
    return firstDifference(c, block, bytes->data(), "promised is");
  }
  return "";
}

bool Judge::isDefined(const CallCase &c, const Outcome::Block &block, const DataCase &reference) {
  const size_t bytes = harness::elementBytes(c.element);
  const DataShape &shape = c.outputs[block.output];
  const Bytes &isSet = reference.isSet[static_cast<size_t>(block.rank)][block.output];
  const size_t length = shape.length(block.rank, block.index, c.n) * bytes;
  return length == 0 || !std::memchr(isSet.data() + shape.offset(block.rank, block.index, c.n) * bytes, 0, length);
}

std::string Judge::compareWithReference(const CallCase &c, const Outcome &outcome, const DataCase &reference) const {
  const size_t bytes = harness::elementBytes(c.element);
  for (const Outcome::Block &block : outcome.blocks) {
    const DataShape &shape = c.outputs[block.output];
    const Bytes &whole = reference.outputs[static_cast<size_t>(block.rank)][block.output];
    const unsigned char *wanted = whole.data() + shape.offset(block.rank, block.index, c.n) * bytes;
    if (isDefined(c, block, reference) && harness::hash(wanted, shape.length(block.rank, block.index, c.n) * bytes) != block.hash)
      return firstDifference(c, block, wanted, "the reference interpreter has");
  }
  return "";
}

std::string Judge::compareCalls(const CallCase &c, const Outcome &outcome, Expected &expected, const DataCase *reference) const {
  for (const auto &[call, block] : outcome.differences)
    if (expected.block(block.output, block.rank, block.index) || (reference && isDefined(c, block, *reference)))
      return "rank " + std::to_string(block.rank) +
             (request.validate ? ": its plan, carried out in another order, has another result than what was recorded"
                               : ": of the calls in flight at once, number " + std::to_string(call) +
                                     " has another result than the blocking form");
  return "";
}

static std::string messageText(const harness::Message &message, const CallCase &c) {
  const bool hasData = !c.inputs.empty() || !c.outputs.empty();
  return (message.isSend ? "sends " : "receives ") +
         (hasData ? counted(message.elements, "element") : std::string("a message")) +
         (message.isSend ? " to rank " : " from rank ") + std::to_string(message.partner) + (message.lockstep ? " in lockstep" : "");
}

static std::string stepText(const std::vector<harness::Message> &step, const CallCase &c) {
  std::string text;
  constexpr size_t most = 4;
  for (size_t i = 0; i < std::min(step.size(), most); ++i)
    text += (i ? ", " : "") + messageText(step[i], c);
  return text.empty() ? "nothing" : step.size() > most ? text + ", ..." : text;
}

/// The text of the first step in which a rank's messages differ: records the case again to get the messages.
std::string Judge::firstDifference(const CallCase &c, std::int64_t rank) const {
  const std::string where = "rank " + std::to_string(rank);
  Scratch scratch;
  if (scratch.failure || !dump(c, scratch))
    return where + " does not say and hear what the reference interpreter has";
  const std::vector<Outcome> outcomes = readReports(c.p, static_cast<size_t>(c.id) + 1, scratch);
  const Outcome &outcome = outcomes[static_cast<size_t>(c.id)];
  std::vector<harness::Trace> wanted(static_cast<size_t>(c.p), harness::Trace(/*keepSteps=*/true));
  (void)interpreted(c, request.seed, *request.interpreterLimits, &wanted);
  const std::vector<std::vector<harness::Message>> &steps = wanted[static_cast<size_t>(rank)].steps();
  for (std::uint64_t step = 0;; ++step) {
    auto found = outcome.messages.find({rank, step});
    const std::vector<harness::Message> none;
    const std::vector<harness::Message> &got = found == outcome.messages.end() ? none : found->second;
    const std::vector<harness::Message> &right = step < steps.size() ? steps[step] : none;
    if (got.empty() && right.empty())
      return where + " combines other numbers of elements than the reference interpreter";
    if (got == right)
      continue;
    const std::string gotText = stepText(got, c), rightText = stepText(right, c), at = where + ", step " + std::to_string(step) + ": ";
    if (gotText == rightText)
      return at + gotText + ", but not the elements that the reference interpreter has";
    return at + gotText + "; the reference interpreter has: " + rightText;
  }
}

std::string Judge::compareTraces(const CallCase &c, const Outcome &outcome, const std::vector<harness::Trace> &wanted) const {
  for (const Outcome::RankMessages &got : outcome.traces) {
    const harness::Trace &right = wanted[static_cast<size_t>(got.rank)];
    if (got.steps != right.stepCount() || got.hash != right.hash() || got.combined != right.combined())
      return firstDifference(c, got.rank);
  }
  return outcome.traces.size() == wanted.size() ? "" : "not all ranks have told what they say and hear";
}

/// Checks that a barrier separates: no rank leaves before all ranks have entered. Empty if so.
static std::string heard(const CallCase &c, const Outcome &outcome) {
  bool promised = llvm::any_of(c.schedule->collective->promises, [](const Promise &promise) { return promise.isHeard; });
  if (!promised || outcome.stay.empty())
    return "";
  std::int64_t lastEntered = outcome.stay.front().first, firstLeft = outcome.stay.front().second;
  for (auto [entered, left] : outcome.stay) {
    lastEntered = std::max(lastEntered, entered);
    firstLeft = std::min(firstLeft, left);
  }
  return firstLeft < lastEntered ? "a rank left " + std::to_string(lastEntered - firstLeft) + " ns before the last one entered" : "";
}

/// Runs the reference interpreter; if it fails, sets `problem`. A checked schedule fails only for lack of memory or steps. That
/// too is reported: a result that has not been compared does not count as right.
static std::optional<DataCase> interpretedOrNot(const CallCase &c, const RunRequest &request, std::vector<harness::Trace> *traces,
                                                std::string &problem) {
  try {
    DataCase data = interpreted(c, request.seed, *request.interpreterLimits, traces);
    problem = data.problem;
    return problem.empty() ? std::optional(std::move(data)) : std::nullopt;
  } catch (const Finding &finding) {
    problem = formatMessage(finding.diagnostic.facts);
  } catch (const EvaluationError &error) {
    problem = formatMessage(error.facts);
  }
  return std::nullopt;
}

std::string Judge::wrongWith(const CallCase &c, const Outcome &outcome) const {
  if (!outcome.errors.empty()) {
    // If there are several errors, prefer one that is not the echo of another rank's error.
    auto own = llvm::find_if(outcome.errors, [](const Outcome::Error &error) { return !error.isEcho; });
    const Outcome::Error &error = own == outcome.errors.end() ? outcome.errors.front() : *own;
    return "rank " + std::to_string(error.rank) + ": " + error.text;
  }
  if (!outcome.isDone(c.p))
    return "not finished";
  if (!outcome.misbehaviour.empty())
    return outcome.misbehaviour;
  if (c.isChosen && outcome.chosen != std::vector<std::int64_t>(static_cast<size_t>(c.p), c.numbers[0])) {
    std::string chosen;
    for (std::int64_t packets : outcome.chosen)
      chosen += (chosen.empty() ? "" : ", ") + std::to_string(packets);
    return "the ranks chose " + (chosen.empty() ? "nothing" : chosen) + ", not " + std::to_string(c.numbers[0]);
  }
  std::optional<DataCase> reference;
  try {
    if (std::string difference = compareWithLibrary(c, outcome); !difference.empty())
      return difference;
    if (!request.verify)
      return "";
    Expected expected(*c.schedule->collective, c, collectiveNumbers(c), request.seed);
    if (std::string difference = compare(c, outcome, expected); !difference.empty())
      return difference;
    if (request.interpreterLimits) {
      std::string problem;
      std::vector<harness::Trace> traces(static_cast<size_t>(c.p));
      reference = interpretedOrNot(c, request, request.validate ? &traces : nullptr, problem);
      if (!reference)
        return "the reference interpreter gives up: " + problem;
      if (std::string difference = compareWithReference(c, outcome, *reference); !difference.empty())
        return difference;
      if (request.validate)
        if (std::string difference = compareTraces(c, outcome, traces); !difference.empty())
          return difference;
    }
    if (std::string difference = compareCalls(c, outcome, expected, reference ? &*reference : nullptr); !difference.empty())
      return difference;
  } catch (const EvaluationError &error) {
    return formatMessage(error.facts);
  }
  return heard(c, outcome);
}

/// For each call, the time of the slowest rank.
static std::vector<double> slowest(const std::vector<std::vector<std::int64_t>> &ofRanks) {
  std::vector<double> calls;
  for (const std::vector<std::int64_t> &ofRank : ofRanks) {
    calls.resize(std::max(calls.size(), ofRank.size()));
    for (size_t i = 0; i < ofRank.size(); ++i)
      calls[i] = std::max(calls[i], static_cast<double>(ofRank[i]) / 1e9);
  }
  return calls;
}

Timing Judge::timing(const CallCase &c, const Outcome &outcome) const {
  Timing timing{slowest(outcome.timesNs), slowest(outcome.libraryNs), std::nullopt};
  if (request.predict && !timing.calls.empty())
    timing.predicted = request.predict(c);
  return timing;
}

/// Reports a promised block in which the MPI library's own collective has another result.
std::string Judge::compareWithLibrary(const CallCase &c, const Outcome &outcome) const {
  if (outcome.otherwise.empty())
    return "";
  Expected expected(*c.schedule->collective, c, collectiveNumbers(c), request.seed);
  for (const Outcome::Block &block : outcome.otherwise)
    if (expected.hash(block.output, block.rank, block.index))
      return place(c, block) + " is not what " + mpiCollective(*c.schedule->collective).str() + " has";
  return "";
}

/// Blocks stand side by side, separated by ` | `.
std::vector<std::string> Judge::shownResults(const CallCase &c, const Scratch &scratch) const {
  std::vector<std::string> result;
  constexpr std::uint64_t most = 64; // blocks, and elements of a block
  Expected expected(*c.schedule->collective, c, collectiveNumbers(c), request.seed);
  auto isPromised = [&](unsigned output, std::int64_t rank, std::uint64_t block) {
    try {
      return expected.block(output, rank, static_cast<std::int64_t>(block)) != nullptr;
    } catch (const EvaluationError &) { // wrongWith reports it if results are verified
      return false;
    }
  };
  const size_t bytes = harness::elementBytes(c.element);
  for (std::int64_t rank = 0; rank < c.p; ++rank) {
    std::string line;
    for (unsigned output = 0; output < c.outputs.size(); ++output) {
      const DataShape &shape = c.outputs[output];
      const std::uint64_t blocks = static_cast<std::uint64_t>(shape.blocks);
      auto results = llvm::MemoryBuffer::getFile(dumpFile(scratch, rank, c.id, output));
      if (!c.outputs[output].isAt(rank) || !results || (*results)->getBufferSize() < shape.offset(rank, shape.blocks, c.n) * bytes)
        continue;
      line += (line.empty() ? "" : ", ") + c.schedule->outputs[output]->name + " =";
      const auto *at = reinterpret_cast<const unsigned char *>((*results)->getBufferStart());
      for (std::uint64_t block = 0; block < blocks; ++block) {
        const std::uint64_t elements = shape.length(rank, static_cast<std::int64_t>(block), c.n);
        line += block ? " |" : "";
        if (block == most) {
          line += " ...";
          break;
        }
        bool isUntouched =
            llvm::all_of(llvm::ArrayRef(at, elements * bytes), [](unsigned char b) { return b == harness::untouched; });
        if (elements && isUntouched && !isPromised(output, rank, block)) {
          line += " -";
          at += elements * bytes;
          continue;
        }
        for (std::uint64_t e = 0; e < std::min(elements, most); ++e)
          line += " " + elementText(c.element, at + e * bytes);
        line += elements > most ? " ..." : "";
        at += elements * bytes;
      }
    }
    if (!line.empty())
      result.push_back("rank " + std::to_string(rank) + ": " + line);
  }
  return result;
}

} // namespace quadrille::compiler::run
