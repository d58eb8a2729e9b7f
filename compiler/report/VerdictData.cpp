//===- VerdictData.cpp - Verdicts of checks and proofs as data --------------------------------------------------------------===//

#include "VerdictData.h"

#include "ProofReport.h"
#include "VerdictReport.h"

#include "diagnostics/Json.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

using prove::ClaimVerdict;
using prove::ProofVerdict;
using Json = Results::Json;

static void writeClaim(Json &json, llvm::StringRef name, const std::optional<ir::CostClause> &claim) {
  json.attributeBegin(name);
  if (claim)
    json.object([&] {
      json.attribute("formula", claim->text);
      json.attribute("atMost", claim->upperBound);
    });
  else
    json.value(nullptr);
  json.attributeEnd();
}

static void writeChecked(Json &json, const Verdict &verdict) {
  writeNumbers(json, "p", verdict.checkedPs);
  json.attribute("allRoots", verdict.allRoots && !verdict.root);
  if (verdict.root)
    json.attribute("root", *verdict.root);
  if (!verdict.parameters.empty())
    writeNumbers(json, "parameters", verdict.parameters);
  if (verdict.schedule->usesNodes)
    json.attribute("allMaps", verdict.allMaps);
  json.attribute("cases", static_cast<std::int64_t>(verdict.cases));
  json.attribute("transfers", static_cast<std::int64_t>(verdict.transfers));
  json.attribute("clauses", verdict.clauses.text(*verdict.schedule));
  if (verdict.guessedCases > 0)
    json.attributeObject("deep", [&] {
      json.attribute("cases", static_cast<std::int64_t>(verdict.guessedCases));
      json.attribute("mostRanks", verdict.mostRanks);
    });
  if (verdict.endedBefore)
    json.attribute("endedBefore", *verdict.endedBefore);
}

static std::string proofVerdict(const ProofVerdict &verdict) {
  if (verdict.isRefuted())
    return "refuted";
  if (verdict.checked.reachedLimit())
    return "not checked";
  if (verdict.nothingAdmitted)
    return "nothing to prove";
  if (verdict.isProved())
    return "proved";
  return llvm::any_of(verdict.claims, [](const ClaimVerdict &claim) { return claim.isProved(); }) ? "proved in part" : "checked";
}

static void writeClaims(Json &json, const ProofVerdict &verdict, const Sources &sources) {
  json.attribute("scope", prove::scopeOf(*verdict.schedule));
  json.attributeArray("claims", [&] {
    for (const ClaimVerdict &claim : verdict.claims)
      json.object([&] {
        json.attribute("claim", prove::claimName(claim.claim));
        json.attribute("proved", claim.isProved());
        json.attribute("obligations", claim.obligations);
        if (!claim.isProved()) {
          json.attribute("reason", claim.open->text());
          writePlace(json, sources, claim.open->range, "");
        }
      });
  });
}

Results::Entry checkEntry(const Verdict &verdict, const std::optional<ProofVerdict> &proof, const Sources &sources) {
  Results::Entry entry;
  entry.schedule = verdict.schedule;
  entry.verdict = verdict.ok ? "ok" : verdict.reachedLimit() ? "not checked" : "failed";
  entry.members = [verdict, proof, &sources](Json &json) {
    const ir::Schedule &schedule = *verdict.schedule;
    writeChecked(json, verdict);
    if (verdict.ok) {
      json.attribute("model", verdict.strictest.text());
      json.attribute("operator", schedule.usesOperator ? llvm::json::Value(lawText(schedule)) : llvm::json::Value(nullptr));
      if (verdict.bracketsKnown && schedule.usesOperator)
        json.attributeObject("bracketing", [&] {
          json.attribute("sameOnAllRanks", verdict.sameBracketing);
          json.attribute("dependsOnRoot", verdict.bracketingDependsOnRoot);
        });
    }
    writeClaim(json, "cost", schedule.cost);
    writeClaim(json, "rounds", schedule.rounds);
    json.attributeBegin("proof");
    if (proof)
      json.object([&] {
        json.attribute("verdict", proofVerdict(*proof));
        writeClaims(json, *proof, sources);
      });
    else
      json.value(nullptr);
    json.attributeEnd();
  };
  return entry;
}

Results::Entry proofEntry(const ProofVerdict &verdict, llvm::ArrayRef<std::string> required, const Sources &sources) {
  Results::Entry entry;
  entry.schedule = verdict.schedule;
  entry.verdict = proofVerdict(verdict);
  entry.members = [verdict, &sources](Json &json) {
    writeClaims(json, verdict, sources);
    json.attributeObject("checked", [&] { writeChecked(json, verdict.checked); });
    if (!verdict.explanations.empty())
      json.attributeArray("explanations", [&] {
        for (const prove::Explanation &explanation : verdict.explanations)
          json.object([&] {
            writePlace(json, sources, explanation.range, "");
            json.attributeArray("lines", [&] {
              for (const std::string &line : explanation.lines)
                json.value(line);
            });
          });
      });
  };
  if (verdict.isRefuted() || verdict.checked.reachedLimit() || verdict.nothingAdmitted)
    return entry;
  for (const ClaimVerdict &claim : verdict.claims) {
    const std::string name = prove::claimName(claim.claim).str();
    Results::Test &test = entry.tests.emplace_back();
    test.name = name;
    if (claim.isProved())
      continue;
    test.outcome = llvm::is_contained(required, "all") || llvm::is_contained(required, name) ? Results::Test::Failed : Results::Test::LeftOut;
    test.message = "not proved for all p: " + claim.open->text();
  }
  return entry;
}

} // namespace quadrille::compiler
