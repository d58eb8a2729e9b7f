//===- Shrinker.cpp - The smallest program that shows the same --------------------------------------------------------------===//

#include "Shrinker.h"

#include "Edits.h"
#include "Generate.h"

#include "llvm/ADT/StringExtras.h"

#include <chrono>
#include <set>

namespace quadrille::compiler::fuzz {

/// The text without comments and empty lines.
static std::string tidy(llvm::StringRef text) {
  std::string result;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.split("//").first.rtrim();
    if (!line.trim().empty())
      result += line.str() + "\n";
  }
  return result;
}

/// Texts with a range of tokens deleted, long ranges first. For texts with syntax errors.
static std::vector<std::string> withoutTokens(const std::string &text) {
  const std::vector<std::string> tokens = tokensOf(text);
  std::vector<std::string> result;
  for (size_t length = tokens.size() / 2; length >= 1; length /= 2)
    for (size_t at = 0; at < tokens.size(); at += length) {
      std::vector<std::string> left(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(at));
      left.insert(left.end(), tokens.begin() + static_cast<std::ptrdiff_t>(std::min(at + length, tokens.size())), tokens.end());
      result.push_back(llvm::join(left, ""));
    }
  return result;
}

std::vector<std::string> Shrinker::candidates(const std::string &text) {
  // In a separate process, as the parser may crash.
  const Ended ended = runAlone(bounds, [&](const Teller &teller) {
    llvm::StringRef kept;
    if (std::optional<ast::File> file = compiler.syntax(text, kept))
      for (const Edit &edit : reductionsOf(*file, kept))
        teller.tell("text", edit.applyTo(kept));
  });
  std::vector<std::string> texts;
  for (const auto &[about, smaller] : ended.told)
    texts.push_back(tidy(smaller));
  return texts.empty() ? withoutTokens(text) : texts;
}

std::optional<std::string> Shrinker::firstThatShows(llvm::ArrayRef<std::string> texts) {
  Processes processes;
  std::set<size_t> good;
  size_t next = 0;
  std::optional<std::string> found;
  while ((next < texts.size() && good.empty()) || processes.running() > 0) {
    while (next < texts.size() && good.empty() && processes.running() < jobs) {
      processes.start(next, bounds, [&](const Teller &teller) { work(texts[next], teller); });
      ++next;
    }
    auto [number, ended] = processes.wait();
    if (shows(ended))
      good.insert(number);
  }
  if (!good.empty())
    found = texts[*good.begin()];
  return found;
}

std::string Shrinker::run(std::string text) {
  const auto begin = std::chrono::steady_clock::now();
  auto isLate = [&] { return std::chrono::steady_clock::now() - begin > std::chrono::seconds(seconds); };
  std::set<std::string> tried = {text};
  if (const std::string plain = tidy(text); tried.insert(plain).second && firstThatShows({plain}))
    text = plain;
  for (bool isSmaller = true; isSmaller && tries > 0 && !isLate();) {
    isSmaller = false;
    std::vector<std::string> untried;
    for (std::string &candidate : candidates(text))
      if (tried.insert(candidate).second)
        untried.push_back(std::move(candidate));
    // In groups, to check the time in between.
    for (size_t at = 0; at < untried.size() && !isSmaller && tries > 0 && !isLate(); at += 16) {
      const llvm::ArrayRef<std::string> group = llvm::ArrayRef(untried).slice(at, std::min<size_t>(16, untried.size() - at));
      tries -= std::min<unsigned>(tries, static_cast<unsigned>(group.size()));
      if (std::optional<std::string> smaller = firstThatShows(group)) {
        text = *smaller;
        isSmaller = true;
      }
    }
  }
  return text;
}

} // namespace quadrille::compiler::fuzz
