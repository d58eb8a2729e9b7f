//===- SvgNetwork.cpp - A network and its loads as SVG ---------------------------------------------------------------------===//

#include "Network.h"
#include "Svg.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cmath>

namespace quadrille::compiler::draw {

namespace {

using topology::Link;
using topology::LinkNumber;
using topology::Point;

constexpr double margin = 28, top = 84, gap = 36, captionHeight = 26, maxWidth = 1560;

/// Colours for loads, in steps of a fifth of the highest load. They differ in lightness, too, for colour-blind readers.
struct Step {
  const char *colour;
  double width;
};
constexpr Step steps[] = {{"#7fb2dc", 2}, {"#3f86c4", 3}, {"#7a51a8", 4.2}, {"#cf3f6e", 5.6}, {"#8f0f14", 7}};
constexpr size_t stepCount = std::size(steps);
constexpr const char *idle = "#d5dbe1";

size_t stepOf(double busy, double full) {
  const double share = full > 0 ? busy / full : 0;
  return std::min(stepCount - 1, static_cast<size_t>(std::max(0.0, std::ceil(share * stepCount - 1e-9) - 1)));
}

class NetworkWriter {
public:
  NetworkWriter(const NetworkPicture &picture, llvm::raw_ostream &out)
      : picture(picture), network(picture.topology), out(out), panels(picture.panels()), places(placeNodes(network)) {}

  void write() {
    layOut();
    const size_t across = std::max<size_t>(1, std::min(panels.size(), static_cast<size_t>((maxWidth + gap) / (panelWidth + gap))));
    const size_t down = (panels.size() + across - 1) / across;
    const std::string subtitle = picture.caseText + "  ·  on " + network.name;
    const std::string legend = std::string(picture.countsMessages() ? "messages" : "words") +
                               " on a link, of the busiest one" + (panels.size() > 2 ? " (of all rounds together; of any single round)" : "");
    const double width = std::max({2 * margin + across * panelWidth + (across - 1) * gap, 2 * margin + textWidth(subtitle, 13),
                                   2 * margin + textWidth(picture.schedule, 20), 2 * margin + 330 + textWidth(legend, 12)});
    const double bottom = top + down * panelHeight + (down - 1) * gap;
    openSvg(out, width, bottom + 56, picture.schedule + " on " + network.name + ", " + picture.caseText,
            "The network with its nodes and links; the width and colour of a link tell how much it carries.");
    writeText(out, margin, 38, 20, ink, "start", picture.schedule, "600");
    writeText(out, margin, 61, 13, faint, "start", subtitle);
    for (size_t i = 0; i < panels.size(); ++i) {
      out << "<g transform=\"translate(" << Px{margin + static_cast<double>(i % across) * (panelWidth + gap)} << ' '
          << Px{top + static_cast<double>(i / across) * (panelHeight + gap)} << ")\">\n";
      writePanel(panels[i]);
      out << "</g>\n";
    }
    writeLegend(bottom + 34, legend);
    out << "</svg>\n";
  }

private:
  /// Computes positions in pixels. The distance of nodes shrinks with their number.
  void layOut() {
    double left = 1e9, right = -1e9, high = 1e9, low = -1e9;
    for (Point place : places) {
      left = std::min(left, place.x);
      right = std::max(right, place.x);
      high = std::min(high, place.y);
      low = std::max(low, place.y);
    }
    const double extent = std::max({right - left, low - high, 1.0});
    // With several panels, two fit side by side if they are still large enough.
    const bool isCircle = network.shape == topology::Shape::Ring || network.shape == topology::Shape::Full;
    const double room = panels.size() > 2 && 520 / extent > 30 ? 520 : isCircle ? 640 : 1100;
    unit = std::clamp(room / extent, 10.0, network.extents().size() > 2 && !isTree() ? 170.0 : 96.0);
    if (network.shape == topology::Shape::Graph) // the file uses arbitrary units
      unit = std::clamp(560 / extent, 0.0001, 240.0);
    double nearest = 1e9;
    for (size_t i = 0; i < std::min<size_t>(places.size(), 64); ++i)
      for (size_t j = i + 1; j < places.size(); ++j)
        nearest = std::min(nearest, unit * std::hypot(places[i].x - places[j].x, places[i].y - places[j].y));
    radius = std::clamp(nearest / 4, 4.0, 15.0);
    // Curved links and wraparound links extend beyond the nodes.
    const double rim = radius + 12 + (hasCurves() ? 0.3 * unit : wrapStub());
    origin = {rim - left * unit, captionHeight + rim - high * unit};
    double captions = 0;
    for (const NetworkPicture::Panel &panel : panels)
      captions = std::max(captions, textWidth(panel.caption, 12.5));
    panelWidth = std::max((right - left) * unit + 2 * rim, captions);
    panelHeight = captionHeight + (low - high) * unit + 2 * rim;
    origin.x += (panelWidth - (right - left) * unit - 2 * rim) / 2;
  }

  bool isTree() const { return network.shape == topology::Shape::Tree || network.shape == topology::Shape::FatTree; }
  /// Whether some links are curved: in hypercubes of more than three dimensions links pass other nodes.
  bool hasCurves() const { return network.shape == topology::Shape::Hypercube && network.extents().size() > 3; }
  /// The length of the stub by which a wraparound link of a torus leaves its node.
  double wrapStub() const { return network.shape == topology::Shape::Torus ? 0.42 * unit : 0; }

  Point at(std::uint32_t node) const { return {origin.x + unit * places[node].x, origin.y + unit * places[node].y}; }

  void writePanel(const NetworkPicture::Panel &panel) {
    writeText(out, panelWidth / 2, 14, 12.5, ink, "middle", panel.caption);
    // Draw busy links last, above idle ones.
    std::vector<std::pair<double, LinkNumber>> links;
    for (LinkNumber number = 0; number < network.linkNumbers(); ++number)
      if (network.link(number)) {
        auto load = panel.loads->find(number);
        links.push_back({load == panel.loads->end() ? 0 : picture.busy(number, load->second), number});
      }
    llvm::stable_sort(links, [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &[busy, number] : links)
      writeLink(number, busy, panel);
    for (std::uint32_t node = 0; node < network.nodes(); ++node)
      writeNode(node);
    if (links.size() <= 96 && unit * 0.9 > 50)
      for (const auto &[busy, number] : links)
        if (busy > 0)
          writeLoad(number, panel.loads->at(number));
  }

  struct Curve {
    Point from, to, bend; // bend: the control point of a quadratic curve
    bool straight = true;
    Point middle() const {
      if (straight)
        return {(from.x + to.x) / 2, (from.y + to.y) / 2};
      return {from.x / 4 + bend.x / 2 + to.x / 4, from.y / 4 + bend.y / 2 + to.y / 4};
    }
  };

  /// The lines of a link, from the rim of one node to the rim of the other. They are shifted to the right of the direction, so
  /// that the two directions of a cable lie side by side. A wraparound link of a torus has two stubs, others one line.
  llvm::SmallVector<Curve, 2> curvesOf(LinkNumber number) const {
    const Link link = *network.link(number);
    const Point a = at(link.from), b = at(link.to);
    if (network.shape == topology::Shape::Torus && isWrap(link)) {
      // A wraparound link: a stub out of one node and a stub into the other, both pointing outwards.
      const double length = std::hypot(b.x - a.x, b.y - a.y), step = radius + std::max(14.0, std::min(wrapStub(), 0.7 * length));
      const Point out{(a.x - b.x) / length * step, (a.y - b.y) / length * step};
      return {lineBetween(a, {a.x + out.x, a.y + out.y}, true, false), lineBetween({b.x - out.x, b.y - out.y}, b, false, true)};
    }
    Curve curve = lineBetween(a, b, true, true);
    // A link that would cross other nodes is curved, in both directions to the same side: upwards or to the left.
    if (hasCurves() && passesNodes(std::min(link.from, link.to), std::max(link.from, link.to))) {
      const double length = std::hypot(b.x - a.x, b.y - a.y), dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
      curve.straight = false;
      const double side = (dx > 0.01 || (std::abs(dx) <= 0.01 && dy < 0)) ? 1 : -1;
      const double height = std::min(0.2 * length + 10, 0.56 * unit);
      curve.bend = {(curve.from.x + curve.to.x) / 2 + side * dy * height, (curve.from.y + curve.to.y) / 2 - side * dx * height};
    }
    return {curve};
  }

  Curve lineBetween(Point a, Point b, bool fromNode, bool toNode) const {
    const double length = std::max(1.0, std::hypot(b.x - a.x, b.y - a.y)), dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
    const double shift = std::min(4.6, radius * 0.42), rim = std::min(radius + 1, length / 3);
    const double before = fromNode ? rim : 0, after = toNode ? rim : 0;
    Curve curve;
    curve.from = {a.x + dx * before - dy * shift, a.y + dy * before + dx * shift};
    curve.to = {b.x - dx * after - dy * shift, b.y - dy * after + dx * shift};
    return curve;
  }

  /// Whether the link joins the first and the last node of a row of more than two.
  bool isWrap(const Link &link) const {
    std::uint32_t a = link.from, b = link.to;
    for (size_t d = network.extents().size(); d-- > 0;) {
      const std::uint32_t side = static_cast<std::uint32_t>(network.extents()[d]);
      const std::uint32_t x = a % side, y = b % side;
      if (x != y)
        return side > 2 && std::max(x, y) - std::min(x, y) == side - 1;
      a /= side;
      b /= side;
    }
    return false;
  }

  bool passesNodes(std::uint32_t a, std::uint32_t b) const {
    const Point p = at(a), q = at(b);
    const double length = std::hypot(q.x - p.x, q.y - p.y);
    for (std::uint32_t node = 0; node < network.nodes(); ++node) {
      if (node == a || node == b)
        continue;
      const Point r = at(node);
      const double along = ((r.x - p.x) * (q.x - p.x) + (r.y - p.y) * (q.y - p.y)) / length;
      const double beside = std::abs((r.x - p.x) * (q.y - p.y) - (r.y - p.y) * (q.x - p.x)) / length;
      if (along > 1 && along < length - 1 && beside < radius * 0.9)
        return true;
    }
    return false;
  }

  void writeLink(LinkNumber number, double busy, const NetworkPicture::Panel &panel) {
    const Step step = busy > 0 ? steps[stepOf(busy, panel.full)] : Step{idle, 1.2};
    const double width = std::min(step.width, std::max(1.2, radius * 0.6));
    for (const Curve &curve : curvesOf(number)) {
      out << "<path d=\"M" << Px{curve.from.x} << ' ' << Px{curve.from.y} << ' ';
      if (!curve.straight)
        out << 'Q' << Px{curve.bend.x} << ' ' << Px{curve.bend.y} << ' ';
      else
        out << 'L';
      out << Px{curve.to.x} << ' ' << Px{curve.to.y} << "\" fill=\"none\" stroke=\"" << step.colour << "\" stroke-width=\"" << Px{width}
          << "\"><title>" << escapeXml(network.linkName(number)) << "</title></path>\n";
      if (busy > 0)
        writeHead(curve, std::min(width + 4, radius), step.colour);
    }
  }

  void writeHead(const Curve &curve, double size, llvm::StringRef colour) {
    const Point before = curve.straight ? curve.from : curve.bend;
    const double length = std::max(1.0, std::hypot(curve.to.x - before.x, curve.to.y - before.y));
    const double dx = (curve.to.x - before.x) / length, dy = (curve.to.y - before.y) / length;
    auto corner = [&](double along, double aside) {
      out << Px{curve.to.x + dx * along - dy * aside} << ',' << Px{curve.to.y + dy * along + dx * aside} << ' ';
    };
    out << "<polygon points=\"";
    corner(1, 0);
    corner(-size, size * 0.55);
    corner(-size, -size * 0.55);
    out << "\" fill=\"" << colour << "\"/>\n";
  }

  void writeLoad(LinkNumber number, const topology::LinkLoad &load) {
    const llvm::SmallVector<Curve, 2> curves = curvesOf(number);
    const Curve &curve = curves.front();
    const Point middle = curve.middle();
    const double length = std::max(1.0, std::hypot(curve.to.x - curve.from.x, curve.to.y - curve.from.y));
    const double dx = (curve.to.x - curve.from.x) / length, dy = (curve.to.y - curve.from.y) / length;
    const std::string text = std::to_string(picture.countsMessages() ? load.messages : load.words);
    // The label is beside the line, on the side away from the other direction, near the start, where fewer lines cross; in
    // trees near the child, where there is more room.
    double share = curve.straight && curves.size() == 1 ? -0.14 : 0;
    if (isTree())
      share = number % 2 == 0 ? -0.24 : 0.24;
    const double aside = 9 + 0.25 * textWidth(text, 10) * std::abs(dy);
    const Point place{middle.x + dx * share * length - dy * aside, middle.y + dy * share * length + dx * aside + 3.6};
    out << "<text x=\"" << Px{place.x} << "\" y=\"" << Px{place.y} << "\" font-size=\"10\" fill=\"" << ink
        << "\" text-anchor=\"middle\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">" << text << "</text>\n";
  }

  void writeNode(std::uint32_t node) {
    const Point place = at(node);
    if (isTree() && node >= network.places()) {
      const double half = radius * 0.6;
      out << "<rect x=\"" << Px{place.x - half} << "\" y=\"" << Px{place.y - half} << "\" width=\"" << Px{2 * half} << "\" height=\""
          << Px{2 * half} << "\" rx=\"2\" fill=\"" << faint << "\"><title>" << escapeXml(network.nodeName(node)) << "</title></rect>\n";
      return;
    }
    const bool isSwitch = ranksAt(node).empty();
    out << "<circle cx=\"" << Px{place.x} << "\" cy=\"" << Px{place.y} << "\" r=\"" << Px{isSwitch ? radius * 0.6 : radius} << "\" fill=\""
        << (isSwitch ? faint : "#ffffff") << "\" stroke=\"" << ink << "\" stroke-width=\"1.2\"><title>"
        << escapeXml(network.nodeName(node)) << "</title></circle>\n";
    const std::string text = ranksAt(node);
    const double size = std::min(12.0, 1.7 * radius / std::max(1.0, textWidth(text, 1)));
    if (size >= 5)
      writeText(out, place.x, place.y + 0.36 * size, size, ink, "middle", text);
  }

  /// The ranks at a node: "3", "4,5".
  std::string ranksAt(std::uint32_t node) const {
    std::string text;
    for (std::uint32_t rank = 0; rank < std::min(picture.ranks, network.places()); ++rank)
      if (network.nodeOf(rank) == node)
        text += (text.empty() ? "" : ",") + std::to_string(rank);
    return text;
  }

  void writeLegend(double y, const std::string &legend) {
    double x = margin;
    for (size_t i = 0; i < stepCount; ++i) {
      out << "<line x1=\"" << Px{x} << "\" y1=\"" << Px{y - 4} << "\" x2=\"" << Px{x + 24} << "\" y2=\"" << Px{y - 4} << "\" stroke=\""
          << steps[i].colour << "\" stroke-width=\"" << Px{steps[i].width} << "\"/>\n";
      const std::string share = "≤ " + std::to_string((i + 1) * 100 / stepCount) + "%";
      writeText(out, x + 29, y, 12, faint, "start", share);
      x += 29 + textWidth(share, 12) + 10;
    }
    writeText(out, x + 6, y, 12, faint, "start", legend);
  }

  const NetworkPicture &picture;
  const topology::Topology &network;
  llvm::raw_ostream &out;
  const std::vector<NetworkPicture::Panel> panels;
  const std::vector<Point> places;
  double unit = 96, radius = 15, panelWidth = 0, panelHeight = 0; // pixels
  Point origin;
};

} // namespace

void writeNetworkSvg(const NetworkPicture &picture, llvm::raw_ostream &out) { NetworkWriter(picture, out).write(); }

} // namespace quadrille::compiler::draw
