//===- DiagramScene.cpp - A space-time diagram as a scene ----------------------------------------------------------------===//

#include "DiagramScene.h"

#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace quadrille::compiler::draw {

using scene::Anchor;
using scene::Colour;
using scene::Point;
using scene::Stroke;
using scene::textWidth;

namespace {

constexpr double margin = 28, tagHeight = 18, headLength = 9, headWidth = 7.6, laneWidth = 13, dotRadius = 4;
constexpr double headingHeight = 88, bareTop = 12, bandsLeft = margin + 44, panelGap = 26, maxPanelWidth = 1560, leastPanelWidth = 320;
constexpr double fanOfHeads = 7; // how far from a rank's line arrows end, where several do in a round

/// A rank that sends more messages than this in a round begins them all at one dot; their labels would cover each other.
constexpr size_t mostTags = 4;

/// The part of a round in which a rank sends one message.
struct Lane {
  double tags = 0, start = 0, end = 0; // left edge of the tags; arrows run from `start` to `end`
};

struct Column {
  double left = 0, right = 0;
  std::vector<Lane> lanes;
  std::vector<size_t> laneOf;   // per arrow
  std::vector<double> receiveY; // per arrow: where it ends, near the line of the rank
  bool hasTags = false, isCrowded = false; // at most one of them
};

/// A row of the picture: rounds begin ..< end.
struct Panel {
  size_t begin, end;
  double right;
};

/// For each arrow, the index of the arrow in the opposite direction; nothing if an arrow has none, or a rank takes part in two
/// exchanges.
std::optional<std::vector<size_t>> exchangesOf(const TracedRound &round, std::uint32_t ranks) {
  std::vector<std::int64_t> bySource(ranks, -1);
  for (size_t i = 0; i < round.arrows.size(); ++i) {
    std::int64_t &entry = bySource[round.arrows[i].source];
    if (entry >= 0)
      return std::nullopt;
    entry = static_cast<std::int64_t>(i);
  }
  std::vector<size_t> result;
  for (const Arrow &arrow : round.arrows) {
    std::int64_t back = bySource[arrow.destination];
    if (back < 0 || round.arrows[static_cast<size_t>(back)].destination != arrow.source)
      return std::nullopt;
    result.push_back(static_cast<size_t>(back));
  }
  return result;
}

class DiagramLayout {
public:
  DiagramLayout(const Diagram &diagram, const Look &look) : diagram(diagram), look(look) {
    first = look.ranks ? std::min(look.ranks->first, diagram.ranks - 1) : 0;
    last = look.ranks ? std::min(look.ranks->last, diagram.ranks - 1) : diagram.ranks - 1;
    for (const TracedRound &round : diagram.rounds) {
      TracedRound kept{round.number, {}};
      llvm::copy_if(round.arrows, std::back_inserter(kept.arrows), [&](const Arrow &arrow) { return isShown(arrow.source) || isShown(arrow.destination); });
      for (const Arrow &arrow : kept.arrows)
        for (std::uint32_t rank : {arrow.source, arrow.destination}) {
          comesFromAbove |= rank < first;
          comesFromBelow |= rank > last;
        }
      rounds.push_back(std::move(kept));
    }
  }

  scene::Scene make() {
    layOut();
    std::string subtitle = diagram.caseText;
    auto add = [&](const std::string &part) { subtitle += "  ·  " + part; };
    add(counted(diagram.roundsSeen, "round"));
    if (!diagram.model.empty())
      add(diagram.model);
    if (!diagram.costGreek.empty())
      add(diagram.costGreek);
    const double top = look.title ? headingHeight : bareTop;
    std::string failure = diagram.failure.empty() ? "" : "fails here: " + diagram.failure;
    const std::string legend = legendText();
    double bandsRight = 0;
    for (const Panel &panel : panels)
      bandsRight = std::max(bandsRight, panel.right);
    double bottom = top + panelHeight * static_cast<double>(panels.size()) + panelGap * static_cast<double>(panels.size() - 1);
    double width = std::max({bandsRight + margin, look.title ? 2 * margin + textWidth(diagram.schedule, 20) : 0,
                             look.title ? 2 * margin + textWidth(subtitle, 13) : 0, 2 * margin + textWidth(legend, 12),
                             2 * margin + std::min(textWidth(failure, 12), 900.0)});
    double footer = bottom + 30 + (failure.empty() ? 0 : 20);
    picture.width = width;
    picture.height = footer + 10;
    picture.title = diagram.schedule + ", " + diagram.caseText;
    picture.description = "Space-time diagram: ranks from top to bottom, rounds from left to right, an arrow for each message.";
    if (look.title) {
      picture.text(margin, 38, 20, Colour::Ink, Anchor::Start, diagram.schedule, true);
      picture.text(margin, 61, 13, Colour::Faint, Anchor::Start, subtitle);
    }
    for (size_t i = 0; i < panels.size(); ++i) {
      panelTop = top + static_cast<double>(i) * (panelHeight + panelGap);
      placePanel(panels[i]);
      if (!failure.empty() && i + 1 == panels.size()) {
        double x = columns.empty() ? bandsLeft : columns.back().right;
        picture.add(scene::Line{{x, panelTop}, {x, panelTop + panelHeight}, {Colour::Alarm, 2.5}});
      }
    }
    if (!failure.empty()) // in one line: the diagnostic is also printed in full
      picture.text(margin, footer - 20, 12, Colour::Alarm, Anchor::Start, scene::shortened(failure, 12, width - 2 * margin));
    if (!legend.empty())
      picture.text(margin, footer - 4, 12, Colour::Faint, Anchor::Start, legend);
    return std::move(picture);
  }

private:
  bool isShown(std::uint32_t rank) const { return first <= rank && rank <= last; }

  std::string legendText() const {
    std::string legend = diagram.legend;
    if (leavesOutLabels)
      legend += std::string(legend.empty() ? "" : "; ") + "none where a rank sends more than " + std::to_string(mostTags) + " messages in a round";
    return legend;
  }

  void layOut() {
    const std::uint32_t rows = last - first + 1;
    rowHeight = rows <= 8 ? 40 : rows <= 20 ? 34 : rows <= 40 ? 28 : 24;
    panelHeight = 24 + rowHeight * (rows + comesFromAbove + comesFromBelow);
    allExchanges = llvm::all_of(rounds, [&](const TracedRound &round) { return exchangesOf(round, diagram.ranks).has_value(); });
    double total = 0;
    for (const TracedRound &round : rounds) {
      columns.push_back(columnOf(round));
      total += columns.back().right;
    }
    // Split rounds into panels of about equal width, none much wider than a slide, or than what is asked for.
    const double room = look.width ? std::max(leastPanelWidth, *look.width - bandsLeft - margin) : maxPanelWidth;
    double panelWidth = total / std::max(1.0, std::ceil(total / room)), x = bandsLeft, done = 0;
    panels = {{0, 0, bandsLeft + 120}};
    for (Column &column : columns) {
      Panel *panel = &panels.back();
      if (panel->end > panel->begin && done + column.right / 2 > panelWidth * static_cast<double>(panels.size())) {
        panels.push_back({panel->end, panel->end, bandsLeft + 120});
        panel = &panels.back();
        x = bandsLeft;
      }
      done += column.right;
      column.left += x;
      column.right += x;
      for (Lane &lane : column.lanes)
        for (double *position : {&lane.tags, &lane.start, &lane.end})
          *position += x;
      x = column.right;
      ++panel->end;
      panel->right = std::max(panel->right, x);
    }
  }

  /// A round, as if it began at the left edge.
  Column columnOf(const TracedRound &round) {
    Column column;
    column.laneOf.assign(round.arrows.size(), 0);
    column.receiveY.resize(round.arrows.size());
    std::vector<std::vector<size_t>> sends(diagram.ranks), receives(diagram.ranks);
    for (size_t i = 0; i < round.arrows.size(); ++i) {
      sends[round.arrows[i].source].push_back(i);
      receives[round.arrows[i].destination].push_back(i);
    }
    size_t most = 0;
    for (const std::vector<size_t> &list : sends)
      most = std::max(most, list.size());
    const bool hasLabels = llvm::any_of(round.arrows, [](const Arrow &arrow) { return !arrow.label.empty(); });
    column.hasTags = hasLabels && most <= mostTags;
    column.isCrowded = most > mostTags;
    leavesOutLabels |= hasLabels && !column.hasTags;
    // Tags stand on the rank's line beside each other, each in a lane of its own, in the order of distances around the ring: ranks that
    // do alike look alike. Without tags there is one lane, and one dot for all that a rank sends.
    column.lanes.resize(column.hasTags ? std::max<size_t>(1, most) : 1);
    if (column.hasTags)
      for (std::vector<size_t> &list : sends) {
        llvm::stable_sort(list, [&](size_t a, size_t b) { return around(round.arrows[a]) < around(round.arrows[b]); });
        for (size_t i = 0; i < list.size(); ++i)
          column.laneOf[list[i]] = i;
      }
    // Where several arrows end, one from above ends above the others.
    for (std::uint32_t rank = 0; rank < diagram.ranks; ++rank) {
      std::vector<size_t> &list = receives[rank];
      llvm::stable_sort(list, [&](size_t a, size_t b) { return round.arrows[a].source < round.arrows[b].source; });
      const double apart = list.size() < 2 ? 0 : std::min(headWidth + 3, 2 * fanOfHeads / static_cast<double>(list.size() - 1));
      for (size_t i = 0; i < list.size(); ++i)
        column.receiveY[list[i]] = lineY(rank) + (static_cast<double>(i) - static_cast<double>(list.size() - 1) / 2) * apart;
    }
    double left = 12;
    for (size_t l = 0; l < column.lanes.size(); ++l) {
      Lane &lane = column.lanes[l];
      double tagWidth = 8, density = 0; // average number of arrows between two adjacent lines
      double span = 1;
      for (size_t i = 0; i < round.arrows.size(); ++i)
        if (column.laneOf[i] == l) {
          tagWidth = std::max(tagWidth, column.hasTags ? widthOfTag(round.arrows[i].label) : 0);
          span = std::max(span, std::abs(rowOf(round.arrows[i].source) - rowOf(round.arrows[i].destination)));
          density += std::abs(rowOf(round.arrows[i].source) - rowOf(round.arrows[i].destination)) / (last - first + 1.0);
        }
      lane.tags = left;
      lane.start = left + tagWidth;
      lane.end = lane.start + std::clamp(36 + 0.07 * span * rowHeight + 14 * density, 52.0, 190.0);
      if (allExchanges)
        lane.end = lane.start + 2 * laneWidth + laneWidth * (assignLanes(round) - 1);
      left = lane.end + 14;
    }
    const bool namesPartners = comesFromAbove || comesFromBelow;
    column.right = std::max(72.0, column.lanes.back().end + (allExchanges ? 4 : 14) + (namesPartners ? 12 : 0));
    return column;
  }

  /// Places of vertical arrows beside each other, such that none overlap, short ones first. Returns their number.
  unsigned assignLanes(const TracedRound &round) {
    exchangeLane.resize(rounds.size());
    std::vector<unsigned> &laneOf = exchangeLane[static_cast<size_t>(&round - rounds.data())];
    laneOf.assign(round.arrows.size(), 0);
    std::vector<size_t> back = *exchangesOf(round, diagram.ranks), order;
    for (size_t i = 0; i < round.arrows.size(); ++i)
      if (round.arrows[i].source < round.arrows[i].destination)
        order.push_back(i);
    auto distance = [&](size_t i) { return round.arrows[i].destination - round.arrows[i].source; };
    llvm::stable_sort(order, [&](size_t a, size_t b) { return distance(a) < distance(b); });
    std::vector<std::vector<size_t>> lanes;
    for (size_t i : order) {
      auto meets = [&](size_t other) {
        return rowOf(round.arrows[other].source) < rowOf(round.arrows[i].destination) && rowOf(round.arrows[i].source) < rowOf(round.arrows[other].destination);
      };
      auto free = llvm::find_if(lanes, [&](const std::vector<size_t> &lane) { return llvm::none_of(lane, meets); });
      laneOf[i] = laneOf[back[i]] = static_cast<unsigned>(free - lanes.begin());
      if (free == lanes.end())
        lanes.emplace_back().push_back(i);
      else
        free->push_back(i);
    }
    return std::max<unsigned>(1, static_cast<unsigned>(lanes.size()));
  }

  static double widthOfTag(const std::string &label) { return std::max(22.0, textWidth(label, 12) + 12); }
  std::uint32_t around(const Arrow &arrow) const { return (arrow.destination + diagram.ranks - arrow.source) % diagram.ranks; }

  /// The row of a rank. A rank that is not shown is above the first row or below the last one.
  double rowOf(std::uint32_t rank) const {
    const double above = comesFromAbove ? 1 : 0;
    return rank < first ? 0 : rank > last ? above + (last - first + 1) : above + (rank - first);
  }
  /// The y of a rank's line, from the top of the panel.
  double lineY(std::uint32_t rank) const { return 24 + (rowOf(rank) + 0.5) * rowHeight; }

  /// The number by which an arrow is coloured: that of its data or, if data are not told apart, whether it leads up.
  static std::uint64_t seriesOf(const Arrow &arrow) {
    return arrow.hue >= 0 ? static_cast<std::uint64_t>(arrow.hue) : arrow.source < arrow.destination ? 0 : 1;
  }

  void placePanel(const Panel &panel) {
    for (size_t i = panel.begin; i < panel.end; ++i) {
      const Column &column = columns[i];
      if (i % 2 == 0)
        picture.add(scene::Rectangle{{column.left, panelTop}, column.right - column.left, panelHeight, 0, Colour::Band, {}});
      picture.text((column.left + column.right) / 2, panelTop + 16, 12, Colour::Faint, Anchor::Middle, "round " + std::to_string(rounds[i].number));
    }
    picture.text(bandsLeft - 25, panelTop + 16, 12, Colour::Faint, Anchor::Middle, "rank");
    for (std::uint32_t rank = first; rank <= last; ++rank) {
      const double y = panelTop + lineY(rank);
      picture.add(scene::Line{{bandsLeft - 8, y}, {panel.right, y}, {Colour::Rule, 1.2}});
    }
    for (std::uint32_t rank = first; rank <= last; ++rank) {
      const bool isRoot = diagram.root == rank;
      const double y = panelTop + lineY(rank);
      if (isRoot)
        picture.add(scene::Rectangle{{bandsLeft - 40, y - 10}, 30, 20, 10, Colour::Ink, {}});
      picture.text(bandsLeft - 25, y + 4.6, 13, isRoot ? Colour::Paper : Colour::Ink, Anchor::Middle, std::to_string(rank), isRoot);
    }
    for (size_t i = panel.begin; i < panel.end; ++i)
      placeRound(i);
  }

  void placeRound(size_t index) {
    const TracedRound &round = rounds[index];
    const Column &column = columns[index];
    // Long arrows first, and each arrow with a rim, so that crossings are clear; tags above all arrows.
    std::vector<size_t> order(round.arrows.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    auto distance = [&](size_t i) { return std::abs(rowOf(round.arrows[i].source) - rowOf(round.arrows[i].destination)); };
    llvm::stable_sort(order, [&](size_t a, size_t b) { return distance(a) > distance(b); });
    auto open = [&](const Arrow &arrow) {
      picture.add(scene::Open{static_cast<int>(index), "round " + std::to_string(round.number) + ": " + std::to_string(arrow.source) + " → " +
                                                           std::to_string(arrow.destination) + (arrow.label.empty() ? "" : ": " + arrow.label)});
    };
    for (size_t i : order) {
      const Arrow &arrow = round.arrows[i];
      const Lane &lane = column.lanes[column.laneOf[i]];
      const Colour colour = Colour::series(seriesOf(arrow));
      const double from = panelTop + lineY(arrow.source), to = panelTop + column.receiveY[i];
      open(arrow);
      if (allExchanges) {
        // An exchange is a vertical arrow with two heads. Each half has the colour of the data that arrives at its end.
        const double x = lane.start + laneWidth * (exchangeLane[index][i] + 1), end = panelTop + lineY(arrow.destination);
        placeArrow({x, (from + end) / 2}, {x, end}, colour, true);
        nameReceiver(arrow, {x + 4, end});
      } else {
        double start = lane.tags + dotRadius;
        if (!isShown(arrow.source)) {
          start = lane.start;
        } else if (column.hasTags && !arrow.label.empty()) {
          // From a narrow tag to where the arrows start, right of the widest one.
          start = lane.start;
          if (const double tagEnd = lane.tags + widthOfTag(arrow.label); tagEnd < start)
            picture.add(scene::Line{{tagEnd, from}, {start + 0.5, from}, {colour, 1.8}});
        }
        placeArrow({start, from}, {lane.end, to}, colour, !column.isCrowded);
        if (!isShown(arrow.source))
          picture.text(start - 4, from + 3.6, 10, Colour::Faint, Anchor::End, std::to_string(arrow.source));
        else
          nameReceiver(arrow, {lane.end + 4, to});
      }
      picture.add(scene::Close{});
    }
    std::vector<bool> hasDot(diagram.ranks);
    for (size_t i = 0; i < round.arrows.size(); ++i) {
      const Arrow &arrow = round.arrows[i];
      const Lane &lane = column.lanes[column.laneOf[i]];
      const double y = panelTop + lineY(arrow.source);
      const bool isTag = column.hasTags && !arrow.label.empty();
      if (!isShown(arrow.source) || (!isTag && hasDot[arrow.source]))
        continue;
      open(arrow);
      if (isTag) {
        const double width = widthOfTag(arrow.label);
        picture.add(scene::Rectangle{{lane.tags, y - tagHeight / 2}, width, tagHeight, tagHeight / 2, Colour::tint(seriesOf(arrow)), {Colour::series(seriesOf(arrow)), 1.2}});
        picture.text(lane.tags + width / 2, y + 4.3, 12, Colour::Ink, Anchor::Middle, arrow.label);
      } else {
        hasDot[arrow.source] = true;
        picture.add(scene::Circle{{lane.tags + dotRadius, y}, dotRadius, Colour::series(seriesOf(arrow)), {}});
      }
      picture.add(scene::Close{});
    }
  }

  void placeArrow(Point from, Point tip, Colour colour, bool hasRim) {
    const double length = std::max(1e-6, std::hypot(tip.x - from.x, tip.y - from.y));
    const Point base{tip.x - (headLength - 1) * (tip.x - from.x) / length, tip.y - (headLength - 1) * (tip.y - from.y) / length};
    if (hasRim)
      picture.add(scene::Line{from, base, {Colour::Paper, 4.4}});
    picture.add(scene::Line{from, base, {colour, hasRim ? 1.8 : 1.2}});
    picture.head(from, tip, headLength, headWidth, colour);
  }

  /// Writes the number of a receiver that is not shown.
  void nameReceiver(const Arrow &arrow, Point at) {
    if (!isShown(arrow.destination))
      picture.text(at.x, at.y + 3.6, 10, Colour::Faint, Anchor::Start, std::to_string(arrow.destination));
  }

  const Diagram &diagram;
  const Look &look;
  scene::Scene picture;
  std::uint32_t first, last;       // the ranks that are shown
  std::vector<TracedRound> rounds; // with the arrows that begin or end at one of them
  bool comesFromAbove = false, comesFromBelow = false;
  std::vector<Column> columns;
  bool allExchanges = false; // in every round
  std::vector<std::vector<unsigned>> exchangeLane; // per round and arrow, if so
  bool leavesOutLabels = false;
  std::vector<Panel> panels;
  double rowHeight = 0, panelHeight = 0, panelTop = 0;
};

} // namespace

scene::Scene diagramScene(const Diagram &diagram, const Look &look) { return DiagramLayout(diagram, look).make(); }

} // namespace quadrille::compiler::draw
