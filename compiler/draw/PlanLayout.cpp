//===- PlanLayout.cpp - Where the boxes and arrows of a plan stand ---------------------------------------------------------===//

#include "PlanLayout.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

namespace quadrille::compiler::draw {

namespace {

class Layers {
public:
  Layers(const plan::RankPlan &plan, size_t times) : columns(times), next(times) {
    for (size_t i = 0; i < plan.operations.size(); ++i)
      box.push_back(add(plan.operations[i].time - 1, {i, true, 0}));
    for (size_t i = 0; i < plan.operations.size(); ++i)
      for (size_t from : plan.operations[i].after)
        connect(from, plan.operations[from].time - 1, box[i], plan.operations[i].time - 1);
  }

  /// Changes the order within columns so that arrows cross less.
  void order() {
    constexpr unsigned sweeps = 8;
    auto best = places();
    size_t fewest = crossings();
    for (unsigned sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
      for (size_t i = 1; i < columns.size(); ++i)
        sort(sweep % 2 == 0 ? i : columns.size() - 1 - i, /*byPrevious=*/sweep % 2 == 0);
      if (const size_t now = crossings(); now < fewest) {
        fewest = now;
        best = places();
      }
    }
    for (size_t i = 0; i < columns.size(); ++i)
      columns[i] = best[i];
  }

  PlanLayout result(double boxHeight, double laneHeight) {
    PlanLayout layout;
    layout.columns.resize(columns.size());
    std::vector<double> y(nodes.size(), 0);
    for (size_t i = 0; i < columns.size(); ++i) {
      double bottom = 0;
      for (size_t node : columns[i]) {
        const double height = nodes[node].isBox ? boxHeight : laneHeight;
        // As high as what it comes from, if there is room.
        const auto &from = previous[node];
        double wanted = 0;
        for (size_t before : from)
          wanted += y[before] / static_cast<double>(from.size());
        y[node] = std::max(bottom + height / 2, from.empty() ? 0 : wanted);
        bottom = y[node] + height / 2;
        nodes[node].y = y[node];
        layout.columns[i].push_back(nodes[node]);
      }
      layout.height = std::max(layout.height, bottom);
    }
    std::vector<size_t> place(nodes.size());
    for (const auto &column : columns)
      for (size_t i = 0; i < column.size(); ++i)
        place[column[i]] = i;
    for (size_t i = 0; i < columns.size(); ++i)
      for (const auto &[from, to] : next[i])
        layout.edges.push_back({i, place[from], place[to]});
    return layout;
  }

private:
  size_t add(size_t column, PlanNode node) {
    nodes.push_back(node);
    previous.emplace_back();
    following.emplace_back();
    columns[column].push_back(nodes.size() - 1);
    return nodes.size() - 1;
  }
  void link(size_t column, size_t from, size_t to) {
    if (llvm::is_contained(following[from], to))
      return;
    following[from].push_back(to);
    previous[to].push_back(from);
    next[column].push_back({from, to});
  }
  /// All arrows of one operation pass a column at the same place.
  void connect(size_t operation, size_t column, size_t to, size_t toColumn) {
    size_t at = box[operation];
    for (; column + 1 < toColumn; ++column) {
      auto [lane, isNew] = lanes.try_emplace({operation, column + 1}, 0);
      if (isNew)
        lane->second = add(column + 1, {operation, false, 0});
      link(column, at, lane->second);
      at = lane->second;
    }
    link(column, at, to);
  }

  std::vector<std::vector<size_t>> places() const { return columns; }

  void sort(size_t column, bool byPrevious) {
    std::vector<double> place(nodes.size(), 0);
    for (const auto &any : columns)
      for (size_t i = 0; i < any.size(); ++i)
        place[any[i]] = static_cast<double>(i);
    std::vector<double> wanted(nodes.size(), 0);
    for (size_t node : columns[column]) {
      const auto &others = byPrevious ? previous[node] : following[node];
      double sum = 0;
      for (size_t other : others)
        sum += place[other];
      wanted[node] = others.empty() ? place[node] : sum / static_cast<double>(others.size());
    }
    llvm::stable_sort(columns[column], [&](size_t a, size_t b) { return wanted[a] < wanted[b]; });
  }

  size_t crossings() const {
    std::vector<size_t> place(nodes.size(), 0);
    for (const auto &any : columns)
      for (size_t i = 0; i < any.size(); ++i)
        place[any[i]] = i;
    size_t sum = 0;
    for (const auto &links : next)
      for (size_t a = 0; a < links.size(); ++a)
        for (size_t b = 0; b < a; ++b)
          sum += (place[links[a].first] < place[links[b].first] && place[links[a].second] > place[links[b].second]) ||
                 (place[links[a].first] > place[links[b].first] && place[links[a].second] < place[links[b].second]);
    return sum;
  }

  std::vector<PlanNode> nodes;
  std::vector<std::vector<size_t>> columns;                 // of nodes
  std::vector<std::vector<std::pair<size_t, size_t>>> next; // links from each column
  std::vector<std::vector<size_t>> previous, following;     // of each node
  std::vector<size_t> box;                                  // of each operation
  std::map<std::pair<size_t, size_t>, size_t> lanes;        // by operation and column
};

} // namespace

PlanLayout layOut(const plan::RankPlan &plan, size_t times, double boxHeight, double laneHeight) {
  assert(llvm::all_of(plan.operations, [&](const plan::PlannedOperation &operation) { return 1 <= operation.time && operation.time <= times; }) &&
         "operations have times within the picture");
  Layers layers(plan, times);
  layers.order();
  return layers.result(boxHeight, laneHeight);
}

} // namespace quadrille::compiler::draw
