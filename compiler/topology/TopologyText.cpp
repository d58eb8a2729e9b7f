//===- TopologyText.cpp - Topologies as the command line names them -------------------------------------------------------===//

#include "TopologyText.h"

#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

#include <set>

namespace quadrille::compiler::topology {

namespace {

struct ShapeName {
  llvm::StringLiteral name;
  Shape shape;
  llvm::StringLiteral example;
};
constexpr ShapeName shapeNames[] = {
    {"line", Shape::Line, "line:8"},          {"ring", Shape::Ring, "ring:8"},
    {"mesh", Shape::Mesh, "mesh:4x4"},        {"torus", Shape::Torus, "torus:4x4x4"},
    {"hypercube", Shape::Hypercube, "hypercube:16"}, {"tree", Shape::Tree, "tree:2,4,8"},
    {"fattree", Shape::FatTree, "fattree:2,4,8"},    {"full", Shape::Full, "full:16"}};

bool isGrid(Shape shape) { return shape == Shape::Mesh || shape == Shape::Torus; }
bool isTree(Shape shape) { return shape == Shape::Tree || shape == Shape::FatTree; }
bool isTurning(Shape shape) { return shape == Shape::Ring || shape == Shape::Torus; }
bool hasDimensions(Shape shape) { return isGrid(shape) || shape == Shape::Hypercube; }

/// The member of Routing that a word sets.
enum class Decision { Turn, Order };

/// Parses a word such as `clockwise`; nothing if it does not apply to this shape.
std::optional<Decision> parseRouting(llvm::StringRef word, Shape shape, Routing &routing) {
  using Turn = Routing::Turn;
  if (isTurning(shape))
    for (auto [name, turn] : {std::pair("balanced", Turn::Balanced), {"clockwise", Turn::Clockwise},
                              {"counterclockwise", Turn::Counterclockwise}})
      if (word == name) {
        routing.turn = turn;
        return Decision::Turn;
      }
  if (hasDimensions(shape) && (word == "row-first" || word == "column-first")) {
    routing.columnFirst = word == "column-first";
    return Decision::Order;
  }
  return std::nullopt;
}

std::string routingWords(Shape shape) {
  std::string words;
  if (isTurning(shape))
    words = "balanced, clockwise, counterclockwise";
  if (hasDimensions(shape))
    words += std::string(words.empty() ? "" : ", ") + "row-first, column-first";
  return words;
}

/// Parses sizes separated by `x` or `,`. Returns false if one is not a number >= 1, or there are too many nodes.
bool parseSizes(llvm::StringRef sizes, const ShapeName &shape, TopologyText &result, std::string &error) {
  const bool several = isGrid(shape.shape) || isTree(shape.shape);
  llvm::SmallVector<llvm::StringRef, 4> words;
  sizes.split(words, isTree(shape.shape) ? ',' : 'x');
  std::int64_t product = 1;
  for (llvm::StringRef word : words) {
    std::int64_t size = 0;
    if (word.empty() || !llvm::all_of(word, [](char c) { return c >= '0' && c <= '9'; }) || (!several && words.size() > 1)) {
      error = "its sizes are not written as in " + shape.example.str();
      return false;
    }
    if (word.getAsInteger(10, size) || size > limits::nodes || __builtin_mul_overflow(product, size, &product) || product > limits::nodes) {
      error = "it has more than " + std::to_string(limits::nodes.value()) + " nodes (" + LimitInForce(limits::nodes).name() + ")";
      return false;
    }
    if (size == 0) {
      error = "a size is 0";
      return false;
    }
    result.sizes.push_back(size);
  }
  if (words.size() > limits::dimensions) {
    error = "it has more than " + std::to_string(limits::dimensions.value()) + " sizes (" + LimitInForce(limits::dimensions).name() + ")";
    return false;
  }
  if (shape.shape == Shape::Hypercube && !llvm::isPowerOf2_64(static_cast<std::uint64_t>(product))) {
    error = "a hypercube has a power of two of nodes";
    return false;
  }
  return true;
}

} // namespace

std::optional<TopologyText> parseTopology(llvm::StringRef text, std::string &error) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, ':');
  TopologyText result;
  result.text = text.str();
  auto shape = llvm::find_if(shapeNames, [&](const ShapeName &s) { return s.name == parts[0]; });
  if (shape == std::end(shapeNames)) {
    if (text.contains('/') || text.contains('.') || llvm::sys::fs::exists(text))
      return result;
    error = "there is no such shape and no such file; shapes are ";
    for (const ShapeName &known : shapeNames)
      error += (&known == shapeNames ? "" : ", ") + known.example.str();
    for (const ShapeName &known : shapeNames)
      if (parts[0].edit_distance(known.name) <= 2) {
        error = "there is no such shape and no such file; did you mean " + known.example.str() + "?";
        break;
      }
    return std::nullopt;
  }
  result.shape = shape->shape;
  size_t next = 1;
  if (next < parts.size() && !parseRouting(parts[next], shape->shape, result.routing))
    if (llvm::StringRef sizes = parts[next++]; !parseSizes(sizes, *shape, result, error))
      return std::nullopt;
  if (result.sizes.empty() && (isGrid(shape->shape) || isTree(shape->shape))) {
    error = "its sizes are missing, as in " + shape->example.str();
    return std::nullopt;
  }
  std::set<Decision> decided;
  for (; next < parts.size(); ++next) {
    const std::optional<Decision> decision = parseRouting(parts[next], shape->shape, result.routing);
    if (!decision) {
      std::string words = routingWords(shape->shape);
      error = "'" + parts[next].str() + "' is not a way to route on it" + (words.empty() ? "; there is only one" : ", as are " + words);
      return std::nullopt;
    }
    if (!decided.insert(*decision).second) {
      error = "'" + parts[next].str() + "' decides what another word has decided already";
      return std::nullopt;
    }
  }
  return result;
}

std::optional<std::int64_t> placesOf(const TopologyText &text) {
  if (text.sizes.empty())
    return std::nullopt;
  std::int64_t product = 1;
  for (std::int64_t size : text.sizes)
    product *= size;
  return product;
}

std::shared_ptr<const Topology> makeTopology(const TopologyText &text, std::int64_t p) {
  const std::int64_t places = placesOf(text).value_or(p);
  if (places > limits::nodes)
    throw findingAbout(text.text, diag::TopologyTooLarge{.what = diag::OfNetworkNodes{}, .limit = limits::nodes});
  if (p > places)
    throw findingAbout(text.text, diag::TopologyTooSmall{.p = p, .places = places});
  // Complete the name by the size, for headings.
  std::string name = text.text;
  if (text.sizes.empty())
    name.insert(name.find_first_of(':') == std::string::npos ? name.size() : name.find_first_of(':'), ":" + std::to_string(p));
  switch (text.shape) {
  case Shape::Line:
    return makeGrid(text.shape, name, {places}, false, text.routing);
  case Shape::Ring:
    return makeGrid(text.shape, name, {places}, true, text.routing);
  case Shape::Mesh:
  case Shape::Torus:
    return makeGrid(text.shape, name, text.sizes, text.shape == Shape::Torus, text.routing);
  case Shape::Hypercube:
    if (!llvm::isPowerOf2_64(static_cast<std::uint64_t>(places)))
      throw findingAbout(text.text, diag::TopologyShape{.p = p});
    return makeGrid(text.shape, name, std::vector<std::int64_t>(llvm::Log2_64(static_cast<std::uint64_t>(places)), 2), false,
                    text.routing);
  case Shape::Tree:
  case Shape::FatTree:
    return makeTree(name, text.sizes, text.shape == Shape::FatTree);
  case Shape::Full:
    return makeFull(name, places);
  case Shape::Graph:
    break; // files are read elsewhere
  }
  return nullptr;
}

} // namespace quadrille::compiler::topology
