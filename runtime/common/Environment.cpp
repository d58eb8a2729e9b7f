//===- Environment.cpp - Variables of the environment --------------------===//

#include "Environment.h"

#include "quadrille/call.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace quadrille;

void detail::sayIgnored(const char *variable, const char *value, const char *expected) noexcept {
  static std::atomic<const char *> said[16]; // the names are literals
  for (std::atomic<const char *> &slot : said) {
    const char *before = nullptr;
    if (slot.compare_exchange_strong(before, variable))
      break;
    if (std::strcmp(before, variable) == 0)
      return;
  }
  std::fprintf(stderr, "quadrille: the environment variable %s is `%s`, which is ignored: it is %s\n", variable, value, expected);
}

std::optional<long long> detail::givenNumber(const char *variable) noexcept {
  const char *text = std::getenv(variable);
  if (!text || !*text)
    return std::nullopt;
  char *end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text, &end, 10);
  if (end != text && *end == '\0' && errno == 0 && value >= 0)
    return value;
  sayIgnored(variable, text, "a number from 0 on");
  return std::nullopt;
}

Index detail::numberFromEnvironment(const char *name) noexcept { return givenNumber(name).value_or(0); }
