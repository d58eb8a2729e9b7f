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
  Statements,   // random well-typed statements
  Patterns,     // textbook programs with alternatives (patterns.txt)
  Compositions, // schedules that use several schedules of the library
  Fillings,     // blocks and packets that are partly written
  Library,      // schedules of the library
  Tokens,       // files of the library with tokens dropped, doubled, exchanged: for the parser and sema
};
inline constexpr std::array kinds = {Kind::Statements, Kind::Patterns, Kind::Compositions, Kind::Fillings, Kind::Library, Kind::Tokens};
const char *kindName(Kind kind);

/// Input of the generators.
struct Material {
  std::vector<std::string> patterns, libraryFiles;

  /// False, after a message on standard error, if something cannot be read.
  bool load(const Compiler &compiler, const std::string &patternsFile);
};

/// Program number `index` of a kind for a seed. It is generated and then, except for Tokens, changed in up to `edits` places.
std::string generate(Kind kind, std::uint64_t seed, std::uint64_t index, unsigned edits, const Material &material, Compiler &compiler);

// The generators of the kinds.
std::string fromPattern(const std::string &pattern, Random &random);
std::string randomStatements(Random &random);
std::string randomComposition(Random &random);
std::string randomFilling(Random &random);
std::string withTokensChanged(const std::string &text, Random &random);

/// The tokens of a text, each with the white space before it.
std::vector<std::string> tokensOf(llvm::StringRef text);

} // namespace quadrille::compiler::fuzz

#endif // QUADRILLE_TEST_FUZZ_GENERATE_H
