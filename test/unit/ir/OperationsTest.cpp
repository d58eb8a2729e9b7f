//===- OperationsTest.cpp - The table of operations is what the language, its description and the runtime have ---------===//

#include "ir/Operations.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

namespace quadrille::compiler::ir {
namespace {

std::string fileText(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(QUADRILLE_SOURCE_FOLDER "/" + path);
  return file ? (*file)->getBuffer().str() : "";
}

/// The lines of the table in docs/language.md that begins with this header.
std::vector<std::string> documentedTable(llvm::StringRef header) {
  static const std::string text = fileText("docs/language.md");
  llvm::StringRef rest = llvm::StringRef(text).split(header).second;
  llvm::SmallVector<llvm::StringRef, 32> lines;
  rest.split(lines, '\n');
  std::vector<std::string> rows;
  for (llvm::StringRef line : llvm::ArrayRef(lines).drop_front(2)) {
    if (!line.starts_with("|"))
      break;
    rows.push_back(line.str());
  }
  return rows;
}

/// The words in backticks in the first column of a row.
std::vector<std::string> quoted(const std::string &row) {
  std::vector<std::string> result;
  const std::regex cell("`([^`]*)`");
  // A `|` in a cell is written `\|`.
  const std::string first = std::regex_replace(row.substr(1), std::regex("([^\\\\])\\|.*"), "$1");
  for (std::sregex_iterator i(first.begin(), first.end(), cell), end; i != end; ++i)
    result.push_back(std::regex_replace((*i)[1].str(), std::regex("\\\\\\|"), "|"));
  return result;
}

TEST(Operations, HaveTheirPlacesInTheTable) {
  std::set<std::pair<Form, std::string>> words;
  for (const Operation &operation : operations()) {
    EXPECT_EQ(&operationOf(operation.op), &operation) << operation.name.str();
    EXPECT_EQ(operation.form == Form::Own, operation.word.empty()) << operation.name.str();
    if (operation.form == Form::Own)
      continue;
    EXPECT_TRUE(words.emplace(operation.form, operation.word.str()).second) << operation.word.str() << " means two things";
    EXPECT_EQ(operationWritten(operation.form, operation.word), &operation);
    EXPECT_EQ(operation.isOpen(), operation.binding != Binding::Atom) << operation.name.str();
  }
}

TEST(Operations, FunctionsAreDocumented) {
  std::set<std::string> documented, known = {"height"};
  for (const std::string &row : documentedTable("\n| function | value |"))
    for (const std::string &call : quoted(row))
      if (call.find('(') != std::string::npos)
        documented.insert(call.substr(0, call.find('(')));
  for (const Operation &operation : operations())
    if (operation.form == Form::Function)
      known.insert(operation.word.str());
  EXPECT_EQ(documented, known);
}

TEST(Operations, OperatorsAreDocumentedFromTheTightestToTheLoosest) {
  std::map<std::string, size_t> infix, prefix;
  const std::vector<std::string> rows = documentedTable("\n| operators | meaning | |");
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool isPrefix = rows[i].find("(one operand)") != std::string::npos || rows[i].find("`not`") != std::string::npos;
    for (const std::string &word : quoted(rows[i]))
      (isPrefix ? prefix : infix)[word] = i;
  }
  std::map<size_t, Binding> levels;
  for (const Operation &operation : operations()) {
    if (operation.form != Form::Infix && operation.form != Form::Prefix)
      continue;
    const auto &documented = operation.form == Form::Infix ? infix : prefix;
    const auto row = documented.find(operation.word.str());
    ASSERT_NE(row, documented.end()) << operation.word.str() << " is not among the operators";
    const auto [level, isNew] = levels.emplace(row->second, operation.binding);
    EXPECT_EQ(level->second, operation.binding) << operation.word.str() << " is in a line with operators of another level";
  }
  std::optional<Binding> before;
  for (const auto &[row, binding] : levels) {
    if (before) {
      EXPECT_GT(*before, binding) << "line " << row + 1 << " of the operators";
    }
    before = binding;
  }
}

TEST(Operations, FunctionsOfEmittedCodeAreThoseOfTheRuntime) {
  const std::string text = fileText("runtime/include/quadrille/math.h");
  for (const Operation &operation : operations()) {
    const bool isFunction = !operation.cpp.empty() && llvm::isAlpha(operation.cpp.front());
    EXPECT_EQ(operation.cpp.empty(), operation.isCostOnly() || operation.signature == Signature::Own) << operation.name.str();
    if (!isFunction)
      continue;
    const std::string parameters = operation.signature == Signature::Unary ? "\\(Index \\w+\\)" : "\\(Index \\w+, Index \\w+\\)";
    EXPECT_TRUE(std::regex_search(text, std::regex("constexpr (Index|bool) " + operation.cpp.str() + parameters)))
        << operation.cpp.str() << " is no function of quadrille/math.h with that many numbers";
  }
}

} // namespace
} // namespace quadrille::compiler::ir
