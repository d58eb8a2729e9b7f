//===- ChoiceTable.cpp - What a selection table chooses ------------------------------------------------------------------------===//

#include "ChoiceTable.h"

#include "check/Check.h"
#include "diagnostics/InputFile.h"
#include "emit/Emit.h"
#include "emit/PacketRule.h"

#include "UsualTables.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler::tune {

using quadrille::CandidateFacts;
using quadrille::CandidateParameter;
using quadrille::Status;

std::string Chosen::text() const {
  if (!row)
    return "any other";
  const CandidateFacts &facts = *row->candidate;
  std::string result = facts.schedule;
  if (facts.parameter != CandidateParameter::None)
    result += std::string(" ") + facts.parameterName + "=" + (row->parameter > 0 ? std::to_string(row->parameter) : "auto");
  return result;
}

bool ChoiceTable::read(const std::string &file, const std::string &backend) {
  for (const ir::Schedule *schedule : candidates) {
    std::optional<diag::NoPackets> whyNot;
    const bool hasParameter = schedule->parameterCount > 0;
    const CandidateParameter kind = !hasParameter ? CandidateParameter::None
                                    : emit::takesLength(*schedule) && emit::packetRule(*schedule, whyNot) ? CandidateParameter::Packets
                                                                                                         : CandidateParameter::Other;
    facts.push_back({schedule->collective->name.c_str(), schedule->name.c_str(), kind,
                     hasParameter ? schedule->variables[ir::Schedule::firstNumber].name.c_str() : nullptr,
                     schedule->requiresCommutative && schedule->usesOperator, false, false, "", nullptr});
    schedules[&facts.back()] = schedule;
    known.push_back(&facts.back());
  }
  if (!file.empty()) {
    const std::optional<std::string> text = readMeasured(file, diagnostics);
    if (!text)
      return false;
    // The message names the line; the name of the file stands before it.
    if (Status wrong = quadrille::detail::readTable(*text, "line", backend, known, rows)) {
      std::string reason = wrong.text();
      if (reason.rfind("line:", 0) == 0)
        reason[4] = ' ';
      diagnostics.reportFile(file, diag::NotATable{.reason = std::move(reason)});
      return false;
    }
  }
  ownRows = rows.size();
  const std::string_view usual = backend == "mpi" ? quadrille::detail::usualMpiTable : quadrille::detail::usualShmTable;
  (void)quadrille::detail::readTable(usual, "usual", backend, known, rows);
  return true;
}

bool ChoiceTable::admits(const TableRow &row, std::int64_t p) const {
  if (quadrille::detail::isMpiLibrary(row.candidate))
    return true;
  const ir::Schedule &schedule = *schedules.at(row.candidate);
  Case instance{p, std::vector<std::int64_t>(schedule.numberCount, 0)};
  std::fill_n(instance.numbers.begin(), schedule.parameterCount, std::max<std::int64_t>(row.parameter, 1));
  TreeCache trees;
  return isAdmitted(schedule, instance, trees);
}

std::vector<const ChoiceTable::TableRow *> ChoiceTable::rowsFor(const std::string &collective, std::int64_t p) const {
  std::vector<const TableRow *> result;
  for (const TableRow &row : rows)
    if (collective == row.candidate->collective && row.fits(p, sharesCores) && admits(row, p))
      result.push_back(&row);
  return result;
}

Chosen ChoiceTable::choose(llvm::ArrayRef<const TableRow *> rows, std::uint64_t bytes, bool commutative) {
  for (const TableRow *row : rows)
    if (row->fits(bytes, commutative) && (commutative || !row->candidate->needsCommutative))
      return {row};
  return {};
}

std::vector<std::uint64_t> ChoiceTable::changes(llvm::ArrayRef<const TableRow *> rows) {
  std::vector<std::uint64_t> result{0};
  for (const TableRow *row : rows) {
    result.push_back(row->bytes.from);
    if (row->bytes.to < quadrille::detail::Interval().to)
      result.push_back(row->bytes.to + 1);
  }
  llvm::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::optional<Worth> ChoiceTable::worth(const std::string &collective, const Journal &journal) const {
  return worthOf(collective, journal, [&](std::int64_t p, std::uint64_t bytes) { return choose(rowsFor(collective, p), bytes, true).text(); });
}

} // namespace quadrille::compiler::tune
