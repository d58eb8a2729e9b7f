//===- Mentions.h - Which names stand for which declarations ----------------------------------------------------*- C++ -*-===//
//
// What the analysis of a text finds out of its names, kept for those who show or change texts. It is recorded where names are looked up,
// so that nobody else has to know the rules of scopes; of a text with errors, as much as was understood.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_SEMA_MENTIONS_H
#define QUADRILLE_SEMA_MENTIONS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/SMLoc.h"

#include <string>
#include <vector>

namespace quadrille::compiler {

enum class MentionKind { Number, Tree, Blocks, Table, Function, TreeDefinition, Lemma, Collective, Schedule };

/// A name in a text. Its declaration is one, too.
struct Mention {
  llvm::SMRange range, declaration; // of names
  MentionKind kind = MentionKind::Number;
  std::string what{}; // "a number, the same on all ranks"; empty where the declaration says all

  bool isDeclaration() const { return range.Start == declaration.Start; }
};

class Mentions {
public:
  /// Names that a text has not itself, such as `p`, are not kept; of a text that is analyzed several times, the first ones.
  void add(Mention mention) {
    if (mention.range.isValid() && mention.declaration.isValid() && known.insert(mention.range.Start.getPointer()).second)
      list.push_back(std::move(mention));
  }
  const std::vector<Mention> &all() const { return list; }

private:
  std::vector<Mention> list;
  llvm::DenseSet<const char *> known; // where they begin
};

} // namespace quadrille::compiler

#endif // QUADRILLE_SEMA_MENTIONS_H
