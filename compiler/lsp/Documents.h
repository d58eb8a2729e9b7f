//===- Documents.h - The texts that an editor has open -------------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_LSP_DOCUMENTS_H
#define QUADRILLE_LSP_DOCUMENTS_H

#include "Positions.h"

#include <map>
#include <string>

namespace quadrille::compiler::lsp {

struct Document {
  std::string uri;
  std::string path; // of its file; if it has none, a name in the current folder
  std::string text;
  std::int64_t version = 0;
};

class Documents {
public:
  /// Does what a notification with these parameters says. Null if they are malformed, or the document to change is not open.
  Document *open(const llvm::json::Object &params);
  Document *change(const llvm::json::Object &params);
  void close(llvm::StringRef uri) { byUri.erase(uri.str()); }

  Document *find(llvm::StringRef uri);
  const Document *find(llvm::StringRef uri) const { return const_cast<Documents *>(this)->find(uri); }
  const std::map<std::string, Document> &all() const { return byUri; }

private:
  std::map<std::string, Document> byUri;
};

/// The member `uri` of `textDocument`; empty if there is none.
std::string uriOf(const llvm::json::Object &params);

/// The path of a file by its URI; "untitled.quad" for URIs of another scheme.
std::string pathOf(llvm::StringRef uri);
/// The URI of a file by its absolute path.
std::string uriOfPath(llvm::StringRef path);

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_DOCUMENTS_H
