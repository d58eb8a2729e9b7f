//===- Gantt.cpp - Gantt charts: what every rank does when ------------------------------------------------------------------===//

#include "Gantt.h"

#include "Scale.h"
#include "Plot.h"

#include "instantiate/Messages.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

namespace quadrille::compiler::draw {

using scene::Anchor;
using scene::Colour;
using scene::textWidth;

GanttRecorder::GanttRecorder(Gantt &gantt, const MachineParameters &machine, std::int64_t n, std::uint64_t maxBars)
    : gantt(gantt), machine(machine), n(static_cast<double>(n)), maxBars(maxBars) {}

void GanttRecorder::onRestart() {
  clocks.clear();
  gantt.bars.clear();
}

void GanttRecorder::add(GanttBar bar) {
  if (gantt.bars.size() >= maxBars)
    throw TooManyBars();
  gantt.bars.push_back(bar);
}

/// Allocates at the first event: a case whose ranks would exceed the limit of memory is refused before it has one.
void GanttRecorder::startClocks() { clocks.resize(gantt.ranks); }

void GanttRecorder::onRound(const Round &round, const Machine &run) {
  startClocks();
  forEachMessage(round, run, 0, [&](std::uint32_t source, std::uint32_t destination, std::int64_t count) {
    LocalTime &from = clocks[source], &to = clocks[destination];
    const double words = static_cast<double>(count) * (run.countsBlocks() ? n : 1);
    const double begin = std::max(from.now, to.now), end = begin + machine.alpha + machine.beta * words;
    from.afterStep = std::max(from.afterStep, end);
    to.afterStep = std::max(to.afterStep, end);
    add({GanttBar::Send, source, destination, round.number, begin, end, words, begin, 0});
    add({GanttBar::Receive, destination, source, round.number, begin, end, words, begin, 0});
  });
}

void GanttRecorder::onStepEnd(std::uint32_t first, std::uint32_t count) {
  startClocks();
  for (std::uint32_t rank = first; rank < first + count; ++rank)
    clocks[rank].now = std::max(clocks[rank].now, clocks[rank].afterStep);
}

void GanttRecorder::onWork(std::uint32_t first, std::uint32_t count, const std::int64_t *words, const Machine &run) {
  startClocks();
  for (std::uint32_t i = 0; i < count; ++i) {
    const double combined = static_cast<double>(words[i * run.sampleCount()]) * (run.countsBlocks() ? n : 1);
    LocalTime &clock = clocks[first + i];
    if (const double takes = machine.gamma * combined; takes > 0) {
      add({GanttBar::Combine, first + i, first + i, 0, clock.now, clock.now + takes, combined, clock.now, 0});
      clock.now += takes;
    }
  }
}

namespace {
constexpr double margin = 28, rankWidth = 44, headingHeight = 84, bareTop = 16, plotWidth = 760, legendHeight = 30;
constexpr const char *kindNames[] = {"send", "receive", "combine", "copy"};
constexpr std::uint32_t kindColours[] = {1, 0, 2, 3};

std::string barText(const GanttBar &bar, bool isMeasured) {
  const std::string partner = std::to_string(bar.partner);
  std::string text = "rank " + std::to_string(bar.rank) + ", " + durationText(bar.begin) + " to " + durationText(bar.end) + ": " +
                     (bar.kind == GanttBar::Send      ? "sends to rank " + partner
                      : bar.kind == GanttBar::Receive ? "receives from rank " + partner
                      : bar.kind == GanttBar::Combine ? "combines"
                                                      : "copies") +
                     ", " + csvNumber(bar.amount) + (isMeasured ? " byte" : " word") + (bar.amount == 1 ? "" : "s");
  if (bar.line > 0)
    text += ", line " + std::to_string(bar.line);
  return isMeasured && bar.ready < bar.begin ? text + ", after waiting for " + durationText(bar.begin - bar.ready) : text;
}

/// Where a bar is among others of its rank and kind at the same time: in a lane of so many.
struct Lane {
  std::uint32_t number = 0, of = 1;
};

/// The lanes of all bars. Sends lie in one half of a row and receives in the other, so only bars of the same half are in each other's way.
std::vector<Lane> lanesOf(const Gantt &gantt) {
  const auto groupOf = [](const GanttBar &bar) { return std::pair(bar.rank, bar.isWork() ? GanttBar::Combine : bar.kind); };
  std::vector<std::size_t> order(gantt.bars.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(groupOf(gantt.bars[a]), gantt.bars[a].begin) < std::pair(groupOf(gantt.bars[b]), gantt.bars[b].begin);
  });
  std::vector<Lane> lanes(gantt.bars.size());
  for (std::size_t i = 0; i < order.size();) {
    // Bars that overlap, directly or by way of others, share the height.
    std::vector<double> ends; // of the last bar in each lane
    const std::size_t first = i;
    double end = gantt.bars[order[i]].begin;
    for (; i < order.size() && groupOf(gantt.bars[order[i]]) == groupOf(gantt.bars[order[first]]) && (i == first || gantt.bars[order[i]].begin < end); ++i) {
      const GanttBar &bar = gantt.bars[order[i]];
      const auto freeLane = llvm::find_if(ends, [&](double last) { return last <= bar.begin; });
      lanes[order[i]].number = static_cast<std::uint32_t>(freeLane - ends.begin());
      freeLane == ends.end() ? ends.push_back(bar.end) : void(*freeLane = bar.end);
      end = std::max(end, bar.end);
    }
    for (std::size_t j = first; j < i; ++j)
      lanes[order[j]].of = static_cast<std::uint32_t>(ends.size());
  }
  return lanes;
}
} // namespace

scene::Scene ganttScene(const Gantt &gantt, const Look &look) {
  scene::Scene drawn;
  const std::uint32_t first = look.ranks ? look.ranks->first : 0, last = look.ranks ? std::min(look.ranks->last, gantt.ranks - 1) : gantt.ranks - 1;
  const std::vector<Lane> lanes = lanesOf(gantt);
  std::uint32_t mostLanes = 1;
  for (const auto &[bar, lane] : llvm::zip(gantt.bars, lanes))
    if (!bar.isWork() && bar.rank >= first && bar.rank <= last)
      mostLanes = std::max(mostLanes, lane.of);
  const double rows = last - first + 1, plain = rows <= 16 ? 30 : rows <= 40 ? 22 : 16;
  constexpr std::uint32_t readableLanes = 4; // more of them are thinner
  const double row = rows <= 16 ? std::max(plain, 6 + 24.0 * std::min(mostLanes, readableLanes)) : plain;
  const double top = look.title ? headingHeight : bareTop, left = margin + rankWidth, right = left + plotWidth, bottom = top + row * rows;
  double most = 0;
  for (const GanttBar &bar : gantt.bars)
    most = std::max(most, bar.end);
  const Scale time{0, most > 0 ? most * 1.02 : 1, left, right, false, true};
  const std::string subtitle = gantt.caseText + "  ·  " + gantt.source + "  ·  " + durationText(most);
  drawn.width = std::max(right + margin, look.title ? 2 * margin + std::max(textWidth(gantt.schedule, 20), textWidth(subtitle, 13)) : 0);
  drawn.height = bottom + 24 + legendHeight + 12;
  drawn.title = gantt.schedule + ", " + gantt.caseText;
  drawn.description = "What every rank does when: a row for each rank, time to the right.";
  if (look.title) {
    drawn.text(margin, 38, 20, Colour::Ink, Anchor::Start, gantt.schedule, true);
    drawn.text(margin, 61, 13, Colour::Faint, Anchor::Start, subtitle);
  }
  for (std::uint32_t rank = first; rank <= last; ++rank) {
    const double y = top + row * (rank - first);
    if ((rank - first) % 2 == 0)
      drawn.add(scene::Rectangle{{left, y}, plotWidth, row, 0, Colour::Band, {}});
    drawn.text(left - 12, y + row / 2 + 4.4, std::min(13.0, row * 0.62), Colour::Ink, Anchor::End, std::to_string(rank));
  }
  for (double tick : time.ticks(90)) {
    drawn.add(scene::Line{{time.at(tick), top}, {time.at(tick), bottom}, {Colour::Rule, 0.7}});
    drawn.text(time.at(tick), bottom + 16, 12, Colour::Faint, Anchor::Middle, time.text(tick));
  }
  // While a rank waits for one transfer, it may do others. So all lines of waiting are drawn first, and bars lie above them.
  auto isWaiting = [&](const GanttBar &bar) { return gantt.isMeasured && bar.ready < bar.begin; };
  for (const GanttBar &bar : gantt.bars)
    if (isWaiting(bar) && bar.rank >= first && bar.rank <= last) {
      const double y = top + row * (bar.rank - first) + (bar.isWork() ? row / 2 : bar.kind == GanttBar::Receive ? row * 0.75 - 1 : row * 0.25 + 1);
      drawn.add(scene::Line{{time.at(bar.ready), y}, {time.at(bar.begin), y}, {Colour::series(kindColours[bar.kind]), 1}});
    }
  for (const auto &[bar, lane] : llvm::zip(gantt.bars, lanes)) {
    if (bar.rank < first || bar.rank > last)
      continue;
    const double y = top + row * (bar.rank - first), half = row / 2 - 3;
    const double x = time.at(bar.begin), width = std::max(0.8, time.at(bar.end) - x);
    const double high = (bar.isWork() ? row - 5 : half) / lane.of, at = (bar.kind == GanttBar::Receive ? y + row / 2 + 0.5 : y + 2.5) + high * lane.number;
    const std::string partner = std::to_string(bar.partner);
    drawn.add(scene::Open{scene::Open::always, barText(bar, gantt.isMeasured)});
    drawn.add(scene::Rectangle{{x, at}, width, high, 2, Colour::tint(kindColours[bar.kind]), {Colour::series(kindColours[bar.kind]), 1}});
    if (const std::string text = (bar.kind == GanttBar::Send ? "→" : "←") + partner; !bar.isWork() && high >= 8 && textWidth(text, std::min(11.0, high - 0.5)) + 4 < width)
      drawn.text(x + width / 2, at + high / 2 + std::min(11.0, high - 0.5) * 0.36, std::min(11.0, high - 0.5), Colour::Ink, Anchor::Middle, text);
    drawn.add(scene::Close{});
  }
  // The legend names only kinds that the chart shows.
  double x = left;
  const double y = bottom + 24 + 16;
  for (size_t kind = 0; kind < std::size(kindNames); ++kind) {
    if (llvm::none_of(gantt.bars, [&](const GanttBar &bar) { return bar.kind == static_cast<GanttBar::Kind>(kind); }))
      continue;
    drawn.add(scene::Rectangle{{x, y - 9}, 18, 11, 2, Colour::tint(kindColours[kind]), {Colour::series(kindColours[kind]), 1}});
    drawn.text(x + 24, y, 12, Colour::Faint, Anchor::Start, kindNames[kind]);
    x += 40 + textWidth(kindNames[kind], 12);
  }
  if (llvm::any_of(gantt.bars, isWaiting)) {
    drawn.add(scene::Line{{x, y - 3.5}, {x + 18, y - 3.5}, {Colour::Faint, 1}});
    drawn.text(x + 24, y, 12, Colour::Faint, Anchor::Start, "waits");
  }
  return drawn;
}

void writeCsv(const Gantt &gantt, llvm::raw_ostream &out) {
  out << (gantt.isMeasured ? "rank,kind,partner,step,line,readySeconds,beginSeconds,endSeconds,bytes\n" : "rank,kind,partner,round,beginSeconds,endSeconds,words\n");
  for (const GanttBar &bar : gantt.bars) {
    out << bar.rank << ',' << kindNames[bar.kind] << ',' << (bar.isWork() ? "" : std::to_string(bar.partner)) << ','
        << (bar.isWork() ? "" : std::to_string(bar.round)) << ',';
    if (gantt.isMeasured)
      out << (bar.line ? std::to_string(bar.line) : "") << ',' << csvNumber(bar.ready) << ',';
    out << csvNumber(bar.begin) << ',' << csvNumber(bar.end) << ',' << csvNumber(bar.amount) << '\n';
  }
}

} // namespace quadrille::compiler::draw
