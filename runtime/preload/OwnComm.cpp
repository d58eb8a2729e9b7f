//===- OwnComm.cpp - What the library keeps of a communicator -------------===//

#include "Calls.h"
#include "Flights.h"
#include "Summary.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

using namespace quadrille;
using namespace quadrille::preload;

namespace {

struct State {
  std::atomic<bool> isActive{false}; ///< whoever sees it (acquire) sees all that `begin` has set before (release)
  Wishes wishes;
  int keyOfComm = MPI_KEYVAL_INVALID, keyOfSelf = MPI_KEYVAL_INVALID;
  std::mutex mutex;
  std::vector<OwnComm *> all;  ///< those whose attribute is there
  std::vector<OwnComm *> dead; ///< to be freed
};

/// Never destroyed: a program may end without MPI_Finalize, in any thread.
State &state() {
  static State &only = *new State;
  return only;
}

[[noreturn]] void giveUp(const char *what) {
  std::fprintf(stderr, "quadrille: %s\n", what);
  std::fflush(stderr);
  PMPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

/// Called by MPI, which may be freeing the communicator.
int onDelete(MPI_Comm, int, void *value, void *) {
  State &process = state();
  OwnComm *const own = static_cast<OwnComm *>(value);
  // Attributes of MPI_COMM_WORLD are deleted after the end, when nothing is kept any more.
  if (!process.isActive.load(std::memory_order_acquire))
    return MPI_SUCCESS;
  const std::lock_guard<std::mutex> guard(process.mutex);
  Process::forget();
  process.all.erase(std::remove(process.all.begin(), process.all.end(), own), process.all.end());
  process.dead.push_back(own);
  own->setFreed();
  return MPI_SUCCESS;
}

/// The attribute of MPI_COMM_SELF was set before all others, so it is deleted after them, by MPI_Finalize.
int onFinalize(MPI_Comm, int, void *, void *) {
  State &process = state();
  process.isActive = false;
  Process::forget();
  Summary::show();
  Calls::write();
  Flights::end();
  {
    const std::lock_guard<std::mutex> guard(process.mutex);
    process.dead.insert(process.dead.end(), process.all.begin(), process.all.end());
    process.all.clear();
  }
  Process::bury();
  return MPI_SUCCESS;
}

} // namespace

// ---- the process ---------------------------------------------------------------

bool Process::isActive() { return state().isActive.load(std::memory_order_acquire); }
const Wishes &Process::wishes() { return state().wishes; }

void Process::begin() {
  State &process = state();
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    process.wishes = Wishes::ofEnvironment();
  if (PMPI_Bcast(&process.wishes, static_cast<int>(sizeof process.wishes), MPI_BYTE, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
    return;
  if (process.wishes.problem[0]) {
    if (rank == 0)
      giveUp(process.wishes.problem);
    // Rank 0 says what is wrong and ends all processes; the others wait for that.
    PMPI_Barrier(MPI_COMM_WORLD);
    return;
  }
  if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, onDelete, &process.keyOfComm, nullptr) != MPI_SUCCESS ||
      PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, onFinalize, &process.keyOfSelf, nullptr) != MPI_SUCCESS ||
      PMPI_Comm_set_attr(MPI_COMM_SELF, process.keyOfSelf, nullptr) != MPI_SUCCESS)
    return;
  int level = MPI_THREAD_MULTIPLE;
  Turn::hasThreads.store(PMPI_Query_thread(&level) != MPI_SUCCESS || level == MPI_THREAD_MULTIPLE, std::memory_order_relaxed);
  Summary::begin(rank == 0 ? process.wishes.insight : Insight::None);
  process.isActive.store(true, std::memory_order_release);
}

void Process::bury() noexcept {
  State &process = state();
  std::vector<OwnComm *> dead;
  {
    const std::lock_guard<std::mutex> guard(process.mutex);
    // Keep those with calls under way, which have to be completed.
    const auto used = std::partition(process.dead.begin(), process.dead.end(), [](OwnComm *own) { return own->flights_ != 0; });
    dead.assign(used, process.dead.end());
    process.dead.erase(used, process.dead.end());
  }
  for (OwnComm *const own : dead)
    delete own;
}

// ---- a communicator ------------------------------------------------------------

/// Whether all ranks belong to this MPI_COMM_WORLD, whose rank 0 has read the environment.
static bool isOfThisWorld(MPI_Comm comm, int size) {
  MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Comm_group(comm, &group);
  std::vector<int> ranks(static_cast<std::size_t>(size)), found(ranks.size(), MPI_UNDEFINED);
  for (int i = 0; i < size; ++i)
    ranks[static_cast<std::size_t>(i)] = i;
  PMPI_Group_translate_ranks(group, size, ranks.data(), world, found.data());
  PMPI_Group_free(&world);
  PMPI_Group_free(&group);
  return std::find(found.begin(), found.end(), MPI_UNDEFINED) == found.end();
}

OwnComm::OwnComm(MPI_Comm comm) : program_(comm) {
  int isInter = 0;
  PMPI_Comm_test_inter(comm, &isInter);
  PMPI_Comm_rank(comm, &rank_);
  PMPI_Comm_size(comm, &size_);
  isCandidate_ = !isInter && size_ > 1 && isOfThisWorld(comm, size_);
}

OwnComm *OwnComm::find(MPI_Comm comm) {
  State &process = state();
  if (!process.isActive.load(std::memory_order_acquire) || comm == MPI_COMM_NULL)
    return nullptr;
  const std::uint64_t now = generation.load(std::memory_order_acquire);
  void *value = nullptr;
  int found = 0;
  if (PMPI_Comm_get_attr(comm, process.keyOfComm, &value, &found) != MPI_SUCCESS)
    return nullptr;
  OwnComm *own = static_cast<OwnComm *>(value);
  if (!found) {
    Process::bury();
    try {
      own = new OwnComm(comm);
      const std::lock_guard<std::mutex> guard(process.mutex);
      process.all.push_back(own);
    } catch (const std::bad_alloc &) {
      giveUp("out of memory for what is kept of a communicator");
    }
    if (PMPI_Comm_set_attr(comm, process.keyOfComm, own) != MPI_SUCCESS)
      giveUp("MPI keeps no attribute of a communicator");
  }
  placeOf(comm) = {comm, own, now};
  return own;
}

bool OwnComm::takes(Function function) {
  ++calls_[numberOf(function)];
  if (!isCandidate_ || Process::wishes().isDisabled[numberOf(function)])
    return false;
  switch (formOf(function)) {
  case Form::Blocking:
    return collectives_ || (before_++ >= Process::wishes().after && prepare());
  case Form::Nonblocking:
    // A nonblocking call must not wait for others, so it does not make the library's communicator.
    before_ += !collectives_;
    break;
  case Form::Persistent:
    // Preparing a persistent call may wait for others, and the call will be carried out often.
    if (!collectives_)
      prepare();
  }
  return collectives_ && mayFly_;
}

void OwnComm::progressInTurn() {
  if (const Turn turn(*this, std::try_to_lock); turn)
    comm_->progress();
}

void OwnComm::letMpiProgress() const {
  // This library sends no message with this tag, the highest that every MPI library has, so nothing is found.
  constexpr int tag = 32767;
  int found = 0;
  PMPI_Iprobe(MPI_ANY_SOURCE, tag, library(), &found, MPI_STATUS_IGNORE);
}

void Turn::yield() { std::this_thread::yield(); }

/// Makes the library's own communicator. All ranks agree whether it is there. Collective.
bool OwnComm::prepare() {
  Status status;
  try {
    comm_.emplace(program_);
    status = comm_->status();
    if (!status) {
      collectives_.emplace(*comm_, /*mayLeaveToMpi=*/true);
      status = collectives_->status();
    }
  } catch (const std::bad_alloc &) {
    status = Status(ErrorCode::OutOfMemory, "out of memory");
  }
  // All ranks know that something is wrong with a table, so one of them may end the program.
  if (status.code() == ErrorCode::BadParameter && rank_ == 0)
    giveUp(status.text());
  int mine[] = {status ? 0 : 1, !status && Flights::arePossible(*this) ? 1 : 0}, all[] = {0, 0};
  if (PMPI_Allreduce(mine, all, 2, MPI_INT, MPI_MIN, program_) == MPI_SUCCESS && all[0]) {
    mayFly_ = all[1] != 0;
    const Wishes &wishes = Process::wishes();
    const bool isNoted = wishes.insight != Insight::None || Calls::isOn();
    for (std::size_t i = 0; i < blockingCount; ++i)
      takesAll_[i] = !isNoted && !wishes.isDisabled[i];
    return true;
  }
  if (status)
    std::fprintf(stderr, "quadrille: the MPI library carries out the collectives of a communicator of %d ranks: %s\n", size_, status.text());
  isCandidate_ = false;
  collectives_.reset();
  comm_.reset();
  return false;
}

// ---- errors --------------------------------------------------------------------

static int classOf(ErrorCode code) {
  switch (code) {
  case ErrorCode::OutOfMemory:
    return MPI_ERR_NO_MEM;
  case ErrorCode::NullBuffer:
    return MPI_ERR_BUFFER;
  case ErrorCode::BadRoot:
    return MPI_ERR_ROOT;
  case ErrorCode::BadParameter:
    return MPI_ERR_ARG;
  case ErrorCode::TooLarge:
    return MPI_ERR_COUNT;
  case ErrorCode::OtherLength:
    return MPI_ERR_TRUNCATE;
  default:
    return MPI_ERR_OTHER;
  }
}

/// Prints the error if it will end the job, since the launcher may lose what the MPI library prints then. Waits a moment, so that the
/// launcher can pass the text on.
static void sayIfFatal(const Status &status, MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
    return;
  if (handler == MPI_ERRORS_ARE_FATAL) {
    std::fprintf(stderr, "quadrille: %s\n", status.text());
    std::fflush(stderr);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  PMPI_Errhandler_free(&handler);
}

#ifdef MPICH_VERSION

/// The code of an error is its class: MPICH shows wrong messages for codes that are added to its own classes, so codes cannot have texts.
static int codeOf(const Status &status) { return classOf(status.code()); }

#else

/// A code for each reason, with the text of the last error. There is not one for each error, since codes are never freed.
static int codeOf(const Status &status) {
  static std::mutex mutex;
  static int codes[16] = {};
  const std::lock_guard<std::mutex> guard(mutex);
  const int errorClass = classOf(status.code());
  int &known = codes[static_cast<std::size_t>(status.code()) % 16];
  if (known == 0 && PMPI_Add_error_code(errorClass, &known) != MPI_SUCCESS)
    known = 0;
  if (known == 0)
    return errorClass;
  char text[MPI_MAX_ERROR_STRING];
  std::snprintf(text, std::min(sizeof text, std::size_t{256}), "quadrille: %s", status.text());
  PMPI_Add_error_string(known, text);
  return known;
}

#endif

int OwnComm::raise(const Status &status) const {
  const MPI_Comm comm = isFreed_ ? MPI_COMM_WORLD : program_;
  sayIfFatal(status, comm);
  const int code = codeOf(status);
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}
