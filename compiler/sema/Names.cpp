//===- Names.cpp - Scopes of names --------------------------------------------------------------------------------===//

#include "ExprSema.h"

#include "source/Counted.h"

namespace quadrille::compiler::sema {

const Symbol *Names::find(llvm::StringRef name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (auto found = scope->find(name); found != scope->end())
      return &found->second;
  return nullptr;
}

std::string didYouMean(llvm::StringRef name, const std::vector<std::string> &candidates) {
  if (name.size() < 3)
    return ""; // short names are all similar
  unsigned best = name.size() / 3 + 1;
  std::string nearest;
  for (const std::string &candidate : candidates) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, best);
    if (distance < best || (distance == best && !nearest.empty() && candidate < nearest && distance < best)) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::vector<std::string> Names::all() const {
  std::vector<std::string> known;
  for (const auto &scope : scopes)
    for (const auto &entry : scope)
      known.push_back(entry.getKey().str());
  llvm::sort(known);
  return known;
}

// ---- mentions -----------------------------------------------------------------------------------------------------------

const Symbol *ExprSema::find(llvm::StringRef text, llvm::SMRange range) {
  const Symbol *symbol = names.find(text);
  if (symbol)
    note(range, *symbol);
  return symbol;
}

void ExprSema::note(llvm::SMRange range, const Symbol &symbol) {
  if (scope->mentions)
    noted.push_back({scope->mentions, range, symbol});
}

void ExprSema::note(llvm::SMRange range, llvm::SMRange declaration, MentionKind kind) {
  if (scope->mentions)
    scope->mentions->add({range, declaration, kind, ""});
}

static std::string textAt(llvm::SMRange range) { return std::string(range.Start.getPointer(), range.End.getPointer()); }

/// "block[p], split into k": the shape, in the words of the declaration.
static std::string descriptionOf(const ir::Buffer &buffer) {
  std::string text;
  switch (buffer.kind) {
  case ir::BufferKind::Input:
    text = "an input, ";
    break;
  case ir::BufferKind::Output:
    text = "a result, ";
    break;
  case ir::BufferKind::Local:
    break;
  case ir::BufferKind::Message:
    text = "a message, ";
    break;
  }
  text += buffer.isArray && buffer.count ? "block[" + textAt(buffer.count->range) + "]" : buffer.isArray ? "several blocks" : "a block";
  if (buffer.length)
    text += " of " + textAt(buffer.length->range);
  if (buffer.like)
    text += ", as `" + textAt(buffer.like->range) + "`";
  if (buffer.presence)
    text += ", at rank " + textAt(buffer.presence->range);
  if (buffer.parts)
    text += ", split into " + textAt(buffer.parts->range) + " packets";
  return text;
}

static std::string descriptionOf(const ir::Variable &variable, const ir::Expr *value) {
  if (variable.type == ir::Type::Tree)
    return value ? "a tree, `" + textAt(value->range) + "`" : "a tree";
  std::string text = variable.type == ir::Type::Boolean ? "a condition" : "a number";
  if (value && value->mayBeNone)
    text += " or `none`";
  return text + (variable.dependsOnRank ? ", which may differ between ranks" : ", the same on all ranks");
}

ExprSema::~ExprSema() {
  for (const Noted &one : noted) {
    const Symbol &symbol = one.symbol;
    Mention mention{one.range, symbol.range};
    switch (symbol.kind) {
    case Symbol::Number:
      mention.kind = variables[symbol.variable].type == ir::Type::Tree ? MentionKind::Tree : MentionKind::Number;
      mention.what = descriptionOf(variables[symbol.variable], symbol.value);
      break;
    case Symbol::Range:
      mention.what = "a range of ranks";
      break;
    case Symbol::Buffer:
      mention.kind = MentionKind::Blocks;
      mention.what = descriptionOf(*symbol.buffer);
      break;
    case Symbol::Inlined:
      mention.what = "`" + textAt(symbol.value->range) + "`";
      break;
    case Symbol::Table:
      mention.kind = MentionKind::Table;
      mention.what = symbol.extents == 1 ? "a table of lengths" : "a table of lengths with two indices";
      break;
    }
    one.mentions->add(std::move(mention));
  }
}

std::string Names::suggestion(llvm::StringRef name) const { return didYouMean(name, all()); }

} // namespace quadrille::compiler::sema
