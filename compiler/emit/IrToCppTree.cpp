//===- IrToCppTree.cpp - Functions, trees and the other helpers of an emitted file ----------------------------------------===//

#include "IrToCpp.h"

namespace quadrille::compiler::emit {

using namespace ir;
using cpp::ExprPtr;

Module::Module(const Program &program, const Sources &sources, const Module *survey) : sources(sources) {
  for (const auto &function : program.functions)
    if (!survey || survey->functions.contains(function.get()))
      functionNames[function.get()] = names.settle(function->name);
  for (const auto &tree : program.trees) {
    if (survey && !survey->trees.contains(tree.get()))
      continue;
    auto settled = std::make_unique<TreeNames>();
    settled->place = names.settle(tree->name);
    settled->root = names.settle(tree->name + "Root");
    settled->height = names.settle(tree->name + "Height");
    if (tree->byRelatives) {
      settled->depth = names.settle(tree->name + "Depth");
      settled->size = names.settle(tree->name + "Size");
    }
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

std::string Module::schedule(const Schedule &schedule, BlockLengths lengths, const FlaggedParameters &flagged) {
  if (lengthsOf(schedule) == BlockLengths::Own)
    lengths = BlockLengths::Own; // regardless of the lengths in the schedule that uses it
  auto key = std::tuple(&schedule, lengths, flagged);
  auto found = schedules.find(key);
  if (found != schedules.end())
    return found->second;
  const char *suffix = lengths == BlockLengths::Same || !schedule.tables.empty() ? ""
                       : lengths == BlockLengths::Packets                        ? "_ragged"
                                                                                 : "_uneven";
  std::string name = names.settle(functionName(schedule.collective->name, schedule.name) + suffix + (flagged.empty() ? "" : "_flagged"));
  schedules[key] = name;
  // Lowering comes first: it adds the functions of used schedules, which are printed before this one.
  cpp::Function lowered = ScheduleLowering(*this, schedule, lengths, flagged).run(name);
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
  // A chain of cases is printed as statements, which are easier to read.
  const Expr *rest = function.body;
  if (rest->op == Op::Select && rest->operands[2]->op == Op::Select)
    for (; rest->op == Op::Select; rest = rest->operands[2])
      result.body.push_back(
          cpp::ifThen(exprs.lower(*rest->operands[0]), {cpp::returns(exprs.lower(*rest->operands[1]))}));
  result.body.push_back(cpp::returns(exprs.lower(*rest)));
  return result;
}

namespace {

/// Lowers a tree definition to functions of a range lo ..< hi and the tree's other parameters.
class TreeLowering {
public:
  TreeLowering(Module &module, const Tree &tree) : module(module), tree(tree), local(&module.names), exprs(module, tree.variables.size()) {
    // Names that the emitted functions use beside the tree's own parameters.
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

/// Lowers a tree given by the relatives of a node to functions of the node and the tree's other parameters.
class RelativesLowering {
public:
  RelativesLowering(Module &module, const Tree &tree)
      : tree(tree), names(module.tree(tree)), local(&module.names),
        exprs(module, tree.variables.size()) {
    local.settle("node");
    for (size_t i = 0; i <= tree.presets.size(); ++i) {
      parameters.push_back({"Index", local.settle(tree.variables[i].name)});
      exprs.bind(i, cpp::atom(parameters.back().name));
    }
    exprs.frame[0].numbers.lo = 0;
    node = exprs.names[0];
  }

  cpp::Function root() {
    cpp::Function result{{"The root of the tree `" + tree.name + "`."}, "Index", names.root, parameters, {}, false};
    result.parameters.erase(result.parameters.begin());
    result.body.push_back(cpp::returns(exprs.lower(*tree.root)));
    return result;
  }

  cpp::Function place() {
    cpp::Function result =
        ofNode({"The relatives of `" + node->text + "` in the tree `" + tree.name + "`."}, names.place);
    result.result = "Node";
    ExprPtr parent = exprs.lower(*tree.parent);
    if (!cpp::same(parent, none))
      parent = cpp::conditional(cpp::infix(node, "==", exprs.lower(*tree.root)), none, parent);
    result.body.push_back(cpp::returns(cpp::braces("", {parent, exprs.lower(*tree.left), exprs.lower(*tree.right)})));
    return result;
  }

  cpp::Function depth() {
    cpp::Function result = ofNode({"The distance of `" + node->text + "` from the root: walks up."}, names.depth);
    const ExprPtr parent = cpp::atom(local.settle("parent"));
    result.body.push_back(cpp::declaration("const Index", parent->text, cpp::member(of(names.place, node), "parent")));
    result.body.push_back(cpp::returns(cpp::conditional(
        cpp::infix(parent, "==", none), cpp::number(0), cpp::infix(cpp::number(1), "+", of(names.depth, parent)))));
    return result;
  }

  cpp::Function height() {
    cpp::Function result =
        ofNode({"The number of edges on the longest path down from `" + node->text + "`."}, names.height);
    const ExprPtr here = relatives(result), left = cpp::member(here, "left"), right = cpp::member(here, "right");
    result.body.push_back(cpp::ifThen(cpp::infix(cpp::infix(left, "==", none), "&&", cpp::infix(right, "==", none)),
                                      {cpp::returns(cpp::number(0))}));
    result.body.push_back(cpp::returns(cpp::infix(
        cpp::number(1), "+", cpp::call("quadrille::maximum", {of(names.height, left), of(names.height, right)}))));
    return result;
  }

  cpp::Function size() {
    cpp::Function result = ofNode({"The number of nodes in the subtree of `" + node->text + "`."}, names.size);
    const ExprPtr here = relatives(result);
    // A node that has no parent and is not the root is not in the tree: its size is 0.
    result.body.push_back(cpp::ifThen(cpp::infix(cpp::infix(cpp::member(here, "parent"), "==", none), "&&",
                                                 cpp::infix(node, "!=", exprs.lower(*tree.root))),
                                      {cpp::returns(cpp::number(0))}));
    ExprPtr left = of(names.size, cpp::member(here, "left")), right = of(names.size, cpp::member(here, "right"));
    result.body.push_back(cpp::returns(cpp::infix(cpp::infix(cpp::number(1), "+", left), "+", right)));
    return result;
  }

private:
  cpp::Function ofNode(std::vector<std::string> comment, const std::string &name) {
    return {std::move(comment), "Index", name, parameters, {}, false};
  }

  /// The call of a function for a node of the same tree.
  ExprPtr of(const std::string &function, ExprPtr which) const {
    std::vector<ExprPtr> arguments{std::move(which)};
    for (size_t i = 1; i < parameters.size(); ++i)
      arguments.push_back(exprs.names[i]);
    return cpp::call(function, std::move(arguments));
  }

  /// Emits `if (node == none) return 0;` and `const Node node = ...`.
  ExprPtr relatives(cpp::Function &function) const {
    function.body.push_back(cpp::ifThen(cpp::infix(node, "==", none), {cpp::returns(cpp::number(0))}));
    function.body.push_back(cpp::declaration("const Node", "node", of(names.place, node)));
    return cpp::atom("node");
  }

  const Tree &tree;
  const Module::TreeNames &names;
  Names local;
  ExprLowering exprs;
  std::vector<cpp::Parameter> parameters;
  ExprPtr node;
  const ExprPtr none = cpp::atom("none");
};

cpp::Function prototype(cpp::Function function) {
  function.isPrototype = true;
  function.comment.clear();
  function.body.clear();
  return function;
}

} // namespace

std::vector<cpp::Function> Module::lowerTrees() {
  // Lowering a tree may ask for more functions of it or of another tree. Repeat until no function is added.
  std::vector<cpp::Function> lowered;
  size_t before;
  do {
    before = lowered.size();
    lowered.clear();
    for (size_t i = 0; i < trees.size(); ++i) {
      const Tree &tree = *trees[i];
      TreeNames &wanted = this->tree(tree);
      if (tree.byRelatives) {
        RelativesLowering relatives(*this, tree);
        wanted.usesPlace |= wanted.usesHeight || wanted.usesDepth || wanted.usesSize;
        if (wanted.usesRoot)
          lowered.push_back(relatives.root());
        if (wanted.usesPlace)
          lowered.push_back(relatives.place());
        if (wanted.usesDepth)
          lowered.push_back(relatives.depth());
        if (wanted.usesSize)
          lowered.push_back(relatives.size());
        if (wanted.usesHeight)
          lowered.push_back(relatives.height());
        continue;
      }
      if (wanted.usesRoot)
        lowered.push_back(TreeLowering(*this, tree).root(wanted.root));
      if (wanted.usesPlace)
        lowered.push_back(TreeLowering(*this, tree).place(wanted.place));
      if (wanted.usesHeight)
        lowered.push_back(TreeLowering(*this, tree).height(wanted.height));
    }
  } while (lowered.size() != before);
  return lowered;
}

bool Module::usesRanges() const {
  return llvm::any_of(
      trees, [&](const Tree *tree) { return !tree->byRelatives && treeNames.find(tree)->second->usesPlace; });
}

std::vector<cpp::Function> Module::takeFunctions() {
  std::vector<cpp::Function> result, bodies, treeFunctions;
  // Lowering a function or a tree may ask for others.
  do {
    while (bodies.size() < functions.size()) {
      const Function &next = *functions[bodies.size()];
      bodies.push_back(lowerFunction(*this, next, functionNames.lookup(&next)));
    }
    treeFunctions = lowerTrees();
  } while (bodies.size() < functions.size());
  if (bodies.size() > 1)
    for (const cpp::Function &function : bodies)
      result.push_back(prototype(function));
  // Functions of one tree are in the order of their calls and need no prototypes; several trees may call each other.
  const bool calledBefore = llvm::any_of(treeFunctions, [&](const cpp::Function &ofTree) {
    return llvm::any_of(
        bodies, [&](const cpp::Function &function) { return cpp::mentions(function.body, ofTree.name); });
  });
  if (trees.size() > 1 || calledBefore)
    for (cpp::Function &function : treeFunctions) {
      result.push_back(prototype(function));
      for (cpp::Parameter &parameter : function.parameters)
        parameter.preset.clear();
    }
  for (auto *list : {&bodies, &treeFunctions, &scheduleFunctions})
    for (cpp::Function &function : *list)
      result.push_back(std::move(function));
  return result;
}

} // namespace quadrille::compiler::emit
