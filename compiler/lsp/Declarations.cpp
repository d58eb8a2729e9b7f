//===- Declarations.cpp - Declarations as they are written -------------------------------------------------------------------------===//

#include "Declarations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace quadrille::compiler::lsp {

/// The place of the word that a declaration begins with; its name is the next one.
static const char *wordBefore(llvm::StringRef text, const ast::Name &name, llvm::StringRef word) {
  const std::size_t at = text.take_front(static_cast<std::size_t>(name.range.Start.getPointer() - text.data())).rfind(word);
  return at == llvm::StringRef::npos ? name.range.Start.getPointer() : text.data() + at;
}

std::vector<Declaration> declarationsOf(const ast::File &file, llvm::StringRef text) {
  std::vector<Declaration> result;
  auto isHere = [&](const ast::Name &name) {
    const char *at = name.range.Start.getPointer();
    return at >= text.begin() && at <= text.end();
  };
  auto add = [&](DeclarationKind kind, const ast::Name &name, llvm::StringRef word, llvm::SMLoc end, const char *headEnd = nullptr) {
    if (isHere(name))
      result.push_back({kind, &name, {llvm::SMLoc::getFromPointer(wordBefore(text, name, word)), end}, headEnd ? headEnd : end.getPointer()});
  };
  for (const ast::Collective &one : file.collectives)
    add(DeclarationKind::Collective, one.name, "collective", one.range.End);
  for (const ast::Function &one : file.functions)
    add(DeclarationKind::Function, one.name, "fn", one.body->range.End);
  for (const ast::Lemma &one : file.lemmas)
    add(DeclarationKind::Lemma, one.name, "lemma", (one.condition ? one.condition : one.claim)->range.End);
  for (const ast::Tree &one : file.trees)
    add(DeclarationKind::Tree, one.name, "tree", one.right->range.End);
  for (const ast::Schedule &one : file.schedules) {
    const char *brace = one.name.range.End.getPointer();
    while (brace < one.range.End.getPointer() && *brace != '{')
      ++brace;
    add(DeclarationKind::Schedule, one.name, "schedule", one.range.End, brace);
    if (isHere(one.name))
      result.back().schedule = &one;
  }
  llvm::sort(result, [](const Declaration &a, const Declaration &b) { return a.whole.Start.getPointer() < b.whole.Start.getPointer(); });
  return result;
}

std::string headOf(const Declaration &declaration) {
  const std::string text = llvm::StringRef(declaration.whole.Start.getPointer(), static_cast<std::size_t>(declaration.headEnd - declaration.whole.Start.getPointer())).rtrim().str();
  return declaration.kind == DeclarationKind::Tree ? text + " }" : text;
}

std::string commentAbove(llvm::StringRef text, const char *declaration) {
  llvm::StringRef before = text.take_front(static_cast<std::size_t>(declaration - text.data()));
  before = before.take_front(before.rfind('\n') + 1); // what stands on the same line is no comment about it
  llvm::SmallVector<llvm::StringRef> lines;
  while (before.consume_back("\n")) {
    const std::size_t begin = before.rfind('\n') + 1;
    llvm::StringRef line = before.drop_front(begin).trim();
    before = before.take_front(begin);
    if (!line.consume_front("//"))
      break;
    line.consume_front(" ");
    lines.push_back(line);
  }
  std::string result;
  for (llvm::StringRef line : llvm::reverse(lines))
    result += (result.empty() ? "" : "\n") + line.str();
  return result;
}

} // namespace quadrille::compiler::lsp
