//===- TellingEntry.cpp - The public function of a schedule whose ranks tell each other lengths ------------------------------===//

#include "TellingEntry.h"

#include "EntryLowering.h"

#include "ir/Telling.h"

namespace quadrille::compiler::emit {

using namespace ir;
using cpp::ExprPtr;

namespace {

class TellingLowering {
public:
  /// `told`: as for lowerTelling. Its parameters keep their names.
  TellingLowering(Module &module, const Schedule &schedule, const cpp::Function &told);

  TellingEntry run(const std::string &name, const std::vector<std::string> &commentOfTold, llvm::ArrayRef<std::string> tellNames,
                   const std::string &fromWholeTables);

private:
  cpp::Function tell(unsigned table, const std::string &name);
  /// Emits code that stores what this rank has to tell.
  void fill(unsigned table, Telling telling, cpp::Body &body);
  std::vector<std::string> comment(const std::vector<std::string> &ofTold) const;

  Module &module;
  const Schedule &schedule;
  const cpp::Function &told;
  Names local;
  ExprLowering exprs;
  std::vector<cpp::Parameter> numbers, rest; // of the parameters of `told`
  std::vector<std::string> tables;           // names that `told` has for its tables
  std::optional<KnownTables> known;
  std::string all; // the table that is told, in the function that tells it
};

} // namespace

TellingLowering::TellingLowering(Module &module, const Schedule &schedule, const cpp::Function &told)
    : module(module), schedule(schedule), told(told), local(&module.names), exprs(module, schedule.variables.size()) {
  exprs.frame = boundVariables(schedule);
  exprs.bind(Schedule::variableP, cpp::atom("comm.size()"));
  exprs.bind(Schedule::variableMe, cpp::atom("comm.rank()"));
  const size_t firstTable = 1 + schedule.numberCount, firstOther = firstTable + schedule.tables.size();
  for (size_t i = 1; i < told.parameters.size(); ++i) {
    const cpp::Parameter &parameter = told.parameters[i];
    if (i < firstTable) {
      exprs.bind(static_cast<unsigned>(Schedule::firstNumber + i - 1), cpp::atom(parameter.name));
      numbers.push_back(parameter);
    } else if (i < firstOther) {
      tables.push_back(parameter.name);
      continue; // its name is free here
    } else {
      rest.push_back(parameter);
    }
    local.settle(parameter.name);
  }
  known.emplace(schedule, exprs, [this](const std::string &wanted) { return local.settle(wanted); });
  all = local.settle("all");
}

void TellingLowering::fill(unsigned table, Telling telling, cpp::Body &body) {
  const Table &of = schedule.tables[table];
  const size_t firstFree = telling == Telling::Rows ? 1 : 0;
  const auto nameOf = [&](size_t i) { return known->indexName(2 - of.extents.size() + i); };
  std::vector<ExprPtr> at;
  for (size_t i = 0; i < of.extents.size(); ++i)
    at.push_back(cpp::atom(i < firstFree ? "comm.rank()" : nameOf(i)));
  cpp::Body inner{cpp::assignment(cpp::subscript(cpp::method(cpp::atom(all), "data", {}), known->index(table, at)),
                                  cpp::call(known->names()[table], at))};
  for (size_t i = of.extents.size(); i-- > firstFree;) {
    const ExprPtr counter = cpp::atom(nameOf(i));
    inner = {cpp::forLoop(nameOf(i), cpp::number(0), cpp::infix(counter, "<", exprs.lower(*of.extents[i])), cpp::prefix("++", counter), std::move(inner))};
  }
  if (telling == Telling::Table)
    inner = {cpp::ifThen(cpp::infix(cpp::atom("comm.rank()"), "==", exprs.names[*schedule.rootVariable()]), std::move(inner))};
  llvm::move(inner, std::back_inserter(body));
}

cpp::Function TellingLowering::tell(unsigned table, const std::string &name) {
  const Schedule &by = *schedule.tellingOf(table)->toldBy;
  const Telling telling = *tellingBy(by);
  cpp::Function function;
  function.comment = {"Tells all ranks all of `" + schedule.tables[table].name + "`, by " + by.path() + "."};
  function.result = "Status";
  function.name = name;
  function.parameters = {{"Communicator &", "comm"}};
  for (const cpp::Parameter &number : numbers)
    function.parameters.push_back({"Index", number.name});
  llvm::append_range(function.parameters, known->parametersOf(table));
  function.parameters.push_back({"const quadrille::ToldLengths &", all});
  cpp::Body &body = function.body;
  body.push_back(cpp::declaration("Call", "call(comm, " + quoted(by.pathOfStatements() + ".quad") + ", Communicator::Datatype::of<std::size_t>())", nullptr, false));
  for (unsigned i = schedule.parameterCount; i < schedule.numberCount; ++i)
    body.push_back(cpp::returnIfBad(cpp::call("call.requireRoot", {cpp::atom(numbers[i].name)})));
  known->check(table, body);
  const ExprPtr data = cpp::method(cpp::atom(all), "data", {});
  body.push_back(cpp::returnIfBad(cpp::call("call.requireMemory", {data})));
  fill(table, telling, body);

  // A row has as many entries as there are columns.
  const bool isOfRows = telling == Telling::Rows;
  const auto &extents = schedule.tables[table].extents;
  const ExprPtr row = extents.size() == 1 ? cpp::number(1) : exprs.lower(*extents[1]);
  const ExprPtr length = isOfRows ? row : known->entries(table);
  const ExprPtr blocks = isOfRows ? cpp::atom("comm.size()") : cpp::number(1);
  const ExprPtr own = !isOfRows ? data
                      : extents.size() == 1 ? cpp::infix(data, "+", cpp::atom("comm.rank()"))
                                            : cpp::infix(data, "+", cpp::infix(cpp::atom("comm.rank()"), "*", row));
  const auto words = [](const ExprPtr &count) {
    return count->kind == cpp::ExprKind::Atom && count->text == "1" ? count : cpp::call("static_cast<std::size_t>", {count});
  };
  const std::string out = local.settle("out"), in = local.settle("in");
  std::vector<ExprPtr> arguments{cpp::atom("call"), cpp::call("comm.everyone", {})}, root;
  if (!isOfRows)
    root.push_back(exprs.names[*schedule.rootVariable()]);
  llvm::append_range(arguments, root);
  llvm::append_range(arguments, std::vector<ExprPtr>{cpp::atom(in), cpp::atom(out)});
  cpp::Body go;
  go.push_back(cpp::declaration("const Region", out, cpp::call("call.output", {data, blocks, words(length)}), false));
  go.push_back(cpp::declaration("const Region", in, cpp::call("call.input", {own, cpp::number(1), words(length), cpp::atom(out)}), false));
  go.push_back(cpp::returns(cpp::call(module.schedule(by, BlockLengths::Same), std::move(arguments))));
  body.push_back(cpp::returnCall(cpp::call("call.run", {cpp::braces("", std::move(root))}), "&", std::move(go)));
  return function;
}

/// The comment of `told` with the parameters for what ranks know in place of those for tables.
std::vector<std::string> TellingLowering::comment(const std::vector<std::string> &ofTold) const {
  std::vector<std::string> lines{ofTold.front()};
  std::string by;
  for (unsigned table = 0; table < schedule.tables.size(); ++table)
    if (const Knowledge *telling = schedule.tellingOf(table))
      by += (by.empty() ? "`" : ", `") + telling->toldBy->path() + "`";
  lines.push_back("Before, all ranks are told all lengths by " + by + "; `" + told.name + "` is for callers that know them.");
  bool isDone = false;
  for (const std::string &line : llvm::drop_begin(ofTold)) {
    const auto isAbout = [&](const std::string &table) { return llvm::StringRef(line).starts_with("\\param " + table + " "); };
    if (llvm::none_of(tables, isAbout)) {
      lines.push_back(line);
      continue;
    }
    if (!isDone)
      known->comment(lines);
    isDone = true;
  }
  return lines;
}

TellingEntry TellingLowering::run(const std::string &name, const std::vector<std::string> &commentOfTold,
                                  llvm::ArrayRef<std::string> tellNames, const std::string &fromWholeTables) {
  TellingEntry entry;
  entry.comment = comment(commentOfTold);
  cpp::Function &function = entry.definition;
  function.result = "Status";
  function.name = name;
  function.parameters = {told.parameters.front()};
  llvm::append_range(function.parameters, numbers);
  llvm::append_range(function.parameters, known->parameters());
  llvm::append_range(function.parameters, rest);

  cpp::Body together;
  std::vector<ExprPtr> arguments{cpp::atom("comm")};
  for (const cpp::Parameter &number : numbers)
    arguments.push_back(cpp::atom(number.name));
  std::vector<ExprPtr> toTold = arguments;
  for (unsigned table = 0; table < schedule.tables.size(); ++table) {
    const std::string data = local.settle(schedule.tables[table].name + "Told");
    toTold.push_back(cpp::method(cpp::atom(data), "data", {}));
    if (!schedule.tellingOf(table)) { // all ranks know it; the caller's memory may be gone when it is needed
      together.push_back(cpp::declaration("const quadrille::ToldLengths", data,
                                          cpp::call("quadrille::ToldLengths", {known->entries(table), cpp::atom(known->parametersOf(table).front().name)}), false));
      continue;
    }
    const std::string &tellName = tellNames[table];
    entry.tell.push_back(tell(table, tellName));
    std::vector<ExprPtr> toTell = arguments;
    for (const cpp::Parameter &parameter : known->parametersOf(table))
      toTell.push_back(cpp::atom(parameter.name));
    toTell.push_back(cpp::atom(data));
    together.push_back(cpp::declaration("const quadrille::ToldLengths", data, cpp::call("quadrille::ToldLengths", {known->entries(table)}), false));
    together.push_back(cpp::returnIfBad(cpp::call(tellName, std::move(toTell))));
  }
  for (const cpp::Parameter &parameter : rest)
    toTold.push_back(cpp::atom(parameter.name));
  together.push_back(cpp::returnCall(cpp::atom("comm.then"), "=, &comm", {cpp::returns(cpp::call(told.name, std::move(toTold)))}));
  function.body.push_back(cpp::returnCall(cpp::atom("comm.together"), "=, &comm", std::move(together)));
  if (!fromWholeTables.empty())
    entry.fromWholeTables = known->fromWholeTables(fromWholeTables, numbers);
  return entry;
}

std::vector<std::string> namesOfTelling(Module &module, const Schedule &schedule) {
  std::vector<std::string> names;
  for (const Table &table : schedule.tables)
    names.push_back(module.names.settle("tell_" + table.name));
  return names;
}

TellingEntry lowerTelling(Module &module, const Schedule &schedule, const std::string &name, const EntryPoint &told,
                          llvm::ArrayRef<std::string> tell, const std::string &fromWholeTables) {
  return TellingLowering(module, schedule, told.definition).run(name, told.comment, tell, fromWholeTables);
}

} // namespace quadrille::compiler::emit
