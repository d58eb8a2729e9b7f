//===- Library.cpp - Finding and loading schedules ----------------------------------------------------------------------------------===//

#include "Library.h"

#include "diagnostics/InputFile.h"
#include "parse/Parser.h"
#include "sema/ExprSema.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace quadrille::compiler {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

Library::Library(std::string root, Sources &sources, Diagnostics &diagnostics)
    : rootFolder(std::move(root)), sources(sources), diagnostics(diagnostics) {}

/// Paths of the *.quad files of a folder, sorted; subfolders too if `recursive`.
static std::vector<std::string> quadFiles(llvm::StringRef folder, bool recursive) {
  std::vector<std::string> result;
  std::error_code error;
  auto take = [&](const std::string &name, fs::file_type type) {
    if (type != fs::file_type::directory_file && path::extension(name) == ".quad")
      result.push_back(name);
  };
  if (recursive)
    for (fs::recursive_directory_iterator i(folder, error), end; i != end && !error; i.increment(error))
      take(i->path(), i->type());
  else
    for (fs::directory_iterator i(folder, error), end; i != end && !error; i.increment(error))
      take(i->path(), i->type());
  llvm::sort(result);
  return result;
}

bool Library::loadStandard() {
  std::vector<std::string> names = quadFiles(rootFolder, false);
  if (names.empty()) {
    diagnostics.reportFile("", diag::LibraryMissing{.folder = rootFolder});
    return false;
  }
  bool ok = true;
  ast::File all; // analyzed together, since they may refer to each other
  for (const std::string &name : names) {
    Sources::Loaded loaded = sources.load(name);
    reportUnreadable(loaded, name, diagnostics);
    if (loaded.problem != Sources::Problem::None) {
      ok = false;
      continue;
    }
    standardBuffers.push_back(loaded.buffer);
    std::optional<ast::File> file = parse(sources, loaded.buffer, diagnostics);
    if (file)
      all.append(std::move(*file));
    else
      ok = false;
  }
  std::vector<const ir::Schedule *> none;
  return ok && analyze(all, rootFolder, standard, programIr, sources, diagnostics,
                       [](llvm::StringRef, llvm::StringRef) { return UsedSchedule(); }, none);
}

bool Library::isStandardFile(const std::string &name) const {
  for (unsigned buffer : standardBuffers) {
    if (path::filename(sources.name(buffer)) != path::filename(name))
      continue;
    if (fs::equivalent(sources.name(buffer), name))
      return true;
    // The same text in a copy of the library, for instance in the source folder.
    auto text = llvm::MemoryBuffer::getFile(name);
    if (text && (*text)->getBuffer() == sources.text(buffer))
      return true;
  }
  return false;
}

void Library::analyzeBuffer(unsigned buffer, const std::string &name, LoadedFile &file) {
  file.scope.parent = &standard;
  unsigned before = diagnostics.errorCount();
  if (std::optional<ast::File> text = parse(sources, buffer, diagnostics))
    analyze(*text, name, file.scope, programIr, sources, diagnostics,
            [&](llvm::StringRef collective, llvm::StringRef algorithm) {
              return resolve(file, name, collective, algorithm);
            },
            file.schedules);
  file.failed = diagnostics.errorCount() != before;
  file.inProgress = false;
}

Library::LoadedFile &Library::loadFile(const std::string &name) {
  llvm::SmallString<256> real;
  std::string key = name == "-" || fs::real_path(name, real) ? name : real.str().str();
  std::unique_ptr<LoadedFile> &file = files[key];
  if (file)
    return *file;
  file = std::make_unique<LoadedFile>();
  LoadedFile &result = *file; // keeps its address when `files` grows
  Sources::Loaded loaded = sources.load(name);
  reportUnreadable(loaded, name == "-" ? llvm::StringRef("<stdin>") : llvm::StringRef(name), diagnostics);
  if (loaded.problem == Sources::Problem::None) {
    analyzeBuffer(loaded.buffer, name == "-" ? "<stdin>" : name, result);
  } else {
    result.failed = true;
    result.inProgress = false;
  }
  return result;
}

std::vector<std::string> Library::names() const {
  std::vector<std::string> known;
  for (const std::string &file : quadFiles(rootFolder, true)) {
    llvm::StringRef folder = path::filename(path::parent_path(file));
    if (path::parent_path(file) != rootFolder)
      known.push_back((folder + "/" + path::stem(file)).str());
  }
  return known;
}

std::string Library::suggestion(llvm::StringRef wanted) const { return sema::didYouMean(wanted, names()); }

UsedSchedule Library::resolve(const LoadedFile &from, const std::string &fromPath, llvm::StringRef collective,
                              llvm::StringRef algorithm) {
  UsedSchedule result;
  auto pick = [&](const LoadedFile &file) {
    for (const ir::Schedule *schedule : file.schedules)
      if (schedule->collective->name == collective && schedule->name == algorithm)
        result.schedule = schedule;
    return result.schedule != nullptr;
  };
  if (pick(from))
    return result;
  llvm::SmallString<256> beside(path::parent_path(path::parent_path(fromPath)));
  for (llvm::StringRef base : {llvm::StringRef(beside), llvm::StringRef(rootFolder)}) {
    llvm::SmallString<256> candidate(base);
    path::append(candidate, collective, algorithm + ".quad");
    if (!fs::exists(candidate))
      continue;
    LoadedFile &file = loadFile(candidate.str().str());
    if (file.inProgress) {
      result.recursive = true;
      return result;
    }
    if (pick(file))
      return result;
    if (file.failed) {
      result.reported = true;
      return result;
    }
  }
  result.suggestion = suggestion((collective + "/" + algorithm).str());
  return result;
}

std::vector<const ir::Schedule *> Library::findInFolder(llvm::StringRef folder) {
  std::vector<const ir::Schedule *> result;
  std::vector<std::string> names = quadFiles(folder, true);
  if (names.empty())
    diagnostics.reportFile(folder, diag::NoSchedulesInFolder{});
  for (const std::string &name : names)
    if (!isStandardFile(name))
      llvm::append_range(result, loadFile(name).schedules);
  return result;
}

std::vector<const ir::Schedule *> Library::find(llvm::StringRef argument) {
  if (argument != "-" && fs::is_directory(argument))
    return findInFolder(argument);
  std::string name = argument.str();
  if (argument != "-" && !fs::exists(argument)) {
    llvm::SmallString<256> installed(rootFolder);
    path::append(installed, argument + ".quad");
    if (argument.count('/') == 1 && fs::exists(installed)) {
      name = installed.str().str();
    } else if (!argument.ends_with(".quad")) {
      diagnostics.reportFile(argument, diag::UnknownLibrarySchedule{.near = suggestion(argument)});
      return {};
    }
  }
  LoadedFile &file = loadFile(name);
  if (!file.failed && file.schedules.empty())
    diagnostics.reportFile(argument == "-" ? "<stdin>" : argument, diag::NoScheduleInFile{});
  return file.schedules;
}

std::vector<const ir::Schedule *> Library::all() { return findInFolder(rootFolder); }

} // namespace quadrille::compiler
