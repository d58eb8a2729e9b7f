//===- SyntaxErrors.cpp - Our words for what ANTLR stumbles over -----------------------------------------------------===//

#include "SyntaxErrors.h"

#include "diagnostics/Diagnostics.h"

#include "QuadrilleLexer.h"
#include "QuadrilleParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace quadrille {

using grammar::QuadrilleLexer;
using grammar::QuadrilleParser;

TokenPlaces::TokenPlaces(llvm::StringRef text) : text(text) {
  if (llvm::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return;
  // ANTLR drops a byte order mark; so do we, as its code points start behind it.
  std::uint32_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (std::uint32_t i = begin; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80)
      offsets.push_back(i);
}

const char *TokenPlaces::at(std::size_t codePoint) const {
  if (offsets.empty())
    return text.data() + std::min(codePoint, text.size());
  return text.data() + (codePoint < offsets.size() ? offsets[codePoint] : text.size());
}

llvm::SMRange TokenPlaces::range(const antlr4::Token *first, const antlr4::Token *last) const {
  if (first->getType() == antlr4::Token::EOF) {
    // Behind the last character that is no white space, where the reader's eye is.
    const char *end = text.rtrim().end();
    return {llvm::SMLoc::getFromPointer(end), llvm::SMLoc::getFromPointer(end)};
  }
  return {llvm::SMLoc::getFromPointer(at(first->getStartIndex())),
          llvm::SMLoc::getFromPointer(at(last->getStopIndex() + 1))};
}

llvm::SMRange TokenPlaces::range(const antlr4::Token *token) const { return range(token, token); }

llvm::SMRange TokenPlaces::range(const antlr4::ParserRuleContext *context) const {
  return range(context->start, context->stop ? context->stop : context->start);
}

static std::string spelled(const antlr4::Token *token) {
  if (token->getType() == antlr4::Token::EOF)
    return "end of text";
  return "`" + token->getText() + "`";
}

/// Operators of other languages, and what to write here.
static llvm::StringRef ownOperator(llvm::StringRef foreign) {
  return llvm::StringSwitch<llvm::StringRef>(foreign)
      .Case("=", "`:=` to assign, `==` to compare")
      .Case("&&", "`and`")
      .Case("||", "`or`")
      .Case("!", "`not`")
      .Case("++", "`x + 1` in a new `let`")
      .Case("->", "`->` only before results")
      .Default("");
}

bool SyntaxErrors::reportBadTokens() {
  const std::vector<antlr4::Token *> all = tokens.getTokens();
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i]->getType() != QuadrilleLexer::STRAY)
      continue;
    llvm::SMRange range = places.range(all[i]);
    llvm::StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
    const antlr4::Token *next = i + 1 < all.size() ? all[i + 1] : nullptr;
    std::string pair = text.str();
    if (next && next->getStartIndex() == all[i]->getStopIndex() + 1)
      pair += next->getText();
    if (llvm::StringRef own = ownOperator(pair); !own.empty())
      diagnostics.report(diag::Id::ForeignOperator, range, {pair, own.str()});
    else if (llvm::StringRef single = ownOperator(text); !single.empty())
      diagnostics.report(diag::Id::ForeignOperator, range, {text.str(), single.str()});
    else
      diagnostics.report(diag::Id::StrayCharacter, range,
                         {static_cast<unsigned char>(text[0]) < 0x20 ? "\\x" + llvm::utohexstr(text[0], true, 2)
                                                                    : text.str()});
    reported = true;
    return true;
  }
  // `/*` without end arrives as the tokens `/` and `*`.
  for (size_t i = 0; i + 1 < all.size(); ++i)
    if (all[i]->getText() == "/" && all[i + 1]->getStartIndex() == all[i]->getStopIndex() + 1 &&
        (all[i + 1]->getText() == "*" || all[i + 1]->getText() == "**")) {
      diagnostics.report(diag::Id::UnterminatedComment, places.range(all[i], all[i + 1]));
      reported = true;
      return true;
    }
  return false;
}

namespace {
/// What may come next, in the words of a reader: classes of tokens instead of twenty alternatives.
class Expectation {
public:
  explicit Expectation(const antlr4::misc::IntervalSet &set, const antlr4::dfa::Vocabulary &vocabulary)
      : set(set), vocabulary(vocabulary) {}

  std::string text() const {
    std::vector<std::string> parts;
    bool expression = has(QuadrilleLexer::INT), name = has(QuadrilleLexer::ID);
    bool statement = hasLiteral("'let'") && hasLiteral("'send'");
    bool item = hasLiteral("'schedule'") && hasLiteral("'collective'");
    bool operators = hasLiteral("'+'") && hasLiteral("'<<'");
    bool clause = hasLiteral("'requires'");
    if (item)
      parts.push_back("a declaration (`schedule`, `collective`, `fn`, `tree`)");
    if (clause)
      parts.push_back("a clause");
    if (statement)
      parts.push_back("a statement");
    else if (expression)
      parts.push_back("an expression");
    else if (name)
      parts.push_back("a name");
    if (operators)
      parts.push_back("an operator");
    for (ssize_t token : set.toList()) {
      std::string literal = token < 0 ? "" : vocabulary.getLiteralName(static_cast<size_t>(token));
      if (literal.size() < 3)
        continue;
      std::string word = literal.substr(1, literal.size() - 2);
      bool isWord = llvm::isAlpha(word[0]);
      bool isOperator = !isWord && word != "{" && word != "}" && word != "(" && word != ")" && word != "]" &&
                        word != "," && word != ":=" && word != ":" && word != "->" && word != "=" && word != "..<" &&
                        word != ".." && word != "..+";
      if (statement && (isWord || word == "(" || isOperator))
        continue;
      if (item && isWord)
        continue;
      if (expression && (isWord || word == "(" || isOperator))
        continue;
      if (name && !expression && softKeyword(word))
        continue;
      if (operators && (isOperator || word == "and" || word == "or" || word == "xor" || word == "div" ||
                        word == "mod" || word == "["))
        continue;
      if (clause && isWord)
        continue;
      parts.push_back("`" + word + "`");
    }
    if (has(antlr4::Token::EOF))
      parts.push_back("the end of the text");
    std::string result;
    for (size_t i = 0; i < parts.size(); ++i)
      result += (i == 0 ? "" : i + 1 == parts.size() ? " or " : ", ") + parts[i];
    return result.empty() ? "something else" : result;
  }

private:
  bool has(size_t token) const { return set.contains(static_cast<ssize_t>(token)); }
  bool hasLiteral(llvm::StringRef literal) const {
    for (ssize_t token : set.toList())
      if (token >= 0 && vocabulary.getLiteralName(static_cast<size_t>(token)) == literal)
        return true;
    return false;
  }
  static bool softKeyword(llvm::StringRef word) {
    static const llvm::StringRef words[] = {"root",  "left",   "right",  "half", "times", "reversed", "halvings", "model",
                                            "cost",  "rounds", "ranks",  "block", "among", "at",      "by"};
    return llvm::is_contained(words, word);
  }

  const antlr4::misc::IntervalSet &set;
  const antlr4::dfa::Vocabulary &vocabulary;
};
} // namespace

void SyntaxErrors::syntaxError(antlr4::Recognizer *recognizer, antlr4::Token *offending, size_t, size_t,
                               const std::string &, std::exception_ptr exception) {
  if (reported)
    return;
  reported = true;
  auto *parser = static_cast<QuadrilleParser *>(recognizer);
  antlr4::misc::IntervalSet expected;
  try {
    if (exception)
      std::rethrow_exception(exception);
    expected = parser->getExpectedTokens();
  } catch (const antlr4::NoViableAltException &viable) {
    expected = viable.getExpectedTokens();
  } catch (const antlr4::RecognitionException &recognition) {
    expected = recognition.getExpectedTokens();
  }
  Expectation expectation(expected, parser->getVocabulary());
  if (offending->getType() == antlr4::Token::EOF) {
    diagnostics.report(diag::Id::UnexpectedEnd, places.range(offending), {expectation.text()});
    throw Stop{};
  }
  if (llvm::StringRef own = ownOperator(offending->getText()); !own.empty())
    diagnostics.report(diag::Id::ForeignOperator, places.range(offending), {offending->getText(), own.str()});
  else
    diagnostics.report(diag::Id::UnexpectedToken, places.range(offending), {spelled(offending), expectation.text()});
  throw Stop{};
}

} // namespace quadrille
