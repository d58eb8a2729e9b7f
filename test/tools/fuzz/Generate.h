//===- Generate.h - Random programs -----------------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_TEST_FUZZ_GENERATE_H
#define QUADRILLE_TEST_FUZZ_GENERATE_H

#include "Oracle.h"
#include "Random.h"

#include <array>
#include <string>
#include <vector>

namespace quadrille::compiler::fuzz {

enum class Kind {
  Statements,   // random statements, typed as they go
  Patterns,     // programs of textbooks, with choices (patterns.txt)
  Compositions, // schedules of the library on each other's results
  Fillings,     // blocks and packets of which some are there
  Library,      // schedules of the library
  Tokens,       // files of the library with tokens dropped, doubled, exchanged: for the parser and sema
};
inline constexpr std::array kinds = {Kind::Statements, Kind::Patterns, Kind::Compositions, Kind::Fillings, Kind::Library, Kind::Tokens};
const char *kindName(Kind kind);

/// What programs are made from.
struct Material {
  std::vector<std::string> patterns, libraryFiles;

  /// False, after a message on standard error, if something cannot be read.
  bool load(const Compiler &compiler, const std::string &patternsFile);
};

/// The program that a seed and a number give: made by its kind and then, except for tokens, changed in up to `edits` places.
std::string generate(Kind kind, std::uint64_t seed, std::uint64_t index, unsigned edits, const Material &material, Compiler &compiler);

// The kinds.
std::string fromPattern(const std::string &pattern, Random &random);
std::string randomStatements(Random &random);
std::string randomComposition(Random &random);
std::string randomFilling(Random &random);
std::string withTokensChanged(const std::string &text, Random &random);

/// A text as tokens, with the white space before each.
std::vector<std::string> tokensOf(llvm::StringRef text);

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_GENERATE_H
