//===- NetworkLayout.cpp - The positions of nodes in pictures of networks ----------------------------------------------------===//

#include "Network.h"

#include <cmath>
#include <numbers>

namespace quadrille::compiler::draw {

using topology::Point;
using topology::Shape;

/// Places nodes on a circle, clockwise from the top, with neighbours one unit apart.
static std::vector<Point> onCircle(std::uint32_t nodes) {
  std::vector<Point> places;
  const double radius = nodes < 3 ? 0.6 : 0.5 / std::sin(std::numbers::pi / nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const double angle = 2 * std::numbers::pi * i / nodes;
    places.push_back({radius * std::sin(angle), -radius * std::cos(angle)});
  }
  return places;
}

/// The last two dimensions span the plane. The third last runs aslant to the back; further ones repeat the picture beside and below.
static std::vector<Point> onGrid(const topology::Topology &grid) {
  std::vector<std::int64_t> sides;
  for (std::int64_t side : grid.extents())
    if (side > 1)
      sides.push_back(side);
  std::vector<Point> steps(sides.size());
  double width = 0, height = 0; // of one copy
  // A cube leads to the next aslant, such that no link of a hypercube of 16 or 32 passes over a node.
  const bool isCube = grid.shape == Shape::Hypercube;
  constexpr double aslant = 0.209;
  for (size_t i = 0; i < sides.size(); ++i) {
    Point &step = steps[sides.size() - 1 - i];
    const double length = static_cast<double>(sides[sides.size() - 1 - i]);
    if (i == 0) {
      step = {1, 0};
      width = length;
    } else if (i == 1) {
      step = {0, 1};
      height = length;
    } else if (i == 2) {
      // All planes are within one unit, so nodes do not cover each other.
      step = {0.84 / length, -0.66 / length};
      width += 0.84;
      height += 0.66;
    } else if (i % 2 == 1) {
      step = isCube ? Point{width - 0.5, aslant * (width - 0.5)} : Point{width + 0.4, 0};
      width = isCube ? width + step.x : step.x * length;
      height += step.y;
    } else {
      step = isCube ? Point{aslant * (height - 0.6), height - 0.6} : Point{0, height + 0.4};
      height = isCube ? height + step.y : step.y * length;
      width += step.x;
    }
  }
  std::vector<Point> places(grid.nodes());
  for (std::uint32_t node = 0; node < grid.nodes(); ++node) {
    std::uint32_t rest = node;
    for (size_t d = sides.size(); d-- > 0; rest /= static_cast<std::uint32_t>(sides[d])) {
      const double at = rest % static_cast<std::uint32_t>(sides[d]);
      places[node].x += at * steps[d].x;
      places[node].y += at * steps[d].y;
    }
  }
  return places;
}

std::uint32_t firstSwitch(const topology::Topology &topology) {
  if (topology.shape != Shape::Tree && topology.shape != Shape::FatTree)
    return topology.nodes();
  std::uint32_t leaves = 1;
  for (std::int64_t children : topology.extents())
    leaves *= static_cast<std::uint32_t>(children);
  return leaves;
}

/// Places leaves side by side, and switches above the middle of their children.
static std::vector<Point> onTree(const topology::Topology &tree) {
  const std::uint32_t leaves = firstSwitch(tree);
  std::vector<Point> places(tree.nodes());
  std::vector<double> first(tree.nodes(), 1e9), last(tree.nodes(), -1e9);
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
    if (node < leaves)
      places[node] = {double(node), 0};
    else
      places[node].x = (first[node] + last[node]) / 2;
    if (node + 1 == tree.nodes())
      break;
    const std::uint32_t parent = tree.link(2 * topology::LinkNumber(node))->to;
    first[parent] = std::min(first[parent], places[node].x);
    last[parent] = std::max(last[parent], places[node].x);
    places[parent].y = places[node].y - std::max(1.3, 0.06 * leaves);
  }
  return places;
}

std::vector<Point> placeNodes(const topology::Topology &topology) {
  switch (topology.shape) {
  case Shape::Line:
  case Shape::Mesh:
  case Shape::Torus:
  case Shape::Hypercube:
    return onGrid(topology);
  case Shape::Tree:
  case Shape::FatTree:
    return onTree(topology);
  case Shape::Ring:
  case Shape::Full:
    return onCircle(topology.nodes());
  case Shape::Graph:
    break;
  }
  // Positions from the file, if it gives one for every node.
  std::vector<Point> places;
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    std::optional<Point> place = topology.placeInPicture(node);
    if (!place)
      return onCircle(topology.nodes());
    places.push_back(*place);
  }
  return places;
}

} // namespace quadrille::compiler::draw
