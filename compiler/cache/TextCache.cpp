//===- TextCache.cpp - Results as texts, kept in the cache ---------------------------------------------------------------===//

#include "TextCache.h"

#include "CacheFolder.h"

#include "limits/Limits.h"
#include "prove/solver/Solver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cstring>
#include <elf.h>
#include <link.h>

namespace quadrille::compiler {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

// ---- keys --------------------------------------------------------------------------------------------------------------

namespace {
class Hash {
public:
  void add(llvm::StringRef text) {
    // Each text after its length, so that two texts differ from their concatenation.
    hash.update(std::to_string(text.size()) + ":");
    hash.update(text);
  }
  void add(std::uint64_t number) { add(llvm::StringRef(std::to_string(number))); }
  std::string text() { return llvm::toHex(llvm::ArrayRef<std::uint8_t>(hash.final()), /*LowerCase=*/true); }

private:
  llvm::SHA256 hash;
};
} // namespace

static std::string hashOf(llvm::StringRef text) {
  Hash hash;
  hash.add(text);
  return hash.text();
}

/// The linker's hash of what it has linked into this program; empty if there is none.
static std::string buildId() {
  std::string id;
  auto readNotes = [](dl_phdr_info *info, std::size_t, void *result) {
    for (const ElfW(Phdr) &part : llvm::ArrayRef(info->dlpi_phdr, info->dlpi_phnum)) {
      if (part.p_type != PT_NOTE)
        continue;
      const auto *notes = reinterpret_cast<const std::uint8_t *>(info->dlpi_addr + part.p_vaddr);
      for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= part.p_memsz;) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes + at, sizeof note);
        const std::size_t alignment = part.p_align == 8 ? 8 : 4;
        const std::size_t name = at + sizeof note, content = llvm::alignTo(name + note.n_namesz, alignment);
        at = llvm::alignTo(content + note.n_descsz, alignment);
        if (at > part.p_memsz)
          break;
        const bool isOfGnu = note.n_namesz == sizeof ELF_NOTE_GNU && std::memcmp(notes + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0;
        if (isOfGnu && note.n_type == NT_GNU_BUILD_ID)
          *static_cast<std::string *>(result) = llvm::toHex(llvm::ArrayRef(notes + content, note.n_descsz), /*LowerCase=*/true);
      }
    }
    return 1; // the program itself comes first, and the libraries do not matter
  };
  dl_iterate_phdr(readNotes, &id);
  return id;
}

/// Tells programs of different content apart, so that developers need not change a version number; empty if the program is unreadable.
static std::string contentOf(const std::string &executable) {
  if (std::string id = buildId(); !id.empty())
    return id;
  auto self = llvm::MemoryBuffer::getFile(executable, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!self)
    return "";
  // This takes milliseconds, which each command would pay.
  const llvm::XXH128_hash_t content = llvm::xxh3_128bits(llvm::arrayRefFromStringRef((*self)->getBuffer()));
  return llvm::utohexstr(content.high64) + " " + llvm::utohexstr(content.low64);
}

/// The schedules that a body uses, however deep, each once.
static void collectUses(const ir::Body &body, llvm::SmallVectorImpl<const ir::Schedule *> &uses) {
  for (const auto &s : body) {
    if (auto *loop = llvm::dyn_cast<ir::ForStmt>(s.get())) {
      collectUses(loop->body, uses);
    } else if (auto *branch = llvm::dyn_cast<ir::IfStmt>(s.get())) {
      collectUses(branch->yes, uses);
      collectUses(branch->no, uses);
    } else if (auto *use = llvm::dyn_cast<ir::UseStmt>(s.get()); use && !llvm::is_contained(uses, use->callee)) {
      uses.push_back(use->callee);
      collectUses(use->callee->body, uses);
    }
  }
}

TextCache::TextCache(const Library &library, const Sources &sources, const std::string &executable, llvm::StringRef name,
                     Diagnostics &diagnostics)
    : library(library), sources(sources) {
  const CacheFolder cache = cacheFolder(diagnostics);
  const std::string content = contentOf(executable);
  if (!cache || content.empty())
    return;
  program = content + " " + prove::solverVersion();
  folder = ownFolder(cache.inside(name)).path;
}

TextCache::Entry TextCache::entryOf(const ir::Schedule &schedule, llvm::ArrayRef<std::uint64_t> options) const {
  Entry entry;
  llvm::SmallVector<const ir::Schedule *, 4> schedules{&schedule};
  collectUses(schedule.body, schedules);
  for (const ir::Knowledge &known : schedule.knowledge)
    if (known.toldBy && !llvm::is_contained(schedules, known.toldBy)) {
      schedules.push_back(known.toldBy);
      collectUses(known.toldBy->body, schedules);
    }
  auto add = [&](unsigned buffer) {
    if (!llvm::is_contained(entry.buffers, buffer))
      entry.buffers.push_back(buffer);
  };
  auto addTextAt = [&](llvm::SMLoc place) {
    const unsigned buffer = sources.manager().FindBufferContainingLoc(place);
    add(buffer);
    for (unsigned seen : library.textsSeenFrom(buffer))
      add(seen);
  };
  for (const ir::Schedule *used : schedules) {
    addTextAt(used->range.Start);
    for (const ir::Base &base : used->bases)
      addTextAt(base.range.Start);
  }
  Hash hash;
  hash.add(program);
  hash.add(effort());
  hash.add(schedule.path());
  hash.add(entry.buffers.size());
  for (unsigned buffer : entry.buffers)
    hash.add(sources.text(buffer));
  for (std::uint64_t option : options)
    hash.add(option);
  entry.key = hash.text();
  return entry;
}

std::string TextCache::fileOf(const Entry &entry) const {
  llvm::SmallString<256> file(folder);
  path::append(file, llvm::Twine(keptText) + entry.key);
  return std::string(file);
}

// ---- files -------------------------------------------------------------------------------------------------------------
//
// A line with the hash of the others, a line with the key, the text.

std::optional<std::string> TextCache::find(const Entry &entry) const {
  if (folder.empty())
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(fileOf(entry), /*IsText=*/false, /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!file)
    return std::nullopt;
  auto [hash, checked] = (*file)->getBuffer().split('\n');
  auto [key, text] = checked.split('\n');
  if (hash != hashOf(checked) || key != entry.key)
    return std::nullopt;
  return text.str();
}

void TextCache::keep(const Entry &entry, llvm::StringRef text) {
  if (folder.empty())
    return;
  std::call_once(pruned, [&] { pruneEntries(folder, limits::keptTexts); });
  // Write to another file and rename it, so that nobody reads half an entry. After a failure there is no entry.
  llvm::Expected<fs::TempFile> file = fs::TempFile::create(folder + "/" + beingWritten + "%%%%%%%%");
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  llvm::raw_fd_ostream out(file->FD, /*shouldClose=*/false);
  const std::string checked = entry.key + "\n" + text.str();
  out << hashOf(checked) << '\n' << checked;
  out.flush();
  const bool written = !out.has_error();
  out.clear_error();
  llvm::consumeError(written ? file->keep(fileOf(entry)) : file->discard());
}

} // namespace quadrille::compiler
