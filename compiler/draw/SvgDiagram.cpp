//===- SvgDiagram.cpp - A space-time diagram as SVG -----------------------------------------------------------------------===//

#include "SvgDiagram.h"

#include "Svg.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace quadrille::compiler::draw {

namespace {

constexpr const char *downColour = "#0072b2", *upColour = "#d55e00";

constexpr const char *lifeline = "#c4ccd4", *band = "#f1f4f8", *red = "#b3261e";

constexpr double margin = 28, tagHeight = 18, stackGap = 3, headLength = 9, headWidth = 7.6, laneWidth = 13;
constexpr double bandsLeft = margin + 44, top = 88, panelGap = 26, maxPanelWidth = 1560;

struct Column {
  double left = 0, right = 0;        // of the column
  double tags = 0, start = 0, end = 0; // left edge of the tags; arrows run from `start` to `end`
  std::vector<double> sendY, receiveY; // per arrow: its ends, near the lines of the ranks
  std::vector<unsigned> lane;          // per arrow, if all arrows are halves of exchanges
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

class SvgWriter {
public:
  SvgWriter(const Diagram &diagram, llvm::raw_ostream &out) : diagram(diagram), out(out) {}

  void write() {
    layOut();
    std::string subtitle = diagram.caseText;
    auto add = [&](const std::string &part) { subtitle += "  ·  " + part; };
    add(std::to_string(diagram.roundsSeen) + (diagram.roundsSeen == 1 ? " round" : " rounds"));
    if (!diagram.model.empty())
      add(diagram.model);
    if (!diagram.costGreek.empty())
      add(diagram.costGreek);
    std::string failure = diagram.failure.empty() ? "" : "fails here: " + diagram.failure;
    double bandsRight = 0;
    for (const Panel &panel : panels)
      bandsRight = std::max(bandsRight, panel.right);
    double bottom = top + panelHeight * static_cast<double>(panels.size()) + panelGap * static_cast<double>(panels.size() - 1);
    double width = std::max({bandsRight + margin, 2 * margin + textWidth(diagram.schedule, 20),
                             2 * margin + textWidth(subtitle, 13), 2 * margin + textWidth(diagram.legend, 12),
                             2 * margin + std::min(textWidth(failure, 12), 900.0)});
    double footer = bottom + 30 + (failure.empty() ? 0 : 20);
    double height = footer + 10;
    openSvg(out, width, height, diagram.schedule + ", " + diagram.caseText,
            "Space-time diagram: ranks from top to bottom, rounds from left to right, an arrow for each message.");
    text(margin, 38, 20, ink, "start", diagram.schedule, "600");
    text(margin, 61, 13, faint, "start", subtitle);
    for (size_t i = 0; i < panels.size(); ++i) {
      out << "<g transform=\"translate(0 " << Px{top + static_cast<double>(i) * (panelHeight + panelGap)} << ")\">\n";
      writePanel(panels[i]);
      if (!failure.empty() && i + 1 == panels.size()) {
        double x = columns.empty() ? bandsLeft : columns.back().right;
        out << "<line x1=\"" << Px{x} << "\" y1=\"0\" x2=\"" << Px{x} << "\" y2=\"" << Px{panelHeight} << "\" stroke=\"" << red
            << "\" stroke-width=\"2.5\"/>\n";
      }
      out << "</g>\n";
    }
    if (!failure.empty()) {
      // Shortened to one line: the diagnostic is also printed in full.
      while (textWidth(failure, 12) > width - 2 * margin && failure.size() > 8) {
        failure.resize(failure.size() - 4);
        failure += "...";
      }
      text(margin, footer - 20, 12, red, "start", failure);
    }
    if (!diagram.legend.empty())
      text(margin, footer - 4, 12, faint, "start", diagram.legend);
    out << "</svg>\n";
  }

private:
  void layOut() {
    // Several messages of a rank in a round are stacked at its line.
    std::vector<unsigned> sends(diagram.ranks), receives(diagram.ranks);
    unsigned stack = 1;
    bool labels = false;
    for (const TracedRound &round : diagram.rounds) {
      for (const Arrow &arrow : round.arrows) {
        stack = std::max({stack, ++sends[arrow.source], ++receives[arrow.destination]});
        labels |= !arrow.label.empty();
      }
      for (const Arrow &arrow : round.arrows)
        sends[arrow.source] = receives[arrow.destination] = 0;
    }
    rowHeight = diagram.ranks <= 8 ? 40 : diagram.ranks <= 20 ? 34 : diagram.ranks <= 40 ? 28 : 24;
    rowHeight = std::max(rowHeight, stack * (tagHeight + stackGap) + 4);
    panelHeight = 24 + rowHeight * diagram.ranks;
    allExchanges = llvm::all_of(diagram.rounds,
                                [&](const TracedRound &round) { return exchangesOf(round, diagram.ranks).has_value(); });
    double total = 0;
    for (const TracedRound &round : diagram.rounds) {
      Column column;
      double tagWidth = 8;
      std::uint32_t span = 1;
      for (const Arrow &arrow : round.arrows) {
        tagWidth = std::max(tagWidth, arrow.label.empty() ? 0 : widthOfTag(arrow.label));
        span = std::max(span, distance(arrow));
      }
      column.tags = 12;
      column.start = column.tags + tagWidth;
      double density = 0; // average number of arrows between two adjacent lines
      for (const Arrow &arrow : round.arrows)
        density += distance(arrow) / double(diagram.ranks);
      column.end = column.start + std::clamp(36 + 0.07 * span * rowHeight + 14 * density, 52.0, 190.0);
      if (allExchanges)
        column.end = column.start + 2 * laneWidth + laneWidth * (assignLanes(round, column) - 1);
      column.right = std::max(72.0, column.end + (allExchanges ? 4 : 14));
      std::vector<unsigned> nextSend(diagram.ranks), nextReceive(diagram.ranks);
      for (const Arrow &arrow : round.arrows) {
        ++sends[arrow.source];
        ++receives[arrow.destination];
      }
      // Sort so that an arrow from above arrives above the others.
      std::vector<size_t> order(round.arrows.size());
      for (size_t i = 0; i < order.size(); ++i)
        order[i] = i;
      column.sendY.resize(order.size());
      column.receiveY.resize(order.size());
      llvm::stable_sort(order, [&](size_t a, size_t b) { return round.arrows[a].destination < round.arrows[b].destination; });
      for (size_t i : order) {
        std::uint32_t rank = round.arrows[i].source;
        column.sendY[i] = lineY(rank) + (nextSend[rank]++ - (sends[rank] - 1) / 2.0) * (tagHeight + stackGap);
      }
      llvm::stable_sort(order, [&](size_t a, size_t b) { return round.arrows[a].source < round.arrows[b].source; });
      for (size_t i : order) {
        std::uint32_t rank = round.arrows[i].destination;
        column.receiveY[i] = lineY(rank) + (nextReceive[rank]++ - (receives[rank] - 1) / 2.0) * (headWidth + 3);
      }
      for (const Arrow &arrow : round.arrows)
        sends[arrow.source] = receives[arrow.destination] = 0;
      total += column.right;
      columns.push_back(std::move(column));
    }
    // Split rounds into panels of about equal width, none much wider than a slide.
    double panelWidth = total / std::max(1.0, std::ceil(total / maxPanelWidth)), x = bandsLeft, done = 0;
    panels = {{0, 0, bandsLeft + 120}};
    for (Column &column : columns) {
      Panel *panel = &panels.back();
      if (panel->end > panel->begin && done + column.right / 2 > panelWidth * static_cast<double>(panels.size())) {
        panels.push_back({panel->end, panel->end, bandsLeft + 120});
        panel = &panels.back();
        x = bandsLeft;
      }
      done += column.right;
      for (double *position : {&column.left, &column.tags, &column.start, &column.end, &column.right})
        *position += x;
      x = column.right;
      ++panel->end;
      panel->right = std::max(panel->right, x);
    }
  }

  /// Assigns lanes so that vertical arrows do not overlap, short ones first. Returns the number of lanes.
  unsigned assignLanes(const TracedRound &round, Column &column) {
    column.lane.assign(round.arrows.size(), 0);
    std::vector<size_t> back = *exchangesOf(round, diagram.ranks), order;
    for (size_t i = 0; i < round.arrows.size(); ++i)
      if (round.arrows[i].source < round.arrows[i].destination)
        order.push_back(i);
    llvm::stable_sort(order, [&](size_t a, size_t b) { return distance(round.arrows[a]) < distance(round.arrows[b]); });
    std::vector<std::vector<size_t>> lanes;
    for (size_t i : order) {
      auto meets = [&](size_t other) {
        return round.arrows[other].source < round.arrows[i].destination && round.arrows[i].source < round.arrows[other].destination;
      };
      auto free = llvm::find_if(lanes, [&](const std::vector<size_t> &lane) { return llvm::none_of(lane, meets); });
      column.lane[i] = column.lane[back[i]] = static_cast<unsigned>(free - lanes.begin());
      if (free == lanes.end())
        lanes.emplace_back().push_back(i);
      else
        free->push_back(i);
    }
    return std::max<unsigned>(1, static_cast<unsigned>(lanes.size()));
  }

  static double widthOfTag(const std::string &label) { return std::max(22.0, textWidth(label, 12) + 12); }
  static std::uint32_t distance(const Arrow &arrow) {
    return arrow.source < arrow.destination ? arrow.destination - arrow.source : arrow.source - arrow.destination;
  }
  /// The y of a rank's line, from the top of the panel.
  double lineY(std::uint32_t rank) const { return 24 + (rank + 0.5) * rowHeight; }
  static const char *colourOf(const Arrow &arrow) {
    if (arrow.hue < 0)
      return arrow.source < arrow.destination ? downColour : upColour;
    return palette[static_cast<std::uint64_t>(arrow.hue) % paletteSize];
  }
  /// A light tint of a colour, without transparency.
  static std::string tint(llvm::StringRef colour) {
    unsigned rgb = 0;
    colour.drop_front().getAsInteger(16, rgb);
    std::string result = "#";
    for (int shift : {16, 8, 0}) {
      unsigned channel = (rgb >> shift) & 255;
      channel = 255 - (255 - channel) * 16 / 100;
      result += llvm::utohexstr(channel, /*LowerCase=*/true, 2);
    }
    return result;
  }

  void text(double x, double y, double size, llvm::StringRef colour, llvm::StringRef anchor, llvm::StringRef content,
            llvm::StringRef weight = "") {
    writeText(out, x, y, size, colour, anchor, content, weight);
  }

  void writePanel(const Panel &panel) {
    for (size_t i = panel.begin; i < panel.end; ++i) {
      const Column &column = columns[i];
      if (i % 2 == 0)
        out << "<rect x=\"" << Px{column.left} << "\" y=\"0\" width=\"" << Px{column.right - column.left} << "\" height=\""
            << Px{panelHeight} << "\" fill=\"" << band << "\"/>\n";
      text((column.left + column.right) / 2, 16, 12, faint, "middle", "round " + std::to_string(diagram.rounds[i].number));
    }
    text(bandsLeft - 25, 16, 12, faint, "middle", "rank");
    out << "<g stroke=\"" << lifeline << "\" stroke-width=\"1.2\">\n";
    for (std::uint32_t rank = 0; rank < diagram.ranks; ++rank)
      out << "<line x1=\"" << Px{bandsLeft - 8} << "\" y1=\"" << Px{lineY(rank)} << "\" x2=\"" << Px{panel.right}
          << "\" y2=\"" << Px{lineY(rank)} << "\"/>\n";
    out << "</g>\n";
    for (std::uint32_t rank = 0; rank < diagram.ranks; ++rank) {
      bool isRoot = diagram.root == rank;
      if (isRoot)
        out << "<rect x=\"" << Px{bandsLeft - 40} << "\" y=\"" << Px{lineY(rank) - 10} << "\" width=\"30\" height=\"20\" rx=\"10\" fill=\""
            << ink << "\"/>\n";
      text(bandsLeft - 25, lineY(rank) + 4.6, 13, isRoot ? "#ffffff" : ink, "middle", std::to_string(rank),
           isRoot ? "600" : "");
    }
    for (size_t i = panel.begin; i < panel.end; ++i)
      writeRound(diagram.rounds[i], columns[i]);
  }

  void writeRound(const TracedRound &round, const Column &column) {
    // Draw long arrows first, and each arrow with a white rim, so that crossings are clear.
    std::vector<size_t> order(round.arrows.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    llvm::stable_sort(order, [&](size_t a, size_t b) { return distance(round.arrows[a]) > distance(round.arrows[b]); });
    for (size_t i : order) {
      if (allExchanges) {
        // An exchange is a vertical arrow with two heads. Each half has the colour of the data that arrives at its end.
        double x = column.start + laneWidth * (column.lane[i] + 1), y = lineY(round.arrows[i].destination);
        writeArrow(round.arrows[i], x, (lineY(round.arrows[i].source) + y) / 2, x, y);
        continue;
      }
      // Extend the line from a narrow tag to where the arrows start, right of the widest tag.
      if (double tagEnd = column.tags + widthOfTag(round.arrows[i].label); tagEnd < column.start && !round.arrows[i].label.empty())
        out << "<line x1=\"" << Px{tagEnd} << "\" y1=\"" << Px{column.sendY[i]} << "\" x2=\"" << Px{column.start + 0.5}
            << "\" y2=\"" << Px{column.sendY[i]} << "\" stroke=\"" << colourOf(round.arrows[i]) << "\" stroke-width=\"1.8\"/>\n";
      double start = round.arrows[i].label.empty() ? column.tags + 4 : column.start;
      writeArrow(round.arrows[i], start, column.sendY[i], column.end, column.receiveY[i]);
    }
    for (size_t i = 0; i < round.arrows.size(); ++i)
      writeTag(round.arrows[i], column, column.sendY[i]);
  }

  void writeArrow(const Arrow &arrow, double x1, double y1, double x2, double y2) {
    const char *colour = colourOf(arrow);
    double length = std::hypot(x2 - x1, y2 - y1), dx = (x2 - x1) / length, dy = (y2 - y1) / length;
    double bx = x2 - headLength * dx, by = y2 - headLength * dy; // the base of the arrow head
    auto line = [&](const char *stroke, const char *strokeWidth) {
      out << "<line x1=\"" << Px{x1} << "\" y1=\"" << Px{y1} << "\" x2=\"" << Px{bx + dx} << "\" y2=\"" << Px{by + dy}
          << "\" stroke=\"" << stroke << "\" stroke-width=\"" << strokeWidth << "\"/>\n";
    };
    line("#ffffff", "4.4");
    line(colour, "1.8");
    double wx = -dy * headWidth / 2, wy = dx * headWidth / 2;
    out << "<polygon points=\"" << Px{x2} << ',' << Px{y2} << ' ' << Px{bx + wx} << ',' << Px{by + wy} << ' ' << Px{bx - wx}
        << ',' << Px{by - wy} << "\" fill=\"" << colour << "\"/>\n";
  }

  void writeTag(const Arrow &arrow, const Column &column, double y) {
    const char *colour = colourOf(arrow);
    if (arrow.label.empty()) {
      out << "<circle cx=\"" << Px{column.tags + 4} << "\" cy=\"" << Px{y} << "\" r=\"4\" fill=\"" << colour << "\"/>\n";
      return;
    }
    double width = widthOfTag(arrow.label);
    out << "<rect x=\"" << Px{column.tags} << "\" y=\"" << Px{y - tagHeight / 2} << "\" width=\"" << Px{width}
        << "\" height=\"" << Px{tagHeight} << "\" rx=\"" << Px{tagHeight / 2} << "\" fill=\"" << tint(colour)
        << "\" stroke=\"" << colour << "\" stroke-width=\"1.2\"/>\n";
    text(column.tags + width / 2, y + 4.3, 12, ink, "middle", arrow.label);
  }

  const Diagram &diagram;
  llvm::raw_ostream &out;
  std::vector<Column> columns;
  bool allExchanges = false; // in every round
  std::vector<Panel> panels;
  double rowHeight = 0, panelHeight = 0;
};

} // namespace

void writeSvg(const Diagram &diagram, llvm::raw_ostream &out) { SvgWriter(diagram, out).write(); }

} // namespace quadrille::compiler::draw
