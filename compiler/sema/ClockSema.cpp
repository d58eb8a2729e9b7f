//===- ClockSema.cpp - One schedule: when its transfers happen ----------------------------------------------------------===//

#include "ScheduleSema.h"

namespace quadrille::compiler::sema {

using ir::Type;

void ScheduleSema::clock(const ast::Statement &s) {
  ir::Clock &clock = *result->clocks.emplace_back(std::make_unique<ir::Clock>());
  clock.range = s.range;
  clock.text = textOf(s.range);
  names.push();
  // A name of the author's own comes first, as everywhere where a word means something in one place only.
  auto rank = [&](llvm::StringRef name) {
    Symbol symbol;
    symbol.variable = exprs.newVariable(name, Type::Integer, true, s.keyword);
    result->variables[symbol.variable].ofInvariant = true;
    symbol.range = s.keyword;
    if (!names.find(name))
      names.add(name, symbol);
    return symbol.variable;
  };
  clock.sender = rank("sender");
  clock.receiver = rank("receiver");
  exprs.setContext(ExprSema::Context::Clock);
  for (const ast::ExprPtr &time : s.args)
    if (const ir::Expr *number = exprs.integer(*time))
      clock.times.push_back(number);
  exprs.setContext(ExprSema::Context::Plain);
  names.pop();
  statedClocks.push_back({&clock});
  currentClock = statedClocks.size() - 1;
}

const ir::Clock *ScheduleSema::clockOf(llvm::StringRef what, llvm::SMRange range) {
  if (!currentClock) {
    withoutClock.push_back({what.str(), range});
    return nullptr;
  }
  statedClocks[*currentClock].isUsed = true;
  return statedClocks[*currentClock].clock;
}

/// Whoever says when some transfers happen says it of all: of two of which one has no clock nothing would follow.
void ScheduleSema::checkClocks() {
  bool all = true;
  for (const StatedClock &stated : statedClocks)
    if (!stated.isUsed) {
      exprs.error(stated.clock->range, diag::ClockUnused{});
      all = false;
    }
  if (all && !statedClocks.empty()) // else it is a clock that stands behind its transfers
    for (const auto &[what, range] : withoutClock)
      exprs.error(range, diag::ClockMissing{.what = what});
}

} // namespace quadrille::compiler::sema
