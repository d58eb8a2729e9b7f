//===- NetworkScene.cpp - A network and its loads as a scene ----------------------------------------------------------------===//

#include "NetworkScene.h"

#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cmath>

namespace quadrille::compiler::draw {

namespace {

using topology::Link;
using topology::LinkNumber;
using scene::Anchor;
using scene::Colour;
using scene::Point;
using scene::textWidth;

constexpr double margin = 28, headingHeight = 84, bareTop = 12, gap = 36, captionHeight = 26, maxWidth = 1560;

/// Links are as wide as what they carry, in steps of a fifth of the highest load, each with a colour of its own.
constexpr double widths[] = {1.6, 2.3, 3.1, 4, 5};
constexpr size_t stepCount = Colour::rampSteps;
static_assert(std::size(widths) == stepCount);

/// Loads are written beside links only if there are no more than so many, since they would hide the picture; fewer if all are the same.
constexpr size_t mostNumbers = 96, mostSameNumbers = 16;

size_t stepOf(double busy, double full) {
  const double share = full > 0 ? busy / full : 0;
  return std::min(stepCount - 1, static_cast<size_t>(std::max(0.0, std::ceil(share * stepCount - 1e-9) - 1)));
}

class NetworkLayout {
public:
  NetworkLayout(const NetworkPicture &picture, const Look &look, Sheet sheet)
      : picture(picture), network(picture.topology), look(look), sheet(sheet), panels(picture.panels()) {
    for (const topology::Point place : placeNodes(network))
      places.push_back({place.x, place.y});
    ranksAt.resize(network.nodes());
    for (std::uint32_t rank = 0; rank < std::min(picture.ranks, network.places()); ++rank)
      ranksAt[network.nodeOf(rank)].push_back(rank);
  }

  scene::Scene make() {
    layOut();
    const double room = look.width ? *look.width - 2 * margin : maxWidth, top = look.title ? headingHeight : bareTop;
    const bool isStack = sheet == Sheet::Stack;
    const size_t across = isStack ? 1 : std::max<size_t>(1, std::min(panels.size(), static_cast<size_t>((room + gap) / (panelWidth + gap))));
    const size_t down = isStack ? 1 : (panels.size() + across - 1) / across;
    const std::string subtitle = picture.caseText + "  ·  on " + network.name;
    const std::string legend = std::string(picture.countsMessages() ? "messages" : "words") +
                               " on a link, of the busiest one" + (panels.size() > 2 ? " (of all rounds together; of any single round)" : "");
    const double columns = static_cast<double>(across), rows = static_cast<double>(down);
    drawn.width = std::max({2 * margin + columns * panelWidth + (columns - 1) * gap, look.title ? 2 * margin + textWidth(subtitle, 13) : 0,
                            look.title ? 2 * margin + textWidth(picture.schedule, 20) : 0, 2 * margin + 330 + textWidth(legend, 12)});
    const double bottom = top + rows * panelHeight + (rows - 1) * gap;
    drawn.height = bottom + 56;
    drawn.title = picture.schedule + " on " + network.name + ", " + picture.caseText;
    drawn.description = "The network with its nodes and links; the width and colour of a link tell how much it carries.";
    if (look.title) {
      drawn.text(margin, 38, 20, Colour::Ink, Anchor::Start, picture.schedule, true);
      drawn.text(margin, 61, 13, Colour::Faint, Anchor::Start, subtitle);
    }
    for (size_t i = 0; i < panels.size(); ++i) {
      const size_t place = isStack ? 0 : i;
      corner = {margin + static_cast<double>(place % across) * (panelWidth + gap), top + static_cast<double>(place / across) * (panelHeight + gap)};
      drawn.add(scene::Open{static_cast<int>(i)});
      placePanel(panels[i]);
      drawn.add(scene::Close{});
    }
    placeLegend(bottom + 34, legend);
    return std::move(drawn);
  }

private:
  /// Computes positions in pixels. The distance of nodes shrinks with their number.
  void layOut() {
    double left = 1e9, right = -1e9, high = 1e9, low = -1e9;
    for (const Point &place : places) {
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
    for (LinkNumber number = 0; network.shape == topology::Shape::Hypercube && number < network.linkNumbers(); ++number)
      if (const std::optional<Link> link = network.link(number))
        hasCurves |= passesNodes(link->from, link->to);
    const double rim = radius + 12 + (hasCurves ? 0.3 * unit : wrapStub());
    origin = {rim - left * unit, captionHeight + rim - high * unit};
    double captions = 0;
    for (const NetworkPicture::Panel &panel : panels)
      captions = std::max(captions, textWidth(panel.caption, 12.5));
    panelWidth = std::max((right - left) * unit + 2 * rim, captions);
    panelHeight = captionHeight + (low - high) * unit + 2 * rim;
    origin.x += (panelWidth - (right - left) * unit - 2 * rim) / 2;
  }

  bool isTree() const { return network.shape == topology::Shape::Tree || network.shape == topology::Shape::FatTree; }
  /// The length of the stub by which a wraparound link of a torus leaves its node.
  double wrapStub() const { return network.shape == topology::Shape::Torus ? 0.42 * unit : 0; }

  /// The place of a node in its panel; `onPage` tells where the panel lies.
  Point at(std::uint32_t node) const { return {origin.x + unit * places[node].x, origin.y + unit * places[node].y}; }
  Point onPage(Point point) const { return {corner.x + point.x, corner.y + point.y}; }

  void placePanel(const NetworkPicture::Panel &panel) {
    const Point caption = onPage({panelWidth / 2, 14});
    drawn.text(caption.x, caption.y, 12.5, Colour::Ink, Anchor::Middle, panel.caption);
    // Draw busy links last, above idle ones.
    std::vector<std::pair<double, LinkNumber>> links;
    size_t busyLinks = 0;
    bool isSame = true; // what they carry
    for (LinkNumber number = 0; number < network.linkNumbers(); ++number)
      if (network.link(number)) {
        auto load = panel.loads->find(number);
        links.push_back({load == panel.loads->end() ? 0 : picture.busy(number, load->second), number});
        if (load != panel.loads->end() && links.back().first > 0) {
          ++busyLinks;
          isSame &= carried(load->second) == carried(panel.loads->begin()->second);
        }
      }
    llvm::stable_sort(links, [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &[busy, number] : links)
      placeLink(number, busy, panel);
    for (std::uint32_t node = 0; node < network.nodes(); ++node)
      placeNode(node);
    if (links.size() <= mostNumbers && unit * 0.9 > 50 && (!isSame || busyLinks <= mostSameNumbers))
      for (const auto &[busy, number] : links)
        if (busy > 0)
          placeLoad(number, panel.loads->at(number));
  }

  std::int64_t carried(const topology::LinkLoad &load) const { return picture.countsMessages() ? load.messages : load.words; }

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
    if (hasCurves && passesNodes(std::min(link.from, link.to), std::max(link.from, link.to))) {
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

  void placeLink(LinkNumber number, double busy, const NetworkPicture::Panel &panel) {
    const size_t step = busy > 0 ? stepOf(busy, panel.full) : 0;
    const Colour colour = busy > 0 ? Colour(Colour::Ramp, static_cast<std::uint32_t>(step)) : Colour(Colour::Idle);
    const double width = std::min(busy > 0 ? widths[step] : 1.2, std::max(1.2, radius * 0.45));
    std::string hover = network.linkName(number);
    if (busy > 0)
      hover += ": " + counted(carried(panel.loads->at(number)), picture.countsMessages() ? "message" : "word");
    drawn.add(scene::Open{scene::Open::always, hover});
    for (const Curve &curve : curvesOf(number)) {
      const double size = std::min(width + 4, radius);
      const Point from = onPage(curve.from), to = onPage(curve.to), before = curve.straight ? from : onPage(curve.bend);
      // The line ends within its head, so that a wide one does not cover the tip.
      const double length = std::max(1.0, std::hypot(to.x - before.x, to.y - before.y)), back = busy > 0 ? size * 0.6 : 0;
      const Point end{to.x - (to.x - before.x) / length * back, to.y - (to.y - before.y) / length * back};
      if (curve.straight)
        drawn.add(scene::Line{from, end, {colour, width}});
      else
        drawn.add(scene::Curve{from, end, {before}, {colour, width}});
      if (busy > 0)
        drawn.head(before, {to.x + (to.x - before.x) / length, to.y + (to.y - before.y) / length}, size + 1, size * 1.1, colour);
    }
    drawn.add(scene::Close{});
  }

  void placeLoad(LinkNumber number, const topology::LinkLoad &load) {
    const llvm::SmallVector<Curve, 2> curves = curvesOf(number);
    const Curve &curve = curves.front();
    const Point middle = curve.middle();
    const double length = std::max(1.0, std::hypot(curve.to.x - curve.from.x, curve.to.y - curve.from.y));
    const double dx = (curve.to.x - curve.from.x) / length, dy = (curve.to.y - curve.from.y) / length;
    const std::string text = std::to_string(carried(load));
    // The label is beside the line, on the side away from the other direction, near the start, where fewer lines cross; in
    // trees near the child, where there is more room.
    double share = curve.straight && curves.size() == 1 ? -0.14 : 0;
    if (isTree())
      share = number % 2 == 0 ? -0.24 : 0.24;
    const double aside = 9 + 0.25 * textWidth(text, 10) * std::abs(dy);
    const Point place = onPage({middle.x + dx * share * length - dy * aside, middle.y + dy * share * length + dx * aside + 3.6});
    scene::Text label{place, 10, Colour::Ink, Anchor::Middle, text};
    label.halo = true;
    drawn.add(label);
  }

  void placeNode(std::uint32_t node) {
    const Point place = onPage(at(node));
    const std::string text = ranksText(ranksAt[node]);
    drawn.add(scene::Open{scene::Open::always, network.nodeName(node) + (ranksAt[node].size() > 1 ? ": ranks " + text : "")});
    if (node >= firstSwitch(network)) {
      const double half = radius * 0.6;
      drawn.add(scene::Rectangle{{place.x - half, place.y - half}, 2 * half, 2 * half, 2, Colour::Faint, {}});
    } else {
      drawn.add(scene::Circle{place, text.empty() ? radius * 0.6 : radius, text.empty() ? Colour::Faint : Colour::Paper, {Colour::Ink, 1.2}});
      const double size = std::min(12.0, 1.7 * radius / std::max(1.0, textWidth(text, 1)));
      if (size >= 5)
        drawn.text(place.x, place.y + 0.36 * size, size, Colour::Ink, Anchor::Middle, text);
    }
    drawn.add(scene::Close{});
  }

  /// "3", "4,5", "0..3,8"
  static std::string ranksText(llvm::ArrayRef<std::uint32_t> ranks) {
    std::string text;
    for (size_t i = 0; i < ranks.size();) {
      size_t end = i + 1;
      while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1)
        ++end;
      text += (text.empty() ? "" : ",") + std::to_string(ranks[i]);
      if (end - i > 1)
        text += (end - i == 2 ? "," : "..") + std::to_string(ranks[end - 1]);
      i = end;
    }
    return text;
  }

  void placeLegend(double y, const std::string &legend) {
    double x = margin;
    for (size_t i = 0; i < stepCount; ++i) {
      drawn.add(scene::Line{{x, y - 4}, {x + 24, y - 4}, {Colour(Colour::Ramp, static_cast<std::uint32_t>(i)), widths[i]}});
      const std::string share = "≤ " + std::to_string((i + 1) * 100 / stepCount) + "%";
      drawn.text(x + 29, y, 12, Colour::Faint, Anchor::Start, share);
      x += 29 + textWidth(share, 12) + 10;
    }
    drawn.text(x + 6, y, 12, Colour::Faint, Anchor::Start, legend);
  }

  const NetworkPicture &picture;
  const topology::Topology &network;
  const Look &look;
  const Sheet sheet;
  const std::vector<NetworkPicture::Panel> panels;
  std::vector<Point> places;
  std::vector<std::vector<std::uint32_t>> ranksAt; // by node
  scene::Scene drawn;
  double unit = 96, radius = 15, panelWidth = 0, panelHeight = 0; // pixels
  bool hasCurves = false; // in large hypercubes some links pass other nodes
  Point origin, corner; // of the nodes in a panel, and of the panel
};

} // namespace

scene::Scene networkScene(const NetworkPicture &picture, const Look &look, Sheet sheet) { return NetworkLayout(picture, look, sheet).make(); }

} // namespace quadrille::compiler::draw
