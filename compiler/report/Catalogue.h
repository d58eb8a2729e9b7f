//===- Catalogue.h - A list of schedules, with what a reader chooses one by ---------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_CATALOGUE_H
#define QUADRILLE_REPORT_CATALOGUE_H

#include "ir/Schedule.h"
#include "source/Sources.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace quadrille::compiler {

/// A row of the catalogue. `-` stands for what the schedule does not claim.
struct CatalogueEntry {
  std::string collective, algorithm;
  std::string ranks;  // "any p", "pow2(p)"
  std::string proved; // "all p", "all but cost", "in part", "p tried"; "-" if nobody asked
  std::string model;  // "full_duplex", "ports(k)"
  std::string law;    // of the operator: "-", "associative", "commutative"
  std::string rounds; // "ceil_log2(p)", "<= 2*height(...)"
  std::string words;  // the factor of beta in the cost: "(p - 1)*n"
  std::string cost;   // as written, without names of the schedule's own
  std::string source; // "Grama et al., 2003, Algorithm 4.4"
  std::string file;   // the path in the folder of the library: "allgather/ring.quad"; empty if it is elsewhere
};

/// Makes the row of a schedule. `library`: the folder of the library.
CatalogueEntry catalogueEntry(const ir::Schedule &schedule, const Sources &sources, llvm::StringRef library);

/// The source that a comment names:
///   - what stands in parentheses and contains a year after other words, several of them separated by semicolons; or
///   - the sentence that contains a year, from the beginning of its line up to a colon or its end.
/// Empty if there is no year in it.
std::string citation(llvm::StringRef comment);

/// Prints the rows in columns. Columns on the right are left out if lines would be longer than `width`; 0: any length.
void printCatalogueText(const std::vector<CatalogueEntry> &entries, unsigned width, llvm::raw_ostream &out);
/// Prints a table for each collective. The page of the whole library begins with an introduction.
void printCatalogueMarkdown(const std::vector<CatalogueEntry> &entries, bool wholeLibrary, llvm::raw_ostream &out);
void printCatalogueJson(const std::vector<CatalogueEntry> &entries, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_CATALOGUE_H
