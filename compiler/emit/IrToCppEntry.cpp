//===- IrToCppEntry.cpp - The public function -----------------------------------------------------------------------------===//

#include "EntryLowering.h"

#include "Queries.h"

#include "cost/Coefficients.h"
#include "ir/Walk.h"
#include "source/Sources.h"

#include "llvm/Support/Path.h"

namespace quadrille::compiler::emit {

using namespace ir;
using cpp::ExprPtr;

/// What messages call the file in which the statements lie: allreduce/ring.quad, or the name of a file that is named otherwise.
static std::string fileOfStatements(const Schedule &schedule, const Sources &sources) {
  const std::string usual = schedule.pathOfStatements() + ".quad";
  if (schedule.body.empty())
    return usual;
  const std::string path = sources.place(schedule.body.front()->keyword.Start).file;
  const llvm::StringRef file = llvm::sys::path::filename(path);
  return file.ends_with(".quad") && !llvm::StringRef(usual).ends_with("/" + file.str()) ? file.str() : usual;
}

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

std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

EntryLowering::EntryLowering(Module &module, const Schedule &schedule, bool isForMpi)
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
  std::optional<diag::NoPackets> whyNot;
  if (takesLength(schedule))
    choice = packetRule(schedule, whyNot);
}

EntryPoint EntryLowering::run(const std::string &name, const std::string &helper, const std::string &packets, const std::string &admits,
          const std::string &fromWholeTables) {
  EntryPoint entry;
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
  std::string construct = "call(comm, " + quoted(fileOfStatements(schedule, module.sources)) + (hasData ? ", type" : "") +
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

std::string EntryLowering::parameterName(const std::string &wanted) {
  std::string name = local.settle(wanted);
  if (name != wanted)
    renamed.push_back({wanted, name});
  return name;
}

cpp::Function EntryLowering::packetsFunction() {
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

cpp::Function EntryLowering::admitsFunction(const std::string &name) {
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

void EntryLowering::bindLets(const Expr &clause) {
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

void EntryLowering::parameters(cpp::Function &function) {
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

std::vector<cpp::Parameter> EntryLowering::numberParameters() const {
  std::vector<cpp::Parameter> result;
  for (unsigned i = 0; i < schedule.numberCount; ++i)
    result.push_back({"quadrille::Index", numberName(i)});
  return result;
}

ExprPtr EntryLowering::lengthHere(const Buffer &buffer) {
  if (!known || !buffer.length || !buffer.presence)
    return lengthOf(buffer);
  const ExprPtr block = cpp::atom(known->blockName());
  return cpp::lambda(block->text, cpp::conditional(isPresent(buffer), cpp::call(lengthNames[buffer.index], {block}), cpp::number(0)));
}

std::string EntryLowering::repeat(cpp::Body &body) {
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

void EntryLowering::run(const std::string &helper, cpp::Body &body) {
  std::vector<ExprPtr> arguments{cpp::atom("call"), cpp::call("comm.everyone", {})}, numbers;
  for (unsigned i = 0; i < schedule.numberCount; ++i)
    numbers.push_back(cpp::atom(numberName(i)));
  arguments.insert(arguments.end(), numbers.begin(), numbers.end());
  for (const std::string &table : tableNames)
    arguments.push_back(cpp::atom(table));
  cpp::Body go;
  std::vector<ExprPtr> outputs;
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

EntryPoint lowerEntry(Module &module, const Schedule &schedule, const std::string &name, const std::string &helper,
                 const std::string &packets, const std::string &admits, const std::string &fromWholeTables, bool isForMpi) {
  return EntryLowering(module, schedule, isForMpi).run(name, helper, packets, admits, fromWholeTables);
}

} // namespace quadrille::compiler::emit
