//===- PlotCommand.cpp - quadrille plot --------------------------------------------------------------------------------------===//

#include "Given.h"
#include "Pictures.h"
#include "SingleCase.h"

#include "closedform/ClosedForms.h"
#include "cost/LinearCost.h"
#include "diagnostics/InputFile.h"
#include "diagnostics/OutputFile.h"
#include "draw/Gantt.h"
#include "draw/Plot.h"
#include "draw/Traffic.h"
#include "limits/Limits.h"
#include "machines/Pricing.h"
#include "prove/solver/SharedAnswers.h"
#include "report/CostFacts.h"
#include "report/MeasuredGantt.h"
#include "report/ProgressLine.h"
#include "report/VerdictReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

namespace quadrille::compiler {

namespace {

/// The cases in a file of results for which `what` was measured; nothing after a mistake, which has been reported.
std::optional<std::vector<MeasuredCase>> measuredCases(Session &session, const std::string &file, Measured what) {
  const std::optional<std::string> text = readMeasured(file, session.diagnostics);
  if (!text)
    return std::nullopt;
  std::optional<diag::NoResults> wrong;
  std::optional<std::vector<MeasuredCase>> read = readMeasurements(*text, what, wrong);
  if (!read)
    session.diagnostics.reportFile(file, diag::NotResults{.reason = *wrong});
  return read;
}

/// Writes a picture, or CSV.
template <class Scene, class Csv> void write(Session &session, Scene sceneOf, Csv writeCsv) {
  if (const std::optional<scene::PictureFormat> format = wantedPicture(session.options))
    return writePicture(session, {sceneOf(), {}, {}}, *format);
  writeOutput(session.options.output, writeCsv, session.diagnostics);
}

// ---- curves ----------------------------------------------------------------------------------------------------------------

class CurvePlot {
public:
  explicit CurvePlot(Session &session) : session(session), options(session.options), machine(givenParameters(session).value_or(commonMachine)) {}

  int run() {
    if (session.diagnostics.errorCount() || !readPoints())
      return 1;
    std::vector<const ir::Schedule *> schedules;
    for (const std::string &file : options.files)
      llvm::append_range(schedules, session.library.find(file));
    const ir::Schedule *against = nullptr;
    if (!options.against.empty()) {
      const std::vector<const ir::Schedule *> found = session.library.find(options.against);
      if (found.size() > 1)
        session.diagnostics.reportFile(options.against, diag::SeveralSchedules{.schedules = found.size(), .command = "plot"});
      against = found.size() == 1 ? found[0] : nullptr;
    }
    if (session.diagnostics.errorCount())
      return 1;
    chooseNumbers();
    const std::optional<Curve> base = against ? curveOf(*against) : std::nullopt;
    if (against && !base) {
      session.diagnostics.report(against->nameRange, diag::NothingToCompare{.reason = leftOut.back()});
      return 1;
    }
    for (const ir::Schedule *schedule : schedules)
      if (const std::optional<Curve> curve = curveOf(*schedule))
        addSeries(*curve, base);
    if (llvm::all_of(plot.series, [](const draw::PlotSeries &series) { return series.points.empty(); })) {
      session.diagnostics.reportFile(options.files[0],
                                     diag::NothingToCompare{.reason = leftOut.empty() ? diag::NoneLeftNotAdmitted{} : leftOut.front()});
      return 1;
    }
    describe(against);
    if (!wantedPicture(options))
      for (const std::string &note : plot.notes)
        llvm::errs() << "quadrille: " << note << '\n';
    write(session, [&] { return draw::plotScene(plot, options.look); }, [&](llvm::raw_ostream &out) { draw::writeCsv(plot, out); });
    return session.diagnostics.errorCount() ? 1 : 0;
  }

private:
  struct Curve {
    const ir::Schedule *schedule;
    Pricing pricing;
    bool isUpperBound;
  };

  bool readPoints() {
    for (const std::string &file : options.measured) {
      const auto read = measuredCases(session, file, Measured::Seconds);
      if (!read)
        return false;
      llvm::append_range(measured, *read);
    }
    return true;
  }

  /// Chooses the numbers along the axis, and one number for each of the others.
  void chooseNumbers() {
    auto one = [](llvm::ArrayRef<std::int64_t> given, std::int64_t otherwise) { return given.empty() ? otherwise : given[0]; };
    p = one(options.ps, measured.empty() ? 8 : measured[0].p);
    n = one(options.ns, measured.empty() ? 1000 : measured[0].n);
    if (options.over == "p")
      along = options.ps.empty() ? sampled(2, 1024) : options.ps;
    else if (options.over == "k")
      along = options.ks.empty() ? sampled(1, std::clamp<std::int64_t>(n, 1, 1024)) : options.ks;
    else
      along = options.ns.empty() ? sampled(1, 1 << 24) : options.ns;
  }

  /// Notes why something is not drawn, or not all of it.
  void leaveOut(diag::NoneLeft reason) {
    plot.notes.push_back(diag::text(reason));
    leftOut.push_back(std::move(reason));
  }

  /// The curve of a schedule; nothing if there is none, and a note says why.
  std::optional<Curve> curveOf(const ir::Schedule &schedule) {
    auto none = [&](diag::LeftOut reason) {
      leaveOut(diag::NoneLeftWithout{.schedule = schedule.path(), .reason = std::move(reason)});
      return std::nullopt;
    };
    if (!schedule.tables.empty())
      return none(diag::LeftOutLengths{});
    std::optional<ScheduleCost> cost;
    ProgressLine progress;
    progress.show("the formula of " + schedule.path());
    try {
      const ClosedFormOptions formOptions{.limits = checkOptions(options).limits, .shared = &shared};
      cost = scheduleCost(schedule, machine.gamma > 0, formOptions);
    } catch (const Finding &) {
      return none(diag::LeftOutWrong{});
    }
    if (!cost)
      return none(diag::LeftOutNoFormula{});
    const std::string packets = packetParameter(schedule, *cost).value_or("");
    const bool isGiven = !options.ks.empty() || options.over == "k";
    if (options.over == "k" && schedule.parameterCount == 0)
      return none(diag::LeftOutNoParameter{});
    if (schedule.parameterCount > 1 || (schedule.parameterCount == 1 && packets.empty() && !isGiven))
      return none(diag::LeftOutParameterNotGiven{});
    return Curve{&schedule, Pricing({&schedule, *cost, packets}, machine), cost->isUpperBound};
  }

  bool admits(const ir::Schedule &schedule, std::int64_t ranks, std::int64_t k) const {
    Case instance{ranks, std::vector<std::int64_t>(schedule.numberCount, 0)};
    std::fill_n(instance.numbers.begin(), schedule.parameterCount, std::max<std::int64_t>(1, k));
    TreeCache trees;
    return isAdmitted(schedule, instance, trees);
  }

  /// The point with the number `at` on the axis.
  draw::PlotPoint pointAt(std::int64_t at) const {
    draw::PlotPoint point{p, n, options.ks.empty() ? 0 : options.ks[0], static_cast<double>(at), 0};
    (options.over == "p" ? point.p : options.over == "k" ? point.k : point.n) = at;
    return point;
  }

  /// T at a point, if it has a value; sets the point's number of packets.
  std::optional<double> seconds(const Curve &curve, draw::PlotPoint &point) const {
    if (curve.schedule->parameterCount == 0)
      point.k = 0;
    if (!admits(*curve.schedule, point.p, point.k))
      return std::nullopt;
    const BestK price = point.k ? curve.pricing.atParameter(point.p, point.n, point.k) : curve.pricing.at(point.p, point.n);
    point.k = curve.schedule->parameterCount ? price.k : 0;
    return std::isfinite(price.seconds) && price.seconds > 0 ? std::optional(price.seconds) : std::nullopt;
  }

  void addSeries(const Curve &curve, const std::optional<Curve> &base) {
    for (const Curve *each : {&curve, base ? &*base : nullptr})
      if (each && each->isUpperBound)
        upperBounds.insert(each->schedule);
    draw::PlotSeries series{curve.schedule->path(), colours, false, {}};
    for (std::int64_t at : along) {
      draw::PlotPoint point = pointAt(at), other = point;
      const std::optional<double> own = seconds(curve, point), theirs = base ? seconds(*base, other) : std::nullopt;
      if (!own || (base && !theirs))
        continue;
      point.y = base ? *theirs / *own : *own;
      series.points.push_back(point);
    }
    plot.series.push_back(std::move(series));
    if (!base)
      addMeasured(*curve.schedule);
    ++colours;
  }

  void addMeasured(const ir::Schedule &schedule) {
    draw::PlotSeries series{schedule.path(), colours, true, {}};
    size_t elsewhere = 0;
    for (const MeasuredCase &c : measured) {
      if (c.schedule != schedule.path())
        continue;
      const bool fits = (options.over == "p" || c.p == p) && (options.over == "n" || c.n == n) && (options.over == "k" || options.ks.empty() || c.k == options.ks[0]);
      if (!fits) {
        ++elsewhere;
        continue;
      }
      const std::int64_t at = options.over == "p" ? c.p : options.over == "k" ? c.k : c.n;
      if (at > 0)
        series.points.push_back({c.p, c.n, c.k, static_cast<double>(at), c.seconds});
    }
    llvm::stable_sort(series.points, [](const draw::PlotPoint &a, const draw::PlotPoint &b) { return a.x < b.x; });
    if (elsewhere && series.points.empty())
      leaveOut(diag::NoneLeftMeasuredElsewhere{.schedule = schedule.path()});
    if (!series.points.empty())
      plot.series.push_back(std::move(series));
  }

  void describe(const ir::Schedule *against) {
    const std::string ranksText = "p = " + std::to_string(p), lengthText = "n = " + std::to_string(n);
    const std::string fixed = options.over == "p" ? lengthText : options.over == "k" ? ranksText + ", " + lengthText : ranksText;
    plot.isTime = !against;
    plot.quantity = against ? "speedup" : "seconds";
    plot.across = options.over == "p" ? "p, ranks" : options.over == "k" ? "k, the parameter" : "n, elements per block";
    plot.upwards = against ? "speed-up against " + against->path() : "T";
    plot.title = (against ? "Speed-up against " + against->path() : std::string("T")) + " over " + options.over;
    plot.subtitle = fixed + "  ·  " + machine.text();
    if (!upperBounds.empty()) {
      constexpr size_t most = 4;
      std::string names;
      for (const ir::Schedule *schedule : upperBounds.getArrayRef().take_front(most))
        names += (names.empty() ? "" : ", ") + schedule->path();
      if (upperBounds.size() > most)
        names += " and " + std::to_string(upperBounds.size() - most) + " more";
      plot.notes.push_back("only upper bounds are known of " + names);
    }
    if (llvm::any_of(plot.series, [](const draw::PlotSeries &series) { return series.isMeasured; }))
      plot.notes.push_back("lines: by formulas; circles: measured");
  }

  Session &session;
  const Options &options;
  const MachineParameters machine;
  std::vector<MeasuredCase> measured;
  std::vector<diag::NoneLeft> leftOut;
  std::vector<std::int64_t> along;
  std::int64_t p = 8, n = 1000;
  size_t colours = 0;
  llvm::SetVector<const ir::Schedule *> upperBounds; // whose formulas are no more than that
  draw::Plot plot;
  prove::SharedAnswers shared;
};

// ---- one case --------------------------------------------------------------------------------------------------------------

void reportTooLarge(Session &session, const ir::Schedule &schedule, std::uint64_t count, const diag::Shown &what, LimitInForce limit) {
  session.diagnostics.report(schedule.nameRange, diag::PictureTooLarge{.count = count, .more = false, .what = what, .limit = limit});
}

/// Draws a Gantt chart of the measured case that is asked for.
void plotMeasured(Session &session, const ir::Schedule &schedule) {
  const Options &options = session.options;
  std::vector<MeasuredCase> found;
  for (const std::string &file : options.measured) {
    const auto read = measuredCases(session, file, Measured::Trace);
    if (!read)
      return;
    llvm::copy_if(*read, std::back_inserter(found), [&](const MeasuredCase &c) {
      auto fits = [](llvm::ArrayRef<std::int64_t> asked, std::int64_t is) { return asked.empty() || asked[0] == is; };
      return c.schedule == schedule.path() && fits(options.ps, c.p) && fits(options.ns, c.n) && fits(options.ks, c.k) && (!options.root || *options.root == c.root);
    });
  }
  if (found.size() != 1) {
    constexpr size_t most = 4;
    std::vector<std::string> cases;
    for (const MeasuredCase &c : llvm::ArrayRef(found).take_front(most))
      cases.push_back(c.text);
    const diag::NoneLeft reason = found.empty() ? diag::NoneLeft(diag::NoneLeftNotTraced{.schedule = schedule.path()})
                                                : diag::NoneLeftTracedTwice{.schedule = schedule.path(), .cases = cases, .more = found.size() > most};
    session.diagnostics.report(schedule.nameRange, diag::NothingToCompare{.reason = reason});
    return;
  }
  const draw::Gantt gantt = measuredGantt(found[0]);
  if (wantedPicture(options) && gantt.ranks > limits::pictureRanks)
    return reportTooLarge(session, schedule, gantt.ranks, diag::ShownRanks{}, limits::pictureRanks);
  if (wantedPicture(options) && gantt.bars.size() > limits::pictureArrows)
    return reportTooLarge(session, schedule, gantt.bars.size(), diag::ShownBars{}, limits::pictureArrows);
  write(session, [&] { return draw::ganttScene(gantt, options.look); }, [&](llvm::raw_ostream &out) { draw::writeCsv(gantt, out); });
}

void plotCase(Session &session, const ir::Schedule &schedule, const Case &instance, TreeCache &trees) {
  const Options &options = session.options;
  CheckOptions check = checkOptions(options);
  // A picture needs the messages only. What the author states is not looked at, which may take most of the time.
  check.wantBrackets = check.wantStated = check.wantCosts = false;
  check.tables.pattern = LengthPattern::Even;
  const std::int64_t n = options.ns.empty() ? 1000 : options.ns[0];
  check.lengths = {n};
  const auto ranks = static_cast<std::uint32_t>(instance.p);
  const std::string text = headingOf(schedule, instance) + ", n = " + std::to_string(n);
  auto runWith = [&](RunObserver &observer) { checkCase(schedule, instance, check, schedule.requiresCommutative, trees, &observer); };
  if (wantedPicture(options) && instance.p > limits::pictureRanks && options.plotKind != PlotKind::Matrix)
    return reportTooLarge(session, schedule, ranks, diag::ShownRanks{}, limits::pictureRanks);
  if (options.plotKind == PlotKind::Gantt) {
    const MachineParameters machine = givenParameters(session).value_or(commonMachine);
    if (session.diagnostics.errorCount())
      return;
    draw::Gantt gantt{schedule.path(), text, machine.text(), ranks, {}, /*isMeasured=*/false};
    draw::GanttRecorder recorder(gantt, machine, n, wantedPicture(options) ? limits::pictureArrows : limits::textLinks);
    try {
      runWith(recorder);
    } catch (const draw::TooManyBars &) {
      const LimitInForce most = wantedPicture(options) ? LimitInForce(limits::pictureArrows) : limits::textLinks;
      session.diagnostics.report(schedule.nameRange,
                                 diag::PictureTooLarge{.count = most.value(), .more = true, .what = diag::ShownBars{}, .limit = most});
      return;
    }
    return write(session, [&] { return draw::ganttScene(gantt, options.look); }, [&](llvm::raw_ostream &out) { draw::writeCsv(gantt, out); });
  }
  draw::Traffic traffic;
  traffic.schedule = schedule.path();
  traffic.caseText = text;
  traffic.ranks = ranks;
  const bool isMatrix = options.plotKind == PlotKind::Matrix;
  draw::TrafficRecorder recorder(traffic, n, isMatrix ? draw::TrafficRecorder::What::Matrix : draw::TrafficRecorder::What::Tree, limits::matrixFields);
  try {
    runWith(recorder);
  } catch (const draw::NoTree &) { // which is reported below
  }
  if (isMatrix) {
    // If ranks have to be added up, the picture is made no larger than a screen.
    constexpr std::uint32_t fieldsOfScreen = 256;
    while (wantedPicture(options) && (traffic.fieldCount() > limits::textLinks || (traffic.ranksPerField > 1 && traffic.fields > fieldsOfScreen)))
      traffic.makeCoarser();
    return write(session, [&] { return draw::matrixScene(traffic, options.look); }, [&](llvm::raw_ostream &out) { draw::writeMatrixCsv(traffic, out); });
  }
  bool growsDown = true;
  const auto tree = traffic.tree(growsDown);
  if (!tree) {
    session.diagnostics.report(schedule.nameRange, diag::NothingToCompare{.reason = diag::NoneLeftNoTree{}});
    return;
  }
  write(session, [&] { return draw::treeScene(traffic, *tree, growsDown, options.look); }, [&](llvm::raw_ostream &out) { draw::writeTreeCsv(*tree, out); });
}

} // namespace

int plotCommand(Session &session) {
  const Options &options = session.options;
  if (const std::optional<scene::PictureFormat> format = wantedPicture(options); format && !canWrite(*format, session.diagnostics))
    return 1;
  if (options.plotKind == PlotKind::Curves)
    return CurvePlot(session).run();
  const std::vector<const ir::Schedule *> schedules = session.library.find(options.files[0]);
  if (schedules.size() > 1)
    session.diagnostics.reportFile(options.files[0], diag::SeveralSchedules{.schedules = schedules.size(), .command = "plot"});
  if (schedules.size() != 1)
    return 1;
  if (!options.measured.empty()) {
    plotMeasured(session, *schedules[0]);
    return session.diagnostics.errorCount() ? 1 : 0;
  }
  TreeCache trees;
  try {
    if (const std::optional<Case> instance = singleCase(session, *schedules[0], 8, trees))
      plotCase(session, *schedules[0], *instance, trees);
  } catch (Finding &finding) {
    if (!finding.diagnostic.range.isValid())
      finding.diagnostic.range = schedules[0]->nameRange;
    session.diagnostics.report(std::move(finding.diagnostic));
  } catch (const EvaluationError &error) {
    session.diagnostics.report(error.range, error.facts);
  }
  return session.diagnostics.errorCount() ? 1 : 0;
}

} // namespace quadrille::compiler
