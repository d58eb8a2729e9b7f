//===- LastReceipts.cpp - The last message that each rank received --------------------------------------------------===//

#include "LastReceipts.h"

namespace quadrille::compiler {

void LastReceipts::onRound(const Round &round, const Machine &) {
  for (const Transfer &transfer : round.transfers)
    last[transfer.destination] = {transfer.recv, round.number};
}

void LastReceipts::describe(std::uint32_t rank, Diagnostic &diagnostic) const {
  const Receipt &receipt = last[rank];
  if (receipt.stmt)
    diagnostic.note(receipt.stmt->keyword, diag::LastReceived{.rank = rank, .round = receipt.round});
  else
    diagnostic.note({}, diag::NeverReceived{.rank = rank});
}

} // namespace quadrille::compiler
