//===- Parser.h - From text to syntax tree ----------------------------------------------------------------*- C++ -*-===//
//
// Only this folder includes ANTLR. It has its own messages for syntax errors, made from the parser's state and the tokens nearby.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_PARSE_PARSER_H
#define QUADRILLE_PARSE_PARSER_H

#include "ast/Ast.h"
#include "ast/TokenTree.h"

#include <optional>

namespace quadrille::compiler {

class Diagnostics;
class Sources;

/// Parses the text of `buffer`. Returns nothing after a syntax error. Only the first error of a file is reported, since others may
/// follow from it.
std::optional<ast::File> parse(const Sources &sources, unsigned buffer, Diagnostics &diagnostics);

/// The same, with all tokens and comments instead of what they mean. Returns nothing where `parse` does.
std::optional<ast::TokenTree> parseTokens(const Sources &sources, unsigned buffer, Diagnostics &diagnostics);

} // namespace quadrille::compiler

#endif // QUADRILLE_PARSE_PARSER_H
