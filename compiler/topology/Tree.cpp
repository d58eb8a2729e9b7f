//===- Tree.cpp - Trees of switches, and a link for every pair -----------------------------------------------------------===//

#include "Topology.h"

namespace quadrille::compiler::topology {

namespace {

/// Nodes: first the leaves, then the switches level by level, the root last. Links 2v and 2v + 1 join node v with its parent,
/// upwards and downwards.
class SwitchTree final : public Topology {
public:
  SwitchTree(std::string name, std::vector<std::int64_t> givenFanOuts, bool fat)
      : Topology(fat ? Shape::FatTree : Shape::Tree, std::move(name)), fanOuts(std::move(givenFanOuts)), fat(fat) {
    // levelSizes[0] is the number of leaves.
    levelSizes.assign(fanOuts.size() + 1, 1);
    for (size_t level = fanOuts.size(); level-- > 0;)
      levelSizes[level] = levelSizes[level + 1] * static_cast<std::uint32_t>(fanOuts[fanOuts.size() - 1 - level]);
    for (std::uint32_t size : levelSizes) {
      levelStarts.push_back(count);
      count += size;
    }
  }

  std::uint32_t nodes() const override { return count; }
  std::uint32_t places() const override { return levelSizes[0]; }
  LinkNumber linkNumbers() const override { return 2 * LinkNumber(count - 1); }
  llvm::ArrayRef<std::int64_t> extents() const override { return fanOuts; }
  bool hasUnitWidths() const override { return !fat; }

  /// Switches are numbered from the root: s0.0 is the root, s1.0 its first child.
  std::string nodeName(std::uint32_t node) const override {
    const size_t level = levelOf(node);
    if (level == 0)
      return std::to_string(node);
    return "s" + std::to_string(fanOuts.size() - level) + "." + std::to_string(node - levelStarts[level]);
  }

  std::optional<Link> link(LinkNumber number) const override {
    const std::uint32_t child = static_cast<std::uint32_t>(number / 2);
    const size_t level = levelOf(child);
    const std::uint32_t parent = parentOf(child, level);
    const Rational width(fat ? levelSizes[0] / levelSizes[level] : 1);
    return number % 2 == 0 ? Link{child, parent, width} : Link{parent, child, width};
  }

  std::optional<LinkNumber> reverse(LinkNumber number) const override { return number ^ 1; }

  void route(std::uint32_t from, std::uint32_t to, Route &links) const override {
    for (size_t level = 0; from != to; ++level) {
      links.push_back({2 * LinkNumber(from), 1});
      links.push_back({2 * LinkNumber(to) + 1, 1});
      from = parentOf(from, level);
      to = parentOf(to, level);
    }
  }

private:
  size_t levelOf(std::uint32_t node) const {
    size_t level = 0;
    while (level + 1 < levelStarts.size() && node >= levelStarts[level + 1])
      ++level;
    return level;
  }
  std::uint32_t parentOf(std::uint32_t node, size_t level) const {
    const std::uint32_t children = static_cast<std::uint32_t>(fanOuts[fanOuts.size() - 1 - level]);
    return levelStarts[level + 1] + (node - levelStarts[level]) / children;
  }

  const std::vector<std::int64_t> fanOuts;
  const bool fat;
  std::vector<std::uint32_t> levelSizes, levelStarts; // from the leaves up
  std::uint32_t count = 0;
};

/// Link s*nodes + d leads from s to d.
class Full final : public Topology {
public:
  Full(std::string name, std::int64_t count)
      : Topology(Shape::Full, std::move(name)), count(static_cast<std::uint32_t>(count)) {}

  std::uint32_t nodes() const override { return count; }
  std::uint32_t places() const override { return count; }
  LinkNumber linkNumbers() const override { return LinkNumber(count) * count; }
  std::optional<Link> link(LinkNumber number) const override {
    Link result{static_cast<std::uint32_t>(number / count), static_cast<std::uint32_t>(number % count)};
    return result.from == result.to ? std::nullopt : std::optional(result);
  }
  std::optional<LinkNumber> reverse(LinkNumber number) const override { return number % count * count + number / count; }
  void route(std::uint32_t from, std::uint32_t to, Route &links) const override {
    links.push_back({LinkNumber(from) * count + to, 1});
  }

private:
  const std::uint32_t count;
};

} // namespace

std::shared_ptr<const Topology> makeTree(std::string name, std::vector<std::int64_t> fanOuts, bool fat) {
  return std::make_shared<SwitchTree>(std::move(name), std::move(fanOuts), fat);
}

std::shared_ptr<const Topology> makeFull(std::string name, std::int64_t nodes) {
  return std::make_shared<Full>(std::move(name), nodes);
}

} // namespace quadrille::compiler::topology
