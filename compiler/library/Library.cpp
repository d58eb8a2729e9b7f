//===- Library.cpp - Finding and loading schedules ----------------------------------------------------------------------------------===//

#include "Library.h"

#include "diagnostics/InputFile.h"
#include "parse/Parser.h"
#include "sema/ExprSema.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

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
  std::vector<std::string> names = quadFiles(rootFolder, false);
  if (names.empty()) {
    diagnostics.reportFile("", diag::LibraryMissing{.folder = rootFolder});
    return false;
  }
  bool ok = true;
  ast::File &all = standardText; // analyzed together, since they may refer to each other
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
  file.scope.mentions = standard.mentions;
  unsigned before = diagnostics.errorCount();
  if ((file.text = parse(sources, buffer, diagnostics)))
    analyze(*file.text, name, file.scope, programIr, sources, diagnostics,
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

std::vector<std::string> Library::namesToCheck() {
  std::vector<std::string> result;
  for (const std::string &name : names())
    if (!loadFile(rootFolder + "/" + name + ".quad").schedules.empty())
      result.push_back(name);
  return result;
}

Library::FileKnown Library::read(llvm::StringRef file) {
  if (isStandardFile(file.str()))
    return {&standardText, {}, &standard};
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
    diagnostics.reportFile(unreadable, diag::FileUnreadable{.reason = why.message()});
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
  if (result.empty() && !loaded.failed)
    diagnostics.reportFile(file, diag::UnknownScheduleInFile{.name = schedule.str(), .near = sema::didYouMean(schedule, known)});
  return result;
}

std::vector<const ir::Schedule *> Library::find(llvm::StringRef argument) {
  if (argument != "-" && fs::is_directory(argument))
    return findInFolder(argument);
  std::string name = argument.str();
  if (argument != "-" && !fs::exists(argument)) {
    if (auto [file, schedule] = argument.rsplit(':'); !schedule.empty() && fs::exists(file) && !fs::is_directory(file))
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
