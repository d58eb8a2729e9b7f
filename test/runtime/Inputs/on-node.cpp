// Ranks of a node that share memory, and what may go wrong with that: see ../on-node.test.
//
//   mpirun -n 2 on-node MODE

#include "quadrille/mpi.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace quadrille;
using mpi::Communicator;

/// Passes `n` numbers round a ring, and compares what has come.
///
/// With `sender`, that rank alone sends, and the next one alone receives.
static Status pass(Communicator &comm, std::size_t n, Index sender = quadrille::none) {
  const Index p = comm.size(), me = comm.rank();
  std::vector<double> mine(n), theirs(n, -1);
  for (std::size_t i = 0; i < n; ++i)
    mine[i] = static_cast<double>(me * 1000 + static_cast<Index>(i % 997));
  const Index before = (me + p - 1) % p;
  const bool receives = sender == quadrille::none || before == sender;
  Status ended;
  {
    Communicator::Call call(comm, "pass.quad", MPI_DOUBLE);
    auto step = call.step(comm.everyone(), 3);
    const Region out = call.output(mine.data(), 1, n), in = call.output(theirs.data(), 1, n);
    if (sender == quadrille::none || me == sender)
      step.send(out, (me + 1) % p);
    if (receives)
      step.recv(in, before);
    ended = call.finish(step.finish());
  }
  for (std::size_t i = 0; i < n && receives && !ended; ++i)
    if (theirs[i] != static_cast<double>(before * 1000 + static_cast<Index>(i % 997)))
      return Status::format(ErrorCode::Transport, "element %zu of %zu is wrong", i, n);
  return ended;
}

/// Messages of all kinds: in a slot, in a cell, in several, and long ones.
static Status passAll(Communicator &comm) {
  for (const std::size_t n : {0, 1, 6, 7, 1000, 1024, 1025, 5000, 100000})
    if (Status bad = pass(comm, n))
      return bad;
  return {};
}

/// One line at a time, in the order of ranks.
static void say(const std::string &text) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; ++i) {
    if (i == rank) {
      std::printf("rank %d: %s\n", rank, text.c_str());
      std::fflush(stdout);
    }
    usleep(20000);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static std::string textOf(const Status &status) { return status ? status.text() : "all is well"; }

/// The system refuses to read other processes from now on.
static void refuseReading() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    std::perror("seccomp");
}

/// The second number of /proc/self/statm, in KiB: memory in use; and how many
/// mappings and open files there are.
struct Use {
  long memory = 0, mappings = 0, files = 0;
  Use() {
    long total = 0, pages = 0;
    if (std::FILE *const file = std::fopen("/proc/self/statm", "r")) {
      if (std::fscanf(file, "%ld %ld", &total, &pages) == 2)
        memory = pages * (sysconf(_SC_PAGESIZE) / 1024);
      std::fclose(file);
    }
    if (std::FILE *const file = std::fopen("/proc/self/maps", "r")) {
      for (int c = 0; (c = std::fgetc(file)) != EOF;)
        mappings += c == '\n';
      std::fclose(file);
    }
    for (int i = 0; i < 1024; ++i)
      files += fcntl(i) ? 1 : 0;
  }
  static bool fcntl(int file) { return ::lseek(file, 0, SEEK_CUR) >= 0 || errno != EBADF; }
};

int main(int argc, char **argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "refused")
    refuseReading();
  MPI_Init(&argc, &argv);
  if (mode == "small-files") {
    const rlimit limit{1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (mode == "no-files") {
    const rlimit limit{3, 3};
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  if (mode == "communicators") {
    // What MPI itself needs for its first ones is not what is asked.
    const auto some = [](int count) {
      Status bad;
      for (int i = 0; i < count && !bad; ++i) {
        Communicator comm(MPI_COMM_WORLD);
        bad = pass(comm, 1000);
      }
      return bad;
    };
    Status bad = some(100);
    const Use before;
    if (!bad)
      bad = some(1000);
    const Use after;
    // MPI's own communicators leave some fragments.
    const bool isFlat = after.memory - before.memory < 4096 && after.mappings <= before.mappings + 8 && after.files <= before.files;
    say(bad ? bad.text() : isFlat ? "flat" : "grew by " + std::to_string(after.memory - before.memory) + " KiB, " +
                                                 std::to_string(after.mappings - before.mappings) + " mappings, " +
                                                 std::to_string(after.files - before.files) + " files");
    MPI_Finalize();
    return 0;
  }

  {
    Communicator comm(MPI_COMM_WORLD);
    if (mode == "killed") {
      (void)passAll(comm);
      if (rank == 1)
        raise(SIGKILL);
      const Status ended = pass(comm, 100000);
      std::printf("rank %d: %s\n", rank, textOf(ended).c_str());
      std::fflush(stdout);
      _exit(0);
    }
    if (mode == "refused-later") {
      const Status first = passAll(comm);
      refuseReading();
      // One after the other, so that each finds out by itself: a rank that leaves a call with an error is missed by others.
      const Status toOne = pass(comm, 100000, 0), toZero = pass(comm, 100000, 1);
      const Status second = toOne ? toOne : toZero;
      say(textOf(first) + "; " + textOf(second) + "; " + textOf(passAll(comm)));
    } else if (mode == "forked") {
      Status first = passAll(comm);
      if (rank == 1)
        usleep(500000); // rank 0's child has a call in flight
      Request started = comm.start([&] { return pass(comm, 0); });
      std::fflush(stdout);
      const pid_t child = fork();
      if (child == 0) {
        if (rank == 0)
          std::printf("child: %s\nchild: %s\n", textOf(pass(comm, 10)).c_str(), textOf(started.wait()).c_str());
        std::fflush(stdout);
        comm.~Communicator();
        _exit(0);
      }
      int status = 0;
      waitpid(child, &status, 0);
      const Status second = started.wait();
      say(textOf(first) + "; " + textOf(second) + "; " + textOf(passAll(comm)) + (status ? "; the child failed" : ""));
    } else {
      say(textOf(passAll(comm)));
    }
  }
  MPI_Finalize();
  return 0;
}
