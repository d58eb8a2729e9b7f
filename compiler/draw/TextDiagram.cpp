//===- TextDiagram.cpp - A space-time diagram as text ---------------------------------------------------------------------===//

#include "TextDiagram.h"

#include "source/Counted.h"
#include "source/Utf8.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace quadrille::compiler::draw {

namespace {

constexpr std::uint32_t maxRows = 64;

void put(llvm::raw_ostream &out, llvm::StringRef text, size_t width) {
  out << text;
  out.indent(static_cast<unsigned>(width - std::min(width, columnsOf(text))));
}

/// For each rank, its cell in a round: "→4 0:3" (send), "↔1 2" (exchange, with the data sent), "←2" (receive), "·" (idle).
std::vector<std::string> cellsOf(const TracedRound &round, std::uint32_t first, std::uint32_t rows) {
  std::vector<std::vector<const Arrow *>> sends(rows), receives(rows);
  auto isShown = [&](std::uint32_t rank) { return first <= rank && rank - first < rows; };
  for (const Arrow &arrow : round.arrows) {
    if (isShown(arrow.source))
      sends[arrow.source - first].push_back(&arrow);
    if (isShown(arrow.destination))
      receives[arrow.destination - first].push_back(&arrow);
  }
  std::vector<std::string> cells(rows);
  for (std::uint32_t rank = 0; rank < rows; ++rank) {
    std::string &cell = cells[rank];
    auto add = [&](const char *sign, std::uint32_t partner, const std::string &label) {
      cell += (cell.empty() ? "" : ", ") + std::string(sign) + std::to_string(partner) + (label.empty() ? "" : " " + label);
    };
    for (const Arrow *send : sends[rank]) {
      auto answer = llvm::find_if(receives[rank], [&](const Arrow *r) { return r->source == send->destination; });
      bool exchange = answer != receives[rank].end();
      if (exchange)
        receives[rank].erase(answer);
      add(exchange ? "↔" : "→", send->destination, send->label);
    }
    for (const Arrow *receive : receives[rank])
      add("←", receive->source, "");
    if (cell.empty())
      cell = "·";
  }
  return cells;
}

void writeGrid(const Diagram &diagram, unsigned width, const Look &look, llvm::raw_ostream &out) {
  const std::uint32_t first = look.ranks ? look.ranks->first : 0, wanted = look.ranks ? std::min(look.ranks->last, diagram.ranks - 1) - first + 1 : diagram.ranks;
  const std::uint32_t rows = std::min(wanted, maxRows);
  size_t rankWidth = std::max<size_t>(4, std::to_string(first + rows - 1).size() + 1);
  size_t next = 0;
  while (next < diagram.rounds.size()) {
    // Collect as many rounds as fit into the width.
    std::vector<std::vector<std::string>> panel;
    std::vector<size_t> widths;
    size_t used = rankWidth + 2, begin = next;
    for (; next < diagram.rounds.size(); ++next) {
      std::vector<std::string> cells = cellsOf(diagram.rounds[next], first, rows);
      size_t wide = ("round " + std::to_string(diagram.rounds[next].number)).size();
      for (const std::string &cell : cells)
        wide = std::max(wide, columnsOf(cell));
      if (next > begin && used + 1 + wide > width)
        break;
      used += 1 + wide + 2;
      panel.push_back(std::move(cells));
      widths.push_back(wide);
    }
    auto line = [&](const std::string &head, auto cellAt) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      put(stream, head, rankWidth);
      stream << " │";
      for (size_t i = 0; i < panel.size(); ++i) {
        stream << ' ';
        put(stream, cellAt(i), widths[i]);
        stream << ' ';
      }
      out << llvm::StringRef(stream.str()).rtrim(' ') << '\n';
    };
    line("rank", [&](size_t i) { return "round " + std::to_string(diagram.rounds[begin + i].number); });
    for (std::uint32_t rank = 0; rank < rows; ++rank) {
      std::string head = std::to_string(first + rank) + (diagram.root == first + rank ? "*" : " ");
      line(std::string(rankWidth - std::min(rankWidth, head.size()), ' ') + head, [&](size_t i) { return panel[i][rank]; });
    }
    out << '\n';
  }
  if (rows < wanted)
    out << "the grid leaves out ranks " << first + rows << ".." << first + wanted - 1 << "\n\n";
}

void writeLists(const Diagram &diagram, unsigned width, llvm::raw_ostream &out) {
  out << "round: sender>receiver" << (diagram.labelName.empty() ? "" : ":" + diagram.labelName) << '\n';
  size_t numberWidth = std::to_string(diagram.rounds.back().number).size();
  for (const TracedRound &round : diagram.rounds) {
    std::string number = std::to_string(round.number);
    std::string line = std::string(numberWidth - number.size() + 2, ' ') + number + ":";
    for (const Arrow &arrow : round.arrows) {
      std::string text = std::to_string(arrow.source) + ">" + std::to_string(arrow.destination);
      // Labels that contain separators are put in parentheses.
      if (arrow.label.find_first_of(":, ") != std::string::npos)
        text += ":(" + arrow.label + ")";
      else if (!arrow.label.empty())
        text += ":" + arrow.label;
      text += &arrow == &round.arrows.back() ? "" : ",";
      if (line.size() + 1 + text.size() > width) {
        out << line << '\n';
        line.assign(numberWidth + 3, ' ');
      }
      line += " " + text;
    }
    out << line << '\n';
  }
}

} // namespace

void writeText(const Diagram &diagram, unsigned width, const Look &look, llvm::raw_ostream &out) {
  if (look.title) {
    out << diagram.schedule << ", " << diagram.caseText << '\n';
    out << counted(diagram.roundsSeen, "round");
    if (!diagram.model.empty())
      out << ", " << diagram.model;
    if (!diagram.cost.empty())
      out << ", cost " << diagram.cost;
    out << "\n";
  }
  if (!diagram.rounds.empty()) {
    if (!diagram.legend.empty())
      out << diagram.legend << '\n';
    if (look.title || !diagram.legend.empty())
      out << '\n';
    writeGrid(diagram, width, look, out);
    writeLists(diagram, width, out);
  }
  if (std::uint64_t shown = diagram.arrowsShown(); shown < diagram.arrowsSeen)
    out << "the diagram ends here: it shows " << shown << " of " << diagram.arrowsSeen << " transfers; choose a smaller p\n";
  if (!diagram.failure.empty())
    out << "fails here: " << diagram.failure << '\n';
}

} // namespace quadrille::compiler::draw
