//===- Names.cpp - The collectives by number and by name ------------------===//

#include "Names.h"

#include <algorithm>

using namespace quadrille;
using namespace quadrille::detail;

std::optional<CollectiveId> detail::collectiveOf(std::string_view name) {
  const auto found = std::find(collectiveNames.begin(), collectiveNames.end(), name);
  if (found == collectiveNames.end())
    return std::nullopt;
  return static_cast<CollectiveId>(found - collectiveNames.begin());
}

/// The number of letters to be changed, put in, left out, or exchanged with the next.
static std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

bool detail::isNear(std::string_view a, std::string_view b) {
  return a.size() < 64 && distance(a, b) <= std::max<std::size_t>(1, b.size() / 4);
}

std::string detail::didYouMean(std::string_view wrong, const std::vector<std::string_view> &names) {
  for (const std::string_view name : names)
    if (isNear(wrong, name))
      return "; did you mean `" + std::string(name) + "`?";
  return "";
}
