//===- HarnessUnit.cpp - Emitted code as a part of a program that runs it ---------------------------------------------------===//

#include "HarnessUnit.h"

#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler::run {

using namespace ir;

static std::string unitSource(const Schedule &schedule, const emit::EmittedCode &code, const std::string &nameSpace) {
  std::string text;
  llvm::raw_string_ostream out(text);
  const bool hasData = !schedule.inputs.empty() || !schedule.outputs.empty();
  const bool folds = schedule.collective->folds();
  out << "// Makes " << code.baseName << " known to the program that runs it; see quadrille/harness.h.\n\n"
      << "#include \"" << code.baseName << ".cpp\"\n\n#include \"quadrille/harness.h\"\n\n"
      << "namespace {\n\nusing " << nameSpace << "::Communicator;\n\n";
  auto adapter = [&](llvm::StringRef result, llvm::StringRef name, const std::string &function) {
    out << "quadrille::" << result << ' ' << name << "(Communicator &comm, const quadrille::harness::Arguments &"
        << (schedule.numberCount || hasData ? "a" : "") << ",\n"
        << "    const Communicator::Datatype &" << (hasData ? "type" : "") << ", const Communicator::Operator &"
        << (folds ? "op" : "") << ") {\n";
    if (!code.packetsName.empty()) {
      out << "  if (a.numbers[0] == 0 && a.chosen == 0)\n    a.chosen = " << nameSpace << "::" << code.packetsName << "(comm";
      for (unsigned i = schedule.parameterCount; i < schedule.numberCount; ++i)
        out << ", a.numbers[" << i << "]";
      out << ", a.n, type);\n";
    }
    auto numbers = [&] {
      for (unsigned i = 0; i < schedule.numberCount; ++i)
        out << ", a.numbers[" << i << "]";
    };
    auto tables = [&] {
      for (size_t i = 0; i < schedule.tables.size(); ++i)
        out << ", a.tables[" << i << "].data()";
    };
    auto data = [&] {
      for (size_t i = 0; i < schedule.inputs.size(); ++i)
        out << ", a.inputs[" << i << "]";
      for (size_t i = 0; i < schedule.outputs.size(); ++i)
        out << ", a.outputs[" << i << "]";
      out << (emit::takesLength(schedule) ? ", a.n" : "") << (hasData ? ", type" : "") << (folds ? ", op" : "") << ");\n";
    };
    if (function == code.baseName && !code.toldName.empty()) {
      out << "  if (a.isRecorded)\n    return " << nameSpace << "::" << code.toldName << "(comm";
      numbers();
      tables();
      data();
    }
    const bool knowsSome = !code.wholeTablesName.empty();
    if (knowsSome) {
      out << "  return " << nameSpace << "::" << code.wholeTablesName << "(comm";
      numbers();
      tables();
      out << ", [&](auto... known) {\n";
    }
    out << "  return " << nameSpace << "::" << function << "(comm";
    numbers();
    if (knowsSome)
      out << ", known...";
    else
      tables();
    data();
    out << (knowsSome ? "  });\n" : "") << "}\n\n";
  };
  adapter("Status", "run", code.baseName);
  adapter("Request", "start", code.startName);
  adapter("Persistent", "prepare", code.initName);
  out << "const quadrille::harness::Collective<Communicator> collective(\"" << nameSpace << "\", run, start, prepare);\n\n} // namespace\n";
  return text;
}

HarnessUnit harnessUnit(const Schedule &schedule, const Program &program, const Sources &sources, emit::Backend backend,
                        std::set<std::string> &taken) {
  // Each unit has a namespace of its own, since different files may contain schedules of the same name.
  const std::string wanted = "run_" + schedule.collective->name + "_" + schedule.name;
  std::string name = wanted;
  for (unsigned i = 2; !taken.insert(name).second; ++i)
    name = wanted + "_" + std::to_string(i);
  emit::EmitOptions options;
  options.backend = backend;
  options.nameSpace = name;
  options.takesWholeTables = true;
  const emit::EmittedCode code = emit::emitSchedule(schedule, program, sources, options);
  HarnessUnit result;
  result.name = name;
  result.unit.range = schedule.nameRange;
  result.unit.files = {{"unit.cpp", unitSource(schedule, code, name)}, {code.baseName + ".cpp", code.source}, {code.baseName + ".h", code.header}};
  return result;
}

std::vector<std::string> harnessHeaders(emit::Backend backend) {
  return {"quadrille/" + emit::backendName(backend).str() + ".h", "quadrille/harness.h"};
}

} // namespace quadrille::compiler::run
