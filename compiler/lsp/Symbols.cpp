//===- Symbols.cpp - The declarations of a text, and what can be done with its schedules ----------------------------------------------===//

#include "Declarations.h"
#include "Features.h"

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

namespace {

/// Kinds of symbols, as the protocol numbers them.
enum SymbolKind { asClass = 5, asFunction = 12, asVariable = 13, asStruct = 23, asInterface = 11, asConstant = 14 };

SymbolKind kindOf(DeclarationKind kind) {
  switch (kind) {
  case DeclarationKind::Collective:
    return asInterface;
  case DeclarationKind::Lemma:
    return asConstant;
  case DeclarationKind::Tree:
    return asStruct;
  case DeclarationKind::Schedule:
    return asClass;
  case DeclarationKind::Function:
    break;
  }
  return asFunction;
}

json::Object symbol(const std::string &name, SymbolKind kind, Range whole, Range ofName) {
  return json::Object{{"name", name}, {"kind", static_cast<int>(kind)}, {"range", toJson(whole)}, {"selectionRange", toJson(ofName)}};
}

} // namespace

json::Value symbols(const World &world, const Document &document, const json::Object &) {
  const Analysis analysis(world, document);
  json::Array result;
  if (!analysis.file.text)
    return result;
  for (const Declaration &declaration : declarationsOf(*analysis.file.text, analysis.text())) {
    json::Object one = symbol(declaration.name->text, kindOf(declaration.kind), analysis.range(declaration.whole), analysis.range(declaration.name->range));
    if (const ast::Schedule *schedule = declaration.schedule) {
      one["detail"] = schedule->collective.text;
      json::Array children;
      for (const Mention &mention : analysis.mentions.all())
        if (mention.isDeclaration() && mention.kind == MentionKind::Blocks && analysis.isHere(mention.range.Start) &&
            mention.range.Start.getPointer() >= schedule->range.Start.getPointer() && mention.range.Start.getPointer() < schedule->range.End.getPointer()) {
          const Range range = analysis.range(mention.range);
          json::Object child = symbol(std::string(mention.range.Start.getPointer(), mention.range.End.getPointer()), asVariable, range, range);
          child["detail"] = mention.what;
          children.push_back(std::move(child));
        }
      one["children"] = std::move(children);
    }
    result.push_back(std::move(one));
  }
  return result;
}

json::Value lenses(const World &world, const Document &document, const json::Object &) {
  const Analysis analysis(world, document);
  json::Array result;
  for (const ast::Schedule *schedule : analysis.schedulesHere()) {
    if (!analysis.analyzed(*schedule))
      continue; // it has errors, or leaves a tree open
    for (llvm::StringLiteral command : lensCommands)
      result.push_back(json::Object{
          {"range", toJson(analysis.range(schedule->name.range))},
          {"command", json::Object{{"title", command},
                                   {"command", ("quadrille." + command).str()},
                                   {"arguments", json::Array{document.uri, schedule->collective.text + "/" + schedule->name.text}}}}});
  }
  return result;
}

} // namespace quadrille::compiler::lsp
