//===- Transfer.cpp - What the steps of all backends have in common -------===//

#include "Transfer.h"

#include <cstdio>
#include <new>

using namespace quadrille;
using namespace quadrille::detail;

/// For printf's %lld: Index need not be long long.
static long long number(Index i) { return i; }

Status StepPlace::badPartner(Index partner, Index size) const noexcept {
  return Status::format(ErrorCode::BadPartner,
                        "%s:%d: rank %lld names partner %lld, which is not in 0 "
                        "..< %lld",
                        call, line, number(rank), number(partner), number(size));
}

Status StepPlace::noMemoryFor(const char *what) const noexcept {
  return Status::format(ErrorCode::OutOfMemory, "%s:%d: rank %lld has no memory for %s",
                        call, line, number(rank), what);
}

Status StepPlace::noOperator() const noexcept {
  return Status::format(ErrorCode::BadParameter,
                        "%s:%d: rank %lld combines, but the call has no operator",
                        call, line, number(rank));
}

/// `sent`: how many elements, in words.
static Status unexpected(const StepPlace &place, const Transfer &expected,
                         const char *sent) noexcept {
  return Status::format(
      ErrorCode::Transport,
      "%s:%d: rank %lld expects %s%lld elements from rank %lld, which sent %s",
      place.call, place.line, number(place.rank),
      expected.kind == Transfer::Kind::ReceiveUpTo ? "at most " : "",
      number(expected.elements), number(expected.rank), sent);
}

Status StepPlace::otherLength(const Transfer &expected, Index sent,
                              const char *besides) const noexcept {
  char text[64];
  std::snprintf(text, sizeof text, "%lld%s", number(sent), besides);
  return unexpected(*this, expected, text);
}

Status StepPlace::tooLong(const Transfer &expected) const noexcept {
  return unexpected(*this, expected, "more");
}

static constexpr std::size_t mostShown = 8;

void WaitReport::add(const Transfer &pending) noexcept {
  if (++count_ > mostShown)
    return;
  char text[96];
  std::snprintf(text, sizeof text, "%srank %lld (%s of %lld elements)",
                count_ > 1 ? ", " : "", number(pending.rank), pending.verb(),
                number(pending.elements));
  try {
    partners_ += text;
  } catch (const std::bad_alloc &) {
  }
}

Status WaitReport::status(const StepPlace &place, Index timeoutMs) const noexcept {
  char more[40] = "";
  if (count_ > mostShown)
    std::snprintf(more, sizeof more, " and %zu more", count_ - mostShown);
  return Status::format(ErrorCode::Timeout, "%s:%d: rank %lld waited %lld ms for %s%s",
                        place.call, place.line, number(place.rank), number(timeoutMs),
                        partners_.c_str(), more);
}
