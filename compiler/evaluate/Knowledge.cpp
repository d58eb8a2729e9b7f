//===- Knowledge.cpp - Which ranks know which lengths ---------------------------------------------------------------------===//

#include "Knowledge.h"

#include "ir/Print.h"

#include <cassert>

namespace quadrille::compiler {

KnownLengths::KnownLengths(const ir::Schedule &schedule, const Case &instance, LengthTables tables)
    : schedule(schedule), tables(std::move(tables)), frame(caseFrame(schedule, instance, trees)),
      parts(schedule.tables.size()) {
  for (unsigned table = 0; table < schedule.tables.size(); ++table)
    for (const ir::Knowledge *stated : schedule.knowledgeOf(table)) {
      Part &part = parts[table].emplace_back();
      part.stated = stated;
      for (const ir::Knowledge::Index &index : stated->indices)
        part.dependsOnIndex |= stated->condition && index.variable && mentions(*stated->condition, *index.variable);
      for (std::int64_t rank = 0; rank < instance.p; ++rank) {
        frame[ir::Schedule::variableMe] = rank;
        part.holds.push_back(!stated->condition || part.dependsOnIndex || evaluate(*stated->condition, frame));
        llvm::SmallVector<std::int64_t, 2> &indices = part.indices.emplace_back();
        if (!part.holds.back())
          continue;
        for (const ir::Knowledge::Index &index : stated->indices)
          indices.push_back(index.variable ? everyIndex : evaluate(*index.value, frame));
        const LengthTable &of = (*this->tables)[table];
        for (auto [value, extent] : llvm::zip(indices, of.extents))
          if (value != everyIndex && (value < 0 || value >= extent))
            throw Finding{Diagnostic(stated->range, diag::NoSuchEntry{.rank = static_cast<std::uint32_t>(rank), .entry = of.text(indices),
                                                                      .table = of.name, .size = of.size()})};
      }
    }
}

const LengthTable &KnownLengths::tableOf(std::uint32_t entry) const {
  for (const LengthTable &table : *tables)
    if (entry < table.first + table.entries)
      return table;
  llvm_unreachable("an entry of no table");
}

bool KnownLengths::knows(std::uint32_t rank, std::uint32_t entry) {
  const LengthTable &table = tableOf(entry);
  const std::vector<Part> &known = parts[static_cast<size_t>(&table - tables->data())];
  if (known.empty())
    return true;
  assert(rank < known[0].holds.size() && "a rank of another case");
  llvm::SmallVector<std::int64_t, 2> indices(table.extents.size());
  std::int64_t at = entry - table.first;
  for (size_t i = indices.size(); i-- > 0; at /= table.extents[i])
    indices[i] = at % table.extents[i];
  return llvm::any_of(known, [&](const Part &part) {
    if (!part.holds[rank])
      return false;
    for (auto [wanted, index] : llvm::zip(part.indices[rank], indices))
      if (wanted != everyIndex && wanted != index)
        return false;
    if (!part.dependsOnIndex)
      return true;
    frame[ir::Schedule::variableMe] = rank;
    for (auto [stated, index] : llvm::zip(part.stated->indices, indices))
      if (stated.variable)
        frame[*stated.variable] = index;
    return evaluate(*part.stated->condition, frame) != 0;
  });
}

std::string KnownLengths::text(std::uint32_t entry) const { return tableOf(entry).text(entry); }

/// A change after which every rank knows all of a table; nothing if the schedule has other uses for the names.
static std::optional<Mend> mendOf(const ir::Schedule &schedule, const LengthTable &table) {
  std::string clause = "requires knows " + table.name;
  for (const char *index : {"i", "j"}) {
    if (index[0] == 'i' && table.extents.size() == 1)
      continue;
    for (unsigned i = 0; i < ir::Schedule::firstNumber + schedule.numberCount; ++i)
      if (schedule.variables[i].name == index)
        return std::nullopt;
    clause += "[" + std::string(index) + "]";
  }
  const char *end = schedule.range.End.getPointer(), *at = schedule.nameRange.End.getPointer();
  while (at < end && *at != '{')
    ++at;
  if (at == end)
    return std::nullopt;
  const llvm::SMLoc place = llvm::SMLoc::getFromPointer(at + 1);
  return Mend{"write `" + clause + "`", {place, place}, "\n  " + clause};
}

Finding KnownLengths::unknown(std::uint32_t rank, std::uint32_t entry, llvm::StringRef buffer, llvm::SMRange range) const {
  const LengthTable &table = tableOf(entry);
  Diagnostic diagnostic(range, diag::UnknownLength{.rank = rank, .entry = table.text(entry), .buffer = buffer.str()});
  for (const Part &part : parts[static_cast<size_t>(&table - tables->data())])
    diagnostic.note(part.stated->range, diag::KnownHere{.rank = rank, .known = ir::text(*part.stated, schedule)});
  if (std::optional<Mend> mend = mendOf(schedule, table))
    diagnostic.mend(std::move(*mend));
  return Finding{std::move(diagnostic)};
}

std::unique_ptr<KnownLengths> knownLengths(const ir::Schedule &schedule, const Case &instance, const LengthTables &tables) {
  return schedule.hasUnknownLengths() ? std::make_unique<KnownLengths>(schedule, instance, tables) : nullptr;
}

} // namespace quadrille::compiler
