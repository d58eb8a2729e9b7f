//===- Presence.cpp - Which elements are written --------------------------===//

#include "quadrille/presence.h"

#include "quadrille/math.h"

#include <algorithm>
#include <functional>

namespace quadrille {

// std::less is defined for pointers into different objects, `<` is not.
static bool isBefore(const std::byte *a, const std::byte *b) {
  return std::less<>()(a, b);
}

Presence::Run Presence::runOf(const std::byte *first, Index stride,
                              Index elements) {
  if (stride >= 0)
    return {first, first + elements * stride};
  return {first + (elements - 1) * stride, first - stride};
}

void Presence::set(const std::byte *first, Index stride, Index elements,
                   bool there) {
  if (elements <= 0 || stride == 0)
    return;
  const Run wanted = runOf(first, stride, elements);
  // The runs that touch the wanted one.
  const auto from =
      std::lower_bound(runs_.begin(), runs_.end(), wanted.begin,
                       [](const Run &run, const std::byte *at) {
                         return isBefore(run.end, at);
                       });
  const auto to = std::upper_bound(from, runs_.end(), wanted.end,
                                   [](const std::byte *at, const Run &run) {
                                     return isBefore(at, run.begin);
                                   });
  Run pieces[2];
  std::ptrdiff_t count = 0;
  if (there) {
    pieces[count] = wanted;
    if (from != to) {
      if (isBefore(from->begin, wanted.begin))
        pieces[0].begin = from->begin;
      if (isBefore(wanted.end, (to - 1)->end))
        pieces[0].end = (to - 1)->end;
    }
    ++count;
  } else if (from != to) {
    const Run before{from->begin, wanted.begin}, after{wanted.end, (to - 1)->end};
    if (isBefore(before.begin, before.end))
      pieces[count++] = before;
    if (isBefore(after.begin, after.end))
      pieces[count++] = after;
  }
  const std::ptrdiff_t had = to - from, at = from - runs_.begin();
  if (had < count)
    runs_.insert(from, static_cast<std::size_t>(count - had), Run{});
  else
    runs_.erase(from, from + (had - count));
  std::copy(pieces, pieces + count, runs_.begin() + at);
}

void Presence::set(const Region &region, bool there) {
  for (const Segment &segment : region.segments())
    set(segment.data, region.elementBytes(), segment.elements, there);
}

Presence::Alike Presence::alike(const std::byte *first, Index stride,
                                Index elements) const {
  // The first run that ends behind the first element.
  const auto next =
      std::upper_bound(runs_.begin(), runs_.end(), first,
                       [](const std::byte *at, const Run &run) {
                         return isBefore(at, run.end);
                       });
  const bool there = next != runs_.end() && !isBefore(first, next->begin);
  Index count = elements;
  if (stride > 0 && (there || next != runs_.end()))
    count = ceilDiv((there ? next->end : next->begin) - first, stride);
  else if (stride < 0 && (there || next != runs_.begin()))
    count = (first - (there ? next->begin : (next - 1)->end)) / -stride + 1;
  return {there, minimum(count, elements)};
}

bool Presence::any(const Region &region) const {
  for (const Segment &segment : region.segments()) {
    const Alike first = alike(segment.data, region.elementBytes(), segment.elements);
    if (first.there || first.elements < segment.elements)
      return true;
  }
  return false;
}

const Presence *nothing() noexcept {
  static const Presence none;
  return &none;
}

} // namespace quadrille
