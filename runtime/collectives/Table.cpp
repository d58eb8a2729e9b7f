//===- Table.cpp - What is fastest where ----------------------------------===//

#include "Table.h"

#include <algorithm>
#include <array>
#include <functional>

using namespace quadrille;
using namespace quadrille::detail;

bool TableRow::fits(Index p, bool sharesCores) const {
  if (cores != Cores::Any && (cores == Cores::Shared) != sharesCores)
    return false;
  return ranks.empty() || std::any_of(ranks.begin(), ranks.end(), [&](const Interval &interval) {
           return interval.contains(static_cast<std::uint64_t>(p));
         });
}

static Status bad(const std::string &origin, const std::string &what) {
  return Status(ErrorCode::BadParameter, (origin + ": " + what).c_str());
}

/// The next word of a line, up to a blank; "" at its end.
static std::string_view takeWord(std::string_view &line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
  line.remove_prefix(word.size());
  return word;
}

static std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

/// A number such as 12 or 64Ki; nothing if it is none, or too large.
static std::optional<std::uint64_t> numberOf(std::string_view text) {
  unsigned shift = 0;
  for (const auto &[suffix, bits] : {std::pair("Ki", 10u), std::pair("Mi", 20u), std::pair("Gi", 30u)})
    if (text.size() > 2 && text.substr(text.size() - 2) == suffix) {
      shift = bits;
      text.remove_suffix(2);
      break;
    }
  // No block has more bytes, and larger numbers could overflow.
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  std::uint64_t value = 0;
  if (text.empty())
    return std::nullopt;
  for (const char c : text) {
    if (c < '0' || c > '9' || value > most / 10)
      return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (value > most >> shift)
    return std::nullopt;
  return value << shift;
}

/// An interval such as 8, 4..16 or 64Ki.. ; nothing if it is none, or empty.
static std::optional<Interval> intervalOf(std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::optional<std::uint64_t> from = numberOf(text.substr(0, dots));
  if (!from)
    return std::nullopt;
  if (dots == std::string_view::npos)
    return Interval{*from, *from};
  text.remove_prefix(dots + 2);
  if (text.empty())
    return Interval{*from, Interval().to};
  const std::optional<std::uint64_t> to = numberOf(text);
  return to && *from <= *to ? std::optional(Interval{*from, *to}) : std::nullopt;
}

const CandidateFacts *detail::mpiLibraryFor(CollectiveId collective) {
  static const std::array<CandidateFacts, collectiveCount> all = [] {
    std::array<CandidateFacts, collectiveCount> made{};
    for (std::size_t i = 0; i < collectiveCount; ++i) {
      made[i].collective = collectiveNames[i].data();
      made[i].schedule = "mpi";
      made[i].parameter = CandidateParameter::None;
      made[i].admits = [](Index, Index, Index) { return true; };
    }
    return made;
  }();
  return &all[static_cast<std::size_t>(collective)];
}

bool detail::isMpiLibrary(const CandidateFacts *candidate) {
  const CandidateFacts *const first = mpiLibraryFor(CollectiveId{});
  const std::less<> isBefore;
  return candidate && !isBefore(candidate, first) && isBefore(candidate, first + collectiveCount);
}

static Status readSchedule(std::string_view name, std::string_view backend, const std::vector<const CandidateFacts *> &known, TableRow &row) {
  if (name == "mpi" && backend == "mpi") {
    row.candidate = mpiLibraryFor(row.collective);
    return {};
  }
  const std::string_view collective = collectiveNames[static_cast<std::size_t>(row.collective)];
  std::vector<std::string_view> names;
  for (const CandidateFacts *candidate : known) {
    if (collective != candidate->collective)
      continue;
    names.push_back(candidate->schedule);
    if (name == candidate->schedule)
      row.candidate = candidate;
  }
  if (row.candidate)
    return {};
  std::string hint = didYouMean(name, names);
  if (hint.empty())
    for (const std::string_view each : names)
      hint += (hint.empty() ? "; it has " : ", ") + std::string(each);
  return bad(row.origin, "the library has no schedule " + quoted(name) + " for " + std::string(collective) + hint);
}

static Status readParameter(std::string_view key, std::string_view value, TableRow &row) {
  const CandidateFacts &candidate = *row.candidate;
  const std::string path = quoted(std::string(candidate.collective) + "/" + candidate.schedule);
  if (candidate.parameter == CandidateParameter::None)
    return bad(row.origin, quoted(key) + " is given, but " + path + " has no parameter; leave it out");
  if (key != candidate.parameterName && key != "k")
    return bad(row.origin, "the parameter of " + path + " is " + quoted(candidate.parameterName) + ", not " + quoted(key));
  if (candidate.parameter == CandidateParameter::Packets && value == "auto") {
    row.parameter = 0;
    return {};
  }
  const std::optional<std::uint64_t> number = numberOf(value);
  if (!number || *number < 1 || *number > std::numeric_limits<std::int32_t>::max())
    return bad(row.origin, quoted(key) + " is " + quoted(value) + ", which is no number from 1 to 2^31 - 1" +
                               (candidate.parameter == CandidateParameter::Packets ? ", nor `auto`" : ""));
  row.parameter = static_cast<Index>(*number);
  return {};
}

static Status requireParameter(const TableRow &row) {
  const CandidateFacts &candidate = *row.candidate;
  if (candidate.parameter != CandidateParameter::Other || row.parameter != 0)
    return {};
  const std::string name = candidate.parameterName;
  return bad(row.origin, quoted(std::string(candidate.collective) + "/" + candidate.schedule) + " takes a parameter " +
                             quoted(name) + "; add " + quoted(name + "=2") + ", or another number");
}

Status detail::readPreference(std::string_view text, std::string_view backend, const std::vector<const CandidateFacts *> &known, TableRow &row) {
  const std::size_t comma = text.find(',');
  if (Status wrong = readSchedule(text.substr(0, comma), backend, known, row))
    return wrong;
  if (comma != std::string_view::npos) {
    const std::string_view parameter = text.substr(comma + 1);
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos)
      return bad(row.origin, "after the comma stands " + quoted(parameter) + ", which is no parameter such as `k=4`");
    if (Status wrong = readParameter(parameter.substr(0, equals), parameter.substr(equals + 1), row))
      return wrong;
  }
  return requireParameter(row);
}

static Status readConditions(std::string_view key, std::string_view value, TableRow &row) {
  if (key == "p") {
    for (std::string_view rest = value; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::optional<Interval> interval = intervalOf(rest.substr(0, comma));
      if (!interval)
        return bad(row.origin, quoted(rest.substr(0, comma)) + " is no range of ranks such as `8`, `3..16` or `17..`");
      row.ranks.push_back(*interval);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    if (row.ranks.empty())
      return bad(row.origin, "`p=` is followed by nothing; a range such as `3..16` belongs there");
    return {};
  }
  if (key == "bytes") {
    const std::optional<Interval> interval = intervalOf(value);
    if (!interval)
      return bad(row.origin, quoted(value) + " is no range of bytes such as `0..4Ki` or `64Ki..`");
    row.bytes = *interval;
    return {};
  }
  if (key == "cores") {
    if (value != "any" && value != "own" && value != "shared")
      return bad(row.origin, "the cores are " + quoted(value) + "; they can be `own` (one for every rank), `shared` or `any`");
    row.cores = value == "any" ? TableRow::Cores::Any : value == "own" ? TableRow::Cores::Own : TableRow::Cores::Shared;
    return {};
  }
  if (value == "any" || value == "commutative" || value == "ordered") {
    row.law = value == "any" ? TableRow::Law::Any : value == "ordered" ? TableRow::Law::Ordered : TableRow::Law::Commutative;
    return {};
  }
  return bad(row.origin, "the operator is " + quoted(value) + "; it can be `any`, `commutative` or `ordered`");
}

/// COLLECTIVE [p=..] [cores=..] [bytes=..] [op=..] SCHEDULE [PARAMETER=..] [predicted=..] [measured=..]
static Status readRow(std::string_view line, std::string_view backend, const std::vector<const CandidateFacts *> &known, TableRow &row) {
  const std::string_view collective = takeWord(line);
  const std::optional<CollectiveId> id = collectiveOf(collective);
  if (!id) {
    std::vector<std::string_view> names(collectiveNames.begin(), collectiveNames.end());
    names.insert(names.end(), {"backend", "machine"});
    return bad(row.origin, quoted(collective) + " is no collective" + didYouMean(collective, names));
  }
  row.collective = *id;
  for (std::string_view word = takeWord(line); !word.empty(); word = takeWord(line)) {
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    if (equals == std::string_view::npos) {
      if (row.candidate)
        return bad(row.origin, "a second schedule, " + quoted(word) + "; a row has one");
      if (Status wrong = readSchedule(word, backend, known, row))
        return wrong;
      continue;
    }
    const std::string_view value = word.substr(equals + 1);
    // These are for readers: what `quadrille tune` has found.
    if (key == "predicted" || key == "measured")
      continue;
    const bool isCondition = key == "p" || key == "cores" || key == "bytes" || key == "op";
    if (!isCondition && !row.candidate)
      return bad(row.origin, quoted(key) + " stands before the schedule, where `p`, `cores`, `bytes` and `op` belong" +
                                 didYouMean(key, {"p", "cores", "bytes", "op"}));
    if (isCondition && row.candidate)
      return bad(row.origin, quoted(key) + " stands after the schedule; it belongs before it");
    if (Status wrong = isCondition ? readConditions(key, value, row) : readParameter(key, value, row))
      return wrong;
  }
  if (!row.candidate)
    return bad(row.origin, "the row names no schedule; it ends with one, as in `allreduce bytes=0..4Ki hypercube`");
  return requireParameter(row);
}

Status detail::readTable(std::string_view text, const std::string &name, std::string_view backend,
                         const std::vector<const CandidateFacts *> &known, std::vector<TableRow> &rows) {
  static constexpr std::string_view firstLine = "quadrille-table 1";
  bool hasBegun = false;
  std::string_view of = backend; // which backend rows are for
  for (unsigned number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r'))
      line.remove_suffix(1);
    const std::string origin = name + ":" + std::to_string(number);
    std::string_view rest = line;
    const std::string_view word = takeWord(rest);
    if (word.empty())
      continue;
    if (!hasBegun) {
      if (line != firstLine)
        return bad(origin, word == "quadrille-table"
                               ? "the table is of version" + std::string(rest) + ", this library reads version 1; write it anew with `quadrille tune`"
                               : "this is no table: the first line has to be `" + std::string(firstLine) + "`");
      hasBegun = true;
      continue;
    }
    if (word == "machine")
      continue;
    if (word == "backend") {
      of = takeWord(rest);
      if ((of != "shm" && of != "mpi") || !takeWord(rest).empty())
        return bad(origin, "the backend is " + quoted(of) + "; it can be `shm` or `mpi`");
      continue;
    }
    TableRow row;
    row.origin = origin;
    if (Status wrong = readRow(line, of, known, row))
      return wrong;
    if (of == backend)
      rows.push_back(std::move(row));
  }
  if (!hasBegun)
    return bad(name, "the table is empty; its first line has to be `" + std::string(firstLine) + "`");
  return {};
}
