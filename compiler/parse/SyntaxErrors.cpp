//===- SyntaxErrors.cpp - Messages for syntax errors -----------------------------------------------------===//

#include "SyntaxErrors.h"

#include "diagnostics/Diagnostics.h"
#include "source/Utf8.h"

#include "QuadrilleLexer.h"
#include "QuadrilleParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace quadrille::compiler {

using grammar::QuadrilleLexer;
using grammar::QuadrilleParser;

TokenPlaces::TokenPlaces(llvm::StringRef text) : text(text) {
  if (llvm::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return;
  // ANTLR drops a byte order mark, and counts code points after it.
  std::uint32_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (std::uint32_t i = begin; i < text.size(); ++i)
    if (!continuesCharacter(text[i]))
      offsets.push_back(i);
}

const char *TokenPlaces::at(std::size_t codePoint) const {
  if (offsets.empty())
    return text.data() + std::min(codePoint, text.size());
  return text.data() + (codePoint < offsets.size() ? offsets[codePoint] : text.size());
}

llvm::SMRange TokenPlaces::range(const antlr4::Token *first, const antlr4::Token *last) const {
  if (first->getType() == antlr4::Token::EOF) {
    // Point behind the last visible character.
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

static bool isWord(llvm::StringRef text) { return !text.empty() && (llvm::isAlpha(text[0]) || text[0] == '_'); }

static bool adjacent(const antlr4::Token *left, const antlr4::Token *right) {
  return right->getType() != antlr4::Token::EOF && right->getStartIndex() == left->getStopIndex() + 1;
}

/// What the language has instead of something, and what may be written in its place.
template <class Hint> struct Own {
  std::optional<Hint> hint; // nothing: it knows nothing of the kind
  std::vector<llvm::StringRef> instead;

  explicit operator bool() const { return hint.has_value(); }
};
using Operator = Own<diag::OwnOperator>;
using Word = Own<diag::OwnWord>;

/// Operators of other languages.
static Operator ownOperator(llvm::StringRef foreign) {
  return llvm::StringSwitch<Operator>(foreign)
      .Case("&&", {diag::OwnOperatorAnd{}, {"and"}})
      .Case("||", {diag::OwnOperatorOr{}, {"or"}})
      .Case("!", {diag::OwnOperatorNot{}, {"not "}})
      .Case("/=", {diag::OwnOperatorNotEqual{}, {"!="}})
      .Case("===", {diag::OwnOperatorEqual{}, {"=="}})
      .Cases("=<", "..<=", {diag::OwnOperatorAtMostOrRange{}, {"<=", ".."}})
      .Case("...", {diag::OwnOperatorRanges{}, {"..", "..<"}})
      .Case("=>", {diag::OwnOperatorResults{}, {"->"}})
      .Case("+=", {diag::OwnOperatorCombine{}, {}})
      .Cases("-=", "*=", "%=", {diag::OwnOperatorNewName{}, {}})
      .Default({});
}

/// Hints for words of other languages that begin a statement or a declaration.
static Word ownWord(llvm::StringRef foreign) {
  return llvm::StringSwitch<Word>(foreign)
      .Cases("receive", "Recv", "Receive", {diag::OwnWordRecv{}, {"recv"}})
      .Cases("Send", "isend", "Isend", {diag::OwnWordSend{}, {"send"}})
      .Cases("sendrecv", "Sendrecv", {diag::OwnWordExchange{}, {}})
      .Cases("elif", "elsif", "elseif", {diag::OwnWordElseIf{}, {"else if"}})
      .Cases("while", "loop", "repeat", "do", {diag::OwnWordLoop{}, {}})
      .Case("foreach", {diag::OwnWordForOthers{}, {"for"}})
      .Cases("int", "const", "auto", "integer", {diag::OwnWordDeclare{}, {"let", "var"}})
      .Case("return", {diag::OwnWordResult{}, {}})
      .Cases("break", "continue", {diag::OwnWordWholeLoop{}, {}})
      .Cases("def", "func", "function", "define", {diag::OwnWordFunction{}, {"fn"}})
      .Case("include", {diag::OwnWordImport{}, {}})
      .Case("algorithm", {diag::OwnWordSchedule{}, {"schedule"}})
      .Default({});
}

/// The diagnostic, with a mend for each of the words that may be written instead.
static Diagnostic withMends(Diagnostic diagnostic, llvm::ArrayRef<llvm::StringRef> instead) {
  for (llvm::StringRef word : instead)
    diagnostic.instead(word);
  return diagnostic;
}

std::vector<antlr4::Token *> SyntaxErrors::visibleTokens() const {
  std::vector<antlr4::Token *> visible;
  for (antlr4::Token *token : tokens.getTokens())
    if (token->getChannel() == antlr4::Token::DEFAULT_CHANNEL)
      visible.push_back(token);
  return visible;
}

bool SyntaxErrors::reportBadTokens() {
  const std::vector<antlr4::Token *> all = visibleTokens();
  auto report = [&](llvm::SMRange range, diag::Facts facts, llvm::ArrayRef<llvm::StringRef> instead = {}) {
    diagnostics.report(withMends(Diagnostic(range, std::move(facts)), instead));
    return reported = true;
  };
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    const antlr4::Token *token = all[i], *next = all[i + 1];
    llvm::SMRange range = places.range(token);
    llvm::StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
    if (adjacent(token, next)) {
      std::string pair = text.str() + next->getText();
      if (const Operator own = ownOperator(pair))
        return report(places.range(token, next), diag::ForeignOperator{.text = pair, .own = *own.hint}, own.instead);
      // An unterminated `/*` is read as the tokens `/` and `*`.
      if (text == "/" && (next->getText() == "*" || next->getText() == "**"))
        return report(places.range(token, next), diag::UnterminatedComment{});
      if (text == "." && next->getType() == QuadrilleLexer::INT && i > 0 && all[i - 1]->getType() == QuadrilleLexer::INT)
        return report(places.range(all[i - 1], next),
                      diag::MalformedInteger{.text = all[i - 1]->getText() + "." + next->getText()});
      if (text == "." && next->getText() == "quad") {
        Diagnostic diagnostic(places.range(token, next), diag::ForeignWord{.text = ".quad", .hint = diag::OwnWordNoEnding{}});
        diagnostics.report(std::move(diagnostic.mend({"remove `.quad`", diagnostic.range, ""})));
        return reported = true;
      }
    }
    if (token->getType() != QuadrilleLexer::STRAY || text == ".")
      continue;
    if (const Operator own = ownOperator(text))
      return report(range, diag::ForeignOperator{.text = text.str(), .own = *own.hint}, own.instead);
    unsigned char first = static_cast<unsigned char>(text[0]);
    return report(range,
                  diag::StrayCharacter{.text = first < 0x20 || first == 0x7F ? "\\x" + llvm::utohexstr(first, true, 2) : text.str(),
                                       .comment = text == "#",
                                       .choice = text == "?",
                                       .quote = text == "\"" || text == "'",
                                       .letter = first >= 0x80},
                  text == "#" ? llvm::ArrayRef<llvm::StringRef>("//") : llvm::ArrayRef<llvm::StringRef>());
  }
  return false;
}

/// The tokens that may come next, described for readers: classes of tokens instead of a long list.
class SyntaxErrors::Expectation {
public:
  Expectation(const antlr4::misc::IntervalSet &set, const QuadrilleParser &parser)
      : set(set), names(parser.getATN().nextTokens(parser.getATN().ruleToStartState[QuadrilleParser::RuleName])),
        vocabulary(parser.getVocabulary()) {}

  std::vector<diag::Syntax> phrases() const {
    std::vector<diag::Syntax> parts;
    bool expression = has(QuadrilleLexer::INT), name = has(QuadrilleLexer::ID);
    bool statement = hasLiteral("'let'") && hasLiteral("'send'");
    bool item = hasLiteral("'schedule'") && hasLiteral("'collective'");
    bool operators = hasLiteral("'+'") && hasLiteral("'<<'");
    bool clause = hasLiteral("'requires'");
    if (item)
      parts.push_back(diag::SyntaxDeclaration{});
    if (clause)
      parts.push_back(diag::SyntaxClause{});
    if (statement)
      parts.push_back(diag::SyntaxStatement{});
    else if (expression)
      parts.push_back(diag::SyntaxExpression{});
    else if (name)
      parts.push_back(diag::SyntaxName{});
    if (operators)
      parts.push_back(diag::SyntaxOperator{});
    for (ssize_t token : set.toList()) {
      std::string literal = token < 0 ? "" : vocabulary.getLiteralName(static_cast<size_t>(token));
      if (literal.size() < 3)
        continue;
      std::string word = literal.substr(1, literal.size() - 2);
      bool isAWord = isWord(word);
      bool isOperator = !isAWord && word != "{" && word != "}" && word != "(" && word != ")" && word != "]" &&
                        word != "," && word != ":=" && word != ":" && word != "->" && word != "=" && word != "..<" &&
                        word != ".." && word != "..+";
      if (statement && (isAWord || word == "(" || isOperator))
        continue;
      if (item && isAWord)
        continue;
      if (expression && (isAWord || word == "(" || isOperator))
        continue;
      if (name && !expression && names.contains(token))
        continue;
      if (operators && (isOperator || word == "and" || word == "or" || word == "xor" || word == "div" ||
                        word == "mod" || word == "["))
        continue;
      if (clause && isAWord)
        continue;
      parts.push_back(diag::SyntaxWord{.word = word});
    }
    if (has(antlr4::Token::EOF))
      parts.push_back(diag::SyntaxEnd{});
    if (parts.empty())
      parts.push_back(diag::SyntaxOther{});
    return parts;
  }

  bool has(size_t token) const { return set.contains(static_cast<ssize_t>(token)); }
  /// Whether a name is expected, and not an expression.
  bool isName() const { return has(QuadrilleLexer::ID) && !has(QuadrilleLexer::INT); }
  bool hasLiteral(llvm::StringRef literal) const {
    for (ssize_t token : set.toList())
      if (token >= 0 && vocabulary.getLiteralName(static_cast<size_t>(token)) == literal)
        return true;
    return false;
  }

  /// The expected keyword most similar to a misspelled word; empty if none is similar.
  std::string nearest(llvm::StringRef wrong) const {
    std::vector<std::string> words;
    for (ssize_t token : set.toList()) {
      std::string literal = token < 0 ? "" : vocabulary.getLiteralName(static_cast<size_t>(token));
      if (literal.size() >= 5 && isWord(literal.substr(1)))
        words.push_back(literal.substr(1, literal.size() - 2));
    }
    return nearest(wrong, words);
  }

  /// The same among the words that begin a statement.
  static std::string nearestStatement(llvm::StringRef wrong) {
    return nearest(wrong, {"let", "var", "send", "recv", "exchange", "step", "if", "for", "split", "use", "else",
                           "invariant", "clock"});
  }

private:
  static std::string nearest(llvm::StringRef wrong, const std::vector<std::string> &words) {
    std::string best;
    unsigned limit = wrong.size() < 4 ? 2 : 3; // with more edits it is a different word
    for (const std::string &word : words)
      if (unsigned distance = wrong.edit_distance(word, /*AllowReplacements=*/true, limit);
          distance < limit || (distance == limit && !best.empty() && best[0] != wrong[0] && word[0] == wrong[0])) {
        limit = distance;
        best = word;
      }
    return best;
  }

  const antlr4::misc::IntervalSet &set;
  const antlr4::misc::IntervalSet names; // what a name may be: the words of the language that may be names elsewhere are among it
  const antlr4::dfa::Vocabulary &vocabulary;
};

/// The tokens that could continue one of the alternatives that the parser still considered.
static antlr4::misc::IntervalSet expectedTokens(const antlr4::NoViableAltException &viable) {
  antlr4::misc::IntervalSet expected;
  if (antlr4::atn::ATNConfigSet *configs = viable.getDeadEndConfigs())
    for (const auto &config : configs->configs)
      for (const antlr4::atn::Transition *transition : config->state->transitions)
        if (!transition->isEpsilon())
          expected.addAll(transition->label());
  return expected.isEmpty() ? viable.getExpectedTokens() : expected;
}

antlr4::Token *SyntaxErrors::unclosed(const std::vector<antlr4::Token *> &all, size_t end) const {
  struct Opened {
    antlr4::Token *token;
    size_t indent; // indentation of its line
  };
  std::vector<Opened> stack;
  antlr4::Token *suspect = nullptr;
  size_t line = 0, indent = 0;
  for (size_t i = 0; i < end; ++i) {
    antlr4::Token *token = all[i];
    bool first = token->getLine() != line;
    if (first) {
      line = token->getLine();
      indent = token->getCharPositionInLine();
    }
    std::string text = token->getText();
    if (text == "{" || text == "(" || text == "[") {
      stack.push_back({token, indent});
    } else if ((text == "}" || text == ")" || text == "]") && !stack.empty()) {
      // A `}` that is less indented than the line of its `{` probably closes another block, and the inner one was left open.
      if (text == "}" && first && indent < stack.back().indent && !suspect)
        suspect = stack.back().token;
      stack.pop_back();
    }
  }
  if (stack.empty())
    return nullptr;
  return suspect && end + 1 == all.size() ? suspect : stack.back().token;
}

void SyntaxErrors::syntaxError(antlr4::Recognizer *recognizer, antlr4::Token *offending, size_t, size_t,
                               const std::string &, std::exception_ptr exception) {
  if (reported)
    return;
  reported = true;
  auto *parser = static_cast<QuadrilleParser *>(recognizer);
  antlr4::misc::IntervalSet expected;
  const antlr4::Token *first = nullptr; // first token of the alternative that fails
  try {
    if (exception)
      std::rethrow_exception(exception);
    expected = parser->getExpectedTokens();
  } catch (const antlr4::NoViableAltException &viable) {
    expected = expectedTokens(viable);
    first = viable.getStartToken();
  } catch (const antlr4::RecognitionException &recognition) {
    expected = recognition.getExpectedTokens();
  }
  describe(offending, first, Expectation(expected, *parser), parser->getContext());
  throw Stop{};
}

template <typename Context> static Context *enclosing(antlr4::tree::ParseTree *context) {
  while (context && !dynamic_cast<Context *>(context))
    context = context->parent;
  return dynamic_cast<Context *>(context);
}

void SyntaxErrors::describe(const antlr4::Token *offending, const antlr4::Token *first, const Expectation &expected,
                            antlr4::ParserRuleContext *context) {
  const std::vector<antlr4::Token *> all = visibleTokens();
  size_t at = llvm::find(all, offending) - all.begin();
  auto text = [&](size_t back) { return at >= back && at < all.size() ? all[at - back]->getText() : std::string(); };
  auto unexpected = [&](const antlr4::Token *token, const diag::AnySyntax &wanted, const std::string &near = "",
                        bool isKeyword = false, bool isLoopHead = false) {
    Diagnostic diagnostic(
        places.range(token),
        diag::UnexpectedToken{
            .keyword = isKeyword, .found = token->getText(), .expected = wanted, .near = near, .loopHead = isLoopHead});
    antlr4::Token *open = unclosed(all, at);
    bool bracketMissing = open && ((open->getText() == "(" && expected.hasLiteral("')'")) ||
                                   (open->getText() == "[" && expected.hasLiteral("']'")));
    if (bracketMissing && open->getLine() != token->getLine())
      diagnostic.note(places.range(open), diag::OpenedHere{});
    diagnostics.report(std::move(diagnostic));
  };
  if (offending->getType() == antlr4::Token::EOF) {
    antlr4::Token *open = unclosed(all, at);
    const bool isBraceOpen = open && expected.hasLiteral("'}'") && open->getText() == "{";
    const diag::AnySyntax missing = isBraceOpen ? diag::AnySyntax{diag::SyntaxWord{.word = "}"}} : expected.phrases();
    // Point behind the last token: only blanks and comments follow.
    llvm::SMLoc end = at > 0 ? places.range(all[at - 1]).End : places.range(offending).End;
    Diagnostic diagnostic({end, end}, diag::UnexpectedEnd{.missing = missing});
    if (open)
      diagnostic.note(places.range(open), diag::OpenedHere{});
    diagnostics.report(std::move(diagnostic));
    return;
  }
  std::string word = offending->getText();
  // for (s in ...), for (int i = ...
  if (text(3) == "for" && text(2) == "(" && word != ",")
    return unexpected(all[at - 2], diag::SyntaxName{}, "", false, true);
  auto *statement = enclosing<QuadrilleParser::StatementContext>(context);
  bool inStatement = statement || enclosing<QuadrilleParser::ForStatementContext>(context);
  if (word == "requires" && inStatement)
    return diagnostics.report(places.range(offending), diag::MisplacedClause{.clause = word});
  // A foreign, misspelled or misplaced word at the start of the statement is the cause, not the token after it.
  if (!first && statement)
    first = statement->getStart();
  if (at > 0 && first == all[at - 1] && expected.hasLiteral("':='") && isWord(first->getText())) {
    std::string start = first->getText();
    bool top = !statement || dynamic_cast<QuadrilleParser::ScheduleDeclContext *>(statement->parent);
    if (!top && (start == "model" || start == "cost" || start == "rounds" || start == "ranks" || start == "lockstep"))
      return diagnostics.report(places.range(first), diag::MisplacedClause{.clause = start});
    if (const Word own = ownWord(start))
      return diagnostics.report(withMends({places.range(first), diag::ForeignWord{.text = start, .hint = *own.hint}}, own.instead));
    if (std::string near = Expectation::nearestStatement(start); !near.empty() && near != start && word != "[" && word != "(" && word != "=")
      return unexpected(first, diag::SyntaxStatement{}, near);
  }
  bool mayAssign = expected.hasLiteral("':='") || text(2) == "var", mayCompare = expected.hasLiteral("'=='");
  // The parser has just completed an invariant, which could also continue with `==`.
  if (!context->children.empty() && dynamic_cast<QuadrilleParser::InvariantStatementContext *>(context->children.back()))
    mayCompare = true;
  // So does a condition in front of its block.
  if (word == "=" && expected.hasLiteral("'{'"))
    mayCompare = true;
  if (word == "=" && (mayAssign || mayCompare)) {
    const Operator own = mayAssign && mayCompare ? Operator{diag::OwnOperatorAssignOrCompare{}, {":=", "=="}}
                         : mayAssign             ? Operator{diag::OwnOperatorAssign{}, {":="}}
                                                 : Operator{diag::OwnOperatorCompare{}, {"=="}};
    return diagnostics.report(withMends({places.range(offending), diag::ForeignOperator{.text = word, .own = *own.hint}}, own.instead));
  }
  if (const Word own = ownWord(word); own && expected.hasLiteral("'schedule'"))
    return diagnostics.report(withMends({places.range(offending), diag::ForeignWord{.text = word, .hint = *own.hint}}, own.instead));
  std::string near = offending->getType() == QuadrilleLexer::ID ? expected.nearest(word) : "";
  if (text(1) == "else" && dynamic_cast<QuadrilleParser::InvariantStatementContext *>(statement))
    return unexpected(offending, diag::SyntaxWord{.word = "empty"});
  bool isKeyword = isWord(word) && offending->getType() != QuadrilleLexer::ID && expected.isName();
  unexpected(offending, expected.phrases(), near, isKeyword);
}

} // namespace quadrille::compiler
