//===- Utf8.h - Characters of UTF-8 --------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SOURCE_UTF8_H
#define QUADRILLE_SOURCE_UTF8_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace quadrille::compiler {

/// Whether a byte belongs to a character that an earlier byte begins.
constexpr bool continuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// The number of characters of a text. That is also how many columns it takes on a terminal, if no character is wide.
inline size_t columnsOf(llvm::StringRef text) {
  return static_cast<size_t>(llvm::count_if(text, [](char c) { return !continuesCharacter(c); }));
}

} // namespace quadrille::compiler

#endif // QUADRILLE_SOURCE_UTF8_H
