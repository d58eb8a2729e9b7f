//===- Summary.cpp - What the library's calls took ------------------------===//

#include "Summary.h"

#include "quadrille/candidates.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

using namespace quadrille;
using namespace quadrille::preload;

namespace {

struct Times {
  std::uint64_t calls = 0;
  double seconds = 0;

  double mean() const { return calls ? seconds / static_cast<double>(calls) : 0; }
};

struct Row {
  std::uint64_t leastBytes = ~std::uint64_t{0}, mostBytes = 0;
  std::map<const CandidateFacts *, Times> bySchedule;
  Times byMpi;
};

/// The function, the number of ranks, and how many binary digits the number of bytes of a block has.
using Key = std::tuple<Function, int, int>;

struct All {
  std::atomic<Insight> insight{Insight::None}; ///< read relaxed: set before the library is active
  std::mutex mutex;
  std::map<Key, Row> rows;
};

All &all() {
  static All &only = *new All;
  return only;
}

std::string bytesText(std::uint64_t bytes) {
  const char *const units[] = {"", "Ki", "Mi", "Gi"};
  std::size_t unit = 0;
  for (; unit < 3 && bytes >= 1024 && bytes % 1024 == 0; ++unit)
    bytes /= 1024;
  return std::to_string(bytes) + units[unit];
}

std::string timeText(double seconds) {
  char text[32];
  if (seconds >= 1)
    std::snprintf(text, sizeof text, "%.2f s", seconds);
  else if (seconds >= 1e-3)
    std::snprintf(text, sizeof text, "%.2f ms", seconds * 1e3);
  else
    std::snprintf(text, sizeof text, "%.2f us", seconds * 1e6);
  return text;
}

/// Lines of cells; the first and the last column are aligned to the left, all others to the right.
void print(const std::vector<std::vector<std::string>> &lines) {
  std::vector<std::size_t> width(lines.front().size());
  for (const auto &line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      width[i] = std::max(width[i], line[i].size());
  std::string text;
  for (const auto &line : lines) {
    text += "quadrille: ";
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string blanks(width[i] - line[i].size(), ' ');
      const bool isLeft = i == 0 || i + 1 == line.size();
      text += isLeft ? line[i] + (i == 0 ? blanks : "") : "  " + blanks + line[i];
      if (i + 2 == line.size())
        text += "  ";
    }
    text += '\n';
  }
  // One write, so that lines of others do not mix.
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

} // namespace

void Summary::begin(Insight insight) { all().insight = insight; }
bool Summary::isOn() { return all().insight.load(std::memory_order_relaxed) != Insight::None; }

void Summary::add(Function function, int p, std::uint64_t bytes, const CandidateFacts *schedule, double seconds) {
  int bits = 0;
  while (bits < 64 && bytes >> bits)
    ++bits;
  const std::lock_guard<std::mutex> guard(all().mutex);
  Row &row = all().rows[{function, p, bits}];
  row.leastBytes = std::min(row.leastBytes, bytes);
  row.mostBytes = std::max(row.mostBytes, bytes);
  Times &times = schedule ? row.bySchedule[schedule] : row.byMpi;
  ++times.calls;
  times.seconds += seconds;
}

void Summary::show() {
  const std::lock_guard<std::mutex> guard(all().mutex);
  if (!isOn())
    return;
  if (all().rows.empty()) {
    std::fprintf(stderr, "quadrille: the program made no collective call that the library knows\n");
    return;
  }
  std::vector<std::vector<std::string>> lines = {
      {"collective", "p", "bytes", "calls", "by MPI", "time", "per call", "MPI's", "gain", "schedule"}};
  double spent = 0, wouldTake = 0;
  std::uint64_t compared = 0, won = 0;
  for (const auto &[key, row] : all().rows) {
    const auto &[function, p, bits] = key;
    Times ours;
    std::string schedules;
    for (const auto &[facts, times] : row.bySchedule) {
      ours.calls += times.calls;
      ours.seconds += times.seconds;
      schedules += (schedules.empty() ? "" : ", ") + std::string(facts->schedule);
    }
    // A nonblocking or persistent call of the MPI library goes on after it has returned: nothing here sees when it is completed.
    const bool isTimed = formOf(function) == Form::Blocking, isCompared = isTimed && ours.calls && row.byMpi.calls;
    const double seconds = ours.seconds + (isTimed ? row.byMpi.seconds : 0);
    std::string gain = "-";
    if (isCompared) {
      const double factor = ours.mean() > 0 ? row.byMpi.mean() / ours.mean() : 1;
      char text[32];
      std::snprintf(text, sizeof text, "%.2fx", factor);
      gain = text;
      spent += ours.seconds;
      wouldTake += row.byMpi.mean() * static_cast<double>(ours.calls);
      ++compared;
      won += factor > 1;
    }
    lines.push_back({std::string(functionNames[numberOf(function)]), std::to_string(p),
                     bytesText(row.leastBytes) + (row.leastBytes == row.mostBytes ? "" : ".." + bytesText(row.mostBytes)),
                     std::to_string(ours.calls + row.byMpi.calls), std::to_string(row.byMpi.calls),
                     isTimed || ours.calls ? timeText(seconds) : "-", ours.calls ? timeText(ours.mean()) : "-",
                     isTimed && row.byMpi.calls ? timeText(row.byMpi.mean()) : "-", gain, schedules.empty() ? "-" : schedules});
  }
  print(lines);
  if (compared > 0)
    std::fprintf(stderr, "quadrille: faster than the MPI library in %llu of %llu rows; calls of the library took %s, the MPI library's would have taken %s\n",
                 static_cast<unsigned long long>(won), static_cast<unsigned long long>(compared), timeText(spent).c_str(), timeText(wouldTake).c_str());
}
