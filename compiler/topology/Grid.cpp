//===- Grid.cpp - Lines, rings, meshes, tori, hypercubes ------------------------------------------------------------------===//

#include "Topology.h"

#include <algorithm>

namespace quadrille::compiler::topology {

namespace {

/// Numbers of links: for each dimension first the links upwards, then those downwards. Among these, the links of one row of nodes
/// along the dimension are consecutive: link i joins nodes i and i + 1 of the row, the last one wraps around.
class Grid final : public Topology {
public:
  Grid(Shape shape, std::string name, std::vector<std::int64_t> givenSides, bool wraps, Routing routing)
      : Topology(shape, std::move(name)), sides(std::move(givenSides)), wraps(wraps), routing(routing) {
    strides.resize(sides.size());
    for (size_t d = sides.size(); d-- > 0;) {
      strides[d] = count;
      count *= static_cast<std::uint32_t>(sides[d]);
    }
  }

  std::uint32_t nodes() const override { return count; }
  std::uint32_t places() const override { return count; }
  LinkNumber linkNumbers() const override { return 2 * LinkNumber(count) * sides.size(); }
  llvm::ArrayRef<std::int64_t> extents() const override { return sides; }

  std::optional<Link> link(LinkNumber number) const override {
    const size_t d = number / (2 * LinkNumber(count));
    const bool down = number / count % 2;
    const std::uint32_t side = static_cast<std::uint32_t>(sides[d]), inDimension = static_cast<std::uint32_t>(number % count);
    const std::uint32_t at = inDimension % side, row = inDimension / side;
    if (side < 2 || (at + 1 == side && !hasWrap(d)))
      return std::nullopt;
    const std::uint32_t start = row / strides[d] * strides[d] * side + row % strides[d];
    const std::uint32_t low = start + at * strides[d], high = start + (at + 1) % side * strides[d];
    return down ? Link{high, low} : Link{low, high};
  }

  std::optional<LinkNumber> reverse(LinkNumber number) const override {
    return number / count % 2 ? number - count : number + count;
  }

  void route(std::uint32_t from, std::uint32_t to, Route &links) const override {
    for (size_t i = 0; i < sides.size(); ++i) {
      const size_t d = routing.columnFirst ? i : sides.size() - 1 - i;
      const std::uint32_t side = static_cast<std::uint32_t>(sides[d]);
      const std::uint32_t a = from / strides[d] % side, b = to / strides[d] % side;
      if (a == b)
        continue;
      const std::uint32_t up = b > a ? b - a : b + side - a; // steps upwards, around the end if need be
      const bool goesUp = hasWrap(d) ? turnsUp(up, side, a) : b > a;
      const std::uint32_t steps = goesUp ? up : hasWrap(d) ? side - up : a - b, first = goesUp ? a : b;
      const std::uint32_t row = from / (strides[d] * side) * strides[d] + from % strides[d];
      const LinkNumber base = (2 * d + (goesUp ? 0 : 1)) * LinkNumber(count) + LinkNumber(row) * side;
      const std::uint32_t beforeEnd = std::min(steps, side - first);
      links.push_back({base + first, beforeEnd});
      if (beforeEnd < steps)
        links.push_back({base, steps - beforeEnd});
      from = from - a * strides[d] + b * strides[d];
    }
  }

private:
  bool hasWrap(size_t d) const { return wraps && sides[d] > 2; }

  bool turnsUp(std::uint32_t up, std::uint32_t side, std::uint32_t at) const {
    if (routing.turn != Routing::Turn::Balanced)
      return routing.turn == Routing::Turn::Clockwise;
    return 2 * up == side ? at % 2 == 0 : 2 * up < side;
  }

  const std::vector<std::int64_t> sides;
  std::vector<std::uint32_t> strides;
  std::uint32_t count = 1;
  const bool wraps;
  const Routing routing;
};

} // namespace

std::shared_ptr<const Topology> makeGrid(Shape shape, std::string name, std::vector<std::int64_t> sides, bool wraps,
                                         Routing routing) {
  return std::make_shared<Grid>(shape, std::move(name), std::move(sides), wraps, routing);
}

} // namespace quadrille::compiler::topology
