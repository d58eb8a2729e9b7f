//===- Transport.h - Messages as bytes --------------------------------------------------------------------------------*- C++ -*-===//
//
// The base protocol of the Language Server Protocol: JSON-RPC 2.0, each message after a header with its length. Input may be arbitrary
// bytes: what is no message is reported, and reading goes on with the next header.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef QUADRILLE_LSP_TRANSPORT_H
#define QUADRILLE_LSP_TRANSPORT_H

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace quadrille::compiler::lsp {

class MessageReader {
public:
  void append(llvm::StringRef bytes) { pending += bytes; }

  struct Received {
    llvm::json::Object message;
    std::string error; // why there is no message; empty if there is one
    bool isRequest = true; // with an error: false if the message is valid JSON, but no object
  };
  /// The next message that has arrived completely; nothing if none has.
  std::optional<Received> next();

private:
  std::optional<std::size_t> takeHeader(std::string &error);

  std::string pending;
  std::optional<std::size_t> length; // of the message whose header was read
  std::size_t passedOver = 0;        // the number of bytes still to be skipped, of a message that is too long
};

/// The bytes of a message.
std::string framed(const llvm::json::Value &message);

} // namespace quadrille::compiler::lsp

#endif // QUADRILLE_LSP_TRANSPORT_H
