//===- NewCommand.cpp - quadrille new --------------------------------------------------------------------------------------===//
//
// Writes a project from the files of share/quadrille/new. In their names and texts @NAME@ stands for the name of the project. It becomes the
// name of a collective, of a C++ namespace and of CMake targets, so it must be free in all of these.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "Commands.h"

#include "diagnostics/OutputFile.h"
#include "emit/Names.h"
#include "parse/Parser.h"
#include "run/Installation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static bool isIdentifier(llvm::StringRef name) {
  return !name.empty() && llvm::isAlpha(name[0]) && llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Whether a name means something in the language itself.
static bool isKeyword(const std::string &name) {
  Sources sources;
  Diagnostics unheard(sources, llvm::nulls(), DiagnosticsFormat::Text, /*colour=*/false);
  const Sources::Loaded text = sources.loadText("fn " + name + "() = 0\n", "<name>");
  return text.problem != Sources::Problem::None || !parse(sources, text.buffer, unheard);
}

/// Why a project cannot have this name; nothing if it can.
static std::optional<diag::TakenName> whyNot(const std::string &name, const ir::Program &program) {
  if (!isIdentifier(name))
    return diag::TakenNameNoIdentifier{};
  if (emit::isReserved(name))
    return diag::TakenNameReserved{};
  if (isKeyword(name))
    return diag::TakenNameKeyword{};
  if (llvm::any_of(program.collectives, [&](const auto &collective) { return collective->name == name; }))
    return diag::TakenNameCollective{};
  return std::nullopt;
}

/// A similar name that a project can have.
static std::string freeName(llvm::StringRef wanted, const ir::Program &program) {
  std::string name;
  if (!llvm::isASCII(wanted)) // what is left of a word of another alphabet would say nothing
    wanted = "";
  for (char c : wanted)
    if (llvm::isAlnum(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  name = llvm::StringRef(name).rtrim('_').str();
  if (!whyNot(name, program))
    return name;
  name = "my_" + (name.empty() ? "project" : name);
  while (whyNot(name, program))
    name += "_";
  return name;
}

/// Whether the folder does not exist or is empty; reports if it has files.
static bool isFree(const std::string &folder, Diagnostics &diagnostics) {
  fs::file_status status;
  std::error_code failure = fs::status(folder, status);
  if (failure == std::errc::no_such_file_or_directory)
    return true;
  if (failure) {
    diagnostics.reportFile(folder, diag::OutputUnwritable{.library = "", .reason = failure.message()});
    return false;
  }
  if (status.type() != fs::file_type::directory_file) {
    diagnostics.reportFile(folder, diag::ProjectFolderTaken{.entry = ""});
    return false;
  }
  std::string first; // the first one by name, since the system lists folders in any order
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure))
    if (std::string name = path::filename(it->path()).str(); first.empty() || name < first)
      first = std::move(name);
  if (failure)
    diagnostics.reportFile(folder, diag::FileUnreadable{.reason = failure.message(), .folder = false});
  else if (!first.empty())
    diagnostics.reportFile(folder, diag::ProjectFolderTaken{.entry = first});
  return !failure && first.empty();
}

static std::string named(llvm::StringRef text, llvm::StringRef name) {
  std::string result;
  constexpr llvm::StringLiteral place = "@NAME@";
  for (size_t at; (at = text.find(place)) != llvm::StringRef::npos; text = text.drop_front(at + place.size()))
    result += (text.take_front(at) + name).str();
  return result + text.str();
}

/// The files below a folder, relative to it, in the order of their names; none if there is no such folder.
static std::vector<std::string> filesBelow(const std::string &folder) {
  std::vector<std::string> result;
  std::error_code failure;
  for (fs::recursive_directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure))
    if (it->type() == fs::file_type::regular_file)
      result.push_back(llvm::StringRef(it->path()).drop_front(folder.size() + 1).str());
  llvm::sort(result);
  return result;
}

/// The name of a folder, also of `.`.
static std::string nameOf(const std::string &folder) {
  llvm::SmallString<256> absolute(folder);
  fs::make_absolute(absolute);
  path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return path::filename(absolute.str().rtrim('/')).str();
}

int newCommand(Session &session) {
  const Options &options = session.options;
  Diagnostics &diagnostics = session.diagnostics;
  const std::string &folder = options.files.front();
  const std::string name = options.name.empty() ? nameOf(folder) : options.name;
  const ir::Program &program = session.library.program();
  if (const std::optional<diag::TakenName> reason = whyNot(name, program)) {
    diagnostics.reportFile(folder, diag::NoProjectName{.name = name, .reason = *reason, .instead = freeName(name, program)});
    return 1;
  }
  if (!isFree(folder, diagnostics))
    return 1;
  const std::string templates = run::dataFolder(options.executable, "new");
  const std::vector<std::string> files = filesBelow(templates);
  if (files.empty()) {
    diagnostics.report({}, diag::InstallationIncomplete{.what = diag::InstalledTemplates{}, .folder = templates});
    return 1;
  }
  for (const std::string &file : files) {
    llvm::SmallString<256> from(templates), to(folder);
    path::append(from, file);
    path::append(to, named(file, name));
    auto text = llvm::MemoryBuffer::getFile(from);
    if (!text) {
      diagnostics.reportFile(from, diag::FileUnreadable{.reason = text.getError().message(), .folder = false});
      return 1;
    }
    const std::string result = named((*text)->getBuffer(), name);
    if (!writeFile(to, [&](llvm::raw_ostream &out) { out << result; }, diagnostics))
      return 1;
    llvm::outs() << "written " << to << '\n';
  }
  llvm::outs() << "`quadrille test " << (llvm::StringRef(folder).contains(' ') ? "\"" + folder + "\"" : folder) << "` runs the tests; " << folder << "/README.md says how to build the program\n";
  return 0;
}

} // namespace quadrille::compiler
