//===- PlanScene.cpp - Plans as a scene ----------------------------------------------------------------------------------------===//

#include "PlanDiagram.h"

#include "PlanLayout.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace quadrille::compiler::draw {

using plan::RecordedOperation;
using plan::RankPlan;
using scene::Anchor;
using scene::Colour;
using scene::textWidth;

namespace {

constexpr double margin = 28, headingHeight = 74, bareTop = 8, headHeight = 26, bandLeft = margin + 66, bandGap = 10, bandPadding = 14;
constexpr double boxHeight = 38, boxGap = 12, laneHeight = 14, gap = 58, minBoxWidth = 72, textSize = 12, headLength = 7, headWidth = 6.4;
constexpr double boldFactor = 1.1;

/// A kind of operations that look alike, as the legend names it, and the number of its colour.
struct Group {
  llvm::StringLiteral name;
  size_t colour;
};
constexpr Group groups[] = {{"send", 1}, {"receive", 0}, {"receive and combine", 2}, {"copy or combine", 7}};

const Group &groupOf(const RecordedOperation &operation) {
  switch (operation.kind) {
  case RecordedOperation::Kind::Send:
    return groups[0];
  case RecordedOperation::Kind::Receive:
  case RecordedOperation::Kind::ReceiveUpTo:
    return groups[1];
  case RecordedOperation::Kind::ReceiveCombine:
    return groups[2];
  case RecordedOperation::Kind::Copy:
  case RecordedOperation::Kind::Combine:
    break;
  }
  return groups[3];
}

/// The first line of a box: the operation and its partner. The data stand below.
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

class PlanPicture {
public:
  PlanPicture(const PlanDiagram &diagram, const Look &look) : diagram(diagram), look(look) {}

  scene::Scene make() {
    layOutColumns();
    const double top = look.title ? headingHeight : bareTop;
    double height = top + headHeight;
    for (const RankPlan &plan : diagram.plans) {
      layouts.push_back(layOut(plan, lefts.size(), boxHeight + boxGap, laneHeight));
      bandTops.push_back(height);
      height += bandHeight(layouts.back()) + bandGap;
    }
    const std::string subtitle = diagram.caseText + " · " + diagram.summary();
    drawn.title = diagram.schedule + ", " + diagram.caseText;
    drawn.description = "operations in columns by the earliest time, arrows from what each waits for";
    drawn.width = std::max({right + margin, look.title ? margin * 2 + textWidth(subtitle, 13) : 0, margin * 2 + legendWidth()});
    drawn.height = height + 40;
    if (look.title) {
      drawn.text(margin, 34, 18, Colour::Ink, Anchor::Start, diagram.schedule, true);
      drawn.text(margin, 56, 13, Colour::Faint, Anchor::Start, subtitle);
    }
    for (size_t i = 0; i < lefts.size(); ++i)
      drawn.text(lefts[i] + widths[i] / 2, top + 14, 12, Colour::Faint, Anchor::Middle, "time " + std::to_string(i + 1));
    for (size_t i = 0; i < diagram.plans.size(); ++i)
      placeBand(diagram.plans[i], layouts[i], bandTops[i]);
    placeLegend(height + 18);
    return std::move(drawn);
  }

private:
  static double bandHeight(const PlanLayout &layout) { return std::max(layout.height, boxHeight) + 2 * bandPadding - boxGap; }

  /// Makes each column as wide as its widest text.
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

  void placeBand(const RankPlan &plan, const PlanLayout &layout, double bandTop) {
    const double height = bandHeight(layout), zero = bandTop + bandPadding - boxGap / 2;
    drawn.add(scene::Rectangle{{bandLeft, bandTop}, right - bandLeft, height, 6, Colour::Band, {}});
    drawn.text(margin, bandTop + height / 2 + 4.6, 13, Colour::Ink, Anchor::Start, "rank " + std::to_string(plan.rank), true);
    for (const PlanLayout::Edge &edge : layout.edges)
      placeEdge(layout, edge, zero);
    for (size_t i = 0; i < layout.columns.size(); ++i)
      for (const PlanNode &node : layout.columns[i])
        if (node.isBox)
          placeBox(plan.operations[node.operation], node.operation, i, zero + node.y);
        else
          drawn.add(scene::Line{{lefts[i], zero + node.y}, {lefts[i] + widths[i], zero + node.y}, {Colour::Muted, 1.4}});
  }

  /// Draws a line through the gap between two columns, with a head if it ends at a box.
  void placeEdge(const PlanLayout &layout, const PlanLayout::Edge &edge, double zero) {
    const PlanNode &from = layout.columns[edge.column][edge.from], &to = layout.columns[edge.column + 1][edge.to];
    const double x1 = lefts[edge.column] + widths[edge.column], y1 = zero + from.y;
    const double x2 = lefts[edge.column + 1] - (to.isBox ? headLength : 0), y2 = zero + to.y, middle = (x1 + x2) / 2;
    drawn.add(scene::Curve{{x1, y1}, {x2, y2}, {{middle, y1}, {middle, y2}}, {Colour::Muted, 1.4}});
    if (to.isBox)
      drawn.head({x2, y2}, {x2 + headLength, y2}, headLength, headWidth, Colour::Muted);
  }

  void placeBox(const RecordedOperation &operation, size_t number, size_t column, double y) {
    const std::string head = headOf(number, operation), data = operation.data();
    const Colour colour = Colour::series(groupOf(operation).colour);
    drawn.add(scene::Rectangle{{lefts[column], y - boxHeight / 2}, widths[column], boxHeight, 5, Colour::Paper, {colour, 1.6}});
    const double x = lefts[column] + 8;
    drawn.text(x, y + (data.empty() ? 4.3 : -3.4), textSize, colour, Anchor::Start, head, true);
    if (!data.empty())
      drawn.text(x, y + 12.6, textSize, Colour::Ink, Anchor::Start, data);
  }

  /// Whether the picture has such an operation, which the legend then names.
  bool isThere(const Group &group) const {
    return llvm::any_of(diagram.plans, [&](const RankPlan &plan) {
      return llvm::any_of(plan.operations, [&](const plan::PlannedOperation &operation) { return &groupOf(operation) == &group; });
    });
  }
  double legendWidth() const {
    double width = 0;
    for (const Group &group : groups)
      if (isThere(group))
        width += 26 + textWidth(group.name, 12) + 12;
    return width;
  }
  void placeLegend(double y) {
    double x = margin;
    for (const Group &group : groups) {
      if (!isThere(group))
        continue;
      drawn.add(scene::Rectangle{{x, y - 9}, 18, 11, 2.5, Colour::Paper, {Colour::series(group.colour), 1.6}});
      drawn.text(x + 24, y, 12, Colour::Faint, Anchor::Start, group.name.str());
      x += 26 + textWidth(group.name, 12) + 12;
    }
  }

  const PlanDiagram &diagram;
  const Look &look;
  scene::Scene drawn;
  std::vector<double> lefts, widths; // of columns
  double right = 0;
  std::vector<PlanLayout> layouts;
  std::vector<double> bandTops;
};

} // namespace

scene::Scene planScene(const PlanDiagram &diagram, const Look &look) { return PlanPicture(diagram, look).make(); }

} // namespace quadrille::compiler::draw
