//===- Settings.cpp - What the environment says of choices ----------------===//

#include "Settings.h"

#include "Names.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

extern char **environ;

using namespace quadrille;
using namespace quadrille::detail;

namespace {

std::string variableOf(std::string_view collective) {
  std::string name = "QUADRILLE_";
  for (const char c : collective)
    name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

/// The text of a file; nothing if it cannot be read, and errno says why.
std::optional<std::string> textOf(const char *path) {
  // No table is as large as this limit, which prevents that a wrong path fills the memory.
  constexpr std::size_t most = 16 << 20;
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path, "rb"), &std::fclose);
  if (!file)
    return std::nullopt;
  std::string text;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;) {
    text.append(buffer, got);
    if (text.size() > most) {
      errno = EFBIG;
      return std::nullopt;
    }
  }
  return std::ferror(file.get()) ? std::nullopt : std::optional(text);
}

/// Says that a variable of the environment has almost the name of one of ours, since it would
/// have no effect.
std::string misspelled() {
  static constexpr std::string_view others[] = {"QUADRILLE_TABLE", "QUADRILLE_TRACE", "QUADRILLE_REPRODUCIBLE", "QUADRILLE_DISABLE", "QUADRILLE_AFTER", "QUADRILLE_CALLS"};
  std::vector<std::string> names(std::begin(others), std::end(others));
  for (const std::string_view collective : collectiveNames)
    names.push_back(variableOf(collective));
  for (char **entry = environ; entry && *entry; ++entry) {
    const std::string_view name(*entry, std::strcspn(*entry, "="));
    if (name.substr(0, 10) != "QUADRILLE_")
      continue;
    bool isKnown = false;
    for (const std::string &known : names)
      isKnown |= name == known;
    for (const std::string &known : names)
      // The rest after the common beginning: short names differ little from each other.
      if (!isKnown && isNear(name.substr(10), std::string_view(known).substr(10)))
        return "the variable " + std::string(name) + " is not known; did you mean " + known + "?";
  }
  return "";
}

Settings read() {
  Settings settings;
  const auto complain = [&](std::string what) {
    if (settings.problem.empty())
      settings.problem = std::move(what);
  };
  if (const char *path = std::getenv("QUADRILLE_TABLE"); path && *path) {
    errno = 0;
    if (std::optional<std::string> text = textOf(path)) {
      settings.tableName = path;
      settings.tableText = std::move(*text);
    } else {
      complain("QUADRILLE_TABLE: cannot read " + std::string(path) + ": " + std::strerror(errno) +
               "; name a table that `quadrille tune` has written, or unset the variable");
    }
  }
  for (const std::string_view collective : collectiveNames)
    if (const char *text = std::getenv(variableOf(collective).c_str()); text && *text)
      settings.overrides.emplace_back(collective, text);
  if (const char *text = std::getenv("QUADRILLE_REPRODUCIBLE"); text && *text) {
    settings.reproducible = std::strcmp(text, "1") == 0;
    if (!settings.reproducible && std::strcmp(text, "0") != 0)
      complain("QUADRILLE_REPRODUCIBLE is `" + std::string(text) + "`; it can be 0 or 1");
  }
  if (const char *text = std::getenv("QUADRILLE_TRACE"); text && *text) {
    settings.trace = std::strcmp(text, "all") == 0 ? Settings::Trace::All
                     : std::strcmp(text, "1") == 0 ? Settings::Trace::Distinct
                                                   : Settings::Trace::None;
    // The last two are for the preload library (docs/preload.md), which may be loaded into a program that calls libquadrille itself.
    const bool isKnown = settings.trace != Settings::Trace::None || std::strcmp(text, "0") == 0 || std::strcmp(text, "summary") == 0 ||
                         std::strcmp(text, "compare") == 0;
    if (!isKnown)
      complain("QUADRILLE_TRACE is `" + std::string(text) +
               "`; it can be 0, 1 (each different call once) or all, and with the preload library summary or compare");
  }
  complain(misspelled());
  return settings;
}

} // namespace

const Settings &detail::settingsOfProcess() {
  static const Settings settings = read();
  return settings;
}

// ---- as one text: each part with its length before it ----------------------

std::string Settings::packed() const {
  std::string result;
  const auto add = [&](const std::string &part) { result += std::to_string(part.size()) + ":" + part; };
  add(problem);
  add(tableName);
  add(tableText);
  add(std::string(1, reproducible ? '1' : '0'));
  add(std::string(1, static_cast<char>(trace)));
  for (const auto &[collective, text] : overrides) {
    add(collective);
    add(text);
  }
  return result;
}

Settings Settings::unpacked(const std::string &text) {
  std::size_t at = 0;
  const auto take = [&] {
    const std::size_t colon = text.find(':', at), size = std::stoul(text.substr(at, colon - at));
    at = colon + 1 + size;
    return text.substr(colon + 1, size);
  };
  Settings result;
  result.problem = take();
  result.tableName = take();
  result.tableText = take();
  result.reproducible = take() == "1";
  result.trace = static_cast<Trace>(take()[0]);
  while (at < text.size()) {
    std::string collective = take();
    result.overrides.emplace_back(std::move(collective), take());
  }
  return result;
}
