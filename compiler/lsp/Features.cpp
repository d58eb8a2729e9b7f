//===- Features.cpp - What an editor can ask of a text -----------------------------------------------------------------------------===//

#include "Features.h"

namespace quadrille::compiler::lsp {

namespace json = llvm::json;

static json::Value yes() { return true; }

static const Feature table[] = {
    {"textDocument/hover", "hoverProvider", yes, hover},
    {"textDocument/definition", "definitionProvider", yes, definition},
    {"textDocument/references", "referencesProvider", yes, references},
    {"textDocument/documentHighlight", "documentHighlightProvider", yes, highlights},
    {"textDocument/rename", "renameProvider", [] { return json::Value(json::Object{{"prepareProvider", true}}); }, rename},
    {"textDocument/prepareRename", "", yes, prepareRename},
    {"textDocument/completion", "completionProvider",
     [] { return json::Value(json::Object{{"triggerCharacters", json::Array{".", "/"}}}); }, completion},
    {"textDocument/formatting", "documentFormattingProvider", yes, formatting},
    {"textDocument/documentSymbol", "documentSymbolProvider", yes, symbols},
    {"textDocument/codeLens", "codeLensProvider", [] { return json::Value(json::Object{}); }, lenses},
    {"textDocument/inlayHint", "inlayHintProvider", yes, hints},
};

llvm::ArrayRef<Feature> features() { return table; }

} // namespace quadrille::compiler::lsp
