//===- TuningGrid.cpp - For which calls `quadrille tune` makes a table -----------------------------------------------------===//

#include "TuningGrid.h"

#include "emit/LibraryUnits.h"
#include "sema/ExprSema.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <thread>

namespace quadrille::compiler::tune {

// 8 B to 1 MiB. A factor of four, as what is fastest changes where halves or quarters of a block fit into the line that announces a message.
// With --from there are lengths up to 16 MiB.
static constexpr std::int64_t usualLengths[] = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 131072};
static constexpr std::int64_t longestCalled = 1 << 21;

bool TuningGrid::chooseCollectives() {
  const llvm::ArrayRef<llvm::StringRef> known = emit::libraryCollectives();
  for (const std::string &name : wish.collectives)
    if (!llvm::is_contained(known, name)) {
      // Of a schedule, the collective may be meant.
      const std::string collective = llvm::StringRef(name).split('/').first.str();
      diagnostics.reportFile(name, diag::NothingToList{.near = sema::didYouMean(collective, std::vector<std::string>(known.begin(), known.end()))});
    }
  for (llvm::StringRef name : known)
    if (wish.collectives.empty() || llvm::is_contained(wish.collectives, name))
      collectives.push_back(name.str());
  return diagnostics.errorCount() == 0;
}

bool TuningGrid::chooseNumbers() {
  ps = wish.ps;
  if (wish.callsFile.empty()) {
    const std::int64_t most = wish.isPredicted ? 64 : std::max<std::int64_t>(4, std::thread::hardware_concurrency());
    for (std::int64_t p = 2; wish.ps.empty() && p <= most; p *= 2)
      ps.push_back(p);
    ns.assign(std::begin(usualLengths), std::end(usualLengths));
  } else {
    const std::optional<std::vector<Call>> calls = readCalls(wish.callsFile, emit::libraryCollectives(), sources, diagnostics);
    if (!calls)
      return false;
    for (const Call &call : *calls)
      if (llvm::is_contained(collectives, call.collective) && (wish.ps.empty() || llvm::is_contained(wish.ps, call.p)))
        add(call);
    if (wishes.empty()) {
      diagnostics.reportFile(wish.callsFile, diag::NoCallsToTune{.reason = diag::NoCallsNoneWished{}});
      return false;
    }
  }
  for (std::vector<std::int64_t> *numbers : {&ps, &ns}) {
    llvm::sort(*numbers);
    numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
  }
  return true;
}

void TuningGrid::add(const Call &call) {
  const double elements = call.typicalBytes() / static_cast<double>(elementBytes);
  const std::int64_t n = std::clamp<std::int64_t>(std::llround(std::min(elements, static_cast<double>(longestCalled))), 1, longestCalled);
  Wish &wanted = wishes[{call.collective, call.p, n}];
  (call.type == "integer" ? wanted.integers : wanted.others) += call.calls;
  wanted.hasIntegers = wanted.integers > wanted.others;
  wanted.isOrdered &= call.law == "ordered";
  if (wish.ps.empty())
    ps.push_back(call.p);
  ns.push_back(n);
}

std::optional<TuningGrid::Wish> TuningGrid::wishFor(const Cell &cell) const {
  if (wish.callsFile.empty())
    return Wish{.isOrdered = false};
  const std::int64_t n = std::max<std::int64_t>(1, static_cast<std::int64_t>(cell.bytes) / elementBytes);
  const auto found = wishes.find({cell.collective, cell.p, n});
  return found == wishes.end() ? std::nullopt : std::optional(found->second);
}

} // namespace quadrille::compiler::tune
