//===- Results.cpp - What a command has found, as data ---------------------------------------------------------------------===//

#include "Results.h"

#include "Text.h"

#include "diagnostics/Json.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace quadrille::compiler {

std::vector<size_t> Results::reportedSince() {
  std::vector<size_t> result;
  while (seen < diagnostics.reported().size())
    result.push_back(seen++);
  return result;
}

void Results::add(Entry entry) {
  llvm::append_range(entry.diagnostics, reportedSince());
  entries.push_back(std::move(entry));
}

void Results::write(Format format, bool isGood, llvm::raw_ostream &out) const {
  switch (format) {
  case Format::Json:
    return writeJson(isGood, out);
  case Format::Junit:
    return writeJunit(out);
  case Format::Csv:
    return writeCsv(out);
  }
}

// ---- JSON --------------------------------------------------------------------------------------------------------------

void Results::writeJson(bool isGood, llvm::raw_ostream &out) const {
  const std::vector<Diagnostic> &reported = diagnostics.reported();
  std::set<size_t> told;
  Json json(out, 2);
  auto writeOne = [&](size_t number) {
    writeDiagnostic(json, reported[number], diagnostics.severityOf(reported[number]), sources);
    told.insert(number);
  };
  json.object([&] {
    json.attribute("format", version);
    json.attribute("command", command);
    json.attribute("ok", isGood);
    json.attributeArray("schedules", [&] {
      for (const Entry &entry : entries)
        json.object([&] {
          json.attribute("schedule", entry.schedule->path());
          writePlace(json, sources, entry.schedule->nameRange, "");
          json.attribute("verdict", entry.verdict);
          json.attribute("ok", llvm::none_of(entry.diagnostics, [&](size_t number) { return isError(number); }));
          if (entry.members)
            entry.members(json);
          json.attributeArray("diagnostics", [&] { llvm::for_each(entry.diagnostics, writeOne); });
        });
    });
    json.attributeArray("diagnostics", [&] {
      for (size_t number = 0; number < reported.size(); ++number)
        if (!told.count(number))
          writeOne(number);
    });
  });
  out << '\n';
}

void writeNumbers(llvm::json::OStream &json, llvm::StringRef name, llvm::ArrayRef<std::int64_t> numbers) {
  json.attributeArray(name, [&] {
    for (std::int64_t number : numbers)
      json.value(number);
  });
}

void writeValues(llvm::json::OStream &json, const diag::Values &values) {
  for (const auto &[name, number] : values.value)
    json.attribute(name, number);
  if (!values.nodes.empty())
    writeNumbers(json, "nodes", values.nodes);
}

// ---- JUnit -------------------------------------------------------------------------------------------------------------

/// Text as XML. Control characters are left out, since XML has no way to write them.
static std::string escaped(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\n':
      result += "&#10;";
      break;
    default:
      result += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
    }
  return result;
}

std::string Results::textOf(size_t number) const {
  const Diagnostic &diagnostic = diagnostics.reported()[number];
  auto at = [&](llvm::SMRange range) { return range.isValid() ? placeText(sources, range) + ": " : std::string(); };
  std::string text = at(diagnostic.range) + (diagnostic.file.empty() || diagnostic.range.isValid() ? "" : diagnostic.file + ": ") +
                     severityText(diagnostics.severityOf(diagnostic)).str() + ": " + formatMessage(diagnostic.facts) + " [" +
                     diag::codeText(diagnostic.id()) + "]";
  for (const Note &note : diagnostic.notes)
    text += "\n" + at(note.range) + "note: " + formatMessage(note.facts);
  return text;
}

std::vector<Results::Test> Results::testsOf(const Entry &entry) const {
  std::vector<Test> tests = entry.tests;
  const bool isTold = llvm::any_of(tests, [](const Test &test) { return test.outcome == Test::Failed || test.outcome == Test::NotDone; });
  Test whole;
  for (size_t number : entry.diagnostics)
    if (isError(number)) {
      whole.outcome = Test::Failed;
      whole.message += (whole.message.empty() ? "" : "\n") + textOf(number);
    }
  if (tests.empty() || (whole.outcome == Test::Failed && !isTold))
    tests.push_back(std::move(whole));
  return tests;
}

void Results::writeJunit(llvm::raw_ostream &out) const {
  std::string text;
  llvm::raw_string_ostream cases(text);
  size_t counts[4] = {};
  auto writeTest = [&](const std::string &suite, const std::string &name, const Place &place, const Test &test) {
    ++counts[test.outcome];
    cases << "    <testcase classname=\"" << escaped(suite) << "\" name=\"" << escaped(name) << '"';
    if (place.line)
      cases << " file=\"" << escaped(place.file) << "\" line=\"" << place.line << '"';
    if (test.outcome == Test::Passed) {
      cases << "/>\n";
      return;
    }
    const char *const element = test.outcome == Test::Failed ? "failure" : test.outcome == Test::NotDone ? "error" : "skipped";
    const auto [first, rest] = llvm::StringRef(test.message).split('\n');
    cases << ">\n      <" << element << " message=\"" << escaped(first) << '"';
    if (test.outcome == Test::LeftOut)
      cases << "/>\n";
    else
      cases << '>' << escaped(test.message) << "</" << element << ">\n";
    cases << "    </testcase>\n";
  };
  std::set<size_t> told;
  for (const Entry &entry : entries) {
    told.insert(entry.diagnostics.begin(), entry.diagnostics.end());
    const Place place = sources.place(entry.schedule->nameRange.Start);
    for (const Test &test : testsOf(entry)) {
      if (test.name.empty())
        writeTest(entry.schedule->collective->name, entry.schedule->name, place, test);
      else
        writeTest(entry.schedule->collective->name + "." + entry.schedule->name, test.name, place, test);
    }
  }
  for (size_t number = 0; number < diagnostics.reported().size(); ++number)
    if (!told.count(number) && isError(number)) {
      const Diagnostic &diagnostic = diagnostics.reported()[number];
      const Place place = sources.place(diagnostic.range.Start);
      writeTest("quadrille", place.line ? place.file : diagnostic.file.empty() ? command : diagnostic.file, place,
                {Test::NotDone, "", textOf(number)});
    }
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"quadrille " << escaped(command) << "\" tests=\""
      << counts[Test::Passed] + counts[Test::Failed] + counts[Test::NotDone] + counts[Test::LeftOut] << "\" failures=\""
      << counts[Test::Failed] << "\" errors=\"" << counts[Test::NotDone] << "\" skipped=\"" << counts[Test::LeftOut] << "\">\n"
      << cases.str() << "  </testsuite>\n</testsuites>\n";
}

// ---- CSV ---------------------------------------------------------------------------------------------------------------

/// A field as in RFC 4180.
static std::string field(const std::string &text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

void Results::writeCsv(llvm::raw_ostream &out) const {
  // The columns of all rows, in an order that fits every row.
  std::vector<std::string> columns;
  for (const Entry &entry : entries)
    for (const Row &row : entry.rows) {
      size_t place = 0;
      for (const auto &[name, cell] : row) {
        auto found = llvm::find(columns, name);
        if (found == columns.end())
          found = columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(place), name);
        place = static_cast<size_t>(found - columns.begin()) + 1;
      }
    }
  if (columns.empty())
    return;
  out << "schedule";
  for (const std::string &column : columns)
    out << ',' << field(column);
  out << '\n';
  for (const Entry &entry : entries)
    for (const Row &row : entry.rows) {
      out << field(entry.schedule->path());
      for (const std::string &column : columns) {
        auto found = llvm::find_if(row, [&](const auto &cell) { return cell.first == column; });
        out << ',' << (found == row.end() ? "" : field(found->second));
      }
      out << '\n';
    }
}

} // namespace quadrille::compiler
