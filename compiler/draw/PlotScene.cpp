//===- PlotScene.cpp - Curves and points ---------------------------------------------------------------------------------===//

#include "Plot.h"

#include "Scale.h"

#include "machines/MachineDescription.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

namespace quadrille::compiler::draw {

using scene::Anchor;
using scene::Colour;
using scene::Point;
using scene::textWidth;

namespace {
constexpr double margin = 28, axisLeft = 66, headingHeight = 84, bareTop = 16, plotWidth = 560, plotHeight = 360, nameHeight = 16, noteHeight = 18;

/// The axis that spans all points.
Scale axisOf(const Plot &plot, double PlotPoint::*part, double from, double to, bool isTime) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const PlotSeries &series : plot.series)
    for (const PlotPoint &point : series.points) {
      least = std::min(least, point.*part);
      most = std::max(most, point.*part);
    }
  Scale axis{least, most, from, to, least > 0 && most >= 10 * least, isTime};
  if (part == &PlotPoint::y) { // some room, or from 0
    if (!axis.isLogarithmic)
      axis.least = std::min(0.0, least);
    axis.most = axis.isLogarithmic ? most * 1.2 : most + 0.06 * (most - axis.least);
    if (axis.isLogarithmic)
      axis.least = least / 1.2;
  }
  if (axis.most <= axis.least)
    axis.most = axis.least + 1;
  return axis;
}

/// Whether a curve hides another one.
bool isSame(const std::vector<Point> &a, const std::vector<Point> &b) {
  constexpr double apart = 0.5; // pixels
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Point &p, const Point &q) {
    return std::abs(p.x - q.x) < apart && std::abs(p.y - q.y) < apart;
  });
}
} // namespace

scene::Scene plotScene(const Plot &plot, const Look &look) {
  scene::Scene drawn;
  const double top = look.title ? headingHeight : bareTop, left = margin + axisLeft, right = left + plotWidth, bottom = top + plotHeight;
  const Scale x = axisOf(plot, &PlotPoint::x, left, right, false), y = axisOf(plot, &PlotPoint::y, bottom, top, plot.isTime);
  double names = 0;
  for (const PlotSeries &series : plot.series)
    names = std::max(names, textWidth(series.name, 12.5));
  drawn.width = std::max({right + 14 + names + margin, look.title ? 2 * margin + textWidth(plot.title, 20) : 0, look.title ? 2 * margin + textWidth(plot.subtitle, 13) : 0});
  for (const std::string &note : plot.notes)
    drawn.width = std::max(drawn.width, 2 * margin + textWidth(note, 12));
  drawn.height = bottom + 54 + noteHeight * static_cast<double>(plot.notes.size());
  drawn.title = plot.title;
  drawn.description = plot.upwards + " over " + plot.across;
  if (look.title) {
    drawn.text(margin, 38, 20, Colour::Ink, Anchor::Start, plot.title, true);
    drawn.text(margin, 61, 13, Colour::Faint, Anchor::Start, plot.subtitle);
  }
  for (double tick : x.ticks(46)) {
    drawn.add(scene::Line{{x.at(tick), top}, {x.at(tick), bottom}, {Colour::Rule, 0.7}});
    drawn.text(x.at(tick), bottom + 17, 12, Colour::Faint, Anchor::Middle, x.text(tick));
  }
  for (double tick : y.ticks(34)) {
    drawn.add(scene::Line{{left, y.at(tick)}, {right, y.at(tick)}, {Colour::Rule, 0.7}});
    drawn.text(left - 8, y.at(tick) + 4, 12, Colour::Faint, Anchor::End, y.text(tick));
  }
  drawn.add(scene::Rectangle{{left, top}, plotWidth, plotHeight, 0, Colour::None, {Colour::Faint, 1}});
  drawn.text((left + right) / 2, bottom + 36, 12.5, Colour::Faint, Anchor::Middle, plot.across);
  scene::Text axis{{margin + 6, (top + bottom) / 2}, 12.5, Colour::Faint, Anchor::Middle, plot.upwards};
  axis.upwards = true;
  drawn.add(axis);
  const auto hoverOf = [&](const PlotSeries &series, const PlotPoint &point) {
    return series.name + ", p = " + std::to_string(point.p) + ", n = " + std::to_string(point.n) + (point.k ? ", k = " + std::to_string(point.k) : "") + ": " +
           (plot.isTime ? durationText(point.y) : std::to_string(point.y)) + (series.isMeasured ? ", measured" : "");
  };
  struct Name {
    const PlotSeries *series;
    double wanted, placed;
  };
  std::vector<Name> ends;
  std::vector<std::vector<Point>> lines; // those that are drawn already
  for (const PlotSeries &series : plot.series) {
    if (series.points.empty())
      continue;
    const Colour colour = Colour::series(series.colour);
    if (series.isMeasured) {
      for (const PlotPoint &point : series.points) {
        drawn.add(scene::Open{scene::Open::always, hoverOf(series, point)});
        drawn.add(scene::Circle{{x.at(point.x), y.at(point.y)}, 3.6, Colour::Paper, {colour, 1.8}});
        drawn.add(scene::Close{});
      }
      if (llvm::any_of(plot.series, [&](const PlotSeries &other) { return !other.isMeasured && other.colour == series.colour && !other.points.empty(); }))
        continue; // the name stands at the curve
    } else {
      drawn.add(scene::Open{scene::Open::always, series.name});
      scene::Polyline line{{}, {colour, 2}};
      for (const PlotPoint &point : series.points)
        line.points.push_back({x.at(point.x), y.at(point.y)});
      // Of curves that are one, the later ones are dashed, so that the first is seen below them.
      line.stroke.dashed = llvm::any_of(lines, [&](const std::vector<Point> &other) { return isSame(other, line.points); });
      lines.push_back(line.points);
      if (line.points.size() == 1)
        drawn.add(scene::Circle{line.points[0], 3, colour, {}});
      drawn.add(line);
      drawn.add(scene::Close{});
    }
    ends.push_back({&series, y.at(series.points.back().y), 0});
  }
  // Names at the ends of curves, from top to bottom, none over another, and all within the frame if they fit.
  llvm::stable_sort(ends, [](const Name &a, const Name &b) { return a.wanted < b.wanted; });
  double next = top;
  for (Name &end : ends)
    next = (end.placed = std::max(next, end.wanted)) + nameHeight;
  double limit = bottom + 4;
  for (Name &end : llvm::reverse(ends)) {
    end.placed = std::min(end.placed, limit);
    limit = end.placed - nameHeight;
  }
  for (const Name &end : ends)
    drawn.text(right + 10, end.placed + 4, 12.5, Colour::series(end.series->colour), Anchor::Start, end.series->name);
  for (size_t i = 0; i < plot.notes.size(); ++i)
    drawn.text(margin, bottom + 58 + noteHeight * static_cast<double>(i), 12, Colour::Faint, Anchor::Start, plot.notes[i]);
  return drawn;
}

std::string csvField(llvm::StringRef text) {
  if (text.find_first_of(",\"\n") == llvm::StringRef::npos)
    return text.str();
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

std::string csvNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

void writeCsv(const Plot &plot, llvm::raw_ostream &out) {
  out << "schedule,kind,p,n,k," << plot.quantity << '\n';
  for (const PlotSeries &series : plot.series)
    for (const PlotPoint &point : series.points)
      out << csvField(series.name) << (series.isMeasured ? ",measured," : ",predicted,") << point.p << ',' << point.n << ','
          << (point.k ? std::to_string(point.k) : "") << ',' << csvNumber(point.y) << '\n';
}

} // namespace quadrille::compiler::draw
