//===- Network.cpp - The loads of links, for a picture ------------------------------------------------------------------------===//

#include "Network.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

namespace quadrille::compiler::draw {

bool NetworkPicture::scale(std::int64_t n) {
  bool fits = true;
  auto scaleAll = [&](LoadMap &loads) {
    for (auto &[link, load] : loads)
      fits &= !__builtin_mul_overflow(load.words, n, &load.words);
  };
  scaleAll(total);
  scaleAll(worst.loads);
  for (LoadedRound &round : rounds)
    scaleAll(round.loads);
  return fits;
}

bool NetworkPicture::countsMessages() const {
  return llvm::all_of(total, [](const auto &entry) { return entry.second.words == 0; });
}

double NetworkPicture::busy(topology::LinkNumber link, const topology::LinkLoad &load) const {
  if (countsMessages())
    return static_cast<double>(load.messages);
  const Rational width = topology.link(link)->width;
  return static_cast<double>(load.words) * static_cast<double>(width.den()) / static_cast<double>(width.num());
}

double NetworkPicture::busiest(const LoadMap &loads) const {
  double most = 0;
  for (const auto &[link, load] : loads)
    most = std::max(most, busy(link, load));
  return most;
}

std::vector<NetworkPicture::Panel> NetworkPicture::panels() const {
  std::vector<Panel> result;
  const std::string unit = countsMessages() ? "message" : "word";
  auto add = [&](const std::string &name, const LoadMap &loads, double full) {
    std::string caption = name + ": at most ";
    const double most = busiest(loads);
    llvm::raw_string_ostream(caption) << llvm::format("%.10g", most) << ' ' << unit << (most == 1 ? "" : "s") << " on a link"
                                      << (topology.hasUnitWidths() ? "" : ", per width");
    result.push_back({name, std::move(caption), &loads, full});
  };
  if (!shownRounds && roundsSeen != 1)
    add(roundsSeen == 0 ? "no round" : roundsSeen == 1 ? "the only round" : "all " + std::to_string(roundsSeen) + " rounds together", total, busiest(total));
  if (!shownRounds && roundsSeen > mostRounds)
    add("round " + std::to_string(worst.number) + ", the worst", worst.loads, busiest(worst.loads));
  else
    for (const LoadedRound &round : rounds)
      add("round " + std::to_string(round.number), round.loads, busiest(worst.loads));
  return result;
}

void LoadTrace::onRound(const Round &round, const Machine &machine) {
  forEachMessage(round, machine, 0, [&](std::uint32_t source, std::uint32_t destination, std::int64_t words) {
    counter.add(source, destination, words);
  });
  LoadedRound loaded;
  loaded.number = round.number;
  double busiest = 0;
  std::int64_t messages = 0;
  for (const topology::LinkLoad &load : counter.take())
    for (topology::LinkNumber link = load.first; link < load.end; ++link) {
      topology::LinkLoad &sum = picture.total[link];
      if (picture.total.size() > maxLoads)
        throw TooManyLoads();
      if (__builtin_add_overflow(sum.words, load.words, &sum.words))
        throw topology::findingAbout(picture.topology.name, diag::LoadOverflow{});
      sum.messages += load.messages;
      loaded.loads[link] = {link, link + 1, load.words, load.messages};
      const Rational width = picture.topology.link(link)->width;
      busiest = std::max(busiest, static_cast<double>(load.words) * static_cast<double>(width.den()) / static_cast<double>(width.num()));
      messages = std::max(messages, load.messages);
    }
  const std::pair<double, std::int64_t> rating(busiest, messages);
  if (picture.roundsSeen == 0 || worstSoFar < rating) {
    worstSoFar = rating;
    picture.worst = loaded;
  }
  ++picture.roundsSeen;
  if (picture.rounds.size() < picture.mostRounds && (!picture.shownRounds || picture.shownRounds->contains(loaded.number)))
    picture.rounds.push_back(std::move(loaded));
}

void LoadTrace::onRestart() {
  (void)counter.take();
  picture.total.clear();
  picture.rounds.clear();
  picture.roundsSeen = 0;
}

} // namespace quadrille::compiler::draw
