//===- Scale.cpp - The scale of an axis -------------------------------------------------------------------------------------===//

#include "Scale.h"

#include "machines/MachineDescription.h"

#include <algorithm>
#include <cmath>

namespace quadrille::compiler::draw {

double Scale::at(double value) const {
  const double share = isLogarithmic ? std::log(value / least) / std::log(most / least) : (value - least) / (most - least);
  return from + share * (to - from);
}

std::vector<double> Scale::ticks(double each) const {
  const double room = std::max(1.0, std::abs(to - from) / each);
  std::vector<double> result;
  if (isLogarithmic) {
    // Every step-th power of ten for times, of two for numbers that are counted.
    const double base = isTime ? 10 : 2;
    const int first = static_cast<int>(std::ceil(std::log(least) / std::log(base) - 1e-9)), last = static_cast<int>(std::floor(std::log(most) / std::log(base) + 1e-9));
    const int step = std::max(1, static_cast<int>(std::ceil((last - first + 1) / room)));
    for (int e = first; e <= last; e += step)
      result.push_back(std::pow(base, e));
    return result;
  }
  double step = std::pow(10, std::floor(std::log10((most - least) / room)));
  for (double factor : {1.0, 2.0, 5.0, 10.0})
    if ((most - least) / (step * factor) <= room) {
      step *= factor;
      break;
    }
  for (double i = std::ceil(least / step - 1e-9); i * step <= most + step * 1e-9; ++i)
    result.push_back(i * step);
  return result;
}

std::string Scale::text(double tick) const {
  if (isTime)
    return tick == 0 ? "0" : durationText(tick);
  const auto whole = static_cast<std::int64_t>(std::llround(tick));
  if (std::abs(tick - static_cast<double>(whole)) > 1e-9) {
    std::string number = std::to_string(tick);
    number.erase(number.find_last_not_of('0') + 1);
    return number;
  }
  for (auto [unit, name] : {std::pair(std::int64_t(1) << 30, "Gi"), {std::int64_t(1) << 20, "Mi"}, {std::int64_t(1) << 10, "Ki"}})
    if (whole >= unit && whole % unit == 0)
      return std::to_string(whole / unit) + name;
  return std::to_string(whole);
}

} // namespace quadrille::compiler::draw
