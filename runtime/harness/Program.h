//===- Program.h - The program that runs cases ------------------*- C++ -*-===//
//
// usage: driver [--nonblocking | --persistent] [--trace-times CALLS] [--validate] [--dump] [--plans RANK,... [--receives-first]]
//               P CASES RESULTS-PREFIX
//        driver --calibrate P ELEMENT MOST-WORDS RESULTS-PREFIX PATTERN...
//
// The first form runs the cases of a file (see Cases.h), one after the other;
// rank r writes PREFIXr, a line per fact (see Report.h). The second form measures
// the machine (see Calibrate.h).
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_HARNESS_PROGRAM_H
#define QUADRILLE_HARNESS_PROGRAM_H

#include "Calibrate.h"
#include "RunCase.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace quadrille {
namespace harness {

/// A case, and its collective in this program.
template <class Communicator> struct Call {
  const Case *instance;
  const Collective<Communicator> *collective;
};

/// The collectives of all cases; empty if one is missing.
template <class Communicator> std::vector<Call<Communicator>> callsOf(const std::vector<Case> &cases) {
  std::vector<Call<Communicator>> calls;
  const Collective<Communicator> *collective = nullptr;
  for (const Case &c : cases) {
    // Cases of a collective are adjacent.
    if (!collective || collective->name != c.collective)
      for (collective = Collective<Communicator>::first; collective && collective->name != c.collective;)
        collective = collective->next;
    if (!collective) {
      std::fprintf(stderr, "this program has no collective %s\n", c.collective.c_str());
      return {};
    }
    calls.push_back({&c, collective});
  }
  return calls;
}

/// Parses numbers, such as "0,2,5".
inline std::vector<Index> numbersIn(const char *text) {
  std::vector<Index> numbers;
  for (char *end = nullptr;; text = end + 1) {
    numbers.push_back(static_cast<Index>(std::strtoll(text, &end, 10)));
    if (*end != ',')
      return numbers;
  }
}

/// The program. `Backend` starts its ranks in `runCases` and `measure`; both return the exit status.
template <class Backend> int runProgram(int argc, char **argv) {
  if (argc > 1 && std::strcmp(argv[1], "--calibrate") == 0) {
    if (argc >= 7)
      return Backend::measure(std::atoll(argv[2]), [&](typename Backend::Communicator &comm) { return calibrate(comm, argc - 3, argv + 3); });
    std::fprintf(stderr, "usage: %s --calibrate P ELEMENT MOST-WORDS RESULTS-PREFIX PATTERN...\n", argv[0]);
    return 1;
  }
  Options options;
  int i = 1;
  for (; i < argc; ++i)
    if (std::strcmp(argv[i], "--nonblocking") == 0)
      options.nonblocking = true;
    else if (std::strcmp(argv[i], "--persistent") == 0)
      options.persistent = true;
    else if (std::strcmp(argv[i], "--validate") == 0)
      options.validate = true;
    else if (std::strcmp(argv[i], "--trace-times") == 0 && i + 1 < argc)
      options.traced = static_cast<unsigned>(std::atol(argv[++i]));
    else if (std::strcmp(argv[i], "--dump") == 0)
      options.dump = true;
    else if (std::strcmp(argv[i], "--receives-first") == 0)
      options.receivesFirst = true;
    else if (std::strcmp(argv[i], "--plans") == 0 && i + 1 < argc)
      options.plans = numbersIn(argv[++i]);
    else
      break;
  if (argc - i != 3) {
    std::fprintf(stderr,
                 "usage: %s [--nonblocking | --persistent] [--trace-times CALLS] [--validate] [--dump] [--plans RANK,... [--receives-first]] P CASES "
                 "RESULTS-PREFIX\n",
                 argv[0]);
    return 1;
  }
  std::vector<Case> cases;
  if (!readCases(argv[i + 1], cases)) {
    std::fprintf(stderr, "cannot read the cases in %s\n", argv[i + 1]);
    return 1;
  }
  const auto calls = callsOf<typename Backend::Communicator>(cases);
  return calls.empty() ? 1 : Backend::runCases(std::atoll(argv[i]), calls, argv[i + 2], options);
}

} // namespace harness
} // namespace quadrille

#endif // QUADRILLE_HARNESS_PROGRAM_H
