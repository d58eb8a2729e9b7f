//===- OptionRules.h - Which options do not fit together --------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_DRIVER_OPTIONRULES_H
#define QUADRILLE_DRIVER_OPTIONRULES_H

#include "OptionValues.h"
#include "Options.h"

namespace quadrille::compiler {

/// The --format of a command that has results for programs; null if it has none.
const WordOption *formatOfData(const llvm::cl::SubCommand &command);

/// The format that --format names or, without it, the ending of the file of -o; empty: text.
std::string givenFormat(const llvm::cl::SubCommand &command);

/// The first mistake that is found in the options together; empty: none.
std::string whatDoesNotFit(llvm::cl::SubCommand &command, const Options &options);

} // namespace quadrille::compiler

#endif // QUADRILLE_DRIVER_OPTIONRULES_H
