//===- SyntaxErrors.h - Messages for syntax errors ----------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PARSE_SYNTAXERRORS_H
#define QUADRILLE_PARSE_SYNTAXERRORS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"

#include "antlr4-runtime.h"

#include <vector>

namespace quadrille::compiler {

class Diagnostics;

/// Maps tokens to places in the text. ANTLR counts code points; places are in bytes.
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
  /// Thrown after the first error. Later errors of ANTLR often follow from it.
  struct Stop {};

  SyntaxErrors(const TokenPlaces &places, antlr4::CommonTokenStream &tokens, Diagnostics &diagnostics)
      : places(places), tokens(tokens), diagnostics(diagnostics) {}

  /// Reports characters and pairs of tokens that are wrong everywhere, and unterminated comments. Returns true if there were any.
  bool reportBadTokens();
  bool any() const { return reported; }

  void syntaxError(antlr4::Recognizer *recognizer, antlr4::Token *offending, size_t line, size_t column,
                   const std::string &message, std::exception_ptr exception) override;

private:
  class Expectation;

  /// Reports a syntax error: the parser cannot continue at `offending`. `context`: the rule it is in; `first`: the first token of the
  /// alternative that fails, may be null.
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
