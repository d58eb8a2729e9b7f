//===- Parser.cpp - Runs ANTLR within limits ----------------------------------------------------===//

#include "Parser.h"

#include "AstBuilder.h"
#include "SyntaxErrors.h"
#include "TokenTreeBuilder.h"

#include "diagnostics/Diagnostics.h"
#include "limits/Limits.h"
#include "source/Sources.h"

#include "QuadrilleLexer.h"
#include "QuadrilleParser.h"
#include "antlr4-runtime.h"

#include "llvm/ADT/ScopeExit.h"

#include <cassert>

namespace quadrille::compiler {

/// Limits the recursion of ANTLR parsers, which would overflow the stack. One level of parentheses takes several rules.
namespace {
class DepthGuard : public antlr4::tree::ParseTreeListener {
public:
  struct Exceeded {
    antlr4::Token *at;
  };

  void enterEveryRule(antlr4::ParserRuleContext *context) override {
    if (++depth > limits::parserRules)
      throw Exceeded{context->getStart()};
  }
  void exitEveryRule(antlr4::ParserRuleContext *) override {
    assert(depth > 0 && "a rule ends that has not begun");
    --depth;
  }
  void visitTerminal(antlr4::tree::TerminalNode *) override {}
  void visitErrorNode(antlr4::tree::ErrorNode *) override {}

private:
  unsigned depth = 0;
};

/// The first token that is nested too deeply; null if there is none. Called before parsing, as ANTLR's lookahead on deeply nested
/// input is slow, and runs before the guard above.
antlr4::Token *tooDeepToken(antlr4::CommonTokenStream &tokens) {
  unsigned open = 0, signs = 0;
  for (antlr4::Token *token : tokens.getTokens()) {
    if (token->getChannel() != antlr4::Token::DEFAULT_CHANNEL)
      continue;
    std::string text = token->getText();
    if (text == "(" || text == "[" || text == "{")
      ++open;
    else if ((text == ")" || text == "]" || text == "}") && open)
      --open;
    signs = text == "-" || text == "+" || text == "not" ? signs + 1 : 0;
    if (open > limits::nestingLevels + 8 || signs > limits::nestingLevels)
      return token;
  }
  return nullptr;
}
} // namespace

/// Parses with SLL prediction, which looks at the next tokens alone and is ANTLR's faster mode; it suffices for nearly all texts.
/// What it refuses is parsed once more with full LL prediction, which reports the errors. What it accepts has the same tree.
static grammar::QuadrilleParser::FileContext *treeOf(grammar::QuadrilleParser &parser, SyntaxErrors &errors) {
  auto &simulator = *parser.getInterpreter<antlr4::atn::ParserATNSimulator>();
  auto parseGuarded = [&] {
    DepthGuard guard;
    parser.addParseListener(&guard);
    auto remove = llvm::make_scope_exit([&] { parser.removeParseListener(&guard); });
    return parser.file();
  };
  const auto usual = parser.getErrorHandler();
  simulator.setPredictionMode(antlr4::atn::PredictionMode::SLL);
  parser.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
  try {
    return parseGuarded();
  } catch (const antlr4::ParseCancellationException &) {
  }
  parser.reset();
  parser.setErrorHandler(usual);
  parser.addErrorListener(&errors);
  simulator.setPredictionMode(antlr4::atn::PredictionMode::LL);
  return parseGuarded();
}

/// Returns what `make(file, places, tokens, tree)` makes of a text without syntax errors.
template <class Result, class Make>
static std::optional<Result> parseAnd(const Sources &sources, unsigned buffer, Diagnostics &diagnostics, Make make) {
  llvm::StringRef text = sources.text(buffer);
  TokenPlaces places(text);
  antlr4::ANTLRInputStream input(text.str());
  grammar::QuadrilleLexer lexer(&input);
  lexer.removeErrorListeners();
  antlr4::CommonTokenStream tokens(&lexer);
  tokens.fill();
  grammar::QuadrilleParser parser(&tokens);
  parser.removeErrorListeners();
  SyntaxErrors errors(places, tokens, diagnostics);
  if (errors.reportBadTokens())
    return std::nullopt;
  if (antlr4::Token *token = tooDeepToken(tokens)) {
    diagnostics.report(places.range(token), diag::NestedTooDeeply{.limit = limits::nestingLevels});
    return std::nullopt;
  }
  try {
    grammar::QuadrilleParser::FileContext *tree = treeOf(parser, errors);
    if (errors.any())
      return std::nullopt;
    AstBuilder builder(places, diagnostics);
    if (std::optional<ast::File> file = builder.build(tree))
      return make(*file, places, tokens, tree);
  } catch (const DepthGuard::Exceeded &exceeded) {
    diagnostics.report(places.range(exceeded.at), diag::NestedTooDeeply{.limit = limits::nestingLevels});
  } catch (const AstBuilder::TooDeep &deep) {
    diagnostics.report(deep.range, diag::NestedTooDeeply{.limit = limits::nestingLevels});
  } catch (const SyntaxErrors::Stop &) {
  }
  return std::nullopt;
}

std::optional<ast::File> parse(const Sources &sources, unsigned buffer, Diagnostics &diagnostics) {
  return parseAnd<ast::File>(sources, buffer, diagnostics, [](ast::File &file, auto &&...) { return std::move(file); });
}

std::optional<ast::TokenTree> parseTokens(const Sources &sources, unsigned buffer, Diagnostics &diagnostics) {
  return parseAnd<ast::TokenTree>(
      sources, buffer, diagnostics,
      [](ast::File &, const TokenPlaces &places, antlr4::CommonTokenStream &tokens, grammar::QuadrilleParser::FileContext *tree) {
        return buildTokenTree(places, tokens, tree);
      });
}

} // namespace quadrille::compiler
