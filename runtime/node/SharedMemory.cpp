//===- SharedMemory.cpp - Memory that the processes of a node share ------------===//

#include "SharedMemory.h"

#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <random>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(SYS_memfd_create)
#define QUADRILLE_HAS_MEMFD
#endif
#endif

using namespace quadrille;
using namespace quadrille::detail;

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free &&
                  std::atomic<std::uint8_t>::is_always_lock_free,
              "processes share atomics, which must not need a lock of one process");

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

namespace {

/// The beginning of a segment.
struct alignas(cacheLineBytes) Head {
  std::uint64_t signature; ///< see SharedMemory::Handle
  std::uint64_t version;   ///< of the layout, which may differ in another build
  std::uint64_t bytes;
};
constexpr std::uint64_t version = std::uint64_t{2} << 32 | sizeof(Channel) << 16 | sizeof(CellRing) / cacheLineBytes;

/// The size of the largest segment. It takes addresses rather than memory: see
/// SharedMemory.
constexpr std::size_t mostBytes = sizeof(std::size_t) > 4 ? std::size_t{1} << 32 : std::size_t{1} << 28;

constexpr std::size_t roundedUp(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

} // namespace

SharedLayout::SharedLayout(std::size_t ranks, bool isCrowded)
    : ranks(ranks), startedLanes(detail::startedLanes), blockingSlots(slotsOfBlocking(ranks, isCrowded)) {
  // Large nodes have fewer lanes.
  constexpr std::size_t mostRanks = 4096;
  for (; startedLanes > 0; startedLanes /= 2) {
    readable = sizeof(Head);
    rankStates = roundedUp(readable + pairs(), cacheLineBytes);
    channels = rankStates + ranks * sizeof(NodeRank);
    startedChannels = channels + pairs() * Channel::bytesWith(slots(0));
    rings = roundedUp(startedChannels + startedLanes * pairs() * Channel::bytesWith(fewSlots), 4096);
    bytes = roundedUp(rings + lanes() * pairs() * sizeof(CellRing), 4096);
    if (ranks <= mostRanks && bytes <= mostBytes)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Creating and opening
//===----------------------------------------------------------------------===//

#ifdef QUADRILLE_HAS_MEMFD

static std::string failed(const char *what, int error) { return std::string(what) + ": " + std::strerror(error); }

SharedMemory::~SharedMemory() {
  close();
  ::munmap(base_, layout_.bytes);
}

void SharedMemory::close() noexcept {
  if (file_ >= 0)
    ::close(file_);
  file_ = -1;
}

/// Maps the file to memory and takes it over: if that fails, it is closed.
std::unique_ptr<SharedMemory> SharedMemory::map(const SharedLayout &layout, int file, std::string &reason) {
  void *const base = ::mmap(nullptr, layout.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (base == MAP_FAILED) {
    reason = failed("mmap of shared memory", errno);
    ::close(file);
    return nullptr;
  }
  std::unique_ptr<SharedMemory> made(new (std::nothrow) SharedMemory(layout, static_cast<std::byte *>(base), file));
  if (!made) {
    reason = "no memory";
    ::munmap(base, layout.bytes);
    ::close(file);
  }
  return made;
}

std::unique_ptr<SharedMemory> SharedMemory::create(std::size_t ranks, bool isCrowded, Handle &handle, std::string &reason) {
  const SharedLayout layout(ranks, isCrowded);
  handle = {::getpid(), -1, 0};
  if (layout.startedLanes == 0) {
    reason = "a node of " + std::to_string(ranks) + " ranks is too large";
    return nullptr;
  }
  // A file that is made larger than this limit ends the process by a signal.
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < layout.bytes) {
    reason = failed("the limit of the size of files (ulimit -f)", EFBIG);
    return nullptr;
  }
  const int file = static_cast<int>(::syscall(SYS_memfd_create, "quadrille", /*MFD_CLOEXEC*/ 1u));
  if (file < 0) {
    reason = failed("memfd_create", errno);
    return nullptr;
  }
  if (::ftruncate(file, static_cast<off_t>(layout.bytes)) != 0) {
    reason = failed("ftruncate of shared memory", errno);
    ::close(file);
    return nullptr;
  }
  std::unique_ptr<SharedMemory> made = map(layout, file, reason);
  if (!made)
    return nullptr;
  std::random_device random;
  handle.file = file;
  handle.signature = std::uint64_t{random()} << 32 | random();
  // All other state begins as zero, as the bytes of a new file do. Other processes
  // read the head after a message of MPI.
  *reinterpret_cast<Head *>(made->base_) = {handle.signature, version, layout.bytes};
  return made;
}

std::unique_ptr<SharedMemory> SharedMemory::open(std::size_t ranks, bool isCrowded, const Handle &handle, std::string &reason) {
  const SharedLayout layout(ranks, isCrowded);
  const std::string path = "/proc/" + std::to_string(handle.pid) + "/fd/" + std::to_string(handle.file);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    reason = failed(path.c_str(), errno);
    return nullptr;
  }
  // In another container this process number and file may be something else.
  struct stat is {};
  Head head{};
  if (::fstat(file, &is) != 0 || !S_ISREG(is.st_mode) || static_cast<std::size_t>(is.st_size) != layout.bytes ||
      ::pread(file, &head, sizeof head, 0) != static_cast<ssize_t>(sizeof head) || head.signature != handle.signature ||
      head.version != version) {
    reason = path + " is not the shared memory of this node: another container, or another version of the runtime";
    ::close(file);
    return nullptr;
  }
  std::unique_ptr<SharedMemory> made = map(layout, file, reason);
  if (made)
    made->close();
  return made;
}

#else

SharedMemory::~SharedMemory() = default;

void SharedMemory::close() noexcept {}

std::unique_ptr<SharedMemory> SharedMemory::map(const SharedLayout &, int, std::string &) { return nullptr; }

std::unique_ptr<SharedMemory> SharedMemory::create(std::size_t, bool, Handle &handle, std::string &reason) {
  handle = {0, -1, 0};
  reason = "this system has no memory that processes share without a name (memfd)";
  return nullptr;
}

std::unique_ptr<SharedMemory> SharedMemory::open(std::size_t, bool, const Handle &, std::string &reason) {
  reason = "this system has no memory that processes share without a name (memfd)";
  return nullptr;
}

#endif
