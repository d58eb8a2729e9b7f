//===- Topology.h - The network between the ranks ------------------------------------------------------------*- C++ -*-===//
//
// A topology has nodes, directed links with widths, and a route from every node to every other. Ranks stand at nodes; a
// node without a rank is a switch. The two directions of a cable are two links (full duplex), and share nothing.
//
// Links have numbers such that a route is a few runs of consecutive ones: in a grid a message goes straight in each
// dimension. So the load of a round is counted without visiting every link of every message.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_TOPOLOGY_TOPOLOGY_H
#define QUADRILLE_TOPOLOGY_TOPOLOGY_H

#include "algebra/Rational.h"
#include "instantiate/Machine.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace quadrille::compiler::topology {

using LinkNumber = std::uint64_t;

enum class Shape { Line, Ring, Mesh, Torus, Hypercube, Tree, FatTree, Full, Graph };

/// A directed link. A width of w takes w words in the time of one.
struct Link {
  std::uint32_t from = 0, to = 0;
  Rational width = Rational(1);
};

/// Links first ..< first + count, each crossed once.
struct LinkRun {
  LinkNumber first = 0;
  std::uint32_t count = 1;
};
using Route = llvm::SmallVector<LinkRun, 16>;

struct Point {
  double x = 0, y = 0;
};

class Topology {
public:
  virtual ~Topology() = default;

  const Shape shape;
  const std::string name; // "mesh:4x4", or the file that describes it

  /// Nodes are 0 ..< nodes().
  virtual std::uint32_t nodes() const = 0;
  /// How many ranks have a place; ranks from this on have none.
  virtual std::uint32_t places() const = 0;
  virtual std::uint32_t nodeOf(std::uint32_t rank) const { return rank; }
  virtual std::string nodeName(std::uint32_t node) const { return std::to_string(node); }

  /// Links have numbers below this; not every number needs to be that of a link (see `link`).
  virtual LinkNumber linkNumbers() const = 0;
  /// The link of a number; nothing if there is none.
  virtual std::optional<Link> link(LinkNumber number) const = 0;
  /// The link of the same cable that goes back, if there is one.
  virtual std::optional<LinkNumber> reverse(LinkNumber number) const = 0;
  virtual bool hasUnitWidths() const { return true; }

  /// Appends the links that a message crosses, in no particular order. Throws Finding if there is no route.
  virtual void route(std::uint32_t from, std::uint32_t to, Route &links) const = 0;

  /// Lengths of the sides of a grid, or how many children the nodes of each level of a tree have.
  virtual llvm::ArrayRef<std::int64_t> extents() const { return {}; }
  /// Where a picture puts a node, if somebody has said so.
  virtual std::optional<Point> placeInPicture(std::uint32_t) const { return std::nullopt; }

  /// "3→4"
  std::string linkName(LinkNumber number) const {
    std::optional<Link> l = link(number);
    return l ? nodeName(l->from) + "→" + nodeName(l->to) : "?";
  }

protected:
  Topology(Shape shape, std::string name) : shape(shape), name(std::move(name)) {}
};

/// What is wrong with a topology; it has no place in a text, so its name stands before the message.
inline Finding findingAbout(const std::string &name, diag::Facts facts) {
  Diagnostic diagnostic({}, std::move(facts));
  diagnostic.file = name;
  return Finding{std::move(diagnostic)};
}

/// More nodes make neither a picture nor a table.
constexpr std::int64_t maxNodes = std::int64_t(1) << 20;

/// Which way a message takes where there are several.
struct Routing {
  /// On rings: the shorter way, and between opposite nodes clockwise (towards higher numbers) from even ones and back from
  /// odd ones; or always the same way.
  enum class Turn { Balanced, Clockwise, Counterclockwise } turn = Turn::Balanced;
  /// In grids: along the row first, that is, the last dimension first (of a hypercube the lowest bit); or the reverse.
  bool columnFirst = false;
};

/// A line, ring, mesh, torus or hypercube: a grid with these sides, its nodes numbered row by row. `wraps`: with links
/// around the end of every side of more than 2 nodes.
std::shared_ptr<const Topology> makeGrid(Shape shape, std::string name, std::vector<std::int64_t> sides, bool wraps, Routing routing);

/// A tree of switches with ranks at its leaves; fanOuts from the root. `fat`: a link is as wide as there are leaves below.
std::shared_ptr<const Topology> makeTree(std::string name, std::vector<std::int64_t> fanOuts, bool fat);

/// A link of its own for each ordered pair.
std::shared_ptr<const Topology> makeFull(std::string name, std::int64_t nodes);

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_TOPOLOGY_H
