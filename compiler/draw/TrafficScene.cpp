//===- TrafficScene.cpp - Matrices and trees as scenes ---------------------------------------------------------------------===//

#include "Traffic.h"

#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace quadrille::compiler::draw {

using scene::Anchor;
using scene::Colour;
using scene::Point;
using scene::textWidth;

namespace {

constexpr double margin = 28, headingHeight = 84, bareTop = 16;

/// Draws the heading and returns the y below it.
double begin(scene::Scene &drawn, const Traffic &traffic, const std::string &subtitle, const Look &look) {
  drawn.title = traffic.schedule + ", " + traffic.caseText;
  if (!look.title)
    return bareTop;
  drawn.text(margin, 38, 20, Colour::Ink, Anchor::Start, traffic.schedule, true);
  drawn.text(margin, 61, 13, Colour::Faint, Anchor::Start, subtitle);
  drawn.width = 2 * margin + std::max(textWidth(traffic.schedule, 20), textWidth(subtitle, 13));
  return headingHeight;
}

std::string amount(const Traffic::Sum &sum, bool hasWords) {
  return hasWords ? std::to_string(static_cast<std::int64_t>(sum.words)) : std::to_string(sum.messages);
}

} // namespace

scene::Scene matrixScene(const Traffic &traffic, const Look &look) {
  scene::Scene drawn;
  const double field = std::clamp(560.0 / std::max(1u, traffic.fields), 3.0, 34.0), side = field * traffic.fields;
  double most = 0, words = 0;
  for (const Traffic::Sum &sum : traffic.sums)
    words += sum.words;
  const bool hasWords = words > 0, isGrouped = traffic.ranksPerField > 1;
  for (const Traffic::Sum &sum : traffic.sums)
    most = std::max(most, hasWords ? sum.words : static_cast<double>(sum.messages));
  const std::string what = hasWords ? "words" : "messages", each = isGrouped ? std::to_string(traffic.ranksPerField) + " ranks" : "rank";
  const double top = begin(drawn, traffic, traffic.caseText + "  ·  " + what + " from each " + each + " to each" + (isGrouped ? " " + each : ""), look) + 44,
               left = margin + (isGrouped ? 82 : 62);
  drawn.description = isGrouped ? "A field for some ranks that send and as many that receive; how dark it is says how much."
                                : "A field for each pair of ranks; how dark it is says how much one sends to the other.";
  const std::string legend = what + ", of the most";
  drawn.width = std::max({drawn.width, left + side + margin, left + 340 + textWidth(legend, 12)});
  drawn.height = top + side + 52;
  drawn.text(left + side / 2, top - 28, 12.5, Colour::Faint, Anchor::Middle, "to rank");
  scene::Text from{{margin + 12, top + side / 2}, 12.5, Colour::Faint, Anchor::Middle, "from rank"};
  from.upwards = true;
  drawn.add(from);
  drawn.add(scene::Rectangle{{left, top}, side, side, 0, Colour::None, {Colour::Faint, 1}});
  // Ranks are so far apart that their numbers do not touch. The last number is the longest.
  const double apart = std::max(22.0, textWidth(std::to_string(traffic.ranks - 1), 12) + 8);
  const std::uint32_t step = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::ceil(apart / field)));
  for (std::uint32_t at = 0; at < traffic.fields; at += step) {
    const std::string rank = std::to_string(std::uint64_t{at} * traffic.ranksPerField);
    drawn.text(left + (at + 0.5) * field, top - 8, 12, Colour::Faint, Anchor::Middle, rank);
    drawn.text(left - 8, top + (at + 0.5) * field + 4.2, 12, Colour::Faint, Anchor::End, rank);
  }
  traffic.forEachField([&](std::uint32_t source, std::uint32_t destination, const Traffic::Sum &sum) {
    const double busy = (hasWords ? sum.words : static_cast<double>(sum.messages)) / most;
    const auto shade = static_cast<std::uint32_t>(std::clamp(std::ceil(busy * Colour::rampSteps - 1e-9) - 1, 0.0, Colour::rampSteps - 1.0));
    const Point corner{left + destination * field, top + source * field};
    const std::string text = amount(sum, hasWords);
    drawn.add(scene::Open{scene::Open::always, traffic.ranksOf(source) + " → " + traffic.ranksOf(destination) + ": " + counted(sum.messages, "message") +
                                                   (hasWords ? ", " + text + (sum.words == 1 ? " word" : " words") : "")});
    drawn.add(scene::Rectangle{{corner.x + 0.5, corner.y + 0.5}, field - 1, field - 1, 0, Colour(Colour::Ramp, shade), {}});
    if (field >= 24 && textWidth(text, 11) < field)
      drawn.text(corner.x + field / 2, corner.y + field / 2 + 4, 11, shade == 0 ? Colour::Ink : Colour::Paper, Anchor::Middle, text);
    drawn.add(scene::Close{});
  });
  double x = left;
  for (std::uint32_t shade = 0; shade < Colour::rampSteps; ++shade) {
    drawn.add(scene::Rectangle{{x, top + side + 20}, 14, 14, 0, Colour(Colour::Ramp, shade), {}});
    const std::string share = "≤ " + std::to_string((shade + 1) * 100 / Colour::rampSteps) + "%";
    drawn.text(x + 19, top + side + 31, 12, Colour::Faint, Anchor::Start, share);
    x += 19 + textWidth(share, 12) + 10;
  }
  drawn.text(x + 6, top + side + 31, 12, Colour::Faint, Anchor::Start, legend);
  return drawn;
}

scene::Scene treeScene(const Traffic &traffic, const Traffic::Edges &tree, bool growsDown, const Look &look) {
  scene::Scene drawn;
  std::vector<std::vector<std::uint32_t>> children(traffic.ranks);
  std::uint32_t root = 0;
  for (std::uint32_t rank = 0; rank < traffic.ranks; ++rank)
    if (rank < tree.size() && tree[rank])
      children[tree[rank]->parent].push_back(rank);
    else
      root = rank;
  for (std::vector<std::uint32_t> &list : children) // in the order of rounds, the first one on the left
    llvm::stable_sort(list, [&](std::uint32_t a, std::uint32_t b) { return tree[a]->round < tree[b]->round; });
  // Leaves stand beside each other, and each rank above the middle of its children. There is no recursion, since a path may be long.
  std::vector<double> x(traffic.ranks), depth(traffic.ranks);
  std::vector<std::pair<std::uint32_t, size_t>> path = {{root, 0}};
  double leaves = 0, deepest = 0;
  while (!path.empty()) {
    auto &[rank, next] = path.back();
    const std::vector<std::uint32_t> &own = children[rank];
    if (next < own.size()) {
      const std::uint32_t child = own[next++];
      depth[child] = depth[rank] + 1;
      deepest = std::max(deepest, depth[child]);
      path.push_back({child, 0});
      continue;
    }
    x[rank] = own.empty() ? leaves++ : (x[own.front()] + x[own.back()]) / 2;
    path.pop_back();
  }
  const double apart = std::clamp(900 / std::max(1.0, leaves), 22.0, 60.0), radius = std::min(15.0, apart * 0.42), level = std::clamp(apart * 1.5, 54.0, 78.0);
  const double top = begin(drawn, traffic, traffic.caseText + "  ·  " + (growsDown ? "who hears from whom first, and in which round" : "whom each tells last, and in which round"), look);
  drawn.description = "A tree with the ranks; at its edges the rounds.";
  // Rows are so far apart that no edge touches the siblings that it passes, within bounds: a star of many ranks would become too high.
  const double clear = radius + 3;
  std::vector<double> below(static_cast<size_t>(deepest) + 1, level); // a row: how far down the next one is
  for (std::uint32_t rank = 0; rank < traffic.ranks; ++rank)
    for (size_t i = 0; i < children[rank].size(); ++i) {
      const double place = x[children[rank][i]];
      const bool isLeft = place < x[rank];
      if (place == x[rank] || (isLeft ? i + 1 == children[rank].size() : i == 0))
        continue;
      const double passed = std::abs(x[children[rank][isLeft ? i + 1 : i - 1]] - place) * apart, across = std::abs(place - x[rank]) * apart;
      double &row = below[static_cast<size_t>(depth[rank])];
      if (passed < across)
        row = std::clamp(clear * across / std::sqrt(passed * passed - clear * clear), row, 4 * level);
    }
  std::vector<double> down(below.size(), 0); // where a row is
  std::partial_sum(below.begin(), below.end() - 1, down.begin() + 1);
  const double left = margin + radius;
  drawn.width = std::max(drawn.width, left + (leaves - 1) * apart + radius + margin);
  drawn.height = top + down.back() + 2 * radius + margin;
  auto at = [&](std::uint32_t rank) { return Point{left + x[rank] * apart, top + radius + down[static_cast<size_t>(depth[rank])]}; };
  for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
    if (!tree[rank])
      continue;
    const Traffic::Edge &edge = *tree[rank];
    const Point child = at(rank), parent = at(edge.parent), from = growsDown ? parent : child, to = growsDown ? child : parent;
    const double length = std::hypot(to.x - from.x, to.y - from.y), dx = (to.x - from.x) / length, dy = (to.y - from.y) / length;
    const Point tip{to.x - dx * (radius + 1), to.y - dy * (radius + 1)};
    const Colour colour = Colour::series(edge.round);
    drawn.add(scene::Open{static_cast<int>(edge.round), "round " + std::to_string(edge.round) + ": " + std::to_string(growsDown ? edge.parent : rank) + " → " +
                                                            std::to_string(growsDown ? rank : edge.parent)});
    drawn.add(scene::Line{from, {tip.x - dx * 5, tip.y - dy * 5}, {colour, 1.8}});
    drawn.head(from, tip, 8, 7, colour);
    scene::Text round{{child.x + (parent.x - child.x) * 0.42 + 5, child.y + (parent.y - child.y) * 0.42 + 3.6}, 10.5, Colour::Faint, Anchor::Start, std::to_string(edge.round)};
    round.halo = true;
    drawn.add(round);
    drawn.add(scene::Close{});
  }
  for (std::uint32_t rank = 0; rank < traffic.ranks; ++rank) {
    const Point place = at(rank);
    const std::string text = std::to_string(rank);
    drawn.add(scene::Circle{place, radius, rank == root ? Colour::Ink : Colour::Paper, {Colour::Ink, 1.2}});
    const double size = std::min(12.0, 1.7 * radius / textWidth(text, 1));
    drawn.text(place.x, place.y + 0.36 * size, size, rank == root ? Colour::Paper : Colour::Ink, Anchor::Middle, text);
  }
  return drawn;
}

} // namespace quadrille::compiler::draw
