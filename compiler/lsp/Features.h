//===- Features.h - What an editor can ask of a text ---------------------------------------------------------------------*- C++ -*-===//
//
// Each feature is a function from a document and the parameters of a request to its result, which is null if there is none. Features run
// in processes of their own. A result must not refer to the analysis, which is destroyed before the result is written.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_LSP_FEATURES_H
#define QUADRILLE_LSP_FEATURES_H

#include "Analysis.h"

namespace quadrille::compiler::lsp {

/// For a name: its type and shape, or its declaration. For a clause about costs: the formula that is proved.
llvm::json::Value hover(const World &world, const Document &document, const llvm::json::Object &params);

llvm::json::Value definition(const World &world, const Document &document, const llvm::json::Object &params);
llvm::json::Value references(const World &world, const Document &document, const llvm::json::Object &params);
llvm::json::Value highlights(const World &world, const Document &document, const llvm::json::Object &params);
llvm::json::Value prepareRename(const World &world, const Document &document, const llvm::json::Object &params);
/// Throws NoAnswer if the new name would change the meaning of a text.
llvm::json::Value rename(const World &world, const Document &document, const llvm::json::Object &params);

llvm::json::Value completion(const World &world, const Document &document, const llvm::json::Object &params);
llvm::json::Value formatting(const World &world, const Document &document, const llvm::json::Object &params);
llvm::json::Value symbols(const World &world, const Document &document, const llvm::json::Object &params);
/// `check`, `prove` and `draw` above each schedule.
llvm::json::Value lenses(const World &world, const Document &document, const llvm::json::Object &params);
/// Rounds and cost of each step, in one case.
llvm::json::Value hints(const World &world, const Document &document, const llvm::json::Object &params);

/// Runs the command of a lens, and returns what it prints.
llvm::json::Value runCommand(const World &world, const Document &document, llvm::StringRef command, llvm::StringRef schedule);

/// A request of the protocol: its method, the capability that announces it, the capability's value, and the function that answers it.
struct Feature {
  llvm::StringLiteral method, capability;
  llvm::json::Value (*value)();
  llvm::json::Value (*answer)(const World &, const Document &, const llvm::json::Object &params);
};
llvm::ArrayRef<Feature> features();

/// The commands of lenses: "quadrille.check" runs `quadrille check`.
inline constexpr llvm::StringLiteral lensCommands[] = {"check", "prove", "draw"};

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_FEATURES_H
