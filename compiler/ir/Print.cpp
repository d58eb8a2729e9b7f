//===- Print.cpp - The description of a schedule as text ------------------------------------------------------------===//

#include "Print.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"

namespace quadrille::ir {

// ---- expressions -------------------------------------------------------------------------------------------------------

namespace {

/// How an operation is written.
struct Notation {
  enum Form { Special, Function, Prefix, Infix } form;
  llvm::StringLiteral word;
};

Notation notationOf(Op op) {
  switch (op) {
  case Op::Negate:
    return {Notation::Prefix, "-"};
  case Op::Not:
    return {Notation::Prefix, "not "};
  case Op::Absolute:
    return {Notation::Function, "abs"};
  case Op::Log2:
    return {Notation::Function, "log2"};
  case Op::FloorLog2:
    return {Notation::Function, "floor_log2"};
  case Op::CeilLog2:
    return {Notation::Function, "ceil_log2"};
  case Op::TrailingZeros:
    return {Notation::Function, "trailing_zeros"};
  case Op::IsPow2:
    return {Notation::Function, "pow2"};
  case Op::IsEven:
    return {Notation::Function, "even"};
  case Op::IsOdd:
    return {Notation::Function, "odd"};
  case Op::SquareRoot:
    return {Notation::Function, "sqrt"};
  case Op::Bit:
    return {Notation::Function, "bit"};
  case Op::Minimum:
    return {Notation::Function, "min"};
  case Op::Maximum:
    return {Notation::Function, "max"};
  case Op::Ceiling:
    return {Notation::Function, "ceil"};
  case Op::Floor:
    return {Notation::Function, "floor"};
  case Op::Add:
    return {Notation::Infix, "+"};
  case Op::Subtract:
    return {Notation::Infix, "-"};
  case Op::Multiply:
    return {Notation::Infix, "*"};
  case Op::Divide:
    return {Notation::Infix, "div"};
  case Op::Modulo:
    return {Notation::Infix, "mod"};
  case Op::Power:
    return {Notation::Infix, "**"};
  case Op::ShiftLeft:
    return {Notation::Infix, "<<"};
  case Op::ShiftRight:
    return {Notation::Infix, ">>"};
  case Op::BitAnd:
    return {Notation::Infix, "&"};
  case Op::BitOr:
    return {Notation::Infix, "|"};
  case Op::BitXor:
    return {Notation::Infix, "xor"};
  case Op::Equal:
    return {Notation::Infix, "=="};
  case Op::NotEqual:
    return {Notation::Infix, "!="};
  case Op::Less:
    return {Notation::Infix, "<"};
  case Op::LessEqual:
    return {Notation::Infix, "<="};
  case Op::And:
    return {Notation::Infix, "and"};
  case Op::Or:
    return {Notation::Infix, "or"};
  case Op::Ratio:
    return {Notation::Infix, "/"};
  case Op::Constant:
  case Op::Variable:
  case Op::Select:
  case Op::Call:
  case Op::BuildTree:
  case Op::TreeField:
  case Op::Alpha:
  case Op::Beta:
  case Op::Gamma:
  case Op::Length:
  case Op::Element:
  case Op::SumOver:
  case Op::MinimumOver:
  case Op::MaximumOver:
    break;
  }
  return {Notation::Special, ""};
}

llvm::StringRef fieldName(TreeFieldKind field) {
  static constexpr llvm::StringLiteral names[] = {"root", "height", "parent", "left", "right", "depth", "size", "lo", "hi"};
  return names[static_cast<unsigned>(field)];
}

/// Writes what stands in one frame.
class Writer {
public:
  Writer(llvm::ArrayRef<Variable> variables, std::vector<std::string> tables = {})
      : variables(variables), tables(std::move(tables)) {}

  llvm::StringRef name(unsigned variable) const { return variables[variable].name; }
  const std::string &table(unsigned number) const { return tables[number]; }
  std::string text(const Expr &expr) const;
  /// In parentheses, if it is not a single word or call.
  std::string operand(const Expr &expr) const;
  std::string range(const Expr &lo, const Expr &hi) const { return operand(lo) + " ..< " + operand(hi); }
  std::string list(llvm::ArrayRef<const Expr *> exprs) const {
    return llvm::join(llvm::map_range(exprs, [&](const Expr *expr) { return text(*expr); }), ", ");
  }
  std::string lengthText(const LengthOf &length) const;

private:
  std::string tree(const Expr &expr) const;
  std::string field(const Expr &expr) const;
  std::string aggregate(const Expr &expr, llvm::StringRef word) const;

  llvm::ArrayRef<Variable> variables;
  std::vector<std::string> tables;
};

std::string Writer::operand(const Expr &expr) const {
  const Notation::Form form = notationOf(expr.op).form;
  const bool isOpen = form == Notation::Prefix || form == Notation::Infix || expr.op == Op::Select;
  return isOpen ? "(" + text(expr) + ")" : text(expr);
}

std::string Writer::tree(const Expr &expr) const {
  const unsigned first = expr.tree->firstParameter();
  std::vector<std::string> arguments;
  if (!expr.tree->byRelatives)
    arguments.push_back(range(*expr.operands[0], *expr.operands[1]));
  for (const Expr *argument : llvm::ArrayRef(expr.operands).drop_front(first))
    arguments.push_back(text(*argument));
  return expr.tree->name + "(" + llvm::join(arguments, ", ") + ")";
}

std::string Writer::field(const Expr &expr) const {
  if (expr.field == TreeFieldKind::Height)
    return "height(" + text(*expr.operands[0]) + ")";
  std::string result = operand(*expr.operands[0]) + "." + fieldName(expr.field).str();
  // Only clocks speak of others than `me`.
  const bool isOfMe = expr.operands.size() < 2 || (expr.operands[1]->op == Op::Variable && name(expr.operands[1]->variable) == "me");
  return isOfMe ? result : result + "@(" + text(*expr.operands[1]) + ")";
}

std::string Writer::aggregate(const Expr &expr, llvm::StringRef word) const {
  const auto &x = expr.operands;
  return word.str() + "(" + text(*x[2]) + " for " + name(expr.variable).str() + " in " + range(*x[0], *x[1]) +
         (x.size() > 3 ? " if " + text(*x[3]) : "") + ")";
}

std::string Writer::text(const Expr &expr) const {
  const auto &x = expr.operands;
  const Notation notation = notationOf(expr.op);
  switch (notation.form) {
  case Notation::Function:
    return (notation.word + "(" + list(x) + ")").str();
  case Notation::Prefix:
    return notation.word.str() + operand(*x[0]);
  case Notation::Infix:
    return operand(*x[0]) + " " + notation.word.str() + " " + operand(*x[1]);
  case Notation::Special:
    break;
  }
  switch (expr.op) {
  case Op::Constant:
    if (expr.type == Type::Boolean)
      return expr.value ? "true" : "false";
    return expr.value == none ? "none" : std::to_string(expr.value);
  case Op::Variable:
    return name(expr.variable).str();
  case Op::Select:
    return "if " + text(*x[0]) + " then " + operand(*x[1]) + " else " + operand(*x[2]);
  case Op::Call:
    return expr.function->name + "(" + list(x) + ")";
  case Op::BuildTree:
    return tree(expr);
  case Op::TreeField:
    return field(expr);
  case Op::Alpha:
    return "alpha";
  case Op::Beta:
    return "beta";
  case Op::Gamma:
    return "gamma";
  case Op::Length:
    return "n";
  case Op::Element: {
    std::string result = table(expr.variable);
    for (const Expr *index : x)
      result += "[" + text(*index) + "]";
    return result;
  }
  case Op::SumOver:
    return aggregate(expr, "sum");
  case Op::MinimumOver:
    return aggregate(expr, "min");
  case Op::MaximumOver:
    return aggregate(expr, "max");
  default:
    return "";
  }
}

std::string Writer::lengthText(const LengthOf &length) const {
  std::string entry = table(length.table);
  for (const Expr *index : length.indices)
    entry += "[" + text(*index) + "]";
  return length.parts ? "packet(" + entry + ", " + text(*length.parts) + ", " + text(*length.part) + ")" : entry;
}

std::string parameterNames(llvm::ArrayRef<Variable> variables) {
  return llvm::join(llvm::map_range(variables, [](const Variable &v) { return v.name; }), ", ");
}

} // namespace

llvm::StringRef nameOf(Op op) {
  static constexpr llvm::StringLiteral names[] = {
      "Constant", "Variable", "Negate", "Absolute", "Not", "Log2", "FloorLog2", "CeilLog2", "TrailingZeros", "IsPow2", "IsEven",
      "IsOdd", "SquareRoot", "Add", "Subtract", "Multiply", "Divide", "Modulo", "Power", "ShiftLeft", "ShiftRight", "BitAnd", "BitOr",
      "BitXor", "Bit", "Minimum", "Maximum", "Equal", "NotEqual", "Less", "LessEqual", "And", "Or", "Select", "Call", "BuildTree",
      "TreeField", "Alpha", "Beta", "Gamma", "Length", "Ratio", "Ceiling", "Floor", "Element", "SumOver", "MinimumOver", "MaximumOver"};
  static_assert(std::size(names) == static_cast<size_t>(Op::MaximumOver) + 1);
  return names[static_cast<unsigned>(op)];
}

// ---- functions, trees, collectives -----------------------------------------------------------------------------------------

void print(const Function &function, llvm::raw_ostream &out) {
  const Writer writer(function.variables);
  out << "fn " << function.name << "(" << parameterNames(llvm::ArrayRef(function.variables).take_front(function.argumentCount))
      << ") = " << writer.text(*function.body) << "\n";
}

void print(const Lemma &lemma, llvm::raw_ostream &out) {
  const Writer writer(lemma.variables);
  out << "lemma " << lemma.name << "(" << parameterNames(llvm::ArrayRef(lemma.variables).take_front(lemma.argumentCount))
      << ") = " << writer.text(*lemma.claim);
  if (lemma.condition)
    out << " if " << writer.text(*lemma.condition);
  out << "\n";
}

void print(const Tree &tree, llvm::raw_ostream &out) {
  const Writer writer(tree.variables);
  llvm::StringRef subject = tree.variables[0].name;
  if (!tree.byRelatives)
    subject.consume_back(".lo");
  out << "tree " << tree.name << "(" << subject;
  for (size_t i = 0; i < tree.presets.size(); ++i) {
    out << ", " << writer.name(tree.firstParameter() + static_cast<unsigned>(i));
    if (tree.presets[i])
      out << " = " << writer.text(*tree.presets[i]);
  }
  out << ") {\n  root " << writer.text(*tree.root) << "\n";
  if (tree.parent)
    out << "  parent " << writer.text(*tree.parent) << "\n";
  out << "  left " << writer.text(*tree.left) << "\n  right " << writer.text(*tree.right) << "\n}\n";
}

static void printParameter(const CollectiveParam &param, const Writer &writer, llvm::raw_ostream &out) {
  out << param.name;
  for (const Expr *extent : param.extents)
    out << "[" << writer.text(*extent) << "]";
  if (!param.isData())
    return;
  out << ": block";
  if (param.count)
    out << "[" << writer.text(*param.count) << "]";
  if (param.length)
    out << " of " << writer.lengthText(*param.length);
  if (param.presence)
    out << " at " << writer.text(*param.presence);
}

/// `x@rank[index]`
static std::string atRank(llvm::StringRef data, const std::string &rank, const std::string &index) {
  return data.str() + "@" + rank + (index.empty() ? "" : "[" + index + "]");
}

/// A rank after `@`.
static std::string rankText(const Expr &rank, const Writer &writer) {
  const bool isPlain = rank.op == Op::Constant || rank.op == Op::Variable;
  return isPlain ? writer.text(rank) : "(" + writer.text(rank) + ")";
}

static std::string termText(const Collective &collective, const PromisedTerm &term, const Writer &writer) {
  const std::string data = atRank(collective.inputs[term.input].name, rankText(*term.rank, writer), term.index ? writer.text(*term.index) : "");
  if (!term.isFold)
    return data;
  return "fold(" + data + " for " + writer.name(term.binder).str() + " in " + writer.range(*term.lo, *term.hi) +
         (term.condition ? " if " + writer.text(*term.condition) : "") + ")";
}

void print(const Collective &collective, llvm::raw_ostream &out) {
  std::vector<std::string> tables;
  for (const CollectiveParam &param : collective.inputs)
    if (param.isTable)
      tables.push_back(param.name);
  const Writer writer(collective.variables, std::move(tables));
  out << "collective " << collective.name << "(";
  llvm::interleaveComma(collective.inputs, out, [&](const CollectiveParam &param) { printParameter(param, writer, out); });
  out << ")";
  if (!collective.outputs.empty()) {
    out << " -> (";
    llvm::interleaveComma(collective.outputs, out, [&](const CollectiveParam &param) { printParameter(param, writer, out); });
    out << ")";
  }
  out << " {\n";
  for (const Promise &promise : collective.promises) {
    out << "  ensures ";
    if (promise.isHeard) {
      out << "heard(i, j)\n";
      continue;
    }
    const std::string rank = promise.rankVariable ? writer.name(*promise.rankVariable).str() : rankText(*promise.rank, writer);
    const std::string index = promise.indexVariable ? writer.name(*promise.indexVariable).str() : promise.index ? writer.text(*promise.index) : "";
    out << atRank(collective.outputs[promise.output].name, rank, index) << " == " << termText(collective, promise.term, writer);
    if (promise.condition)
      out << " if " << writer.text(*promise.condition);
    out << "\n";
  }
  out << "}\n";
}

// ---- schedules -------------------------------------------------------------------------------------------------------------

namespace {

class SchedulePrinter {
public:
  SchedulePrinter(const Schedule &schedule, llvm::raw_ostream &out)
      : schedule(schedule), out(out), writer(schedule.variables, tableNames(schedule)),
        known(static_cast<unsigned>(schedule.variables.size())), isSplit(static_cast<unsigned>(schedule.buffers.size())) {}

  void run();

private:
  static std::vector<std::string> tableNames(const Schedule &schedule) {
    std::vector<std::string> names;
    for (const Table &table : schedule.tables)
      names.push_back(table.name);
    return names;
  }

  void signature();
  void claim(const std::optional<Claim> &claim, llvm::StringRef word);
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
  const Writer writer;
  unsigned depth = 1;
  const Clock *current = nullptr;  // in force where we are
  llvm::SmallBitVector known;      // variables that may stand in a `split`: those of the whole schedule, and lets so far
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
    out << "(" << parameterNames(numbers.take_front(schedule.parameterCount)) << ")";
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

void SchedulePrinter::claim(const std::optional<Claim> &claim, llvm::StringRef word) {
  if (claim)
    line(word + (claim->upperBound ? " <= " : " ") + writer.text(*claim->formula));
}

void SchedulePrinter::clauses() {
  for (const Requirement &requirement : schedule.requirements)
    line("requires " + writer.text(*requirement.condition));
  if (schedule.requiresCommutative)
    line("requires commutative");
  if (schedule.model) {
    static constexpr llvm::StringLiteral names[] = {"half_duplex", "telephone", "full_duplex", "ports", "shared"};
    const std::string ports = schedule.model->ports ? "(" + writer.text(*schedule.model->ports) + ")" : "";
    line("model " + names[static_cast<unsigned>(schedule.model->model)] + ports);
  }
  claim(schedule.cost, "cost");
  claim(schedule.rounds, "rounds");
  if (schedule.origin)
    line("ranks from " + writer.text(*schedule.origin));
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

/// `<>` is written from left to right; another order has parentheses.
std::string SchedulePrinter::dataText(const DataExpr &data) const {
  if (!data.isCombine)
    return sliceText(data.slice);
  const std::string right = dataText(*data.right);
  return dataText(*data.left) + " <> " + (data.right->isCombine ? "(" + right + ")" : right);
}

/// Prints each `split` as soon as what it speaks of is there.
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
      if (declare->buffer->like) { // the first value follows
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

/// The first transfer, or the two of an exchange.
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
  std::string right = atRank(schedule.inputs[stated.input]->name, rank, stated.index ? writer.text(*stated.index) : "");
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

} // namespace quadrille::ir
