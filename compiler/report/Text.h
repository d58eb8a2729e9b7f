//===- Text.h - Numbers and tables as reports print them ---------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_TEXT_H
#define QUADRILLE_REPORT_TEXT_H

#include "source/Counted.h"
#include "source/Sources.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace quadrille::compiler {

/// "file.quad:12:3"; empty if there is no place.
std::string placeText(const Sources &sources, llvm::SMRange range);

/// "280 bytes", "12.3 KB", "1.5 GB"; a KB is 1000 bytes.
std::string bytesText(std::uint64_t bytes);

/// Prints rows of cells, which are UTF-8 text, in columns. If lines would be longer than `width`, columns on the right are
/// left out, but never the first two, whose cells then go on below; 0: any length. \returns how many columns are shown.
size_t printColumns(const std::vector<std::vector<std::string>> &rows, unsigned width, llvm::raw_ostream &out);

/// The number of columns of the terminal that shows `out`, standard output or error; 0: `out` goes elsewhere.
unsigned terminalColumns(const llvm::raw_ostream &out);

/// Prints the same, without leaving out columns: if lines would be longer than `width`, the widest cells go on below; if there is no room for
/// that either, each row is printed as a paragraph. 0: any length.
void printWrapped(const std::vector<std::vector<std::string>> &rows, unsigned width, llvm::raw_ostream &out);

/// Prints lines; what does not fit into `width` goes on below, indented. 0: any length.
void printLines(llvm::StringRef lines, unsigned width, unsigned indent, llvm::raw_ostream &out);

/// Breaks a text at blanks into lines of at most `width` columns. A longer word has a line of its own.
std::vector<std::string> wrapped(llvm::StringRef text, size_t width);

/// A label in `width` columns, and a text beside it, whose lines go on below it. If a terminal has no room for that, the text begins below the
/// label. `columns`: those of the terminal; 0: none.
void printBeside(llvm::StringRef label, size_t width, llvm::StringRef text, unsigned columns, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_TEXT_H
