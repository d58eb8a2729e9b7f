//===- CostData.cpp - Costs as data --------------------------------------------------------------------------------------===//

#include "CostData.h"

#include "prove/Prove.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

using Json = Results::Json;
using Seconds = std::optional<MachineParameters>; // of a startup, a word, an application; nothing: no machine is asked for

static double number(const Rational &value) {
  return value.valid() ? static_cast<double>(value.num()) / static_cast<double>(value.den()) : 0;
}

// ---- formulas ----------------------------------------------------------------------------------------------------------

static llvm::StringRef evidenceName(Evidence evidence) {
  switch (evidence) {
  case Evidence::Proved:
    return "proved";
  case Evidence::Claimed:
    return "claimed";
  case Evidence::Reached:
    return "reached";
  case Evidence::Fitted:
    return "fitted";
  }
  return "";
}

static void writePart(Json &json, llvm::StringRef name, const CostSummary::Part &part) {
  json.attributeBegin(name);
  if (part.formula.empty())
    json.value(nullptr);
  else
    json.object([&] {
      json.attribute("formula", part.formula);
      json.attribute("evidence", evidenceName(part.evidence));
      json.attribute("atMost", part.isBound);
    });
  json.attributeEnd();
}

static void writeSummary(Json &json, const CostSummary &summary, const ir::Schedule &schedule) {
  json.attribute("total", summary.total);
  json.attribute("atMost", summary.isBound);
  json.attribute("scope", prove::scopeOf(schedule));
  auto reading = [&](llvm::StringRef name, const CostSummary::Reading &reading) {
    json.attributeObject(name, [&] {
      writePart(json, "rounds", reading[0]);
      writePart(json, "words", reading[1]);
      if (schedule.usesOperator)
        writePart(json, "applications", reading[2]);
    });
  };
  reading("synchronous", summary.synchronous);
  reading("asynchronous", summary.asynchronous);
  if (schedule.cost)
    json.attributeObject("claimed", [&] {
      json.attribute("formula", schedule.cost->text);
      json.attribute("atMost", schedule.cost->upperBound);
      json.attribute("proved", summary.clause == Evidence::Proved);
    });
  writeNumbers(json, "comparedForP", summary.ps);
}

// ---- cases -------------------------------------------------------------------------------------------------------------

static void writeCost(Json &json, llvm::StringRef name, const Cost &cost, bool hasApplications, const Seconds &machine) {
  json.attributeObject(name, [&] {
    json.attribute("startups", cost.a);
    json.attribute("words", cost.b);
    if (hasApplications)
      json.attribute("applications", cost.c);
    if (machine && (hasApplications || machine->gamma == 0))
      json.attribute("seconds", machine->seconds(cost));
  });
}

static void writeBound(Json &json, llvm::StringRef name, const std::optional<BoundFact> &fact) {
  if (!fact)
    return;
  json.attributeObject(name, [&] {
    json.attribute("formula", fact->formula);
    if (fact->value)
      json.attribute("value", number(*fact->value));
    if (std::optional<Rational> ratio = fact->ratio())
      json.attribute("ratio", number(*ratio));
    json.attribute("source", fact->source);
  });
}

static void writePackets(Json &json, const PacketFact &packets) {
  json.attributeObject("best", [&] {
    json.attribute("parameter", packets.k);
    json.attribute("formula", packets.formula.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(packets.formula));
    if (packets.choice) {
      json.attribute("value", packets.choice->k);
      json.attribute("seconds", packets.choice->seconds);
      json.attribute("exact", packets.choice->isExact);
      json.attribute("admitted", packets.isAdmitted);
    }
  });
}

static void writeNetwork(Json &json, const CaseCost::OnNetwork &on, const Cost &cost, const Seconds &machine) {
  const topology::Contention &contention = on.contention;
  const double words = number(contention.words) * static_cast<double>(on.scale);
  json.attribute("network", on.network->name);
  json.attribute("startups", cost.a);
  json.attribute("words", words);
  json.attribute("applications", cost.c);
  if (machine)
    json.attribute("seconds", static_cast<double>(cost.a) * machine->alpha + words * machine->beta + static_cast<double>(cost.c) * machine->gamma);
  json.attribute("rounds", static_cast<std::int64_t>(contention.rounds));
  json.attribute("suffering", static_cast<std::int64_t>(contention.suffering));
  if (contention.worst)
    json.attributeObject("worst", [&] {
      json.attribute("round", contention.worst->first);
      json.attribute("factor", number(contention.worst->factor()));
      json.attribute("link", on.network->linkName(contention.worst->link));
    });
  json.attribute("mostMessages", contention.mostMessages);
}

static void writeCase(Json &json, const CaseCost &c, const ir::Schedule &schedule, const Seconds &machine) {
  writeValues(json, valuesOf(schedule, c.instance));
  json.attribute("n", c.lengths.n);
  if (c.lengths.tables)
    json.attribute("lengths", lengthsText(c.lengths));
  json.attribute("rounds", c.rounds);
  if (c.isByFormula)
    json.attribute("byFormula", true);
  writeCost(json, "synchronous", c.synchronous, c.hasApplications, machine);
  if (c.hasAsynchronous)
    writeCost(json, "asynchronous", c.asynchronous, c.hasApplications, machine);
  if (c.claimed)
    json.attributeObject("claimed", [&] {
      json.attribute("startups", number(c.claimed->a.at(0)));
      json.attribute("words", number(c.claimed->b.at(0)));
      if (schedule.cost->mentionsGamma)
        json.attribute("applications", number(c.claimed->c.at(0)));
      json.attribute("atMost", schedule.cost->upperBound);
    });
  json.attributeObject("bounds", [&] {
    writeBound(json, "rounds", c.facts.rounds);
    writeBound(json, "words", c.facts.words);
  });
  if (c.facts.packets)
    writePackets(json, *c.facts.packets);
  if (!c.networks.empty())
    json.attributeArray("networks", [&] {
      for (const CaseCost::OnNetwork &on : c.networks)
        json.object([&] { writeNetwork(json, on, c.synchronous, machine); });
    });
  if (c.byNodes)
    json.attributeObject("byNodes", [&] {
      for (auto [name, cost] : {std::pair("between", &c.byNodes->between), {"inside", &c.byNodes->inside}})
        json.attributeObject(name, [&, of = cost] {
          json.attribute("startups", of->a);
          json.attribute("words", of->b * c.nodeScale);
        });
      json.attribute("messages", c.byNodes->messages);
      json.attribute("messagesBetween", c.byNodes->messagesBetween);
      json.attribute("wordsOfMessages", c.byNodes->words * c.nodeScale);
      json.attribute("wordsBetween", c.byNodes->wordsBetween * c.nodeScale);
    });
  if (!c.completions.empty())
    json.attributeArray("completions", [&] {
      for (const Completion &completion : c.completions)
        json.object([&] {
          json.attribute("planned", completion.planned);
          json.attribute("withNoise", completion.noisy);
          json.attribute("delayed", completion.delayed);
        });
    });
}

static Results::Row rowOf(const CaseCost &c, const ir::Schedule &schedule, const Seconds &machine) {
  Results::Row row;
  auto add = [&](const std::string &name, std::int64_t value) { row.push_back({name, std::to_string(value)}); };
  for (const auto &[name, value] : valuesOf(schedule, c.instance).value)
    add(name, value);
  add("n", c.lengths.n);
  if (c.lengths.tables)
    row.push_back({"lengths", lengthsText(c.lengths)});
  add("rounds", c.rounds);
  auto reading = [&](const std::string &name, const Cost &cost) {
    add(name + "Startups", cost.a);
    add(name + "Words", cost.b);
    if (c.hasApplications)
      add(name + "Applications", cost.c);
    if (machine && (c.hasApplications || machine->gamma == 0))
      row.push_back({name + "Seconds", jsonNumber(machine->seconds(cost))});
  };
  reading("synchronous", c.synchronous);
  if (c.hasAsynchronous)
    reading("asynchronous", c.asynchronous);
  return row;
}

Results::Entry CostData::entry(bool isWrong, std::vector<size_t> diagnostics) const {
  Results::Entry entry;
  entry.schedule = &schedule;
  entry.verdict = isWrong ? "failed" : "ok";
  entry.diagnostics = std::move(diagnostics);
  for (const CaseCost &c : cases) {
    entry.tests.push_back({Results::Test::Passed, caseText(schedule, c.instance) + ", " +
                                                      (c.lengths.tables ? lengthsText(c.lengths) : "n = " + std::to_string(c.lengths.n)),
                           ""});
    entry.rows.push_back(rowOf(c, schedule, machine));
  }
  entry.members = [copy = *this](Json &json) {
    if (copy.summary)
      json.attributeObject("formulas", [&] { writeSummary(json, *copy.summary, copy.schedule); });
    if (copy.machine)
      json.attributeObject("machine", [&] {
        json.attribute("alpha", copy.machine->alpha);
        json.attribute("beta", copy.machine->beta);
        json.attribute("gamma", copy.machine->gamma);
      });
    json.attributeArray("cases", [&] {
      for (const CaseCost &c : copy.cases)
        json.object([&] { writeCase(json, c, copy.schedule, copy.machine); });
    });
  };
  return entry;
}

} // namespace quadrille::compiler
