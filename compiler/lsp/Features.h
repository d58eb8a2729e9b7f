//===- Features.h - What an editor can ask of a text ---------------------------------------------------------------------*- C++ -*-===//
//
// Each is a function from a document and the parameters of a request to its result, null where there is none. They run in processes of their own.
// A result keeps nothing that belongs to the analysis: it is written when that is gone.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_LSP_FEATURES_H
#define QUADRILLE_LSP_FEATURES_H

#include "Analysis.h"

namespace quadrille::compiler::lsp {

/// The name at a position: its type and shape, or what it is declared as; of a clause about costs, the formula that is proved.
llvm::json::Value hover(const World &world, const Document &document, const llvm::json::Object &params);

llvm::json::Value definition(const World &world, const Document &document, const llvm::json::Object &params);
llvm::json::Value references(const World &world, const Document &document, const llvm::json::Object &params);
llvm::json::Value highlights(const World &world, const Document &document, const llvm::json::Object &params);
llvm::json::Value prepareRename(const World &world, const Document &document, const llvm::json::Object &params);
/// Throws NoAnswer if texts would not mean the same afterwards.
llvm::json::Value rename(const World &world, const Document &document, const llvm::json::Object &params);

llvm::json::Value completion(const World &world, const Document &document, const llvm::json::Object &params);
llvm::json::Value formatting(const World &world, const Document &document, const llvm::json::Object &params);
llvm::json::Value symbols(const World &world, const Document &document, const llvm::json::Object &params);
/// `check`, `prove` and `draw` above each schedule.
llvm::json::Value lenses(const World &world, const Document &document, const llvm::json::Object &params);
/// Rounds and cost of each step, in one case.
llvm::json::Value hints(const World &world, const Document &document, const llvm::json::Object &params);

/// Does what a lens says, and returns what the command line prints.
llvm::json::Value runCommand(const World &world, const Document &document, llvm::StringRef command, llvm::StringRef schedule);

/// A request that is answered so: its method, the capability that announces it and the value of that.
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
