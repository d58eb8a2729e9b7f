//===- Environment.cpp - Variables of the environment --------------------===//

#include "Environment.h"

#include <atomic>
#include <cstdio>
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
