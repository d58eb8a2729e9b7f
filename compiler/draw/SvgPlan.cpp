//===- SvgPlan.cpp - A picture of plans as SVG ----------------------------------------------------------------------------------===//

#include "PlanDiagram.h"

#include "PlanLayout.h"
#include "Svg.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace quadrille::compiler::draw {

using plan::RecordedOperation;
using plan::RankPlan;

namespace {

constexpr double margin = 28, top = 74, headHeight = 26, bandLeft = margin + 66, bandGap = 10, bandPadding = 14;
constexpr double boxHeight = 38, boxGap = 12, laneHeight = 14, gap = 58, minBoxWidth = 72, textSize = 12, headLength = 7, headWidth = 6.4;
constexpr double boldFactor = 1.1;
constexpr const char *arrowColour = "#7a8591", *bandColour = "#f1f4f8";

const char *colourOf(const RecordedOperation &operation) {
  switch (operation.kind) {
  case RecordedOperation::Kind::Send:
    return palette[1];
  case RecordedOperation::Kind::Receive:
  case RecordedOperation::Kind::ReceiveUpTo:
    return palette[0];
  case RecordedOperation::Kind::ReceiveCombine:
    return palette[2];
  case RecordedOperation::Kind::Copy:
  case RecordedOperation::Kind::Combine:
    break;
  }
  return palette[7];
}

/// What is done and with whom; what it is done with stands below.
std::string headOf(size_t number, const RecordedOperation &operation) {
  const std::string with = std::to_string(operation.partner);
  const std::string text = std::to_string(number + 1) + " ";
  switch (operation.kind) {
  case RecordedOperation::Kind::Send:
    return text + "send → " + with;
  case RecordedOperation::Kind::Receive:
  case RecordedOperation::Kind::ReceiveUpTo:
    return text + "receive ← " + with;
  case RecordedOperation::Kind::ReceiveCombine:
    return text + "combine ← " + with;
  case RecordedOperation::Kind::Copy:
    return text + "copy";
  case RecordedOperation::Kind::Combine:
    break;
  }
  return text + "combine";
}

class SvgWriter {
public:
  SvgWriter(const PlanDiagram &diagram, llvm::raw_ostream &out) : diagram(diagram), out(out) {}

  void write() {
    layOutColumns();
    double height = top + headHeight;
    for (const RankPlan &plan : diagram.plans) {
      layouts.push_back(layOut(plan, lefts.size(), boxHeight + boxGap, laneHeight));
      bandTops.push_back(height);
      height += bandHeight(layouts.back()) + bandGap;
    }
    const std::string title = diagram.schedule + ", " + diagram.caseText, subtitle = diagram.caseText + " · " + diagram.summary();
    const double width = std::max({right + margin, margin * 2 + textWidth(subtitle, 13), margin * 2 + legendWidth()});
    openSvg(out, width, height + 40, title, "operations in columns by the earliest time, arrows from what each waits for");
    writeText(out, margin, 34, 18, ink, "start", diagram.schedule, "600");
    writeText(out, margin, 56, 13, faint, "start", subtitle);
    for (size_t i = 0; i < lefts.size(); ++i)
      writeText(out, lefts[i] + widths[i] / 2, top + 14, 12, faint, "middle", "time " + std::to_string(i + 1));
    for (size_t i = 0; i < diagram.plans.size(); ++i)
      writeBand(diagram.plans[i], layouts[i], bandTops[i]);
    writeLegend(height + 18);
    out << "</svg>\n";
  }

private:
  static double bandHeight(const PlanLayout &layout) { return std::max(layout.height, boxHeight) + 2 * bandPadding - boxGap; }

  /// Columns are as wide as their widest text.
  void layOutColumns() {
    widths.assign(diagram.times(), minBoxWidth);
    for (const RankPlan &plan : diagram.plans)
      for (size_t i = 0; i < plan.operations.size(); ++i) {
        const plan::PlannedOperation &operation = plan.operations[i];
        double &width = widths[operation.time - 1];
        width = std::max({width, textWidth(headOf(i, operation), textSize) * boldFactor + 16, textWidth(operation.data(), textSize) + 16});
      }
    double at = bandLeft + bandPadding;
    for (double width : widths) {
      lefts.push_back(at);
      at += width + gap;
    }
    right = widths.empty() ? at + minBoxWidth : at - gap + bandPadding;
  }

  void writeBand(const RankPlan &plan, const PlanLayout &layout, double bandTop) {
    const double height = bandHeight(layout), zero = bandTop + bandPadding - boxGap / 2;
    out << "<rect x=\"" << Px{bandLeft} << "\" y=\"" << Px{bandTop} << "\" width=\"" << Px{right - bandLeft} << "\" height=\"" << Px{height}
        << "\" rx=\"6\" fill=\"" << bandColour << "\"/>\n";
    writeText(out, margin, bandTop + height / 2 + 4.6, 13, ink, "start", "rank " + std::to_string(plan.rank), "600");
    for (const PlanLayout::Edge &edge : layout.edges)
      writeEdge(layout, edge, zero);
    for (size_t i = 0; i < layout.columns.size(); ++i)
      for (const PlanNode &node : layout.columns[i])
        if (node.isBox)
          writeBox(plan.operations[node.operation], node.operation, i, zero + node.y);
        else
          out << "<line x1=\"" << Px{lefts[i]} << "\" y1=\"" << Px{zero + node.y} << "\" x2=\"" << Px{lefts[i] + widths[i]} << "\" y2=\""
              << Px{zero + node.y} << "\" stroke=\"" << arrowColour << "\" stroke-width=\"1.4\"/>\n";
  }

  /// Through the gap between two columns; with a head where it ends at a box.
  void writeEdge(const PlanLayout &layout, const PlanLayout::Edge &edge, double zero) {
    const PlanNode &from = layout.columns[edge.column][edge.from], &to = layout.columns[edge.column + 1][edge.to];
    const double x1 = lefts[edge.column] + widths[edge.column], y1 = zero + from.y;
    const double x2 = lefts[edge.column + 1] - (to.isBox ? headLength : 0), y2 = zero + to.y, middle = (x1 + x2) / 2;
    out << "<path d=\"M" << Px{x1} << ' ' << Px{y1} << " C" << Px{middle} << ' ' << Px{y1} << ' ' << Px{middle} << ' ' << Px{y2} << ' '
        << Px{x2} << ' ' << Px{y2} << "\" fill=\"none\" stroke=\"" << arrowColour << "\" stroke-width=\"1.4\"/>\n";
    if (to.isBox)
      out << "<polygon points=\"" << Px{x2 + headLength} << ',' << Px{y2} << ' ' << Px{x2} << ',' << Px{y2 - headWidth / 2} << ' ' << Px{x2}
          << ',' << Px{y2 + headWidth / 2} << "\" fill=\"" << arrowColour << "\"/>\n";
  }

  void writeBox(const RecordedOperation &operation, size_t number, size_t column, double y) {
    const std::string head = headOf(number, operation), data = operation.data();
    out << "<rect x=\"" << Px{lefts[column]} << "\" y=\"" << Px{y - boxHeight / 2} << "\" width=\"" << Px{widths[column]} << "\" height=\""
        << Px{boxHeight} << "\" rx=\"5\" fill=\"#ffffff\" stroke=\"" << colourOf(operation) << "\" stroke-width=\"1.6\"/>\n";
    const double x = lefts[column] + 8;
    writeText(out, x, y + (data.empty() ? 4.3 : -3.4), textSize, colourOf(operation), "start", head, "600");
    if (!data.empty())
      writeText(out, x, y + 12.6, textSize, ink, "start", data);
  }

  static constexpr std::pair<const char *, size_t> entries[] = {
      {"send", 1}, {"receive", 0}, {"receive and combine", 2}, {"copy or combine", 7}};

  static double legendWidth() {
    double width = 0;
    for (const auto &[name, colour] : entries)
      width += 26 + textWidth(name, 12) + 12;
    return width;
  }
  void writeLegend(double y) {
    double x = margin;
    for (const auto &[name, colour] : entries) {
      out << "<rect x=\"" << Px{x} << "\" y=\"" << Px{y - 9} << "\" width=\"18\" height=\"11\" rx=\"2.5\" fill=\"#ffffff\" stroke=\""
          << palette[colour] << "\" stroke-width=\"1.6\"/>\n";
      writeText(out, x + 24, y, 12, faint, "start", name);
      x += 26 + textWidth(name, 12) + 12;
    }
  }

  const PlanDiagram &diagram;
  llvm::raw_ostream &out;
  std::vector<double> lefts, widths; // of columns
  double right = 0;
  std::vector<PlanLayout> layouts;
  std::vector<double> bandTops;
};

} // namespace

void writePlanSvg(const PlanDiagram &diagram, llvm::raw_ostream &out) { SvgWriter(diagram, out).write(); }

} // namespace quadrille::compiler::draw
