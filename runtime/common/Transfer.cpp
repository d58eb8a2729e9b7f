//===- Transfer.cpp - Errors of steps, for all backends -------------------===//

#include "Transfer.h"

#include <cstdio>
#include <new>

using namespace quadrille;
using namespace quadrille::detail;

/// Converts for %lld of printf: Index may be another type than long long.
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

Status StepPlace::notRecorded() const noexcept {
  return Status::format(ErrorCode::BadParameter,
                        "%s:%d: rank %lld asks how many elements arrive, but the call is "
                        "recorded, and nothing arrives before its end",
                        call, line, number(rank));
}

/// `sent`: the number of elements sent, in words.
static Status unexpected(const StepPlace &place, const Operation &receive, Index expected,
                         const char *sent) noexcept {
  return Status::format(
      ErrorCode::OtherLength,
      "%s:%d: rank %lld expects %s%lld elements from rank %lld, which sent %s",
      place.call, place.line, number(place.rank),
      receive.kind == Operation::Kind::ReceiveUpTo ? "at most " : "",
      number(expected), number(receive.partner), sent);
}

Status StepPlace::otherLength(const Operation &receive, Index expected, Index sent,
                              const char *besides) const noexcept {
  char text[64];
  std::snprintf(text, sizeof text, "%lld%s", number(sent), besides);
  return unexpected(*this, receive, expected, text);
}

Status StepPlace::otherElements(const Operation &receive, Index expectedBytes,
                                Index sentBytes) const noexcept {
  return Status::format(ErrorCode::OtherLength,
                        "%s:%d: rank %lld expects elements of %lld bytes from rank %lld, "
                        "which sent elements of %lld bytes",
                        call, line, number(rank), number(expectedBytes),
                        number(receive.partner), number(sentBytes));
}

Status StepPlace::tooLong(const Operation &receive, Index expected) const noexcept {
  return unexpected(*this, receive, expected, "more");
}

static constexpr std::size_t mostShown = 8;

void WaitReport::add(const Operation &pending, Index elements) noexcept {
  if (++count_ > mostShown)
    return;
  char text[96];
  std::snprintf(text, sizeof text, "%srank %lld (%s of %lld elements)",
                count_ > 1 ? ", " : "", number(pending.partner), pending.verb(),
                number(elements));
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
