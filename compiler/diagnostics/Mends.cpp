//===- Mends.cpp - What would make a diagnostic go away -------------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler {

namespace {

/// The value of the first fact with one of these names; empty if there is none.
std::string factNamed(const diag::Facts &facts, llvm::ArrayRef<llvm::StringRef> names) {
  for (const diag::Field &field : facts.fields())
    for (llvm::StringRef name : names)
      if (field.name == name)
        if (const auto *text = std::get_if<diag::Name>(&field.value); text && !text->value.empty())
          return text->value;
  return "";
}

bool isWordPart(char c) { return llvm::isAlnum(c) || c == '_'; }

} // namespace

Diagnostic &Diagnostic::instead(llvm::StringRef text) {
  // A text ends with a zero byte, and before it in memory stands the name of its buffer.
  const char *begin = range.Start.getPointer(), *end = range.End.getPointer();
  std::string written = text.str();
  if (isWordPart(text.front()) && !isWordPart(*begin) && (isWordPart(begin[-1]) || begin[-1] == ')' || begin[-1] == ']'))
    written = " " + written;
  if (isWordPart(text.back()) && !isWordPart(end[-1]) && (isWordPart(*end) || *end == '('))
    written += " ";
  mends.push_back({"write `" + text.str() + "`", range, written});
  return *this;
}

Mend deletion(std::string title, llvm::SMRange range) {
  const char *begin = range.Start.getPointer(), *end = range.End.getPointer();
  const char *line = begin, *rest = end;
  while (line[-1] == ' ' || line[-1] == '\t')
    --line;
  while (*rest == ' ' || *rest == '\t' || *rest == '\r')
    ++rest;
  if (line[-1] == '\n' && *rest == '\n') {
    begin = line;
    end = rest + 1;
  }
  return {std::move(title), {llvm::SMLoc::getFromPointer(begin), llvm::SMLoc::getFromPointer(end)}, ""};
}

std::vector<Mend> mendsOf(const Diagnostic &diagnostic) {
  std::vector<Mend> result = diagnostic.mends;
  if (!diagnostic.range.isValid())
    return result;
  // "did you mean": the nearest name, if the range is that of the wrong one.
  const std::string near = factNamed(diagnostic.facts, {"near"}), wrong = factNamed(diagnostic.facts, {"name", "found", "file"});
  const char *begin = diagnostic.range.Start.getPointer();
  const llvm::StringRef blamed(begin, static_cast<size_t>(diagnostic.range.End.getPointer() - begin));
  if (!near.empty() && blamed == wrong)
    result.push_back({"write `" + near + "`", diagnostic.range, near});
  return result;
}

} // namespace quadrille::compiler
