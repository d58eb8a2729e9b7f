//===- MpiTest.cpp - The MPI backend, run under mpirun --------------------===//
//
// Exits with 1 on every rank if anything failed on any. With the argument
// --threads MPI is initialized for several threads and progress threads are
// tested.
//
//===----------------------------------------------------------------------===//

#include "AlltoallvChecks.h"
#include "CollectiveChecks.h"
#include "MpiPersistentChecks.h"
#include "NonblockingChecks.h"
#include "RepeatedChecks.h"

#include "quadrille/mpi.h"

#include "Execution.h" // private: ElementOperations
#include "State.h"     // private: Message, to lower its largest count

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

#ifdef __linux__
#include <sched.h>
#endif

using namespace quadrille;
using checks::Report;
using mpi::Communicator;

static void multiplyMatrices(void *in, void *inout, int *count, MPI_Datatype *) {
  checks::multiply(in, inout, static_cast<std::size_t>(*count));
}

/// Elements with gaps: a column of a row-major matrix. The gaps must not be
/// changed.
static void derivedType(Communicator &comm, Report &report) {
  const int columns = 5;
  MPI_Datatype vector, column;
  const Index rows = 7, me = comm.rank();
  MPI_Type_vector(static_cast<int>(rows), 1, columns, MPI_INT64_T, &vector);
  MPI_Type_create_resized(vector, 0, sizeof(std::int64_t), &column);
  MPI_Type_commit(&column);
  const std::size_t cells = static_cast<std::size_t>(rows) * columns;
  std::vector<std::int64_t> x(cells), y(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    x[i] = checks::valueOf(0, 0, i);
    y[i] = me == 0 ? x[i] : -1;
  }
  // Three columns next to each other: elements that interleave.
  const std::size_t n = 3;
  EXPECT_GOOD(emitted::broadcast_pipeline(comm, 2, 0, x.data(), y.data(), n, column));
  bool right = true;
  for (std::size_t i = 0; i < cells; ++i)
    right = right && y[i] == (me == 0 || i % columns < 3 ? x[i] : -1);
  EXPECT_THAT(right);

  MPI_Type_free(&column);
  MPI_Type_free(&vector);
}

/// A matrix that begins 8 bytes into an element of 32, and its product.
static void multiplyPadded(void *in, void *inout, int *count, MPI_Datatype *) {
  for (int i = 0; i < *count; ++i)
    checks::multiply(static_cast<char *>(in) + 32 * i + 8,
                     static_cast<char *>(inout) + 32 * i + 8, 1);
}

static void paddedType(Communicator &comm, Report &report) {
  MPI_Datatype shifted, padded;
  const int length = 4;
  const MPI_Aint offset = 8;
  MPI_Type_create_hindexed(1, &length, &offset, MPI_UINT32_T, &shifted);
  MPI_Type_create_resized(shifted, 0, 32, &padded);
  MPI_Type_commit(&padded);
  MPI_Op op;
  MPI_Op_create(multiplyPadded, 0, &op);
  const std::size_t n = 600; // more than one piece of the temporary
  {
    // A temporary's memory begins where its first byte is, at a cache line,
    // which is not where its first element begins.
    Communicator::Call call(comm, "temporary.quad", padded);
    const Region t = call.temporary(1, 1);
    const auto begin = reinterpret_cast<std::uintptr_t>(t.segments().begin()->data);
    EXPECT_THAT((begin + 8) % 64 == 0);
  }
  std::vector<unsigned char> x(32 * n, 0xee), y(32 * n, 0xdd);
  for (std::size_t i = 0; i < n; ++i) {
    const checks::Matrix m = checks::matrixOf(comm.rank(), i);
    std::memcpy(&x[32 * i + 8], &m, sizeof m);
  }
  const auto check = [&](Index from, Index step, Index to) {
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) {
      checks::Matrix expected = checks::matrixOf(from, i), got;
      for (Index r = from + step; r != to + step; r += step)
        expected = step > 0 ? expected * checks::matrixOf(r, i)
                            : checks::matrixOf(r, i) * expected;
      std::memcpy(&got, &y[32 * i + 8], sizeof got);
      right = right && got == expected;
      for (std::size_t gap : {std::size_t{0}, std::size_t{7}, std::size_t{24}, std::size_t{31}})
        right = right && y[32 * i + gap] == 0xdd;
    }
    EXPECT_THAT(right);
  };
  EXPECT_GOOD(emitted::scan_chain(comm, x.data(), y.data(), n, padded, op));
  check(0, 1, comm.rank());
  EXPECT_GOOD(emitted::reduce_chain(comm, 0, x.data(), y.data(), n, padded, op));
  if (comm.rank() == 0)
    check(0, 1, comm.size() - 1);
  MPI_Op_free(&op);
  MPI_Type_free(&padded);
  MPI_Type_free(&shifted);
}

/// Lengths that do not fit into an int, with a smaller int.
static void largeCounts(Communicator &comm, Report &report) {
  std::vector<std::int32_t> data(40);
  const quadrille::detail::Elements blocks(reinterpret_cast<std::byte *>(data.data()), 40, 4);
  int size = 0;
  const std::size_t n = 40;
  {
    mpi::detail::Message message;
    EXPECT_THAT(message.describe(blocks, MPI_INT32_T, 40) == MPI_SUCCESS);
    EXPECT_THAT(message.count == 40 && message.type == MPI_INT32_T);
  }
  {
    mpi::detail::Message message;
    EXPECT_THAT(message.describe(blocks, MPI_INT32_T, 39) == MPI_SUCCESS);
    MPI_Type_size(message.type, &size);
    EXPECT_THAT(message.count == 1 && size == 160);
    for (int i = 0; i < 40; ++i)
      data[static_cast<std::size_t>(i)] = i;
    std::vector<std::int32_t> packed(40);
    MPI_Sendrecv(message.buffer, message.count, message.type, 0, 1, packed.data(), 40,
                 MPI_INT32_T, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    EXPECT_THAT(packed == data);
  }
  // For real, if asked for: it needs 2 * 2.2 GB per rank.
  if (std::getenv("QUADRILLE_TEST_LARGE") && comm.size() <= 2) {
    const std::size_t large = (std::size_t{1} << 31) + 12345;
    std::vector<std::uint8_t> x(comm.rank() == 0 ? large : 0), y(large);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<std::uint8_t>(i * 7 >> 3);
    EXPECT_GOOD(emitted::broadcast_pipeline(comm, 1, 0, x.data(), y.data(), large,
                                            MPI_UINT8_T));
    bool right = true;
    for (std::size_t i = 0; i < large; ++i)
      right = right && y[i] == static_cast<std::uint8_t>(i * 7 >> 3);
    EXPECT_THAT(right);
  }
}

/// What MPI defines the operation to be on numbers of C. MPI's own are no model:
/// some releases compare unsigned numbers as if they were signed, or do not wrap
/// where numbers are short.
template <class T> static T defined(MPI_Op op, T a, T b) {
  if (op == MPI_MIN)
    return a < b ? a : b;
  if (op == MPI_MAX)
    return a > b ? a : b;
  if constexpr (std::is_integral_v<T>) {
    const auto wide = [](T x) { return static_cast<std::uint64_t>(x); };
    const std::uint64_t x = wide(a), y = wide(b);
    return static_cast<T>(op == MPI_SUM    ? x + y
                          : op == MPI_PROD ? x * y
                          : op == MPI_BAND ? (x & y)
                          : op == MPI_BOR  ? (x | y)
                          : op == MPI_BXOR ? (x ^ y)
                          : op == MPI_LAND ? std::uint64_t{a != 0 && b != 0}
                                           : std::uint64_t{a != 0 || b != 0});
  } else {
    return op == MPI_SUM ? a + b : a * b;
  }
}

/// Numbers of every kind are combined as MPI defines it, wherever the result is to
/// be.
template <class T> static void operatorsOn(MPI_Datatype type, Communicator &comm, Report &report) {
  constexpr std::size_t n = 67; // more than a few vectors, and a rest
  std::vector<MPI_Op> ops = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX};
  if (std::is_integral_v<T>)
    for (const MPI_Op op : {MPI_BAND, MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR})
      ops.push_back(op);
  quadrille::detail::Arena arena;
  std::vector<T> a(n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<T>(i % 5 == 0 ? 0 : 3 * static_cast<int>(i) - 70);
    b[i] = static_cast<T>(i % 7 == 0 ? 0 : 50 - 2 * static_cast<int>(i));
  }
  a[1] = std::numeric_limits<T>::max();
  for (const MPI_Op op : ops) {
    std::vector<T> expected(n), apart(n), intoA = a, intoB = b;
    for (std::size_t i = 0; i < n; ++i)
      expected[i] = defined(op, a[i], b[i]);
    mpi::detail::ElementOperations operations(type, op, comm.rank(), mpi::detail::TestAccess::state(comm), arena);
    const auto combine = [&](std::vector<T> &to, const std::vector<T> &left, const std::vector<T> &right) {
      operations.combine(reinterpret_cast<std::byte *>(to.data()), reinterpret_cast<const std::byte *>(left.data()),
                         reinterpret_cast<const std::byte *>(right.data()), static_cast<Index>(n));
    };
    combine(apart, a, b);
    combine(intoA, intoA, b);
    combine(intoB, a, intoB);
    EXPECT_THAT(apart == expected && intoA == expected && intoB == expected && !operations.failure());
  }
}

static void operatorsOfMpi(Communicator &comm, Report &report) {
  operatorsOn<double>(MPI_DOUBLE, comm, report);
  operatorsOn<float>(MPI_FLOAT, comm, report);
  operatorsOn<signed char>(MPI_SIGNED_CHAR, comm, report);
  operatorsOn<unsigned char>(MPI_UNSIGNED_CHAR, comm, report);
  operatorsOn<short>(MPI_SHORT, comm, report);
  operatorsOn<unsigned short>(MPI_UNSIGNED_SHORT, comm, report);
  operatorsOn<int>(MPI_INT, comm, report);
  operatorsOn<unsigned>(MPI_UNSIGNED, comm, report);
  operatorsOn<long>(MPI_LONG, comm, report);
  operatorsOn<unsigned long>(MPI_UNSIGNED_LONG, comm, report);
  operatorsOn<long long>(MPI_LONG_LONG, comm, report);
  operatorsOn<unsigned long long>(MPI_UNSIGNED_LONG_LONG, comm, report);
  operatorsOn<std::int8_t>(MPI_INT8_T, comm, report);
  operatorsOn<std::uint8_t>(MPI_UINT8_T, comm, report);
  operatorsOn<std::int16_t>(MPI_INT16_T, comm, report);
  operatorsOn<std::uint16_t>(MPI_UINT16_T, comm, report);
  operatorsOn<std::int32_t>(MPI_INT32_T, comm, report);
  operatorsOn<std::uint32_t>(MPI_UINT32_T, comm, report);
  operatorsOn<std::int64_t>(MPI_INT64_T, comm, report);
  operatorsOn<std::uint64_t>(MPI_UINT64_T, comm, report);
}

static void badHandles(Communicator &comm, Report &report) {
  double x = 1, y = 2;
  report.expect(emitted::scan_chain(comm, &x, &y, 1, MPI_DATATYPE_NULL, MPI_SUM).code() ==
                    ErrorCode::BadParameter,
                comm.rank(), "null datatype");
  report.expect(emitted::scan_chain(comm, &x, &y, 1, MPI_DOUBLE, MPI_OP_NULL).code() ==
                    ErrorCode::BadParameter,
                comm.rank(), "null operator");
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  report.expect(emitted::scan_chain(comm, &x, &y, 1, pair, MPI_SUM).code() ==
                    ErrorCode::BadParameter,
                comm.rank(), "predefined operator on a derived type");
  MPI_Type_free(&pair);
  Communicator nobody(MPI_COMM_NULL);
  report.expect(emitted::barrier_dissemination(nobody).code() == ErrorCode::Transport,
                comm.rank(), "null communicator");
}

/// Calls in flight with the same tag do not mix.
static void fewTags(const checks::Environment<Communicator> &env, Report &report) {
  for (const std::uint64_t tags : {1, 2, 5}) {
    Communicator comm(MPI_COMM_WORLD);
    comm.setTimeout(60000);
    mpi::detail::TestAccess::setTags(comm, tags);
    for (const std::size_t n : {1, 100})
      checks::manyInFlight(comm, 30, n, env, report);
  }
}

static void nonblocking(Communicator &comm, const checks::Environment<Communicator> &env,
                        Report &report) {
  for (const Index timeoutMs : {60000, 0}) {
    comm.setTimeout(timeoutMs);
    for (const std::size_t n : {0, 1, 7, 1000, 30001})
      checks::manyInFlight(comm, n > 1000 ? 6 : 40, n, env, report);
    for (int i = 0; i < 20; ++i)
      checks::crossing(comm, i % 2 ? 0 : 15, report);
    for (const std::size_t n : {10, 100'000})
      checks::overlap(comm, n, report);
  }
  checks::nonblockingErrors(comm, env, report);
  checks::nonblockingTimeout(comm, report);
  fewTags(env, report);
  checks::persistent(env, report);
  checks::persistentAfterFailure(report);
}

/// The environment of rank 0 determines the machine on all ranks.
static void machineOfRankZero(Report &report) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ::setenv("QUADRILLE_ALPHA", std::to_string(rank + 3).c_str(), 1);
  if (rank != 0)
    ::setenv("QUADRILLE_BETA", "5", 1);
  Communicator comm(MPI_COMM_WORLD);
  ::unsetenv("QUADRILLE_ALPHA");
  ::unsetenv("QUADRILLE_BETA");
  report.expect(comm.machine().alpha == 3, rank, "alpha is not rank 0's");
  report.expect(comm.machine().beta == usualMpiMachine.beta, rank, "beta is not rank 0's");
  Communicator usual(MPI_COMM_WORLD);
  const MachineTimes found = usual.machine(), expected = usualMpiMachine.sharedBy(found.ranksPerCore * found.cores, found.cores);
  report.expect(found.alpha == expected.alpha, rank, "alpha is not the usual one");
}

/// The handle of a type of the program's may be another type's by now, so calls with
/// it are not repeated without a look at it.
#ifdef __linux__
/// Ranks share cores if there are fewer cores on which they may run, and all of them know.
static void knowsWhetherCoresAreShared(Report &report) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  cpu_set_t before, together;
  CPU_ZERO(&before);
  CPU_ZERO(&together);
  sched_getaffinity(0, sizeof before, &before);
  MPI_Allreduce(&before, &together, static_cast<int>(sizeof before), MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  const auto sharesCores = [] {
    Communicator comm(MPI_COMM_WORLD);
    return mpi::detail::TestAccess::state(comm).sharedCores > 0;
  };
  report.expect(sharesCores() == (size > CPU_COUNT(&together)), rank, "is mistaken about whether ranks share cores");
  // One core for all.
  int core = 0;
  while (rank == 0 && !CPU_ISSET(core, &before))
    ++core;
  MPI_Bcast(&core, 1, MPI_INT, 0, MPI_COMM_WORLD);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  int isBound = sched_setaffinity(0, sizeof one, &one) == 0 ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &isBound, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (isBound)
    report.expect(sharesCores() == (size > 1), rank, "does not know that all ranks share one core");
  if (isBound && size > 1) {
    Communicator comm(MPI_COMM_WORLD);
    report.expect(comm.machine().cores == 1 && comm.machine().ranksPerCore == size, rank, "does not choose packets as one of many on its core");
  }
  sched_setaffinity(0, sizeof before, &before);
}
#endif

static void typesAreLookedAtAgain(Communicator &comm, Report &report) {
  std::vector<unsigned char> x(64, 7), y;
  y.reserve(64);
  const std::size_t n = 1;
  static char site;
  const CallKey key(site, x.data(), y.data());
  // How many of some equal calls are repeated.
  const auto repeated = [&](MPI_Datatype type, std::size_t bytes) {
    int count = 0;
    for (int i = 0; i < 4; ++i) {
      y.assign(64, 0);
      Status ended;
      if (comm.repeat(key, type, ended)) {
        ++count;
      } else {
        Communicator::Call call(comm, "copy.quad", type);
        call.keepAs(key);
        ended = call.requireBuffer("x", x.data(), 1, n);
        ended = call.requireBuffer("y", y.data(), 1, n);
        ended = call.run({}, [&]() -> Status {
          const Region out = call.output(y.data(), 1, 1), in = call.input(x.data(), 1, 1);
          call.copy(out, in);
          return {};
        });
      }
      EXPECT_GOOD(ended);
      EXPECT_THAT(static_cast<std::size_t>(std::count(y.begin(), y.end(), 7)) == bytes);
    }
    return count;
  };
  EXPECT_THAT(repeated(MPI_DOUBLE, 8) == 2);
  for (const int bytes : {8, 16, 24}) { // whose handles may be the same
    MPI_Datatype own = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(bytes, MPI_BYTE, &own);
    MPI_Type_commit(&own);
    EXPECT_THAT(repeated(own, static_cast<std::size_t>(bytes)) == 0);
    MPI_Type_free(&own);
  }
}

/// Adds slowly the first time. The sender gives up meanwhile.
static void addSlowly(void *in, void *inout, int *count, MPI_Datatype *) {
  static bool isFirst = true;
  if (isFirst) {
    isFirst = false;
    timespec pause{0, 400'000'000};
    nanosleep(&pause, nullptr);
  }
  for (int i = 0; i < *count; ++i)
    static_cast<std::int64_t *>(inout)[i] += static_cast<std::int64_t *>(in)[i];
}

/// Rank 0 gives up a message of several cells and makes the next call. Rank 1, which is
/// in the middle of that message, must not take cells of the next one for its rest.
static void messagesAreNotMixed(Communicator &comm, Report &report) {
  if (comm.size() < 2)
    return;
  MPI_Op sum;
  MPI_Op_create(addSlowly, 1, &sum);
  const Index pieces = 60, n = 100; // every second piece is sent: 48000 bytes
  std::vector<std::int64_t> x(static_cast<std::size_t>(2 * pieces * n));
  for (const std::int64_t value : {1, 2}) {
    std::fill(x.begin(), x.end(), comm.rank() == 0 ? value : 0);
    comm.setTimeout(comm.rank() == 0 && value == 1 ? 100 : 60000);
    Status status;
    {
      Communicator::Call call(comm, "mixed", MPI_INT64_T, sum);
      const Region half = Region::uniform(x.data(), sizeof(std::int64_t), 2 * pieces, n).select(0, 2 * pieces, [](Index j) {
        return j % 2 == 0;
      });
      auto step = call.step(comm.everyone(), 1);
      if (comm.rank() == 0)
        step.send(half, 1);
      else if (comm.rank() == 1)
        step.recvCombine(half, 0, Side::Left);
      status = call.finish(step.finish());
    }
    if (comm.rank() == 0 && value == 1)
      report.expect(status.code() == ErrorCode::Timeout, 0, status.text());
    if (comm.rank() != 1)
      continue;
    if (value == 2)
      EXPECT_GOOD(status);
    if (!status)
      EXPECT_THAT(std::count(x.begin(), x.end(), value) == pieces * n);
  }
  comm.setTimeout(0);
  EXPECT_GOOD(emitted::barrier_dissemination(comm));
  MPI_Op_free(&sum);
}

int main(int argc, char **argv) {
  const bool threads = argc > 1 && std::strcmp(argv[1], "--threads") == 0;
  const int wanted = threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, wanted, &provided);
#ifdef MPICH_VERSION
  // What it finds out while it completes requests it tells the handlers of these,
  // not that of the messages' communicator.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  checks::tellsCutLengths = false;
#endif
  int failed = 0;
  {
    Report report;
    Communicator comm(MPI_COMM_WORLD);
    MPI_Datatype matrix;
    MPI_Type_contiguous(4, MPI_UINT32_T, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op product;
    MPI_Op_create(multiplyMatrices, 0, &product);
    const checks::Environment<Communicator> env{matrix, product};

    if (threads && provided == MPI_THREAD_MULTIPLE) {
      comm.setTimeout(60000);
      checks::progressThread(comm, 100, env, report);
      comm.setTimeout(0);
      checks::progressThread(comm, 3000, env, report);
    } else {
      const Status refused = comm.startProgressThread();
      report.expect(refused.code() == ErrorCode::BadParameter, comm.rank(),
                    std::string("a progress thread: ") + refused.text());
    }
    nonblocking(comm, env, report);
    for (const std::size_t n : std::vector<std::size_t>{0, 1, 2, 7, 64, 1000, 30001})
      checks::everyCollective(comm, n, env, report);
    comm.setTimeout(60000); // the polling way to wait
    for (const std::size_t n : std::vector<std::size_t>{0, 5, 5000})
      checks::everyCollective(comm, n, env, report);
    comm.setTimeout(0);
    checks::commonErrors(comm, env, report);
    checks::lengthMismatch(comm, report);
    checks::alltoallvIsRight(comm, MPI_INT64_T, report);
    operatorsOfMpi(comm, report);
    derivedType(comm, report);
    paddedType(comm, report);
    largeCounts(comm, report);
    badHandles(comm, report);
    typesAreLookedAtAgain(comm, report);
    checks::lateRanks(comm, MPI_INT64_T, MPI_SUM, 600, report);
    machineOfRankZero(report);
#ifdef __linux__
    knowsWhetherCoresAreShared(report);
#endif
    checks::timeout(comm, report);
    messagesAreNotMixed(comm, report);
    for (int i = 0; i < 100; ++i)
      checks::everyCollective(comm, static_cast<std::size_t>(i % 9), env, report);

    MPI_Op_free(&product);
    MPI_Type_free(&matrix);
    if (!report.good())
      std::fprintf(stderr, "%s", report.text().c_str());
    const int mine = report.good() ? 0 : 1;
    MPI_Allreduce(&mine, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (comm.rank() == 0 && !failed)
      std::printf("quadrille_mpi_tests: passed with %d ranks\n",
                  static_cast<int>(comm.size()));
  }
  MPI_Finalize();
  return failed;
}
