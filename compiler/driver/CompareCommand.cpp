//===- CompareCommand.cpp - quadrille cost --compare ---------------------------------------------------------------------------===//

#include "Commands.h"
#include "CostFacts.h"
#include "Machines.h"
#include "ProgressLine.h"
#include "Report.h"

#include "arithmetic/Integers.h"
#include "check/Check.h"
#include "closedform/ClosedForms.h"
#include "diagnostics/OutputFile.h"
#include "draw/CostMap.h"
#include "machines/Compare.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <map>

namespace quadrille::compiler {

namespace {
/// A schedule that is not compared, and why.
struct LeftOut {
  std::string path, reason;
};

/// Ranks of one kind: what only some p admit is then admitted by all of a kind, or by none.
struct Kind {
  const char *title;
  bool (*contains)(std::int64_t p);
};
constexpr Kind kinds[] = {
    {"powers of two", [](std::int64_t p) { return arithmetic::isPow2(p); }},
    {"other even p", [](std::int64_t p) { return p % 2 == 0 && !arithmetic::isPow2(p); }},
    {"odd p", [](std::int64_t p) { return p % 2 == 1 && p > 1; }},
};

class CompareCommand {
public:
  explicit CompareCommand(Session &session) : session(session), options(session.options) {}

  int run() {
    std::vector<const ir::Schedule *> schedules;
    for (const ir::Schedule *schedule : session.library.all())
      if (schedule->collective->name == options.compare)
        schedules.push_back(schedule);
    for (const std::string &file : options.files)
      for (const ir::Schedule *schedule : session.library.find(file))
        if (!llvm::is_contained(schedules, schedule))
          add(*schedule, schedules);
    if (session.diagnostics.errorCount())
      return 1;
    if (schedules.empty()) {
      session.diagnostics.reportFile(options.compare,
                                     diag::NothingToCompare{.reason = "there is no schedule for a collective of this name"});
      return 1;
    }
    if (std::optional<MachineParameters> given = givenParameters(session))
      machine = *given;
    if (session.diagnostics.errorCount())
      return 1;
    ProgressLine progress;
    for (const ir::Schedule *schedule : schedules) {
      progress.show("the formula of " + schedule->path());
      consider(*schedule);
    }
    progress.hide();
    if (candidates.empty()) {
      session.diagnostics.reportFile(options.compare,
                                     diag::NothingToCompare{.reason = leftOut.front().path + ": " + leftOut.front().reason});
      return 1;
    }
    ps = options.ps.empty() ? sampled(2, 1024) : options.ps;
    ns = options.ns.empty() ? sampled(1, 1 << 24) : options.ns;
    progress.show("comparing " + std::to_string(candidates.size()) + " schedules");
    comparison = compare(candidates, ps, ns, machine, [](const Candidate &candidate, std::int64_t p) { return competesAt(candidate, p); });
    progress.hide();
    if (llvm::all_of(comparison.stretches, [](const auto &stretches) { return stretches.empty(); })) {
      session.diagnostics.reportFile(options.compare,
                                     diag::NothingToCompare{.reason = "none of its schedules runs with p in " + rangeText(ps)});
      return 1;
    }
    write();
    return session.diagnostics.errorCount() ? 1 : 0;
  }

private:
  // ---- what is compared ------------------------------------------------------------------------------------------------

  void add(const ir::Schedule &schedule, std::vector<const ir::Schedule *> &schedules) {
    if (schedule.collective->name == options.compare)
      schedules.push_back(&schedule);
    else
      session.diagnostics.report(schedule.nameRange,
                                 diag::OtherCollective{.schedule = schedule.path(), .collective = options.compare});
  }

  void consider(const ir::Schedule &schedule) {
    auto leave = [&](std::string reason) { leftOut.push_back({schedule.path(), std::move(reason)}); };
    if (!schedule.tables.empty())
      return leave("its blocks have lengths of their own");
    if (options.noncommutative && schedule.requiresCommutative)
      return leave("it requires a commutative operator");
    std::optional<ScheduleCost> cost;
    try {
      ClosedFormOptions formOptions;
      formOptions.limits = checkOptions(options).limits;
      cost = scheduleCost(schedule, machine.gamma > 0, formOptions);
    } catch (const Finding &) {
      return leave("it fails its checks");
    }
    if (!cost)
      return leave("its cost has no closed form");
    if (machine.gamma > 0 && schedule.usesOperator && !cost->hasGamma)
      return leave("its operator applications have no closed form, and gamma is not 0");
    Candidate candidate{&schedule, *cost, packetParameter(schedule, *cost).value_or("")};
    if (schedule.parameterCount > (candidate.k.empty() ? 0 : 1))
      return leave("it has a parameter that is no number of packets");
    if (!candidate.k.empty() &&
        llvm::any_of(schedule.requirements, [](const ir::Requirement &r) { return mentions(*r.condition, ir::Schedule::firstNumber); }))
      return leave("what it requires depends on `" + candidate.k + "`");
    if (std::optional<ModelInForce> wanted = checkOptions(options).model)
      if (std::optional<ModelInForce> needed = modelOf(schedule); !needed || !wanted->contains(*needed))
        return leave(needed ? "it needs the model " + needed->text() : "its model is not known");
    candidates.push_back(std::move(candidate));
  }

  /// The model that it declares, or else what a few small cases need.
  static std::optional<ModelInForce> modelOf(const ir::Schedule &schedule) {
    ModelInForce result;
    bool any = false;
    for (std::int64_t p = 3; p <= 8; ++p) {
      TreeCache trees;
      Case instance{p, std::vector<std::int64_t>(schedule.numberCount, 0)};
      std::fill_n(instance.numbers.begin(), schedule.parameterCount, 3);
      try {
        if (!admits(schedule, instance, trees))
          continue;
        if (std::optional<ModelInForce> declared = declaredModel(schedule, instance, trees))
          return declared;
        ModelInForce found = checkCase(schedule, instance, {}, schedule.requiresCommutative, trees).strictest;
        if (!any || found.contains(result))
          result = found;
        any = true;
      } catch (const Finding &) {
        return std::nullopt;
      } catch (const EvaluationError &) {
        return std::nullopt;
      }
    }
    return any ? std::optional(result) : std::nullopt;
  }

  static bool competesAt(const Candidate &candidate, std::int64_t p) {
    Case instance{p, std::vector<std::int64_t>(candidate.schedule->numberCount, 0)};
    std::fill_n(instance.numbers.begin(), candidate.schedule->parameterCount, 1);
    TreeCache trees;
    return isAdmitted(*candidate.schedule, instance, trees);
  }

  // ---- what is printed -------------------------------------------------------------------------------------------------

  void write() {
    const std::string &path = options.output;
    std::string format = options.format;
    if (format.empty())
      format = llvm::StringRef(path).ends_with(".svg") ? "svg" : llvm::StringRef(path).ends_with(".json") ? "json" : "text";
    auto writeTo = [&](llvm::raw_ostream &out) {
      if (format == "json")
        writeJson(out);
      else if (format == "svg")
        draw::writeSvg(map(), out);
      else
        writeText(out);
    };
    writeOutput(path, writeTo, session.diagnostics);
  }

  std::string machineText() const {
    return machine.text();
  }

  static std::string numberText(std::int64_t n) {
    for (auto [unit, name] : {std::pair(std::int64_t(1) << 30, "Gi"), {std::int64_t(1) << 20, "Mi"}, {std::int64_t(1) << 10, "Ki"}})
      if (n >= unit && n % unit == 0)
        return std::to_string(n / unit) + name;
    return std::to_string(n);
  }
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
      for (size_t i = 0; i < comparison.ps.size(); ++i)
        if (kind.contains(comparison.ps[i]) && !comparison.stretches[i].empty()) {
          panel.comparison.ps.push_back(comparison.ps[i]);
          panel.comparison.stretches.push_back(comparison.stretches[i]);
        }
      if (!panel.comparison.ps.empty())
        result.push_back(std::move(panel));
    }
    return result;
  }

  std::string name(size_t candidate) const { return candidates[candidate].schedule->name; }

  draw::CostMap map() const {
    draw::CostMap result;
    result.title = "The fastest " + options.compare;
    result.subtitle = machineText() + "; T by its formulas" + (hasUpperBounds() ? ", some of them upper bounds" : "");
    for (size_t i = 0; i < candidates.size(); ++i)
      result.names.push_back(name(i));
    result.panels = panels();
    return result;
  }

  bool hasUpperBounds() const {
    return llvm::any_of(candidates, [](const Candidate &candidate) { return candidate.cost.isUpperBound; });
  }

  void writeText(llvm::raw_ostream &out) {
    out << options.compare << ": the fastest by formulas, at " << machineText() << '\n';
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
          // T at the middle of the stretch, with p in the middle of those that are alike.
          const Stretch &shown = all.stretches[(first + last) / 2][s];
          const bool isBound = candidates[shown.best].cost.isUpperBound;
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
      printColumns(rows, 0, out);
    }
    out << '\n';
    if (needsMark)
      out << "<=: the formula is an upper bound; the schedule may be faster than that.\n";
    out << "p: " << rangeText(ps) << "\nn from .. to: " << numberText(ns.front()) << " .. " << numberText(ns.back())
        << "; where (a..b) stands, the change lies between these, depending on p\n";
    for (const LeftOut &schedule : leftOut)
      out << "left out: " << schedule.path << ", " << schedule.reason << '\n';
  }

  void writeJson(llvm::raw_ostream &out) {
    llvm::json::OStream json(out, 2);
    json.object([&] {
      json.attribute("collective", options.compare);
      json.attributeObject("machine", [&] {
        number(json, "alpha", machine.alpha);
        number(json, "beta", machine.beta);
        number(json, "gamma", machine.gamma);
      });
      json.attributeArray("schedules", [&] {
        for (const Candidate &candidate : candidates)
          json.object([&] {
            json.attribute("schedule", candidate.schedule->path());
            json.attribute("T", candidate.cost.formulas.total().text());
            json.attribute("upperBound", candidate.cost.isUpperBound);
            json.attribute("packets", candidate.k.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(candidate.k));
          });
      });
      json.attributeArray("leftOut", [&] {
        for (const LeftOut &schedule : leftOut)
          json.object([&] {
            json.attribute("schedule", schedule.path);
            json.attribute("reason", schedule.reason);
          });
      });
      json.attributeArray("ranks", [&] {
        for (size_t i = 0; i < comparison.ps.size(); ++i)
          json.object([&] {
            json.attribute("p", comparison.ps[i]);
            json.attributeArray("stretches", [&] {
              for (const Stretch &stretch : comparison.stretches[i])
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

  void writeStretch(const Stretch &stretch, llvm::json::OStream &json) {
    json.attribute("from", stretch.from);
    json.attribute("to", stretch.to);
    json.attribute("schedule", candidates[stretch.best].schedule->path());
    json.attributeObject("at", [&] {
      json.attribute("n", stretch.middle);
      number(json, "seconds", stretch.seconds);
      if (stretch.k)
        json.attribute("k", stretch.k);
      if (stretch.second) {
        json.attribute("second", candidates[*stretch.second].schedule->path());
        number(json, "secondsOfSecond", stretch.seconds * stretch.factor);
      }
    });
  }

  Session &session;
  const Options &options;
  MachineParameters machine = commonMachine;
  std::vector<Candidate> candidates;
  std::vector<LeftOut> leftOut;
  std::vector<std::int64_t> ps, ns;
  Comparison comparison;
};
} // namespace

int compareCommand(Session &session) { return CompareCommand(session).run(); }

} // namespace quadrille::compiler
