//===- quadrille/call_key.h - What tells calls of a program apart -*- C++ -*-===//

#ifndef QUADRILLE_CALL_KEY_H
#define QUADRILLE_CALL_KEY_H

#include "quadrille/index.h"

#include <cstddef>
#include <cstdint>

namespace quadrille {

/// The function that is called and its arguments, but for communicator, datatype
/// and operator. Two calls with equal keys, datatypes and operators on one
/// communicator do the same: nothing else is looked at. So a function has no key if
/// it reads what an argument points to, such as a table of lengths, before it
/// communicates.
class CallKey {
public:
  static constexpr std::size_t mostArguments = 7;

  /// The address of `site` stands for the function: a variable of its own.
  template <class... Arguments>
  explicit CallKey(const char &site, Arguments... arguments) noexcept
      : words_{wordOf(static_cast<const void *>(&site)), wordOf(arguments)...} {
    static_assert(sizeof...(arguments) <= mostArguments, "too many arguments for a key");
    ((hash_ = (hash_ << 7 | hash_ >> 57) ^ wordOf(arguments)), ...);
    hash_ = (hash_ ^ words_[0]) * 0x9e3779b97f4a7c15u;
  }

  /// Keys that differ mostly have hashes that differ in their highest bits.
  std::uint64_t hash() const noexcept { return hash_; }

  friend bool operator==(const CallKey &a, const CallKey &b) noexcept {
    if (a.hash_ != b.hash_)
      return false;
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i <= mostArguments; ++i)
      difference |= a.words_[i] ^ b.words_[i];
    return difference == 0;
  }

private:
  static std::uint64_t wordOf(const void *pointer) noexcept { return reinterpret_cast<std::uintptr_t>(pointer); }
  static std::uint64_t wordOf(Index number) noexcept { return static_cast<std::uint64_t>(number); }
  static std::uint64_t wordOf(std::size_t number) noexcept { return number; }

  std::uint64_t words_[mostArguments + 1];
  std::uint64_t hash_ = 0;
};

} // namespace quadrille

#endif // QUADRILLE_CALL_KEY_H
