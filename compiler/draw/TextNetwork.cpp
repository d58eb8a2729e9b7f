//===- TextNetwork.cpp - A network and its loads as text -------------------------------------------------------------------===//

#include "Network.h"

namespace quadrille::compiler::draw {

using topology::Link;
using topology::LinkNumber;

namespace {

/// Writes rows of nodes with the loads of the links between them: 0 ─1→ 1 ─2→ 2. Rows without load are left out.
void writeChains(const NetworkPicture &picture, const LoadMap &loads, bool messages, llvm::raw_ostream &out) {
  const topology::Topology &grid = picture.topology;
  auto sumOf = [&](LinkNumber number) {
    auto load = loads.find(number);
    return load == loads.end() ? 0 : messages ? load->second.messages : load->second.words;
  };
  LinkNumber row = 0;
  for (std::int64_t side : grid.extents())
    for (int direction = 0; direction < 2; ++direction)
      for (std::uint32_t i = 0; i < grid.nodes() / side; ++i, row += static_cast<LinkNumber>(side)) {
        bool any = false;
        std::string text;
        for (LinkNumber number = row; number < row + static_cast<LinkNumber>(side); ++number) {
          std::optional<Link> link = grid.link(number);
          if (!link)
            continue;
          const std::int64_t sum = sumOf(number);
          any |= sum > 0;
          const bool back = direction == 1;
          const std::string here = grid.nodeName(back ? link->to : link->from), there = grid.nodeName(back ? link->from : link->to);
          if (text.empty())
            text = here;
          text += (back ? " ←" : " ─") + std::to_string(sum) + (back ? "─ " : "→ ") + there;
        }
        if (any)
          out << "  " << text << '\n';
      }
}

void writeLists(const NetworkPicture &picture, const LoadMap &loads, bool messages, llvm::raw_ostream &out) {
  std::string line = " ";
  constexpr size_t width = 100;
  for (const auto &[number, load] : loads) {
    const std::string text = " " + picture.topology.linkName(number) + ":" + std::to_string(messages ? load.messages : load.words);
    if (line.size() + text.size() > width) {
      out << line << '\n';
      line = " ";
    }
    line += text;
  }
  if (line != " ")
    out << line << '\n';
}

} // namespace

void writeNetworkText(const NetworkPicture &picture, bool hasTitle, llvm::raw_ostream &out) {
  const bool messages = picture.countsMessages();
  const topology::Shape shape = picture.topology.shape;
  const bool isGrid = shape == topology::Shape::Line || shape == topology::Shape::Ring || shape == topology::Shape::Mesh ||
                      shape == topology::Shape::Torus || shape == topology::Shape::Hypercube;
  if (hasTitle)
    out << picture.schedule << ", " << picture.caseText << ", on " << picture.topology.name << '\n';
  out << (messages ? "messages" : "words") << " on each link\n";
  for (const NetworkPicture::Panel &panel : picture.panels()) {
    out << '\n' << panel.caption << '\n';
    if (panel.loads->empty())
      out << "  nothing\n";
    else if (isGrid)
      writeChains(picture, *panel.loads, messages, out);
    else
      writeLists(picture, *panel.loads, messages, out);
  }
}

} // namespace quadrille::compiler::draw
