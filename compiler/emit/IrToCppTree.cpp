//===- IrToCppTree.cpp - Functions, trees and the other helpers of an emitted file ----------------------------------------===//

#include "IrToCpp.h"

namespace quadrille::emit {

using namespace ir;
using cpp::ExprPtr;

Module::Module(const Program &program, const Sources &sources) : sources(sources) {
  for (const auto &function : program.functions)
    functionNames[function.get()] = names.settle(function->name);
  for (const auto &tree : program.trees) {
    auto settled = std::make_unique<TreeNames>();
    settled->place = names.settle(tree->name);
    settled->root = names.settle(tree->name + "Root");
    settled->height = names.settle(tree->name + "Height");
    treeNames[tree.get()] = std::move(settled);
  }
}

std::string Module::function(const Function &function) {
  functions.insert(&function);
  return functionNames.lookup(&function);
}

Module::TreeNames &Module::tree(const Tree &tree) {
  trees.insert(&tree);
  return *treeNames.find(&tree)->second;
}

std::string Module::schedule(const Schedule &schedule, BlockLengths lengths) {
  if (!schedule.tables.empty())
    lengths = BlockLengths::Own; // whoever uses it
  auto key = std::pair(&schedule, lengths);
  auto found = schedules.find(key);
  if (found != schedules.end())
    return found->second;
  const char *suffix = lengths == BlockLengths::Same || !schedule.tables.empty() ? ""
                       : lengths == BlockLengths::Packets                        ? "_ragged"
                                                                                 : "_uneven";
  std::string name = names.settle(functionName(schedule.collective->name, schedule.name) + suffix);
  schedules[key] = name;
  // What it uses is lowered, and so printed, before it.
  cpp::Function lowered = ScheduleLowering(*this, schedule, lengths).run(name);
  scheduleFunctions.push_back(std::move(lowered));
  return name;
}

static cpp::Function lowerFunction(Module &module, const Function &function, const std::string &name) {
  cpp::Function result;
  result.result = function.body->type == Type::Boolean ? "bool" : "Index";
  result.name = name;
  Names local(&module.names);
  ExprLowering exprs(module, function.variables.size());
  for (unsigned i = 0; i < function.argumentCount; ++i) {
    const Variable &variable = function.variables[i];
    std::string argument = local.settle(variable.name);
    result.parameters.push_back({variable.type == Type::Boolean ? "bool" : "Index", argument});
    exprs.bind(i, cpp::atom(argument));
  }
  result.body.push_back(cpp::returns(exprs.lower(*function.body)));
  return result;
}

namespace {

/// A tree definition as functions of a range lo ..< hi and the other parameters.
class TreeLowering {
public:
  TreeLowering(Module &module, const Tree &tree) : module(module), tree(tree), local(&module.names), exprs(module, tree.variables.size()) {
    // `me`, the parent and the depth are passed along beside the tree's own parameters.
    for (const char *name : {"me", "parent", "depth", "here", "node"})
      local.settle(name);
    for (size_t i = 0; i < tree.presets.size() + 2; ++i) {
      // The bounds of the range are called `range.lo` and `range.hi`.
      parameters.push_back({"Index", local.settle(llvm::StringRef(tree.variables[i].name).rsplit('.').second.empty()
                                                      ? tree.variables[i].name
                                                      : llvm::StringRef(tree.variables[i].name).rsplit('.').second)});
      exprs.bind(i, cpp::atom(parameters.back().name));
    }
    lo = exprs.names[0];
    hi = exprs.names[1];
  }

  cpp::Function root(const std::string &name) {
    cpp::Function result{{"The root of the tree `" + tree.name + "` over a range of ranks; none if it is empty."}, "Index", name,
                         parameters, {}, false};
    result.body.push_back(cpp::returns(cpp::conditional(cpp::infix(lo, "<", hi), exprs.lower(*tree.root), cpp::atom("none"))));
    return result;
  }

  cpp::Function height(const std::string &name) {
    cpp::Function result{{"The number of edges on the longest path down the tree `" + tree.name + "`."}, "Index", name, parameters,
                         {}, false};
    auto below = [&](const Expr *part) -> ExprPtr {
      Module::TreeNames &names = module.tree(*part->tree);
      names.usesHeight = true;
      return exprs.treeCall(*part, names.height, nullptr);
    };
    result.body.push_back(cpp::ifThen(cpp::infix(cpp::infix(hi, "-", lo), "<=", cpp::number(1)), {cpp::returns(cpp::number(0))}));
    result.body.push_back(cpp::returns(
        cpp::infix(cpp::number(1), "+", cpp::call("quadrille::maximum", {below(tree.left), below(tree.right)}))));
    return result;
  }

  cpp::Function place(const std::string &name) {
    cpp::Function result{{"Where `me` stands in the tree `" + tree.name + "`: follows its branch down from the root."},
                         "Node", name, {{"Index", "me"}}, {}, false};
    result.parameters.insert(result.parameters.end(), parameters.begin(), parameters.end());
    result.parameters.push_back({"Index", "parent", "none"});
    result.parameters.push_back({"Index", "depth", "0"});
    const ExprPtr me = cpp::atom("me"), here = cpp::atom("here");
    result.body.push_back(cpp::ifThen(cpp::infix(lo, ">=", hi), {cpp::returns(cpp::braces("", {}))}));
    result.body.push_back(cpp::declaration("const Index", "here", exprs.lower(*tree.root)));
    result.body.push_back(cpp::ifThen(cpp::infix(me, "==", here),
                                      {cpp::returns(cpp::braces("", {cpp::atom("parent"), childRoot(tree.left), childRoot(tree.right),
                                                                     cpp::atom("depth"), lo, hi}))}));
    ExprPtr leftLo = exprs.lower(*tree.left->operands[0]), leftHi = exprs.lower(*tree.left->operands[1]);
    ExprPtr inLeft = cpp::infix(me, "<", leftHi);
    if (!cpp::same(leftLo, lo))
      inLeft = cpp::infix(cpp::infix(leftLo, "<=", me), "&&", inLeft);
    result.body.push_back(cpp::ifThen(inLeft, {cpp::returns(descend(tree.left))}));
    result.body.push_back(cpp::returns(descend(tree.right)));
    return result;
  }

private:
  ExprPtr childRoot(const Expr *part) {
    Module::TreeNames &names = module.tree(*part->tree);
    names.usesRoot = true;
    return exprs.treeCall(*part, names.root, nullptr);
  }

  ExprPtr descend(const Expr *part) {
    Module::TreeNames &names = module.tree(*part->tree);
    names.usesPlace = true;
    ExprPtr call = exprs.treeCall(*part, names.place, cpp::atom("me"));
    std::vector<ExprPtr> operands = call->operands;
    operands.push_back(cpp::atom("here"));
    operands.push_back(cpp::infix(cpp::atom("depth"), "+", cpp::number(1)));
    return cpp::make(cpp::ExprKind::Call, "", std::move(operands));
  }

  Module &module;
  const Tree &tree;
  Names local;
  ExprLowering exprs;
  std::vector<cpp::Parameter> parameters;
  ExprPtr lo, hi;
};

cpp::Function prototype(cpp::Function function) {
  function.isPrototype = true;
  function.comment.clear();
  function.body.clear();
  return function;
}

} // namespace

void Module::lowerTrees(std::vector<cpp::Function> &out) {
  // Lowering one tree may ask for more of it, or for another; what is wanted only grows.
  std::vector<cpp::Function> lowered;
  size_t before;
  do {
    before = lowered.size();
    lowered.clear();
    for (size_t i = 0; i < trees.size(); ++i) {
      const Tree &tree = *trees[i];
      const TreeNames &wanted = this->tree(tree);
      if (wanted.usesRoot)
        lowered.push_back(TreeLowering(*this, tree).root(wanted.root));
      if (wanted.usesPlace)
        lowered.push_back(TreeLowering(*this, tree).place(wanted.place));
      if (wanted.usesHeight)
        lowered.push_back(TreeLowering(*this, tree).height(wanted.height));
    }
  } while (lowered.size() != before);
  // Of one tree, a root precedes the places that call it; several may call each other.
  if (trees.size() > 1) {
    for (cpp::Function &function : lowered) {
      out.push_back(prototype(function));
      for (cpp::Parameter &parameter : function.parameters)
        parameter.preset.clear();
    }
  }
  for (cpp::Function &function : lowered)
    out.push_back(std::move(function));
}

std::vector<cpp::Function> Module::takeFunctions() {
  std::vector<cpp::Function> result, bodies;
  // Lowering a function may ask for another one.
  for (size_t i = 0; i < functions.size(); ++i)
    bodies.push_back(lowerFunction(*this, *functions[i], functionNames.lookup(functions[i])));
  std::vector<cpp::Function> treeFunctions;
  lowerTrees(treeFunctions);
  for (size_t i = bodies.size(); i < functions.size(); ++i)
    bodies.push_back(lowerFunction(*this, *functions[i], functionNames.lookup(functions[i])));
  if (bodies.size() > 1)
    for (const cpp::Function &function : bodies)
      result.push_back(prototype(function));
  for (auto *list : {&bodies, &treeFunctions, &scheduleFunctions})
    for (cpp::Function &function : *list)
      result.push_back(std::move(function));
  return result;
}

} // namespace quadrille::emit
