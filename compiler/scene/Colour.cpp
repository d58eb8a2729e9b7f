//===- Colour.cpp - Colours by purpose -------------------------------------------------------------------------------===//

#include "Colour.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace quadrille::compiler::scene {

namespace {

// Okabe and Ito, Color Universal Design, 2008, without yellow, which is hard to see on white, and with three dark colours added.
constexpr llvm::StringLiteral okabeIto[] = {"0072b2", "d55e00", "009e73", "b5528c", "d98e04", "3f9fd8", "882255", "5b6670", "6b7a12"};
// Tol, Colour Schemes, SRON/EPS/TN/09-002, 2021, the scheme "muted" without its palest.
constexpr llvm::StringLiteral tol[] = {"332288", "cc6677", "117733", "88ccee", "882255", "999933", "44aa99"};
constexpr llvm::StringLiteral grey[] = {"1f2328", "7d858d", "4a5158", "a3aab1", "62696f"};

// From little to much; they differ in lightness, too.
constexpr llvm::StringLiteral ramp[] = {"7fb2dc", "3f86c4", "7a51a8", "cf3f6e", "8f0f14"};
constexpr llvm::StringLiteral greyRamp[] = {"b4bbc2", "8d959d", "666d75", "40474e", "111417"};
static_assert(std::size(ramp) == Colour::rampSteps && std::size(greyRamp) == Colour::rampSteps);

constexpr llvm::StringLiteral names[] = {"okabe-ito", "tol", "grey"}; // in the order of Palette
constexpr llvm::StringRef nameList[] = {names[0], names[1], names[2]};

llvm::ArrayRef<llvm::StringLiteral> seriesOf(Palette palette) {
  switch (palette) {
  case Palette::OkabeIto:
    return okabeIto;
  case Palette::Tol:
    return tol;
  case Palette::Grey:
    break;
  }
  return grey;
}

/// The first colour, with `share` of it replaced by the second.
std::string mixed(llvm::StringRef colour, llvm::StringRef other, double share) {
  unsigned a = 0, b = 0;
  colour.getAsInteger(16, a);
  other.getAsInteger(16, b);
  std::string result;
  for (int shift : {16, 8, 0}) {
    const double channel = ((a >> shift) & 255) * (1 - share) + ((b >> shift) & 255) * share;
    result += llvm::utohexstr(static_cast<std::uint64_t>(std::lround(channel)), /*LowerCase=*/true, 2);
  }
  return result;
}

} // namespace

Colour Colour::series(std::uint64_t index) { return {Series, static_cast<std::uint32_t>(index)}; }
Colour Colour::tint(std::uint64_t index) { return {Tint, static_cast<std::uint32_t>(index)}; }

llvm::ArrayRef<llvm::StringRef> paletteNames() { return nameList; }

Palette paletteNamed(llvm::StringRef name) { return static_cast<Palette>(llvm::find(nameList, name) - std::begin(nameList)); }

std::size_t seriesCount(Palette palette) { return seriesOf(palette).size(); }

std::string hexOf(Colour colour, Palette palette, bool isDark) {
  constexpr const char *paper = "ffffff", *night = "0d1117";
  const auto choose = [&](const char *light, const char *dark) { return std::string(isDark ? dark : light); };
  switch (colour.role) {
  case Colour::None:
    return "";
  case Colour::Paper:
    return choose(paper, night);
  case Colour::Ink:
    return choose("1f2328", "e6edf3");
  case Colour::Faint:
    return choose("59636e", "9aa4af");
  case Colour::Rule:
    return choose("c4ccd4", "39424c");
  case Colour::Band:
    return choose("f1f4f8", "171d25");
  case Colour::Muted:
    return choose("7a8591", "8a95a1");
  case Colour::Idle:
    return choose("d5dbe1", "303841");
  case Colour::Alarm:
    return choose("b3261e", "ff8a80");
  case Colour::Series:
  case Colour::Tint: {
    const std::string own = seriesOf(palette)[colour.index % seriesCount(palette)].str();
    if (colour.role == Colour::Series)
      return isDark ? mixed(own, "ffffff", palette == Palette::Grey ? 0.5 : 0.3) : own;
    return isDark ? mixed(own, night, 0.62) : mixed(own, paper, 0.84);
  }
  case Colour::Ramp: {
    const std::string own = (palette == Palette::Grey ? llvm::ArrayRef(greyRamp) : llvm::ArrayRef(ramp))[colour.index % Colour::rampSteps].str();
    return isDark ? mixed(own, "ffffff", 0.08 * (1 + colour.index)) : own;
  }
  }
  return "";
}

} // namespace quadrille::compiler::scene
