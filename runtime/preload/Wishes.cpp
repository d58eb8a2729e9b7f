//===- Wishes.cpp - What the environment says of the preload library ------===//

#include "Wishes.h"

#include "Calls.h"

#include "Names.h"
#include "Settings.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace quadrille;
using namespace quadrille::preload;

/// Marks the functions that QUADRILLE_DISABLE lists; returns what is wrong with the text, "" if nothing is.
static std::string readDisabled(std::string_view text, std::array<bool, functionCount> &isDisabled) {
  if (text == "0" || text.empty())
    return "";
  if (text == "1" || text == "all") {
    isDisabled.fill(true);
    return "";
  }
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view name = text.substr(at, comma - at);
    const auto found = std::find(functionNames.begin(), functionNames.end(), name);
    if (found == functionNames.end()) {
      const std::vector<std::string_view> names(functionNames.begin(), functionNames.end());
      const std::string near = quadrille::detail::didYouMean(name, names);
      return "QUADRILLE_DISABLE names `" + std::string(name) + "`" +
             (near.empty() ? "; it can be 1 for all, or a list such as bcast,reduce_scatter_block" : near);
    }
    isDisabled[static_cast<std::size_t>(found - functionNames.begin())] = true;
    at = comma + 1;
  }
  return "";
}

Wishes Wishes::ofEnvironment() {
  Wishes wishes;
  // If something is wrong with the variables of libquadrille, say so now: otherwise each call would fail.
  std::string problem = quadrille::detail::settingsOfProcess().problem;
  if (const char *const text = std::getenv("QUADRILLE_DISABLE"); text && problem.empty())
    problem = readDisabled(text, wishes.isDisabled);
  if (const char *const text = std::getenv("QUADRILLE_TRACE"); text) {
    const std::string_view said(text);
    wishes.insight = said == "summary" ? Insight::Summary : said == "compare" ? Insight::Compare : Insight::None;
  }
  if (const char *const text = std::getenv("QUADRILLE_AFTER"); text && *text) {
    char *end = nullptr;
    errno = 0;
    const unsigned long value = std::strtoul(text, &end, 10);
    if ((errno || *end || *text == '-' || value > 1000000) && problem.empty())
      problem = "QUADRILLE_AFTER is `" + std::string(text) + "`; it is the number of calls, 0 to 1000000, on a communicator before it is taken over";
    else
      wishes.after = static_cast<unsigned>(value);
  }
  if (const char *const file = std::getenv("QUADRILLE_CALLS"); file && *file && problem.empty())
    problem = Calls::begin(file);
  std::snprintf(wishes.problem, sizeof wishes.problem, "%s", problem.c_str());
  return wishes;
}
