//===- Fillings.cpp - Partly written blocks and packets ---------------------------------------------------------------===//
//
// Generates blocks, arrays and packets that are written under conditions, and then copied and combined in slices of all kinds,
// into each other and into themselves. Results that are not promised are compared with the interpreter.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#include "Generate.h"

namespace quadrille::compiler::fuzz {

namespace {

class Filler {
public:
  explicit Filler(Random &random) : random(random) {}

  std::string run() {
    const bool isSplit = random.chance(70);
    packets = isSplit ? random.pick({"2", "3", "k", "p"}) : "";
    hasParameter = packets == "k";
    std::string head = "collective keep(x: block, w: block[3]) -> (y: block, z: block[3]) { ensures y@i == fold(x@j for j in i ..< i + 1) }\n"
                       "collective maybe(x: block) -> (y: block) { ensures y@i == x@i if even(i) }\n"
                       "schedule evens for maybe(x) -> y { if even(me) { y := x } }\n";
    head += "schedule outer" + std::string(hasParameter ? "(k)" : "") + " for keep(x, w) -> (y, z) {\n";
    line("var s: block");
    line("var t: block");
    line("var a: block[3]");
    line("var b: block[3]");
    if (isSplit) {
      for (const char *name : {"x", "w", "s", "t", "a", "b", "z"})
        if (random.chance(65))
          split.push_back(name);
      if (!split.empty()) {
        std::string names;
        for (const std::string &name : split)
          names += (names.empty() ? "" : ", ") + name;
        line("split " + names + " into " + packets);
      }
    }
    for (std::uint64_t i = 2 + random.below(3); i > 0; --i)
      fill();
    for (std::uint64_t i = 2 + random.below(5); i > 0; --i)
      random.chance(15) ? fill() : move();
    line("y := x");
    line("z := " + random.pick({"a", "b", "a <> b", "z <> a", "z"}));
    return head + body + "}\n";
  }

private:
  void line(const std::string &text) { body += "  " + text + "\n"; }
  bool isSplit(const std::string &name) const {
    for (const std::string &other : split)
      if (other == name)
        return true;
    return false;
  }
  std::string place() { return random.pick({"0", "1", "2", "me mod 3"}); }
  std::string condition() { return random.pick({"even(me)", "me > 0", "me == p - 1", "me >= 0"}); }

  /// Writes parts of buffers, from data that is present on all ranks.
  void fill() {
    switch (random.below(5)) {
    case 0:
      return line("if " + condition() + " { " + random.pick({"s", "t", "a[" + place() + "]", "b[" + place() + "]"}) + " := " + random.pick({"x", "w[1]"}) + " }");
    case 1:
      return line("for j in me mod 3 ..< 3 { " + random.pick({"a", "b"}) + "[j] := w[j] }");
    case 2: {
      const std::string to = random.pick({"s", "t"});
      if (isSplit(to) && isSplit("x"))
        return line("for j in 0 ..< " + packets + " { if even(j + me) { " + to + "[j] := x[j] } }");
      return line("if " + condition() + " { " + to + " := x }");
    }
    case 3: {
      const std::string to = random.pick({"a", "b"}), at = place();
      if (isSplit(to) && isSplit("x"))
        return line("for j in 0 ..< " + packets + " { if odd(j + me) { " + to + "[" + at + "][j] := x[j] } }");
      return line("if " + condition() + " { " + to + " := w }");
    }
    default:
      return line("use maybe/evens(" + random.pick({"x", "s", "t", "a[1]"}) + ") -> " + random.pick({"s", "t", "b[0]"}));
    }
  }

  /// The amount moved by one statement.
  enum Extent { OneBlock, TwoBlocks, ThreeBlocks, OnePacket, AllPackets };

  std::string slice(Extent extent, bool isTarget) {
    const std::string array = isTarget || random.chance(80) ? random.pick({"a", "b"}) : "w";
    const std::string single = isTarget || random.chance(80) ? random.pick({"s", "t"}) : "x";
    switch (extent) {
    case OneBlock:
      return random.chance(50) ? single : array + "[" + place() + "]";
    case TwoBlocks:
      return array + random.pick({"[0 ..< 2]", "[1 ..< 3]", "[me mod 3 ..+ 2 mod 3]", "[j in 0 ..< 3 if j != 1]", "[j in 0 ..< 3 if j != me mod 3]"});
    case ThreeBlocks:
      return array + random.pick({"", "", "[0 ..< 3]", "[me mod 3 ..+ 3 mod 3]"});
    case OnePacket:
    case AllPackets: {
      const std::string index = extent == OnePacket ? "[0]" : "[0 ..< " + packets + "]";
      if (isSplit(single) && random.chance(50))
        return single + index;
      if (isSplit(array))
        return array + "[" + place() + "]" + index;
      return isSplit(single) ? single + index : "";
    }
    }
    return "";
  }

  void move() {
    const auto extent = static_cast<Extent>(random.below(packets.empty() ? 3 : 5));
    std::vector<std::string> parts{slice(extent, true)};
    for (std::uint64_t i = 1 + random.below(3); i > 0; --i)
      parts.push_back(slice(extent, false));
    for (const std::string &part : parts)
      if (part.empty())
        return;
    std::string value = parts[1];
    if (parts.size() == 3)
      value += " <> " + parts[2];
    if (parts.size() == 4)
      value += random.chance(50) ? " <> (" + parts[2] + " <> " + parts[3] + ")" : " <> " + parts[2] + " <> " + parts[3];
    const std::string statement = parts[0] + " := " + value;
    line(random.chance(20) ? "if " + condition() + " { " + statement + " }" : statement);
  }

  Random &random;
  std::string body, packets;
  std::vector<std::string> split;
  bool hasParameter = false;
};

} // namespace

std::string randomFilling(Random &random) { return Filler(random).run(); }

} // namespace quadrille::compiler::fuzz
