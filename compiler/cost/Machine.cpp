//===- Machine.cpp - What a startup, a word and an application take on a machine ---------------------------------------------===//

#include "Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace quadrille {

std::string MachineParameters::text() const {
  return "alpha = " + durationText(alpha) + ", beta = " + durationText(beta) + ", gamma = " + durationText(gamma);
}

namespace {
struct Unit {
  llvm::StringLiteral name;
  double seconds;
};
constexpr Unit units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}; // `s` last: the others end in it
} // namespace

static std::string digits(double value, int count) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*g", count, value);
  return text;
}

std::string durationText(double seconds) {
  if (seconds == 0)
    return "0s";
  const Unit *unit = &units[0];
  for (const Unit &candidate : units)
    if (seconds >= 0.99995 * candidate.seconds) // what is rounded up to the unit is written in it
      unit = &candidate;
  return digits(seconds / unit->seconds, 4) + unit->name.str();
}

std::optional<double> parseDuration(llvm::StringRef text) {
  double value = 0;
  for (const Unit &unit : units) {
    llvm::StringRef number = text;
    if (!number.consume_back(unit.name))
      continue;
    // Only what looks like a number: getAsDouble knows words such as `inf`, too.
    if (number.empty() || !llvm::all_of(number, [](char c) { return llvm::isDigit(c) || llvm::StringRef(".eE+-").contains(c); }) ||
        number.getAsDouble(value) || !std::isfinite(value) || std::signbit(value))
      return std::nullopt;
    return value * unit.seconds;
  }
  return std::nullopt;
}

} // namespace quadrille
