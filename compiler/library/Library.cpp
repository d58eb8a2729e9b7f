//===- Library.cpp - Finding and loading schedules ----------------------------------------------------------------------------------===//

#include "Library.h"

#include "diagnostics/InputFile.h"
#include "parse/Parser.h"
#include "sema/ExprSema.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <set>

namespace quadrille::compiler {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

Library::Library(std::string root, std::vector<std::string> searched, Sources &sources, Diagnostics &diagnostics)
    : rootFolder(std::move(root)), searched(std::move(searched)), sources(sources), diagnostics(diagnostics) {}

std::vector<std::string> quadFiles(llvm::StringRef folder, bool recursive,
                                   llvm::function_ref<void(llvm::StringRef, std::error_code)> unreadable) {
  std::vector<std::string> result, folders{folder.str()};
  std::set<fs::UniqueID> seen;
  while (!folders.empty()) {
    const std::string current = std::move(folders.back());
    folders.pop_back();
    std::error_code error;
    if (fs::UniqueID id; !fs::getUniqueID(current, id) && !seen.insert(id).second)
      continue;
    fs::directory_iterator i(current, error), end;
    for (; i != end && !error; i.increment(error)) {
      if (fs::is_directory(i->path())) { // or a link to one
        if (recursive)
          folders.push_back(i->path());
      } else if (path::extension(i->path()) == ".quad") {
        result.push_back(i->path());
      }
    }
    if (error && unreadable)
      unreadable(current, error);
  }
  llvm::sort(result);
  return result;
}

bool Library::loadStandard() {
  standard.scope.fileToImport = [this](llvm::StringRef declared) { return fileToImport(rootFolder + "/-", declared); };
  std::vector<std::string> names;
  for (llvm::StringRef file : {"collectives.quad", "trees.quad"}) {
    llvm::SmallString<256> name(rootFolder);
    path::append(name, file);
    if (fs::exists(name))
      names.push_back(name.str().str());
  }
  if (names.empty()) {
    const std::optional<std::string> named = llvm::sys::Process::GetEnv("QUADRILLE_LIBRARY");
    diagnostics.reportFile("", diag::LibraryMissing{.folder = rootFolder, .named = named && !named->empty()});
    return false;
  }
  bool ok = true;
  ast::File &all = standard.text.emplace();
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
  return ok && import(standard, names.front()) &&
         analyze(all, rootFolder, standard.scope, programIr, sources, diagnostics,
                 [](llvm::StringRef, llvm::StringRef) { return UsedSchedule(); }, standard.schedules);
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
  file.scope.parent = &standard.scope;
  file.scope.mentions = standard.scope.mentions;
  file.scope.fileToImport = [this, name](llvm::StringRef declared) { return fileToImport(name, declared); };
  file.buffer = buffer;
  unsigned before = diagnostics.errorCount();
  if ((file.text = parse(sources, buffer, diagnostics)) && import(file, name))
    analyze(*file.text, name, file.scope, programIr, sources, diagnostics,
            [&](llvm::StringRef collective, llvm::StringRef algorithm) {
              return resolve(file, name, collective, algorithm);
            },
            file.schedules);
  file.failed = diagnostics.errorCount() != before;
  file.inProgress = false;
}

std::optional<std::string> Library::fileOfImport(const std::string &from, llvm::StringRef import) const {
  for (const std::string &folder : foldersFor(from)) {
    llvm::SmallString<256> candidate(folder);
    path::append(candidate, import + ".quad");
    if (fs::is_regular_file(candidate) && !fs::equivalent(candidate, from))
      return pathFromHere(candidate);
  }
  return std::nullopt;
}

std::vector<std::string> Library::filesToImport(const std::string &from, llvm::StringRef below) const {
  std::vector<std::string> result;
  for (const std::string &searchedFolder : foldersFor(from)) {
    llvm::SmallString<256> folder(searchedFolder);
    path::append(folder, below);
    for (const std::string &file : quadFiles(folder, false))
      if (!isStandardFile(file) && !fs::equivalent(file, from) && !llvm::is_contained(result, path::stem(file)))
        result.push_back(path::stem(file).str());
  }
  return result;
}

bool Library::import(LoadedFile &file, const std::string &name) {
  const unsigned errorsBefore = diagnostics.errorCount();
  for (const ast::Import &import : file.text->imports) {
    const std::optional<std::string> found = fileOfImport(name, import.file);
    if (!found) {
      diagnostics.report(import.range,
                         diag::UnknownImport{.file = import.file, .near = sema::didYouMean(import.file, filesToImport(name))});
      continue;
    }
    if (isStandardFile(*found)) // visible anyway
      continue;
    LoadedFile &imported = [&]() -> LoadedFile & {
      const Diagnostics::During during(diagnostics, import.range, diag::WhileImported{});
      return loadFile(*found);
    }();
    if (imported.inProgress) {
      diagnostics.report(import.range, diag::RecursiveImport{.file = import.file});
      continue;
    }
    if (imported.failed || llvm::is_contained(file.imports, &imported))
      continue;
    // What two of them declare would mean the one or the other by the order of the imports.
    auto clash = [&](const auto &before, const auto &now, const LoadedFile &other) {
      for (const auto &entry : now)
        if (before.contains(entry.getKey())) {
          Diagnostic diagnostic(import.range, diag::ImportsClash{.name = entry.getKey().str(),
                                                                 .first = path::stem(sources.name(other.buffer)).str(),
                                                                 .file = import.file});
          diagnostic.note(before.lookup(entry.getKey())->range, diag::DeclaredHere{.name = entry.getKey().str()});
          diagnostic.note(entry.getValue()->range, diag::DeclaredHere{.name = entry.getKey().str()});
          diagnostics.report(std::move(diagnostic));
          return;
        }
    };
    for (const LoadedFile *other : file.imports) {
      clash(other->scope.functions, imported.scope.functions, *other);
      clash(other->scope.functions, imported.scope.trees, *other);
      clash(other->scope.trees, imported.scope.functions, *other);
      clash(other->scope.trees, imported.scope.trees, *other);
      clash(other->scope.collectives, imported.scope.collectives, *other);
    }
    file.imports.push_back(&imported);
    file.scope.imports.push_back(&imported.scope);
  }
  return diagnostics.errorCount() == errorsBefore;
}

std::vector<std::string> Library::importsOf(unsigned buffer) const {
  std::vector<std::string> result;
  for (const auto &entry : files)
    if (entry.second->buffer == buffer && entry.second->text)
      for (const ast::Import &import : entry.second->text->imports)
        result.push_back(import.file);
  return result;
}

std::string Library::fileToImport(const std::string &from, llvm::StringRef declared) const {
  for (const std::string &import : filesToImport(from)) {
    const std::optional<std::string> file = fileOfImport(from, import);
    auto text = llvm::MemoryBuffer::getFile(file.value_or(""));
    if (!text)
      continue;
    for (llvm::StringRef line : llvm::split((*text)->getBuffer(), '\n')) {
      const auto [word, rest] = line.split(' ');
      const llvm::StringRef declaration = rest.ltrim();
      if (llvm::is_contained({"fn", "tree", "collective"}, word) && declaration.starts_with(declared) &&
          declaration.drop_front(declared.size()).ltrim().starts_with("("))
        return import;
    }
  }
  return "";
}

std::vector<unsigned> Library::textsSeenFrom(unsigned buffer) const {
  std::vector<unsigned> result = standardBuffers;
  std::vector<const LoadedFile *> pending = standard.imports;
  for (const auto &entry : files)
    if (entry.second->buffer == buffer)
      llvm::append_range(pending, entry.second->imports);
  for (size_t i = 0; i < pending.size(); ++i) {
    if (llvm::is_contained(result, pending[i]->buffer))
      continue;
    result.push_back(pending[i]->buffer);
    pending.insert(pending.end(), pending[i]->imports.begin(), pending[i]->imports.end());
  }
  return result;
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

std::vector<std::string> Library::namesToCheck() {
  std::vector<std::string> result;
  for (const std::string &name : names())
    if (!loadFile(rootFolder + "/" + name + ".quad").schedules.empty())
      result.push_back(name);
  return result;
}

Library::FileKnown Library::read(llvm::StringRef file) {
  if (isStandardFile(file.str()))
    return {&*standard.text, standard.schedules, &standard.scope};
  const LoadedFile &loaded = loadFile(file.str());
  return {loaded.text ? &*loaded.text : nullptr, loaded.schedules, &loaded.scope};
}

std::string Library::suggestion(llvm::StringRef wanted) const { return sema::didYouMean(wanted, names()); }

/// The folders in which a schedule that `file` uses is looked for, in this order.
std::vector<std::string> Library::foldersFor(llvm::StringRef file) const {
  llvm::SmallString<256> real;
  if (fs::real_path(file, real) && !fs::current_path(real)) // standard input is taken for a file of the current folder
    path::append(real, "-");
  std::vector<std::string> folders{path::parent_path(real).str(), path::parent_path(path::parent_path(real)).str()};
  llvm::append_range(folders, searched);
  folders.push_back(rootFolder);
  return folders;
}

UsedSchedule Library::resolve(const LoadedFile &from, const std::string &fromPath, llvm::StringRef where, llvm::StringRef name) {
  UsedSchedule result;
  // `where` is usually the collective; else the folder or the file.
  auto pick = [&](const LoadedFile &file, bool isOfCollective) {
    for (const auto &schedule : file.scope.schedules)
      if (schedule->text->name.text == name && (!isOfCollective || schedule->text->collective.text == where) && !result.text) {
        result.text = schedule.get();
        result.schedule = schedule->schedule;
      }
    return result.text != nullptr;
  };
  if (pick(from, true))
    return result;
  for (const std::string &folder : foldersFor(fromPath)) {
    llvm::SmallString<256> ofItsOwn(folder), amongOthers(folder);
    path::append(ofItsOwn, where, name + ".quad");
    path::append(amongOthers, where + ".quad");
    for (llvm::StringRef candidate : {llvm::StringRef(ofItsOwn), llvm::StringRef(amongOthers)}) {
      if (!fs::exists(candidate) || isStandardFile(candidate.str()))
        continue;
      LoadedFile &file = loadFile(pathFromHere(candidate));
      if (&file == &from && candidate != ofItsOwn)
        continue;
      if (file.inProgress) {
        result.recursive = true;
        return result;
      }
      if (pick(file, true) || pick(file, false))
        return result;
      if (file.failed) {
        result.reported = true;
        return result;
      }
    }
  }
  result.suggestion = suggestion((where + "/" + name).str());
  return result;
}

void Library::reportOpen(const LoadedFile &file, bool isAlone) {
  for (const auto &schedule : file.scope.schedules)
    if (const ast::ScheduleParameter *tree = schedule->openTree()) {
      if (isAlone)
        diagnostics.report(schedule->text->name.range,
                           diag::OpenSchedule{.schedule = schedule->path(), .parameter = tree->name.text});
      else if (!schedule->hasInstance)
        diagnostics.report(schedule->text->name.range,
                           diag::OpenWithoutInstance{.schedule = schedule->path(), .parameter = tree->name.text});
    }
}

std::vector<const ir::Schedule *> Library::findInFolder(llvm::StringRef folder) {
  std::vector<const ir::Schedule *> result;
  const unsigned errorsBefore = diagnostics.errorCount();
  std::vector<std::string> names = quadFiles(folder, true, [&](llvm::StringRef unreadable, std::error_code why) {
    diagnostics.reportFile(unreadable, diag::FileUnreadable{.reason = why.message(), .folder = false});
  });
  if (names.empty() && diagnostics.errorCount() == errorsBefore)
    diagnostics.reportFile(folder, diag::NoSchedulesInFolder{});
  std::vector<const LoadedFile *> loaded;
  for (const std::string &name : names)
    if (!isStandardFile(name)) {
      loaded.push_back(&loadFile(name));
      llvm::append_range(result, loaded.back()->schedules);
    }
  for (const LoadedFile *file : loaded)
    reportOpen(*file, /*isAlone=*/false);
  return result;
}

/// One schedule of a file: `name`, or `collective/name`.
std::vector<const ir::Schedule *> Library::findInFile(llvm::StringRef file, llvm::StringRef schedule) {
  std::vector<const ir::Schedule *> result;
  std::vector<std::string> known;
  LoadedFile &loaded = loadFile(file.str());
  for (const ir::Schedule *candidate : loaded.schedules) {
    known.push_back(schedule.contains('/') ? candidate->path() : candidate->name);
    if (known.back() == schedule)
      result.push_back(candidate);
  }
  for (const auto &candidate : loaded.scope.schedules)
    if (const ast::ScheduleParameter *tree = candidate->openTree()) {
      known.push_back(schedule.contains('/') ? candidate->path() : candidate->text->name.text);
      if (known.back() == schedule) {
        diagnostics.report(candidate->text->name.range,
                           diag::OpenSchedule{.schedule = candidate->path(), .parameter = tree->name.text});
        return result;
      }
    }
  // Those with errors are not in the list, but declared.
  const bool isDeclared = !loaded.text || llvm::any_of(loaded.text->schedules, [&](const ast::Schedule &declared) {
    return (schedule.contains('/') ? declared.collective.text + "/" + declared.name.text : declared.name.text) == schedule;
  });
  if (result.empty() && !(loaded.failed && isDeclared))
    diagnostics.reportFile(file, diag::UnknownScheduleInFile{.name = schedule.str(), .near = sema::didYouMean(schedule, known)});
  return result;
}

std::vector<const ir::Schedule *> Library::find(llvm::StringRef argument) {
  const auto exists = [&](llvm::StringRef file) { return fs::exists(file) || sources.isReplaced(file); };
  if (argument != "-" && fs::is_directory(argument))
    return findInFolder(argument);
  std::string name = argument.str();
  if (argument != "-" && !exists(argument)) {
    if (auto [file, schedule] = argument.rsplit(':'); !schedule.empty() && exists(file) && !fs::is_directory(file))
      return findInFile(file, schedule);
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
  if (!file.failed && file.scope.schedules.empty())
    diagnostics.reportFile(argument == "-" ? "<stdin>" : argument, diag::NoScheduleInFile{});
  if (!file.failed)
    reportOpen(file, /*isAlone=*/file.schedules.empty());
  return file.schedules;
}

std::vector<const ir::Schedule *> Library::all() { return findInFolder(rootFolder); }

} // namespace quadrille::compiler
