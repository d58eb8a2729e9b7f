//===- TuningGrid.cpp - For which calls `quadrille tune` makes a table -----------------------------------------------------===//

#include "TuningGrid.h"

#include "emit/LibraryUnits.h"
#include "sema/ExprSema.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <thread>

namespace quadrille::compiler {

// 8 B to 1 MiB. With --from there are lengths up to 16 MiB.
static constexpr std::int64_t usualLengths[] = {1, 8, 64, 512, 4096, 32768, 131072};
static constexpr std::int64_t longestCalled = 1 << 21;

bool TuningGrid::chooseCollectives() {
  const llvm::ArrayRef<llvm::StringRef> known = emit::libraryCollectives();
  for (const std::string &name : options.files)
    if (!llvm::is_contained(known, name))
      session.diagnostics.reportFile(name, diag::NothingToList{.near = sema::didYouMean(name, std::vector<std::string>(known.begin(), known.end()))});
  for (llvm::StringRef name : known)
    if (options.files.empty() || llvm::is_contained(options.files, name))
      collectives.push_back(name.str());
  return session.diagnostics.errorCount() == 0;
}

bool TuningGrid::chooseNumbers() {
  ps = options.ps;
  if (options.callsFile.empty()) {
    const std::int64_t most = options.predict ? 64 : std::max<std::int64_t>(4, std::thread::hardware_concurrency());
    for (std::int64_t p = 2; options.ps.empty() && p <= most; p *= 2)
      ps.push_back(p);
    ns.assign(std::begin(usualLengths), std::end(usualLengths));
  } else {
    const std::optional<std::vector<tune::Call>> calls = tune::readCalls(options.callsFile, emit::libraryCollectives(), session.sources, session.diagnostics);
    if (!calls)
      return false;
    for (const tune::Call &call : *calls)
      if (llvm::is_contained(collectives, call.collective) && (options.ps.empty() || llvm::is_contained(options.ps, call.p)))
        add(call);
    if (wishes.empty()) {
      session.diagnostics.reportFile(options.callsFile, diag::NoCallsToTune{.reason = "none of the calls is of these collectives with these numbers of ranks"});
      return false;
    }
  }
  for (std::vector<std::int64_t> *numbers : {&ps, &ns}) {
    llvm::sort(*numbers);
    numbers->erase(std::unique(numbers->begin(), numbers->end()), numbers->end());
  }
  return true;
}

void TuningGrid::add(const tune::Call &call) {
  const double elements = call.typicalBytes() / static_cast<double>(elementBytes);
  const std::int64_t n = std::clamp<std::int64_t>(std::llround(std::min(elements, static_cast<double>(longestCalled))), 1, longestCalled);
  Wish &wish = wishes[{call.collective, call.p, n}];
  (call.type == "integer" ? wish.integers : wish.others) += call.calls;
  wish.hasIntegers = wish.integers > wish.others;
  wish.isOrdered &= call.law == "ordered";
  if (options.ps.empty())
    ps.push_back(call.p);
  ns.push_back(n);
}

std::optional<TuningGrid::Wish> TuningGrid::wishFor(const tune::Cell &cell) const {
  if (options.callsFile.empty())
    return Wish{.isOrdered = false};
  const std::int64_t n = std::max<std::int64_t>(1, static_cast<std::int64_t>(cell.bytes) / elementBytes);
  const auto found = wishes.find({cell.collective, cell.p, n});
  return found == wishes.end() ? std::nullopt : std::optional(found->second);
}

} // namespace quadrille::compiler
