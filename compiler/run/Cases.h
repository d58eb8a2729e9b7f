//===- Cases.h - The cases of a run --------------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_RUN_CASES_H
#define QUADRILLE_RUN_CASES_H

#include "RunSchedules.h"

#include "quadrille/harness/data.h"

#include <numeric>
#include <optional>

namespace quadrille::compiler::run {

/// The blocks of one data parameter of a collective.
struct DataShape {
  std::int64_t blocks = 1;
  std::int64_t rank = -1; // the rank that has it; -1: all ranks
  std::vector<std::int64_t> lengths; // the length of block b of rank r at index r*blocks + b; empty: all have length n

  bool isAt(std::int64_t r) const { return rank < 0 || rank == r; }
  std::uint64_t length(std::int64_t r, std::int64_t block, std::uint64_t n) const {
    return lengths.empty() ? n : static_cast<std::uint64_t>(lengths[static_cast<size_t>(r * blocks + block)]);
  }
  /// The number of elements in the blocks of rank r before `block`; `block` may be the number of blocks.
  std::uint64_t offset(std::int64_t r, std::int64_t block, std::uint64_t n) const {
    if (lengths.empty())
      return static_cast<std::uint64_t>(block) * n;
    auto row = lengths.begin() + r * blocks;
    return static_cast<std::uint64_t>(std::accumulate(row, row + block, std::int64_t(0)));
  }
};

/// A call whose result is looked at.
struct CallCase {
  const ir::Schedule *schedule = nullptr;
  std::string name; // under which the program knows the schedule
  std::int64_t id = 0;    // its number in a launch
  std::int64_t order = 0; // its number among the schedule's cases for this p
  std::int64_t p = 1;
  std::uint64_t n = 0;
  Lengths lengths; // n and the tables
  harness::Element element = harness::Element::Double;
  harness::Combiner combiner = harness::Combiner::Sum;
  bool inPlace = false;
  std::vector<std::int64_t> numbers; // parameters of the schedule, then the collective's
  Nodes nodes;                       // where ranks are; null: that does not matter
  bool isChosen = false;             // the emitted code chooses the first of them; numbers[0] is the choice that is expected
  std::vector<DataShape> inputs, outputs;
  std::vector<unsigned char> given; // the elements of all inputs, see harness::givenOffset; empty: random ones
};

/// Writes elements first ..+ count of a rank's input number `input` to `data`.
void fillInput(void *data, const CallCase &c, std::uint64_t seed, std::int64_t rank, unsigned input, std::uint64_t first,
               std::uint64_t count);

/// The text of an element as in `--input` and `--show`: "1e+16", "1:1:0:1", "7:2".
std::string elementText(harness::Element element, const unsigned char *at);

/// All cases of a schedule for one p, without `name` and `id`, which the caller sets; nothing after an error in the request, which has
/// been reported.
std::optional<std::vector<CallCase>> casesFor(const ir::Schedule &schedule, const RunRequest &request, std::int64_t p, Diagnostics &diagnostics);

/// The text of a case in reports: "p=5 n=100 root=2 type=double op=sum backend=shm".
std::string describe(const CallCase &c, const RunRequest &request);

/// The line of the case in the file that the harness reads.
std::string encode(const CallCase &c, const RunRequest &request);

} // namespace quadrille::compiler::run

#endif // QUADRILLE_RUN_CASES_H
