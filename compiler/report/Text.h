//===- Text.h - Numbers and tables as reports print them ---------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_TEXT_H
#define QUADRILLE_REPORT_TEXT_H

#include "source/Sources.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace quadrille::compiler {

/// "1..33", "1,2,4,8"; "none" if there is no number.
std::string rangeText(llvm::ArrayRef<std::int64_t> values);

/// "file.quad:12:3"; empty if there is no place.
std::string placeText(const Sources &sources, llvm::SMRange range);

/// "280 bytes", "12.3 KB", "1.5 GB": thousands of bytes, and so on.
std::string bytesText(std::uint64_t bytes);

/// Prints rows of as many cells each in columns of UTF-8 text. Where the lines would be longer than `width`, columns on
/// the right are left out, but for the first two; 0: any length.
void printColumns(const std::vector<std::vector<std::string>> &rows, unsigned width, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_TEXT_H
