//===- Parser.h - From text to syntax tree ----------------------------------------------------------------*- C++ -*-===//
//
// The only folder that knows ANTLR. Every syntax error is worded here, from the grammar's state and the tokens around.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PARSE_PARSER_H
#define QUADRILLE_PARSE_PARSER_H

#include "ast/Ast.h"

#include <optional>

namespace quadrille::compiler {

class Diagnostics;
class Sources;

/// Parses the text of `buffer`. Returns nothing if it has a syntax error, which is reported (one per file: what follows
/// the first error is guesswork).
std::optional<ast::File> parse(const Sources &sources, unsigned buffer, Diagnostics &diagnostics);

} // namespace quadrille::compiler

#endif // QUADRILLE_PARSE_PARSER_H
