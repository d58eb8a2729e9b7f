//===- Status.cpp - Success, or what went wrong ---------------------------===//

#include "quadrille/status.h"

#include <cstdio>
#include <cstring>
#include <new>

using namespace quadrille;

const char *quadrille::toString(ErrorCode code) noexcept {
  switch (code) {
  case ErrorCode::Ok:
    return "ok";
  case ErrorCode::NullBuffer:
    return "null buffer";
  case ErrorCode::BadRoot:
    return "bad root";
  case ErrorCode::BadParameter:
    return "bad parameter";
  case ErrorCode::UnsupportedSize:
    return "unsupported number of ranks";
  case ErrorCode::NotCommutative:
    return "operator not commutative";
  case ErrorCode::TooLarge:
    return "too large";
  case ErrorCode::BadPartner:
    return "bad partner";
  case ErrorCode::OutOfMemory:
    return "out of memory";
  case ErrorCode::Timeout:
    return "timeout";
  case ErrorCode::Aborted:
    return "aborted by another rank";
  case ErrorCode::Transport:
    return "transport error";
  case ErrorCode::OtherLength:
    return "message of another length";
  }
  return "unknown error";
}

/// Takes ownership of `text`, which came from new[]; null stays null.
static std::shared_ptr<const char> share(char *text) noexcept {
  if (!text)
    return {};
  // shared_ptr's constructor deletes `text` itself if it throws.
  try {
    return std::shared_ptr<const char>(text, std::default_delete<const char[]>());
  } catch (const std::bad_alloc &) {
    return {};
  }
}

Status::Status(ErrorCode code, const char *text) noexcept : code_(code) {
  if (code == ErrorCode::Ok || !text)
    return;
  const std::size_t bytes = std::strlen(text) + 1;
  char *copy = new (std::nothrow) char[bytes];
  if (copy)
    std::memcpy(copy, text, bytes);
  text_ = share(copy);
}

Status Status::format(ErrorCode code, const char *format, ...) noexcept {
  Status result;
  result.code_ = code;
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  if (length >= 0) {
    const std::size_t bytes = static_cast<std::size_t>(length) + 1;
    char *text = new (std::nothrow) char[bytes];
    if (text)
      std::vsnprintf(text, bytes, format, again);
    result.text_ = share(text);
  }
  va_end(again);
  va_end(arguments);
  return result;
}
