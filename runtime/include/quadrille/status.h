//===- quadrille/status.h - Success, or what went wrong ---------*- C++ -*-===//
//
// The result of every emitted collective. No exception leaves a collective, so
// emitted code can be called through a C interface.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_STATUS_H
#define QUADRILLE_STATUS_H

#include <cstdarg>
#include <memory>

namespace quadrille {

/// The values are stable: they may be stored, and returned through C.
enum class ErrorCode : int {
  Ok = 0,
  NullBuffer = 1,      ///< a null pointer where elements are expected
  BadRoot = 2,         ///< the root is not a rank of the communicator
  BadParameter = 3,    ///< a parameter, datatype or operator that does not fit
  UnsupportedSize = 4, ///< the schedule does not exist for this number of ranks
  NotCommutative = 5,  ///< the schedule needs a commutative operator
  TooLarge = 6,        ///< sizes whose product does not fit into an address
  BadPartner = 7,      ///< a partner outside the group that is not `none`
  OutOfMemory = 8,
  Timeout = 9,    ///< the watchdog fired
  Aborted = 10,   ///< another rank failed in this call; the text names it
  Transport = 11, ///< messages that do not fit together, or the transport failed
  OtherLength = 12, ///< a message has another length than its receiver expects
};

/// The name of `code` in words, for instance "bad root".
const char *toString(ErrorCode code) noexcept;

/// Success, or an error with a text. A success owns no memory and is cheap to
/// create and copy; copies of an error share its text. Contextually converts to
/// true if it is an error:
///
///   if (Status bad = step.finish())
///     return bad;
class [[nodiscard]] Status {
public:
  Status() noexcept = default;

  /// An error. If there is no memory for its text, `text()` returns the name of
  /// the code.
  Status(ErrorCode code, const char *text) noexcept;

  /// The same with a text formatted as by printf.
#if defined(__GNUC__)
  __attribute__((format(printf, 2, 3)))
#endif
  static Status
  format(ErrorCode code, const char *format, ...) noexcept;

  explicit operator bool() const noexcept { return code_ != ErrorCode::Ok; }
  ErrorCode code() const noexcept { return code_; }

  /// What happened, where, and with which values. Never null; valid as long as
  /// this status.
  const char *text() const noexcept { return text_ ? text_.get() : toString(code_); }

private:
  ErrorCode code_ = ErrorCode::Ok;
  std::shared_ptr<const char> text_;
};

} // namespace quadrille

#endif // QUADRILLE_STATUS_H
