//===- quadrille/harness.h - Runs an emitted collective on many cases --*- C++ -*-===//
//
// Included after the emitted header, which brings in the backend. `quadrille
// run` generates a `main` of a few lines around it:
//
//   #include "scan_hypercube.h"
//   #include "quadrille/harness.h"
//
//   static quadrille::Status run(Communicator &comm, const quadrille::harness::Arguments &a,
//                                const Communicator::Datatype &type,
//                                const Communicator::Operator &op) {
//     return scan_hypercube(comm, a.inputs[0], a.outputs[0], a.n, type, op);
//   }
//   int main(int argc, char **argv) { return quadrille::harness::main(argc, argv, run, start); }
//
// where `start` is the same for the nonblocking form and returns a Request.
//
// usage: driver [--nonblocking] P CASES RESULTS-PREFIX [DUMPED-CASE]
//
// With --nonblocking several calls are in flight at once: see `InFlight`.
//
// CASES has one case per line, in words: its number, n, type, operator,
// whether in place, seed, repetitions, time limit, alpha and beta of the
// machine, how many numbers and these, how many tables and for
// each how many entries and these, and for inputs and then outputs how many,
// and for each the blocks, the rank that has it (-1: all), and how many lengths
// (0: all blocks have n elements) and these, rank by
// rank; then the bytes of all inputs in hexadecimal digits, or `-` for random
// ones.
// Rank r writes PREFIXr: a line per fact, see `Report`.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_HARNESS_H
#define QUADRILLE_HARNESS_H

#include "quadrille/harness/data.h"
#include "quadrille/index.h"
#include "quadrille/machine.h"
#include "quadrille/request.h"
#include "quadrille/status.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace quadrille {
namespace harness {

/// What a generated `run` hands to the collective.
struct Arguments {
  std::vector<Index> numbers;
  std::vector<std::vector<std::size_t>> tables;
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  std::size_t n = 0;
  std::vector<std::size_t> inputBytes, outputBytes; ///< on this rank
  mutable Index chosen = 0; ///< the number of packets that a generated `run` found to be taken for 0; 0: none was
};

/// Blocks that one rank, or all, put in or get.
struct Shape {
  Index blocks = 1;
  Index rank = none;
  std::vector<Index> lengths; ///< of block b of rank r at r*blocks + b; empty: n everywhere

  Index length(Index r, Index block, std::size_t n) const {
    return lengths.empty() ? static_cast<Index>(n) : lengths[static_cast<std::size_t>(r * blocks + block)];
  }
  /// Elements of a rank before a block.
  Index offset(Index r, Index block, std::size_t n) const {
    Index sum = 0;
    for (Index j = 0; j < block; ++j)
      sum += length(r, j, n);
    return sum;
  }
  bool isAt(Index r) const { return rank == none || rank == r; }
};

struct Case {
  Index id = 0;
  std::size_t n = 0;
  Element element = Element::Double;
  Combiner combiner = Combiner::Sum;
  bool inPlace = false;
  std::uint64_t seed = 0;
  unsigned repeat = 0;
  Index timeoutMs = 0;
  MachineTimes machine;
  std::vector<Index> numbers;
  std::vector<std::vector<std::size_t>> tables;
  std::vector<Shape> inputs, outputs;
  std::vector<unsigned char> given; // elements of all ranks, see givenOffset; empty: random ones
};

/// "0aff"; false if these are no bytes.
inline bool readBytes(const std::string &digits, std::vector<unsigned char> &bytes) {
  for (std::size_t i = 0; i + 2 <= digits.size(); i += 2) {
    char *end = nullptr;
    const std::string byte = digits.substr(i, 2);
    bytes.push_back(static_cast<unsigned char>(std::strtoul(byte.c_str(), &end, 16)));
    if (*end)
      return false;
  }
  return digits.size() % 2 == 0;
}

inline bool readCases(const char *file, std::vector<Case> &cases) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    Case c;
    std::string element, combiner;
    std::size_t count = 0;
    words >> c.id >> c.n >> element >> combiner >> c.inPlace >> c.seed >> c.repeat >> c.timeoutMs >>
        c.machine.alpha >> c.machine.beta >> count;
    c.numbers.resize(count);
    for (Index &number : c.numbers)
      words >> number;
    words >> count;
    c.tables.resize(count);
    for (std::vector<std::size_t> &table : c.tables) {
      words >> count;
      table.resize(count);
      for (std::size_t &entry : table)
        words >> entry;
    }
    for (std::vector<Shape> *shapes : {&c.inputs, &c.outputs}) {
      words >> count;
      shapes->resize(count);
      for (Shape &shape : *shapes) {
        words >> shape.blocks >> shape.rank >> count;
        shape.lengths.resize(count);
        for (Index &length : shape.lengths)
          words >> length;
      }
    }
    std::string given;
    words >> given;
    if (!words || !find(element, c.element) || !find(combiner, c.combiner) ||
        (given != "-" && !readBytes(given, c.given)))
      return false;
    cases.push_back(std::move(c));
  }
  return true;
}

/// The file in which a rank notes what it found, a line per fact:
///   block CASE OUTPUT BLOCK HASH    a block of a result
///   status CASE CODE TEXT           how the call ended, if badly
///   differs CASE CALL               of calls in flight, one has another result than the blocking form
///   changed CASE INPUT              an input that was not in place was written to
///   overrun CASE                    memory beside a buffer was written to
///   entered CASE NS LEFT-NS         of a collective without data
///   chose CASE K                    the number of packets taken for 0
///   time CASE NS                    one of the repeated calls
///   done CASE
/// It is flushed after every case, so that it tells how far a rank came.
class Report {
public:
  Report(const std::string &prefix, Index rank) : prefix_(prefix), rank_(rank), out_(prefix + std::to_string(rank)) {}

  template <class... Words> void line(const char *what, Index id, const Words &...words) {
    out_ << what << ' ' << id;
    ((out_ << ' ' << words), ...);
    out_ << '\n';
  }
  void flush() { out_.flush(); }

  /// The bytes of an output, for a comparison element by element.
  void dump(std::size_t output, const std::vector<unsigned char> &bytes) {
    std::ofstream file(prefix_ + std::to_string(rank_) + "." + std::to_string(output), std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

private:
  std::string prefix_;
  Index rank_;
  std::ofstream out_;
};

/// Memory with a margin on which nobody has any business.
class Buffer {
public:
  explicit Buffer(std::size_t bytes) : bytes_(bytes), data_(bytes + margin, untouched) {}

  void *get() { return data_.data(); }
  std::size_t size() const { return bytes_; }
  bool isOverrun() const {
    for (std::size_t i = bytes_; i < data_.size(); ++i)
      if (data_[i] != untouched)
        return true;
    return false;
  }
  std::vector<unsigned char> contents() const { return {data_.begin(), data_.begin() + static_cast<std::ptrdiff_t>(bytes_)}; }
  const unsigned char *data() const { return data_.data(); }

private:
  static constexpr std::size_t margin = 64;
  std::size_t bytes_;
  std::vector<unsigned char> data_;
};

inline long long nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Ends the process if the next call hangs where no watchdog looks. Every call that any rank begins puts it off.
inline void limitTime(const Case &c) { alarm(c.timeoutMs > 0 ? static_cast<unsigned>(c.timeoutMs / 1000 + 5) : 0); }

/// Returns when all ranks have called it, so that what is timed next begins at
/// nearly the same time on all: a dissemination barrier.
template <class Communicator> Status synchronize(Communicator &comm) {
  typename Communicator::Call call(comm, "harness");
  for (Index distance = 1; distance < comm.size(); distance *= 2) {
    auto step = call.step(comm.everyone(), 0);
    step.send((comm.rank() + distance) % comm.size());
    step.recv((comm.rank() + comm.size() - distance) % comm.size());
    if (Status bad = step.finish())
      return call.finish(bad);
  }
  return call.finish({});
}

/// Runs one case on one rank. Returns how the first call ended.
template <class Communicator, class Run>
Status runCase(Communicator &comm, const Case &c, const typename Communicator::Datatype &type,
               const typename Communicator::Operator &op, Run run, Report &report, bool dump) {
  const Index rank = comm.rank();
  const std::size_t bytes = elementBytes(c.element);
  auto sizeOf = [&](const Shape &shape) { return static_cast<std::size_t>(shape.offset(rank, shape.blocks, c.n)) * bytes; };
  comm.setTimeout(c.timeoutMs);
  comm.setMachine(c.machine);

  std::vector<Buffer> inputs, outputs;
  Arguments arguments;
  arguments.numbers = c.numbers;
  arguments.tables = c.tables;
  arguments.n = c.n;
  const bool together = c.inPlace && !c.inputs.empty() && !c.outputs.empty();
  for (std::size_t i = 0; i < c.outputs.size(); ++i) {
    std::size_t size = c.outputs[i].isAt(rank) ? sizeOf(c.outputs[i]) : 0;
    if (together && i == 0 && c.inputs[0].isAt(rank) && sizeOf(c.inputs[0]) > size)
      size = sizeOf(c.inputs[0]);
    outputs.emplace_back(size);
  }
  for (std::size_t i = 0; i < c.inputs.size(); ++i)
    inputs.emplace_back(c.inputs[i].isAt(rank) && !(together && i == 0) ? sizeOf(c.inputs[i]) : 0);
  for (std::size_t i = 0; i < c.outputs.size(); ++i)
    arguments.outputs.push_back(c.outputs[i].isAt(rank) ? outputs[i].get() : nullptr);
  for (std::size_t i = 0; i < c.inputs.size(); ++i)
    arguments.inputs.push_back(!c.inputs[i].isAt(rank) ? nullptr : together && i == 0 ? outputs[0].get() : inputs[i].get());
  auto fillInputs = [&] {
    for (std::size_t i = 0; i < c.inputs.size(); ++i)
      if (c.inputs[i].isAt(rank) && !c.given.empty())
        std::memcpy(const_cast<void *>(arguments.inputs[i]),
                    c.given.data() + givenOffset(c.inputs, c.n, rank, i) * bytes, sizeOf(c.inputs[i]));
      else if (c.inputs[i].isAt(rank))
        fill(const_cast<void *>(arguments.inputs[i]), c.element, c.combiner, c.seed, static_cast<std::uint64_t>(rank), i, 0,
             static_cast<std::uint64_t>(c.inputs[i].offset(rank, c.inputs[i].blocks, c.n)));
  };
  fillInputs();
  for (const Buffer &input : inputs)
    arguments.inputBytes.push_back(input.size());
  for (const Buffer &output : outputs)
    arguments.outputBytes.push_back(output.size());
  std::vector<std::uint64_t> before;
  for (Buffer &input : inputs)
    before.push_back(hash(input.data(), input.size()));

  const bool withoutData = c.inputs.empty() && c.outputs.empty();
  if (withoutData) // arrive at different times, so that leaving too early shows
    std::this_thread::sleep_for(std::chrono::microseconds(200 * (mix(c.seed + static_cast<std::uint64_t>(rank)) % 16)));
  limitTime(c);
  const long long entered = nowNs();
  Status status = run(comm, arguments, type, op);
  const long long left = nowNs();
  if (status)
    report.line("status", c.id, static_cast<int>(status.code()), status.text());
  if (arguments.chosen != 0)
    report.line("chose", c.id, arguments.chosen);
  if (withoutData)
    report.line("entered", c.id, entered, left);
  for (std::size_t i = 0; i < c.outputs.size(); ++i) {
    if (!c.outputs[i].isAt(rank))
      continue;
    std::size_t at = 0;
    for (Index j = 0; j < c.outputs[i].blocks; ++j) {
      const std::size_t blockBytes = static_cast<std::size_t>(c.outputs[i].length(rank, j, c.n)) * bytes;
      report.line("block", c.id, i, j, hash(outputs[i].data() + at, blockBytes));
      at += blockBytes;
    }
    if (dump)
      report.dump(i, outputs[i].contents());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (hash(inputs[i].data(), inputs[i].size()) != before[i])
      report.line("changed", c.id, i);
  for (const std::vector<Buffer> *list : {&inputs, &outputs})
    for (const Buffer &buffer : *list)
      if (buffer.isOverrun())
        report.line("overrun", c.id);

  // Threads that have just begun share a core until the system has spread them. So there are calls that are not timed, as many on
  // all ranks: of short calls as many as take some milliseconds, of long ones a single one.
  constexpr long long mostUntimed = 300, elementsUntimed = 1 << 20;
  const long long untimed = c.repeat == 0 ? 0 : std::clamp<long long>(elementsUntimed / std::max<long long>(c.n, 1), 1, mostUntimed);
  for (long long i = -untimed; i < static_cast<long long>(c.repeat) && !status; ++i) {
    if (together)
      fillInputs();
    limitTime(c);
    Status again = synchronize(comm);
    const long long begin = nowNs();
    if (!again)
      again = run(comm, arguments, type, op);
    if (i >= 0)
      report.line("time", c.id, nowNs() - begin);
    if (again) {
      report.line("status", c.id, static_cast<int>(again.code()), again.text());
      status = again;
    }
  }
  report.line("done", c.id);
  report.flush();
  return status;
}

/// For the blocking form: every case is one call.
template <class Run> struct OneCall {
  Run run;
  const Run &forCase(const Case &, Report &) const { return run; }
};

/// For the nonblocking form: the case's call and some with other data are in
/// flight at once, with a blocking call in between, and end in an order that
/// each rank chooses for itself. The other calls are compared with the blocking
/// form; the case's own result is for the compiler to judge. The timed calls
/// that follow are started and waited for one at a time.
template <class Run, class Start> class InFlight {
public:
  InFlight(Run run, Start start) : run_(run), start_(start) {}

  InFlight forCase(const Case &c, Report &report) const {
    InFlight result(*this);
    result.case_ = &c;
    result.report_ = &report;
    return result;
  }

  template <class Communicator>
  Status operator()(Communicator &comm, const Arguments &arguments, const typename Communicator::Datatype &type,
                    const typename Communicator::Operator &op) {
    if (!isFirst_)
      return start_(comm, arguments, type, op).wait();
    isFirst_ = false;
    const std::size_t own = static_cast<std::size_t>(case_->id) % calls;
    std::vector<Data> data, expected;
    for (std::size_t i = 0; i < calls; ++i) {
      data.emplace_back(*case_, arguments, comm.rank(), i);
      expected.emplace_back(*case_, arguments, comm.rank(), i);
    }
    const bool hasData = !arguments.inputs.empty() || !arguments.outputs.empty();
    const auto reference = [&](std::size_t i) {
      return hasData && i != own ? run_(comm, expected[i].arguments, type, op) : Status();
    };
    std::vector<Request> requests;
    Status result;
    for (std::size_t i = 0; i < calls; ++i) {
      requests.push_back(start_(comm, i == own ? arguments : data[i].arguments, type, op));
      if (i + 2 == calls && !result) // the others have not begun to wait, either
        result = reference(0);
    }
    std::uint64_t order = mix(case_->seed + static_cast<std::uint64_t>(comm.rank() + 64 * case_->id));
    std::vector<Request *> pending;
    for (Request &request : requests)
      pending.push_back(&request);
    while (!pending.empty()) {
      const auto next = pending.begin() + static_cast<std::ptrdiff_t>(order % pending.size());
      order = mix(order);
      if (order & 64)
        while (!(*next)->test())
          std::this_thread::yield();
      const Status ended = (*next)->wait();
      if (ended && (!result || result.code() == ErrorCode::Aborted))
        result = ended;
      pending.erase(next);
    }
    for (std::size_t i = 1; i < calls && !result; ++i)
      result = reference(i);
    for (std::size_t i = 0; i < calls && hasData && !result; ++i)
      if (i != own && !data[i].isLike(expected[i]))
        report_->line("differs", case_->id, i);
    return result;
  }

private:
  static constexpr std::size_t calls = 4;

  /// Data as large as the case's, in place if that is, with other values.
  struct Data {
    Data(const Case &c, const Arguments &like, Index rank, std::size_t call) : arguments(like) {
      for (std::size_t i = 0; i < like.outputs.size(); ++i) {
        outputs.emplace_back(like.outputBytes[i]);
        arguments.outputs[i] = like.outputs[i] ? outputs[i].get() : nullptr;
      }
      for (std::size_t i = 0; i < like.inputs.size(); ++i) {
        inputs.emplace_back(like.inputBytes[i]);
        if (!like.inputs[i])
          continue;
        const bool inPlace = i == 0 && c.inPlace && !like.outputs.empty();
        Buffer &buffer = inPlace ? outputs[0] : inputs[i];
        arguments.inputs[i] = buffer.get();
        const std::uint64_t elements = buffer.size() / elementBytes(c.element);
        fill(buffer.get(), c.element, c.combiner, c.seed + 1000 * (call + 1), static_cast<std::uint64_t>(rank), i, 0, elements);
      }
    }
    Data(Data &&) = default;
    Data(const Data &) = delete;

    bool isLike(const Data &other) const {
      for (std::size_t i = 0; i < outputs.size(); ++i)
        if (outputs[i].isOverrun() || outputs[i].contents() != other.outputs[i].contents())
          return false;
      return true;
    }

    std::vector<Buffer> inputs, outputs;
    Arguments arguments;
  };

  Run run_;
  Start start_;
  const Case *case_ = nullptr;
  Report *report_ = nullptr;
  bool isFirst_ = true;
};

/// Whether other ranks may still be under way in a call that ended like this.
inline bool mayBeUnderWay(const Status &status) { return static_cast<int>(status.code()) >= static_cast<int>(ErrorCode::BadPartner); }

#if defined(QUADRILLE_SHM_H)

inline shm::Datatype datatypeOf(Element element) {
  switch (element) {
  case Element::Int32:
    return shm::Datatype::of<std::int32_t>();
  case Element::Int64:
    return shm::Datatype::of<std::int64_t>();
  case Element::UInt8:
    return shm::Datatype::of<std::uint8_t>();
  case Element::UInt32:
    return shm::Datatype::of<std::uint32_t>();
  case Element::UInt64:
    return shm::Datatype::of<std::uint64_t>();
  case Element::Float:
    return shm::Datatype::of<float>();
  case Element::Double:
    return shm::Datatype::of<double>();
  case Element::Mat2:
  case Element::Indexed:
    break;
  }
  return shm::Datatype::opaque(elementBytes(element));
}

inline void multiplyMatrices(const void *in, void *inout, std::size_t count, const shm::Datatype &, void *) {
  combine(Element::Mat2, Combiner::Matmul, inout, in, inout, count);
}

template <Combiner combiner>
void locateElements(const void *in, void *inout, std::size_t count, const shm::Datatype &, void *) {
  combine(Element::Indexed, combiner, inout, in, inout, count);
}

inline shm::Operator operatorOf(Combiner combiner) {
  static const shm::Operator builtin[] = {shm::Operator::sum(), shm::Operator::prod(), shm::Operator::min(), shm::Operator::max(),
                                          shm::Operator::band(), shm::Operator::bor(), shm::Operator::bxor()};
  if (combiner == Combiner::Matmul)
    return shm::Operator::user(multiplyMatrices);
  if (combiner == Combiner::Minloc)
    return shm::Operator::user(locateElements<Combiner::Minloc>, nullptr, /*commutative=*/true);
  if (combiner == Combiner::Maxloc)
    return shm::Operator::user(locateElements<Combiner::Maxloc>, nullptr, /*commutative=*/true);
  return builtin[static_cast<std::size_t>(combiner)];
}

/// Ranks are threads.
template <class Run> int runCases(Index p, const std::vector<Case> &cases, const std::string &prefix, Index dumped, Run run) {
  shm::Team team(p);
  std::vector<Report> reports;
  for (Index rank = 0; rank < p; ++rank)
    reports.emplace_back(prefix, rank);
  for (const Case &c : cases) {
    if (dumped != none && c.id != dumped)
      continue;
    // The next case starts afresh, however this one ends; the report tells.
    const Status ended = team.run([&](shm::Communicator &comm) {
      return runCase(comm, c, datatypeOf(c.element), operatorOf(c.combiner),
                     run.forCase(c, reports[static_cast<std::size_t>(comm.rank())]),
                     reports[static_cast<std::size_t>(comm.rank())], dumped != none);
    });
    static_cast<void>(ended);
  }
  return 0;
}

#elif defined(QUADRILLE_MPI_H)

extern "C" inline void quadrilleHarnessMultiply(void *in, void *inout, int *count, MPI_Datatype *) {
  combine(Element::Mat2, Combiner::Matmul, inout, in, inout, static_cast<std::uint64_t>(*count));
}

/// Ranks are processes; MPI must have been started.
template <class Run> int runCases(Index p, const std::vector<Case> &cases, const std::string &prefix, Index dumped, Run run) {
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (size != p) {
    std::fprintf(stderr, "%d processes instead of %lld\n", size, static_cast<long long>(p));
    return 1;
  }
  MPI_Datatype matrix;
  MPI_Type_contiguous(4, MPI_UINT32_T, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op multiply;
  MPI_Op_create(quadrilleHarnessMultiply, /*commute=*/0, &multiply);
  const MPI_Datatype types[] = {MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T, MPI_UINT32_T, MPI_UINT64_T,
                                MPI_FLOAT,   MPI_DOUBLE,  matrix,      MPI_2INT};
  const MPI_Op operators[] = {MPI_SUM, MPI_PROD, MPI_MIN,  MPI_MAX,    MPI_BAND,
                              MPI_BOR, MPI_BXOR, multiply, MPI_MINLOC, MPI_MAXLOC};
  {
    mpi::Communicator comm(MPI_COMM_WORLD);
    Report report(prefix, rank);
    for (const Case &c : cases) {
      if (dumped != none && c.id != dumped)
        continue;
      const Status ended = runCase(comm, c, mpi::Datatype(types[static_cast<std::size_t>(c.element)]),
                                   mpi::Operator(operators[static_cast<std::size_t>(c.combiner)]), run.forCase(c, report), report,
                                   dumped != none);
      // Messages of the failed call may still be on their way to the next.
      if (mayBeUnderWay(ended))
        MPI_Abort(MPI_COMM_WORLD, 0);
    }
  }
  MPI_Op_free(&multiply);
  MPI_Type_free(&matrix);
  return 0;
}

#else
#error "include the emitted header, which brings in a backend, before this one"
#endif

template <class Run> int runAll(int argc, char **argv, Run run) {
  int result = 1;
  std::vector<Case> cases;
  if (argc < 4)
    std::fprintf(stderr, "usage: %s [--nonblocking] P CASES RESULTS-PREFIX [DUMPED-CASE]\n", argv[0]);
  else if (!readCases(argv[2], cases))
    std::fprintf(stderr, "cannot read the cases in %s\n", argv[2]);
  else
    result = runCases(std::atoll(argv[1]), cases, argv[3], argc > 4 ? std::atoll(argv[4]) : none, run);
  return result;
}

template <class Run, class Start> int main(int argc, char **argv, Run run, Start start) {
#if defined(QUADRILLE_MPI_H)
  MPI_Init(&argc, &argv);
#endif
  const bool nonblocking = argc > 1 && std::strcmp(argv[1], "--nonblocking") == 0;
  if (nonblocking) {
    argv[1] = argv[0];
    --argc, ++argv;
  }
  const int result = nonblocking ? runAll(argc, argv, InFlight<Run, Start>(run, start)) : runAll(argc, argv, OneCall<Run>{run});
#if defined(QUADRILLE_MPI_H)
  MPI_Finalize();
#endif
  return result;
}

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_H
