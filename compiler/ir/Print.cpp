//===- Print.cpp - Functions, lemmas, trees and collectives as text ------------------------------------------------===//

#include "Print.h"

#include "ExprWriter.h"

#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler::ir {

void print(const Function &function, llvm::raw_ostream &out) {
  const ExprWriter writer(function.variables);
  out << "fn " << function.name << "(" << namesOf(llvm::ArrayRef(function.variables).take_front(function.argumentCount))
      << ") = " << writer.text(*function.body) << "\n";
}

void print(const Lemma &lemma, llvm::raw_ostream &out) {
  const ExprWriter writer(lemma.variables);
  out << "lemma " << lemma.name << "(" << namesOf(llvm::ArrayRef(lemma.variables).take_front(lemma.argumentCount))
      << ") = " << writer.text(*lemma.claim);
  if (lemma.condition)
    out << " if " << writer.text(*lemma.condition);
  out << "\n";
}

void print(const Tree &tree, llvm::raw_ostream &out) {
  const ExprWriter writer(tree.variables);
  llvm::StringRef subject = tree.variables[0].name;
  if (!tree.byRelatives)
    subject.consume_back(".lo");
  out << "tree " << tree.name << "(" << subject;
  for (size_t i = 0; i < tree.presets.size(); ++i) {
    out << ", " << writer.name(tree.firstParameter() + static_cast<unsigned>(i));
    if (tree.presets[i])
      out << " = " << writer.text(*tree.presets[i]);
  }
  out << ") {\n  root " << writer.text(*tree.root) << "\n";
  if (tree.parent)
    out << "  parent " << writer.text(*tree.parent) << "\n";
  out << "  left " << writer.text(*tree.left) << "\n  right " << writer.text(*tree.right) << "\n}\n";
}

static void printParameter(const CollectiveParam &param, const ExprWriter &writer, llvm::raw_ostream &out) {
  out << param.name;
  for (const Expr *extent : param.extents)
    out << "[" << writer.text(*extent) << "]";
  if (!param.isData())
    return;
  out << ": block";
  if (param.count)
    out << "[" << writer.text(*param.count) << "]";
  if (param.length)
    out << " of " << writer.lengthText(*param.length);
  if (param.presence)
    out << " at " << writer.text(*param.presence);
}

static std::string termText(const Collective &collective, const PromisedTerm &term, const ExprWriter &writer) {
  const std::string data = dataAtRank(collective.inputs[term.input].name, rankText(*term.rank, writer), term.index ? writer.text(*term.index) : "");
  if (!term.isFold)
    return data;
  return "fold(" + data + " for " + writer.name(term.binder).str() + " in " + writer.range(*term.lo, *term.hi) +
         (term.condition ? " if " + writer.text(*term.condition) : "") + ")";
}

void print(const Collective &collective, llvm::raw_ostream &out) {
  std::vector<std::string> tables;
  for (const CollectiveParam &param : collective.inputs)
    if (param.isTable)
      tables.push_back(param.name);
  const ExprWriter writer(collective.variables, std::move(tables));
  out << "collective " << collective.name << "(";
  llvm::interleaveComma(collective.inputs, out, [&](const CollectiveParam &param) { printParameter(param, writer, out); });
  out << ")";
  if (!collective.outputs.empty()) {
    out << " -> (";
    llvm::interleaveComma(collective.outputs, out, [&](const CollectiveParam &param) { printParameter(param, writer, out); });
    out << ")";
  }
  out << " {\n";
  for (const Promise &promise : collective.promises) {
    out << "  ensures ";
    if (promise.isHeard) {
      out << "heard(i, j)\n";
      continue;
    }
    const std::string rank = promise.rankVariable ? writer.name(*promise.rankVariable).str() : rankText(*promise.rank, writer);
    const std::string index = promise.indexVariable ? writer.name(*promise.indexVariable).str() : promise.index ? writer.text(*promise.index) : "";
    out << dataAtRank(collective.outputs[promise.output].name, rank, index) << " == " << termText(collective, promise.term, writer);
    if (promise.condition)
      out << " if " << writer.text(*promise.condition);
    out << "\n";
  }
  for (const Knowledge &known : collective.knowledge)
    out << "  knows " << writer.knowledgeText(known) << "\n";
  out << "}\n";
}

} // namespace quadrille::compiler::ir
