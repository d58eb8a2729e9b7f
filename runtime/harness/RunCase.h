//===- RunCase.h - One case on one rank -------------------------*- C++ -*-===//

#ifndef QUADRILLE_HARNESS_RUNCASE_H
#define QUADRILLE_HARNESS_RUNCASE_H

#include "Results.h"
#include "Times.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <thread>

#include <unistd.h>

namespace quadrille {
namespace harness {

/// Options of the command line.
struct Options {
  bool nonblocking = false; ///< run the nonblocking form, with several calls in flight
  bool persistent = false;  ///< run the persistent form, started several times
  bool validate = false;    ///< record plans and validate them instead of running, see Validate.h
  unsigned traced = 0;      ///< so many calls whose operations are timed, see Times.h
  bool dump = false;        ///< write all results to files
  std::vector<Index> plans; ///< write the plans of these ranks to files instead of running, see PlanFile.h
  bool receivesFirst = false; ///< for these plans: first receive into memory, then combine
};

/// Sets an alarm that ends the process if a call hangs outside the watchdog. Every call of a rank renews it.
inline void limitTime(const Case &c) { alarm(c.timeoutMs > 0 ? static_cast<unsigned>(c.timeoutMs / 1000 + 5) : 0); }

/// Runs a case on one rank.
template <class Communicator> class CaseRunner {
public:
  using Datatype = typename Communicator::Datatype;
  using Operator = typename Communicator::Operator;

  /// Returns a call of the MPI library's own collective with these arguments, which
  /// can be made several times.
  using Library = std::function<std::function<Status()>(const Arguments &)>;
  /// Sets the observer of the communicator's calls; null: none.
  using Observe = void (*)(Communicator &, quadrille::detail::PlanObserver *);

  CaseRunner(Communicator &comm, const Collective<Communicator> &collective, const Case &c, const Datatype &type,
             const Operator &op, const Options &options, Report &report, Observe observe, Library library = nullptr)
      : comm_(comm), collective_(collective), case_(c), type_(type), op_(op), options_(options), report_(report),
        observe_(observe), library_(std::move(library)) {}

  /// Runs the case. Returns the first error of a call.
  Status run() {
    const Index rank = comm_.rank();
    // Every second case has no watchdog: then a rank may wait in other ways, such as inside MPI.
    comm_.setTimeout(case_.order % 2 == 1 ? 0 : case_.timeoutMs);
    comm_.setMachine(case_.machine);
    Data data(case_, rank, 0);
    const std::vector<std::uint64_t> before = hashesOfInputs(data);

    if (!case_.hasData()) // arrive at different times, so that a rank that leaves too early is noticed
      std::this_thread::sleep_for(std::chrono::microseconds(200 * (mix(case_.seed + static_cast<std::uint64_t>(rank)) % 16)));
    limitTime(case_);
    const long long entered = nowNs();
    Status status = options_.persistent ? again(data) : options_.nonblocking ? inFlight(data) : call(data);
    const long long left = nowNs();
    if (status)
      noteStatus(report_, case_, status);
    if (data.arguments.chosen != 0)
      report_.line("chose", case_.id, data.arguments.chosen);
    if (!case_.hasData())
      report_.line("entered", case_.id, entered, left);
    noteOutputs(report_, case_, rank, data, options_.dump);
    noteMisbehaviour(report_, case_, data, before);
    if (case_.repeat > 0 && !status)
      status = time(data);
    if (options_.traced > 0 && !status)
      status = traceTimes(data);
    report_.line("done", case_.id);
    report_.flush();
    return status;
  }

private:
  Status call(const Data &data) { return collective_.run(comm_, data.arguments, type_, op_); }
  Request start(const Data &data) { return collective_.start(comm_, data.arguments, type_, op_); }

  /// Starts the call of the case and calls with other data, so that all are in flight at once, with a blocking call in between.
  /// Waits for them in an order that differs between ranks. Compares the results of the other calls with the blocking form; the
  /// compiler compares the result of the case.
  Status inFlight(Data &ownData) {
    constexpr std::size_t calls = 4;
    const std::size_t own = static_cast<std::size_t>(case_.order) % calls;
    std::vector<Data> others, expected;
    for (std::size_t i = 0; i < calls; ++i) {
      others.emplace_back(case_, comm_.rank(), i + 1);
      expected.emplace_back(case_, comm_.rank(), i + 1);
    }
    const auto reference = [&](std::size_t i) { return case_.hasData() && i != own ? call(expected[i]) : Status(); };
    std::vector<Request> requests;
    Status result;
    for (std::size_t i = 0; i < calls; ++i) {
      requests.push_back(start(i == own ? ownData : others[i]));
      if (i + 2 == calls && !result) // no rank waits for a request before this call
        result = reference(0);
    }
    std::uint64_t order = mix(case_.seed + static_cast<std::uint64_t>(comm_.rank() + 64 * case_.order));
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
    for (std::size_t i = 0; i < calls && case_.hasData() && !result; ++i)
      if (i != own)
        noteDifferences(report_, case_, comm_.rank(), i, others[i], expected[i]);
    if (std::any_of(others.begin(), others.end(), [](const Data &data) { return data.isOverrun(); }))
      report_.line("overrun", case_.id);
    return result;
  }

  /// Prepares the call of the case once and starts it several times. In between,
  /// overwrites the outputs and makes other calls. The compiler compares the last
  /// result.
  Status again(Data &data) {
    constexpr int starts = 3;
    Persistent persistent = collective_.prepare(comm_, data.arguments, type_, op_);
    Data other(case_, comm_.rank(), 1);
    Persistent beside = collective_.prepare(comm_, other.arguments, type_, op_);
    for (int i = 0; i < starts; ++i) {
      data.spoilOutputs();
      if (data.isInPlace())
        data.fillInputs();
      if (Status bad = persistent.start())
        return bad;
      if (other.isInPlace())
        other.fillInputs();
      Status bad = beside.start();
      if (i % 2 == 1 && !bad) // wait in reverse order
        bad = beside.wait();
      const Status ended = persistent.wait();
      bad = ended ? ended : bad ? bad : beside.wait();
      if (bad)
        return bad;
      if (other.isInPlace())
        other.fillInputs();
      if (case_.hasData())
        if (Status failed = call(other))
          return failed;
    }
    if (other.isOverrun())
      report_.line("overrun", case_.id);
    return {};
  }

  /// A dissemination barrier, so that all ranks begin a timed call at nearly the
  /// same time.
  Status synchronize() {
    typename Communicator::Call call(comm_, "harness");
    for (Index distance = 1; distance < comm_.size(); distance *= 2) {
      auto step = call.step(comm_.everyone(), 0);
      step.send((comm_.rank() + distance) % comm_.size());
      step.recv((comm_.rank() + comm_.size() - distance) % comm_.size());
      if (Status bad = step.finish())
        return call.finish(bad);
    }
    return call.finish({});
  }

  static Status startAndWait(Persistent &persistent) {
    const Status bad = persistent.start();
    return bad ? bad : persistent.wait();
  }

  /// Makes a call when all ranks are ready, and reports the time that it takes.
  template <class Body> Status timed(const char *what, bool isReported, Body body) {
    limitTime(case_);
    Status status = synchronize();
    const long long begin = nowNs();
    if (!status)
      status = body();
    if (isReported)
      report_.line(what, case_.id, nowNs() - begin);
    return status;
  }

  /// Reports the blocks in which the MPI library's own collective has another result.
  void compareWithLibrary(const Data &own, const Data &other) {
    forEachBlock(case_, comm_.rank(), [&](std::size_t output, Index block, std::size_t at, std::size_t bytes) {
      if (std::memcmp(own.outputs[output].data() + at, other.outputs[output].data() + at, bytes) != 0)
        report_.line("otherwise", case_.id, output, block);
    });
  }

  /// The number of calls that are made first and not timed, the same on all ranks, since new threads share a core until the system has
  /// spread them. Short calls are made for some milliseconds, a long one once.
  long long untimedCalls() const {
    constexpr long long mostUntimed = 300, elementsUntimed = 1 << 20;
    return std::clamp<long long>(elementsUntimed / std::max<long long>(static_cast<long long>(case_.n), 1), 1, mostUntimed);
  }

  /// Makes calls whose operations are timed, one after the other, and reports when the rank did what.
  Status traceTimes(Data &data) {
    OperationTimes times;
    Status status;
    for (long long i = -untimedCalls(); i < static_cast<long long>(options_.traced) && !status; ++i) {
      limitTime(case_);
      if (data.isInPlace())
        data.fillInputs();
      status = synchronize();
      if (status)
        break;
      if (i >= 0) {
        times.nextCall();
        observe_(comm_, &times);
      }
      status = call(data);
      observe_(comm_, nullptr);
      if (i >= 0)
        times.endCall();
    }
    if (status)
      noteStatus(report_, case_, status);
    else
      times.write(report_, case_.id, comm_.size());
    return status;
  }

  /// Makes the timed calls, one after the other. Those of the MPI library are made in between, so that other load on the machine slows
  /// both.
  Status time(Data &data) {
    const long long untimed = untimedCalls();
    Persistent persistent;
    if (options_.persistent)
      persistent = collective_.prepare(comm_, data.arguments, type_, op_);
    std::optional<Data> other;
    std::function<Status()> library;
    if (library_) {
      other.emplace(case_, comm_.rank(), 0);
      library = library_(other->arguments);
    }
    const auto ofSchedule = [&] {
      return options_.nonblocking ? start(data).wait() : options_.persistent ? startAndWait(persistent) : call(data);
    };
    for (long long i = -untimed; i < static_cast<long long>(case_.repeat); ++i) {
      if (data.isInPlace())
        data.fillInputs();
      // They take turns at being the second one, which may find memory in the caches.
      const bool libraryFirst = library && i % 2 != 0;
      Status status = libraryFirst ? timed("library", i >= 0, library) : Status();
      if (!status)
        status = timed("time", i >= 0, ofSchedule);
      if (!status && library && !libraryFirst)
        status = timed("library", i >= 0, library);
      if (status) {
        noteStatus(report_, case_, status);
        return status;
      }
    }
    if (other)
      compareWithLibrary(data, *other);
    return {};
  }

  Communicator &comm_;
  const Collective<Communicator> &collective_;
  const Case &case_;
  const Datatype &type_;
  const Operator &op_;
  const Options &options_;
  Report &report_;
  const Observe observe_;
  Library library_;
};

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_RUNCASE_H
