//===- Rank.h - What a rank of a measuring program does ---------*- C++ -*-===//
//
// Rank 0 reads lines with commands from a socket, and answers each by a line:
//
//   prepare COLLECTIVE WORDS                                        -> ok
//   slice CONTESTANT back|sync all|some CALLS WARM-UP ROOT SERIAL   -> times NS...
//   quit                                                              (or the end of the socket)
//
// The answer is `refused TEXT` if the contestant does not support the call, and
// `wrong TEXT` if a result is wrong. At the beginning rank 0 writes a line for
// each contestant, and then `ready`.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_BENCHMARK_COLLECTIVES_RANK_H
#define QUADRILLE_BENCHMARK_COLLECTIVES_RANK_H

#include "Contestants.h"
#include "Control.h"
#include "Data.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <utility>
#include <vector>

namespace benchmark {

/// Pins every rank to a core, to the same one in every program: where there are
/// more ranks than cores, they share them evenly. Otherwise it would depend on where
/// ranks happen to be woken how many of them run on the same core.
inline void pin(int rank) {
  cpu_set_t all;
  CPU_ZERO(&all);
  if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) == 0)
    return;
  const int mine = rank % CPU_COUNT(&all);
  for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all) && seen++ == mine) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof one, &one);
      return;
    }
}

/// Rank 0's connection to the driver (tools/bench).
class Line {
public:
  explicit Line(const char *path) : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    if (socket_ < 0 || connect(socket_, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
      std::perror(path);
      std::exit(1);
    }
  }
  Line(const Line &) = delete;
  ~Line() { close(socket_); }

  void write(const std::string &text) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = send(socket_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
      if (n <= 0)
        return; // the driver has ended, and the next read fails
      done += static_cast<std::size_t>(n);
    }
  }
  /// Reads a line. False at the end.
  bool read(std::string &line) {
    for (;;) {
      if (const std::size_t end = pending_.find('\n'); end != std::string::npos) {
        line = pending_.substr(0, end);
        pending_.erase(0, end + 1);
        return true;
      }
      char some[512];
      const ssize_t n = recv(socket_, some, sizeof some, 0);
      if (n <= 0)
        return false;
      pending_.append(some, static_cast<std::size_t>(n));
    }
  }

private:
  int socket_;
  std::string pending_;
};

template <class World> class Rank {
public:
  Rank(World &world, int rank, int p, int cores, Control &control, const std::vector<Contestant<World>> &contestants)
      : world_(world), rank_(rank), p_(p), cores_(cores), control_(control), contestants_(contestants), data_(rank, p) {}

  /// Carries out the driver's commands until it sends no more. Rank 0 hears them at
  /// the socket `path`.
  void work(const char *path) {
    if (rank_ == 0)
      lead(path);
    else
      follow();
  }

private:
  void lead(const char *path) {
    Line line(path);
    for (const Contestant<World> &c : contestants_)
      line.write(std::string(collectiveNames[c.collective]) + '\t' + c.family + '\t' + c.name + '\n');
    line.write("ready\n");
    std::string text;
    while (line.read(text) && parse(text)) {
      control_.publish();
      obey();
      line.write(answer());
    }
    control_.command.kind = Command::Quit;
    control_.publish();
  }
  void follow() {
    for (std::uint32_t seen = 0;;) {
      seen = control_.await(seen);
      if (control_.command.kind == Command::Quit)
        return;
      obey();
    }
  }

  bool parse(const std::string &text) {
    Command &c = control_.command;
    char word[32], mode[8], check[8];
    long long words = 0, serial = 0;
    if (std::sscanf(text.c_str(), "prepare %31s %lld", word, &words) == 2) {
      c.kind = Command::Prepare, c.collective = collectiveNamed(word), c.words = words;
      return c.collective >= 0;
    }
    if (std::sscanf(text.c_str(), "slice %d %7s %7s %d %d %d %lld", &c.contestant, mode, check, &c.calls, &c.warmUp, &c.root, &serial) != 7)
      return false;
    c.kind = Command::Slice, c.serial = serial;
    c.backToBack = std::strcmp(mode, "back") == 0, c.checkAll = std::strcmp(check, "all") == 0;
    return c.contestant >= 0 && c.contestant < static_cast<int>(contestants_.size()) && c.calls >= 1 && c.calls <= mostCalls;
  }

  void obey() {
    RankState &mine = control_.ranks[rank_];
    mine.outcome = Outcome::Fine;
    const Command command = control_.command;
    if (command.kind == Command::Slice)
      slice(command);
    else if (!data_.prepare(command.collective, command.words))
      note(Outcome::Refused, "not enough memory for the buffers");
    control_.synchronize(p_, cores_, world_);
  }

  void slice(const Command &command) {
    const Contestant<World> &contestant = contestants_[static_cast<std::size_t>(command.contestant)];
    RankState &mine = control_.ranks[rank_];
    for (int i = -command.warmUp; i < command.calls; ++i) {
      const std::int64_t serial = command.serial + command.warmUp + i;
      const int root = command.backToBack ? static_cast<int>((command.root + serial) % p_) : command.root;
      data_.write(serial, root);
      if (!command.backToBack || i == -command.warmUp)
        control_.synchronize(p_, cores_, world_);
      const auto [entry, exit] = call(contestant, serial, root, command.checkAll);
      // All ranks refuse alike.
      if (mine.outcome == Outcome::Refused)
        return;
      if (i >= 0)
        mine.entry[i] = entry, mine.exit[i] = exit;
    }
  }

  /// Makes a call, and checks its result. Returns when the call, without the check,
  /// began and ended.
  std::pair<double, double> call(const Contestant<World> &contestant, std::int64_t serial, int root, bool checkAll) {
    const bool inPlace = contestant.inPlace && rank_ == root;
    const Arguments arguments{data_.input(), inPlace ? data_.input() : data_.output(), data_.words(), root, rank_};
    control_.ranks[rank_].entered.store(serial, std::memory_order_release);
    const double entry = nowNs();
    const quadrille::Status bad = contestant.call(world_, contestant, arguments);
    const std::pair<double, double> times(entry, nowNs());
    if (bad) {
      note(Outcome::Refused, bad.text());
      return times;
    }
    char text[sizeof RankState::text];
    if (contestant.collective == Barrier) {
      for (int r = 0; r < p_; ++r)
        if (control_.ranks[r].entered.load(std::memory_order_acquire) < serial) {
          std::snprintf(text, sizeof text, "rank %d of %d has left before rank %d came", rank_, p_, r);
          note(Outcome::Wrong, text);
        }
    } else if (!data_.check(serial, root, checkAll, text, sizeof text, arguments.y)) {
      note(Outcome::Wrong, text);
    }
    return times;
  }

  /// Notes that something went wrong. Keeps only the first text.
  void note(Outcome outcome, const char *text) {
    RankState &mine = control_.ranks[rank_];
    if (mine.outcome == Outcome::Fine)
      std::snprintf(mine.text, sizeof mine.text, "%s", text);
    mine.outcome = outcome;
  }

  /// Rank 0's answer, after all ranks have carried out the command.
  std::string answer() const {
    const Command &command = control_.command;
    for (const Outcome outcome : {Outcome::Refused, Outcome::Wrong})
      for (int r = 0; r < p_; ++r)
        if (control_.ranks[r].outcome == outcome)
          return std::string(outcome == Outcome::Refused ? "refused " : "wrong ") + control_.ranks[r].text + '\n';
    if (command.kind == Command::Prepare)
      return "ok\n";
    std::string text = "times";
    for (const double ns : command.backToBack ? meanOfSlowest(command.calls) : fromLastEntryToLastExit(command.calls))
      text += ' ' + std::to_string(static_cast<long long>(ns));
    return text + '\n';
  }

  /// Of every call: the ns from when the last rank has come to when the last one
  /// leaves. Where ranks share cores they come far apart, which is no rank's work.
  std::vector<double> fromLastEntryToLastExit(int calls) const {
    std::vector<double> result;
    for (int i = 0; i < calls; ++i) {
      double entry = 0, exit = 0;
      for (int r = 0; r < p_; ++r) {
        entry = std::max(entry, control_.ranks[r].entry[i]);
        exit = std::max(exit, control_.ranks[r].exit[i]);
      }
      result.push_back(exit - entry);
    }
    return result;
  }
  /// The ns that a rank spends in a call, in the mean of all calls: those of the rank
  /// that spends most.
  std::vector<double> meanOfSlowest(int calls) const {
    double slowest = 0;
    for (int r = 0; r < p_; ++r) {
      double sum = 0;
      for (int i = 0; i < calls; ++i)
        sum += control_.ranks[r].exit[i] - control_.ranks[r].entry[i];
      slowest = std::max(slowest, sum / calls);
    }
    return {slowest};
  }

  World &world_;
  int rank_, p_, cores_;
  Control &control_;
  const std::vector<Contestant<World>> &contestants_;
  Data data_;
};

} // namespace benchmark

#endif // QUADRILLE_BENCHMARK_COLLECTIVES_RANK_H
