//===- Html.h - Pages for browsers -----------------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_SCENE_HTML_H
#define QUADRILLE_SCENE_HTML_H

#include "Page.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace quadrille::compiler::scene {

/// Writes one file that needs no other: the picture, a slider through its steps with their tables, and what is said of a group where
/// the reader points at it. Light or dark as the reader has chosen. Without scripts it is the picture alone.
void writeHtml(const Page &page, Palette palette, std::optional<double> width, llvm::raw_ostream &out);

} // namespace quadrille::compiler::scene

#endif // QUADRILLE_SCENE_HTML_H
