//===- CacheFolder.cpp - Where results are kept from one run to the next --------------------------------------------------===//

#include "CacheFolder.h"

#include "diagnostics/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace quadrille::compiler {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

// ---- which folder -------------------------------------------------------------------------------------------------------

static constexpr ::mode_t others = S_IRWXG | S_IRWXO, othersWrite = S_IWGRP | S_IWOTH;

std::string CacheFolder::inside(llvm::StringRef name) const {
  llvm::SmallString<256> result(path);
  llvm::sys::path::append(result, name);
  return std::string(result);
}

static CacheFolder none(diag::NoFolder problem) { return {"", std::move(problem)}; }

/// Why somebody else could replace a folder below `folder`; nothing: nobody can. The user's own group may write, as that is how many
/// systems set up home folders.
static std::optional<diag::NoFolder> whoMayReplace(llvm::StringRef folder) {
  for (llvm::StringRef at = path::parent_path(folder); !at.empty(); at = path::parent_path(at)) {
    struct ::stat status = {};
    if (::stat(at.str().c_str(), &status) != 0)
      return diag::NoFolderOfSystem{.folder = at, .said = std::strerror(errno)};
    if (status.st_uid != 0 && status.st_uid != ::geteuid())
      return diag::NoFolderOfOther{.folder = at};
    const ::mode_t writers = status.st_gid == ::getegid() ? ::mode_t(S_IWOTH) : othersWrite;
    // In a sticky folder, as /tmp is, only the owner of something can replace it.
    if ((status.st_mode & writers) != 0 && (status.st_mode & S_ISVTX) == 0)
      return diag::NoFolderOthersWrite{.folder = at};
    if (at == path::root_path(at))
      break;
  }
  return std::nullopt;
}

CacheFolder ownFolder(llvm::StringRef folder) {
  const std::string name = folder.str();
  if (::mkdir(name.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return none(diag::NoFolderNotMade{.folder = name, .said = std::strerror(errno)});
  // Open the folder first: what is checked then holds for the folder that the real path leads to.
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return none(diag::NoFolderNotOpened{.folder = name, .said = std::strerror(errno)});
  auto close = llvm::make_scope_exit([&] { ::close(descriptor); });
  struct ::stat status = {};
  if (::fstat(descriptor, &status) != 0)
    return none(diag::NoFolderOfSystem{.folder = name, .said = std::strerror(errno)});
  if (status.st_uid != ::geteuid())
    return none(diag::NoFolderOfOther{.folder = name});
  if ((status.st_mode & othersWrite) != 0)
    return none(diag::NoFolderOthersWrite{.folder = name});
  if ((status.st_mode & others) != 0 && ::fchmod(descriptor, status.st_mode & ~others & 07777) != 0)
    return none(diag::NoFolderOthersRead{.folder = name});
  llvm::SmallString<256> real;
  if (std::error_code failure = fs::real_path(name, real))
    return none(diag::NoFolderOfSystem{.folder = name, .said = failure.message()});
  if (const std::optional<diag::NoFolder> problem = whoMayReplace(real))
    return none(*problem);
  struct ::stat reached = {};
  if (::lstat(real.c_str(), &reached) != 0 || reached.st_dev != status.st_dev || reached.st_ino != status.st_ino)
    return none(diag::NoFolderReplaced{.folder = name});
  if (::faccessat(AT_FDCWD, real.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    return none(diag::NoFolderNotWritten{.folder = name, .said = std::strerror(errno)});
  return {std::string(real), std::nullopt};
}

/// The value of an environment variable; nothing if it is not set, or empty.
static std::optional<std::string> environment(const char *name) {
  std::optional<std::string> value = llvm::sys::Process::GetEnv(name);
  return value && !value->empty() ? value : std::nullopt;
}

CacheFolder cacheFolder() {
  if (std::optional<std::string> given = environment("QUADRILLE_CACHE")) {
    if (llvm::StringRef above = path::parent_path(*given); !above.empty())
      if (std::error_code failure = fs::create_directories(above))
        return none(diag::NoFolderNotMade{.folder = above, .said = failure.message()});
    return ownFolder(*given);
  }
  std::string caches;
  // By its specification, a relative path is to be ignored.
  if (std::optional<std::string> given = environment("XDG_CACHE_HOME"); given && path::is_absolute(*given)) {
    caches = *given;
  } else if (std::optional<std::string> home = environment("HOME")) {
    if (!fs::is_directory(*home))
      return none(diag::NoFolderNoHome{.folder = *home});
    caches = CacheFolder{*home, std::nullopt}.inside(".cache");
  } else {
    return none(diag::NoFolderNoneNamed{});
  }
  // Nothing is made in a home of another user, who could not use it. Under sudo HOME may be one.
  if (const std::optional<diag::NoFolder> problem = whoMayReplace(caches))
    return none(*problem);
  if (::mkdir(caches.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return none(diag::NoFolderNotMade{.folder = caches, .said = std::strerror(errno)});
  return ownFolder(CacheFolder{caches, std::nullopt}.inside("quadrille"));
}

CacheFolder cacheFolder(Diagnostics &diagnostics) {
  static std::atomic_flag isReported = ATOMIC_FLAG_INIT;
  CacheFolder folder = cacheFolder();
  if (!folder && !isReported.test_and_set())
    diagnostics.report({}, diag::NoCache{.reason = *folder.problem});
  return folder;
}

// ---- what is in it -------------------------------------------------------------------------------------------------------

static constexpr CachePart parts[] = {{"proofs", "what was proved, or could not be"},
                                      {"costs", "formulas for all p"},
                                      {"run", "compiled schedules and programs"},
                                      {"machines", "what `calibrate` measured"}};

llvm::ArrayRef<CachePart> cacheParts() { return parts; }

static bool isUnfinished(llvm::StringRef name) { return name.starts_with(beingWritten) || name.starts_with(beingCompiled); }

/// Whether the compiler gives such names to what it keeps. QUADRILLE_CACHE may name a folder that has folders of the user's own called `run` or
/// `proofs`, in which other things lie.
static bool isOwnName(llvm::StringRef name) {
  if (name == "pruned" || name.starts_with(keptText) || isUnfinished(name))
    return true;
  if (llvm::StringRef machine = name; machine.consume_front("shm-") || machine.consume_front("mpi-"))
    return machine.consume_back(".json") && !machine.empty() && llvm::all_of(machine, llvm::isDigit);
  return name.size() == 32 && llvm::all_of(name, [](char c) { return llvm::isHexDigit(c); }); // a program, by its hash
}

static std::error_code removeEntry(const std::string &entry) {
  fs::file_status status;
  if (std::error_code failure = fs::status(entry, status, /*follow=*/false))
    return failure;
  return status.type() == fs::file_type::directory_file ? fs::remove_directories(entry, /*IgnoreErrors=*/false) : fs::remove(entry);
}

/// Calls visit(entry) for what the compiler keeps in a part of the cache.
template <typename Visit> static void forEachEntry(llvm::StringRef folder, Visit visit) {
  std::error_code failure;
  for (fs::directory_iterator it(folder, failure, /*follow_symlinks=*/false), end; it != end && !failure; it.increment(failure))
    if (isOwnName(path::filename(it->path())))
      visit(*it);
}

PartSize sizeOfPart(llvm::StringRef folder) {
  PartSize result;
  auto add = [&](llvm::StringRef file) {
    fs::file_status status;
    if (fs::status(file, status, /*follow=*/false) || status.type() == fs::file_type::directory_file)
      return;
    ++result.files;
    result.bytes += status.getSize();
  };
  forEachEntry(folder, [&](const fs::directory_entry &entry) {
    add(entry.path());
    std::error_code failure;
    for (fs::recursive_directory_iterator it(entry.path(), failure, /*follow_symlinks=*/false), end; it != end && !failure; it.increment(failure))
      add(it->path());
  });
  return result;
}

std::error_code clearPart(llvm::StringRef folder) {
  std::error_code result;
  std::vector<std::string> entries;
  forEachEntry(folder, [&](const fs::directory_entry &entry) { entries.push_back(entry.path()); });
  for (const std::string &entry : entries)
    if (std::error_code failure = removeEntry(entry); !result)
      result = failure;
  if (!result)
    fs::remove(folder); // stays if something else is in it
  return result;
}

namespace {
struct UsedEntry {
  std::string path;
  llvm::sys::TimePoint<> used;
  std::uint64_t bytes = 0;
};
} // namespace

/// An entry with the time of its last use. A folder is used when one of its files is.
static UsedEntry usedEntry(const fs::directory_entry &entry) {
  UsedEntry result{entry.path(), {}, 0};
  fs::file_status status;
  if (fs::status(entry.path(), status, /*follow=*/false))
    return result;
  auto add = [&](const fs::file_status &of) {
    result.used = std::max({result.used, of.getLastAccessedTime(), of.getLastModificationTime()});
    result.bytes += of.type() == fs::file_type::directory_file ? 0 : of.getSize();
  };
  if (status.type() != fs::file_type::directory_file) {
    add(status);
    return result;
  }
  result.used = status.getLastModificationTime(); // listing a folder, as is done here, does not use it
  std::error_code failure;
  for (fs::directory_iterator file(entry.path(), failure, /*follow_symlinks=*/false), end; file != end && !failure; file.increment(failure))
    if (!fs::status(file->path(), status, /*follow=*/false))
      add(status);
  return result;
}

void pruneEntries(llvm::StringRef folder, std::uint64_t mostBytes) {
  constexpr std::chrono::hours hour(1), day(24), month(30 * 24);
  const llvm::sys::TimePoint<> now = std::chrono::system_clock::now();
  const std::string stamp = CacheFolder{folder.str(), std::nullopt}.inside("pruned");
  fs::file_status status;
  if (!fs::status(stamp, status) && now - status.getLastModificationTime() < day)
    return;
  std::error_code failure;
  { llvm::raw_fd_ostream touched(stamp, failure); }
  if (failure)
    return;
  std::vector<UsedEntry> entries;
  std::uint64_t bytes = 0;
  forEachEntry(folder, [&](const fs::directory_entry &each) {
    const llvm::StringRef name = path::filename(each.path());
    if (name == "pruned")
      return;
    UsedEntry entry = usedEntry(each);
    if (now - entry.used > (isUnfinished(name) ? std::chrono::hours(hour) : month)) {
      removeEntry(entry.path);
      return;
    }
    bytes += entry.bytes;
    entries.push_back(std::move(entry));
  });
  llvm::sort(entries, [](const UsedEntry &a, const UsedEntry &b) { return a.used < b.used; });
  for (const UsedEntry &entry : entries) {
    // An entry that was used in the last hour may be in use by another process.
    if (bytes <= mostBytes || now - entry.used < hour)
      return;
    removeEntry(entry.path);
    bytes -= entry.bytes;
  }
}

} // namespace quadrille::compiler
