//===- Format.h - A text in the style of the library ------------------------------------------------------------*- C++ -*-===//
//
// docs/formatting.md says what the style is. Only blanks and line breaks change: tokens, comments and their order stay.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_FORMAT_FORMAT_H
#define QUADRILLE_FORMAT_FORMAT_H

#include <optional>
#include <string>

namespace quadrille::compiler {

class Diagnostics;
class Sources;

namespace format {

/// The text of `buffer`, formatted. Returns nothing after a syntax error, which is reported.
std::optional<std::string> formatText(const Sources &sources, unsigned buffer, Diagnostics &diagnostics);

} // namespace format
} // namespace quadrille::compiler

#endif // QUADRILLE_FORMAT_FORMAT_H
