//===- KnownTables.cpp - Tables of which a rank knows some entries ---------------------------------------------------------===//

#include "KnownTables.h"

#include "ir/Print.h"

#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler::emit {

using namespace ir;
using cpp::ExprPtr;

KnownTables::KnownTables(const Schedule &schedule, ExprLowering &exprs, llvm::function_ref<std::string(const std::string &)> settle)
    : schedule(schedule), exprs(exprs) {
  for (unsigned table = 0; table < schedule.tables.size(); ++table) {
    const std::vector<const Knowledge *> known = schedule.knowledgeOfCallers(table);
    if (known.empty())
      add(table, nullptr);
    for (const Knowledge *stated : known)
      add(table, stated);
  }
  for (Part &part : parts)
    part.name = settle(part.name);
  for (const Table &table : schedule.tables)
    found.push_back(settle(table.name + "Known"));
  for (const char *name : {"i", "j"})
    indexNames.push_back(settle(name));
}

void KnownTables::add(unsigned table, const Knowledge *stated) {
  Part part{table, stated, schedule.tables[table].name, {}};
  for (unsigned i = 0; i < schedule.tables[table].extents.size(); ++i)
    if (!stated || stated->indices[i].variable)
      part.free.push_back(i);
  // len[me][j] is len_me_j.
  if (stated && part.free.size() < stated->indices.size())
    for (const Knowledge::Index &index : stated->indices) {
      std::string text = index.variable ? schedule.variables[*index.variable].name : ir::text(*index.value, schedule);
      for (char &c : text)
        if (!llvm::isAlnum(c))
          c = '_';
      part.name += "_" + text;
    }
  parts.push_back(std::move(part));
}

ExprPtr KnownTables::extent(unsigned table, unsigned index) const { return exprs.lower(*schedule.tables[table].extents[index]); }

ExprPtr KnownTables::count(const Part &part) const {
  ExprPtr product = cpp::number(1);
  for (size_t i = 0; i < part.free.size(); ++i)
    product = i == 0 ? extent(part.table, part.free[i]) : cpp::infix(product, "*", extent(part.table, part.free[i]));
  return product;
}

ExprPtr KnownTables::entries(unsigned table) const {
  ExprPtr product = extent(table, 0);
  for (unsigned i = 1; i < schedule.tables[table].extents.size(); ++i)
    product = cpp::infix(product, "*", extent(table, i));
  return product;
}

ExprPtr KnownTables::index(unsigned table, const std::vector<ExprPtr> &at) const {
  return at.size() == 1 ? at[0] : cpp::infix(cpp::infix(at[0], "*", extent(table, 1)), "+", at[1]);
}

bool KnownTables::dependsOnIndex(const Part &part) const {
  return part.stated && part.stated->condition && llvm::any_of(part.stated->indices, [&](const Knowledge::Index &index) {
    return index.variable && mentions(*part.stated->condition, *index.variable);
  });
}

void KnownTables::bindFree(const Part &part, const std::vector<ExprPtr> &at) const {
  for (size_t i = 0; part.stated && i < at.size(); ++i)
    if (part.stated->indices[i].variable)
      exprs.bind(*part.stated->indices[i].variable, at[i]);
}

std::vector<cpp::Parameter> KnownTables::parameters() const {
  std::vector<cpp::Parameter> result;
  for (unsigned table = 0; table < schedule.tables.size(); ++table)
    llvm::append_range(result, parametersOf(table));
  return result;
}

std::vector<cpp::Parameter> KnownTables::parametersOf(unsigned table) const {
  std::vector<cpp::Parameter> result;
  for (const Part &part : parts)
    if (part.table == table)
      result.push_back({part.free.empty() ? "std::size_t" : "const std::size_t *", part.name});
  return result;
}

void KnownTables::comment(std::vector<std::string> &lines) const {
  for (const Part &part : parts) {
    std::string line = "\\param " + part.name + (part.free.empty() ? " length of a block in elements: `" : " lengths of blocks in elements: `");
    line += schedule.tables[part.table].name;
    for (unsigned i = 0; i < schedule.tables[part.table].extents.size(); ++i)
      line += "[" + (!part.stated                        ? indexNames[schedule.tables[part.table].extents.size() == 1 ? 1 : i]
                     : part.stated->indices[i].variable ? schedule.variables[*part.stated->indices[i].variable].name
                                                        : ir::text(*part.stated->indices[i].value, schedule)) +
              "]";
    line += "`";
    if (!part.free.empty())
      line += part.free.size() == 1 ? ", one after the other" : ", row by row";
    if (part.stated && part.stated->condition)
      line += "; looked at where " + ir::text(*part.stated->condition, schedule) +
              (part.free.empty() ? " only" : dependsOnIndex(part) ? " only" : " only, elsewhere it may be null");
    lines.push_back(line);
  }
}

/// [&](Index i, Index j) { return i == me ? len_me_j[j] : ...; }
ExprPtr KnownTables::lookup(unsigned table) const {
  const size_t indices = schedule.tables[table].extents.size();
  std::vector<ExprPtr> at;
  for (size_t i = 2 - indices; i < 2; ++i)
    at.push_back(cpp::atom(indexNames[i]));
  ExprPtr result = cpp::atom("quadrille::KnownLengths::unknown");
  for (const Part &part : llvm::reverse(parts)) {
    if (part.table != table)
      continue;
    bindFree(part, at);
    ExprPtr isIt;
    auto require = [&](ExprPtr condition) { isIt = isIt ? cpp::infix(isIt, "&&", condition) : condition; };
    for (size_t i = 0; part.stated && i < indices; ++i)
      if (!part.stated->indices[i].variable)
        require(cpp::infix(at[i], "==", exprs.lower(*part.stated->indices[i].value)));
    if (part.stated && part.stated->condition)
      require(exprs.lower(*part.stated->condition));
    ExprPtr value = cpp::atom(part.name);
    if (part.free.size() == 1)
      value = cpp::subscript(value, at[part.free[0]]);
    else if (part.free.size() > 1)
      value = cpp::subscript(value, index(table, at));
    result = isIt ? cpp::conditional(isIt, value, result) : value;
  }
  return cpp::lambda(indices == 1 ? indexNames[1] : "Index " + indexNames[0] + ", Index " + indexNames[1], result);
}

void KnownTables::check(cpp::Body &body) const {
  for (unsigned table = 0; table < schedule.tables.size(); ++table)
    check(table, body);
}

void KnownTables::check(unsigned table, cpp::Body &body) const {
  for (const Part &part : parts) {
    if (part.table != table)
      continue;
    const std::string quoted = "\"" + part.name + "\"";
    std::vector<ExprPtr> arguments{cpp::atom(quoted), part.free.empty() ? cpp::prefix("&", cpp::atom(part.name)) : cpp::atom(part.name),
                                   count(part)};
    ExprPtr condition;
    if (part.stated && part.stated->condition) {
      // The place of a length among those of the parameter.
      const std::string &place = indexNames[1];
      std::vector<ExprPtr> at(part.stated->indices.size());
      if (part.free.size() == 1)
        at[part.free[0]] = cpp::atom(place);
      else if (part.free.size() == 2)
        at = {cpp::infix(cpp::atom(place), "/", extent(part.table, 1)), cpp::infix(cpp::atom(place), "%", extent(part.table, 1))};
      bindFree(part, at);
      condition = exprs.lower(*part.stated->condition);
      if (dependsOnIndex(part)) {
        arguments.push_back(cpp::lambda(place, condition));
        condition = nullptr;
      }
    }
    cpp::Stmt check = cpp::returnIfBad(cpp::call("call.requireLengths", std::move(arguments)));
    body.push_back(condition ? cpp::ifThen(condition, {std::move(check)}) : std::move(check));
  }
  body.push_back(cpp::declaration("const auto", found[table], lookup(table), false));
}

cpp::Function KnownTables::fromWholeTables(const std::string &name, std::vector<cpp::Parameter> numbers) const {
  cpp::Function function;
  function.result = "template <class Run> auto";
  function.name = name;
  function.parameters = {{"Communicator &", "comm"}};
  llvm::append_range(function.parameters, numbers);
  for (unsigned table = 0; table < schedule.tables.size(); ++table)
    function.parameters.push_back({"const std::size_t *", found[table]});
  function.parameters.push_back({"Run", "run"});
  std::vector<ExprPtr> arguments;
  for (const Part &part : parts) {
    const ExprPtr whole = cpp::atom(found[part.table]), unknown = cpp::atom("quadrille::KnownLengths::unknown");
    std::vector<ExprPtr> at;
    for (unsigned i = 0; i < schedule.tables[part.table].extents.size(); ++i)
      at.push_back(part.stated && !part.stated->indices[i].variable ? exprs.lower(*part.stated->indices[i].value) : cpp::atom(indexNames[i]));
    bindFree(part, at);
    const ExprPtr condition = part.stated && part.stated->condition ? exprs.lower(*part.stated->condition) : nullptr;
    ExprPtr value = cpp::subscript(whole, index(part.table, at));
    if (part.free.empty()) {
      arguments.push_back(condition ? cpp::conditional(condition, value, unknown) : value);
      continue;
    }
    if (condition && dependsOnIndex(part))
      value = cpp::conditional(condition, value, unknown);
    auto whereKnown = [&](ExprPtr lengths) {
      return condition && !dependsOnIndex(part)
                 ? cpp::conditional(condition, std::move(lengths), cpp::atom("static_cast<const std::size_t *>(nullptr)"))
                 : lengths;
    };
    // If the parameter has a whole row or the whole table, the place is enough.
    if (part.free.back() + 1 == at.size() && !(condition && dependsOnIndex(part))) {
      arguments.push_back(whereKnown(part.free.size() == at.size()
                                         ? whole
                                         : cpp::infix(whole, "+", cpp::infix(at[0], "*", extent(part.table, 1)))));
      continue;
    }
    function.body.push_back(cpp::declaration("std::vector<std::size_t>", part.name, nullptr, false));
    cpp::Body fill{cpp::expression(cpp::method(cpp::atom(part.name), "push_back", {value}))};
    for (unsigned i : llvm::reverse(part.free)) {
      const ExprPtr counter = cpp::atom(indexNames[i]);
      fill = {cpp::forLoop(indexNames[i], cpp::number(0), cpp::infix(counter, "<", extent(part.table, i)), cpp::prefix("++", counter), std::move(fill))};
    }
    llvm::move(fill, std::back_inserter(function.body));
    arguments.push_back(whereKnown(cpp::method(cpp::call("static_cast<const std::vector<std::size_t> &>", {cpp::atom(part.name)}), "data", {})));
  }
  function.body.push_back(cpp::returns(cpp::call("run", std::move(arguments))));
  return function;
}

} // namespace quadrille::compiler::emit
