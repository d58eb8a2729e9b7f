//===- Worth.cpp - What it is worth to choose among schedules --------------------------------------------------------------===//

#include "Worth.h"

#include "SelectionTable.h"

#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace quadrille::compiler::tune {

namespace {

using PointOfGrid = std::pair<std::int64_t, std::uint64_t>; // p, bytes

/// The geometric mean of some ratios.
class Mean {
public:
  void add(double ratio) {
    sum += std::log(ratio);
    ++count;
  }
  double value() const { return count ? std::exp(sum / static_cast<double>(count)) : 1; }
  size_t number() const { return count; }

private:
  double sum = 0;
  size_t count = 0;
};

} // namespace

/// The time of the fastest schedule; nothing if only the MPI library's own was measured.
static std::optional<double> fastestOf(const std::map<std::string, double> &times) {
  std::optional<double> fastest;
  for (const auto &[name, seconds] : times)
    if (name != ownOfMpi)
      fastest = std::min(fastest.value_or(seconds), seconds);
  return fastest;
}

std::optional<Worth> worthOf(llvm::StringRef collective, const Journal &journal,
                             llvm::function_ref<std::string(std::int64_t p, std::uint64_t bytes)> chosen) {
  std::map<PointOfGrid, std::map<std::string, double>> times; // by schedule, or ownOfMpi
  for (const auto &[key, seconds] : journal.all()) {
    const auto &[p, bytes, path, parameter] = key;
    const auto [of, name] = llvm::StringRef(path).split('/');
    // Parameters that end otherwise are those of calls with another type.
    if (of != collective || seconds <= 0 || llvm::StringRef(parameter).contains(':'))
      continue;
    times[{p, bytes}][name.str() + (parameter.empty() ? "" : " " + parameter)] = seconds;
  }
  Worth worth;
  Mean againstMpi;
  std::map<PointOfGrid, double> ofChosen;
  std::set<std::int64_t> ps;
  for (const auto &[place, schedules] : times) {
    const auto found = schedules.find(chosen(place.first, place.second));
    if (found == schedules.end())
      continue;
    ofChosen[place] = found->second;
    ps.insert(place.first);
    if (const auto mpi = schedules.find(ownOfMpi); mpi != schedules.end())
      againstMpi.add(mpi->second / found->second);
  }
  if (ofChosen.empty())
    return std::nullopt;
  worth.places = ofChosen.size();
  worth.placesOfMpi = againstMpi.number();
  if (worth.placesOfMpi)
    worth.againstMpi = againstMpi.value();
  std::map<std::string, std::set<std::int64_t>> servedBy;
  for (const auto &[place, seconds] : ofChosen)
    for (const auto &[name, time] : times[place])
      if (name != ownOfMpi)
        servedBy[name].insert(place.first);
  for (const auto &[name, served] : servedBy) {
    if (served.size() < ps.size())
      continue;
    Mean mean;
    for (const auto &[place, seconds] : ofChosen) {
      const std::map<std::string, double> &here = times[place];
      if (const auto found = here.find(name); found != here.end())
        mean.add(found->second / seconds);
      else if (const std::optional<double> fastest = fastestOf(here))
        mean.add(hopeless * *fastest / seconds);
    }
    if (worth.single.empty() || mean.value() < worth.againstSingle) {
      worth.single = name;
      worth.againstSingle = mean.value();
    }
  }
  return worth;
}

std::string worthText(const Worth &worth) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!worth.single.empty())
    out << llvm::format("%.2f", worth.againstSingle) << " times as fast as " << worth.single << " everywhere";
  if (worth.againstMpi)
    out << (text.empty() ? "" : ", ") << llvm::format("%.2f", *worth.againstMpi) << " times as fast as MPI's own";
  if (text.empty())
    out << "no schedule serves all numbers of ranks";
  out << " (" << counted(worth.places, "place") << " measured";
  if (worth.againstMpi && worth.placesOfMpi != worth.places)
    out << ", " << worth.placesOfMpi << " with MPI's own";
  out << ')';
  return text;
}

} // namespace quadrille::compiler::tune
