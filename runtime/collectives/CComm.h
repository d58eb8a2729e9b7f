//===- CComm.h - What is behind quadrille_comm -----------------*- C++ -*-===//

#ifndef QUADRILLE_RUNTIME_COLLECTIVES_CCOMM_H
#define QUADRILLE_RUNTIME_COLLECTIVES_CCOMM_H

#include "Names.h"

#include "quadrille.h"
#include "quadrille/candidates.h"
#include "quadrille/request.h"

#include <memory>

/// A communicator of either backend.
struct quadrille_comm {
  enum class Form { Blocking, Started, Persistent };

  /// The arguments of a C function, as far as its collective has them.
  struct Call {
    quadrille::detail::CollectiveId collective;
    quadrille::CandidateArguments arguments;
    quadrille_type type = QUADRILLE_BYTES(1);
    quadrille_op op = QUADRILLE_SUM;
  };

  quadrille_comm() = default;
  quadrille_comm(const quadrille_comm &) = delete;
  virtual ~quadrille_comm() = default;
  virtual std::int64_t rank() const = 0;
  virtual std::int64_t size() const = 0;
  virtual void setTimeout(std::int64_t milliseconds) = 0;
  virtual quadrille::Status run(const Call &call) = 0;
  virtual quadrille::Request start(const Call &call) = 0;
  virtual quadrille::Persistent prepare(const Call &call) = 0;
};

namespace quadrille {
namespace detail {

/// Numbers from `firstMpiHandle` on are handles of MPI. Those below are of this library; from `firstOwnOperator` on they are the program's own
/// operators.
constexpr std::intptr_t firstMpiHandle = std::intptr_t{1} << 24, firstOwnOperator = 4096;

/// Notes an error for quadrille_error_text and returns its number; 0 if the status is no error.
int report(const Status &status) noexcept;

/// Reports the Status that `body()` returns. An exception becomes an error.
template <class Body> int guarded(Body &&body) noexcept {
  try {
    return report(body());
  } catch (const std::bad_alloc &) {
    return report(Status(ErrorCode::OutOfMemory, "out of memory"));
  } catch (const std::exception &problem) {
    return report(Status(ErrorCode::BadParameter, problem.what()));
  } catch (...) {
    return report(Status(ErrorCode::BadParameter, "an exception that is none of the library's"));
  }
}

inline Status nullArgument(const char *function, const char *what) {
  return Status::format(ErrorCode::BadParameter, "%s: %s is null", function, what);
}

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_COLLECTIVES_CCOMM_H
