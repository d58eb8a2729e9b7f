//===- Verify.cpp - Whether functions, lemmas, trees and collectives are well formed ------------------------------===//

#include "Verify.h"

#include "FrameVerifier.h"

#include "llvm/Support/SaveAndRestore.h"

namespace quadrille::compiler::ir {

std::string verify(const Function &function) {
  return violationOf("function `" + function.name + "`", [&] {
    FrameVerifier frame(function.variables, 0);
    frame.defineFirst(function.argumentCount);
    frame.expr(function.body, function.type);
  });
}

std::string verify(const Lemma &lemma) {
  return violationOf("lemma `" + lemma.name + "`", [&] {
    FrameVerifier frame(lemma.variables, 0);
    frame.defineFirst(lemma.argumentCount);
    frame.boolean(lemma.claim);
    frame.optionalBoolean(lemma.condition);
  });
}

std::string verify(const Tree &tree) {
  return violationOf("tree `" + tree.name + "`", [&] {
    const size_t first = tree.firstParameter();
    require(tree.variables.size() == first + tree.presets.size(), "it has other variables than its parameters");
    require((tree.parent != nullptr) == tree.byRelatives, "it tells the parent of a node and splits ranges, or neither");
    FrameVerifier frame(tree.variables, 0);
    frame.defineFirst(first);
    for (size_t i = 0; i < tree.presets.size(); ++i) {
      frame.optionalInteger(tree.presets[i]);
      frame.define(static_cast<unsigned>(first + i));
    }
    const Type part = tree.byRelatives ? Type::Integer : Type::Tree;
    frame.integer(tree.root);
    frame.optionalInteger(tree.parent);
    frame.expr(tree.left, part);
    frame.expr(tree.right, part);
  });
}

std::string verify(const Collective &collective) {
  return violationOf("collective `" + collective.name + "`", [&] {
    const auto tables = llvm::count_if(collective.inputs, [](const CollectiveParam &param) { return param.isTable; });
    FrameVerifier frame(collective.variables, static_cast<size_t>(tables));
    frame.defineFirst(collective.variableMe() + 1);
    auto indexed = [](const CollectiveParam &param, bool hasIndex) {
      require(param.isArray == hasIndex, "a promise about an array has no index, or the reverse: `" + param.name + "`");
    };
    for (const auto *params : {&collective.inputs, &collective.outputs})
      for (const CollectiveParam &param : *params) {
        for (const Expr *extent : param.extents)
          frame.integer(extent);
        frame.optionalInteger(param.count);
        frame.optionalInteger(param.presence);
        if (param.length)
          frame.length(*param.length);
      }
    for (const Promise &promise : collective.promises) {
      if (promise.isHeard)
        continue;
      require(promise.output < collective.outputs.size(), "a promise about an output that there is not");
      require(promise.term.input < collective.inputs.size(), "a promise speaks of an input that there is not");
      const llvm::SaveAndRestore<llvm::SmallBitVector> around(frame.known);
      frame.define(promise.rankVariable);
      frame.define(promise.indexVariable);
      indexed(collective.outputs[promise.output], promise.index || promise.indexVariable);
      indexed(collective.inputs[promise.term.input], promise.term.index != nullptr);
      if (!promise.rankVariable)
        frame.integer(promise.rank);
      frame.optionalInteger(promise.index);
      frame.optionalBoolean(promise.condition);
      if (promise.term.isFold) {
        frame.integer(promise.term.lo);
        frame.integer(promise.term.hi);
        frame.define(promise.term.binder);
        frame.optionalBoolean(promise.term.condition);
      }
      frame.integer(promise.term.rank);
      frame.optionalInteger(promise.term.index);
    }
    for (const Knowledge &known : collective.knowledge)
      frame.knowledge(known);
  });
}

} // namespace quadrille::compiler::ir
