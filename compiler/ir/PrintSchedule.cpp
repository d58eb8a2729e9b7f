//===- PrintSchedule.cpp - Schedules as text -----------------------------------------------------------------------===//

#include "Print.h"

#include "ExprWriter.h"
#include "Walk.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler::ir {

std::vector<std::string> tableNames(const Schedule &schedule) {
  std::vector<std::string> names;
  for (const Table &table : schedule.tables)
    names.push_back(table.name);
  return names;
}

namespace {

class SchedulePrinter {
public:
  SchedulePrinter(const Schedule &schedule, llvm::raw_ostream &out)
      : schedule(schedule), out(out), writer(schedule.variables, tableNames(schedule)),
        known(static_cast<unsigned>(schedule.variables.size())), isSplit(static_cast<unsigned>(schedule.buffers.size())) {}

  void run();

private:
  void signature();
  void claim(const std::optional<CostClause> &claim, llvm::StringRef word);
  void clauses();
  void line(const llvm::Twine &text) { out.indent(2 * depth) << text << "\n"; }
  void body(const Body &body);
  void block(const Body &body);
  void statement(const Stmt &stmt);
  void transfers(llvm::ArrayRef<std::unique_ptr<Stmt>> &rest);
  void clockOf(const Clock *clock);
  void declaration(const Buffer &buffer);
  void loop(const ForStmt &loop);
  void invariant(const Invariant &stated);
  void use(const UseStmt &use);
  void splits();
  std::string indexText(const Index &index) const;
  std::string sliceText(const Slice &slice) const;
  std::string dataText(const DataExpr &data) const;

  const Schedule &schedule;
  llvm::raw_ostream &out;
  const ExprWriter writer;
  unsigned depth = 1;
  const Clock *current = nullptr;  // the clock at the current place
  llvm::SmallBitVector known;      // variables that a `split` may use here: numbers of the schedule, and lets printed so far
  llvm::SmallBitVector isSplit;    // buffers whose `split` has been printed
  std::vector<const Buffer *> declared;
};

void SchedulePrinter::run() {
  signature();
  clauses();
  known.set(0, Schedule::firstNumber + schedule.numberCount);
  llvm::append_range(declared, schedule.inputs);
  llvm::append_range(declared, schedule.outputs);
  splits();
  body(schedule.body);
  out << "}\n";
}

void SchedulePrinter::signature() {
  const Collective &collective = *schedule.collective;
  auto numbers = llvm::ArrayRef(schedule.variables).slice(Schedule::firstNumber, schedule.numberCount);
  out << "schedule " << schedule.name;
  if (schedule.parameterCount)
    out << "(" << namesOf(numbers.take_front(schedule.parameterCount)) << ")";
  out << " for " << collective.name << "(";
  size_t number = schedule.parameterCount, table = 0, input = 0;
  llvm::interleaveComma(collective.inputs, out, [&](const CollectiveParam &param) {
    out << (param.isNumber ? numbers[number++].name : param.isTable ? schedule.tables[table++].name : schedule.inputs[input++]->name);
  });
  out << ")";
  if (!schedule.outputs.empty()) {
    out << " -> (";
    llvm::interleaveComma(schedule.outputs, out, [&](const Buffer *output) { out << output->name; });
    out << ")";
  }
  out << " {\n";
}

void SchedulePrinter::claim(const std::optional<CostClause> &claim, llvm::StringRef word) {
  if (claim)
    line(word + (claim->upperBound ? " <= " : " ") + writer.text(*claim->formula));
}

void SchedulePrinter::clauses() {
  for (const Requirement &requirement : schedule.requirements)
    line("requires " + writer.text(*requirement.condition));
  for (const Knowledge &known : schedule.knowledge)
    if (known.isRequired)
      line("requires knows " + writer.knowledgeText(known) + (known.toldBy ? " by " + known.toldBy->path() : ""));
  if (schedule.requiresCommutative)
    line("requires commutative");
  if (schedule.model) {
    const std::string ports = schedule.model->ports ? "(" + writer.text(*schedule.model->ports) + ")" : "";
    line("model " + ir::portModelName(schedule.model->model) + ports);
  }
  claim(schedule.cost, "cost");
  claim(schedule.rounds, "rounds");
  if (schedule.origin)
    line("ranks from " + writer.text(*schedule.origin));
  if (schedule.lockstep)
    line("lockstep");
}

std::string SchedulePrinter::indexText(const Index &index) const {
  switch (index.kind) {
  case IndexKind::Whole:
    return "";
  case IndexKind::Point:
    return "[" + writer.text(*index.a) + "]";
  case IndexKind::Range:
    return "[" + writer.range(*index.a, *index.b) + "]";
  case IndexKind::Run:
    return "[" + writer.operand(*index.a) + " ..+ (" + writer.text(*index.b) + ")]";
  case IndexKind::Cyclic:
    return "[" + writer.operand(*index.a) + " ..+ " + writer.operand(*index.b) + " mod " + writer.operand(*index.c) + "]";
  case IndexKind::Filter:
    return "[" + writer.name(index.binder).str() + " in " + writer.range(*index.a, *index.b) + " if " + writer.text(*index.c) + "]";
  }
  return "";
}

std::string SchedulePrinter::sliceText(const Slice &slice) const {
  return slice.buffer->name + indexText(slice.blocks) + indexText(slice.packets);
}

/// `<>` is left-associative; a right operand with `<>` gets parentheses.
std::string SchedulePrinter::dataText(const DataExpr &data) const {
  if (!data.isCombine)
    return sliceText(data.slice);
  const std::string right = dataText(*data.right);
  return dataText(*data.left) + " <> " + (data.right->isCombine ? "(" + right + ")" : right);
}

/// Prints each `split` as soon as the variables that it uses are printed.
void SchedulePrinter::splits() {
  for (const Buffer *buffer : declared) {
    if (!buffer->parts || isSplit[buffer->index] ||
        anyPart(*buffer->parts, [&](const Expr &part) { return part.op == Op::Variable && !known[part.variable]; }))
      continue;
    isSplit.set(buffer->index);
    line("split " + buffer->name + " into " + writer.text(*buffer->parts));
  }
}

void SchedulePrinter::clockOf(const Clock *clock) {
  if (clock && clock != current)
    line("clock " + writer.list(clock->times));
  current = clock;
}

void SchedulePrinter::block(const Body &inner) {
  const Clock *around = current;
  ++depth;
  body(inner);
  --depth;
  current = around;
}

void SchedulePrinter::body(const Body &body) {
  for (llvm::ArrayRef<std::unique_ptr<Stmt>> rest = body; !rest.empty();) {
    const Stmt &stmt = *rest.front();
    if (llvm::isa<TransferStmt>(stmt)) {
      transfers(rest);
      continue;
    }
    rest = rest.drop_front();
    if (auto *declare = llvm::dyn_cast<DeclareStmt>(&stmt)) {
      if (declare->buffer->like) { // declared by its first value, in the next statement
        line("var " + declare->buffer->name + " := " + dataText(*llvm::cast<AssignStmt>(*rest.front()).value));
        rest = rest.drop_front();
      } else {
        declaration(*declare->buffer);
      }
      declared.push_back(declare->buffer);
    } else {
      statement(stmt);
    }
    if (depth == 1)
      splits();
  }
}

/// Prints the first transfer, or the two of an exchange, and removes it from `rest`.
void SchedulePrinter::transfers(llvm::ArrayRef<std::unique_ptr<Stmt>> &rest) {
  auto &first = llvm::cast<TransferStmt>(*rest.front());
  rest = rest.drop_front();
  clockOf(first.clock);
  const std::string message = first.message ? " " + sliceText(*first.message) : "", peer = writer.text(*first.peer);
  if (!first.ofExchange) {
    line((first.isSend ? "send" : "recv") + message + (first.isSend ? " to " : " from ") + peer);
    return;
  }
  auto &second = llvm::cast<TransferStmt>(*rest.front());
  rest = rest.drop_front();
  line("exchange" + message + " with " + peer + (second.message ? " into " + sliceText(*second.message) : ""));
}

void SchedulePrinter::declaration(const Buffer &buffer) {
  line("var " + buffer.name + ": block" + (buffer.count ? "[" + writer.text(*buffer.count) + "]" : "") +
       (buffer.length ? " of " + writer.lengthText(*buffer.length) : ""));
}

void SchedulePrinter::statement(const Stmt &stmt) {
  if (auto *let = llvm::dyn_cast<LetStmt>(&stmt)) {
    line("let " + writer.name(let->variable) + " = " + writer.text(*let->value));
    if (depth == 1)
      known.set(let->variable);
  } else if (auto *assign = llvm::dyn_cast<AssignStmt>(&stmt)) {
    line(sliceText(assign->target) + " := " + dataText(*assign->value));
  } else if (auto *step = llvm::dyn_cast<StepStmt>(&stmt)) {
    if (step->bare) {
      llvm::ArrayRef<std::unique_ptr<Stmt>> rest = step->body;
      transfers(rest);
    } else {
      line("step {");
      block(step->body);
      line("}");
    }
  } else if (auto *branch = llvm::dyn_cast<IfStmt>(&stmt)) {
    line("if " + writer.text(*branch->condition) + " {");
    block(branch->yes);
    if (!branch->no.empty()) {
      line("} else {");
      block(branch->no);
    }
    line("}");
  } else if (auto *each = llvm::dyn_cast<ForStmt>(&stmt)) {
    loop(*each);
  } else if (auto *used = llvm::dyn_cast<UseStmt>(&stmt)) {
    use(*used);
  }
}

void SchedulePrinter::loop(const ForStmt &loop) {
  const std::string variable = writer.name(loop.variable).str();
  const std::string by = loop.factor ? writer.operand(*loop.factor) : "";
  std::string head;
  switch (loop.loop) {
  case LoopKind::Ascending:
    head = variable + " in " + writer.range(*loop.lo, *loop.hi) + (by.empty() ? "" : " by " + by);
    break;
  case LoopKind::Times:
    head = variable + " in " + writer.range(*loop.lo, *loop.hi) + " times " + by;
    break;
  case LoopKind::Descending:
    head = variable + " in " + writer.operand(*loop.hi) + " downto " + writer.operand(*loop.lo) + (by.empty() ? "" : " by " + by);
    break;
  case LoopKind::Half:
    head = variable + " in " + writer.operand(*loop.hi) + " downto " + writer.operand(*loop.lo) + " half";
    break;
  case LoopKind::Halvings:
  case LoopKind::HalvingsReversed:
    head = "(" + variable + ", " + writer.name(loop.second).str() + ") in halvings(" + writer.text(*loop.hi) + ")" +
           (loop.loop == LoopKind::HalvingsReversed ? " reversed" : "");
    break;
  case LoopKind::Others:
    head = variable + " in others";
    break;
  case LoopKind::Children:
    head = variable + " in " + writer.operand(*loop.tree) + ".children";
    break;
  }
  line("for " + head + " {");
  ++depth;
  for (const Invariant &stated : loop.invariants)
    invariant(stated);
  --depth;
  block(loop.body);
  line("}");
}

void SchedulePrinter::invariant(const Invariant &stated) {
  const std::string condition = stated.condition ? " if " + writer.text(*stated.condition) : "";
  const std::string otherwise = stated.elseEmpty ? " else empty" : "";
  if (!stated.buffer)
    return line("invariant heard(" + writer.name(*stated.blockVariable) + ")" + condition + otherwise);
  std::string left = stated.buffer->name;
  if (stated.holder)
    left += "@" + writer.name(*stated.holder).str();
  for (const std::optional<unsigned> &index : {stated.blockVariable, stated.packetVariable})
    if (index)
      left += "[" + writer.name(*index).str() + "]";
  if (stated.holder)
    left = "fold(" + left + " for " + writer.name(*stated.holder).str() + " in 0 ..< p" + condition + ")";
  const std::string binder = stated.isFold ? writer.name(stated.binder).str() : "";
  const std::string rank = !stated.isFold ? rankText(*stated.rank, writer) : stated.isCyclic ? "(" + binder + " mod p)" : binder;
  std::string right = dataAtRank(schedule.inputs[stated.input]->name, rank, stated.index ? writer.text(*stated.index) : "");
  if (stated.isFold)
    right = "fold(" + right + " for " + binder + " in " + writer.range(*stated.lo, *stated.hi) + ")";
  line("invariant " + left + " == " + right + (stated.holder ? "" : condition + otherwise));
}

void SchedulePrinter::use(const UseStmt &use) {
  clockOf(use.clock);
  const Schedule &callee = *use.callee;
  std::string text = "use " + callee.path();
  llvm::ArrayRef<const Expr *> numbers = use.numbers;
  if (callee.parameterCount)
    text += "(" + writer.list(numbers.take_front(callee.parameterCount)) + ")";
  numbers = numbers.drop_front(callee.parameterCount);
  std::vector<std::string> arguments, results;
  size_t number = 0, table = 0, input = 0;
  for (const CollectiveParam &param : callee.collective->inputs)
    arguments.push_back(param.isNumber  ? writer.text(*numbers[number++])
                        : param.isTable ? writer.table(use.tables[table++])
                                        : sliceText(use.inputs[input++]));
  for (const Slice &output : use.outputs)
    results.push_back(sliceText(output));
  text += "(" + llvm::join(arguments, ", ") + ")";
  if (!results.empty())
    text += " -> " + llvm::join(results, ", ");
  if (use.member)
    text += " among { " + writer.text(*use.member) + " : " + writer.name(use.binder).str() + " in " + writer.range(*use.lo, *use.hi) + " }";
  line(text);
}

} // namespace

void print(const Schedule &schedule, llvm::raw_ostream &out) { SchedulePrinter(schedule, out).run(); }

std::string text(const Expr &expr, const Schedule &schedule) {
  return ExprWriter(schedule.variables, tableNames(schedule)).text(expr);
}

std::string shortText(const Expr &expr, const Schedule &schedule) {
  return ExprWriter(schedule.variables, tableNames(schedule), Parentheses::Needed).text(expr);
}

std::string text(const Knowledge &known, const Schedule &schedule) {
  return ExprWriter(schedule.variables, tableNames(schedule)).knowledgeText(known);
}

} // namespace quadrille::compiler::ir