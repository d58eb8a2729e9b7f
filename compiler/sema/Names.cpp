//===- Names.cpp - Scopes of names --------------------------------------------------------------------------------===//

#include "ExprSema.h"

namespace quadrille::compiler::sema {

const Symbol *Names::find(llvm::StringRef name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (auto found = scope->find(name); found != scope->end())
      return &found->second;
  return nullptr;
}

std::string didYouMean(llvm::StringRef name, const std::vector<std::string> &candidates) {
  if (name.size() < 3)
    return ""; // short names are all similar
  unsigned best = name.size() / 3 + 1;
  std::string nearest;
  for (const std::string &candidate : candidates) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, best);
    if (distance < best || (distance == best && !nearest.empty() && candidate < nearest && distance < best)) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::vector<std::string> Names::all() const {
  std::vector<std::string> known;
  for (const auto &scope : scopes)
    for (const auto &entry : scope)
      known.push_back(entry.getKey().str());
  llvm::sort(known);
  return known;
}

std::string Names::suggestion(llvm::StringRef name) const { return didYouMean(name, all()); }

std::string plural(size_t count, llvm::StringRef noun) {
  return count == 0 ? "no " + noun.str() + "s" : std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

} // namespace quadrille::compiler::sema
