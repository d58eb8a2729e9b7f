//===- CompareReport.cpp - Which schedule is fastest where ------------------------------------------------------------------------===//

#include "CompareReport.h"

#include "Text.h"

#include "arithmetic/Integers.h"
#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

namespace quadrille::compiler {

namespace {
/// A kind of p. Schedules that admit only some p usually admit all p of a kind, or none, so each kind has a table and a map of its own.
struct Kind {
  const char *title;
  bool (*contains)(std::int64_t p);
};
constexpr Kind kinds[] = {
    {"powers of two", [](std::int64_t p) { return arithmetic::isPow2(p); }},
    {"other even p", [](std::int64_t p) { return p % 2 == 0 && !arithmetic::isPow2(p); }},
    {"odd p", [](std::int64_t p) { return p % 2 == 1 && p > 1; }},
};

class Report {
public:
  explicit Report(const ScheduleComparison &compared) : compared(compared) {}

  static std::string numberText(std::int64_t n) { return binaryText(static_cast<std::uint64_t>(n)); }
  static std::string spanText(std::int64_t from, std::int64_t to) {
    return from == to ? numberText(from) : numberText(from) + ".." + numberText(to);
  }

  static bool isAlike(llvm::ArrayRef<Stretch> a, llvm::ArrayRef<Stretch> b) {
    return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](const auto &pair) { return std::get<0>(pair).best == std::get<1>(pair).best; });
  }

  /// Comparisons for the p of each kind that there are.
  std::vector<draw::CostPanel> panels() const {
    std::vector<draw::CostPanel> result;
    for (const Kind &kind : kinds) {
      draw::CostPanel panel{kind.title, {}};
      for (size_t i = 0; i < compared.comparison.ps.size(); ++i)
        if (kind.contains(compared.comparison.ps[i]) && !compared.comparison.stretches[i].empty()) {
          panel.comparison.ps.push_back(compared.comparison.ps[i]);
          panel.comparison.stretches.push_back(compared.comparison.stretches[i]);
        }
      if (!panel.comparison.ps.empty())
        result.push_back(std::move(panel));
    }
    return result;
  }

  std::string name(size_t candidate) const { return compared.candidates[candidate].schedule->name; }

  draw::CostMap map() const {
    draw::CostMap result;
    result.title = "The fastest " + compared.collective;
    result.subtitle = compared.machine.text() + "; T by its formulas" + (hasUpperBounds() ? ", some of them upper bounds" : "");
    for (size_t i = 0; i < compared.candidates.size(); ++i)
      result.names.push_back(name(i));
    result.panels = panels();
    return result;
  }

  bool hasUpperBounds() const {
    return llvm::any_of(compared.candidates, [](const Candidate &candidate) { return candidate.cost.isUpperBound; });
  }

  void text(llvm::raw_ostream &out) const {
    out << compared.collective << ": the fastest by formulas, at " << compared.machine.text() << '\n';
    bool needsMark = false;
    for (const draw::CostPanel &panel : panels()) {
      const Comparison &all = panel.comparison;
      std::vector<std::vector<std::string>> rows = {{"p", "n", "fastest", "k", "T", "second", "slower by"}};
      for (size_t first = 0; first < all.ps.size();) {
        size_t last = first;
        while (last + 1 < all.ps.size() && isAlike(all.stretches[last], all.stretches[last + 1]))
          ++last;
        for (size_t s = 0; s < all.stretches[first].size(); ++s) {
          std::int64_t least = INT64_MAX, most = 0, end = 0;
          for (size_t i = first; i <= last; ++i) {
            least = std::min(least, all.stretches[i][s].from);
            most = std::max(most, all.stretches[i][s].from);
            end = std::max(end, all.stretches[i][s].to);
          }
          // T is that at the middle of the stretch, for the middle p of those that are alike.
          const Stretch &shown = all.stretches[(first + last) / 2][s];
          const bool isBound = compared.candidates[shown.best].cost.isUpperBound;
          needsMark |= isBound;
          std::string from = least == most ? numberText(least) : "(" + spanText(least, most) + ")";
          rows.push_back({s == 0 ? spanText(all.ps[first], all.ps[last]) : "", from + " ..", name(shown.best),
                          shown.k ? std::to_string(shown.k) : "-",
                          (isBound ? "<= " : "") + durationText(shown.seconds) + " at p = " + numberText(all.ps[(first + last) / 2]) +
                              ", n = " + numberText(shown.middle),
                          shown.second ? name(*shown.second) : "-",
                          shown.second ? llvm::formatv("{0:f0}%", std::max(0.0, std::round((shown.factor - 1) * 100))).str() : "-"});
        }
        first = last + 1;
      }
      out << '\n' << panel.title << '\n';
      printWrapped(rows, terminalColumns(out), out);
    }
    std::string notes;
    llvm::raw_string_ostream below(notes);
    if (needsMark)
      below << "<=: the formula is an upper bound; the schedule may be faster than that.\n";
    below << "p: " << rangeText(compared.ps) << "\nn from .. to: " << numberText(compared.ns.front()) << " .. " << numberText(compared.ns.back())
          << "; where (a..b) stands, the change lies between these, depending on p\n";
    for (const ScheduleComparison::LeftOut &schedule : compared.leftOut)
      below << "left out: " << schedule.path << ", " << diag::text(schedule.reason) << '\n';
    out << '\n';
    printLines(below.str(), terminalColumns(out), 2, out);
  }

  void json(llvm::raw_ostream &out) const {
    llvm::json::OStream json(out, 2);
    json.object([&] {
      json.attribute("collective", compared.collective);
      json.attributeObject("machine", [&] {
        number(json, "alpha", compared.machine.alpha);
        number(json, "beta", compared.machine.beta);
        number(json, "gamma", compared.machine.gamma);
      });
      json.attributeArray("schedules", [&] {
        for (const Candidate &candidate : compared.candidates)
          json.object([&] {
            json.attribute("schedule", candidate.schedule->path());
            json.attribute("T", candidate.cost.formulas.total().text());
            json.attribute("upperBound", candidate.cost.isUpperBound);
            json.attribute("packets", candidate.k.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(candidate.k));
          });
      });
      json.attributeArray("leftOut", [&] {
        for (const ScheduleComparison::LeftOut &schedule : compared.leftOut)
          json.object([&] {
            json.attribute("schedule", schedule.path);
            json.attribute("reason", diag::text(schedule.reason));
          });
      });
      json.attributeArray("ranks", [&] {
        for (size_t i = 0; i < compared.comparison.ps.size(); ++i)
          json.object([&] {
            json.attribute("p", compared.comparison.ps[i]);
            json.attributeArray("stretches", [&] {
              for (const Stretch &stretch : compared.comparison.stretches[i])
                json.object([&] { writeStretch(stretch, json); });
            });
          });
      });
    });
    out << '\n';
  }

  static void number(llvm::json::OStream &json, llvm::StringRef name, double value) {
    json.attributeBegin(name);
    json.rawValue(jsonNumber(value));
    json.attributeEnd();
  }

  void writeStretch(const Stretch &stretch, llvm::json::OStream &json) const {
    json.attribute("from", stretch.from);
    json.attribute("to", stretch.to);
    json.attribute("schedule", compared.candidates[stretch.best].schedule->path());
    json.attributeObject("at", [&] {
      json.attribute("n", stretch.middle);
      number(json, "seconds", stretch.seconds);
      if (stretch.k)
        json.attribute("k", stretch.k);
      if (stretch.second) {
        json.attribute("second", compared.candidates[*stretch.second].schedule->path());
        number(json, "secondsOfSecond", stretch.seconds * stretch.factor);
      }
    });
  }

private:
  const ScheduleComparison &compared;
};
} // namespace

void printComparisonText(const ScheduleComparison &compared, llvm::raw_ostream &out) { Report(compared).text(out); }
void printComparisonJson(const ScheduleComparison &compared, llvm::raw_ostream &out) { Report(compared).json(out); }
draw::CostMap costMap(const ScheduleComparison &compared) { return Report(compared).map(); }

} // namespace quadrille::compiler
