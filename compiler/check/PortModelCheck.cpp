//===- PortModelCheck.cpp - How many transfers a rank takes part in per round ------------------------------------------------===//

#include "PortModelCheck.h"

namespace quadrille::compiler {

/// A round given as partners: every rank sends and receives at most one message, so the model is at most full duplex.
void PortModelCheck::onPartners(const Round &round) {
  const Partners &partners = *round.partners;
  auto report = [&](auto isBad, ir::PortModel needed) {
    ModelInForce model{needed, 1};
    for (std::uint32_t r = 0; r < sends.size(); ++r)
      if (isBad(partners.to[r], partners.from[r]))
        violated(round, r, model);
  };
  bool both = false, different = false;
  for (size_t r = 0; r < sends.size(); ++r) {
    bool talks = partners.to[r] >= 0 && partners.from[r] >= 0;
    both |= talks;
    different |= talks && partners.to[r] != partners.from[r];
  }
  ModelInForce needed{different ? ir::PortModel::FullDuplex : both ? ir::PortModel::Telephone : ir::PortModel::HalfDuplex, 1};
  if (!found.contains(needed))
    found = needed;
  if (!declared || declared->contains(needed))
    return;
  if (declared->model == ir::PortModel::Telephone)
    report([](std::int32_t to, std::int32_t from) { return to >= 0 && from >= 0 && to != from; }, needed.model);
  report([](std::int32_t to, std::int32_t from) { return to >= 0 && from >= 0; }, needed.model);
}

void PortModelCheck::onRound(const Round &round, const Machine &) {
  if (round.partners)
    return onPartners(round);
  constexpr std::uint32_t several = ~std::uint32_t(0);
  auto meet = [&](std::uint32_t rank, std::uint32_t other) {
    if (sends[rank] + recvs[rank] == 0)
      partner[rank] = other;
    else if (partner[rank] != other)
      partner[rank] = several;
  };
  for (const Transfer &transfer : round.transfers) {
    meet(transfer.source, transfer.destination);
    ++sends[transfer.source];
    meet(transfer.destination, transfer.source);
    ++recvs[transfer.destination];
  }
  std::uint32_t worst = several;
  auto classify = [&](std::uint32_t rank) {
    ModelInForce needed;
    std::uint32_t most = std::max(sends[rank], recvs[rank]);
    if (most > 1) {
      needed.model = ir::PortModel::Ports;
      needed.ports = most;
    } else if (sends[rank] + recvs[rank] > 1) {
      needed.model = partner[rank] == several ? ir::PortModel::FullDuplex : ir::PortModel::Telephone;
    }
    if (!found.contains(needed))
      found = needed;
    if (declared && !declared->contains(needed) && (worst == several || rank < worst))
      worst = rank;
  };
  for (const Transfer &transfer : round.transfers) {
    classify(transfer.source);
    classify(transfer.destination);
  }
  if (worst != several)
    violated(round, worst, found);
  for (const Transfer &transfer : round.transfers) {
    sends[transfer.source] = recvs[transfer.source] = 0;
    sends[transfer.destination] = recvs[transfer.destination] = 0;
  }
}

void PortModelCheck::violated(const Round &round, std::uint32_t rank, const ModelInForce &needed) const {
  std::vector<diag::Transfers::Transfer> transfers;
  const ir::TransferStmt *blame = nullptr;
  auto add = [&](bool out, std::int64_t other, const ir::TransferStmt *stmt) {
    transfers.push_back({out, other});
    blame = stmt;
  };
  if (round.partners) {
    add(true, round.partners->to[rank], round.partners->send);
    add(false, round.partners->from[rank], round.partners->recv);
  } else {
    for (const Transfer &transfer : round.transfers)
      if (transfer.source == rank)
        add(true, transfer.destination, transfer.send);
      else if (transfer.destination == rank)
        add(false, transfer.source, transfer.recv);
  }
  Diagnostic diagnostic(
      blame->keyword,
      diag::ModelViolated{.model = declared->text(), .rank = rank, .transfers = std::move(transfers), .round = round.number});
  if (declaredAt.isValid())
    diagnostic.note(declaredAt, diag::ModelHere{});
  diagnostic.note({}, diag::StrictestModel{.model = needed.text()});
  throw Finding{std::move(diagnostic)};
}

} // namespace quadrille::compiler
