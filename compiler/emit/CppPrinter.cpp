//===- CppPrinter.cpp - Printing a C++ tree ----------------------------------------------------------------------------===//

#include "CppTree.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace quadrille::compiler::emit::cpp {

namespace {

constexpr unsigned lineWidth = 100;

enum Precedence { Lowest, Assign, Ternary, OrOr, AndAnd, BitOr, BitXor, BitAnd, Equality, Relation, Sum, Product, Unary, Postfix };

Precedence precedence(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Conditional:
    return Ternary;
  case ExprKind::Prefix:
    return Unary;
  case ExprKind::Infix:
    return llvm::StringSwitch<Precedence>(expr.text)
        .Cases("=", "+=", "-=", "*=", "/=", Assign)
        .Case("||", OrOr)
        .Case("&&", AndAnd)
        .Case("|", BitOr)
        .Case("^", BitXor)
        .Case("&", BitAnd)
        .Cases("==", "!=", Equality)
        .Cases("<", "<=", ">", ">=", Relation)
        .Cases("+", "-", Sum)
        .Default(Product);
  default:
    // A negative literal binds like a unary minus.
    return expr.kind == ExprKind::Atom && expr.text[0] == '-' ? Unary : Postfix;
  }
}

/// Whether a product contains a division: a * (b / c * d) needs its parentheses, it is not a * b / c * d.
bool dividesFirst(const Expr &expr) {
  if (expr.kind != ExprKind::Infix || precedence(expr) != Product)
    return false;
  return expr.text != "*" || dividesFirst(*expr.operands[0]);
}

class Printer {
public:
  explicit Printer(llvm::raw_ostream &out) : out(out) {}

  void print(const File &file);

private:
  std::string text(const Expr &expr);
  std::string operand(const Expr &expr, bool parentheses) { return parentheses ? "(" + text(expr) + ")" : text(expr); }
  std::string list(const std::vector<ExprPtr> &exprs, size_t from);

  llvm::raw_ostream &indent() { return out.indent(2 * depth); }
  void print(const Stmt &stmt);
  void print(const Body &body);
  void printIf(const Stmt &stmt);
  void assigned(const std::string &head, const Expr &expr);
  void braced(const Body &body);
  void comment(const std::vector<std::string> &lines, llvm::StringRef mark);
  void print(const Function &function);
  void print(const Struct &record);
  /// `head(a, b, c)tail`, over several lines if it is long.
  void wrapped(const std::string &head, const std::vector<std::string> &items, llvm::StringRef tail);
  /// `head f(a, b)tail`, where the call is wrapped if it is long. A lambda as last argument gets lines of its own.
  void called(const std::string &head, const Expr &expr, llvm::StringRef tail);
  /// `head[&](Index j) {`, the value to return, `}tail`.
  void lambda(const std::string &head, const Expr &expr, llvm::StringRef tail);
  bool fits(const std::string &line) const { return 2 * depth + line.size() <= lineWidth; }

  llvm::raw_ostream &out;
  unsigned depth = 0;
};

static std::string lambdaHead(const Expr &expr) {
  const bool hasType = expr.text.find(' ') != std::string::npos;
  return "[&](" + (hasType ? expr.text : "Index" + (expr.text.empty() ? "" : " " + expr.text)) + ")";
}

std::string Printer::list(const std::vector<ExprPtr> &exprs, size_t from) {
  std::string result;
  for (size_t i = from; i < exprs.size(); ++i)
    result += (i > from ? ", " : "") + text(*exprs[i]);
  return result;
}

std::string Printer::text(const Expr &expr) {
  const auto &operands = expr.operands;
  const Precedence mine = precedence(expr);
  switch (expr.kind) {
  case ExprKind::Atom:
    return expr.text;
  case ExprKind::Prefix: {
    bool parentheses = precedence(*operands[0]) < Unary || (operands[0]->kind == ExprKind::Prefix && expr.text == "-");
    return expr.text + operand(*operands[0], parentheses || (expr.text == "-" && precedence(*operands[0]) == Unary));
  }
  case ExprKind::Infix: {
    Precedence left = precedence(*operands[0]), right = precedence(*operands[1]);
    bool associative = expr.text == "+" || expr.text == "*" || expr.text == "&&" || expr.text == "||" ||
                       expr.text == "&" || expr.text == "|" || expr.text == "^";
    bool sameOp = operands[1]->kind == ExprKind::Infix && operands[1]->text == expr.text && !(expr.text == "*" && dividesFirst(*operands[1]));
    bool leftParentheses = left < mine, rightParentheses = right < mine || (right == mine && !(associative && sameOp));
    // Few readers know the precedence of bit operations by heart, and compilers warn: print parentheses.
    if (mine == BitOr || mine == BitXor || mine == BitAnd) {
      leftParentheses |= left < Unary && !(left == mine);
      rightParentheses |= right < Unary && !(right == mine && sameOp);
    }
    if (mine == OrOr) {
      leftParentheses |= left == AndAnd;
      rightParentheses |= right == AndAnd;
    }
    if (mine == Assign)
      rightParentheses = false;
    return operand(*operands[0], leftParentheses) + " " + expr.text + " " + operand(*operands[1], rightParentheses);
  }
  case ExprKind::Conditional:
    return operand(*operands[0], precedence(*operands[0]) <= Ternary) + " ? " +
           operand(*operands[1], precedence(*operands[1]) <= Ternary) + " : " + text(*operands[2]);
  case ExprKind::Call:
    return operand(*operands[0], precedence(*operands[0]) < Postfix) + "(" + list(operands, 1) + ")";
  case ExprKind::Member:
    return operand(*operands[0], precedence(*operands[0]) < Postfix) + "." + expr.text;
  case ExprKind::Subscript:
    return operand(*operands[0], precedence(*operands[0]) < Postfix) + "[" + text(*operands[1]) + "]";
  case ExprKind::Braces:
    return expr.text + "{" + list(operands, 0) + "}";
  case ExprKind::Lambda:
    return lambdaHead(expr) + " { return " + text(*operands[0]) + "; }";
  }
  return "";
}

void Printer::wrapped(const std::string &head, const std::vector<std::string> &items, llvm::StringRef tail) {
  std::string line = head + llvm::join(items, ", ") + tail.str();
  if (2 * depth + line.size() <= lineWidth || items.empty()) {
    indent() << line << '\n';
    return;
  }
  const unsigned column = 2 * depth + head.size();
  // A long head leaves no room beside it.
  const bool below = column > lineWidth / 2 || std::any_of(items.begin(), items.end(), [&](const std::string &item) {
                       return column + item.size() + tail.size() > lineWidth;
                     });
  const unsigned hanging = below ? 2 * depth + 4 : column;
  line = std::string(2 * depth, ' ') + head;
  if (below) {
    out << line << '\n';
    line = std::string(hanging, ' ');
  }
  bool fresh = true;
  for (size_t i = 0; i < items.size(); ++i) {
    std::string item = items[i] + (i + 1 < items.size() ? "," : tail.str());
    if (!fresh && line.size() + 1 + item.size() > lineWidth) {
      out << line << '\n';
      line = std::string(hanging, ' ');
      fresh = true;
    }
    line += (fresh ? "" : " ") + item;
    fresh = false;
  }
  out << line << '\n';
}

void Printer::lambda(const std::string &head, const Expr &expr, llvm::StringRef tail) {
  indent() << head << lambdaHead(expr) << " {\n";
  ++depth;
  assigned("return ", *expr.operands[0]);
  --depth;
  indent() << '}' << tail << '\n';
}

void Printer::called(const std::string &head, const Expr &expr, llvm::StringRef tail) {
  const bool isCall = expr.kind == ExprKind::Call;
  std::vector<std::string> items;
  for (size_t i = isCall; i < expr.operands.size(); ++i)
    items.push_back(text(*expr.operands[i]));
  const std::string start = head + (isCall ? text(*expr.operands[0]) + "(" : expr.text + "{");
  const std::string end = (isCall ? ")" : "}") + tail.str();
  if (isCall && items.size() > 0 && expr.operands.back()->kind == ExprKind::Lambda &&
      !fits(start + llvm::join(items, ", ") + end)) {
    items.pop_back();
    const std::string before = start + llvm::join(items, ", ") + (items.empty() ? "" : ", ");
    if (fits(before + lambdaHead(*expr.operands.back()) + " {"))
      return lambda(before, *expr.operands.back(), end);
    items.push_back(text(*expr.operands.back()));
  }
  wrapped(start, items, end);
}

void Printer::print(const Body &body) {
  for (const Stmt &stmt : body)
    print(stmt);
}

void Printer::braced(const Body &body) {
  out << "{\n";
  ++depth;
  print(body);
  --depth;
  indent() << "}";
}

/// The text of a type before a name: `*` and `&` are printed next to the name.
static std::string spaced(const std::string &type) {
  bool attached = llvm::StringRef(type).ends_with("&") || llvm::StringRef(type).ends_with("*");
  return attached ? type : type + " ";
}

/// `head expr;`, with the arguments of a call over several lines if the line is too long.
void Printer::assigned(const std::string &head, const Expr &expr) {
  if (expr.kind == ExprKind::Call || expr.kind == ExprKind::Braces)
    called(head, expr, ";");
  else if (expr.kind == ExprKind::Lambda && !fits(head + text(expr) + ";"))
    lambda(head, expr, ";");
  else
    indent() << head << text(expr) << ";\n";
}

/// Whether a body is so short that it is printed without braces.
static bool isShort(const Body &body) {
  return body.size() == 1 && (body[0].kind == StmtKind::Expression || body[0].kind == StmtKind::Return ||
                              body[0].kind == StmtKind::Continue);
}

static bool isShortIf(const Stmt &stmt) {
  if (!isShort(stmt.body))
    return false;
  const Body &otherwise = stmt.otherwise;
  return otherwise.empty() || isShort(otherwise) ||
         (otherwise.size() == 1 && otherwise[0].kind == StmtKind::If && isShortIf(otherwise[0]));
}

void Printer::printIf(const Stmt &stmt) {
  const bool bare = isShortIf(stmt);
  auto branch = [&](const Body &body) {
    if (!bare)
      return braced(body);
    out << '\n';
    ++depth;
    print(body);
    --depth;
  };
  indent() << "if (" << text(*stmt.expr) << ')' << (bare ? "" : " ");
  branch(stmt.body);
  for (const Stmt *at = &stmt; !at->otherwise.empty();) {
    if (bare)
      indent() << "else";
    else
      out << " else";
    if (at->otherwise.size() != 1 || at->otherwise[0].kind != StmtKind::If) {
      out << (bare ? "" : " ");
      branch(at->otherwise);
      break;
    }
    at = &at->otherwise[0];
    out << " if (" << text(*at->expr) << ')' << (bare ? "" : " ");
    branch(at->body);
  }
  if (!bare)
    out << '\n';
}

void Printer::print(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Expression:
    assigned("", *stmt.expr);
    return;
  case StmtKind::Declaration:
    if (stmt.expr)
      assigned(spaced(stmt.type) + stmt.name + " = ", *stmt.expr);
    else
      indent() << spaced(stmt.type) << stmt.name << ";\n";
    return;
  case StmtKind::If:
    return printIf(stmt);
  case StmtKind::For:
    indent() << "for (" << stmt.type << ' ' << stmt.name << " = " << text(*stmt.init) << "; " << text(*stmt.expr) << "; "
             << text(*stmt.advance) << ')';
    if (stmt.body.size() == 1 && stmt.body[0].kind == StmtKind::Expression) {
      out << '\n';
      ++depth;
      print(stmt.body);
      --depth;
      return;
    }
    out << ' ';
    braced(stmt.body);
    out << '\n';
    return;
  case StmtKind::RangeFor:
    indent() << "for (" << stmt.type << ' ' << stmt.name << " : " << text(*stmt.expr) << ") ";
    braced(stmt.body);
    out << '\n';
    return;
  case StmtKind::Block:
    indent();
    braced(stmt.body);
    out << '\n';
    return;
  case StmtKind::Return:
    return assigned("return ", *stmt.expr);
  case StmtKind::ReturnIfBad:
    called("if (Status bad = ", *stmt.expr, ")");
    ++depth;
    indent() << "return bad;\n";
    --depth;
    return;
  case StmtKind::Continue:
    indent() << "continue;\n";
    return;
  case StmtKind::Comment:
    indent() << "// " << stmt.type << '\n';
    return;
  case StmtKind::Try:
    indent() << "try ";
    braced(stmt.body);
    out << " catch (" << stmt.name << ") ";
    braced(stmt.otherwise);
    out << '\n';
    return;
  case StmtKind::ReturnCall:
    // If `expr` is a call, its arguments are printed before the lambda.
    indent() << "return ";
    if (stmt.expr->kind == ExprKind::Call)
      out << text(*stmt.expr->operands[0]) << '(' << list(stmt.expr->operands, 1) << ", ";
    else
      out << text(*stmt.expr) << '(';
    out << '[' << stmt.type << "] ";
    braced(stmt.body);
    out << ");\n";
    return;
  }
}

void Printer::comment(const std::vector<std::string> &lines, llvm::StringRef mark) {
  for (const std::string &line : lines)
    out << llvm::StringRef((mark + (line.empty() ? "" : " ") + line).str()) << '\n';
}

void Printer::print(const Struct &record) {
  comment(record.comment, "///");
  out << "struct " << record.name << " {\n";
  for (const auto &[name, value] : record.fields)
    out << "  Index " << name << " = " << value << ";\n";
  out << "};\n";
}

void Printer::print(const Function &function) {
  comment(function.comment, "///");
  std::vector<std::string> parameters;
  for (const Parameter &parameter : function.parameters) {
    parameters.push_back((parameter.name.empty() ? parameter.type : spaced(parameter.type) + parameter.name) +
                         (parameter.preset.empty() ? "" : " = " + parameter.preset));
  }
  wrapped(function.result + " " + function.name + "(", parameters, function.isPrototype ? ");" : ") {");
  if (function.isPrototype)
    return;
  ++depth;
  print(function.body);
  --depth;
  out << "}\n";
}

void Printer::print(const File &file) {
  comment(file.comment, "//");
  out << '\n';
  if (!file.guard.empty())
    out << "#ifndef " << file.guard << "\n#define " << file.guard << "\n\n";
  for (const std::string &include : file.ownIncludes)
    out << "#include \"" << include << "\"\n";
  if (!file.ownIncludes.empty() && !file.systemIncludes.empty())
    out << '\n';
  for (const std::string &include : file.systemIncludes)
    out << "#include <" << include << ">\n";
  out << '\n';
  if (!file.nameSpace.empty())
    out << "namespace " << file.nameSpace << " {\n\n";
  for (const std::string &line : file.usings)
    out << "using " << line << ";\n";
  if (!file.usings.empty())
    out << '\n';
  if (!file.structs.empty() || !file.hidden.empty()) {
    out << "namespace {\n";
    for (const Struct &record : file.structs) {
      out << '\n';
      print(record);
    }
    for (const Function &function : file.hidden) {
      out << '\n';
      print(function);
    }
    out << "\n} // namespace\n\n";
  }
  for (size_t i = 0; i < file.visible.size(); ++i) {
    if (i > 0)
      out << '\n';
    print(file.visible[i]);
  }
  if (!file.nameSpace.empty())
    out << "\n} // namespace " << file.nameSpace << '\n';
  if (!file.guard.empty())
    out << "\n#endif // " << file.guard << '\n';
}

} // namespace

std::string print(const File &file) {
  std::string result;
  llvm::raw_string_ostream out(result);
  Printer(out).print(file);
  return result;
}

} // namespace quadrille::compiler::emit::cpp
