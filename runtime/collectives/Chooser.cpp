//===- Chooser.cpp - Which schedule a call takes --------------------------===//

#include "Chooser.h"

#include <cstdio>
#include <utility>

using namespace quadrille;
using namespace quadrille::detail;

Chooser::Chooser(const Settings &settings, std::string_view backend, Index p, Nodes nodes, bool sharesCores,
                 std::vector<const CandidateFacts *> all, std::string_view usual, bool mayLeaveToMpi)
    : p_(p), nodes_(std::move(nodes)), sharesCores_(sharesCores), reproducible_(settings.reproducible), mayLeaveToMpi_(mayLeaveToMpi), trace_(settings.trace) {
  if (!settings.problem.empty()) {
    status_ = Status(ErrorCode::BadParameter, settings.problem.c_str());
    return;
  }
  readAll(settings, backend, all, usual);
}

/// Collects the preferences in their order: variables, the user's table, the usual
/// table, and whatever else there is.
void Chooser::readAll(const Settings &settings, std::string_view backend, const std::vector<const CandidateFacts *> &all,
                      std::string_view usual) {
  for (const auto &[collective, text] : settings.overrides) {
    TableRow row;
    row.collective = *collectiveOf(collective);
    row.origin = "QUADRILLE_";
    for (const char c : collective)
      row.origin += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    if ((status_ = readPreference(text, backend, all, row)))
      return;
    add(row);
  }
  std::vector<TableRow> rows;
  if (!settings.tableName.empty() && (status_ = readTable(settings.tableText, settings.tableName, backend, all, rows)))
    return;
  for (const TableRow &row : rows)
    add(row);
  rows.clear();
  addOfNodes(all);
  if ((status_ = readTable(usual, "the table of the library", backend, all, rows)))
    return;
  for (const TableRow &row : rows)
    add(row);
  for (const CandidateFacts *candidate : all) {
    const std::optional<CollectiveId> id = collectiveOf(candidate->collective);
    if (!id || candidate->parameter == CandidateParameter::Other)
      continue;
    TableRow row;
    row.origin = "no table";
    row.collective = *id;
    row.candidate = candidate;
    add(row);
  }
}

/// Where there are several nodes of several ranks, schedules by nodes come before
/// the usual table, which was measured on one: a short message between nodes costs
/// little but its startup, and they have as few of these as there are nodes.
void Chooser::addOfNodes(const std::vector<const CandidateFacts *> &all) {
  constexpr std::uint64_t shortBytes = 1024;
  for (const CandidateFacts *candidate : all) {
    const std::optional<CollectiveId> id = collectiveOf(candidate->collective);
    if (!id || !candidate->admitsNodes || candidate->parameter == CandidateParameter::Other)
      continue;
    TableRow row;
    row.origin = "nodes";
    row.collective = *id;
    row.candidate = candidate;
    row.bytes.to = shortBytes;
    add(row);
  }
}

bool Chooser::admits(const TableRow &row, Index root) const {
  const Index k = row.parameter > 0 ? row.parameter : 1;
  const CandidateFacts &candidate = *row.candidate;
  if (!candidate.admits(p_, k, root))
    return false;
  return !candidate.admitsNodes || (nodes_.count() > 1 && nodes_.largest() > 1 && candidate.admitsNodes(p_, k, root, nodes_));
}

/// Adds a preference unless it is never taken with this number of ranks.
void Chooser::add(const TableRow &row) {
  if (!row.fits(p_, sharesCores_) || (reproducible_ && !row.candidate->sameBits) || (!mayLeaveToMpi_ && isMpiLibrary(row.candidate)))
    return;
  if (admits(row, 0))
    rows_[static_cast<std::size_t>(row.collective)].push_back(row);
}

const TableRow *Chooser::rowFor(const CallSize &call) const {
  for (const TableRow &row : rows_[static_cast<std::size_t>(call.collective)])
    if (row.fits(call.bytes, call.commutative) && (call.commutative || !row.candidate->needsCommutative) &&
        (call.knowsAllLengths || !row.candidate->needsMoreLengths) && (call.isBlocking || !isMpiLibrary(row.candidate)) &&
        (call.root == 0 || admits(row, call.root)))
      return &row;
  return nullptr;
}

Choice Chooser::find(const CallSize &call) const {
  const TableRow *row = rowFor(call);
  return row ? Choice{row->candidate, row->parameter} : Choice{};
}

Status Chooser::noSchedule(const CallSize &call) const {
  const std::string name(collectiveNames[static_cast<std::size_t>(call.collective)]);
  return Status::format(ErrorCode::UnsupportedSize, "%s: the library has no schedule for %lld ranks%s%s%s", name.c_str(),
                        static_cast<long long>(p_), call.commutative ? "" : " and an operator that does not commute",
                        call.knowsAllLengths ? "" : ", each of which knows some lengths only",
                        reproducible_ ? " that gives the same bits everywhere, as QUADRILLE_REPRODUCIBLE demands" : "");
}

bool Chooser::shows(Index rank, const CallSize &call, const Choice &choice) {
  if (trace_ == Settings::Trace::None || rank != 0)
    return false;
  return trace_ == Settings::Trace::All || shown_.emplace(call.collective, call.bytes, call.commutative, choice.candidate).second;
}

void Chooser::show(const CallSize &call, const Choice &choice, double seconds) const {
  const TableRow *row = rowFor(call);
  std::string parameter;
  if (choice.candidate->parameter != CandidateParameter::None)
    parameter = "," + std::string(choice.candidate->parameterName) + "=" +
                (choice.parameter > 0 ? std::to_string(choice.parameter) : std::string("auto"));
  char time[48] = "";
  if (seconds >= 0)
    std::snprintf(time, sizeof time, ", %.1f us", seconds * 1e6);
  const std::string bytes = call.knowsAllLengths ? std::to_string(call.bytes) : std::string("unknown");
  // One write, so that lines of several programs do not mix.
  std::fprintf(stderr, "quadrille: %s p=%lld bytes=%s%s: %s%s (%s)%s\n",
               collectiveNames[static_cast<std::size_t>(call.collective)].data(), static_cast<long long>(p_),
               bytes.c_str(), call.commutative ? "" : " op=ordered", choice.candidate->schedule,
               parameter.c_str(), row ? row->origin.c_str() : "", time);
}
