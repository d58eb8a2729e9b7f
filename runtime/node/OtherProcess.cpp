//===- OtherProcess.cpp - What a rank may ask about another process -------===//

#include "OtherProcess.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#if defined(__linux__)
#include <cerrno>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

using namespace quadrille;
using namespace quadrille::detail;

std::atomic<std::uint32_t> detail::processGeneration{0};

/// Other processes read this to find out whether they can read memory of this one.
/// Relaxed: they do so by a system call, after a message of MPI that follows the
/// store.
static std::atomic<std::uint64_t> probed{0};

#if defined(__linux__)

/// The time at which a process began, and whether it has ended and is there only
/// because its parent has not been told yet. False if there is no such process, or
/// this is unknown.
static bool statusOf(std::int64_t pid, std::uint64_t &began, bool &ended) {
  char path[64], text[1024];
  std::snprintf(path, sizeof path, "/proc/%lld/stat", static_cast<long long>(pid));
  std::FILE *const file = std::fopen(path, "re");
  if (!file)
    return false;
  const std::size_t length = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[length] = '\0';
  // The name of the program, in parentheses, may contain anything.
  const char *at = std::strrchr(text, ')');
  char state = 0;
  unsigned long long start = 0;
  if (!at || std::sscanf(at + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu", &state,
                         &start) != 2)
    return false;
  began = start;
  ended = state == 'Z' || state == 'X' || state == 'x';
  return true;
}

OtherProcess::Card OtherProcess::mine() noexcept {
  static const std::uint64_t word = [] {
    std::uint64_t value = 0;
    try {
      std::random_device random;
      value = std::uint64_t{random()} << 32 | random();
    } catch (...) {
      value = static_cast<std::uint64_t>(::getpid()) * 0x9e3779b97f4a7c15u;
    }
    return value;
  }();
  probed.store(word, std::memory_order_relaxed);
  // Asked of the system: a simulator answers getpid() itself, with a number for each rank.
  Card card{static_cast<std::int64_t>(::syscall(SYS_getpid)), 0, reinterpret_cast<std::uintptr_t>(&probed), word};
  bool ended = false;
  if (!statusOf(card.pid, card.began, ended))
    card.began = 0;
  return card;
}

bool OtherProcess::hasEnded() const noexcept {
  if (card_.began == 0)
    return false;
  std::uint64_t began = 0;
  bool ended = false;
  if (statusOf(card_.pid, began, ended))
    return ended || began != card_.began;
  return errno == ENOENT || errno == ESRCH;
}

bool OtherProcess::canBeRead() const noexcept {
  std::uint64_t word = 0;
  const Bytes to{reinterpret_cast<std::byte *>(&word), sizeof word};
  const Bytes from{reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(card_.address)), sizeof word};
  return read(&to, 1, &from, 1, sizeof word) && word == card_.word;
}

bool OtherProcess::read(const Bytes *to, std::size_t toCount, const Bytes *from, std::size_t fromCount,
                        std::size_t total) const noexcept {
  iovec mine[mostRanges], theirs[mostRanges];
  for (std::size_t i = 0; i < toCount; ++i)
    mine[i] = {to[i].data, to[i].count};
  for (std::size_t i = 0; i < fromCount; ++i)
    theirs[i] = {from[i].data, from[i].count};
  // The system copies 2 GiB at most, and may stop between two ranges, so it is
  // asked for what is left.
  iovec *left = mine, *remote = theirs;
  for (std::size_t done = 0; done < total;) {
    const ssize_t now = ::process_vm_readv(static_cast<pid_t>(card_.pid), left,
                                           static_cast<unsigned long>(mine + toCount - left), remote,
                                           static_cast<unsigned long>(theirs + fromCount - remote), 0);
    if (now <= 0)
      return false;
    done += static_cast<std::size_t>(now);
    const auto skip = [](iovec *&at, std::size_t bytes) {
      while (bytes > 0 && bytes >= at->iov_len)
        bytes -= (at++)->iov_len;
      if (bytes > 0) {
        at->iov_base = static_cast<char *>(at->iov_base) + bytes;
        at->iov_len -= bytes;
      }
    };
    if (done < total) {
      skip(left, static_cast<std::size_t>(now));
      skip(remote, static_cast<std::size_t>(now));
    }
  }
  return true;
}

bool OtherProcess::write(std::byte *to, const std::byte *from, std::size_t bytes) const noexcept {
  // A single range is copied as a whole, up to 2 GiB.
  const iovec mine{const_cast<std::byte *>(from), bytes}, theirs{to, bytes};
  return ::process_vm_writev(static_cast<pid_t>(card_.pid), &mine, 1, &theirs, 1, 0) == static_cast<ssize_t>(bytes);
}

void detail::watchForks() noexcept {
  static const bool watches = ::pthread_atfork(nullptr, nullptr, [] {
    processGeneration.fetch_add(1, std::memory_order_relaxed);
  }) == 0;
  (void)watches;
}

#else

OtherProcess::Card OtherProcess::mine() noexcept { return {}; }
bool OtherProcess::hasEnded() const noexcept { return false; }
bool OtherProcess::canBeRead() const noexcept { return false; }
bool OtherProcess::read(const Bytes *, std::size_t, const Bytes *, std::size_t, std::size_t) const noexcept { return false; }
bool OtherProcess::write(std::byte *, const std::byte *, std::size_t) const noexcept { return false; }
void detail::watchForks() noexcept {}

#endif
