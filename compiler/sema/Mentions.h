//===- Mentions.h - Which names stand for which declarations ----------------------------------------------------*- C++ -*-===//
//
// Which declaration each name of a text stands for, for editors, which show and change texts. It is recorded where names are looked up,
// so that no other code needs the rules of scopes. In a text with errors, only names that were understood are recorded.
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

/// A name in a text. The name in a declaration is a mention of itself.
struct Mention {
  llvm::SMRange range, declaration; // of names
  MentionKind kind = MentionKind::Number;
  std::string what{}; // "a number, the same on all ranks"; empty where the declaration says all

  bool isDeclaration() const { return range.Start == declaration.Start; }
};

class Mentions {
public:
  /// Ignores names that the text does not declare, such as `p`, and places that have a mention already: instances analyze a text again.
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
