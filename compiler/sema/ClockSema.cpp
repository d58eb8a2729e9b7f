//===- ClockSema.cpp - Analysis of a schedule: clocks ----------------------------------------------------------===//

#include "ScheduleSema.h"

namespace quadrille::compiler::sema {

using ir::Type;

void ScheduleSema::clock(const ast::Statement &s) {
  ir::Clock &clock = *result->clocks.emplace_back(std::make_unique<ir::Clock>());
  clock.range = s.range;
  clock.text = textOf(s.range);
  names.push();
  // `sender` and `receiver` are no keywords: a name that the author declared takes precedence.
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

const ir::Clock *ScheduleSema::clockOf(bool isUse, llvm::SMRange range) {
  if (!currentClock) {
    withoutClock.push_back({isUse, range});
    return nullptr;
  }
  statedClocks[*currentClock].isUsed = true;
  return statedClocks[*currentClock].clock;
}

/// If some transfers have a clock, all must have one: times can only be compared if both are stated.
void ScheduleSema::checkClocks() {
  bool all = true;
  for (const StatedClock &stated : statedClocks)
    if (!stated.isUsed) {
      exprs.error(stated.clock->range, diag::ClockUnused{});
      all = false;
    }
  if (all && !statedClocks.empty()) // if one is unused, it probably stands after its transfers
    for (const auto &[isUse, range] : withoutClock)
      exprs.error(range, diag::ClockMissing{.use = isUse});
}

} // namespace quadrille::compiler::sema
