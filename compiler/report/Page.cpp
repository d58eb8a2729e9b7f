//===- Page.cpp - Pages of the documentation on a terminal -----------------------------------------------------------------------===//

#include "Page.h"

#include <string>
#include <tuple>
#include <utility>

namespace quadrille::compiler {

/// Markdown with `text` in place of each `[text](address)`.
static std::string withoutLinks(llvm::StringRef prose) {
  std::string result;
  for (size_t middle; (middle = prose.find("](")) != llvm::StringRef::npos;) {
    const size_t begin = prose.rfind('[', middle), end = prose.find(')', middle);
    if (begin == llvm::StringRef::npos || end == llvm::StringRef::npos)
      break;
    result += prose.take_front(begin).str() + prose.slice(begin + 1, middle).str();
    prose = prose.drop_front(end + 1);
  }
  return result + prose.str();
}

void printPage(llvm::StringRef page, llvm::raw_ostream &out) {
  std::string prose; // links may go over the ends of lines
  bool isExample = false, wasBlank = true;
  while (!page.empty()) {
    llvm::StringRef line;
    std::tie(line, page) = page.split('\n');
    if (line.starts_with("```")) {
      isExample = !isExample;
      out << withoutLinks(std::exchange(prose, ""));
      continue;
    }
    if ((!isExample && line.starts_with("<!--")) || (line.empty() && wasBlank))
      continue;
    wasBlank = line.empty();
    if (isExample)
      out << (line.empty() ? "" : "    ") << line << '\n';
    else
      prose += (line.starts_with("#") ? line.ltrim("# ") : line).str() + "\n";
  }
  out << withoutLinks(prose);
}

} // namespace quadrille::compiler
