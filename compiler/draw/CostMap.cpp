//===- CostMap.cpp - A map of the fastest schedule for each p and n, as a scene -------------------------------------===//

#include "CostMap.h"

#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <map>

namespace quadrille::compiler::draw {

using scene::Anchor;
using scene::Colour;
using scene::textWidth;

namespace {
constexpr double margin = 24, axisLeft = 58, headingHeight = 94, bareTop = 34, panelHeight = 380, panelGap = 30, axisBelow = 52, legendRow = 22, regionOpacity = 0.6;

/// A place, in logarithms of p and n.
struct PointOfMap {
  double p, n;
};

class MapPicture {
public:
  MapPicture(const CostMap &map, const Look &look) : map(map), look(look), top(look.title ? headingHeight : bareTop) {
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

  scene::Scene make() {
    const double panels = static_cast<double>(map.panels.size());
    drawn.width = margin + axisLeft + panels * panelWidth + (panels - 1) * panelGap + margin;
    if (look.title)
      drawn.width = std::max({drawn.width, 2 * margin + textWidth(map.title, 18), 2 * margin + textWidth(map.subtitle, 12.5)});
    const double below = top + panelHeight + axisBelow;
    layLegend(drawn.width);
    drawn.height = below + legendRow * (legend.empty() ? 0 : legend.back().row + 1) + margin;
    drawn.title = map.title;
    drawn.description = "p to the right, n upwards, a region for each schedule where it is the fastest.";
    if (look.title) {
      drawn.text(margin, 32, 18, Colour::Ink, Anchor::Start, map.title, true);
      drawn.text(margin, 52, 12.5, Colour::Faint, Anchor::Start, map.subtitle);
    }
    double left = margin + axisLeft;
    for (const CostPanel &panel : map.panels) {
      placePanel(panel, left, &panel == &map.panels.front());
      left += panelWidth + panelGap;
    }
    for (const LegendEntry &entry : legend) {
      double y = below + legendRow * entry.row + 8;
      drawn.add(scene::Open{scene::Open::always, "", regionOpacity});
      drawn.add(scene::Rectangle{{entry.x, y - 11}, 14, 14, 3, colour(entry.candidate), {}});
      drawn.add(scene::Close{});
      drawn.text(entry.x + 20, y, 12.5, Colour::Ink, Anchor::Start, map.names[entry.candidate]);
    }
    return std::move(drawn);
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
  Colour colour(size_t candidate) const { return Colour::series(static_cast<size_t>(llvm::find(shown, candidate) - shown.begin())); }

  // ---- scales ----------------------------------------------------------------------------------------------------------

  double x(double p) const { return panelLeft + panelWidth * (std::log2(p) - std::log2(firstP)) / (std::log2(lastP) - std::log2(firstP)); }
  double y(double n) const {
    return top + panelHeight - panelHeight * (std::log2(std::max(n, least)) - std::log2(least)) / (std::log2(most) - std::log2(least));
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

  void placePanel(const CostPanel &panel, double left, bool isFirst) {
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
    drawn.add(scene::Open{scene::Open::always, "", regionOpacity});
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
    drawn.add(scene::Close{});
    const double bottom = top + panelHeight;
    for (std::int64_t p : ticks(firstP, lastP, panelWidth, 42)) {
      double px = x(static_cast<double>(p));
      drawn.add(scene::Line{{px, top}, {px, bottom}, {Colour::Rule, 0.7}});
      drawn.text(px, bottom + 17, 12, Colour::Faint, Anchor::Middle, binaryText(static_cast<std::uint64_t>(p)));
    }
    for (std::int64_t n : ticks(least, most, panelHeight, 26)) {
      double py = y(static_cast<double>(n));
      drawn.add(scene::Line{{left, py}, {left + panelWidth, py}, {Colour::Rule, 0.7}});
      if (isFirst)
        drawn.text(left - 8, py + 4, 12, Colour::Faint, Anchor::End, binaryText(static_cast<std::uint64_t>(n)));
    }
    for (auto &[a, b] : lines)
      drawn.add(scene::Line{{x(a.p), y(a.n)}, {x(b.p), y(b.n)}, {Colour::Ink, 1.6}});
    drawn.add(scene::Rectangle{{left, top}, panelWidth, panelHeight, 0, Colour::None, {Colour::Faint, 1}});
    drawn.text(left + panelWidth / 2, top - 8, 13, Colour::Ink, Anchor::Middle, panel.title);
    drawn.text(left + panelWidth / 2, bottom + 36, 12.5, Colour::Faint, Anchor::Middle, "p, ranks");
    if (isFirst) {
      scene::Text axis{{margin + 8, top + panelHeight / 2}, 12.5, Colour::Faint, Anchor::Middle, map.vertical};
      axis.upwards = true;
      drawn.add(axis);
    }
    for (auto &[candidate, label] : labels)
      placeLabel(candidate, label);
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
      PointOfMap corners[] = {{from, low(a[i])}, {to, low(b[i])}, {to, high(b, i)}, {from, high(a, i)}};
      scene::Polygon piece{{}, colour(a[i].best), {colour(a[i].best), 0.8}};
      for (const PointOfMap &corner : corners)
        piece.corners.push_back({x(corner.p), y(corner.n)});
      drawn.add(piece);
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

  void placeLabel(size_t candidate, const Label &label) {
    constexpr double size = 12.5;
    const double wanted = textWidth(map.names[candidate], size) + 10;
    if (Label::width(label.best) < wanted)
      return;
    // Where there is most room above and below the whole text, within the run; nowhere if it would reach into another region.
    const double start = label.best.front().left + wanted / 2, end = label.best.back().right - wanted / 2;
    double room = size / 2;
    std::optional<scene::Point> where;
    for (const Label::Piece &piece : label.best)
      for (const double at : {piece.left, (piece.left + piece.right) / 2, piece.right}) {
        const double x = std::clamp(at, start, end);
        double least = piece.height;
        for (const Label::Piece &other : label.best)
          if (other.left < x + wanted / 2 && other.right > x - wanted / 2)
            least = std::min(least, other.height / 2 - std::abs(other.middle - piece.middle));
        if (least > room + 0.01) {
          room = least;
          where = scene::Point{x, piece.middle + 4};
        }
      }
    if (!where)
      return;
    scene::Text name{*where, size, Colour::Ink, Anchor::Middle, map.names[candidate]};
    name.halo = true;
    drawn.add(name);
  }

  const CostMap &map;
  const Look &look;
  const double top;
  scene::Scene drawn;
  double least = 1e18, most = 0, panelWidth, panelLeft = 0, firstP = 1, lastP = 2;
  std::vector<size_t> shown;
  std::vector<LegendEntry> legend;
  std::vector<std::pair<PointOfMap, PointOfMap>> lines;
  std::map<size_t, Label> labels;
};
} // namespace

scene::Scene mapScene(const CostMap &map, const Look &look) { return MapPicture(map, look).make(); }

} // namespace quadrille::compiler::draw
