//===- RunSchedule.cpp - Compiling a schedule, running it and looking at what came out --------------------------------------===//

#include "RunSchedule.h"

#include "Cases.h"
#include "Expected.h"
#include "Launch.h"
#include "Toolchain.h"

#include "diagnostics/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

namespace quadrille::run {

using namespace ir;

std::string mainSource(const Schedule &schedule, const emit::EmittedCode &code) {
  std::string text;
  llvm::raw_string_ostream out(text);
  const bool hasData = !schedule.inputs.empty() || !schedule.outputs.empty();
  const bool folds = schedule.collective->folds();
  out << "// Runs " << code.baseName << " on the cases of a file; see quadrille/harness.h.\n\n"
      << "#include \"" << code.baseName << ".h\"\n\n#include \"quadrille/harness.h\"\n\n";
  auto adapter = [&](llvm::StringRef result, llvm::StringRef name, const std::string &function) {
    out << "static quadrille::" << result << ' ' << name << "(Communicator &comm, const quadrille::harness::Arguments &"
        << (schedule.numberCount || hasData ? "a" : "") << ",\n"
        << "    const Communicator::Datatype &" << (hasData ? "type" : "") << ", const Communicator::Operator &"
        << (folds ? "op" : "") << ") {\n";
    if (!code.packetsName.empty()) {
      out << "  if (a.numbers[0] == 0 && a.chosen == 0)\n    a.chosen = " << code.packetsName << "(comm";
      for (unsigned i = schedule.parameterCount; i < schedule.numberCount; ++i)
        out << ", a.numbers[" << i << "]";
      out << ", a.n, type);\n";
    }
    out << "  return " << function << "(comm";
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      out << ", a.numbers[" << i << "]";
    for (size_t i = 0; i < schedule.tables.size(); ++i)
      out << ", a.tables[" << i << "].data()";
    for (size_t i = 0; i < schedule.inputs.size(); ++i)
      out << ", a.inputs[" << i << "]";
    for (size_t i = 0; i < schedule.outputs.size(); ++i)
      out << ", a.outputs[" << i << "]";
    out << (emit::takesLength(schedule) ? ", a.n" : "") << (hasData ? ", type" : "") << (folds ? ", op" : "") << ");\n}\n\n";
  };
  adapter("Status", "run", code.baseName);
  adapter("Request", "start", code.startName);
  out << "int main(int argc, char **argv) { return quadrille::harness::main(argc, argv, run, start); }\n";
  return text;
}

namespace {

/// What the ranks report about one case.
struct Outcome {
  struct Block {
    std::int64_t rank;
    unsigned output;
    std::int64_t index;
    std::uint64_t hash;
  };
  std::vector<Block> blocks;
  std::vector<std::pair<std::int64_t, std::string>> errors; // rank, text
  std::vector<std::int64_t> doneBy;
  std::vector<std::int64_t> chosen;                         // number of packets, by each rank that chose
  std::vector<std::pair<std::int64_t, std::int64_t>> stay; // entered, left
  std::vector<std::vector<std::int64_t>> timesNs;          // per rank
  std::string misbehaviour;                                // wrote where it must not
};

class Runner {
public:
  Runner(const RunRequest &request, const Toolchain &toolchain, const std::string &program, llvm::raw_ostream &out,
         Diagnostics &diagnostics)
      : request(request), schedule(*request.schedule), toolchain(toolchain), program(program), out(out),
        diagnostics(diagnostics) {}

  /// All cases of one p. False if something was reported that makes going on pointless.
  bool run(const std::vector<Case> &cases);

  unsigned failed = 0, total = 0;

private:
  Ended launch(const std::vector<Case> &cases, const Scratch &scratch, llvm::StringRef prefix, std::optional<std::int64_t> dumped);
  void readReports(std::int64_t p, const Scratch &scratch, std::vector<Outcome> &outcomes);
  std::string judge(const Case &c, const Outcome &outcome);
  std::string compare(const Case &c, const Outcome &outcome, Expected &expected);
  std::string compareWithReference(const Case &c, const Outcome &outcome);
  std::string firstDifference(const Case &c, const Outcome::Block &block, const unsigned char *wanted, llvm::StringRef by);
  std::string heard(const Outcome &outcome) const;
  void showResults(const Case &c, const Scratch &scratch);
  std::string place(const Case &c, const Outcome::Block &block) const;
  std::string timing(const Case &c, const Outcome &outcome) const;
  std::vector<std::int64_t> collectiveNumbers(const Case &c) const {
    return {c.numbers.begin() + schedule.parameterCount, c.numbers.end()};
  }

  const RunRequest &request;
  const Schedule &schedule;
  const Toolchain &toolchain;
  const std::string &program;
  llvm::raw_ostream &out;
  Diagnostics &diagnostics;
  std::string problem; // of the last launch
};

Ended Runner::launch(const std::vector<Case> &cases, const Scratch &scratch, llvm::StringRef prefix,
                             std::optional<std::int64_t> dumped) {
  const std::string casesFile = scratch.file("cases");
  auto encodeCases = [&](llvm::raw_ostream &out) {
    for (const Case &c : cases)
      out << encode(c, request);
  };
  if (std::error_code failure = writeFile(casesFile, encodeCases)) {
    problem = "the cases cannot be written: " + failure.message();
    return Ended::NotAtAll;
  }
  std::vector<std::string> arguments;
  if (request.nonblocking)
    arguments.push_back("--nonblocking");
  for (const std::string &word : {std::to_string(cases.front().p), casesFile, scratch.file(prefix)})
    arguments.push_back(word);
  if (dumped)
    arguments.push_back(std::to_string(*dumped));
  // The program has deadlines of its own, per step; this one is for what they do not catch.
  const std::uint64_t seconds = std::uint64_t{request.timeoutSeconds} * (dumped ? 1 : cases.size()) + 5;
  Launched launched = run::launch(toolchain, program, cases.front().p, arguments, seconds, scratch);
  problem = launched.problem;
  return launched.ended;
}

void Runner::readReports(std::int64_t p, const Scratch &scratch, std::vector<Outcome> &outcomes) {
  for (Outcome &outcome : outcomes)
    outcome.timesNs.resize(static_cast<size_t>(p));
  for (std::int64_t rank = 0; rank < p; ++rank) {
    auto file = llvm::MemoryBuffer::getFile(scratch.file("rank" + std::to_string(rank)));
    if (!file)
      continue;
    llvm::StringRef rest = (*file)->getBuffer();
    while (!rest.empty()) {
      llvm::StringRef line;
      std::tie(line, rest) = rest.split('\n');
      auto word = [&] {
        llvm::StringRef first;
        std::tie(first, line) = line.split(' ');
        return first;
      };
      auto number = [&](auto &value) { return !word().getAsInteger(10, value); };
      llvm::StringRef what = word();
      size_t id = 0;
      if (!number(id) || id >= outcomes.size())
        continue;
      Outcome &outcome = outcomes[id];
      if (what == "block") {
        Outcome::Block block{rank, 0, 0, 0};
        if (number(block.output) && number(block.index) && number(block.hash))
          outcome.blocks.push_back(block);
      } else if (what == "status") {
        word();
        outcome.errors.push_back({rank, line.str()});
      } else if (what == "changed") {
        outcome.misbehaviour = "rank " + std::to_string(rank) + " wrote to its input";
      } else if (what == "overrun") {
        outcome.misbehaviour = "rank " + std::to_string(rank) + " wrote beside its buffers";
      } else if (what == "differs") {
        std::uint64_t call = 0;
        number(call);
        outcome.misbehaviour = "rank " + std::to_string(rank) + ": of the calls in flight at once, number " + std::to_string(call) +
                               " has another result than the blocking form";
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
      } else if (what == "done") {
        outcome.doneBy.push_back(rank);
      }
    }
  }
}

std::string Runner::place(const Case &c, const Outcome::Block &block) const {
  std::string text = "rank " + std::to_string(block.rank) + ", `" + schedule.outputs[block.output]->name + "`";
  if (c.outputs[block.output].blocks != 1 || schedule.outputs[block.output]->isArray)
    text += " block " + std::to_string(block.index);
  return text;
}

/// Runs the case again to see the elements themselves.
std::string Runner::firstDifference(const Case &c, const Outcome::Block &block, const unsigned char *wanted, llvm::StringRef by) {
  const std::string where = place(c, block);
  const size_t bytes = harness::elementBytes(c.element);
  Scratch scratch;
  Case again = c;
  again.id = 0;
  if (!scratch.failure && launch({again}, scratch, "rank", 0) == Ended::Well) {
    auto dump = llvm::MemoryBuffer::getFile(scratch.file("rank" + std::to_string(block.rank) + "." + std::to_string(block.output)));
    const Shape &shape = c.outputs[block.output];
    const std::uint64_t elements = shape.length(block.rank, block.index, c.n);
    const size_t begin = shape.offset(block.rank, block.index, c.n) * bytes;
    if (dump && (*dump)->getBufferSize() >= begin + elements * bytes) {
      const auto *got = reinterpret_cast<const unsigned char *>((*dump)->getBufferStart()) + begin;
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

std::string Runner::compare(const Case &c, const Outcome &outcome, Expected &expected) {
  for (const Outcome::Block &block : outcome.blocks) {
    std::optional<std::uint64_t> wanted = expected.hash(block.output, block.rank, block.index);
    if (!wanted || *wanted == block.hash)
      continue;
    const Bytes *bytes = expected.block(block.output, block.rank, block.index);
    return firstDifference(c, block, bytes->data(), "promised is");
  }
  return "";
}

std::string Runner::compareWithReference(const Case &c, const Outcome &outcome) {
  if (!request.reference)
    return "";
  const size_t bytes = harness::elementBytes(c.element);
  ReferenceCase reference;
  reference.schedule = &schedule;
  reference.p = c.p;
  reference.numbers = c.numbers;
  reference.lengths = c.lengths;
  reference.elementBytes = bytes;
  reference.combine = [&](void *into, const void *left, const void *right, std::uint64_t count) {
    harness::combine(c.element, c.combiner, into, left, right, count);
  };
  for (std::int64_t rank = 0; rank < c.p; ++rank) {
    auto &inputs = reference.inputs.emplace_back();
    for (size_t i = 0; i < c.inputs.size(); ++i) {
      Bytes &input = inputs.emplace_back();
      if (!c.inputs[i].isAt(rank))
        continue;
      const std::uint64_t elements = c.inputs[i].offset(rank, c.inputs[i].blocks, c.n);
      input.resize(elements * bytes);
      fillInput(input.data(), c, request.seed, rank, static_cast<unsigned>(i), 0, elements);
    }
    auto &outputs = reference.outputs.emplace_back();
    for (const Shape &shape : c.outputs)
      outputs.emplace_back(shape.isAt(rank) ? shape.offset(rank, shape.blocks, c.n) * bytes : 0, harness::untouched);
  }
  if (std::string problem = request.reference(reference); !problem.empty())
    return "the reference interpreter gives up: " + problem;
  for (const Outcome::Block &block : outcome.blocks) {
    const Shape &shape = c.outputs[block.output];
    const size_t blockBytes = shape.length(block.rank, block.index, c.n) * bytes;
    const Bytes &whole = reference.outputs[static_cast<size_t>(block.rank)][block.output];
    const unsigned char *wanted = whole.data() + shape.offset(block.rank, block.index, c.n) * bytes;
    const bool isUntouched = llvm::all_of(llvm::ArrayRef(wanted, blockBytes), [](unsigned char b) { return b == harness::untouched; });
    // In place, what is not written still holds the input.
    if ((c.inPlace && isUntouched) || harness::hash(wanted, blockBytes) == block.hash)
      continue;
    return firstDifference(c, block, wanted, "the reference interpreter has");
  }
  return "";
}

/// A barrier: nobody leaves before everybody has entered.
std::string Runner::heard(const Outcome &outcome) const {
  bool promised = llvm::any_of(schedule.collective->promises, [](const Promise &promise) { return promise.isHeard; });
  if (!promised || outcome.stay.empty())
    return "";
  std::int64_t lastEntered = outcome.stay.front().first, firstLeft = outcome.stay.front().second;
  for (auto [entered, left] : outcome.stay) {
    lastEntered = std::max(lastEntered, entered);
    firstLeft = std::min(firstLeft, left);
  }
  return firstLeft < lastEntered ? "a rank left " + std::to_string(lastEntered - firstLeft) + " ns before the last one entered" : "";
}

/// What is wrong with an outcome; empty: nothing.
std::string Runner::judge(const Case &c, const Outcome &outcome) {
  if (!outcome.errors.empty()) {
    // Of several errors, one that is no echo of another rank's.
    auto own = llvm::find_if(outcome.errors, [](const auto &error) { return !llvm::StringRef(error.second).contains("another rank"); });
    const auto &[rank, text] = own == outcome.errors.end() ? outcome.errors.front() : *own;
    return "rank " + std::to_string(rank) + ": " + text;
  }
  if (static_cast<std::int64_t>(outcome.doneBy.size()) < c.p)
    return "not finished";
  if (!outcome.misbehaviour.empty())
    return outcome.misbehaviour;
  if (c.isChosen && outcome.chosen != std::vector<std::int64_t>(static_cast<size_t>(c.p), c.numbers[0])) {
    std::string chosen;
    for (std::int64_t packets : outcome.chosen)
      chosen += (chosen.empty() ? "" : ", ") + std::to_string(packets);
    return "the ranks chose " + (chosen.empty() ? "nothing" : chosen) + ", not " + std::to_string(c.numbers[0]);
  }
  if (!request.verify)
    return "";
  try {
    Expected expected(*schedule.collective, c, collectiveNumbers(c), request.seed);
    if (std::string difference = compare(c, outcome, expected); !difference.empty())
      return difference;
  } catch (const EvaluationError &error) {
    return formatMessage(error.id, error.args);
  }
  if (std::string difference = compareWithReference(c, outcome); !difference.empty())
    return difference;
  return heard(outcome);
}

/// A call is as slow as its slowest rank.
std::string Runner::timing(const Case &c, const Outcome &outcome) const {
  std::vector<std::int64_t> calls(request.repeat);
  for (const std::vector<std::int64_t> &ofRank : outcome.timesNs)
    for (size_t i = 0; i < calls.size() && i < ofRank.size(); ++i)
      calls[i] = std::max(calls[i], ofRank[i]);
  if (calls.empty())
    return "";
  llvm::sort(calls);
  std::string text;
  llvm::raw_string_ostream stream(text);
  const double fastest = double(calls.front()) / 1e3, median = double(calls[calls.size() / 2]) / 1e3;
  stream << llvm::format(" min=%.3fus median=%.3fus", fastest, median);
  if (c.n > 0 && median > 0)
    stream << llvm::format(" words/s=%.4g", double(c.n) / median * 1e6);
  if (std::optional<double> seconds = request.predict ? request.predict(c) : std::nullopt) {
    stream << llvm::format(" predicted=%.3fus", *seconds * 1e6);
    if (*seconds > 0)
      stream << llvm::format(" ratio=%.2f", median / (*seconds * 1e6));
  }
  return text;
}

/// What every rank ended with, from the files that it left. Blocks stand side by side, separated by ` | `.
void Runner::showResults(const Case &c, const Scratch &scratch) {
  constexpr std::uint64_t most = 64; // blocks, and elements of a block
  Expected expected(*schedule.collective, c, collectiveNumbers(c), request.seed);
  auto isPromised = [&](unsigned output, std::int64_t rank, std::uint64_t block) {
    try {
      return expected.block(output, rank, static_cast<std::int64_t>(block)) != nullptr;
    } catch (const EvaluationError &) { // whoever verifies is told
      return false;
    }
  };
  const size_t bytes = harness::elementBytes(c.element);
  for (std::int64_t rank = 0; rank < c.p; ++rank) {
    std::string line;
    for (unsigned output = 0; output < c.outputs.size(); ++output) {
      const Shape &shape = c.outputs[output];
      const std::uint64_t blocks = static_cast<std::uint64_t>(shape.blocks);
      auto dump =
          llvm::MemoryBuffer::getFile(scratch.file("rank" + std::to_string(rank) + "." + std::to_string(output)));
      if (!c.outputs[output].isAt(rank) || !dump || (*dump)->getBufferSize() < shape.offset(rank, shape.blocks, c.n) * bytes)
        continue;
      line += (line.empty() ? "" : ", ") + schedule.outputs[output]->name + " =";
      const auto *at = reinterpret_cast<const unsigned char *>((*dump)->getBufferStart());
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
      out << "  rank " << rank << ": " << line << '\n';
  }
}

bool Runner::run(const std::vector<Case> &cases) {
  if (cases.empty())
    return true;
  Scratch scratch;
  const std::int64_t p = cases.front().p;
  if (scratch.failure) {
    diagnostics.report(diag::Id::CacheUnwritable, {}, {"the temporary directory", scratch.failure.message()});
    return false;
  }
  const Ended ended = launch(cases, scratch, "rank", request.show ? std::optional(cases.front().id) : std::nullopt);
  const std::string launchProblem = problem;
  if (ended == Ended::NotAtAll) {
    diagnostics.report(diag::Id::RunCrashed, schedule.nameRange, {std::to_string(p), "could not be started: " + launchProblem});
    return false;
  }
  std::vector<Outcome> outcomes(cases.size());
  readReports(p, scratch, outcomes);
  bool sawError = false;
  for (const Case &c : cases) {
    const Outcome &outcome = outcomes[static_cast<size_t>(c.id)];
    const bool ranAtAll = !outcome.doneBy.empty() || !outcome.errors.empty();
    std::string wrong = judge(c, outcome);
    if (!ranAtAll && sawError)
      wrong = "not run";
    sawError |= !wrong.empty();
    ++total;
    failed += !wrong.empty();
    out << describe(c, request) << ": " << (wrong.empty() ? (request.verify ? "ok" : "ran, not verified") + timing(c, outcome) : wrong) << '\n';
    if (request.show && ranAtAll)
      showResults(c, scratch);
  }
  out.flush();
  if (ended == Ended::TooLate)
    diagnostics.report(diag::Id::RunTimedOut, schedule.nameRange,
                       {std::to_string(p), std::to_string(request.timeoutSeconds)});
  else if (ended == Ended::Badly && !sawError)
    diagnostics.report(diag::Id::RunCrashed, schedule.nameRange, {std::to_string(p), "ended badly: " + launchProblem});
  else if (ended == Ended::Badly)
    diagnostics.report(Diagnostic(diag::Id::RunCrashed, schedule.nameRange, {std::to_string(p), "ended early"})
                           .note(diag::Id::RunSaid, {}, {launchProblem}));
  return ended == Ended::Well;
}

} // namespace

bool runSchedule(const RunRequest &request, const Sources &sources, llvm::raw_ostream &out, Diagnostics &diagnostics) {
  const unsigned errorsBefore = diagnostics.errorCount();
  // Mistakes in the request first: they cost nothing to find.
  std::vector<std::vector<Case>> cases;
  for (std::int64_t p : request.ps) {
    std::optional<std::vector<Case>> ofP = casesFor(request, p, diagnostics);
    if (!ofP)
      return false;
    cases.push_back(std::move(*ofP));
  }
  std::optional<Toolchain> toolchain = findToolchain(request.backend, request.executable, diagnostics);
  if (!toolchain)
    return false;
  emit::EmitOptions options;
  options.backend = request.backend;
  emit::EmittedCode code = emit::emitSchedule(*request.schedule, *request.program, sources, options);
  std::optional<std::string> program = buildProgram(code, mainSource(*request.schedule, code), *toolchain, diagnostics);
  if (!program)
    return false;
  Runner runner(request, *toolchain, *program, out, diagnostics);
  // What a launch leaves to be shown is of one case.
  if (request.show) {
    std::vector<std::vector<Case>> single;
    for (std::vector<Case> &ofP : cases)
      for (Case &c : ofP) {
        c.id = 0;
        single.push_back({std::move(c)});
      }
    cases = std::move(single);
  }
  for (const std::vector<Case> &ofP : cases)
    if (!runner.run(ofP) && diagnostics.errorCount() > errorsBefore + 10)
      break;
  if (runner.failed > 0)
    diagnostics.report(diag::Id::RunsFailed, request.schedule->nameRange, {std::to_string(runner.failed), std::to_string(runner.total)});
  return diagnostics.errorCount() == errorsBefore;
}

} // namespace quadrille::run
