//===- SyntaxErrors.h - Our words for what ANTLR stumbles over ----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PARSE_SYNTAXERRORS_H
#define QUADRILLE_PARSE_SYNTAXERRORS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include "antlr4-runtime.h"

#include <vector>

namespace quadrille::compiler {

class Diagnostics;

/// Maps tokens to places of the text. ANTLR counts code points, we count bytes.
class TokenPlaces {
public:
  explicit TokenPlaces(llvm::StringRef text);
  llvm::SMRange range(const antlr4::Token *token) const;
  llvm::SMRange range(const antlr4::ParserRuleContext *context) const;
  llvm::SMRange range(const antlr4::Token *first, const antlr4::Token *last) const;

private:
  const char *at(std::size_t codePoint) const;
  llvm::StringRef text;
  std::vector<std::uint32_t> offsets; // byte offset per code point; empty for ASCII
};

class SyntaxErrors : public antlr4::BaseErrorListener {
public:
  /// Thrown after the first error: what ANTLR would report next is its own confusion.
  struct Stop {};

  SyntaxErrors(const TokenPlaces &places, antlr4::CommonTokenStream &tokens, Diagnostics &diagnostics)
      : places(places), tokens(tokens), diagnostics(diagnostics) {}

  /// Characters and pairs of tokens that are wrong wherever they stand, and comments without end. True if there were any.
  bool reportBadTokens();
  bool any() const { return reported; }

  void syntaxError(antlr4::Recognizer *recognizer, antlr4::Token *offending, size_t line, size_t column,
                   const std::string &message, std::exception_ptr exception) override;

private:
  class Expectation;

  /// Words one syntax error: the parser, standing in `context`, cannot go on at `offending`; `first` begins what it tried.
  void describe(const antlr4::Token *offending, const antlr4::Token *first, const Expectation &expected,
                antlr4::ParserRuleContext *context);
  /// The bracket among the first `end` tokens that is most likely the one left open, or null.
  antlr4::Token *unclosed(const std::vector<antlr4::Token *> &all, size_t end) const;
  std::vector<antlr4::Token *> visibleTokens() const;

  const TokenPlaces &places;
  antlr4::CommonTokenStream &tokens;
  Diagnostics &diagnostics;
  bool reported = false;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_PARSE_SYNTAXERRORS_H
