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
  /// `params`: of the protocol's notifications. Null if they are malformed, or the document is not open.
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

std::string pathOf(llvm::StringRef uri);
/// `path`: absolute.
std::string uriOfPath(llvm::StringRef path);

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_DOCUMENTS_H
