//===- Statements.cpp - Random well-typed statements ------------------------------------------------------------------===//
//
// Messages follow patterns in which sends and receives match, and both sides use slices of the same shape, so most programs pass
// the checks. The collective promises only one output, which is set at the end; the other outputs contain the results of the
// random statements.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Generate.h"

#include "ir/Operations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

namespace quadrille::compiler::fuzz {

namespace {

struct Array {
  std::string name;
  std::string count; // of blocks; empty: a single one
  std::string parts; // packets per block; empty: not split
  bool isInput = false;
};

/// The shape of data that is sent or assigned, in any buffer.
struct Shape {
  enum Form { Block, All, Few, Parity, Packet, Packets } form = Block;
  std::string count; // of the array: All, Few, Parity
  std::string index; // Packet: which; Packets: the first; Parity: 0 or 1
  std::string parts; // Packet, Packets
};

/// The partners of a rank, as expressions of `me`: it sends to `to` and receives from `from`.
struct Pattern {
  std::string to, from;
  std::string guard; // condition under which the partners exist; empty: always
};

class StatementWriter {
public:
  explicit StatementWriter(Random &random) : random(random) {}

  std::string run() {
    hasRoot = random.chance(30);
    hasParameter = random.chance(35);
    uniform = {"p"};
    if (hasRoot)
      uniform.push_back("root");
    if (hasParameter)
      uniform.push_back("k");
    folds = random.chance(60);
    const std::string extent = random.pick({"p", "2", "3", "p + 1", "p"});
    std::string collective = std::string("collective mix(") + (hasRoot ? "root, " : "") + "x: block, w: block[" + extent + "]) -> (y: block, z: block[" +
                             extent + "]) {\n  ensures y@i == " + (folds ? "fold(x@j for j in i .. i)" : "x@i") + "\n}\n\n";
    arrays = {{"x", "", "", true}, {"w", extent, "", true}, {"y", "", "", false}, {"z", extent, "", false}};
    std::string text = "schedule random" + std::string(hasParameter ? "(k)" : "") + " for mix(" + (hasRoot ? "root, " : "") + "x, w) -> (y, z) {\n";
    if (hasRoot && random.chance(30))
      text += "  ranks from root\n";
    if (random.chance(20))
      text += std::string("  requires ") + random.pick({"p > 1", "pow2(p)", "even(p)", "p > 2", "commutative"}) + "\n";
    if (random.chance(15))
      text += std::string("  model ") + random.pick({"half_duplex", "telephone", "full_duplex", "ports(2)", "ports(p)", "shared"}) + "\n";
    if (random.chance(10))
      text += std::string("  ") + random.pick({"cost <= 1000*p*p*(alpha + beta*n)", "rounds <= 100*p*p", "cost p*(alpha + beta*n)", "cost <= p*alpha + 1000*beta*p*max(n, 1)"}) + "\n";
    line("y := x");
    line("z := w");
    declareSome();
    const unsigned count = 2 + random.below(5);
    for (unsigned i = 0; i < count; ++i)
      statement();
    // Add the contents of single blocks to z, so that they are compared.
    for (const Array &array : arrays)
      if (!array.isInput && array.name != "y" && array.name != "z" && array.parts.empty() && array.count.empty() && random.chance(70))
        line("z[" + number(1, false) + " mod " + grouped(extent) + "] := " + array.name);
    line("y := x");
    return collective + functions + text + body + "}\n";
  }

private:
  void line(const std::string &text) { body += std::string(2 * depth + 2, ' ') + text + "\n"; }
  std::string fresh(const char *base) { return base + std::to_string(++names); }
  static std::string grouped(const std::string &e) {
    return llvm::all_of(e, [](char c) { return llvm::isAlnum(c) || c == '_'; }) ? e : "(" + e + ")";
  }

  // ---- numbers

  std::string leaf(bool isUniform) {
    if (random.chance(35))
      return std::to_string(random.below(5));
    if (!isUniform && random.chance(50))
      return "me";
    if (!isUniform && !ofRank.empty() && random.chance(30))
      return random.pick(ofRank);
    return random.pick(uniform);
  }

  /// A number that is not negative if its variables are not.
  std::string number(unsigned deep, bool isUniform) {
    if (deep == 0 || random.chance(40))
      return leaf(isUniform);
    if (random.chance(7))
      return "(if " + condition(isUniform) + " then " + number(deep - 1, isUniform) + " else " + number(deep - 1, isUniform) + ")";
    const ir::Operation &operation = random.chance(20) ? ir::operationOf(ir::Op::Add) : random.pick(numbers());
    return written(operation, number(deep - 1, isUniform), number(deep - 1, isUniform));
  }

  std::string condition(bool isUniform) {
    const std::string a = leaf(isUniform), b = number(1, isUniform);
    auto comparison = [&] { return a + random.pick({" < ", " <= ", " == ", " != ", " > ", " >= "}) + b; };
    switch (random.below(6)) {
    case 0:
      return written(random.pick(conditions(ir::Type::Integer)), a, b);
    case 1:
    case 2: {
      const ir::Operation &operation = random.pick(conditions(ir::Type::Boolean));
      return written(operation, "(" + comparison() + ")", written(random.pick(conditions(ir::Type::Integer)), b, a));
    }
    default:
      return comparison();
    }
  }

  // ---- operations of the table

  using Operations = std::vector<ir::Operation>;
  template <typename Predicate> static Operations operationsThat(Predicate predicate) {
    Operations result;
    llvm::copy_if(ir::operations(), std::back_inserter(result), [&](const ir::Operation &operation) {
      return operation.signature != ir::Signature::Own && !operation.isCostOnly() && predicate(operation);
    });
    return result;
  }
  static const Operations &numbers() {
    static const Operations result =
        operationsThat([](const ir::Operation &operation) { return operation.result == ir::Type::Integer && operation.op != ir::Op::Negate; });
    return result;
  }
  /// The operations that are conditions on operands of a type.
  static const Operations &conditions(ir::Type type) {
    static const Operations ofNumbers = operationsThat([](const ir::Operation &operation) {
      return operation.result == ir::Type::Boolean && operation.operands == ir::Type::Integer;
    });
    static const Operations ofConditions =
        operationsThat([](const ir::Operation &operation) { return operation.operands == ir::Type::Boolean; });
    return type == ir::Type::Integer ? ofNumbers : ofConditions;
  }

  /// Applies an operation to operands >= 0, changed such that it has a value, which is >= 0 and not much larger.
  std::string written(const ir::Operation &operation, std::string a, std::string b) {
    auto small = [&] { return std::to_string(random.below(3)); };
    std::string around;
    switch (operation.op) {
    case ir::Op::Subtract:
      around = "abs";
      break;
    case ir::Op::Divide:
    case ir::Op::Modulo:
      b = std::to_string(1 + random.below(4));
      break;
    case ir::Op::Power:
    case ir::Op::ShiftLeft:
    case ir::Op::ShiftRight:
    case ir::Op::Bit:
      b = small();
      break;
    case ir::Op::FloorLog2:
    case ir::Op::CeilLog2:
    case ir::Op::TrailingZeros:
      a += " + 1";
      break;
    case ir::Op::Log2:
      a = "1 << (" + a + ") mod 5";
      break;
    case ir::Op::SquareRoot:
      a = "(" + a + ") ** 2";
      break;
    default:
      break;
    }
    const std::string word = operation.word.str();
    switch (operation.form) {
    case ir::Form::Function:
      return word + "(" + a + (operation.signature == ir::Signature::Unary ? "" : ", " + b) + ")";
    case ir::Form::Prefix:
      return "(" + word + " " + a + ")";
    default:
      return around + "(" + a + " " + word + " " + b + ")";
    }
  }

  // ---- buffers

  void declareSome() {
    const unsigned count = 1 + random.below(3);
    std::vector<std::string> split;
    for (unsigned i = 0; i < count; ++i) {
      Array array{fresh("b"), "", "", false};
      switch (random.below(6)) {
      case 0:
        line("var " + array.name + ": block");
        if (random.chance(85))
          line(array.name + " := x");
        break;
      case 1:
        array.count = random.pick({"p", "2", "3", "p + 1"});
        line("var " + array.name + ": block[" + array.count + "]");
        if (random.chance(85))
          line("for i in 0 ..< " + array.count + " { " + array.name + "[i] := x }");
        break;
      case 2:
        array.count = arrays[1].count;
        line("var " + array.name + " := " + random.pick({"w", "z", "w"}));
        break;
      default:
        line("var " + array.name + " := " + random.pick({"x", "y", "w[0]", "x"}));
        break;
      }
      arrays.push_back(array);
    }
    if (!random.chance(45))
      return;
    const std::string parts = random.pick({hasParameter ? "k" : "2", "2", "3", "p", hasParameter ? "k + 1" : "p + 1"});
    for (Array &array : arrays)
      if (random.chance(50)) {
        array.parts = parts;
        split.push_back(array.name);
      }
    if (!split.empty())
      line("split " + llvm::join(split, ", ") + " into " + parts);
  }

  std::optional<Shape> shapeOf(const Array &array) {
    if (!array.parts.empty() && random.chance(65)) {
      if (random.chance(75))
        return Shape{Shape::Packet, "", number(1, random.chance(90)) + " mod " + grouped(array.parts), array.parts};
      return Shape{Shape::Packets, "", random.pick({"0", "1"}), array.parts};
    }
    if (array.count.empty() || random.chance(50))
      return Shape{Shape::Block, "", "", ""};
    return Shape{random.pick(std::vector<Shape::Form>{Shape::All, Shape::Few, Shape::Parity}), array.count, random.pick({"0", "1"}), ""};
  }

  /// A slice of an array with this shape; nothing if there is none.
  std::optional<std::string> slice(const Array &array, const Shape &shape) {
    const std::string &name = array.name, m = grouped(array.count);
    auto block = [&] {
      return array.count.empty() ? name : name + "[" + (random.chance(30) ? number(2, false) + " mod " + m : leaf(false) + " mod " + m) + "]";
    };
    switch (shape.form) {
    case Shape::Block:
      if (array.count.empty() && !array.parts.empty() && random.chance(30))
        return name + "[0 ..< " + array.parts + "]";
      if (!array.count.empty() && random.chance(25))
        return name + "[" + leaf(false) + " mod " + m + " ..+ 1]";
      return block();
    case Shape::All:
      if (array.count != shape.count)
        return std::nullopt;
      return name + std::string(random.chance(40)   ? ""
                                : random.chance(40) ? "[" + leaf(false) + " ..+ " + grouped(array.count) + " mod " + m + "]"
                                : random.chance(50) ? "[0 ..< " + array.count + "]"
                                                    : "[q in 0 ..< " + array.count + " if q >= 0]");
    case Shape::Few: // the first or any two, if there are so many
      if (array.count != shape.count)
        return std::nullopt;
      return name + (random.chance(50) ? "[0 ..< min(2, " + array.count + ")]" : "[" + leaf(false) + " ..+ min(2, " + array.count + ") mod " + m + "]");
    case Shape::Parity:
      if (array.count != shape.count)
        return std::nullopt;
      return name + "[q in 0 ..< " + array.count + " if q mod 2 == " + shape.index + "]";
    case Shape::Packet:
      if (array.parts != shape.parts)
        return std::nullopt;
      return block() + "[" + (random.chance(95) ? shape.index : leaf(false) + " mod " + grouped(array.parts)) + "]";
    case Shape::Packets:
      if (array.parts != shape.parts)
        return std::nullopt;
      return block() + "[" + shape.index + " ..< " + array.parts + "]";
    }
    return std::nullopt;
  }

  /// A random slice of a buffer with this shape.
  std::optional<std::string> slice(const Shape &shape, bool isWritten, llvm::StringRef butNot = "") {
    std::vector<std::string> found;
    for (const Array &array : arrays)
      if (!(isWritten && array.isInput) && (array.name != butNot || random.chance(4)))
        if (std::optional<std::string> one = slice(array, shape))
          found.push_back(*one);
    if (found.empty())
      return std::nullopt;
    return random.pick(found);
  }

  static llvm::StringRef nameOf(llvm::StringRef slice) { return slice.take_until([](char c) { return c == '['; }); }

  // ---- statements

  void statement() {
    const unsigned what = random.below(100);
    if (what < 40)
      communication();
    else if (what < 55)
      assignment();
    else if (what < 58)
      declaration();
    else if (what < 65)
      number();
    else if (what < 80 && depth < 3)
      loop();
    else if (what < 90 && depth < 3)
      branch();
    else
      use();
  }

  void number() {
    const bool isUniform = random.chance(60);
    const std::string name = fresh("a");
    line("let " + name + " = " + number(2, isUniform));
    (isUniform ? uniform : ofRank).push_back(name);
  }

  void assignment() {
    const Array source = random.pick(arrays);
    const std::optional<Shape> shape = shapeOf(source);
    if (std::optional<std::string> text = assignmentOf(*shape))
      line(*text);
  }

  /// Declares a buffer, visible until the end of the braces.
  void declaration() {
    const std::optional<std::string> value = slice({Shape::Block, "", "", ""}, false);
    if (!value)
      return;
    const Array array{fresh("b"), "", "", false};
    line("var " + array.name + (random.chance(80) ? " := " + *value : ": block"));
    arrays.push_back(array);
  }

  std::optional<std::string> assignmentOf(const Shape &shape, const std::string &message = "") {
    const std::optional<std::string> target = slice(shape, true), value = message.empty() ? slice(shape, false) : message;
    if (!target || !value)
      return std::nullopt;
    std::string right = *value;
    for (unsigned i = random.below(3); folds && i > 0; --i) {
      const std::optional<std::string> other = slice(shape, false);
      if (other)
        right = random.chance(50) ? right + " <> " + *other : *other + " <> " + right;
    }
    return *target + " := " + right;
  }

  Pattern pattern() {
    const std::string s = random.pick({"1", "1", "2", "3"});
    switch (random.below(8)) {
    case 0:
    case 1:
      return {"(me + " + s + ") mod p", "(me - " + s + ") mod p", "p > " + s + " and " + s + " mod p != 0"};
    case 2: {
      const std::string u = grouped(number(2, true)), name = fresh("s");
      line("let " + name + " = " + u + " mod p");
      return {"(me + " + name + ") mod p", "(me - " + name + ") mod p", name + " != 0"};
    }
    case 3: {
      const std::string bits = random.pick({"1", "2", "3", "(1 << " + grouped(leaf(true)) + " mod 3)"});
      const std::string other = "(me xor " + bits + ")";
      return {"(if " + other + " < p then " + other + " else none)", "(if " + other + " < p then " + other + " else none)", ""};
    }
    case 4:
      return {"(if me + " + s + " < p then me + " + s + " else none)", "(if me >= " + s + " then me - " + s + " else none)", ""};
    case 5:
      return {"(if 2*me != p - 1 then p - 1 - me else none)", "(if 2*me != p - 1 then p - 1 - me else none)", ""};
    case 6: { // from one to another
      const std::string a = random.pick({"0", "p - 1", hasRoot ? "root" : "0"}), b = random.pick({"1", "p div 2", "p - 1"});
      return {"(if me == " + a + " and " + b + " != " + a + " then " + b + " else none)", "(if me == " + b + " and " + b + " != " + a + " then " + a + " else none)", "p > 1"};
    }
    default: { // one's mirror image, as a function
      const std::string name = fresh("f");
      functions += "fn " + name + "(i, c, p) = if (c - i) mod p == i then none else (c - i) mod p\n";
      const std::string call = name + "(me, " + leaf(true) + ", p)";
      return {call, call, ""};
    }
    }
  }

  void communication() {
    if (random.chance(12))
      return tree();
    if (random.chance(15))
      return several();
    const Pattern p = pattern();
    const std::optional<Shape> shape = shapeOf(random.pick(arrays));
    const std::optional<std::string> sent = slice(*shape, false);
    if (!sent)
      return;
    const bool declares = random.chance(35);
    const std::string message = fresh("t");
    const bool isInput = llvm::any_of(arrays, [&](const Array &array) { return array.isInput && array.name == nameOf(*sent); });
    const std::optional<std::string> received = declares                        ? message
                                                : !isInput && random.chance(8) ? *sent // overwritten while it is sent
                                                                                : slice(*shape, true, nameOf(*sent));
    if (!received)
      return;
    std::string after;
    if (declares || random.chance(30))
      if (std::optional<std::string> more = assignmentOf(*shape, declares ? message : ""))
        after = *more;
    const std::string send = "send " + *sent + " to " + p.to, recv = "recv " + *received + " from " + p.from;
    const bool isGuarded = !p.guard.empty() && random.chance(97);
    if (isGuarded) {
      line("if " + p.guard + " {");
      ++depth;
    }
    const bool sendsFirst = random.chance(50);
    auto both = [&](const std::string &head, bool isSendFirst) {
      line(head + " {");
      line("  " + (isSendFirst ? send : recv));
      line("  " + (isSendFirst ? recv : send));
      if (!after.empty())
        line("  " + after);
      line("}");
    };
    switch (random.below(p.to == p.from ? 4u : 3u)) {
    case 0:
    case 1:
      both("step", sendsFirst);
      break;
    case 2: { // some ranks first send, the others first receive: who meets whom decides whether that is enough
      const std::string some = random.pick({"even(me)", "me == 0", "me < p div 2"});
      both("if " + some, true);
      both("if not (" + some + ")", false);
      break;
    }
    default:
      line("exchange " + *sent + " with " + p.to + " into " + *received);
      if (!after.empty())
        line(after);
      break;
    }
    if (isGuarded) {
      --depth;
      line("}");
    }
  }

  /// A step with several messages of a rank: from or to all others, or to some.
  void several() {
    const std::optional<std::string> sent = slice({Shape::Block, "", "", ""}, false);
    std::vector<std::string> rooms; // with a block for every rank
    for (const Array &array : arrays)
      if (!array.isInput && array.parts.empty() && (array.count == "p" || array.count == "p + 1") && sent && nameOf(*sent) != array.name)
        rooms.push_back(array.name);
    const std::optional<std::string> single = slice({Shape::Block, "", "", ""}, true, sent ? nameOf(*sent) : "");
    if (!sent || !single)
      return;
    const bool isStep = random.chance(60);
    const std::string one = random.pick({"0", "p - 1", hasRoot ? "root" : "p div 2"}), some = random.pick({"2", "3", "p"});
    const std::string send = "send " + *sent + " to ", room = rooms.empty() ? "" : random.pick(rooms), i = fresh("i");
    if (isStep)
      line("step {");
    switch (random.below(rooms.empty() ? 2u : 4u)) {
    case 0:
      line("if me == " + one + " { for " + i + " in others { " + send + i + " } } else { recv " + *single + " from " + one + " }");
      break;
    case 1: // within a condition, and with an `else if`
      line("if even(me) and me + 1 < p { " + send + "me + 1 } else if odd(me) { recv " + *single + " from me - 1 }");
      break;
    case 2:
      line("if me == " + one + " { for " + i + " in others { recv " + room + "[" + i + "] from " + i + " } } else { " + send + one + " }");
      break;
    default:
      if (!isStep)
        line("step {");
      line("for " + i + " in 1 ..< min(p, " + some + ") { " + send + "(me + " + i + ") mod p }");
      line("for " + i + " in 1 ..< min(p, " + some + ") { recv " + room + "[" + random.pick({i, "(me - " + i + ") mod p", "(me + " + i + ") mod p"}) + "] from (me - " + i + ") mod p }");
      if (!isStep)
        line("}");
      break;
    }
    if (isStep)
      line("}");
  }

  void tree() {
    const std::string t = fresh("T");
    line("let " + t + " = " + random.pick({"inorder(0 ..< p)", "heap(p)", "skewed(0 ..< p)", "inorder(0 ..< p, 0)", "inorder(0 ..< p, p - 1)"}));
    const std::optional<Shape> shape = shapeOf(random.pick(arrays));
    const std::optional<std::string> sent = slice(*shape, false), received = slice(*shape, true, sent ? nameOf(*sent) : "");
    if (!sent || !received)
      return;
    if (random.chance(50)) {
      line("recv " + *received + " from " + t + ".parent");
      line("for c in " + t + ".children { send " + *sent + " to c }");
    } else {
      line("for c in " + t + ".children { recv " + *received + " from c }");
      line("send " + *sent + " to " + t + ".parent");
    }
  }

  /// One or two statements inside a compound statement.
  void inside(bool isUniform) {
    const auto outerUniform = uniform, outerOfRank = ofRank;
    const auto outerArrays = arrays;
    ++depth;
    const unsigned count = 1 + random.below(2);
    for (unsigned i = 0; i < count; ++i)
      isUniform || random.chance(15) ? statement() : assignment();
    --depth;
    uniform = outerUniform;
    ofRank = outerOfRank;
    arrays = outerArrays;
  }

  void loop() {
    const std::string v = fresh("v");
    const bool isUniform = random.chance(85);
    const std::string m = leaf(isUniform);
    std::string head = v + " in " +
                       random.pick({"0 ..< " + m, "1 ..< p", "0 ..< 2", "1 .. 2", m + " downto 1", "1 ..< p times 2", "0 ..< " + m + " by 2", "p div 2 downto 1 half",
                                    "0 .. " + m, "1 ..< " + m + " times 3", "p - 1 downto 0 by 2"});
    std::string second;
    if (random.chance(10)) {
      second = fresh("v");
      head = "(" + v + ", " + second + ") in halvings(p)" + (random.chance(50) ? " reversed" : "");
    }
    line("for " + head + " {");
    if (random.chance(8))
      line(std::string("  invariant ") + random.pick({"y == x@me", "z[j] == w@me[j]", "y == fold(x@j for j in me .. me) if me >= 0"}));
    auto outer = uniform;
    uniform.push_back(v);
    if (!second.empty())
      uniform.push_back(second);
    inside(isUniform);
    uniform = std::move(outer);
    line("}");
  }

  void branch() {
    const bool isUniform = random.chance(50);
    line("if " + condition(isUniform) + " {");
    inside(isUniform);
    if (random.chance(40)) {
      line("} else {");
      inside(isUniform);
    }
    line("}");
  }

  void use() {
    const std::optional<Shape> shape = shapeOf(random.pick(arrays));
    if (shape->form != Shape::Block && shape->form != Shape::Packet)
      return assignment();
    const std::optional<std::string> from = slice(*shape, false), to = slice(*shape, true, "");
    if (!from || !to || from->find("..+") != std::string::npos || to->find("..+") != std::string::npos)
      return assignment(); // one block of many is not taken for a block
    const std::string group = random.pick({"", "", "", " among { c : c in 0 ..< p }", " among { 2*(me div 2) + c : c in 0 ..< min(2, p - 2*(me div 2)) }",
                                           " among { 2*c + me mod 2 : c in 0 ..< (p + 1 - me mod 2) div 2 }", " among { me + 0*c : c in 0 ..< 1 }"});
    const std::string packets = random.pick({"1", "2", "3", hasParameter ? "k" : "p"});
    if (folds && random.chance(50))
      line("use allreduce/" + std::string(random.pick({"recursive_doubling", "reduce_broadcast", "pipelined_binary(" + packets + ")", "doubly_pipelined(" + packets + ")"})) +
           "(" + *from + ") -> " + *to + group);
    else
      line("use broadcast/" + std::string(random.pick({"binomial", "divide_and_conquer", "pipelined_path(" + packets + ")", "pipelined_binary_full(" + packets + ")"})) +
           "(0, " + *from + ") -> " + *to + group);
  }

  Random &random;
  std::string body, functions;
  unsigned names = 0, depth = 0;
  bool hasRoot = false, hasParameter = false, folds = false;
  std::vector<std::string> uniform, ofRank;
  std::vector<Array> arrays;
};

} // namespace

std::string randomStatements(Random &random) { return StatementWriter(random).run(); }

} // namespace quadrille::compiler::fuzz
