//===- Meter.cpp - What a run costs ---------------------------------------------------------------------------------------------------===//

#include "Meter.h"

#include <algorithm>
#include <cassert>

namespace quadrille::compiler {

Meter::Meter(const Machine &machine)
    : samples(machine.sampleCount()), total(samples), mostWork(samples, 0), time(machine.ranks * samples),
      afterTransfer(machine.ranks * samples) {}

void Meter::closeRound() {
  for (size_t s = 0; s < samples; ++s) {
    total[s].c += mostWork[s];
    mostWork[s] = 0;
  }
}

void Meter::onPartners(const Partners &partners) {
  assert(samples > 0 && partners.to && partners.words && "the round is matched and measured");
  size_t ranks = time.size() / samples;
  for (size_t s = 0; s < samples; ++s) {
    std::int64_t longest = partners.stride ? 0 : partners.words[s];
    for (size_t r = 0; partners.stride && r < ranks; ++r)
      longest = std::max(longest, partners.words[r * partners.stride + s]);
    total[s].a += 1;
    total[s].b += longest;
    for (size_t r = 0; r < ranks; ++r) {
      if (partners.to[r] < 0)
        continue;
      size_t from = r * samples + s, to = static_cast<size_t>(partners.to[r]) * samples + s;
      Cost end = std::max(time[from], time[to]);
      end.a += 1;
      end.b += partners.words[r * partners.stride + s];
      afterTransfer[from] = std::max(afterTransfer[from], end);
      afterTransfer[to] = std::max(afterTransfer[to], end);
    }
  }
}

void Meter::onRound(const Round &round, const Machine &) {
  closeRound();
  if (round.partners)
    return onPartners(*round.partners);
  assert(round.words.size() == round.transfers.size() * samples && "the round is measured");
  for (size_t s = 0; s < samples; ++s) {
    std::int64_t longest = 0;
    for (size_t i = 0; i < round.transfers.size(); ++i)
      longest = std::max(longest, round.words[i * samples + s]);
    total[s].a += 1;
    total[s].b += longest;
  }
  for (size_t i = 0; i < round.transfers.size(); ++i) {
    const Transfer &transfer = round.transfers[i];
    for (size_t s = 0; s < samples; ++s) {
      size_t from = transfer.source * samples + s, to = transfer.destination * samples + s;
      Cost end = std::max(time[from], time[to]);
      end.a += 1;
      end.b += round.words[i * samples + s];
      afterTransfer[from] = std::max(afterTransfer[from], end);
      afterTransfer[to] = std::max(afterTransfer[to], end);
    }
  }
}

void Meter::onStepEnd(std::uint32_t first, std::uint32_t count) {
  for (size_t s = first * samples; s < (std::size_t(first) + count) * samples; ++s)
    time[s] = std::max(time[s], afterTransfer[s]);
}

void Meter::onWork(std::uint32_t first, std::uint32_t count, const std::int64_t *words, const Machine &) {
  assert((std::size_t(first) + count) * samples <= time.size() && "machine ranks");
  for (std::uint32_t i = 0; i < count; ++i)
    for (size_t s = 0; s < samples; ++s) {
      std::int64_t w = words[i * samples + s];
      mostWork[s] = std::max(mostWork[s], w);
      time[(first + i) * samples + s].c += w;
    }
}

MeasuredCost Meter::result(const Machine &machine) {
  closeRound();
  MeasuredCost result;
  result.samples = machine.samples;
  result.perBlock = machine.countsBlocks();
  result.synchronous = total;
  result.asynchronous.assign(samples, {});
  for (size_t i = 0; i < time.size(); ++i)
    result.asynchronous[i % samples] = std::max(result.asynchronous[i % samples], time[i]);
  return result;
}

} // namespace quadrille::compiler
