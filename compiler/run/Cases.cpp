//===- Cases.cpp - The cases of a run -----------------------------------------------------------------------------------------===//

#include "Cases.h"

#include "MpiCollectives.h"

#include "check/Check.h"
#include "diagnostics/Diagnostics.h"
#include "emit/IrToCpp.h"
#include "emit/PacketRule.h"
#include "instantiate/Semantics.h"
#include "limits/Limits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <charconv>

#include <unistd.h>

namespace quadrille::compiler::run {

using namespace ir;

static const char *nameOf(harness::Element element) { return harness::elementNames[static_cast<size_t>(element)].name; }
static const char *nameOf(harness::Combiner combiner) {
  return harness::combinerNames[static_cast<size_t>(combiner)].name;
}

namespace {

struct Operation {
  harness::Element element;
  harness::Combiner combiner;
};

template <typename T> bool parseNumber(llvm::StringRef text, std::vector<unsigned char> &bytes) {
  T value{};
  text.consume_front("+");
  auto [end, failure] = std::from_chars(text.begin(), text.end(), value);
  if (text.empty() || failure != std::errc() || end != text.end())
    return false;
  const auto *begin = reinterpret_cast<const unsigned char *>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof(T));
  return true;
}

/// Appends the bytes of an element; false if the text is not an element. `owner`: the index of an Indexed element whose text gives none.
bool parseElement(harness::Element element, llvm::StringRef text, std::int64_t owner,
                  std::vector<unsigned char> &bytes) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, ':');
  switch (element) {
  case harness::Element::Int32:
    return parseNumber<std::int32_t>(text, bytes);
  case harness::Element::Int64:
    return parseNumber<std::int64_t>(text, bytes);
  case harness::Element::UInt8:
    return parseNumber<std::uint8_t>(text, bytes);
  case harness::Element::UInt32:
    return parseNumber<std::uint32_t>(text, bytes);
  case harness::Element::UInt64:
    return parseNumber<std::uint64_t>(text, bytes);
  case harness::Element::Float:
    return parseNumber<float>(text, bytes);
  case harness::Element::Double:
    return parseNumber<double>(text, bytes);
  case harness::Element::Mat2:
    return parts.size() == 4 &&
           llvm::all_of(parts, [&](llvm::StringRef part) { return parseNumber<std::uint32_t>(part, bytes); });
  case harness::Element::Indexed:
    return parts.size() <= 2 && parseNumber<std::int32_t>(parts[0], bytes) &&
           parseNumber<std::int32_t>(parts.size() == 2 ? parts[1].str() : std::to_string(owner), bytes);
  }
  return false;
}

template <typename T> diag::Literal rangeOf() {
  return diag::LiteralInteger{.least = std::numeric_limits<T>::min(), .most = static_cast<std::uint64_t>(std::numeric_limits<T>::max())};
}

diag::Literal describeValues(harness::Element element) {
  switch (element) {
  case harness::Element::Int32:
    return rangeOf<std::int32_t>();
  case harness::Element::Int64:
    return rangeOf<std::int64_t>();
  case harness::Element::UInt8:
    return rangeOf<std::uint8_t>();
  case harness::Element::UInt32:
    return rangeOf<std::uint32_t>();
  case harness::Element::UInt64:
    return rangeOf<std::uint64_t>();
  case harness::Element::Float:
  case harness::Element::Double:
    return diag::LiteralReal{};
  case harness::Element::Mat2:
    return diag::LiteralMatrix{};
  case harness::Element::Indexed:
    return diag::LiteralIndexed{};
  }
  llvm_unreachable("no such type");
}

MachineTimes machineFor(const RunRequest &request, std::int64_t p) {
  if (request.machine)
    return request.machine(p);
  return machineFromEnvironment(request.backend == emit::Backend::Mpi ? usualMpiMachine : usualShmMachine);
}

/// Where the ranks of a run are: as the request says, or all on this node.
Nodes nodesOfRun(const Schedule &schedule, const RunRequest &request, std::int64_t p) {
  if (!schedule.usesNodes || p < 1)
    return nullptr;
  if (Nodes given = request.nodes.at(p))
    return given;
  return std::make_shared<const NodeMap>(NodeMap::consecutive(p, 1));
}

class Maker {
public:
  Maker(const Schedule &schedule, const RunRequest &request, std::int64_t p, Diagnostics &diagnostics)
      : request(request), schedule(schedule), p(p), diagnostics(diagnostics), nodes(nodesOfRun(schedule, request, p)) {}

  std::optional<std::vector<CallCase>> run() {
    if (p < 1 || p > limits::startedRanks)
      return fail(diag::RunSizeOutOfRange{.what = "p", .value = p, .least = 1, .most = limits::startedRanks});
    if (schedule.parameterCount > 0 && llvm::is_contained(request.parameters, 0)) {
      std::optional<diag::NoPackets> whyNot;
      choice = emit::packetRule(schedule, whyNot);
      if (!choice)
        leaveOut(Diagnostic(schedule.nameRange, diag::NoBestParameter{.schedule = schedule.path(), .reason = *whyNot}));
    }
    if (!operations())
      return std::nullopt;
    for (std::int64_t parameter : parameters())
      for (std::int64_t root : roots()) {
        if (root < 0 || root >= p)
          return fail(diag::RootOutOfRange{.root = root, .p = p});
        if (!forNumbers(parameter, root))
          return std::nullopt;
      }
    if (cases.empty() && leftOut) {
      diagnostics.report(*leftOut);
      return std::nullopt;
    }
    return std::move(cases);
  }

private:
  std::nullopt_t fail(diag::Facts facts) {
    diagnostics.report(schedule.nameRange, std::move(facts));
    return std::nullopt;
  }

  /// Notes why the schedule does not admit some numbers of the request. These are left out; it is an error if no case remains.
  void leaveOut(Diagnostic why) {
    if (!leftOut)
      leftOut = std::move(why);
  }

  std::vector<std::int64_t> parameters() const {
    if (schedule.parameterCount == 0)
      return {0};
    std::vector<std::int64_t> result = request.parameters;
    if (!choice)
      llvm::erase(result, 0);
    return result;
  }

  std::vector<std::int64_t> roots() const {
    if (!schedule.rootVariable())
      return {0};
    if (!request.allRoots)
      return request.roots.empty() ? std::vector<std::int64_t>{0} : request.roots;
    std::vector<std::int64_t> all;
    for (std::int64_t root = 0; root < p; ++root)
      all.push_back(root);
    return all;
  }

  template <typename Table> static std::vector<std::string> namesOf(const Table &table) {
    std::vector<std::string> names;
    for (const auto &entry : table)
      names.emplace_back(entry.name);
    return names;
  }

  /// The element type if there is no `--type`. Validation takes mat2 where it can, since its products show operands in a wrong order.
  std::string usualType() const {
    if (!request.validate)
      return "double";
    const bool mayNotCommute = schedule.collective->folds() && request.operators.empty() && !emit::needsCommutative(schedule);
    return mayNotCommute ? "mat2" : "int64";
  }

  /// Sets the pairs of type and operator: of those that are asked for, all pairs that are defined. False after an error.
  bool operations() {
    const bool hasData = !schedule.inputs.empty() || !schedule.outputs.empty();
    const bool folds = schedule.collective->folds();
    if (!hasData) {
      pairs.push_back({harness::Element::UInt8, harness::Combiner::Sum});
      return true;
    }
    const std::vector<std::string> types = request.types.empty() ? std::vector{usualType()} : request.types;
    for (const std::string &name : request.operators)
      if (harness::Combiner combiner; !harness::find(name, combiner))
        return fail(diag::UnknownOperator{.name = name, .known = namesOf(harness::combinerNames)}), false;
    for (const std::string &type : types) {
      harness::Element element;
      if (!harness::find(type, element))
        return fail(diag::UnknownElementType{.type = type, .known = namesOf(harness::elementNames)}), false;
      if (!folds) {
        // Nothing is combined: any operator of the type will do.
        pairs.push_back({element, harness::usualCombiner(element)});
        continue;
      }
      std::vector<std::string> names = request.operators;
      if (names.empty())
        names.push_back(nameOf(harness::usualCombiner(element)));
      for (const std::string &name : names) {
        harness::Combiner combiner{};
        (void)harness::find(name, combiner);
        if (!harness::isDefined(combiner, element)) {
          if (names.size() == 1 && types.size() == 1)
            return fail(diag::OperatorNotOnType{.operators = {{name}}, .types = {{type}}}), false;
          continue;
        }
        if (!harness::commutes(combiner) && emit::needsCommutative(schedule)) {
          if (names.size() == 1 && types.size() == 1)
            return fail(diag::OperatorMustCommute{.schedule = schedule.path(), .name = name}), false;
          continue;
        }
        pairs.push_back({element, combiner});
      }
    }
    if (pairs.empty())
      return fail(diag::OperatorNotOnType{.operators = request.operators, .types = types}),
             false;
    return true;
  }

  bool forNumbers(std::int64_t parameter, std::int64_t root) {
    isChosen = schedule.parameterCount > 0 && parameter == 0;
    // If the emitted code will choose k, 1 stands for it: what is evaluated before the choice may not depend on it.
    std::vector<std::int64_t> numbers(schedule.parameterCount, isChosen ? 1 : parameter);
    while (numbers.size() < schedule.numberCount)
      numbers.push_back(root);
    const compiler::Case instance{p, numbers, nodes};
    const Frame frame = caseFrame(schedule, instance, trees);
    try {
      for (const Requirement &requirement : schedule.requirements)
        if (!evaluate(*requirement.condition, frame)) {
          leaveOut(Diagnostic(requirement.range,
                              diag::RunUnmetRequirement{.schedule = schedule.path(),
                                                        .condition = requirement.text,
                                                        .instance = valuesOf(schedule, instance)}));
          return true;
        }
      tables = lengthTables(schedule, instance);
      std::vector<DataShape> inputs, outputs;
      for (auto [buffers, shapes] : {std::pair(&schedule.inputs, &inputs), std::pair(&schedule.outputs, &outputs)})
        for (const Buffer *buffer : *buffers) {
          DataShape shape;
          if (buffer->count)
            shape.blocks = std::max<std::int64_t>(0, evaluate(*buffer->count, frame));
          if (buffer->presence)
            shape.rank = evaluate(*buffer->presence, frame);
          shapes->push_back(shape);
        }
      for (std::int64_t n : lengths())
        for (const Operation &pair : pairs)
          for (bool inPlace : {false, true})
            if (!inPlace || (request.inPlace && !inputs.empty() && !outputs.empty()))
              if (!add(n, pair, inPlace, numbers, inputs, outputs))
                return false;
    } catch (const EvaluationError &error) {
      diagnostics.report(error.range, error.facts);
      return false;
    } catch (const Finding &finding) {
      Diagnostic diagnostic = finding.diagnostic;
      if (!diagnostic.range.isValid())
        diagnostic.range = schedule.nameRange;
      diagnostics.report(std::move(diagnostic));
      return false;
    }
    return true;
  }

  /// Sets the lengths of all blocks of parameters for which the collective declares lengths.
  void setLengths(const std::vector<const Buffer *> &buffers, std::vector<DataShape> &shapes, const CallCase &c) {
    Frame frame = caseFrame(schedule, {p, c.numbers, nodes}, trees);
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (!buffers[i]->length)
        continue;
      const LengthOf &length = *buffers[i]->length;
      for (std::int64_t rank = 0; rank < p; ++rank)
        for (std::int64_t block = 0; block < shapes[i].blocks; ++block) {
          frame[Schedule::variableMe] = rank;
          if (length.binder)
            frame[*length.binder] = block;
          llvm::SmallVector<std::int64_t, 2> indices;
          for (const Expr *index : length.indices)
            indices.push_back(evaluate(*index, frame));
          // An unchecked schedule may ask for an entry that does not exist.
          const LengthTable &table = (*tables)[length.table];
          std::optional<std::uint32_t> entry = table.entry(indices);
          if (!entry)
            reportNoSuchEntry(length, table, static_cast<std::uint32_t>(rank), indices);
          std::int64_t elements = c.lengths.entries[*entry];
          if (length.parts) {
            std::int64_t parts = evaluate(*length.parts, frame), part = evaluate(*length.part, frame);
            checkPacket(length, table, static_cast<std::uint32_t>(rank), parts, part);
            elements = packetLength(elements, parts, part);
          }
          shapes[i].lengths.push_back(elements);
        }
    }
  }

  /// The largest number of elements that a rank has in one parameter with lengths of its own.
  std::uint64_t mostElements(const CallCase &c) const {
    std::uint64_t most = 0;
    for (const std::vector<DataShape> *shapes : {&c.inputs, &c.outputs})
      for (const DataShape &shape : *shapes)
        for (std::int64_t rank = 0; rank < p && !shape.lengths.empty(); ++rank)
          most = std::max(most, shape.offset(rank, shape.blocks, 0));
    return most;
  }

  /// Whether the machine has the memory for the inputs and results of all ranks; reports if it has not. Temporaries are not counted,
  /// so a run may begin and still need more memory than there is.
  bool fitsIntoMemory(const CallCase &c) {
    double elements = 0;
    for (const std::vector<DataShape> *shapes : {&c.inputs, &c.outputs})
      for (const DataShape &shape : *shapes)
        for (std::int64_t rank = 0; rank < p; ++rank)
          if (shape.isAt(rank))
            elements += static_cast<double>(shape.offset(rank, shape.blocks, c.n));
    const double needed = elements * static_cast<double>(harness::elementBytes(c.element));
    const double present = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
    if (present <= 0 || needed <= present)
      return true;
    constexpr std::uint64_t megabyte = 1 << 20;
    return fail(diag::RunTooLarge{.n = c.n,
                                  .ranks = p,
                                  .needed = static_cast<std::uint64_t>(needed) / megabyte,
                                  .present = static_cast<std::uint64_t>(present) / megabyte}),
           false;
  }

  std::vector<std::int64_t> lengths() const {
    if (schedule.inputs.empty() && schedule.outputs.empty())
      return {0};
    return request.ns;
  }

  bool add(std::int64_t n, Operation pair, bool inPlace, const std::vector<std::int64_t> &numbers,
           const std::vector<DataShape> &inputs, const std::vector<DataShape> &outputs) {
    std::uint64_t most = limits::rankBytes / harness::elementBytes(pair.element);
    for (const std::vector<DataShape> *shapes : {&inputs, &outputs})
      for (const DataShape &shape : *shapes)
        most = std::min(most, limits::rankBytes / harness::elementBytes(pair.element) / static_cast<std::uint64_t>(std::max<std::int64_t>(1, shape.blocks)));
    if (n < 0 || static_cast<std::uint64_t>(n) > most)
      return fail(diag::RunSizeOutOfRange{.what = "n", .value = n, .least = 0, .most = limits::rankBytes.at(most)}), false;
    CallCase c;
    c.schedule = &schedule;
    c.order = static_cast<std::int64_t>(cases.size());
    c.p = p;
    c.n = static_cast<std::uint64_t>(n);
    c.element = pair.element;
    c.combiner = pair.combiner;
    c.inPlace = inPlace;
    c.numbers = numbers;
    c.nodes = nodes;
    if (isChosen) {
      c.isChosen = true;
      c.numbers[0] = chosenPackets(c);
    }
    c.lengths = lengthsFor(tables, n, request.tables);
    c.inputs = inputs;
    c.outputs = outputs;
    setLengths(schedule.inputs, c.inputs, c);
    setLengths(schedule.outputs, c.outputs, c);
    if (std::uint64_t elements = mostElements(c), bound = limits::rankBytes / harness::elementBytes(c.element); elements > bound)
      return fail(diag::RunSizeOutOfRange{
                 .what = "elements of a rank", .value = elements, .least = 0, .most = limits::rankBytes.at(bound)}),
             false;
    if (!fitsIntoMemory(c))
      return false;
    if (!request.input.empty() && !give(c))
      return false;
    cases.push_back(std::move(c));
    return true;
  }

  /// The number of packets that the emitted code should choose.
  std::int64_t chosenPackets(const CallCase &c) {
    auto rounds = [&](std::int64_t packets) {
      std::vector<std::int64_t> numbers = c.numbers;
      numbers[0] = packets;
      return evaluate(*choice->rounds, clauseFrame(schedule, {p, numbers, nodes}, trees));
    };
    return bestPacketCount(rounds(1), rounds(2), c.n, static_cast<std::int64_t>(harness::elementBytes(c.element)),
                           machineFor(request, p));
  }

  /// Converts the values of `--input` to the elements of all inputs; false after an error.
  bool give(CallCase &c) {
    const std::uint64_t wanted = harness::givenOffset(c.inputs, c.n, c.p, 0), count = request.input.size();
    if (count != wanted)
      return fail(diag::InputCount{.given = count, .p = c.p, .n = c.n, .wanted = wanted}), false;
    // The default index of an Indexed element is the rank whose input it belongs to.
    std::vector<std::int64_t> owners;
    for (std::int64_t rank = 0; rank < c.p; ++rank)
      owners.resize(harness::givenOffset(c.inputs, c.n, rank + 1, 0), rank);
    for (std::uint64_t i = 0; i < count; ++i)
      if (!parseElement(c.element, request.input[i], owners[i], c.given))
        return fail(diag::InputValue{.text = request.input[i], .type = nameOf(c.element), .written = describeValues(c.element)}),
               false;
    return true;
  }

  const RunRequest &request;
  const Schedule &schedule;
  std::int64_t p;
  Diagnostics &diagnostics;
  const Nodes nodes;
  TreeCache trees;
  LengthTables tables;
  std::optional<emit::PacketRule> choice;
  bool isChosen = false; // the emitted code is to choose the parameter of the current cases
  std::vector<Operation> pairs;
  std::vector<CallCase> cases;
  std::optional<Diagnostic> leftOut; // the first reason why numbers were left out
};

} // namespace

std::optional<std::vector<CallCase>> casesFor(const Schedule &schedule, const RunRequest &request, std::int64_t p, Diagnostics &diagnostics) {
  return Maker(schedule, request, p, diagnostics).run();
}

std::string describe(const CallCase &c, const RunRequest &request) {
  const Schedule &schedule = *c.schedule;
  std::string text = "p=" + std::to_string(c.p);
  const bool hasData = !schedule.inputs.empty() || !schedule.outputs.empty();
  if (!request.tables.entries.empty() && c.lengths.tables) {
    std::string lengths = lengthsText(c.lengths);
    lengths.erase(std::remove(lengths.begin(), lengths.end(), ' '), lengths.end());
    text += " " + lengths;
  } else if (hasData) {
    text += " n=" + std::to_string(c.n);
    if (c.lengths.tables)
      text += " lengths=" + patternName(request.tables.pattern).str();
  }
  for (unsigned i = 0; i < schedule.numberCount; ++i)
    text += " " + schedule.variables[Schedule::firstNumber + i].name + "=" + std::to_string(c.numbers[i]) +
            (c.isChosen && i == 0 ? "(chosen)" : "");
  if (c.nodes)
    text += " nodes=" + c.nodes->text();
  if (hasData)
    text += std::string(" type=") + nameOf(c.element);
  if (schedule.collective->folds())
    text += std::string(" op=") + nameOf(c.combiner);
  if (c.inPlace)
    text += " in-place";
  if (request.nonblocking)
    text += " nonblocking";
  if (request.persistent)
    text += " persistent";
  if (request.validate)
    return text;
  return text + " backend=" + emit::backendName(request.backend).str();
}

void fillInput(void *data, const CallCase &c, std::uint64_t seed, std::int64_t rank, unsigned input, std::uint64_t first,
               std::uint64_t count) {
  if (c.given.empty())
    return harness::fill(data, c.element, c.combiner, seed, static_cast<std::uint64_t>(rank), input, first, count);
  const size_t bytes = harness::elementBytes(c.element);
  std::memcpy(data, c.given.data() + (harness::givenOffset(c.inputs, c.n, rank, input) + first) * bytes, count * bytes);
}

template <typename T> static std::string numberText(const unsigned char *at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof(text), value).ptr);
}

std::string elementText(harness::Element element, const unsigned char *at) {
  switch (element) {
  case harness::Element::Int32:
    return numberText<std::int32_t>(at);
  case harness::Element::Int64:
    return numberText<std::int64_t>(at);
  case harness::Element::UInt8:
    return std::to_string(*at);
  case harness::Element::UInt32:
    return numberText<std::uint32_t>(at);
  case harness::Element::UInt64:
    return numberText<std::uint64_t>(at);
  case harness::Element::Float:
    return numberText<float>(at);
  case harness::Element::Double:
    return numberText<double>(at);
  case harness::Element::Mat2:
    return numberText<std::uint32_t>(at) + ":" + numberText<std::uint32_t>(at + 4) + ":" +
           numberText<std::uint32_t>(at + 8) + ":" + numberText<std::uint32_t>(at + 12);
  case harness::Element::Indexed:
    return numberText<std::int32_t>(at) + ":" + numberText<std::int32_t>(at + 4);
  }
  return "";
}

std::string encode(const CallCase &c, const RunRequest &request) {
  std::string line;
  llvm::raw_string_ostream out(line);
  out << c.name << ' ' << c.id << ' ' << c.order << ' ' << c.n << ' ' << nameOf(c.element) << ' ' << nameOf(c.combiner) << ' ' << c.inPlace << ' '
      << request.seed << ' ' << request.repeat << ' ' << std::int64_t{request.timeoutSeconds} * 1000;
  const MachineTimes machine = machineFor(request, c.p);
  out << llvm::format(" %.17g %.17g ", machine.alpha, machine.beta) << c.numbers.size();
  for (size_t i = 0; i < c.numbers.size(); ++i)
    out << ' ' << (c.isChosen && i == 0 ? 0 : c.numbers[i]);
  out << ' ' << c.schedule->tables.size();
  for (const LengthTable &table : c.lengths.tables ? *c.lengths.tables : std::vector<LengthTable>()) {
    out << ' ' << table.entries;
    for (std::uint32_t i = 0; i < table.entries; ++i)
      out << ' ' << c.lengths.entries[table.first + i];
  }
  for (const std::vector<DataShape> *shapes : {&c.inputs, &c.outputs}) {
    out << ' ' << shapes->size();
    for (const DataShape &shape : *shapes) {
      out << ' ' << shape.blocks << ' ' << shape.rank << ' ' << shape.lengths.size();
      for (std::int64_t length : shape.lengths)
        out << ' ' << length;
    }
  }
  out << ' ' << (c.given.empty() ? "-" : llvm::toHex(c.given, /*LowerCase=*/true)) << ' '
      << (request.compareMpi ? mpiCollective(*c.schedule->collective) : "-") << '\n';
  return line;
}

} // namespace quadrille::compiler::run
