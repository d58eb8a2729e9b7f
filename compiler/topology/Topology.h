//===- Topology.h - The network between the ranks ------------------------------------------------------------*- C++ -*-===//
//
// A topology has nodes, directed links with widths, and a route from every node to every other. Ranks stand at nodes; a
// node without a rank is a switch. The two directions of a cable are two links (full duplex), and share nothing.
//
// Links are numbered such that a route consists of a few runs of consecutive numbers; in a grid, one per dimension. So loads
// can be counted without visiting every link of every message.
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

/// A directed link. With width w it carries w words in the time of one.
struct Link {
  std::uint32_t from = 0, to = 0;
  Rational width = Rational(1);
};

/// The links first ..< first + count, each crossed once.
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
  /// Ranks 0 ..< places() have a node; others do not fit.
  virtual std::uint32_t places() const = 0;
  virtual std::uint32_t nodeOf(std::uint32_t rank) const { return rank; }
  virtual std::string nodeName(std::uint32_t node) const { return std::to_string(node); }

  /// Numbers of links are below this. There may be gaps (see `link`).
  virtual LinkNumber linkNumbers() const = 0;
  /// The link with this number; nothing if there is none.
  virtual std::optional<Link> link(LinkNumber number) const = 0;
  /// The other direction of the same cable; nothing if there is none.
  virtual std::optional<LinkNumber> reverse(LinkNumber number) const = 0;
  virtual bool hasUnitWidths() const { return true; }

  /// Appends the links that a message crosses, in no particular order. Throws Finding if there is no route.
  virtual void route(std::uint32_t from, std::uint32_t to, Route &links) const = 0;

  /// The sides of a grid, or the number of children at each level of a tree, from the root.
  virtual llvm::ArrayRef<std::int64_t> extents() const { return {}; }
  /// The position of a node in pictures, if the description gives one.
  virtual std::optional<Point> placeInPicture(std::uint32_t) const { return std::nullopt; }

  /// "3→4"
  std::string linkName(LinkNumber number) const {
    std::optional<Link> l = link(number);
    return l ? nodeName(l->from) + "→" + nodeName(l->to) : "?";
  }

protected:
  Topology(Shape shape, std::string name) : shape(shape), name(std::move(name)) {}
};

/// An error about a topology. It has no place in a source text, so the name of the topology is printed as the file.
inline Finding findingAbout(const std::string &name, diag::Facts facts) {
  Diagnostic diagnostic({}, std::move(facts));
  diagnostic.file = name;
  return Finding{std::move(diagnostic)};
}

/// How routes are chosen if there are several shortest ones.
struct Routing {
  /// Direction on rings. Balanced: the shorter way; to the opposite node, even nodes send clockwise (to higher numbers), odd ones
  /// counterclockwise. Otherwise always the given direction.
  enum class Turn { Balanced, Clockwise, Counterclockwise } turn = Turn::Balanced;
  /// Order of dimensions in grids. False: along the row first, that is, the last dimension (in a hypercube the lowest bit) first.
  bool columnFirst = false;
};

/// A line, ring, mesh, torus or hypercube: a grid with these sides, nodes numbered row by row. `wraps`: every side of more than 2
/// nodes has a link from its last node to its first.
std::shared_ptr<const Topology> makeGrid(Shape shape, std::string name, std::vector<std::int64_t> sides, bool wraps, Routing routing);

/// A tree of switches with ranks at the leaves. `fanOuts`: children per node at each level, from the root. `fat`: the width of a
/// link is the number of leaves below it.
std::shared_ptr<const Topology> makeTree(std::string name, std::vector<std::int64_t> fanOuts, bool fat);

/// A fully connected network: a link for each ordered pair of nodes.
std::shared_ptr<const Topology> makeFull(std::string name, std::int64_t nodes);

} // namespace quadrille::compiler::topology

#endif // QUADRILLE_TOPOLOGY_TOPOLOGY_H
