//===- TokenTreeBuilder.h - From ANTLR's parse tree to tokens and their parts -----------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PARSE_TOKENTREEBUILDER_H
#define QUADRILLE_PARSE_TOKENTREEBUILDER_H

#include "SyntaxErrors.h"

#include "ast/TokenTree.h"

#include "QuadrilleParser.h"

namespace quadrille::compiler {

/// `file` has been built into a syntax tree, so it is correct and not too deep.
ast::TokenTree buildTokenTree(const TokenPlaces &places, antlr4::CommonTokenStream &tokens,
                              grammar::QuadrilleParser::FileContext *file);

} // namespace quadrille::compiler

#endif // QUADRILLE_PARSE_TOKENTREEBUILDER_H
