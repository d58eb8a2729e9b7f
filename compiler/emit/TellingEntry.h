//===- TellingEntry.h - The public function of a schedule whose ranks tell each other lengths -------------------*- C++ -*-===//
//
// Private to Emit. `requires knows len[j] by allgather/bruck`: the public function takes what ranks know by the collective. All ranks are
// told the rest, by the schedule that the clause names; then it calls the function for callers that know all lengths. Both are one call
// for the runtime (Communicator::together), since the first may fail on some ranks only.
//
//===----------------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_EMIT_TELLINGENTRY_H
#define QUADRILLE_EMIT_TELLINGENTRY_H

#include "IrToCpp.h"

namespace quadrille::compiler::emit {

struct TellingEntry {
  std::vector<cpp::Function> tell; // one for each table: fills it on all ranks
  cpp::Function definition;
  std::vector<std::string> comment; // for the prototype
  /// The function template that calls another function with what a rank knows of whole tables.
  std::optional<cpp::Function> fromWholeTables;
};

/// Chooses names for TellingEntry::tell, by table, before any function has chosen names for its parameters.
std::vector<std::string> namesOfTelling(Module &module, const ir::Schedule &schedule);

/// `told`: the public function for callers that know all lengths. `tell`: from namesOfTelling. `fromWholeTables`: a name for that of
/// TellingEntry; if it is empty, it is not made.
TellingEntry lowerTelling(Module &module, const ir::Schedule &schedule, const std::string &name, const EntryPoint &told,
                          llvm::ArrayRef<std::string> tell, const std::string &fromWholeTables);

} // namespace quadrille::compiler::emit

#endif // QUADRILLE_EMIT_TELLINGENTRY_H
