//===- LibraryUnits.cpp - The sources of a library that chooses among schedules -------------------------------------------===//

#include "LibraryUnits.h"

#include "IrToCpp.h"
#include "PacketRule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

namespace quadrille::compiler::emit {

using namespace ir;

llvm::ArrayRef<llvm::StringRef> libraryCollectives() {
  static constexpr llvm::StringRef names[] = {"broadcast",  "reduce",         "allreduce",       "reduce_scatter", "reduce_scatterv",
                                              "scan",       "exscan",         "allgather",       "allgatherv",     "alltoall",
                                              "alltoallv",  "gather",         "gatherv",         "scatter",        "scatterv",
                                              "barrier"};
  return names;
}

static std::string nameSpaceOf(Backend backend) { return ("quadrille_library::" + backendName(backend)).str(); }

static const char *parameterKind(const Schedule &schedule) {
  std::optional<diag::NoPackets> whyNot;
  if (schedule.parameterCount == 0)
    return "None";
  return takesLength(schedule) && packetRule(schedule, whyNot) ? "Packets" : "Other";
}

/// `Index p, Index k, Index root` and the call of the emitted function with those that the schedule has.
static void writeAdmits(const Schedule &schedule, const std::string &function, llvm::raw_ostream &out) {
  const bool hasRoot = schedule.numberCount > schedule.parameterCount;
  if (schedule.usesNodes)
    out << "[](Index, Index, Index) { return true; }, ";
  out << "[](Index p, Index" << (schedule.parameterCount ? " k" : "") << ", Index" << (hasRoot ? " root" : "")
      << (schedule.usesNodes ? ", const Nodes &nodes" : "") << ") { return " << function << "(p" << (schedule.parameterCount ? ", k" : "")
      << (hasRoot ? ", root" : "") << (schedule.usesNodes ? ", nodes" : "") << "); }";
}

/// Whether the schedule requires ranks to know more lengths than the collective does, and nobody tells them.
static bool needsMoreLengths(const Schedule &schedule) {
  return llvm::any_of(schedule.knowledge, [&](const Knowledge &known) { return known.isRequired && !schedule.tellingOf(known.table); });
}

/// Writes the arguments of the emitted function for CandidateArguments::known: a length, or an array of lengths, for each statement.
static void writeKnown(const Schedule &schedule, llvm::raw_ostream &out) {
  unsigned statement = 0;
  for (unsigned table = 0; table < schedule.tables.size(); ++table)
    for (const Knowledge *known : schedule.knowledgeOfCallers(table)) {
      const bool isOne = llvm::none_of(known->indices, [](const Knowledge::Index &index) { return index.variable.has_value(); });
      out << ", " << (isOne ? "*" : "") << "a.known[" << statement++ << ']';
    }
}

static void writeRun(const Schedule &schedule, const std::string &space, const EmittedCode &code, llvm::raw_ostream &out) {
  const std::string function = space + code.baseName;
  const bool hasData = !schedule.inputs.empty() || !schedule.outputs.empty(), folds = schedule.collective->folds();
  const bool hasArguments = schedule.numberCount || hasData;
  out << "[](Communicator &comm, const CandidateArguments &" << (hasArguments ? "a" : "") << ", const Communicator::Datatype *"
      << (hasData ? "type" : "") << ", const Communicator::Operator *" << (folds ? "op" : "") << ") {\n     return ";
  auto numbers = [&] {
    if (schedule.parameterCount)
      out << ", a.parameter";
    if (schedule.numberCount > schedule.parameterCount)
      out << ", a.root";
  };
  auto data = [&] {
    if (!schedule.inputs.empty())
      out << ", a.x";
    if (!schedule.outputs.empty())
      out << ", a.y";
    out << (takesLength(schedule) ? ", a.n" : "") << (hasData ? ", *type" : "") << (folds ? ", *op" : "") << ')';
  };
  if (!code.toldName.empty()) {
    out << "a.known ? " << function << "(comm";
    numbers();
    writeKnown(schedule, out);
    data();
    out << "\n                   : " << space << code.toldName << "(comm";
    numbers();
    out << ", a.lengths";
    data();
    out << ";\n   }";
    return;
  }
  const bool knowsSome = !code.wholeTablesName.empty();
  if (knowsSome && !needsMoreLengths(schedule)) {
    out << "a.known ? " << function << "(comm";
    numbers();
    writeKnown(schedule, out);
    data();
    out << "\n                   : ";
  }
  if (knowsSome) {
    out << space << code.wholeTablesName << "(comm";
    numbers();
    out << ", a.lengths, [&](auto... known) {\n     return ";
  }
  out << function << "(comm";
  numbers();
  if (!schedule.tables.empty())
    out << (knowsSome ? ", known..." : ", a.lengths");
  data();
  out << ';' << (knowsSome ? " });" : "") << "\n   }";
}

namespace {

/// The unit of a collective: the code of its schedules, and the list of them.
class CollectiveUnit {
public:
  CollectiveUnit(llvm::StringRef collective, Backend backend) : collective(collective), backend(backend) {}

  void add(const LibraryCandidate &candidate, const EmittedCode &code) {
    const Schedule &schedule = *candidate.schedule;
    llvm::raw_string_ostream include(includes), entry(entries);
    include << "#include \"" << code.baseName << ".cpp\"\n";
    texts += code.header + code.source;
    const bool hasParameter = schedule.parameterCount > 0;
    entry << "  {{\"" << schedule.collective->name << "\", \"" << schedule.name << "\", CandidateParameter::" << parameterKind(schedule) << ", "
          << (hasParameter ? "\"" + schedule.variables[Schedule::firstNumber].name + "\"" : "nullptr") << ", "
          << (needsCommutative(schedule) ? "true" : "false") << ", " << (needsMoreLengths(schedule) ? "true" : "false") << ", " << (candidate.sameBits ? "true" : "false") << ", \""
          << candidate.checkedFor << "\",\n    ";
    const std::string space = code.baseName + "::";
    writeAdmits(schedule, space + code.admitsName, entry);
    entry << "},\n   ";
    writeRun(schedule, space, code, entry);
    entry << "},\n";
    ++count;
  }

  std::string text() const {
    const std::string name = backendName(backend).str();
    std::string result;
    llvm::raw_string_ostream out(result);
    out << "// Schedules for " << collective << ", backend " << name << ". Written by quadrille " QUADRILLE_VERSION " (emit --library).\n"
        << "// A build compiles this file anew if it has changed, and so it does with what it includes: " << llvm::utohexstr(llvm::xxh3_64bits(texts)) << ".\n\n"
        << includes << "\n#include \"quadrille/candidates.h\"\n#include \"quadrille/" << name << ".h\"\n\nnamespace "
        << nameSpaceOf(backend) << " {\n\n"
        << "using quadrille::Candidate;\nusing quadrille::CandidateArguments;\nusing quadrille::CandidateList;\n"
        << "using quadrille::CandidateParameter;\nusing quadrille::Index;\nusing quadrille::Nodes;\n\nnamespace {\n\nnamespace listed_" << collective
        << " {\nusing Communicator = quadrille::" << name << "::Communicator;\n\nconst Candidate<Communicator> all[] = {\n"
        << entries << "};\n} // namespace listed_" << collective << "\n\n} // namespace\n\nextern const CandidateList<quadrille::" << name << "::Communicator> "
        << collective << ";\nconst CandidateList<quadrille::" << name << "::Communicator> " << collective << "{listed_" << collective
        << "::all, " << count << "};\n\n} // namespace " << nameSpaceOf(backend) << "\n";
    return result;
  }

private:
  const llvm::StringRef collective;
  const Backend backend;
  std::string includes, entries, texts;
  unsigned count = 0;
};

} // namespace

/// The unit that lists the lists, in the order of libraryCollectives.
static std::string listUnit(llvm::ArrayRef<llvm::StringRef> collectives, Backend backend) {
  const std::string name = backendName(backend).str(), list = "CandidateList<quadrille::" + name + "::Communicator>";
  std::string result;
  llvm::raw_string_ostream out(result);
  out << "// All schedules of the library, backend " << name << ". Written by quadrille " QUADRILLE_VERSION " (emit --library).\n\n"
      << "#include \"quadrille/candidates.h\"\n#include \"quadrille/" << name << ".h\"\n\nnamespace " << nameSpaceOf(backend)
      << " {\n\nusing quadrille::CandidateList;\n\n";
  for (llvm::StringRef collective : collectives)
    out << "extern const " << list << ' ' << collective << ";\n";
  out << "\n} // namespace " << nameSpaceOf(backend) << "\n\nnamespace quadrille {\n\ntemplate <> const Candidates<" << name
      << "::Communicator> &allCandidates<" << name << "::Communicator>() {\n  static const " << list << " *const lists[] = {";
  llvm::interleaveComma(collectives, out, [&](llvm::StringRef collective) { out << "\n      &" << nameSpaceOf(backend) << "::" << collective; });
  out << "};\n  static const Candidates<" << name << "::Communicator> all{lists, " << collectives.size()
      << "};\n  return all;\n}\n\n} // namespace quadrille\n";
  return result;
}

std::vector<LibraryFile> libraryFiles(llvm::ArrayRef<LibraryCandidate> candidates, const Program &program, const Sources &sources,
                                      Backend backend) {
  std::vector<LibraryFile> files;
  std::vector<llvm::StringRef> collectives;
  for (llvm::StringRef collective : libraryCollectives()) {
    CollectiveUnit unit(collective, backend);
    bool isEmpty = true;
    for (const LibraryCandidate &candidate : candidates) {
      if (candidate.schedule->collective->name != collective)
        continue;
      EmitOptions options;
      options.backend = backend;
      options.claims = candidate.claims;
      options.asCandidate = options.takesWholeTables = true;
      options.nameSpace = nameSpaceOf(backend) + "::" + emittedName(*candidate.schedule, program, sources);
      const EmittedCode code = emitSchedule(*candidate.schedule, program, sources, options);
      files.push_back({code.baseName + ".h", code.header});
      files.push_back({code.baseName + ".cpp", code.source});
      unit.add(candidate, code);
      isEmpty = false;
    }
    if (isEmpty)
      continue;
    collectives.push_back(collective);
    files.push_back({collective.str() + ".cpp", unit.text()});
  }
  files.push_back({"candidates.cpp", listUnit(collectives, backend)});
  std::string units = "candidates.cpp\n";
  for (llvm::StringRef collective : collectives)
    units += (collective + ".cpp\n").str();
  files.push_back({"units.txt", std::move(units)});
  return files;
}

std::string libraryProject() {
  return "# Builds libquadrille with the schedules of this folder. Written by quadrille " QUADRILLE_VERSION " (emit --library).\n"
         "cmake_minimum_required(VERSION 3.25)\n"
         "project(QuadrilleCollectives LANGUAGES CXX)\n\n"
         "if(NOT CMAKE_BUILD_TYPE)\n"
         "  set(CMAKE_BUILD_TYPE Release CACHE STRING \"Build type\" FORCE)\n"
         "endif()\n"
         "find_package(Quadrille " QUADRILLE_VERSION " REQUIRED COMPONENTS shm OPTIONAL_COMPONENTS mpi)\n"
         "quadrille_add_collectives(\"${CMAKE_CURRENT_SOURCE_DIR}\")\n";
}

} // namespace quadrille::compiler::emit
