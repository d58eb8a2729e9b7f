//===- Lengths.cpp - Lengths of blocks -----------------------------------------------------------------------------------===//

#include "Lengths.h"

#include "limits/Limits.h"

#include "llvm/Support/ErrorHandling.h"

#include <cassert>
#include <numeric>

namespace quadrille::compiler {

std::optional<std::uint32_t> LengthTable::entry(llvm::ArrayRef<std::int64_t> indices) const {
  assert(indices.size() == extents.size() && "one index for each dimension");
  std::int64_t at = 0;
  for (size_t i = 0; i < extents.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= extents[i])
      return std::nullopt;
    at = at * extents[i] + indices[i];
  }
  return first + static_cast<std::uint32_t>(at);
}

std::string LengthTable::text(std::uint32_t entry) const {
  assert(first <= entry && entry - first < entries && "an entry of another table");
  llvm::SmallVector<std::int64_t, 2> indices(extents.size());
  std::int64_t at = entry - first;
  for (size_t i = extents.size(); i-- > 0; at /= extents[i])
    indices[i] = at % extents[i];
  return text(indices);
}

std::string LengthTable::text(llvm::ArrayRef<std::int64_t> indices) const {
  std::string result = name;
  for (std::int64_t index : indices)
    result += "[" + std::to_string(index) + "]";
  return result;
}

LengthTables lengthTables(const ir::Schedule &schedule, const Case &instance) {
  if (schedule.tables.empty())
    return nullptr;
  auto tables = std::make_shared<std::vector<LengthTable>>();
  TreeCache trees;
  Frame frame = caseFrame(schedule, instance, trees);
  std::uint64_t total = 0;
  for (const ir::Table &table : schedule.tables) {
    LengthTable &result = tables->emplace_back();
    result.name = table.name;
    result.first = static_cast<std::uint32_t>(total);
    std::uint64_t entries = 1;
    for (const ir::Expr *extent : table.extents) {
      std::int64_t value = evaluate(*extent, frame);
      if (value < 0)
        throw Finding{
            Diagnostic(extent->range, diag::NegativeLength{.value = value, .rank = std::nullopt, .buffer = "", .modulus = false})};
      result.extents.push_back(value);
      entries *= std::min<std::uint64_t>(static_cast<std::uint64_t>(value), limits::lengthEntries + 1);
    }
    total += entries;
    if (total > limits::lengthEntries)
      throw tooMany(table.name, total, diag::StoredEntries{}, limits::lengthEntries, table.range);
    result.entries = static_cast<std::uint32_t>(entries);
  }
  return tables;
}

/// A hash of its argument, the same on all machines (splitmix64).
static std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

llvm::StringRef patternName(LengthPattern pattern) {
  switch (pattern) {
  case LengthPattern::Even:
    return "even";
  case LengthPattern::Uneven:
    return "uneven";
  case LengthPattern::Single:
    return "single";
  }
  llvm_unreachable("every pattern has a name");
}

std::optional<Lengths> Lengths::times(std::int64_t factor) const {
  Lengths result = *this;
  bool overflows = __builtin_mul_overflow(n, factor, &result.n);
  for (std::int64_t &entry : result.entries)
    overflows |= __builtin_mul_overflow(entry, factor, &entry);
  return overflows ? std::nullopt : std::optional(std::move(result));
}

Lengths fill(const LengthTables &tables, std::int64_t n, LengthPattern pattern) {
  std::vector<std::int64_t> entries(entryCount(tables), pattern == LengthPattern::Even ? n : 0);
  if (pattern == LengthPattern::Single)
    for (const LengthTable &table : *tables)
      if (table.entries > 0)
        entries[table.first + static_cast<size_t>(table.extents.back()) - 1] = n;
  if (pattern == LengthPattern::Uneven)
    for (size_t i = 0; i < entries.size(); ++i) {
      std::uint64_t random = mix(i + 1), kind = random % 16, value = random >> 8;
      std::uint64_t most = static_cast<std::uint64_t>(n) * (kind < 4 ? 0 : kind < 15 ? 1 : 8);
      entries[i] = static_cast<std::int64_t>(value % (most + 1));
    }
  return Lengths(n, tables, std::move(entries));
}

Lengths lengthsFor(const LengthTables &tables, std::int64_t n, const LengthChoice &choice) {
  if (!tables)
    return n;
  if (choice.entries.empty())
    return fill(tables, n, choice.pattern);
  if (choice.entries.size() != entryCount(tables))
    throw Finding{Diagnostic(
        {}, diag::WrongLengthCount{.given = choice.entries.size(), .table = tables->front().name, .entries = entryCount(tables)})};
  return Lengths(n, tables, choice.entries);
}

std::int64_t bottleneckVolume(const Lengths &lengths, const LengthTable &table) {
  if (table.extents.size() == 1)
    return std::accumulate(lengths.entries.begin() + table.first, lengths.entries.begin() + table.first + table.entries,
                           std::int64_t(0));
  std::int64_t rows = table.extents[0], columns = table.extents[1];
  std::vector<std::int64_t> sent(static_cast<size_t>(rows)), received(static_cast<size_t>(columns));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      std::int64_t length = lengths.entries[*table.entry({i, j})];
      sent[static_cast<size_t>(i)] += length;
      received[static_cast<size_t>(j)] += length;
    }
  std::int64_t most = 0;
  for (const std::vector<std::int64_t> *sums : {&sent, &received})
    for (std::int64_t sum : *sums)
      most = std::max(most, sum);
  return most;
}

/// The index of the only entry that differs from all others, which are equal; nothing if there is none such.
static std::optional<std::uint32_t> oddEntry(llvm::ArrayRef<std::int64_t> entries) {
  if (entries.size() < 3)
    return std::nullopt;
  const std::int64_t usual = entries[0] == entries[1] ? entries[0] : entries[2];
  const auto odd = llvm::find_if(entries, [&](std::int64_t entry) { return entry != usual; });
  if (odd == entries.end() || std::any_of(odd + 1, entries.end(), [&](std::int64_t entry) { return entry != usual; }))
    return std::nullopt;
  return static_cast<std::uint32_t>(odd - entries.begin());
}

std::string lengthsText(const Lengths &lengths) {
  constexpr std::uint32_t most = 16;
  std::string text;
  for (const LengthTable &table : *lengths.tables) {
    text += (text.empty() ? "" : ", ") + table.name + " = ";
    const llvm::ArrayRef<std::int64_t> entries = llvm::ArrayRef(lengths.entries).slice(table.first, table.entries);
    if (const std::optional<std::uint32_t> odd = oddEntry(entries); odd && table.entries > most) {
      text += std::to_string(entries[*odd ? 0 : 1]) + ",... but " + table.text(table.first + *odd) + " = " + std::to_string(entries[*odd]);
      continue;
    }
    for (std::uint32_t i = 0; i < std::min(table.entries, most); ++i)
      text += (i ? "," : "") + std::to_string(lengths.entries[table.first + i]);
    if (table.entries > most)
      text += ",...";
  }
  return text;
}

std::int64_t packetLength(std::int64_t n, std::int64_t packets, std::int64_t index) {
  return n / packets + (index < n % packets ? 1 : 0);
}

} // namespace quadrille::compiler
