//===- Limits.cpp - How much work, memory and size there may be ------------------------------------------------------------------===//

#include "Limits.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace quadrille::compiler {

llvm::ArrayRef<LimitEntry> allLimits() {
  static constexpr LimitEntry table[] = {
#define LIMIT(NAME, TYPE, VALUE, UNIT, OPTION, BOUNDS, WHY)                                                             \
  {#NAME, static_cast<std::uint64_t>(VALUE), UNIT, OPTION, BOUNDS, WHY},
#include "Limits.def"
  };
  return table;
}

void setEffort(std::uint64_t thousandths) { effortInForce = thousandths; }

std::uint64_t scaledByEffort(std::uint64_t value, std::uint64_t most) {
  const auto scaled = static_cast<unsigned __int128>(value) * effort() / defaultEffort;
  return static_cast<std::uint64_t>(std::clamp<unsigned __int128>(scaled, 1, most));
}

std::string effortText() {
  std::string digits = std::to_string(defaultEffort + effort() % defaultEffort).substr(1);
  digits.erase(digits.find_last_not_of('0') + 1);
  return "--effort=" + std::to_string(effort() / defaultEffort) + (digits.empty() ? "" : "." + digits);
}

std::string LimitInForce::name() const {
  return "`" + of->name.str() + "`" + (of->option.empty() ? "" : ", " + of->option.str());
}

std::string LimitInForce::text() const {
  return "`" + of->name.str() + "` = " + std::to_string(number) + (of->unit.empty() ? "" : " ") + of->unit.str() +
         (of->option.empty() ? "" : " (" + of->option.str() + ")");
}

std::optional<LimitInForce> limitNamed(llvm::StringRef name, std::uint64_t value) {
  auto found = llvm::find_if(allLimits(), [&](const LimitEntry &entry) { return entry.name == name; });
  return found == allLimits().end() ? std::nullopt : std::optional(LimitInForce(*found, value));
}

} // namespace quadrille::compiler
