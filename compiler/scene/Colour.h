//===- Colour.h - Colours by purpose ---------------------------------------------------------------------------*- C++ -*-===//
//
// A scene names the purpose of a colour. The colour itself depends on the palette, and on whether the page is light or dark.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_SCENE_COLOUR_H
#define QUADRILLE_SCENE_COLOUR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <compare>
#include <cstdint>
#include <string>

namespace quadrille::compiler::scene {

struct Colour {
  enum Role : std::uint8_t {
    None,   // nothing is drawn
    Paper,  // the page
    Ink,    // what is read first
    Faint,  // what explains it
    Rule,   // thin lines, such as those of ranks
    Band,   // every other column
    Muted,  // arrows beside which others matter more
    Idle,   // a link that carries nothing
    Alarm,  // what is wrong
    Series, // the index-th of things that are told apart
    Tint,   // a light shade of the same
    Ramp,   // the index-th of steps from little to much
  };

  Colour(Role role = None, std::uint32_t index = 0) : role(role), index(index) {}
  explicit operator bool() const { return role != None; }
  auto operator<=>(const Colour &) const = default;

  static Colour series(std::uint64_t index);
  static Colour tint(std::uint64_t index);
  static constexpr std::uint32_t rampSteps = 5;

  Role role;
  std::uint32_t index;
};

enum class Palette {
  OkabeIto, // told apart by those who see few colours
  Tol,      // the same, in other shades
  Grey,     // for paper
};

llvm::ArrayRef<llvm::StringRef> paletteNames();
/// One of these names.
Palette paletteNamed(llvm::StringRef name);

/// The number of different colours in a series. It is odd, so that numbers whose difference is a power of two have different colours.
std::size_t seriesCount(Palette palette);

/// Six hexadecimal digits, "0072b2".
std::string hexOf(Colour colour, Palette palette, bool isDark);

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_COLOUR_H
