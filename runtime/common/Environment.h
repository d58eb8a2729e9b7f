//===- Environment.h - Variables of the environment ------------*- C++ -*-===//

#ifndef QUADRILLE_COMMON_ENVIRONMENT_H
#define QUADRILLE_COMMON_ENVIRONMENT_H

#include <optional>

namespace quadrille {
namespace detail {

/// Writes to standard error that a variable has a value that says nothing, and
/// what it should be: "a number above zero". Once for each variable in a process.
void sayIgnored(const char *variable, const char *value, const char *expected) noexcept;

/// The number in a variable; nothing if it is not set, or is no number from 0 on, of
/// which standard error is told.
std::optional<long long> givenNumber(const char *variable) noexcept;

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_ENVIRONMENT_H
