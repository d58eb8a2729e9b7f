//===- Gap.cpp - Why proofs leave something open -----------------------------------------------------------------------------===//

#include "Gap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace quadrille::compiler::prove {

namespace {
struct Entry {
  llvm::StringLiteral name, phrase, help;
};
} // namespace

static constexpr Entry entries[] = {
#define GAP(NAME, PHRASE, HELP) {#NAME, PHRASE, HELP},
#include "Gaps.def"
#undef GAP
};

static const Entry &entryOf(Gap gap) { return entries[static_cast<std::size_t>(gap)]; }

llvm::StringRef gapName(Gap gap) { return entryOf(gap).name; }

std::optional<Gap> gapNamed(llvm::StringRef name) {
  const auto *found = llvm::find_if(entries, [&](const Entry &entry) { return entry.name == name; });
  if (found == std::end(entries))
    return std::nullopt;
  return static_cast<Gap>(found - std::begin(entries));
}

std::string gapText(Gap gap, llvm::StringRef subject) {
  const llvm::StringRef phrase = entryOf(gap).phrase;
  const auto [before, after] = phrase.split('%');
  return phrase.contains('%') ? (llvm::Twine(before) + subject + after).str() : phrase.str();
}

llvm::StringRef gapHelp(Gap gap) { return entryOf(gap).help; }

} // namespace quadrille::compiler::prove
