//===- Emit.cpp - C++ from a schedule --------------------------------------------------------------------------------------===//

#include "Emit.h"

#include "IrToCpp.h"
#include "TellingEntry.h"

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

/// What the head of a file says below its first line.
static std::vector<std::string> aboutFile(const ir::Schedule &schedule, const std::string &backend, const EmitOptions &options) {
  std::vector<std::string> result;
  result.push_back("Written by quadrille " QUADRILLE_VERSION " (--backend " + backend +
                   (options.nameSpace.empty() ? "" : " --namespace " + options.nameSpace) + "); edit the schedule instead.");
  if (!schedule.bases.empty())
    result.push_back((schedule.isReversal() ? "The reversal of " : "An instance of ") + schedule.pathOfStatements() +
                     ", in whose file the lines are.");
  if (!options.claims.empty())
    result.push_back("");
  for (const std::string &claim : options.claims)
    result.push_back(harmless(claim));
  return result;
}

/// The declaration of a function in the header, which names the runtime's types in full: `result`.
static cpp::Function prototypeOf(cpp::Function function, const std::string &result) {
  function.isPrototype = true;
  function.result = result;
  return function;
}

namespace {

/// A function of the header.
struct PublicFunction {
  cpp::Function definition;
  std::vector<std::string> comment;
  std::string result; // as the header has it
};

} // namespace

/// Appends a blocking function and its forms, which begin with `before`.
static void addFunctions(cpp::Function blocking, std::vector<std::string> comment, const std::vector<Form> &forms, const cpp::Body &before,
                         std::vector<PublicFunction> &into) {
  const size_t first = into.size();
  into.push_back({std::move(blocking), std::move(comment), "quadrille::Status"});
  for (const Form &form : forms) {
    cpp::Function function = functionOf(form, into[first].definition, before);
    into.push_back({function, function.comment, "quadrille::" + form.result});
  }
}

static cpp::File headerOf(const std::string &name, const std::string &backend, const EmitOptions &options, const EntryPoint &entry,
                          const std::vector<PublicFunction> &functions) {
  cpp::File header;
  header.guard = guardOf(name, backend, options.nameSpace);
  header.ownIncludes.push_back("quadrille/" + backend + ".h");
  header.systemIncludes.push_back("cstddef");
  header.nameSpace = options.nameSpace;
  header.usings.push_back("Communicator = quadrille::" + backend + "::Communicator");
  for (const PublicFunction &function : functions) {
    header.visible.push_back(prototypeOf(function.definition, function.result));
    header.visible.back().comment = function.comment;
  }
  if (entry.packets)
    header.visible.push_back(prototypeOf(*entry.packets, "quadrille::Index"));
  if (entry.admits)
    header.visible.push_back(prototypeOf(*entry.admits, entry.admits->result));
  return header;
}

/// The names of the runtime that a source file uses.
static std::vector<std::string> usingsOf(const Module &module) {
  std::vector<std::string> result = {"Call = Communicator::Call", "quadrille::Group", "quadrille::Index", "quadrille::none",
                                     "quadrille::Persistent", "quadrille::Region", "quadrille::Request", "quadrille::Side",
                                     "quadrille::Status"};
  if (module.knowsSome)
    result.insert(llvm::find(result, "quadrille::none"), "quadrille::KnownLengths");
  if (module.usesPresence)
    result.insert(llvm::find(result, "quadrille::Region"), "quadrille::Presence");
  return result;
}

/// The source file, with all functions that `module` has taken. `functions`: those of the header but for the ones of `entry`; `tell`:
/// those of TellingEntry.
static cpp::File sourceOf(const std::string &name, const EmitOptions &options, Module &module, EntryPoint entry,
                          std::vector<PublicFunction> functions, std::vector<cpp::Function> tell) {
  cpp::File source;
  const auto add = [&](cpp::Function function) {
    for (cpp::Parameter &parameter : function.parameters)
      if (llvm::StringRef(parameter.type).starts_with("quadrille::"))
        parameter.type = parameter.type.substr(std::string("quadrille::").size());
    source.visible.push_back(std::move(function));
  };
  // What the header says of a function is not repeated.
  const auto addWithoutComment = [&](cpp::Function function) {
    function.comment.clear();
    add(std::move(function));
  };
  if (entry.admits) {
    cpp::tidy(*entry.admits);
    addWithoutComment(std::move(*entry.admits));
  }
  if (entry.packets)
    addWithoutComment(std::move(*entry.packets));
  for (PublicFunction &function : functions) {
    addWithoutComment(std::move(function.definition));
    if (&function != &functions.front() || !entry.fromWholeTables)
      continue;
    add(std::move(*entry.fromWholeTables));
    module.usesVector = true;
  }
  const bool tells = !tell.empty();
  std::vector<cpp::Function> hidden = module.takeFunctions();
  llvm::move(tell, std::back_inserter(hidden));
  for (cpp::Function &function : hidden)
    cpp::tidy(function);
  source.hidden = reachable(std::move(hidden), source.visible);
  if (std::any_of(source.hidden.begin(), source.hidden.end(), [](const cpp::Function &f) { return f.result == "Node"; }))
    source.structs.push_back(nodeStruct(module.usesRanges()));

  source.ownIncludes = {name + ".h", "quadrille/math.h"};
  if (module.knowsSome || tells)
    source.ownIncludes.insert(source.ownIncludes.begin() + 1, "quadrille/known_lengths.h");
  if (module.usesInitializerList)
    source.systemIncludes.push_back("initializer_list");
  if (module.usesVector)
    source.systemIncludes.push_back("vector");
  source.nameSpace = options.nameSpace;
  source.usings = usingsOf(module);
  return source;
}

EmittedCode emitSchedule(const ir::Schedule &schedule, const ir::Program &program, const Sources &sources,
                         const EmitOptions &options) {
  const std::string backend = backendName(options.backend).str();
  const bool isForMpi = options.backend == Backend::Mpi;
  const auto fromWholeTables = [&](const std::string &of) { return options.takesWholeTables ? of + "_from_whole_tables" : std::string(); };
  const auto admitsName = [&](const std::string &of) { return options.asCandidate ? of + "_admits" : std::string(); };

  Module survey(program, sources);
  survey.knowsSome = schedule.hasUnknownLengths();
  const std::string surveyed = survey.schedule(schedule, BlockLengths::Same);
  const EntryPoint surveyedEntry =
      lowerEntry(survey, schedule, surveyed, surveyed, surveyed + "_packets", admitsName(surveyed), fromWholeTables(surveyed), isForMpi);
  const bool tells = schedule.tellsLengths();
  if (tells)
    lowerTelling(survey, schedule, surveyed, surveyedEntry, namesOfTelling(survey, schedule), fromWholeTables(surveyed));
  survey.takeFunctions();

  EmittedCode code;
  Module module(program, sources, &survey);
  module.knowsSome = survey.knowsSome;
  // The public function is an overload of the function that runs the schedule.
  const std::string name = module.schedule(schedule, BlockLengths::Same), helper = name;
  code.baseName = name;
  if (const std::string wanted = functionName(schedule.collective->name, schedule.name); name != wanted)
    code.renamed.push_back({wanted, name});
  if (tells)
    code.toldName = module.names.settle(name + "_told");
  std::vector<Form> forms, formsOfTold;
  if (options.asCandidate) {
    code.admitsName = module.names.settle(admitsName(name));
  } else {
    forms = formsOf(name, module.names);
    if (tells)
      formsOfTold = formsOf(code.toldName, module.names);
    code.startName = forms[0].name;
    code.initName = forms[1].name;
  }
  const std::string packetsName = module.names.settle(name + "_packets");
  const std::string wholeTablesName = (module.knowsSome || tells) && options.takesWholeTables ? module.names.settle(fromWholeTables(name)) : "";
  const std::vector<std::string> tellNames = tells ? namesOfTelling(module, schedule) : std::vector<std::string>();
  EntryPoint entry = lowerEntry(module, schedule, tells ? code.toldName : name, helper, packetsName, code.admitsName, wholeTablesName, isForMpi);
  TellingEntry telling;
  if (tells) {
    telling = lowerTelling(module, schedule, name, entry, tellNames, wholeTablesName);
    entry.fromWholeTables = std::move(telling.fromWholeTables);
  }
  llvm::append_range(code.renamed, entry.renamed);
  if (entry.packets)
    code.packetsName = packetsName;
  if (entry.fromWholeTables)
    code.wholeTablesName = wholeTablesName;
  std::vector<PublicFunction> functions;
  if (tells)
    addFunctions(std::move(telling.definition), std::move(telling.comment), forms, {}, functions);
  addFunctions(std::move(entry.definition), std::move(entry.comment), tells ? formsOfTold : forms, entry.choice, functions);

  cpp::File header = headerOf(name, backend, options, entry, functions);
  cpp::File source = sourceOf(name, options, module, std::move(entry), std::move(functions), std::move(telling.tell));
  const std::vector<std::string> about = aboutFile(schedule, backend, options);
  for (auto [file, ending] : {std::pair(&header, ".h: "), std::pair(&source, ".cpp: ")}) {
    file->comment = {name + ending + "the schedule " + schedule.path() + ", backend " + backend + "."};
    llvm::append_range(file->comment, about);
  }
  code.header = cpp::print(header);
  code.source = cpp::print(source);
  return code;
}

} // namespace quadrille::compiler::emit
