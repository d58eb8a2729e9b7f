//===- Generate.cpp - Random programs -------------------------------------------------------------------------------------===//

#include "Generate.h"

#include "Edits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

namespace quadrille::compiler::fuzz {

const char *kindName(Kind kind) {
  switch (kind) {
  case Kind::Statements:
    return "statements";
  case Kind::Patterns:
    return "patterns";
  case Kind::Compositions:
    return "compositions";
  case Kind::Fillings:
    return "fillings";
  case Kind::Library:
    return "library";
  case Kind::Tokens:
    return "tokens";
  }
  return "";
}

bool Material::load(const Compiler &compiler, const std::string &patternsFile) {
  auto file = llvm::MemoryBuffer::getFile(patternsFile, /*IsText=*/true);
  if (!file) {
    llvm::errs() << patternsFile << ": " << file.getError().message() << '\n';
    return false;
  }
  std::string pattern;
  for (llvm::StringRef rest = (*file)->getBuffer(); !rest.empty();) {
    auto [line, tail] = rest.split('\n');
    rest = tail;
    if (line == "----") {
      patterns.push_back(std::move(pattern));
      pattern.clear();
    } else if (!line.starts_with("#")) {
      pattern += (line + "\n").str();
    }
  }
  patterns.push_back(std::move(pattern));
  for (unsigned buffer = 1; buffer <= compiler.sources.manager().getNumBuffers(); ++buffer)
    libraryFiles.push_back(compiler.sources.text(buffer).str());
  return true;
}

// ---- patterns

namespace {

/// Chooses one alternative of each group in a pattern.
class Chooser {
public:
  Chooser(llvm::StringRef text, Random &random) : rest(text), random(random) {}

  /// Reads up to the end, or up to a character that ends a group or separates alternatives.
  std::string run() {
    std::string result;
    while (!rest.empty() && !at("¦") && !at("»") && !at("›")) {
      if (at("«") || at("‹")) {
        result += group();
      } else {
        result += rest.front();
        rest = rest.drop_front();
      }
    }
    return result;
  }

private:
  bool at(llvm::StringRef sign) const { return rest.starts_with(sign); }
  bool skip(llvm::StringRef sign) { return rest.consume_front(sign); }

  std::string group() {
    const bool isRightFirst = skip("‹");
    if (!isRightFirst)
      skip("«");
    std::optional<char> together;
    if (rest.size() > 1 && llvm::isDigit(rest[0]) && rest[1] == ':') {
      together = rest[0];
      rest = rest.drop_front(2);
    }
    std::vector<std::string> choices;
    do
      choices.push_back(run());
    while (skip("¦"));
    skip(isRightFirst ? "›" : "»");
    if (together) {
      auto [entry, isNew] = taken.try_emplace(*together, 0);
      if (isNew)
        entry->second = random.below(choices.size());
      return choices[entry->second % choices.size()];
    }
    return isRightFirst && (choices.size() == 1 || random.chance(85)) ? choices[0]
           : isRightFirst                                            ? choices[1 + random.below(choices.size() - 1)]
                                                                     : random.pick(choices);
  }

  llvm::StringRef rest;
  Random &random;
  std::map<char, size_t> taken; // the alternative chosen for groups with the same letter
};

} // namespace

std::string fromPattern(const std::string &pattern, Random &random) { return Chooser(pattern, random).run(); }

// ---- tokens

std::vector<std::string> tokensOf(llvm::StringRef text) {
  std::vector<std::string> tokens;
  while (!text.empty()) {
    size_t end = 0;
    while (end < text.size() && llvm::isSpace(text[end]))
      ++end;
    auto isWord = [&](size_t at) { return at < text.size() && (llvm::isAlnum(text[at]) || text[at] == '_'); };
    auto isSign = [&](size_t at) { return at < text.size() && llvm::StringRef(":=<>.+*-!/").contains(text[at]); };
    if (isWord(end))
      while (isWord(end))
        ++end;
    else if (isSign(end))
      while (isSign(end))
        ++end;
    else if (end < text.size())
      ++end;
    tokens.push_back(text.take_front(end).str());
    text = text.drop_front(end);
  }
  return tokens;
}

std::string withTokensChanged(const std::string &text, Random &random) {
  static const std::vector<std::string> words = {
      "(",      ")",     "[",     "]",       "{",         "}",       ",",      ":=",   "..<",     "..",    "..+",    "->",   "@",
      ".",      "<>",    "-",     "+",       "*",         "**",      "/",      "mod",  "div",     "<<",    "xor",    "if",   "then",
      "else",   "for",   "in",    "step",    "send",      "recv",    "exchange", "with", "into",  "to",    "from",   "use",  "among",
      "let",    "var",   "split", "block",   "of",        "at",      "not",    "and",  "or",      "none",  "true",   "0",    "1",
      "9223372036854775807", "p", "me", "root", "x", "y", "n", "k", "len", "fold", "sum", "invariant", "clock", "requires", "model",
      "cost",   "rounds", "ranks", "halvings", "reversed", "half",   "times",  "by",   "downto",  "others", "schedule", "fn", "tree",
      "collective", "lemma", "ensures", "heard", "height", "packet", "ceil", "=", "==", "<", "é", "\"", "#", "$", "/*", "//", "0x1F", "1e9", ";"};
  std::vector<std::string> tokens = tokensOf(text);
  const unsigned changes = 1 + random.below(4);
  for (unsigned i = 0; i < changes && tokens.size() > 1; ++i) {
    const size_t at = random.below(tokens.size()), other = random.below(tokens.size());
    switch (random.below(6)) {
    case 0:
      tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens[at]);
      break;
    case 2:
      std::swap(tokens[at], tokens[other]);
      break;
    case 3:
      tokens[at] = tokens[other];
      break;
    case 4:
      tokens[at] = " " + random.pick(words);
      break;
    default: // move a range of tokens
      if (const size_t length = 1 + random.below(std::min<size_t>(12, tokens.size() - std::max(at, other))); true) {
        const std::vector<std::string> stretch(tokens.begin() + static_cast<std::ptrdiff_t>(at),
                                               tokens.begin() + static_cast<std::ptrdiff_t>(at + length));
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(other), stretch.begin(), stretch.end());
      }
    }
  }
  return llvm::join(tokens, "");
}

// ---- all kinds

static std::string unchanged(Kind kind, const Material &material, Random &random) {
  switch (kind) {
  case Kind::Statements:
    return randomStatements(random);
  case Kind::Patterns:
    return fromPattern(random.pick(material.patterns), random);
  case Kind::Compositions:
    return randomComposition(random);
  case Kind::Fillings:
    return randomFilling(random);
  case Kind::Library:
    return random.pick(material.libraryFiles);
  case Kind::Tokens:
    return withTokensChanged(random.chance(70) ? random.pick(material.libraryFiles) : fromPattern(random.pick(material.patterns), random),
                             random);
  }
  return "";
}

std::string generate(Kind kind, std::uint64_t seed, std::uint64_t index, unsigned edits, const Material &material, Compiler &compiler) {
  Random random(seed ^ (static_cast<std::uint64_t>(kind) + 1) << 56, index);
  std::string text = unchanged(kind, material, random);
  if (kind == Kind::Tokens)
    return text;
  // Half of the programs are not changed.
  const unsigned changes = edits == 0 || random.chance(50) ? 0 : 1 + random.below(edits);
  for (unsigned i = 0; i < changes; ++i) {
    llvm::StringRef kept;
    std::optional<ast::File> file = compiler.syntax(text, kept);
    if (!file)
      break;
    const std::vector<Edit> possible = editsOf(*file, kept, random);
    if (possible.empty())
      break;
    text = random.pick(possible).applyTo(kept);
  }
  compiler.messages.clear();
  return text;
}

} // namespace quadrille::compiler::fuzz
