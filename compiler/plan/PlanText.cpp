//===- PlanText.cpp - Plans as text ------------------------------------------------------------------------------------------===//

#include "PlanText.h"

#include "source/Counted.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

namespace quadrille::compiler::plan {

std::string numbersText(llvm::ArrayRef<size_t> numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
      ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i] + 1);
    if (end > i + 1)
      text += (end > i + 2 ? ".." : ", ") + std::to_string(numbers[end - 1] + 1);
    i = end;
  }
  return text;
}

namespace {

/// A table whose columns are as wide as their longest cell. Columns of numbers are aligned right.
class Table {
public:
  explicit Table(std::vector<std::string> heads) : rows{std::move(heads)} {}

  void add(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  void print(llvm::ArrayRef<bool> isNumber, llvm::raw_ostream &out) const {
    std::vector<size_t> widths(rows[0].size());
    for (const std::vector<std::string> &row : rows)
      for (size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max(widths[i], row[i].size());
    for (const std::vector<std::string> &row : rows) {
      std::string line;
      for (size_t i = 0; i < row.size(); ++i) {
        const std::string gap(widths[i] - row[i].size(), ' ');
        line += "  " + (isNumber[i] ? gap + row[i] : row[i] + gap);
      }
      out << llvm::StringRef(line).rtrim() << '\n';
    }
  }

private:
  std::vector<std::vector<std::string>> rows;
};

std::string orBlank(std::uint64_t number) { return number == 0 ? "" : std::to_string(number); }

/// Why an operation is not carried out as it was recorded.
std::string reasonOf(const RecordedOperation &operation, Fate fate, const PlannedOperation *left) {
  const std::string &target = operation.operands[0].text;
  const std::string source = operation.operands.size() > 1 ? operation.operands[1].text : "";
  switch (fate) {
  case Fate::Kept:
    break;
  case Fate::Narrowed:
    return "of it only " + (left ? left->data() : "") + " is left, the rest nobody reads or can be read where it was";
  case Fate::Forwarded:
    return "who reads " + target + " reads " + source;
  case Fate::WrittenThrough:
    return "who writes " + source + " writes " + target;
  case Fate::Renamed:
    return source + " is in the memory of " + target + " from the beginning";
  case Fate::OnArrival:
    return "the message is combined as it arrives";
  }
  return {};
}

} // namespace

static void writeHead(const RankPlan &plan, llvm::StringRef schedule, llvm::StringRef caseText, llvm::raw_ostream &out) {
  const size_t narrowed = static_cast<size_t>(llvm::count(plan.fates, Fate::Narrowed));
  out << schedule << ", " << caseText << ": the plan of rank " << plan.rank
      << (plan.everyLength ? ", for every n" : ", for these lengths only") << '\n';
  out << "operations     " << plan.operations.size() << " of " << plan.recorded.size() << " that the emitted code has; " << plan.removed()
      << " removed, " << narrowed << " narrowed\n";
  out << "longest chain  " << counted(plan.longestChain(), "operation") << ", each waiting for the one before\n";
  out << "window         " << plan.window << " operations, from the first that is not done\n";
  if (const auto lockstep = llvm::count_if(plan.operations, [](const PlannedOperation &operation) { return operation.lockstep; }))
    out << "lockstep       " << lockstep << (lockstep == 1 ? " message waits" : " messages wait") << " for all steps before\n";
  out << '\n';
}

static void writeOperations(const RankPlan &plan, llvm::raw_ostream &out) {
  Table table({"#", "time", "line", "step", "operation", "waits for"});
  for (size_t i = 0; i < plan.operations.size(); ++i) {
    const PlannedOperation &operation = plan.operations[i];
    table.add({std::to_string(i + 1), std::to_string(operation.time), orBlank(operation.line), orBlank(operation.step), operation.text(),
               numbersText(operation.after)});
  }
  table.print({true, true, true, true, false, false}, out);
}

/// Lists operations of equal times, which do not wait for each other.
static void writeOverlap(const RankPlan &plan, llvm::raw_ostream &out) {
  std::map<size_t, std::vector<size_t>> atTime;
  for (size_t i = 0; i < plan.operations.size(); ++i)
    atTime[plan.operations[i].time].push_back(i);
  const bool isAny = llvm::any_of(atTime, [](const auto &entry) { return entry.second.size() > 1; });
  if (!isAny)
    return;
  out << "\nmay be under way together\n";
  for (const auto &[time, operations] : atTime)
    if (operations.size() > 1)
      out << "  " << numbersText(operations) << '\n';
}

static void writeRemoved(const RankPlan &plan, llvm::raw_ostream &out) {
  std::map<size_t, const PlannedOperation *> left;
  for (const PlannedOperation &operation : plan.operations)
    left[operation.recorded] = &operation;
  bool isFirst = true;
  for (size_t i = 0; i < plan.recorded.size(); ++i) {
    if (plan.fates[i] == Fate::Kept)
      continue;
    out << (isFirst ? "\nremoved or narrowed\n" : "");
    isFirst = false;
    const auto found = left.find(i);
    out << "  " << plan.recorded[i].text() << ": " << reasonOf(plan.recorded[i], plan.fates[i], found == left.end() ? nullptr : found->second)
        << '\n';
  }
}

/// Lists operands whose blocks lie side by side in memory, so that they are moved as one.
static void writeJoined(const RankPlan &plan, llvm::raw_ostream &out) {
  std::vector<std::pair<Operand, std::vector<size_t>>> joined; // in the order of the plan: the operations that have it
  std::map<std::string, size_t> placeOf;
  for (size_t i = 0; i < plan.operations.size(); ++i)
    for (const Operand &operand : plan.operations[i].operands) {
      if (operand.pieces >= operand.blocks)
        continue;
      const auto [place, isNew] = placeOf.try_emplace(operand.text, joined.size());
      if (isNew)
        joined.push_back({operand, {}});
      std::vector<size_t> &operations = joined[place->second].second;
      if (operations.empty() || operations.back() != i)
        operations.push_back(i);
    }
  if (!joined.empty())
    out << "\njoined\n";
  for (const auto &[operand, operations] : joined)
    out << "  " << operand.text << ": " << operand.blocks << " blocks in " << counted(operand.pieces, "piece")
        << " of memory (" << numbersText(operations) << ")\n";
}

void writeExplanation(const RankPlan &plan, llvm::StringRef schedule, llvm::StringRef caseText, llvm::raw_ostream &out) {
  writeHead(plan, schedule, caseText, out);
  writeOperations(plan, out);
  writeOverlap(plan, out);
  writeRemoved(plan, out);
  writeJoined(plan, out);
}

} // namespace quadrille::compiler::plan
