//===- Roles.cpp - What the grammar says of tokens --------------------------------------------------------------===//

#include "Roles.h"

#include "Elements.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::format {

using ast::Construct;
using ast::Node;

namespace {

class Walk {
public:
  explicit Walk(Elements &elements) : elements(elements) {}

  /// `chain`: the first token of the chain that the node continues: of operations, as an operand, or of choices, behind the last `else`.
  void visit(const Node &node, std::optional<unsigned> chain) {
    if (node.form == Construct::Name)
      element(node.first).role = Role::Name;
    std::optional<unsigned> ofOperands;
    if (node.form == Construct::Binary || node.form == Construct::Select)
      ofOperands = chain ? chain : node.first;
    std::vector<unsigned> brackets; // for each open bracket, the first token in it
    size_t child = 0;
    for (unsigned token = node.first; token <= node.last;) {
      if (child < node.children.size() && node.children[child].first == token) {
        const Construct form = node.children[child].form;
        const bool isOfChain = node.form == Construct::Binary ? form == Construct::Binary : form == Construct::Select && child == 2;
        visit(node.children[child], isOfChain ? ofOperands : std::nullopt);
        token = node.children[child++].last + 1;
        continue;
      }
      own(node, token, child, ofOperands, brackets);
      ++token;
    }
  }

private:
  Element &element(unsigned token) { return elements.list[elements.ofCode(token)]; }

  void leads(unsigned token, std::optional<unsigned> below) {
    element(token).leads = true;
    if (below)
      element(token).anchor = elements.ofCode(*below);
  }

  void follows(unsigned token, std::optional<unsigned> below) {
    element(token).follows = true;
    if (below)
      element(token).anchor = elements.ofCode(*below);
  }

  /// A token of the node itself. `child`: how many children stand before it.
  void own(const Node &node, unsigned token, size_t child, std::optional<unsigned> chain, std::vector<unsigned> &brackets) {
    const llvm::StringRef text = element(token).text;
    const bool isFirst = token == node.first;
    if (text == "." || text == "@" || text == "**")
      element(token).role = Role::Tight;
    if (node.form == Construct::Binary && text != "**") {
      if (text == "*" || text == "/")
        element(token).role = Role::Product;
      follows(token + 1, *chain);
      return leads(token, *chain);
    }
    if (node.form == Construct::Sign)
      element(token).role = Role::Sign;
    else if ((node.form == Construct::Use || node.form == Construct::Instance || node.form == Construct::Import || node.form == Construct::Clause) && text == "/")
      element(token).role = Role::Tight;
    else if (text == "fold" || text == "halvings")
      element(token).role = Role::Name;
    else if (text == ":" && node.form != Construct::Use)
      element(token).role = Role::Colon;
    else if (text == "[" && node.form == Construct::Other && token > node.first && node.children[0].form != Construct::Name)
      follows(token, std::nullopt); // an index behind more than a name
    else if (text == "(" || text == "[")
      brackets.push_back(token + 1);
    else if ((text == ")" || text == "]") && !brackets.empty())
      brackets.pop_back();
    else if (text == ",")
      follows(token + 1, brackets.empty() ? std::nullopt : std::optional(brackets.back()));
    else if ((text == "=" || text == ":=") && token < node.last && node.form != Construct::Schedule)
      follows(token + 1, std::nullopt);
    else if (text == "..<" || text == ".." || text == "..+")
      leads(token, child > 0 ? std::optional(node.children[child - 1].first) : std::nullopt);
    else if (!isFirst)
      word(node, token, text, chain);
  }

  void word(const Node &node, unsigned token, llvm::StringRef text, std::optional<unsigned> chain) {
    switch (node.form) {
    case Construct::Select:
      if (text == "then" || text == "else")
        leads(token, chain);
      return;
    case Construct::Aggregate:
      if (text == "for" || text == "if")
        leads(token, node.children[node.children[0].first == node.first ? 1 : 0].first);
      return;
    case Construct::Lemma:
      if (text == "if")
        leads(token, node.children[node.children.size() - 2].first); // the claim
      return;
    case Construct::Ensures:
    case Construct::Knows:
    case Construct::Invariant:
      if (text == "if" || text == "else")
        leads(token, node.children[0].first);
      return;
    case Construct::Schedule:
    case Construct::Collective:
    case Construct::Statement:
    case Construct::Use:
      if (node.form == Construct::Schedule && text == "=")
        leads(token, std::nullopt);
      if (llvm::is_contained({"for", "->", "to", "from", "with", "into", "among"}, text))
        leads(token, std::nullopt);
      return;
    case Construct::Other: // the index y[j in a ..< b if c]
      if (text == "if")
        leads(token, node.first);
      return;
    default:
      return;
    }
  }

  Elements &elements;
};

} // namespace

void assignRoles(Elements &elements) {
  if (!elements.tree.code.empty())
    Walk(elements).visit(elements.tree.file, std::nullopt);
}

} // namespace quadrille::compiler::format
