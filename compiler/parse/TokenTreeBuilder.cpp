//===- TokenTreeBuilder.cpp - From ANTLR's parse tree to tokens and their parts ---------------------------------===//

#include "TokenTreeBuilder.h"

#include "Alternatives.h"

#include "QuadrilleLexer.h"

#include <cassert>

namespace quadrille::compiler {

using namespace ast;
using grammar::QuadrilleLexer;
using P = grammar::QuadrilleParser;

namespace {

template <class... Contexts> bool isAny(antlr4::ParserRuleContext *context) {
  return ((as<Contexts>(context) != nullptr) || ...);
}

bool isAggregate(antlr4::ParserRuleContext *context) {
  auto *call = as<P::CallAtomContext>(context);
  return call && call->aggregate;
}

Construct formOf(antlr4::ParserRuleContext *context) {
  switch (context->getRuleIndex()) {
  case P::RuleFile:
    return Construct::File;
  case P::RuleImportDecl:
    return Construct::Import;
  case P::RuleCollectiveDecl:
    return Construct::Collective;
  case P::RuleEnsures:
    return Construct::Ensures;
  case P::RuleKnows:
    return Construct::Knows;
  case P::RuleFunctionDecl:
    return Construct::Function;
  case P::RuleLemmaDecl:
    return Construct::Lemma;
  case P::RuleTreeDecl:
    return Construct::Tree;
  case P::RuleScheduleDecl:
    return Construct::Schedule;
  case P::RuleInstance:
    return Construct::Instance;
  case P::RuleClause:
    return Construct::Clause;
  case P::RuleIfStatementTail:
    return Construct::If;
  case P::RuleName:
    return Construct::Name;
  case P::RuleStatement:
    return isAny<P::StepStatementContext>(context)        ? Construct::Step
           : isAny<P::IfStatementContext>(context)        ? Construct::If
           : isAny<P::ForStatementContext>(context)       ? Construct::For
           : isAny<P::UseStatementContext>(context)       ? Construct::Use
           : isAny<P::InvariantStatementContext>(context) ? Construct::Invariant
                                                          : Construct::Statement;
  case P::RuleExpr:
    if (isAny<P::SignExprContext>(context))
      return Construct::Sign;
    if (isAny<P::SelectExprContext>(context))
      return Construct::Select;
    return isAny<P::AtomExprContext, P::FieldExprContext, P::AtRankExprContext, P::IndexExprContext, P::NotExprContext>(context)
               ? Construct::Other
               : Construct::Binary;
  case P::RuleAtom:
    return isAny<P::FoldAtomContext>(context) || isAggregate(context) ? Construct::Aggregate : Construct::Other;
  default:
    return Construct::Other;
  }
}

class Builder {
public:
  Builder(const TokenPlaces &places, antlr4::CommonTokenStream &tokens) {
    numbers.resize(tokens.size());
    for (antlr4::Token *token : tokens.getTokens()) {
      const size_t type = token->getType();
      if (type == QuadrilleLexer::SPACE || type == antlr4::Token::EOF)
        continue;
      const TokenKind kind = type == QuadrilleLexer::LINE_COMMENT    ? TokenKind::LineComment
                             : type == QuadrilleLexer::BLOCK_COMMENT ? TokenKind::BlockComment
                                                                     : TokenKind::Code;
      if (kind == TokenKind::Code) {
        numbers[token->getTokenIndex()] = static_cast<unsigned>(result.code.size());
        result.code.push_back(static_cast<unsigned>(result.tokens.size()));
      }
      const llvm::SMRange range = places.range(token);
      const char *begin = range.Start.getPointer();
      result.tokens.push_back({kind, llvm::StringRef(begin, static_cast<size_t>(range.End.getPointer() - begin))});
    }
  }

  TokenTree build(P::FileContext *file) {
    if (!result.code.empty()) {
      result.file = node(file);
      result.file.last = static_cast<unsigned>(result.code.size()) - 1; // without the end of the text
    }
    return std::move(result);
  }

private:
  Node node(antlr4::ParserRuleContext *context) const {
    // What consists of another part alone is that part.
    while (context->children.size() == 1) {
      auto *only = dynamic_cast<antlr4::ParserRuleContext *>(context->children[0]);
      if (!only || formOf(context) != Construct::Other)
        break;
      context = only;
    }
    Node made;
    made.form = formOf(context);
    made.first = numbers[context->getStart()->getTokenIndex()];
    made.last = numbers[context->getStop()->getTokenIndex()];
    for (antlr4::tree::ParseTree *child : context->children)
      if (auto *part = dynamic_cast<antlr4::ParserRuleContext *>(child)) {
        Node inner = node(part);
        assert(made.first <= inner.first && (made.children.empty() || made.children.back().last < inner.first) &&
               "the parts of a rule follow each other");
        made.children.push_back(std::move(inner));
      }
    return made;
  }

  TokenTree result;
  std::vector<unsigned> numbers; // among the code, by index in ANTLR's stream
};

} // namespace

TokenTree buildTokenTree(const TokenPlaces &places, antlr4::CommonTokenStream &tokens, P::FileContext *file) {
  return Builder(places, tokens).build(file);
}

} // namespace quadrille::compiler
