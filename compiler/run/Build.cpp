//===- Build.cpp - Compiling emitted code, once -------------------------------------------------------------------------------===//

#include "Build.h"

#include "Interruption.h"
#include "Launch.h"

#include "cache/CacheFolder.h"
#include "diagnostics/Diagnostics.h"
#include "diagnostics/OutputFile.h"
#include "limits/Limits.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <thread>

namespace quadrille::compiler::run {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string inDirectory(llvm::StringRef directory, llvm::StringRef name) {
  llvm::SmallString<256> result(directory);
  path::append(result, name);
  return std::string(result);
}

/// The names, sizes and modification times of files, which stand for their contents.
static std::string lookOf(std::vector<std::string> files) {
  llvm::sort(files);
  std::string result;
  for (const std::string &file : files) {
    fs::file_status status;
    if (!fs::status(file, status))
      result += file + " " + std::to_string(status.getSize()) + " " +
                std::to_string(status.getLastModificationTime().time_since_epoch().count()) + "\n";
  }
  return result;
}

/// A folder for this process, which is removed when it ends.
static Scratch &ownScratch() {
  static Scratch scratch;
  return scratch;
}

/// The folder in the user's cache for what is compiled. Empty if there is none, which has been reported.
static std::string compiledFolder(Diagnostics &diagnostics) {
  if (const CacheFolder folder = cacheFolder(diagnostics)) {
    const CacheFolder compiled = ownFolder(folder.inside("run"));
    if (!compiled) {
      diagnostics.report({}, diag::NoCache{.reason = *compiled.problem});
    } else if (const auto space = fs::disk_space(compiled.path); space && space->available < limits::freeForPrograms) {
      const std::string full = std::make_error_code(std::errc::no_space_on_device).message();
      diagnostics.report({}, diag::NoCache{.reason = diag::NoFolderOfSystem{.folder = compiled.path, .said = full}});
    } else {
      return compiled.path;
    }
  }
  return "";
}

/// A call of the compiler that makes one file of the cache.
struct Builder::Job {
  std::string folder;                                     // the final folder in the cache
  std::string product;                                    // the name of the file that is made
  std::vector<std::pair<std::string, std::string>> files; // files written beside it; the first one, if any, is compiled
  std::vector<std::string> flags;                         // in addition to those of the toolchain
  std::string building = {}; // a folder of its own in which it is made, so that other processes see only complete ones
  llvm::sys::ProcessInfo process = {};
  InterruptionGuard folderGuard = {}, processGuard = {}; // while the compiler runs
  std::chrono::steady_clock::time_point deadline = {};
  int status = -1; // the exit status of the compiler; 0: the file is made
};

static constexpr llvm::StringLiteral messagesName = "messages.txt", sizeName = "size.txt";

/// Notes how large the file is that was made, by which a part of it is told from the whole.
static bool noteSize(llvm::StringRef folder, llvm::StringRef product) {
  std::uint64_t size = 0;
  return !fs::file_size(inDirectory(folder, product), size) && size > 0 &&
         !writeFile(inDirectory(folder, sizeName), [&](llvm::raw_ostream &out) { out << size; });
}

/// Whether the cache has the file. What is there in part, after a crash of the machine or in a copy, is removed.
static bool isKept(llvm::StringRef folder, llvm::StringRef product) {
  std::uint64_t size = 0, noted = 0;
  if (fs::file_size(inDirectory(folder, product), size))
    return false;
  const auto text = llvm::MemoryBuffer::getFile(inDirectory(folder, sizeName));
  if (text && !(*text)->getBuffer().getAsInteger(10, noted) && noted == size)
    return true;
  fs::remove_directories(folder);
  return false;
}

static constexpr std::chrono::seconds longestCompilation(limits::compilationTime);

Builder::Builder(const Toolchain &toolchain, std::vector<std::string> commonIncludes, Diagnostics &diagnostics)
    : toolchain(toolchain), commonIncludes(std::move(commonIncludes)), diagnostics(diagnostics), cache(compiledFolder(diagnostics)),
      isTemporary(cache.empty()) {
  if (isTemporary) {
    if (ownScratch().failure)
      ownScratch().reportFailure(diagnostics);
    else
      cache = ownScratch().path();
  }
  std::error_code failure;
  std::vector<std::string> files{toolchain.compiler};
  for (fs::recursive_directory_iterator it(inDirectory(toolchain.includeDir, "quadrille"), failure), end; it != end && !failure;
       it.increment(failure))
    files.push_back(it->path());
  sources = lookOf(std::move(files));
  files.clear();
  for (fs::directory_iterator it(toolchain.libraryDir, failure), end; it != end && !failure; it.increment(failure))
    if (path::filename(it->path()).starts_with("libquadrille"))
      files.push_back(it->path());
  libraries = lookOf(std::move(files));
}

/// The name of a folder in the cache: a hash of the compiler, its flags and `parts`.
std::string Builder::keyOf(llvm::ArrayRef<llvm::StringRef> parts) const {
  llvm::SHA256 hash;
  auto add = [&](llvm::StringRef text) {
    hash.update(std::to_string(text.size()) + ":");
    hash.update(text);
  };
  add(toolchain.compiler);
  for (const std::string &flag : toolchain.compileFlags)
    add(flag);
  for (llvm::StringRef part : parts)
    add(part);
  return llvm::toHex(llvm::ArrayRef<std::uint8_t>(hash.final()), /*LowerCase=*/true).substr(0, 32);
}

/// Makes the job's building folder and writes its files; false after an error, which has been reported.
bool Builder::prepare(Job &job) {
  auto unwritable = [&](std::error_code failure) {
    diagnostics.report({}, diag::FolderUnwritable{.what = diag::FolderNamed{.folder = cache}, .reason = diag::NoFolderSaid{.said = failure.message()}});
    return false;
  };
  if (cache.empty())
    return false; // as has been reported
  llvm::SmallString<256> building;
  // It puts the hyphen behind the name.
  if (std::error_code failure = fs::createUniqueDirectory(inDirectory(cache, beingCompiled.drop_back()), building))
    return unwritable(failure);
  job.building = std::string(building);
  job.folderGuard = InterruptionGuard::removing(building);
  for (const auto &[name, text] : job.files)
    if (std::error_code failure = writeFile(inDirectory(building, name), [&text = text](llvm::raw_ostream &out) { out << text; }))
      return unwritable(failure);
  return true;
}

/// Starts the compiler; false if it cannot be run, which has been reported.
bool Builder::start(Job &job) {
  if (!prepare(job))
    return false;
  std::vector<std::string> words{toolchain.compiler};
  words.insert(words.end(), toolchain.compileFlags.begin(), toolchain.compileFlags.end());
  for (const std::string &word : {"-I" + job.building, "-I" + toolchain.includeDir, std::string("-o"), inDirectory(job.building, job.product)})
    words.push_back(word);
  words.insert(words.end(), job.flags.begin(), job.flags.end());
  if (!job.files.empty())
    words.push_back(inDirectory(job.building, job.files.front().first));
  const std::vector<llvm::StringRef> arguments(words.begin(), words.end());
  const std::string log = inDirectory(job.building, messagesName);
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(log), llvm::StringRef(log)};
  bool failed = false;
  std::string problem;
  job.process = llvm::sys::ExecuteNoWait(toolchain.compiler, arguments, std::nullopt, redirects, 0, &problem, &failed);
  job.deadline = std::chrono::steady_clock::now() + longestCompilation;
  if (failed)
    diagnostics.report({}, diag::CompilerMissing{.compiler = toolchain.compiler, .reason = diag::FailureSaid{.said = problem}});
  else
    job.processGuard = InterruptionGuard::ending(job.process.Pid);
  return !failed;
}

/// Runs jobs, as many at once as there are processors. False if the compiler cannot be run, which has been reported.
bool Builder::runAll(llvm::MutableArrayRef<Job> jobs, Progress progress) {
  constexpr std::chrono::milliseconds pause(2);
  const size_t most = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Job *> running;
  bool failed = false;
  if (!jobs.empty())
    progress(0, jobs.size());
  for (size_t begun = 0, done = 0; !running.empty() || (begun < jobs.size() && !failed);) {
    for (; begun < jobs.size() && running.size() < most && !failed; ++begun) {
      failed = !start(jobs[begun]);
      if (!failed)
        running.push_back(&jobs[begun]);
    }
    llvm::erase_if(running, [&](Job *job) {
      // Zero seconds: only ask whether it has ended.
      llvm::sys::ProcessInfo ended = llvm::sys::Wait(job->process, 0);
      if (ended.Pid == 0 && std::chrono::steady_clock::now() < job->deadline)
        return false;
      if (ended.Pid == 0) {
        ::kill(job->process.Pid, SIGKILL);
        ended = llvm::sys::Wait(job->process, std::nullopt);
      }
      job->status = ended.ReturnCode;
      job->processGuard = {};
      progress(++done, jobs.size());
      return true;
    });
    std::this_thread::sleep_for(pause);
  }
  return !failed;
}

/// Moves the result to its folder in the cache and returns its path; nothing if the compiler has refused, which is reported.
std::optional<std::string> Builder::finish(const Job &job, llvm::SMRange range) {
  const std::string noSpace = std::make_error_code(std::errc::no_space_on_device).message();
  if (job.status != 0) {
    const std::string log = inDirectory(job.building, messagesName);
    std::string first;
    if (auto messages = llvm::MemoryBuffer::getFile(log))
      for (llvm::StringRef rest = (*messages)->getBuffer(); !rest.empty() && first.empty();) {
        auto [line, tail] = rest.split('\n');
        if (line.contains(noSpace)) {
          // The compiler writes into this folder, and into the one for temporary files.
          llvm::SmallString<256> temporary;
          path::system_temp_directory(/*ErasedOnReboot=*/true, temporary);
          diagnostics.report(range, diag::FolderUnwritable{.what = diag::FolderOneOfTwo{.folder = cache, .other = temporary.str()},
                                                             .reason = diag::NoFolderSaid{.said = noSpace}});
          fs::remove_directories(job.building);
          return std::nullopt;
        }
        if (line.contains("error"))
          first = line.trim().str();
        rest = tail;
      }
    const diag::Failure why = first.empty() ? diag::Failure(diag::FailureStatus{.status = job.status}) : diag::FailureSaid{.said = first};
    if (isTemporary)
      ownScratch().keep(); // the message names the log
    diagnostics.report(range, diag::EmittedCodeRefused{.compiler = toolchain.compiler, .reason = why, .log = log});
    return std::nullopt;
  }
  const std::string product = inDirectory(job.folder, job.product);
  if (!noteSize(job.building, job.product)) {
    diagnostics.report(range, diag::FolderUnwritable{.what = diag::FolderNamed{.folder = cache}, .reason = diag::NoFolderSaid{.said = noSpace}});
    return std::nullopt;
  }
  if (fs::rename(job.building, job.folder)) {
    // Either another process has put the same file there, or the folder is incomplete.
    if (!fs::exists(product))
      return inDirectory(job.building, job.product);
    fs::remove_directories(job.building);
  }
  return product;
}

/// A file that includes the headers.
static std::string includingAll(llvm::ArrayRef<std::string> headers) {
  std::string text;
  for (const std::string &header : headers)
    text += "#include \"" + header + "\"\n";
  return text;
}

static constexpr llvm::StringLiteral commonName = "common.h", precompiledName = "common.h.gch"; // clang looks for this name too

/// Precompiles the common headers unless that has been done, and returns the flags that include them; no flags if that fails. A
/// compiler that finds no usable precompiled header beside a header reads the header itself. Nothing after an error, which has been
/// reported.
std::optional<std::vector<std::string>> Builder::precompiled() {
  const std::string text = includingAll(commonIncludes);
  Job source;
  source.folder = inDirectory(cache, keyOf({"precompiled", text, sources}));
  source.product = commonName.str();
  source.files = {{commonName.str(), text}};
  source.status = 0;
  std::string header = inDirectory(source.folder, commonName);
  if (!fs::exists(inDirectory(source.folder, precompiledName))) {
    // Move the header to its final place first: clang's precompiled header records the path.
    if (!fs::exists(header)) {
      if (!prepare(source))
        return std::nullopt;
      header = *finish(source, {});
    }
    Job job;
    job.product = precompiledName.str();
    job.flags = {"-x", "c++-header", header};
    if (!runAll(job, [](size_t, size_t) {}))
      return std::nullopt;
    const bool isMade = job.status == 0 && !fs::rename(inDirectory(job.building, job.product), header + ".gch");
    fs::remove_directories(job.building);
    if (!isMade)
      return std::vector<std::string>();
  }
  return std::vector<std::string>{"-include", header};
}

std::optional<std::vector<std::string>> Builder::compile(llvm::ArrayRef<Unit> units, Progress progress) {
  std::vector<std::string> objects(units.size());
  std::vector<Job> jobs;
  std::vector<size_t> unitOf; // the unit of each job
  for (size_t i = 0; i < units.size(); ++i) {
    std::vector<llvm::StringRef> parts{sources};
    for (const auto &[name, text] : units[i].files) {
      parts.push_back(name);
      parts.push_back(text);
    }
    Job job;
    job.folder = inDirectory(cache, keyOf(parts));
    job.product = "unit.o";
    job.files = units[i].files;
    job.flags = {"-c"};
    objects[i] = inDirectory(job.folder, job.product);
    if (isKept(job.folder, job.product))
      continue;
    jobs.push_back(std::move(job));
    unitOf.push_back(i);
  }
  // Precompiling takes as long as compiling two or three units. Once it is done, it serves a single unit, too.
  constexpr size_t manyUnits = 6;
  const std::string precompiledFolder = inDirectory(cache, keyOf({"precompiled", includingAll(commonIncludes), sources}));
  if (jobs.size() >= manyUnits || (!jobs.empty() && fs::exists(inDirectory(precompiledFolder, precompiledName)))) {
    std::optional<std::vector<std::string>> flags = precompiled();
    if (!flags)
      return std::nullopt;
    for (Job &job : jobs)
      llvm::append_range(job.flags, *flags);
  }
  if (!runAll(jobs, progress))
    return std::nullopt;
  for (size_t i = 0; i < jobs.size(); ++i)
    objects[unitOf[i]] = finish(jobs[i], units[unitOf[i]].range).value_or("");
  return objects;
}

std::optional<std::string> Builder::link(llvm::ArrayRef<std::string> objects) {
  std::vector<llvm::StringRef> parts{"program", libraries};
  parts.insert(parts.end(), toolchain.linkFlags.begin(), toolchain.linkFlags.end());
  parts.insert(parts.end(), objects.begin(), objects.end());
  Job job;
  job.folder = inDirectory(cache, keyOf(parts));
  job.product = "driver";
  if (isKept(job.folder, job.product))
    return inDirectory(job.folder, job.product);
  job.flags.assign(objects.begin(), objects.end());
  job.flags.push_back("-L" + toolchain.libraryDir);
  job.flags.insert(job.flags.end(), toolchain.linkFlags.begin(), toolchain.linkFlags.end());
  if (!runAll(job, [](size_t, size_t) {}))
    return std::nullopt;
  pruneEntries(cache, limits::keptPrograms);
  return finish(job, {});
}

} // namespace quadrille::compiler::run
