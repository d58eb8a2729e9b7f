//===- Compositions.cpp - Schedules that use the library ---------------------------------------------------===//

#include "Generate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler::fuzz {

namespace {

/// A schedule that may be used. Parameters, if there are any, are numbers of packets or the like.
struct Usable {
  const char *name;
  bool hasParameter = false;
  bool needsPow2 = false;
  bool needsCommutative = false;
};

using Choice = std::vector<Usable>;

const Choice broadcasts = {{"binomial"},
                           {"divide_and_conquer"},
                           {"sequential"},
                           {"doubling"},
                           {"binomial_small_first"},
                           {"pipelined_path", true},
                           {"pipelined_binary", true},
                           {"pipelined_binary_full", true},
                           {"pipelined_skewed_half", true},
                           {"pipelined_heap", true},
                           {"two_trees", true},
                           {"two_trees_half", true},
                           {"edge_disjoint_trees", true, true}};
const Choice reductions = {{"inorder_tree"},
                           {"pipelined_path", true},
                           {"pipelined_binary", true},
                           {"pipelined_skewed", true},
                           {"pipelined_binary_full", true},
                           {"binomial", false, false, true},
                           {"two_trees", true, false, true},
                           {"edge_disjoint_trees", true, true, true}};
const Choice allreductions = {{"recursive_doubling"},
                              {"census", false, false, true},
                              {"hypercube", false, true},
                              {"reduce_broadcast"},
                              {"pipelined_binary", true},
                              {"pipelined_binary_full", true},
                              {"doubly_pipelined", true},
                              {"two_trees", true, false, true},
                              {"ring", false, false, true}};
const Choice allgathers = {{"ring"}, {"bruck"}, {"circulant"}, {"knoedel"}, {"linear_array"}, {"half_duplex"}, {"hypercube", false, true}};
const Choice reduceScatters = {{"ring", false, false, true}, {"circulant", false, false, true}, {"hypercube", false, true}, {"halving", false, true, true}};
const Choice scans = {{"doubling"}, {"inorder_tree"}, {"pipelined_path", true}, {"pipelined_binary", true}, {"incomplete_hypercube"}, {"hypercube", false, true}, {"doubly_pipelined", true}, {"two_trees", true}};
const Choice exscans = {{"digits"}, {"doubling_123"}, {"inorder_tree"}, {"pipelined_path", true}, {"pipelined_binary", true}, {"hypercube", false, true}, {"two_trees", true}};
const Choice scatters = {{"binomial"}, {"direct"}};
const Choice alltoalls = {{"shift"}, {"one_factor"}, {"pairwise"}, {"bruck"}, {"grid", true}, {"grid_one_factor", true}, {"hypercube", false, true}};

/// Ranks that run a schedule together.
struct Group {
  std::string among;         // what follows `use ...`; empty: all ranks
  std::string size = "p";
  std::string place = "me";  // the rank of `me` in the group
  bool mayBePow2 = true;     // `requires pow2(p)` makes its size a power of two
};

class Composer {
public:
  explicit Composer(Random &random) : random(random) {}

  std::string run() {
    const bool hasInner = random.chance(35);
    std::string inner;
    if (hasInner) { // a schedule that uses others and is used itself
      inner = schedule("inner", /*mayNest=*/false);
      innerCollective = collective;
      innerParameter = usesParameter;
      innerPow2 = needsPow2;
      innerCommutative = needsCommutative;
    }
    return inner + schedule("outer", hasInner);
  }

private:
  // ---- a schedule

  std::string schedule(const std::string &name, bool mayNest) {
    body.clear();
    names = 0;
    nested = mayNest;
    usesParameter = needsPow2 = needsCommutative = false;
    extraRequirement.clear();
    wantsPow2 = random.chance(40);
    collective = random.pick({"allreduce", "broadcast", "allgather", "reduce", "scan", "reduce_scatter", "alltoall", "allreduce", "exscan", "gather"});
    if (collective == "allreduce")
      allreduce("x", "y");
    else if (collective == "broadcast")
      broadcast();
    else if (collective == "allgather")
      allgather();
    else if (collective == "reduce")
      reduce();
    else if (collective == "scan")
      scan(false);
    else if (collective == "exscan")
      scan(true);
    else if (collective == "reduce_scatter")
      reduceScatter();
    else if (collective == "gather")
      gather();
    else
      alltoall();
    const bool hasRoot = collective == "broadcast" || collective == "reduce" || collective == "gather";
    std::string text = "schedule " + name + (usesParameter ? "(k)" : "") + " for " + collective + (hasRoot ? "(root, x)" : "(x)") + " -> y {\n";
    if (needsPow2)
      text += "  requires pow2(p)\n";
    if (needsCommutative)
      text += "  requires commutative\n";
    if (!extraRequirement.empty())
      text += "  requires " + extraRequirement + "\n";
    if (usesParameter && random.chance(20))
      text += "  requires k >= 1\n";
    return text + body + "}\n\n";
  }

  void line(const std::string &text) { body += "  " + text + "\n"; }
  std::string fresh(const char *base) { return base + std::to_string(++names); }

  // ---- uses

  std::string number() { // of packets, or of dimensions
    if (random.chance(40)) {
      usesParameter = true;
      return random.pick({"k", "k", "k + 1", "2*k", "min(k, 4)"});
    }
    return random.pick({"1", "2", "3", "4", "p", "5"});
  }

  std::string rank(const Group &group) { return random.pick({"0", "0", (group.size == "p" ? "p - 1" : "0"), "0"}); }

  /// The beginning of a `use` of a schedule of the list that fits the group.
  std::string one(const std::string &of, const Choice &list, const Group &group) {
    if (nested && innerCollective == of && random.chance(60) && (!innerPow2 || (wantsPow2 && group.mayBePow2))) {
      needsPow2 |= innerPow2;
      needsCommutative |= innerCommutative;
      return "use " + of + "/inner" + (innerParameter ? "(" + number() + ")" : "");
    }
    while (true) {
      const Usable &usable = list[random.below(list.size())];
      if (usable.needsPow2 && !(wantsPow2 && group.mayBePow2) && random.chance(95))
        continue;
      if (usable.needsCommutative && random.chance(50))
        continue;
      needsPow2 |= usable.needsPow2;
      needsCommutative |= usable.needsCommutative;
      return "use " + of + "/" + usable.name + (usable.hasParameter ? "(" + number() + ")" : "");
    }
  }

  void use(const std::string &of, const Choice &list, const std::string &inputs, const std::string &outputs, const Group &group = {}) {
    line(one(of, list, group) + "(" + inputs + ") -> " + outputs + (group.among.empty() ? "" : " " + group.among));
  }

  /// The group of all ranks, written in one of two ways.
  Group all() {
    if (random.chance(75))
      return {};
    return {random.pick({"among { c : c in 0 ..< p }", "among { c : c in 0 .. p - 1 }"}), "p", "me", true};
  }

  /// Groups that are rows and columns of a grid with rows of q ranks. q is a parameter or a constant and divides p.
  std::pair<Group, Group> rowsAndColumns() {
    std::string q = random.pick({"q", "q", "2", "4"});
    if (q == "q") {
      line("let q = " + std::string(wantsPow2 && random.chance(60) ? "1 << log2(p) div 2" : random.pick({"if even(p) then 2 else 1", "if p mod 3 == 0 then 3 else p", "p", "1"})));
      needsPow2 |= body.find("log2(p) div 2") != std::string::npos;
    } else {
      extraRequirement = "p mod " + q + " == 0";
    }
    const bool pow2 = wantsPow2;
    return {Group{"among { " + q + "*(me div " + q + ") + c : c in 0 ..< " + q + " }", q, "(me mod " + q + ")", pow2},
            Group{"among { " + q + "*c + me mod " + q + " : c in 0 ..< p div " + q + " }", "(p div " + q + ")", "(me div " + q + ")", pow2}};
  }

  /// Adds statements that do not change the result.
  void aside(const std::string &full) {
    switch (random.below(6)) {
    case 0: {
      const std::string t = fresh("t");
      line("var " + t + " := " + full);
      use("broadcast", broadcasts, "0, " + t, t, all());
      break;
    }
    case 1:
      line("use barrier/" + std::string(random.pick({"dissemination", "binomial"})) + "()" +
           (random.chance(30) ? " among { 2*c + me mod 2 : c in 0 ..< (p + 1 - me mod 2) div 2 }" : ""));
      break;
    case 2: {
      const std::string t = fresh("t");
      line("var " + t + ": block[p]");
      use("allgather", allgathers, full, t, all());
      break;
    }
    case 3: { // those ranks only that have an even number
      const std::string u = fresh("u");
      line("if even(me) { var " + u + " := " + full + "; use broadcast/pipelined_path(2)(0, " + u + ") -> " + u +
           " among { 2*c : c in 0 ..< (p + 1) div 2 } }");
      break;
    }
    default:
      break;
    }
  }

  // ---- collectives made of others

  void allreduce(const std::string &x, const std::string &y) {
    switch (random.below(11)) {
    case 0:
      use("allreduce", allreductions, x, y, all());
      break;
    case 1: { // to one and from there
      const std::string root = random.pick({"0", "p - 1", "p div 2"});
      const Group group = all();
      std::string z = y;
      if (random.chance(30)) {
        z = fresh("z");
        line("var " + z + ": block");
      }
      use("reduce", reductions, root + ", " + x, z, group);
      if (random.chance(30))
        aside(x);
      use("broadcast", broadcasts, root + ", " + z, y, group);
      break;
    }
    case 2: // scattered and gathered
      line("split " + x + ", " + y + " into p");
      use("reduce_scatter", reduceScatters, x, y + "[me]", all());
      use("allgather", allgathers, y + "[me]", y, all());
      break;
    case 3: { // rows, then columns
      const auto [row, column] = rowsAndColumns();
      const std::string z = random.chance(50) ? y : fresh("z");
      if (z != y)
        line("var " + z + (random.chance(50) ? ": block" : " := " + x));
      use("allreduce", allreductions, x, z, row);
      use("allreduce", allreductions, z, y, column);
      break;
    }
    case 4: { // each packet by itself
      const std::string count = random.pick({"p", "2", "3", "k", "k + 1"});
      usesParameter |= count[0] == 'k';
      line("split " + x + ", " + y + " into " + count);
      line("for j in 0 ..< " + count + " {");
      if (random.chance(50))
        use("allreduce", allreductions, x + "[j]", y + "[j]", all());
      else {
        use("reduce", reductions, "j mod p, " + x + "[j]", y + "[j]");
        use("broadcast", broadcasts, "j mod p, " + y + "[j]", y + "[j]");
      }
      line("}");
      break;
    }
    case 5: // the last rank has all
      use("scan", scans, x, y, all());
      use("broadcast", broadcasts, "p - 1, " + y, y);
      break;
    case 6: { // everything everywhere
      const std::string all = fresh("all");
      line("var " + all + ": block[p]");
      use("allgather", allgathers, x, all);
      line(y + " := " + all + "[0]");
      line("for j in 1 ..< p { " + y + " := " + y + " <> " + all + "[j] }");
      break;
    }
    case 7: { // packets of packets: rows scatter, columns reduce, rows gather
      const auto [row, column] = rowsAndColumns();
      line("split " + x + ", " + y + " into " + row.size);
      use("reduce_scatter", reduceScatters, x, y + "[" + row.place + "]", row);
      use("allreduce", allreductions, y + "[" + row.place + "]", y + "[" + row.place + "]", column);
      use("allgather", allgathers, y + "[" + row.place + "]", y, row);
      break;
    }
    case 8: { // a copy goes through, some times
      const std::string z = fresh("z");
      line("var " + z + " := " + x);
      use("allreduce", allreductions, z, y, all());
      line("for i in 0 ..< " + std::string(random.pick({"2", "p", "1"})) + " {");
      use("broadcast", broadcasts, std::string(random.pick({"i mod p", "0", "p - 1"})) + ", " + y, y, all());
      line("}");
      break;
    }
    case 9: { // array of packets in two steps
      line("split " + x + ", " + y + " into p");
      use("reduce_scatter", reduceScatters, x, y + "[me]");
      line("for r in 0 ..< p {");
      use("broadcast", broadcasts, "r, " + y + "[r]", y + "[r]", all());
      line("}");
      break;
    }
    default: { // halves of the ranks, doubled
      line(y + " := " + x);
      needsPow2 = true;
      line("for w in 1 ..< p times 2 {");
      const std::string z = fresh("z");
      line("  var " + z + " := " + y);
      use("allreduce", allreductions, z, y, Group{"among { 2*w*(me div (2*w)) + me mod w + c*w : c in 0 ..< 2 }", "2", "(me div w mod 2)", true});
      line("}");
      break;
    }
    }
  }

  void broadcast() {
    switch (random.below(6)) {
    case 0:
      use("broadcast", broadcasts, "root, x", "y", all());
      break;
    case 1: // pieces to all, then around
      line("split x, y into p");
      use("scatter", scatters, "root, x", "y[me]");
      use("allgather", allgathers, "y[me]", "y", all());
      break;
    case 2: { // within the root's row, then along the columns
      const auto [row, column] = rowsAndColumns();
      line("y := x");
      line("if me div " + row.size + " == root div " + row.size + " {");
      use("broadcast", broadcasts, "root mod " + row.size + ", y", "y", row);
      line("}");
      use("broadcast", broadcasts, "root div " + row.size + ", y", "y", column);
      break;
    }
    case 3: { // each packet in its own way
      const std::string count = number();
      line("split x, y into " + count);
      line("for j in 0 ..< " + count + " {");
      use("broadcast", broadcasts, "root, x[j]", "y[j]", all());
      line("}");
      break;
    }
    case 4: { // by way of another rank
      line("var t := x");
      use("broadcast", broadcasts, "root, x", "t");
      use("broadcast", broadcasts, std::string(random.pick({"0", "(root + 1) mod p", "p - 1"})) + ", t", "y", all());
      break;
    }
    default: // nothing but the root's block goes in
      line("ranks from root");
      line("y := x");
      use("broadcast", broadcasts, "0, y", "y");
      break;
    }
  }

  void allgather() {
    switch (random.below(6)) {
    case 0:
      use("allgather", allgathers, "x", "y", all());
      break;
    case 1:
      line("y[me] := x");
      line("for r in 0 ..< p {");
      use("broadcast", broadcasts, "r, y[r]", "y[r]", all());
      line("}");
      break;
    case 2: { // rows, then columns of rows
      const auto [row, column] = rowsAndColumns();
      line("var mine: block[" + row.size + "]");
      use("allgather", allgathers, "x", "mine", row);
      line("for i in 0 ..< " + row.size + " {");
      line("var some: block[" + column.size + "]");
      use("allgather", allgathers, "mine[i]", "some", column);
      line("for r in 0 ..< " + column.size + " { y[r*" + row.size + " + i] := some[r] }");
      line("}");
      break;
    }
    case 3: { // packets
      const std::string count = number();
      line("split x, y into " + count);
      line("for j in 0 ..< " + count + " {");
      line("for r in 0 ..< p {");
      use("broadcast", broadcasts, "r, x[j]", "y[r][j]");
      line("} }");
      break;
    }
    case 4: // to one, and from there block by block
      use("gather", scatters, "0, x", "y");
      line("for r in 0 ..< p {");
      use("broadcast", broadcasts, "0, y[r]", "y[r]", all());
      line("}");
      break;
    default: { // everybody sends the same to everybody
      line("var copies: block[p]");
      line("for r in 0 ..< p { copies[r] := x }");
      use("alltoall", alltoalls, "copies", "y");
      break;
    }
    }
  }

  void reduce() {
    switch (random.below(5)) {
    case 0:
      use("reduce", reductions, "root, x", "y", all());
      break;
    case 1:
      line("var z: block");
      allreduce("x", "z");
      line("if me == root { y := z }");
      break;
    case 2:
      line("var z := x");
      line("split z into p");
      line("var part := z");
      use("reduce_scatter", reduceScatters, "z", "part[me]");
      line("if me == root { y := x }");
      use("gather", scatters, "root, part[me]", "part");
      line("if me == root { y := part }");
      break;
    case 3: {
      const std::string all = fresh("all");
      line("var " + all + ": block[p]");
      use("gather", scatters, "root, x", all);
      line("if me == root { y := " + all + "[0]; for j in 1 ..< p { y := y <> " + all + "[j] } }");
      break;
    }
    default:
      line("var z: block");
      use("reduce", reductions, "0, x", "z", all());
      use("broadcast", broadcasts, "0, z", "z");
      line("if me == root { y := z }");
      break;
    }
  }

  void scan(bool isExclusive) {
    const std::string of = isExclusive ? "exscan" : "scan";
    switch (random.below(7)) {
    case 0:
      use(of, isExclusive ? exscans : scans, "x", "y", all());
      break;
    case 5: { // taken apart here only: the first rank has no packet either
      const std::string count = number();
      line("split x, y into " + count);
      use("exscan", {{"digits"}, {"doubling_123"}}, "x", "y");
      if (!isExclusive)
        line("for j in 0 ..< " + count + " { y[j] := y[j] <> x[j] }");
      break;
    }
    case 6: // what the first rank does not have is handed to another schedule
      line("var z, own: block");
      use("exscan", exscans, "x", "z");
      line("use " + std::string(random.pick({"scan/doubling(z)", "allreduce/recursive_doubling(z)", "scan/inorder_tree(z)"})) + " -> own among { me : c in 0 ..< 1 }");
      line(isExclusive ? "y := own" : "y := own <> x");
      break;
    case 1:
      if (isExclusive) {
        line("var all: block[p]");
        use("allgather", allgathers, "x", "all");
        line("for j in 0 ..< me { y := y <> all[j] }");
      } else {
        use("exscan", exscans, "x", "y");
        line("y := y <> x");
      }
      break;
    case 2: { // within the rows, and of the rows before
      const auto [row, column] = rowsAndColumns();
      line("var own: block");
      use(of, isExclusive ? exscans : scans, "x", "own", row);
      line("var total: block");
      use("allreduce", allreductions, "x", "total", row);
      line("var before: block");
      use("exscan", exscans, "total", "before", column);
      line("y := before <> own");
      break;
    }
    case 3: { // packets
      const std::string count = number();
      line("split x, y into " + count);
      line("for j in 0 ..< " + count + " {");
      use(of, isExclusive ? exscans : scans, "x[j]", "y[j]", all());
      line("}");
      break;
    }
    default: // one rank after the other
      if (!isExclusive)
        line("y := x");
      line("for r in 0 ..< p - 1 {");
      line("  step { if me == r { send " + std::string(isExclusive ? "x" : "x") + " to p - 1 } if me == p - 1 { recv t from r; y := " +
           (isExclusive ? "y <> t" : "y") + " } }");
      line("}");
      line("var z: block");
      use(of, isExclusive ? exscans : scans, "x", "z");
      line("y := z");
      break;
    }
  }

  void reduceScatter() {
    switch (random.below(4)) {
    case 0:
      use("reduce_scatter", reduceScatters, "x", "y", all());
      break;
    case 1:
      line("var got: block[p]");
      use("alltoall", alltoalls, "x", "got", all());
      line("y := got[0]");
      line("for j in 1 ..< p { y := y <> got[j] }");
      break;
    case 2:
      line("var z: block");
      line("for r in 0 ..< p {");
      use("reduce", reductions, "r, x[r]", "z");
      line("}");
      line("y := z");
      break;
    default:
      line("var sums := x");
      line("for r in 0 ..< p {");
      use("allreduce", allreductions, "x[r]", "sums[r]", all());
      line("}");
      line("y := sums[me]");
      break;
    }
  }

  void gather() {
    switch (random.below(3)) {
    case 0:
      use("gather", scatters, "root, x", "y", all());
      break;
    case 1:
      line("var all: block[p]");
      use("allgather", allgathers, "x", "all");
      line("if me == root { y := all }");
      break;
    default: {
      const std::string count = number();
      line("var all: block[p]");
      line("all[me] := x");
      line("split all into " + count);
      line("for j in 0 ..< " + count + " {");
      line("for r in 0 ..< p {");
      use("broadcast", broadcasts, "r, all[r][j]", "all[r][j]");
      line("} }");
      line("if me == root { y := all }");
      break;
    }
    }
  }

  void alltoall() {
    switch (random.below(4)) {
    case 0:
      use("alltoall", alltoalls, "x", "y", all());
      break;
    case 1:
      line("for r in 0 ..< p {");
      use("scatter", scatters, "r, x", "y[r]");
      line("}");
      break;
    case 2:
      line("var mine: block[p]");
      line("for r in 0 ..< p {");
      use("gather", scatters, "r, x[r]", "mine");
      line("}");
      line("y := mine");
      break;
    default: {
      const std::string count = number();
      line("split x, y into " + count);
      line("for j in 0 ..< " + count + " {");
      line("var out: block[p]");
      line("for r in 0 ..< p {");
      use("scatter", scatters, "r, x", "y[r]");
      line("} }");
      break;
    }
    }
  }

  Random &random;
  std::string body, collective, extraRequirement;
  unsigned names = 0;
  bool nested = false, usesParameter = false, needsPow2 = false, needsCommutative = false, wantsPow2 = false;
  std::string innerCollective;
  bool innerParameter = false, innerPow2 = false, innerCommutative = false;
};

} // namespace

std::string randomComposition(Random &random) { return Composer(random).run(); }

} // namespace quadrille::compiler::fuzz
