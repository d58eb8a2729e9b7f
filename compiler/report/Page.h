//===- Page.h - Pages of the documentation on a terminal -------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_REPORT_PAGE_H
#define QUADRILLE_REPORT_PAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

/// Prints a page without the marks of Markdown; examples are indented.
void printPage(llvm::StringRef page, llvm::raw_ostream &out);

} // namespace quadrille::compiler

#endif // QUADRILLE_REPORT_PAGE_H
