//===- main.cpp - Measures locks and barriers -----------------------------===//
//
// Exit code: 0 if all results are right, 1 if not, 2 if the arguments are
// wrong.
//
//===----------------------------------------------------------------------===//

#include "Threads.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

static const char usage[] =
    "usage: quadrille-benchmark-threads [--barriers | --locks] [--threads LIST] [--work N] [--repetitions N] [--quick]\n"
    "  --threads 1,2,4,8   numbers of threads\n"
    "  --work 1000000      cell updates per thread, or four times the acquisitions of all threads; the book has 100000000\n"
    "  --repetitions 9     of which the median is printed\n"
    "  --quick             sees only that everything works\n";

/// Parses a comma-separated list of numbers >= 1; empty if `text` is not one.
static std::vector<benchmark::Index> numbers(const char *text) {
  std::vector<benchmark::Index> result;
  for (const char *at = text;; ++at) {
    char *end = nullptr;
    const long long value = std::strtoll(at, &end, 10);
    if (end == at || value < 1 || value > 1'000'000'000 || (*end && *end != ','))
      return {};
    result.push_back(value);
    at = end;
    if (!*at)
      return result;
  }
}

int main(int argc, char **argv) {
  benchmark::Options options;
  bool barriers = true, locks = true;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--help") {
      std::fputs(usage, stdout);
      return 0;
    }
    if (option == "--barriers") {
      locks = false;
    } else if (option == "--locks") {
      barriers = false;
    } else if (option == "--quick") {
      options.repetitions = 1;
      options.work = 1000;
      options.largestSlice = 1000;
    } else {
      const std::vector<benchmark::Index> values = i + 1 < argc ? numbers(argv[++i]) : numbers("");
      const bool one = values.size() == 1;
      if (option == "--threads" && !values.empty()) {
        options.threads = values;
      } else if (option == "--work" && one) {
        options.work = values[0];
      } else if (option == "--repetitions" && one) {
        options.repetitions = static_cast<int>(values[0]);
      } else {
        std::fputs(usage, stderr);
        return 2;
      }
    }
  }
  std::printf("%u cores\n\n", std::thread::hardware_concurrency());
  bool right = true;
  if (barriers)
    right = benchmark::barriers(options) && right;
  if (locks)
    right = benchmark::locks(options) && right;
  return right ? 0 : 1;
}
