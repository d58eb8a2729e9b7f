//===- CostMap.cpp - A map of the fastest schedule for each p and n, as SVG -----------------------------------------===//

#include "CostMap.h"

#include "Svg.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <map>

namespace quadrille::compiler::draw {

namespace {
constexpr double margin = 24, axisLeft = 58, top = 94, panelHeight = 380, panelGap = 30, axisBelow = 52, legendRow = 22;

/// A point of the plane, before it is scaled.
struct Point {
  double p, n;
};

class MapWriter {
public:
  MapWriter(const CostMap &map, llvm::raw_ostream &out) : map(map), out(out) {
    for (const CostPanel &panel : map.panels)
      for (const auto &stretches : panel.comparison.stretches)
        for (const Stretch &stretch : stretches) {
          least = std::min(least, static_cast<double>(std::max<std::int64_t>(1, stretch.from)));
          most = std::max(most, static_cast<double>(stretch.to));
          if (!llvm::is_contained(shown, stretch.best))
            shown.push_back(stretch.best);
        }
    llvm::sort(shown);
    if (most <= least)
      most = least * 2;
    panelWidth = map.panels.size() == 1 ? 620 : map.panels.size() == 2 ? 430 : 330;
  }

  void write() {
    const double panels = static_cast<double>(map.panels.size());
    const double width = margin + axisLeft + panels * panelWidth + (panels - 1) * panelGap + margin;
    const double below = top + panelHeight + axisBelow;
    layLegend(width);
    const double height = below + legendRow * (legend.empty() ? 0 : legend.back().row + 1) + margin;
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << Px{width} << "\" height=\"" << Px{height} << "\" viewBox=\"0 0 "
        << Px{width} << ' ' << Px{height} << "\" role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\">\n"
        << "<title>" << escapeXml(map.title) << "</title>\n"
        << "<style>\n"
           ".page { fill: #ffffff } .ink { fill: #1f2328 } .faint { fill: #59636e } .tick { stroke: #59636e; stroke-width: 1 }\n"
           ".grid { stroke: #1f2328; stroke-opacity: 0.14; stroke-width: 1 } .line { stroke: #1f2328; stroke-width: 1.6; fill: none; stroke-linejoin: round }\n"
           ".frame { stroke: #59636e; stroke-width: 1; fill: none } .halo { fill: #1f2328; stroke: #ffffff; stroke-width: 3.5; paint-order: stroke; stroke-linejoin: round }\n"
           "@media (prefers-color-scheme: dark) {\n"
           "  .page { fill: #0d1117 } .ink { fill: #e6edf3 } .faint { fill: #9aa4af } .tick, .frame { stroke: #9aa4af }\n"
           "  .grid { stroke: #e6edf3 } .line { stroke: #e6edf3 } .halo { fill: #e6edf3; stroke: #0d1117 }\n"
           "}\n</style>\n"
        << "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
    text(margin, 32, "ink", 18, "start", map.title, /*bold=*/true);
    text(margin, 52, "faint", 12.5, "start", map.subtitle);
    double left = margin + axisLeft;
    for (const CostPanel &panel : map.panels) {
      writePanel(panel, left, &panel == &map.panels.front());
      left += panelWidth + panelGap;
    }
    for (const LegendEntry &entry : legend) {
      double y = below + legendRow * entry.row + 8;
      out << "<rect x=\"" << Px{entry.x} << "\" y=\"" << Px{y - 11} << "\" width=\"14\" height=\"14\" rx=\"3\" fill=\"" << colour(entry.candidate)
          << "\" fill-opacity=\"0.6\"/>\n";
      text(entry.x + 20, y, "ink", 12.5, "start", map.names[entry.candidate]);
    }
    out << "</svg>\n";
  }

private:
  struct LegendEntry {
    size_t candidate;
    unsigned row;
    double x;
  };

  void layLegend(double width) {
    unsigned row = 0;
    double x = margin + axisLeft;
    for (size_t candidate : shown) {
      double wide = 20 + textWidth(map.names[candidate], 12.5) + 22;
      if (x + wide > width - margin && x > margin + axisLeft) {
        ++row;
        x = margin + axisLeft;
      }
      legend.push_back({candidate, row, x});
      x += wide;
    }
  }

  /// The colour of a candidate: by its position among the shown ones, so that they differ.
  const char *colour(size_t candidate) const {
    return seriesColour(static_cast<size_t>(llvm::find(shown, candidate) - shown.begin()));
  }

  void text(double x, double y, llvm::StringRef style, double size, llvm::StringRef anchor, llvm::StringRef content, bool bold = false) {
    out << "<text x=\"" << Px{x} << "\" y=\"" << Px{y} << "\" class=\"" << style << "\" font-size=\"" << Px{size} << "\" text-anchor=\"" << anchor
        << '"' << (bold ? " font-weight=\"600\"" : "") << '>' << escapeXml(content) << "</text>\n";
  }

  // ---- scales ----------------------------------------------------------------------------------------------------------

  double x(double p) const { return panelLeft + panelWidth * (std::log2(p) - std::log2(firstP)) / (std::log2(lastP) - std::log2(firstP)); }
  double y(double n) const {
    return top + panelHeight - panelHeight * (std::log2(std::max(n, least)) - std::log2(least)) / (std::log2(most) - std::log2(least));
  }

  /// "4Ki", "1Mi"
  static std::string numberText(std::int64_t value) {
    for (auto [unit, name] : {std::pair(std::int64_t(1) << 30, "Gi"), {std::int64_t(1) << 20, "Mi"}, {std::int64_t(1) << 10, "Ki"}})
      if (value >= unit && value % unit == 0)
        return std::to_string(value / unit) + name;
    return std::to_string(value);
  }

  /// Powers of two in a range, every step-th one, with the smallest step for which the texts fit.
  static std::vector<std::int64_t> ticks(double from, double to, double room, double each) {
    for (unsigned step = 1;; ++step) {
      std::vector<std::int64_t> result;
      for (unsigned e = 0; e < 62; e += step)
        if (double v = std::ldexp(1, static_cast<int>(e)); from <= v && v <= to)
          result.push_back(std::int64_t(1) << e);
      if (static_cast<double>(result.size()) * each <= room || step > 8)
        return result;
    }
  }

  // ---- a panel ---------------------------------------------------------------------------------------------------------

  void writePanel(const CostPanel &panel, double left, bool isFirst) {
    panelLeft = left;
    const Comparison &all = panel.comparison;
    // A column extends half way to its neighbours; the outer columns a little beyond the first and last p.
    const size_t count = all.ps.size();
    auto at = [&](size_t i) { return static_cast<double>(all.ps[i]); };
    firstP = count == 1 ? at(0) / 1.5 : at(0);
    lastP = count == 1 ? at(0) * 1.5 : at(count - 1);
    lines.clear();
    labels.clear();
    // The outlines of a region's pieces overlap, so no seams are visible. Opacity is set for the whole group.
    out << "<g opacity=\"0.6\" stroke-width=\"0.8\">\n";
    for (size_t i = 0; i < count; ++i) {
      if (count == 1) {
        column(all.stretches[0], firstP, lastP);
      } else if (i + 1 < count) {
        if (isAlike(all.stretches[i], all.stretches[i + 1])) {
          between(all.stretches[i], at(i), all.stretches[i + 1], at(i + 1));
        } else {
          double middle = std::sqrt(at(i) * at(i + 1));
          column(all.stretches[i], at(i), middle);
          column(all.stretches[i + 1], middle, at(i + 1));
          beside(all.stretches[i], all.stretches[i + 1], middle);
        }
      }
    }
    out << "</g>\n";
    for (std::int64_t p : ticks(firstP, lastP, panelWidth, 42)) {
      double px = x(static_cast<double>(p));
      out << "<line class=\"grid\" x1=\"" << Px{px} << "\" y1=\"" << Px{top} << "\" x2=\"" << Px{px} << "\" y2=\"" << Px{top + panelHeight} << "\"/>\n";
      text(px, top + panelHeight + 17, "faint", 12, "middle", numberText(p));
    }
    for (std::int64_t n : ticks(least, most, panelHeight, 26)) {
      double py = y(static_cast<double>(n));
      out << "<line class=\"grid\" x1=\"" << Px{left} << "\" y1=\"" << Px{py} << "\" x2=\"" << Px{left + panelWidth} << "\" y2=\"" << Px{py} << "\"/>\n";
      if (isFirst)
        text(left - 8, py + 4, "faint", 12, "end", numberText(n));
    }
    for (auto &[a, b] : lines)
      out << "<path class=\"line\" d=\"M" << Px{x(a.p)} << ' ' << Px{y(a.n)} << 'L' << Px{x(b.p)} << ' ' << Px{y(b.n)} << "\"/>\n";
    out << "<rect class=\"frame\" x=\"" << Px{left} << "\" y=\"" << Px{top} << "\" width=\"" << Px{panelWidth} << "\" height=\"" << Px{panelHeight} << "\"/>\n";
    text(left + panelWidth / 2, top - 8, "ink", 13, "middle", panel.title);
    text(left + panelWidth / 2, top + panelHeight + 36, "faint", 12.5, "middle", "p, ranks");
    if (isFirst)
      out << "<text class=\"faint\" font-size=\"12.5\" text-anchor=\"middle\" transform=\"translate(" << Px{margin + 8} << ' ' << Px{top + panelHeight / 2}
          << ") rotate(-90)\">" << escapeXml(map.vertical) << "</text>\n";
    for (auto &[candidate, label] : labels)
      writeLabel(candidate, label);
  }

  static bool isAlike(llvm::ArrayRef<Stretch> a, llvm::ArrayRef<Stretch> b) {
    return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](const auto &pair) { return std::get<0>(pair).best == std::get<1>(pair).best; });
  }

  static double low(const Stretch &stretch) { return static_cast<double>(std::max<std::int64_t>(1, stretch.from)); }
  /// The upper end of a stretch: where the next one begins.
  static double high(llvm::ArrayRef<Stretch> stretches, size_t i) {
    return i + 1 < stretches.size() ? low(stretches[i + 1]) : static_cast<double>(stretches[i].to);
  }

  void column(llvm::ArrayRef<Stretch> stretches, double from, double to) { between(stretches, from, stretches, to); }

  void between(llvm::ArrayRef<Stretch> a, double from, llvm::ArrayRef<Stretch> b, double to) {
    for (size_t i = 0; i < a.size(); ++i) {
      Point corners[] = {{from, low(a[i])}, {to, low(b[i])}, {to, high(b, i)}, {from, high(a, i)}};
      out << "<path fill=\"" << colour(a[i].best) << "\" stroke=\"" << colour(a[i].best) << "\" d=\"";
      for (const Point &corner : corners)
        out << (&corner == corners ? 'M' : 'L') << Px{x(corner.p)} << ' ' << Px{y(corner.n)};
      out << "Z\"/>\n";
      if (i > 0)
        lines.push_back({corners[0], corners[1]});
      extend(a[i].best, x(from), x(to), y(std::sqrt(low(a[i]) * high(a, i))), y(low(a[i])) - y(high(a, i)));
    }
  }

  /// Draws the boundary between two adjacent columns where their fastest schedules differ.
  void beside(llvm::ArrayRef<Stretch> a, llvm::ArrayRef<Stretch> b, double p) {
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      double from = std::max(low(a[i]), low(b[j])), to = std::min(high(a, i), high(b, j));
      if (a[i].best != b[j].best && from < to)
        lines.push_back({{p, from}, {p, to}});
      (high(a, i) < high(b, j) ? i : j)++;
    }
  }

  // ---- labels ----------------------------------------------------------------------------------------------------------

  /// The widest run of adjacent pieces of a region, in which its name is written.
  struct Label {
    struct Piece {
      double left, right, middle, height;
    };
    std::vector<Piece> run, best;
    static double width(llvm::ArrayRef<Piece> pieces) { return pieces.empty() ? 0 : pieces.back().right - pieces.front().left; }
  };

  void extend(size_t candidate, double left, double right, double middle, double height) {
    constexpr double readable = 16;
    Label &label = labels[candidate];
    if (height < readable)
      return;
    if (!label.run.empty() && (std::abs(label.run.back().right - left) > 0.01 || std::abs(label.run.back().middle - middle) > height))
      label.run.clear();
    label.run.push_back({left, right, middle, height});
    if (Label::width(label.run) > Label::width(label.best))
      label.best = label.run;
  }

  void writeLabel(size_t candidate, const Label &label) {
    constexpr double size = 12.5;
    const double wanted = textWidth(map.names[candidate], size) + 10;
    if (Label::width(label.best) < wanted)
      return;
    // At the highest piece, as far as the text stays within the run.
    const Label::Piece *piece = &label.best.front();
    double start = label.best.front().left + wanted / 2, end = label.best.back().right - wanted / 2;
    for (const Label::Piece &other : label.best)
      if (double centre = (other.left + other.right) / 2; other.height > piece->height + 0.01 && centre >= start && centre <= end)
        piece = &other;
    double centre = std::clamp((piece->left + piece->right) / 2, start, end);
    for (const Label::Piece &other : label.best)
      if (other.left <= centre && centre <= other.right)
        piece = &other;
    text(centre, piece->middle + 4, "halo", size, "middle", map.names[candidate]);
  }

  const CostMap &map;
  llvm::raw_ostream &out;
  double least = 1e18, most = 0, panelWidth, panelLeft = 0, firstP = 1, lastP = 2;
  std::vector<size_t> shown;
  std::vector<LegendEntry> legend;
  std::vector<std::pair<Point, Point>> lines;
  std::map<size_t, Label> labels;
};
} // namespace

void writeSvg(const CostMap &map, llvm::raw_ostream &out) { MapWriter(map, out).write(); }

} // namespace quadrille::compiler::draw
