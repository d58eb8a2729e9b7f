//===- IrToCppEntry.cpp - The public function ------------------------------------------------------------------------------===//
//
// The public function checks everything that can be wrong with a call before the first message: a rank that fails later leaves
// the others waiting.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#include "IrToCpp.h"

#include "InPlace.h"
#include "KnownTables.h"
#include "PacketRule.h"
#include "Queries.h"

#include "cost/Coefficients.h"
#include "ir/Walk.h"

#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler::emit {

using namespace ir;
using cpp::ExprPtr;

bool takesLength(const Schedule &schedule) {
  auto hasN = [](const Buffer *buffer) { return !buffer->length; };
  return llvm::any_of(schedule.inputs, hasN) || llvm::any_of(schedule.outputs, hasN);
}

bool needsCommutative(const Schedule &schedule) {
  return schedule.requiresCommutative && schedule.usesOperator; // without use of the operator the function takes none
}

/// Whether inputs can be read in place even if they share memory with an output: all reads of inputs happen before the first
/// write to an output, or in the copy that makes it.
static bool readsInputsFirst(const Schedule &schedule) {
  bool written = false;
  for (const auto &stmt : schedule.body) {
    bool reads = false, writes = false;
    visitStmt(*stmt, [&](const Stmt &inner) {
      visitSlices(inner, [&](const Slice &slice, bool isWrite) {
        reads |= !isWrite && slice.buffer->kind == BufferKind::Input;
        writes |= slice.buffer->kind == BufferKind::Output && isWrite;
      });
    });
    const auto *assign = llvm::dyn_cast<AssignStmt>(stmt.get());
    const bool isCopy = assign && !assign->value->isCombine;
    if (reads && (written || (writes && !isCopy)))
      return false;
    written |= writes;
  }
  return true;
}

static std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

namespace {

class EntryLowering {
public:
  EntryLowering(Module &module, const Schedule &schedule, bool isForMpi)
      : module(module), schedule(schedule), isForMpi(isForMpi), local(&module.names), exprs(module, schedule.variables.size()) {
    exprs.frame = boundVariables(schedule);
    exprs.bind(Schedule::variableP, cpp::atom("comm.size()"));
    exprs.bind(Schedule::variableMe, cpp::atom("comm.rank()"));
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      exprs.bind(Schedule::firstNumber + i, cpp::atom(parameterName(schedule.variables[Schedule::firstNumber + i].name)));
    if (module.knowsSome) {
      known.emplace(schedule, exprs, [this](const std::string &wanted) { return parameterName(wanted); });
      tableNames = known->names();
    } else {
      for (const Table &table : schedule.tables)
        tableNames.push_back(parameterName(table.name));
    }
    for (const auto &buffer : schedule.buffers)
      bufferNames.push_back(buffer->kind == BufferKind::Input || buffer->kind == BufferKind::Output ? parameterName(buffer->name)
                                                                                                    : "");
    hasData = !schedule.inputs.empty() || !schedule.outputs.empty();
    hasOperator = schedule.collective->folds();
    std::string whyNot;
    if (takesLength(schedule))
      choice = packetRule(schedule, whyNot);
  }

  Entry run(const std::string &name, const std::string &helper, const std::string &packets, const std::string &admits,
            const std::string &fromWholeTables) {
    Entry entry;
    entry.renamed = renamed;
    if (!admits.empty())
      entry.admits = admitsFunction(admits);
    if (choice) {
      packetsName = packets;
      entry.packets = packetsFunction();
      std::vector<ExprPtr> arguments;
      for (const cpp::Parameter &parameter : entry.packets->parameters)
        arguments.push_back(cpp::atom(parameter.name));
      const ExprPtr number = cpp::atom(numberName(0));
      entry.choice.push_back(cpp::ifThen(cpp::infix(number, "==", cpp::number(0)),
                                         {cpp::assignment(number, cpp::call(packets, std::move(arguments)))}));
    }
    cpp::Function &function = entry.definition;
    function.result = "Status";
    function.name = name;
    parameters(function);
    cpp::Body &body = function.body;
    body = entry.choice;
    const std::string key = repeat(body);
    std::string construct = "call(comm, " + quoted(schedule.pathOfStatements() + ".quad") + (hasData ? ", type" : "") +
                            (hasOperator ? ", op" : "") + ")";
    body.push_back(cpp::declaration("Call", construct, nullptr, false));
    if (!key.empty())
      body.push_back(cpp::expression(cpp::call("call.keepAs", {cpp::atom(key)})));
    checks(body);
    run(helper, body);
    entry.comment = comment();
    if (known && !fromWholeTables.empty()) {
      exprs.bind(Schedule::variableP, cpp::atom("comm.size()"));
      entry.fromWholeTables = known->fromWholeTables(fromWholeTables, numberParameters());
    }
    return entry;
  }

private:
  /// The name of a parameter in the header. If it differs from the wanted one, `renamed` gets the pair.
  std::string parameterName(const std::string &wanted) {
    std::string name = local.settle(wanted);
    if (name != wanted)
      renamed.push_back({wanted, name});
    return name;
  }

  /// The function that chooses the number of packets. It returns 0 for a call that would fail; the call itself reports why.
  cpp::Function packetsFunction() {
    cpp::Function function;
    const std::string &k = schedule.variables[PacketRule::parameter].name;
    function.comment = {"The `" + numberName(0) + "` that a call with " + numberName(0) + " = 0 takes: the one that minimizes",
                        "  rounds * (alpha + beta*ceil(n/" + k + ")),  rounds = " + formulaText(*choice->rounds, schedule) + ",",
                        "with alpha and beta of `comm.machine()` and the size of `type`. If rounds = a + c*" + k +
                            ", that is near",
                        "sqrt(a*beta*n / (c*alpha)). 0 if a call with the other arguments would fail. Not communication."};
    function.result = "Index";
    function.name = packetsName;
    function.parameters.push_back({"const Communicator &", "comm"});
    for (unsigned i = schedule.parameterCount; i < schedule.numberCount; ++i)
      function.parameters.push_back({"quadrille::Index", numberName(i)});
    function.parameters.push_back({"std::size_t", "n"});
    function.parameters.push_back({"const Communicator::Datatype &", "type"});
    // The formula of rounds is meaningful only if the call passes the checks.
    ExprPtr isWrong;
    auto refuse = [&](const ExprPtr &condition) { isWrong = isWrong ? cpp::infix(isWrong, "||", condition) : condition; };
    for (unsigned i = schedule.parameterCount; i < schedule.numberCount; ++i) {
      refuse(cpp::infix(cpp::atom(numberName(i)), "<", cpp::number(0)));
      refuse(cpp::infix(cpp::atom(numberName(i)), ">=", cpp::atom("comm.size()")));
    }
    for (const Requirement &requirement : schedule.requirements)
      refuse(cpp::prefix("!", exprs.lower(*requirement.condition)));
    if (isWrong)
      function.body.push_back(cpp::ifThen(isWrong, {cpp::returns(cpp::number(0))}));
    bindLets(*choice->rounds);
    const std::string rounds = local.settle("rounds");
    function.body.push_back(
        cpp::declaration("const auto", rounds, cpp::lambda(numberName(0), exprs.lower(*choice->rounds)), false));
    function.body.push_back(cpp::returns(
        cpp::call("quadrille::bestPacketCount",
                  {cpp::call(rounds, {cpp::number(1)}), cpp::call(rounds, {cpp::number(2)}), cpp::atom("n"),
                   cpp::call("static_cast<Index>", {cpp::atom("type.sizeBytes()")}), cpp::atom("comm.machine()")})));
    return function;
  }

  /// The function that tells whether the schedule exists for this p and these numbers, without a communicator.
  cpp::Function admitsFunction(const std::string &name) {
    cpp::Function function;
    function.comment = {"Whether the schedule admits p ranks and these numbers. Not communication."};
    function.result = "bool";
    function.name = name;
    const std::string p = local.settle("p");
    function.parameters.push_back({"quadrille::Index", p});
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      function.parameters.push_back({"quadrille::Index", numberName(i)});
    if (schedule.usesNodes) {
      exprs.nodes = cpp::atom(local.settle("nodes"));
      function.parameters.push_back({"const quadrille::Nodes &", exprs.nodes->text});
    }
    const ExprPtr bound = exprs.names[Schedule::variableP];
    exprs.bind(Schedule::variableP, cpp::atom(p));
    ExprPtr all;
    auto require = [&](const ExprPtr &condition) { all = all ? cpp::infix(all, "&&", condition) : condition; };
    // The conditions may divide by a parameter, and the ones about a number alone exclude 0.
    for (unsigned i = 0; i < schedule.parameterCount; ++i)
      require(cpp::infix(cpp::atom(numberName(i)), ">=", cpp::number(1)));
    for (bool alone : {true, false})
      for (const Requirement &requirement : schedule.requirements)
        if (onlyNumber(*requirement.condition).has_value() == alone)
          require(exprs.lower(*requirement.condition));
    exprs.bind(Schedule::variableP, bound);
    function.body.push_back(cpp::returns(all ? all : cpp::atom("true")));
    return function;
  }

  /// Binds the lets that a clause mentions to their values, which do not depend on the rank.
  void bindLets(const Expr &clause) {
    exprs.treeValue = [this](unsigned variable) {
      const Expr *value = letValue(schedule, variable);
      while (value && value->op == Op::Variable)
        value = letValue(schedule, value->variable);
      return value;
    };
    visitVariables(&clause, [&](unsigned variable) {
      const Expr *value = letValue(schedule, variable);
      if (!value || exprs.isBound(variable))
        return;
      bindLets(*value);
      if (value->type != Type::Tree)
        exprs.bind(variable, exprs.lower(*value));
    });
  }

  void parameters(cpp::Function &function) {
    function.parameters.push_back({"Communicator &", "comm"});
    llvm::append_range(function.parameters, numberParameters());
    if (known)
      llvm::append_range(function.parameters, known->parameters());
    else
      for (const std::string &table : tableNames)
        function.parameters.push_back({"const std::size_t *", table});
    for (const Buffer *buffer : schedule.inputs)
      function.parameters.push_back({"const void *", bufferNames[buffer->index]});
    for (const Buffer *buffer : schedule.outputs)
      function.parameters.push_back({"void *", bufferNames[buffer->index]});
    if (takesLength(schedule))
      function.parameters.push_back({"std::size_t", "n"});
    if (hasData) {
      function.parameters.push_back({"const Communicator::Datatype &", "type"});
    }
    if (hasOperator)
      function.parameters.push_back({"const Communicator::Operator &", "op"});
  }

  std::vector<cpp::Parameter> numberParameters() const {
    std::vector<cpp::Parameter> result;
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      result.push_back({"quadrille::Index", numberName(i)});
    return result;
  }

  std::string numberName(unsigned i) const { return exprs.names[Schedule::firstNumber + i]->text; }
  ExprPtr count(const Buffer &buffer) const { return buffer.count ? exprs.lower(*buffer.count) : cpp::number(1); }
  /// The lengths of a buffer's blocks on ranks that have it. On other ranks lengths may not be known: blocks have no elements there.
  ExprPtr lengthHere(const Buffer &buffer) {
    if (!known || !buffer.length || !buffer.presence)
      return lengthOf(buffer);
    const ExprPtr block = cpp::atom(known->blockName());
    return cpp::lambda(block->text, cpp::conditional(isPresent(buffer), cpp::call(lengthNames[buffer.index], {block}), cpp::number(0)));
  }
  ExprPtr isPresent(const Buffer &buffer) const {
    return cpp::infix(cpp::atom("comm.rank()"), "==", exprs.lower(*buffer.presence));
  }

  /// The number of the schedule that a condition is about, if it is about exactly one.
  std::optional<unsigned> onlyNumber(const Expr &condition) const {
    std::optional<unsigned> found;
    bool several = false;
    visitVariables(&condition, [&](unsigned variable) {
      several |= (found && *found != variable) || variable < Schedule::firstNumber;
      found = variable;
    });
    return several ? std::nullopt : found;
  }

  /// Emits checks that parameters used as divisors are not 0.
  void divisors(cpp::Body &body) {
    llvm::SmallVector<unsigned, 4> checked;
    std::function<void(const Expr *)> visit = [&](const Expr *expr) {
      if (!expr)
        return;
      for (const Expr *operand : expr->operands)
        visit(operand);
      if (expr->op != Op::Divide && expr->op != Op::Modulo)
        return;
      const Expr &divisor = *expr->operands[1];
      if (divisor.op != Op::Variable || divisor.variable < Schedule::firstNumber ||
          divisor.variable >= Schedule::firstNumber + schedule.parameterCount || llvm::is_contained(checked, divisor.variable))
        return;
      checked.push_back(divisor.variable);
      // A `requires` clause about one number has been checked before, and may exclude 0.
      if (isAtLeast(exprs.frame[divisor.variable], 1))
        return;
      const ExprPtr &value = exprs.names[divisor.variable];
      const std::string &name = schedule.variables[divisor.variable].name;
      body.push_back(cpp::returnIfBad(
          cpp::call("call.requireParameter", {cpp::atom(quoted(name)), value, cpp::infix(value, "!=", cpp::number(0)),
                                              cpp::atom(quoted(name + " != 0"))})));
    };
    for (const Requirement &requirement : schedule.requirements)
      visit(requirement.condition);
    visitStmts(schedule.body, [&](const Stmt &stmt) {
      if (const auto *let = llvm::dyn_cast<LetStmt>(&stmt)) {
        visit(let->value);
      } else if (const auto *branch = llvm::dyn_cast<IfStmt>(&stmt)) {
        visit(branch->condition);
      } else if (const auto *loop = llvm::dyn_cast<ForStmt>(&stmt)) {
        visit(loop->lo);
        visit(loop->hi);
      } else if (const auto *transfer = llvm::dyn_cast<TransferStmt>(&stmt)) {
        visit(transfer->peer);
      }
      visitSlices(stmt, [&](const Slice &slice, bool) {
        for (const Index *index : {&slice.blocks, &slice.packets})
          for (const Expr *expr : {index->a, index->b, index->c})
            visit(expr);
      });
    });
  }

  /// Emits code by which a call with the same arguments as an earlier one repeats what that one did. Returns the name of the call's
  /// key; empty if calls have none, because the schedule has tables of lengths.
  std::string repeat(cpp::Body &body) {
    if (known || !schedule.tables.empty())
      return "";
    const std::string site = local.settle("site"), key = local.settle("key"), ended = local.settle("ended");
    std::vector<ExprPtr> words{cpp::atom(site)};
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      words.push_back(cpp::atom(numberName(i)));
    for (const auto *list : {&schedule.inputs, &schedule.outputs})
      for (const Buffer *buffer : *list)
        words.push_back(cpp::atom(bufferNames[buffer->index]));
    if (takesLength(schedule))
      words.push_back(cpp::atom("n"));
    constexpr size_t most = 8; // as in quadrille/call_key.h
    if (words.size() > most)
      return "";
    std::vector<ExprPtr> arguments{cpp::atom(key)};
    if (hasData)
      arguments.push_back(cpp::atom("type"));
    if (hasOperator)
      arguments.push_back(cpp::atom("op"));
    arguments.push_back(cpp::atom(ended));
    body.push_back(cpp::comment("A call that equals an earlier one does the same, without another look at its arguments."));
    body.push_back(cpp::declaration("static char", site, nullptr, false));
    body.push_back(cpp::declaration("const auto", key, cpp::call("quadrille::CallKey", std::move(words)), false));
    body.push_back(cpp::declaration("Status", ended, nullptr, false));
    body.push_back(cpp::ifThen(cpp::call("comm.repeat", std::move(arguments)), {cpp::returns(cpp::atom(ended))}));
    return key;
  }

  void checks(cpp::Body &body) {
    // Conditions about one parameter come first: the others may divide by it.
    for (const Requirement &requirement : schedule.requirements)
      if (onlyNumber(*requirement.condition))
        require(requirement, body);
    divisors(body);
    splits(body);
    for (const Requirement &requirement : schedule.requirements)
      if (!onlyNumber(*requirement.condition))
        require(requirement, body);
    if (needsCommutative(schedule))
      body.push_back(cpp::returnIfBad(cpp::call("call.requireCommutative", {})));
    for (unsigned i = schedule.parameterCount; i < schedule.numberCount; ++i)
      body.push_back(cpp::returnIfBad(cpp::call("call.requireRoot", {cpp::atom(numberName(i))})));
    if (known)
      known->check(body);
    for (size_t i = 0; !known && i < schedule.tables.size(); ++i)
      body.push_back(cpp::returnIfBad(
          cpp::call("call.requireLengths", {cpp::atom(quoted(schedule.tables[i].name)), cpp::atom(tableNames[i]), entries(schedule.tables[i])})));
    lengthNames.resize(schedule.buffers.size());
    for (const auto *list : {&schedule.inputs, &schedule.outputs})
      for (const Buffer *buffer : *list)
        nameLength(*buffer, body);
    if (isForMpi)
      takeInPlace(body);
    for (const auto *list : {&schedule.inputs, &schedule.outputs})
      for (const Buffer *buffer : *list) {
        const std::string &name = bufferNames[buffer->index];
        cpp::Stmt check = cpp::returnIfBad(
            cpp::call(buffer->length ? "call.requireBufferOf" : "call.requireBuffer",
                      {cpp::atom(quoted(buffer->name)), cpp::atom(name), count(*buffer), lengthOf(*buffer)}));
        if (buffer->presence)
          check = cpp::ifThen(isPresent(*buffer), {std::move(check)});
        body.push_back(std::move(check));
      }
    // Collectives without data synchronize by their messages anyway.
    const bool hasData = !schedule.inputs.empty() || !schedule.outputs.empty();
    if (hasData && llvm::any_of(schedule.collective->promises, [](const Promise &promise) { return promise.isHeard; }))
      body.push_back(cpp::expression(cpp::call("call.synchronizes", {})));
  }

  /// Emits code that finds the data of a buffer for which a call gives MPI_IN_PLACE in the buffer that it does give.
  void takeInPlace(cpp::Body &body) {
    const std::optional<InPlace> form = inPlaceForm(schedule);
    if (!form)
      return;
    const Buffer &input = *schedule.inputs[0], &output = *schedule.outputs[0];
    const Buffer &left = form->isOutput ? output : input, &given = form->isOutput ? input : output;
    const ExprPtr name = cpp::atom(bufferNames[left.index]), other = cpp::atom(bufferNames[given.index]);
    ExprPtr data = other;
    if (form->isOwnBlock) {
      data = cpp::call("call.blockOf", {other, cpp::atom("comm.rank()"), lengthOf(given)});
      if (form->isOutput)
        data = cpp::call("const_cast<void *>", {data});
    }
    ExprPtr isLeft = cpp::call("Communicator::isInPlace", {name});
    if (given.presence)
      isLeft = cpp::infix(isPresent(given), "&&", isLeft);
    body.push_back(cpp::ifThen(isLeft, {cpp::assignment(name, data)}));
  }

  ExprPtr entries(const Table &table) const {
    ExprPtr product = exprs.lower(*table.extents[0]);
    for (size_t i = 1; i < table.extents.size(); ++i)
      product = cpp::infix(product, "*", exprs.lower(*table.extents[i]));
    return product;
  }

  /// Emits `const auto xLength = [&](Index j) { return len[j]; };`, once for all buffers with the same lengths.
  void nameLength(const Buffer &buffer, cpp::Body &body) {
    if (!buffer.length)
      return;
    const std::string binder = buffer.length->binder ? schedule.variables[*buffer.length->binder].name : "";
    ExprPtr function = exprs.lengthFunction(schedule, *buffer.length, binder, tableNames);
    for (const auto &[known, name] : namedLengths)
      if (cpp::same(known, function)) {
        lengthNames[buffer.index] = name;
        return;
      }
    std::string &name = lengthNames[buffer.index] = local.settle(buffer.name + "Length");
    body.push_back(cpp::declaration("const auto", name, function));
    namedLengths.push_back({function, name});
  }

  ExprPtr lengthOf(const Buffer &buffer) const { return cpp::atom(buffer.length ? lengthNames[buffer.index] : "n"); }

  /// Emits a check of what depends on the map from ranks to nodes.
  void requireOfNodes(const Expr &condition, llvm::function_ref<ExprPtr(ExprPtr)> holds, const std::string &text, cpp::Body &body) {
    exprs.nodes = cpp::atom(local.settle("nodes"));
    const ExprPtr origin = schedule.origin ? exprs.lower(*schedule.origin) : cpp::number(0);
    const ExprPtr test = cpp::lambda("const quadrille::Nodes &" + exprs.nodes->text, holds(exprs.lower(condition)));
    body.push_back(cpp::returnIfBad(
        cpp::call("call.requireNodes", {cpp::atom("comm.everyone()"), origin, cpp::atom(quoted(text)), test})));
  }

  void require(const Requirement &requirement, cpp::Body &body) {
    if (asksForNodes(*requirement.condition))
      return requireOfNodes(*requirement.condition, [](ExprPtr holds) { return holds; }, requirement.text, body);
    const ExprPtr holds = exprs.lower(*requirement.condition);
    const ExprPtr text = cpp::atom(quoted(requirement.text));
    if (std::optional<unsigned> number = onlyNumber(*requirement.condition))
      body.push_back(cpp::returnIfBad(
          cpp::call("call.requireParameter",
                    {cpp::atom(quoted(schedule.variables[*number].name)), exprs.names[*number], holds, text})));
    else
      body.push_back(cpp::returnIfBad(cpp::call("call.requireSize", {holds, text})));
  }

  /// Emits checks that blocks are split into at least one packet.
  void splits(cpp::Body &body) {
    std::vector<const Expr *> done;
    for (const auto &buffer : schedule.buffers) {
      if (!buffer->parts || llvm::any_of(done, [&](const Expr *before) { return sameExpr(before, buffer->parts); }))
        continue;
      done.push_back(buffer->parts);
      const Expr &parts = *buffer->parts;
      bool overNumbers = true;
      visitVariables(&parts, [&](unsigned variable) { overNumbers &= variable < Schedule::firstNumber + schedule.numberCount; });
      // The bounds of a number that is split into already assume this check.
      bool isNumber = parts.op == Op::Variable && parts.variable >= Schedule::firstNumber;
      if (!overNumbers || (!isNumber && isAtLeast(boundsOf(parts, exprs.frame), 1)))
        continue;
      std::string text = isNumber ? schedule.variables[parts.variable].name
                                  : std::string(parts.range.Start.getPointer(), parts.range.End.getPointer());
      if (asksForNodes(parts)) {
        requireOfNodes(parts, [](ExprPtr value) { return cpp::infix(value, ">=", cpp::number(1)); }, text + " >= 1", body);
        continue;
      }
      ExprPtr value = exprs.lower(parts);
      // If 0 asks for a choice and is still there, a later check fails and says why.
      const int least = choice && isNumber && parts.variable == PacketRule::parameter ? 0 : 1;
      body.push_back(cpp::returnIfBad(
          cpp::call("call.requireParameter", {cpp::atom(quoted(text)), value, cpp::infix(value, ">=", cpp::number(least)),
                                              cpp::atom(quoted(text + " >= " + std::to_string(least)))})));
    }
  }

  /// Emits the call, which is carried out as a plan, and passes the numbers on which the plan depends.
  void run(const std::string &helper, cpp::Body &body) {
    std::vector<ExprPtr> arguments{cpp::atom("call"), cpp::call("comm.everyone", {})}, numbers;
    for (unsigned i = 0; i < schedule.numberCount; ++i)
      numbers.push_back(cpp::atom(numberName(i)));
    arguments.insert(arguments.end(), numbers.begin(), numbers.end());
    for (const std::string &table : tableNames)
      arguments.push_back(cpp::atom(table));
    cpp::Body go;
    std::vector<ExprPtr> outputs, outputRegions;
    for (const Buffer *buffer : schedule.outputs) {
      const std::string name = local.settle(schedule.outputs.size() == 1 ? "out" : buffer->name + "Out");
      go.push_back(cpp::declaration("const Region", name,
                                    cpp::call(buffer->length ? "call.outputOf" : "call.output",
                                              {cpp::atom(bufferNames[buffer->index]), count(*buffer), lengthHere(*buffer)})));
      outputs.push_back(cpp::atom(name));
    }
    const bool inPlace = readsInputsFirst(schedule);
    if (inPlace && !schedule.inputs.empty() && !outputs.empty())
      go.push_back(cpp::comment(llvm::Twine("In a call in place, ")
                                    .concat(schedule.inputs.size() == 1 ? "the input is" : "the inputs are")
                                    .concat(" read before the output is written: no copy is needed.")
                                    .str()));
    for (const Buffer *buffer : schedule.inputs) {
      const std::string name = local.settle(schedule.inputs.size() == 1 ? "in" : buffer->name + "In");
      std::vector<ExprPtr> of{cpp::atom(bufferNames[buffer->index]), count(*buffer), lengthHere(*buffer)};
      if (!inPlace)
        of.insert(of.end(), outputs.begin(), outputs.end());
      ExprPtr region = cpp::call(buffer->length ? "call.inputOf" : "call.input", std::move(of));
      go.push_back(cpp::declaration("const Region", name, region));
      arguments.push_back(cpp::atom(name));
    }
    arguments.insert(arguments.end(), outputs.begin(), outputs.end());
    go.push_back(cpp::returns(cpp::call(helper, std::move(arguments))));
    // If messages may be there in part, the plan also depends on the length n.
    if (module.usesPresence && llvm::any_of(schedule.buffers, [](const auto &buffer) { return !buffer->length; }))
      if (llvm::any_of(schedule.inputs, [](const Buffer *buffer) { return !buffer->length; }))
        numbers.push_back(cpp::call("static_cast<Index>", {cpp::atom("n")}));
    body.push_back(cpp::returnCall(cpp::call("call.run", {cpp::braces("", std::move(numbers))}), "&", std::move(go)));
  }

  std::string shape(const Buffer &buffer) const {
    const std::string elements = buffer.length ? "of `" + textOf(buffer.length->range) + "` elements" : "of n elements";
    std::string text = !buffer.isArray ? "one block " + elements
                                       : (buffer.count->op == Op::Variable && buffer.count->variable == Schedule::variableP
                                              ? std::string("p")
                                              : std::string(buffer.count->range.Start.getPointer(), buffer.count->range.End.getPointer())) +
                                             " blocks " + elements + (buffer.length && buffer.length->binder ? ", " + schedule.variables[*buffer.length->binder].name + " counting them" : "") +
                                             ", one after the other";
    if (buffer.presence)
      text += "; at rank `" + std::string(buffer.presence->range.Start.getPointer(), buffer.presence->range.End.getPointer()) +
              "` only, elsewhere it may be null";
    return text;
  }

  /// The header's sentence about a buffer for which MPI_IN_PLACE may be given.
  std::string inPlaceText(const Buffer &buffer) const {
    const std::optional<InPlace> form = isForMpi ? inPlaceForm(schedule) : std::nullopt;
    if (!form || &buffer != (form->isOutput ? schedule.outputs[0] : schedule.inputs[0]))
      return "";
    const Buffer &given = form->isOutput ? *schedule.inputs[0] : *schedule.outputs[0];
    return "; MPI_IN_PLACE" + (given.presence ? " at `" + textOf(given.presence->range) + "`" : std::string()) + ": " +
           (form->isOwnBlock ? "the rank's own block of `" : "the memory of `") + bufferNames[given.index] + "`";
  }

  static std::string textOf(llvm::SMRange range) { return std::string(range.Start.getPointer(), range.End.getPointer()); }

  std::vector<std::string> comment() const {
    std::vector<std::string> lines;
    const std::string article = llvm::StringRef("aeiou").contains(schedule.collective->name[0]) ? "An " : "A ";
    lines.push_back(article + schedule.collective->name + " by the schedule `" + schedule.path() +
                    "`. Collective: all ranks of `comm` call it alike.");
    if (schedule.numberCount + schedule.inputs.size() + schedule.outputs.size() > 0)
      lines.push_back("");
    for (unsigned i = 0; i < schedule.numberCount; ++i) {
      bool isRoot = i >= schedule.parameterCount;
      lines.push_back("\\param " + numberName(i) + " " +
                      (isRoot ? "a rank, the same on all ranks" : "parameter of the schedule, the same on all ranks") +
                      (choice && i == 0 ? "; 0: `" + packetsName + "` chooses it" : ""));
    }
    if (known)
      known->comment(lines);
    for (size_t i = 0; !known && i < schedule.tables.size(); ++i) {
      const Table &table = schedule.tables[i];
      std::string line = "\\param " + tableNames[i] + " lengths of blocks in elements, the same on all ranks: ";
      line += textOf(table.extents[0]->range);
      if (table.extents.size() > 1)
        line += " rows of " + textOf(table.extents[1]->range) + ", row by row";
      else
        line += " of them";
      lines.push_back(line);
    }
    for (const Buffer *buffer : schedule.inputs)
      lines.push_back("\\param " + bufferNames[buffer->index] + " input: " + shape(*buffer) + inPlaceText(*buffer));
    for (const Buffer *buffer : schedule.outputs)
      lines.push_back("\\param " + bufferNames[buffer->index] + " output: " + shape(*buffer) +
                      (schedule.inputs.empty() ? "" : "; may be the input's memory") + inPlaceText(*buffer));
    if (hasOperator)
      lines.push_back(std::string("\\param op associative") +
                      (needsCommutative(schedule) ? " and commutative" : "; need not be commutative"));
    for (const Requirement &requirement : schedule.requirements)
      lines.push_back("Requires " + requirement.text + ".");
    return lines;
  }

  Module &module;
  const Schedule &schedule;
  const bool isForMpi;
  Names local;
  ExprLowering exprs;
  std::vector<std::string> bufferNames, tableNames, lengthNames;
  std::vector<std::pair<std::string, std::string>> renamed;
  std::vector<std::pair<ExprPtr, std::string>> namedLengths;
  bool hasData = false, hasOperator = false;
  std::optional<KnownTables> known; // absent: every rank knows all lengths
  std::optional<PacketRule> choice;
  std::string packetsName;
};

} // namespace

Entry lowerEntry(Module &module, const Schedule &schedule, const std::string &name, const std::string &helper,
                 const std::string &packets, const std::string &admits, const std::string &fromWholeTables, bool isForMpi) {
  return EntryLowering(module, schedule, isForMpi).run(name, helper, packets, admits, fromWholeTables);
}

} // namespace quadrille::compiler::emit
