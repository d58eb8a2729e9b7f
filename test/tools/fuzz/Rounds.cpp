//===- Rounds.cpp - An independent count of messages ------------------------------------------------------------------------===//

#include "Examination.h"

#include "instantiate/Round.h"

#include <algorithm>
#include <map>

namespace quadrille::compiler::fuzz {

namespace {

/// Computes port models and costs by the definitions of docs/language.md, from the transfers of each round only.
class Recount : public RunObserver {
public:
  struct Traffic {
    unsigned sends = 0, recvs = 0;
    std::set<std::uint32_t> partners;
  };

  bool wantsTransfers() const override { return true; }
  void onRestart() override { *this = Recount(); }

  void onRound(const Round &round, const Machine &machine) override {
    if (round.transfers.empty())
      return;
    ++rounds;
    words.resize(machine.sampleCount(), 0);
    std::vector<std::int64_t> longest(words.size(), 0);
    std::map<std::uint32_t, Traffic> traffic;
    for (const Transfer &transfer : round.transfers) {
      Traffic &from = traffic[transfer.source], &to = traffic[transfer.destination];
      ++from.sends;
      from.partners.insert(transfer.destination);
      ++to.recvs;
      to.partners.insert(transfer.source);
      for (size_t sample = 0; sample < words.size(); ++sample) {
        std::int64_t length = 0; // in blocks, if the machine counts blocks
        for (std::uint32_t i = 0; i < transfer.runCount; ++i)
          for (std::uint32_t slot = transfer.runs[i].lo; slot < transfer.runs[i].lo + transfer.runs[i].count; ++slot)
            length += machine.countsBlocks() ? 1 : machine.length(machine.lengthClass(*transfer.storage, transfer.source, slot), sample);
        longest[sample] = std::max(longest[sample], length);
      }
    }
    for (size_t sample = 0; sample < words.size(); ++sample)
      words[sample] += longest[sample];
    for (const auto &[rank, own] : traffic)
      worst.push_back(own);
  }

  /// Whether all rounds keep the model.
  bool keeps(const ModelInForce &model) const {
    return llvm::all_of(worst, [&](const Traffic &own) {
      switch (model.model) {
      case ir::PortModel::HalfDuplex:
        return own.sends + own.recvs <= 1;
      case ir::PortModel::Telephone:
        return own.sends <= 1 && own.recvs <= 1 && own.partners.size() <= 1;
      case ir::PortModel::FullDuplex:
        return own.sends <= 1 && own.recvs <= 1;
      case ir::PortModel::Ports:
        return own.sends <= model.ports && own.recvs <= model.ports;
      case ir::PortModel::Shared:
        return true;
      }
      return false;
    });
  }

  std::int64_t rounds = 0;
  std::vector<std::int64_t> words; // per sample: sum of the longest messages of all rounds
  std::vector<Traffic> worst;      // of each rank in each round
};

} // namespace

void Examination::recount() {
  stage("counting what is sent");
  CheckOptions at = options;
  at.lengths = {0, 1, 2, 7, 100};
  at.tables.pattern = LengthPattern::Uneven;
  for (const Case &instance : cases(questions.ps, questions.parameters)) {
    Recount counted;
    try {
      const CaseResult result = checkCase(schedule, instance, at, schedule.requiresCommutative, trees, &counted);
      if (std::optional<ModelInForce> declared = declaredModel(schedule, instance, trees); declared && !counted.keeps(*declared))
        return finding("accepted, but not within its port model", textOf(instance) + ": " + declared->text());
      if (!counted.keeps(result.strictest))
        return finding("not within the port model that is found", textOf(instance) + ": " + result.strictest.text());
      if (counted.rounds != result.rounds)
        return finding("rounds are counted differently",
                       textOf(instance) + ": " + std::to_string(counted.rounds) + ", not " + std::to_string(result.rounds));
      for (size_t sample = 0; sample < counted.words.size(); ++sample) {
        const Cost &cost = result.cost.synchronous[result.cost.perBlock ? 0 : sample];
        if (cost.a != counted.rounds || cost.b != counted.words[sample])
          return finding("costs are counted differently",
                         textOf(instance) + ": " + std::to_string(counted.rounds) + " startups and " + std::to_string(counted.words[sample]) +
                             " words, not " + std::to_string(cost.a) + " and " + std::to_string(cost.b));
      }
    } catch (const Finding &found) {
      if (!isLimit(found.diagnostic.id()))
        return finding("accepted, but refused at other lengths", textOf(instance) + ": " + textOf(found.diagnostic));
    }
  }
}

} // namespace quadrille::compiler::fuzz
