//===- Emit.cpp - C++ from a schedule --------------------------------------------------------------------------------------===//

#include "Emit.h"

#include "IrToCpp.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

namespace quadrille::compiler::emit {

llvm::StringRef backendName(Backend backend) { return backend == Backend::Shm ? "shm" : "mpi"; }

/// Keeps the functions that visible functions call, directly or not.
static std::vector<cpp::Function> reachable(std::vector<cpp::Function> hidden, const std::vector<cpp::Function> &visible) {
  std::vector<bool> kept(hidden.size());
  auto isCalled = [&](const cpp::Function &function) {
    auto calls = [&](const cpp::Function &caller) {
      return caller.name != function.name && cpp::mentions(caller.body, function.name);
    };
    if (std::any_of(visible.begin(), visible.end(), [&](const cpp::Function &caller) { return cpp::mentions(caller.body, function.name); }))
      return true;
    for (size_t i = 0; i < hidden.size(); ++i)
      if (kept[i] && calls(hidden[i]))
        return true;
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < hidden.size(); ++i)
      if (!kept[i] && isCalled(hidden[i]))
        kept[i] = changed = true;
  }
  std::vector<cpp::Function> result;
  for (size_t i = 0; i < hidden.size(); ++i)
    if (kept[i])
      result.push_back(std::move(hidden[i]));
  return result;
}

static cpp::Struct nodeStruct(bool ofRanges) {
  cpp::Struct node;
  node.comment.push_back("A rank's place in a tree of ranks");
  node.name = "Node";
  node.fields = {{"parent", "none"}, {"left", "none"}, {"right", "none"}};
  node.comment[0] += ofRanges ? "; lo ..< hi are the ranks of its subtree." : ".";
  if (ofRanges)
    node.fields.insert(node.fields.end(), {{"depth", "0"}, {"lo", "0"}, {"hi", "0"}});
  return node;
}

/// The text without what would end a line comment or continue it in the next line.
static std::string harmless(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\n' || c == '\r' ? ' ' : c;
  while (!result.empty() && (result.back() == '\\' || result.back() == ' '))
    result.pop_back();
  return result;
}

namespace {

/// A form of a collective that hands the blocking function to a function of the communicator.
struct Form {
  std::string name, result, by; // its name, what it returns, and the communicator's function
  std::vector<std::string> comment;
};

} // namespace

/// The nonblocking form (comm.start) and the persistent one (comm.prepare).
static std::vector<Form> formsOf(const std::string &name, Names &names) {
  return {{names.settle(name + "_start"),
           "Request",
           "comm.start",
           {"`" + name + "` without waiting: the call has ended when the request says so. Until then the buffers",
            "belong to it, and `comm` must exist. All ranks call and start alike, in the same order."}},
          {names.settle(name + "_init"),
           "Persistent",
           "comm.prepare",
           {"`" + name + "` to be started often with the same arguments, which are looked at now. Nothing is",
            "communicated before `start`; from then on it is as if it had been started without waiting."}}};
}

static cpp::Function functionOf(const Form &form, const cpp::Function &blocking, const cpp::Body &before) {
  cpp::Function function = blocking;
  function.comment = form.comment;
  function.result = form.result;
  function.name = form.name;
  std::vector<cpp::ExprPtr> arguments;
  for (const cpp::Parameter &parameter : blocking.parameters)
    arguments.push_back(cpp::atom(parameter.name));
  const char *captures = arguments.size() > 1 ? "=, &comm" : "&comm";
  function.body = before;
  function.body.push_back(
      cpp::returnCall(cpp::atom(form.by), captures, {cpp::returns(cpp::call(blocking.name, std::move(arguments)))}));
  return function;
}

std::string emittedName(const ir::Schedule &schedule, const ir::Program &program, const Sources &sources) {
  return Module(program, sources).names.settle(functionName(schedule.collective->name, schedule.name));
}

/// Files for other backends and namespaces have other guards, so that one file may include them all.
static std::string guardOf(llvm::StringRef name, llvm::StringRef backend, llvm::StringRef nameSpace) {
  std::string guard = "QUADRILLE_EMITTED_";
  for (llvm::StringRef rest = nameSpace; !rest.empty();) {
    auto [component, others] = rest.split("::");
    guard += (component + (others.empty() ? "_" : "_NS_")).str();
    rest = others;
  }
  return guard + (backend + "_" + name + "_H").str();
}

EmittedCode emitSchedule(const ir::Schedule &schedule, const ir::Program &program, const Sources &sources,
                         const EmitOptions &options) {
  const std::string backend = backendName(options.backend).str();
  const bool isForMpi = options.backend == Backend::Mpi;
  EmittedCode code;
  Module survey(program, sources);
  const auto fromWholeTables = [&](const std::string &of) { return options.takesWholeTables ? of + "_from_whole_tables" : std::string(); };
  survey.knowsSome = schedule.hasUnknownLengths();
  const std::string surveyed = survey.schedule(schedule, BlockLengths::Same);
  const auto admitsName = [&](const std::string &of) { return options.asCandidate ? of + "_admits" : std::string(); };
  lowerEntry(survey, schedule, surveyed, surveyed, surveyed + "_packets", admitsName(surveyed), fromWholeTables(surveyed), isForMpi);
  survey.takeFunctions();
  Module module(program, sources, &survey);
  module.knowsSome = survey.knowsSome;
  // The public function is an overload of the function that runs the schedule.
  const std::string name = module.schedule(schedule, BlockLengths::Same), helper = name;
  code.baseName = name;
  if (const std::string wanted = functionName(schedule.collective->name, schedule.name); name != wanted)
    code.renamed.push_back({wanted, name});
  std::vector<Form> forms;
  if (options.asCandidate) {
    code.admitsName = module.names.settle(admitsName(name));
  } else {
    forms = formsOf(name, module.names);
    code.startName = forms[0].name;
    code.initName = forms[1].name;
  }
  const std::string packetsName = module.names.settle(name + "_packets");
  const std::string wholeTablesName = module.knowsSome && options.takesWholeTables ? module.names.settle(fromWholeTables(name)) : "";
  Entry entry = lowerEntry(module, schedule, name, helper, packetsName, code.admitsName, wholeTablesName, isForMpi);
  llvm::append_range(code.renamed, entry.renamed);

  cpp::File source;
  source.comment.push_back(name + ".cpp: the schedule " + schedule.path() + ", backend " + backend + ".");
  source.comment.push_back("Written by quadrille " QUADRILLE_VERSION " (--backend " + backend +
                           (options.nameSpace.empty() ? "" : " --namespace " + options.nameSpace) + "); edit the schedule instead.");
  if (!schedule.bases.empty())
    source.comment.push_back((schedule.isReversal() ? "The reversal of " : "An instance of ") + schedule.pathOfStatements() +
                             ", in whose file the lines are.");
  if (!options.claims.empty())
    source.comment.push_back("");
  for (const std::string &claim : options.claims)
    source.comment.push_back(harmless(claim));

  cpp::File header;
  header.comment = source.comment;
  header.comment[0] = name + ".h: the schedule " + schedule.path() + ", backend " + backend + ".";
  header.guard = guardOf(name, backend, options.nameSpace);
  header.ownIncludes.push_back("quadrille/" + backend + ".h");
  header.systemIncludes.push_back("cstddef");
  header.nameSpace = options.nameSpace;
  header.usings.push_back("Communicator = quadrille::" + backend + "::Communicator");
  cpp::Function prototype = entry.definition;
  prototype.isPrototype = true;
  prototype.result = "quadrille::Status";
  prototype.comment = entry.comment;
  header.visible.push_back(std::move(prototype));
  std::vector<cpp::Function> others;
  for (const Form &form : forms) {
    others.push_back(functionOf(form, entry.definition, entry.choice));
    prototype = others.back();
    prototype.isPrototype = true;
    prototype.result = "quadrille::" + form.result;
    header.visible.push_back(std::move(prototype));
    others.back().comment.clear();
  }
  if (entry.packets) {
    code.packetsName = packetsName;
    prototype = *entry.packets;
    prototype.isPrototype = true;
    prototype.result = "quadrille::Index";
    header.visible.push_back(std::move(prototype));
    entry.packets->comment.clear();
  }

  if (entry.admits) {
    prototype = *entry.admits;
    prototype.isPrototype = true;
    header.visible.push_back(std::move(prototype));
    entry.admits->comment.clear();
    cpp::tidy(*entry.admits);
  }

  source.ownIncludes = {name + ".h", "quadrille/math.h"};
  source.nameSpace = options.nameSpace;
  if (entry.admits)
    source.visible.push_back(std::move(*entry.admits));
  if (entry.packets)
    source.visible.push_back(std::move(*entry.packets));
  source.visible.push_back(std::move(entry.definition));
  if (entry.fromWholeTables) {
    code.wholeTablesName = wholeTablesName;
    source.visible.push_back(std::move(*entry.fromWholeTables));
    module.usesVector = true;
  }
  llvm::move(others, std::back_inserter(source.visible));
  for (cpp::Function &function : source.visible)
    for (cpp::Parameter &parameter : function.parameters)
      if (llvm::StringRef(parameter.type).starts_with("quadrille::"))
        parameter.type = parameter.type.substr(std::string("quadrille::").size());
  std::vector<cpp::Function> hidden = module.takeFunctions();
  for (cpp::Function &function : hidden)
    cpp::tidy(function);
  source.hidden = reachable(std::move(hidden), source.visible);
  if (std::any_of(source.hidden.begin(), source.hidden.end(), [](const cpp::Function &f) { return f.result == "Node"; }))
    source.structs.push_back(nodeStruct(module.usesRanges()));
  source.systemIncludes = {};
  if (module.usesInitializerList)
    source.systemIncludes.push_back("initializer_list");
  if (module.usesVector)
    source.systemIncludes.push_back("vector");

  source.usings = {"Call = Communicator::Call", "quadrille::Group", "quadrille::Index", "quadrille::none", "quadrille::Persistent",
                   "quadrille::Region", "quadrille::Request", "quadrille::Side", "quadrille::Status"};
  if (module.knowsSome) {
    source.ownIncludes.insert(source.ownIncludes.begin() + 1, "quadrille/known_lengths.h");
    source.usings.insert(llvm::find(source.usings, "quadrille::none"), "quadrille::KnownLengths");
  }
  if (module.usesPresence)
    source.usings.insert(llvm::find(source.usings, "quadrille::Region"), "quadrille::Presence");
  code.header = cpp::print(header);
  code.source = cpp::print(source);
  return code;
}

} // namespace quadrille::compiler::emit
