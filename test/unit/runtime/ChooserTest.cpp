//===- ChooserTest.cpp - Tables, settings, and which schedule a call takes ===//

#include "Chooser.h"

#include <gtest/gtest.h>

using namespace quadrille;
using namespace quadrille::detail;

namespace {

bool always(Index, Index, Index) { return true; }
bool powersOfTwo(Index p, Index, Index) { return (p & (p - 1)) == 0; }
bool groups(Index p, Index g, Index) { return p % g == 0; }
bool lowRoots(Index, Index, Index root) { return root < 2; }

constexpr CandidateFacts hypercube{"allreduce", "hypercube", CandidateParameter::None, nullptr, false, false, true, "1..17", powersOfTwo};
constexpr CandidateFacts ring{"allreduce", "ring", CandidateParameter::None, nullptr, true, false, true, "1..17", always};
constexpr CandidateFacts census{"allreduce", "census", CandidateParameter::None, nullptr, false, false, false, "1..17", always};
constexpr CandidateFacts grouped{"allreduce", "two_level", CandidateParameter::Other, "g", false, false, true, "1..17", groups};
constexpr CandidateFacts trees{"allreduce", "trees", CandidateParameter::Packets, "k", false, false, true, "1..17", always};
constexpr CandidateFacts rooted{"broadcast", "rooted", CandidateParameter::None, nullptr, false, false, true, "1..17", lowRoots};
constexpr CandidateFacts plain{"broadcast", "plain", CandidateParameter::None, nullptr, false, false, true, "1..17", always};

constexpr CandidateFacts tree{"gatherv", "tree", CandidateParameter::None, nullptr, false, true, true, "1..17", always};
constexpr CandidateFacts direct{"gatherv", "direct", CandidateParameter::None, nullptr, false, false, true, "1..17", always};
constexpr CandidateFacts late{"gatherv", "late", CandidateParameter::None, nullptr, false, false, true, "1..17", always};

const std::vector<const CandidateFacts *> all = {&hypercube, &ring, &census, &grouped, &trees, &rooted, &plain, &tree, &direct, &late};

Settings withTable(const std::string &rows) {
  Settings settings;
  settings.tableName = "own.table";
  settings.tableText = "quadrille-table 1\n" + rows;
  return settings;
}

CallSize allreduce(std::uint64_t bytes, bool commutative = true) { return {CollectiveId::Allreduce, bytes, commutative, 0}; }

/// All ranks on one node.
Nodes oneNode(Index p) { return Nodes({}, Group::everyone(p, 0), 0); }
Chooser chooser(const Settings &settings, Index p, const char *usual = "quadrille-table 1\n") {
  return Chooser(settings, "shm", p, oneNode(p), /*sharesCores=*/false, all, usual);
}

std::string chosen(const Settings &settings, Index p, const CallSize &call) {
  Chooser of = chooser(settings, p);
  if (of.status())
    return of.status().text();
  const Choice choice = of.choose(call);
  if (!choice.candidate)
    return "none";
  return choice.candidate->schedule + (choice.parameter ? "," + std::to_string(choice.parameter) : std::string());
}

TEST(Chooser, takesTheFirstRowThatFits) {
  const Settings table = withTable("allreduce p=2,4..8 bytes=0..1Ki trees k=3 # small\nallreduce bytes=1025.. ring\n");
  EXPECT_EQ(chosen(table, 2, allreduce(0)), "trees,3");
  EXPECT_EQ(chosen(table, 8, allreduce(1024)), "trees,3");
  EXPECT_EQ(chosen(table, 8, allreduce(1025)), "ring");
  EXPECT_EQ(chosen(table, 3, allreduce(2000)), "ring");
}

TEST(Chooser, takesWhatNeedsNoOtherLengthsWhereRanksKnowSome) {
  const Settings table = withTable("gatherv bytes=0..1Ki tree\ngatherv bytes=1Ki..2Ki direct\ngatherv bytes=2Ki.. late\n");
  EXPECT_EQ(chosen(table, 4, {CollectiveId::Gatherv, 8, true, 0}), "tree");
  // Their bytes are as many as can be, so that rows which end do not count.
  const CallSize someKnown{CollectiveId::Gatherv, Interval().to, true, 0, false};
  EXPECT_EQ(chosen(table, 4, someKnown), "late");
  EXPECT_EQ(chosen(withTable("gatherv tree\n"), 4, someKnown), "direct");
  // The last choice is not taken for a call of the other kind.
  Chooser of = chooser(withTable("gatherv tree\n"), 4);
  const CallSize allKnown{CollectiveId::Gatherv, Interval().to, true, 0, true};
  EXPECT_STREQ(of.choose(allKnown).candidate->schedule, "tree");
  EXPECT_STREQ(of.choose(someKnown).candidate->schedule, "direct");
  EXPECT_STREQ(of.choose(allKnown).candidate->schedule, "tree");
}

TEST(Chooser, neverTakesWhatDoesNotAdmitTheCall) {
  const Settings table = withTable("allreduce hypercube\nallreduce two_level g=3\nallreduce ring\nallreduce trees\n");
  EXPECT_EQ(chosen(table, 8, allreduce(8)), "hypercube");
  EXPECT_EQ(chosen(table, 6, allreduce(8)), "two_level,3");
  EXPECT_EQ(chosen(table, 7, allreduce(8)), "ring");
  EXPECT_EQ(chosen(table, 7, allreduce(8, false)), "trees");
}

TEST(Chooser, looksAtTheRoot) {
  const Settings table = withTable("broadcast rooted\nbroadcast plain\n");
  EXPECT_EQ(chosen(table, 4, {CollectiveId::Broadcast, 8, true, 1}), "rooted");
  EXPECT_EQ(chosen(table, 4, {CollectiveId::Broadcast, 8, true, 2}), "plain");
}

TEST(Chooser, forgetsNothingBetweenDifferentCalls) {
  Chooser of = chooser(withTable("allreduce bytes=0..9 hypercube\nallreduce op=commutative ring\nallreduce trees\n"), 4);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(of.choose(allreduce(8)).candidate, &hypercube);
    EXPECT_EQ(of.choose(allreduce(10)).candidate, &ring);
    EXPECT_EQ(of.choose(allreduce(10, false)).candidate, &trees);
  }
}

TEST(Chooser, asksForTheLawOfTheOperator) {
  const Settings table = withTable("allreduce op=ordered trees\nallreduce op=commutative ring\n");
  EXPECT_EQ(chosen(table, 4, allreduce(8)), "ring");
  EXPECT_EQ(chosen(table, 4, allreduce(8, false)), "trees");
}

TEST(Chooser, keepsRowsOfItsBackend) {
  const Settings table = withTable("backend mpi\nallreduce ring\nbackend shm\nallreduce trees\n");
  EXPECT_EQ(chosen(table, 4, allreduce(8)), "trees");
}

TEST(Chooser, leavesCallsToTheMpiLibraryWhereThatIsPossible) {
  const Settings table = withTable("backend mpi\nallreduce bytes=0..1Ki mpi\nallreduce ring\n");
  const auto choice = [&](const Settings &settings, bool mayLeaveToMpi, std::uint64_t bytes) {
    Chooser of(settings, "mpi", 4, oneNode(4), /*sharesCores=*/false, all, "quadrille-table 1\n", mayLeaveToMpi);
    return of.status() ? nullptr : of.choose(allreduce(bytes)).candidate;
  };
  EXPECT_EQ(choice(table, true, 8), mpiLibraryFor(CollectiveId::Allreduce));
  EXPECT_TRUE(isMpiLibrary(choice(table, true, 8)));
  EXPECT_EQ(choice(table, true, 2000), &ring);
  EXPECT_FALSE(isMpiLibrary(&ring) || isMpiLibrary(nullptr));
  EXPECT_EQ(choice(table, false, 8), &ring);
  Chooser of(table, "mpi", 4, oneNode(4), /*sharesCores=*/false, all, "quadrille-table 1\n", true);
  CallSize started = allreduce(8);
  started.isBlocking = false;
  EXPECT_TRUE(isMpiLibrary(of.choose(allreduce(8)).candidate));
  EXPECT_EQ(of.choose(started).candidate, &ring);
  EXPECT_TRUE(isMpiLibrary(of.choose(allreduce(8)).candidate));
  Settings variable;
  variable.overrides = {{"allreduce", "mpi"}};
  EXPECT_STREQ(choice(variable, true, 8)->schedule, "mpi");
  EXPECT_EQ(choice(variable, false, 8), &hypercube);
  // Nobody knows which bits the MPI library gives.
  variable.reproducible = true;
  EXPECT_EQ(choice(variable, true, 8), &hypercube);
  // Threads have no MPI library, but may read the table.
  EXPECT_EQ(chosen(table, 4, allreduce(8)), "hypercube");
  EXPECT_EQ(chosen(withTable("allreduce mpi\n"), 4, allreduce(8)),
            "own.table:2: the library has no schedule `mpi` for allreduce; it has hypercube, ring, census, two_level, trees");
}

TEST(Chooser, prefersVariables) {
  Settings settings = withTable("allreduce ring\n");
  settings.overrides = {{"allreduce", "two_level,g=2"}};
  EXPECT_EQ(chosen(settings, 4, allreduce(8)), "two_level,2");
  EXPECT_EQ(chosen(settings, 5, allreduce(8)), "ring");
  settings.overrides = {{"allreduce", "trees,k=auto"}};
  EXPECT_EQ(chosen(settings, 4, allreduce(8)), "trees");
}

TEST(Chooser, isReproducibleOnDemand) {
  Settings settings = withTable("allreduce census\nallreduce ring\n");
  EXPECT_EQ(chosen(settings, 4, allreduce(8)), "census");
  settings.reproducible = true;
  EXPECT_EQ(chosen(settings, 4, allreduce(8)), "ring");
}

TEST(Chooser, fallsBackOnTheUsualTableAndThenOnWhatThereIs) {
  Chooser usual = chooser(withTable("allreduce p=2 ring\n"), 4, "quadrille-table 1\nallreduce trees\n");
  EXPECT_EQ(usual.choose(allreduce(8)).candidate, &trees);
  EXPECT_EQ(chosen(withTable(""), 5, allreduce(8)), "ring");
  EXPECT_EQ(chosen(withTable(""), 5, allreduce(8, false)), "census");
  EXPECT_EQ(chosen(withTable(""), 5, {CollectiveId::Scan}), "none");
}

TEST(Chooser, saysThatThereIsNone) {
  Settings settings;
  settings.reproducible = true;
  const Status status = chooser(settings, 5).noSchedule({CollectiveId::Scan, 0, false, 0});
  EXPECT_EQ(status.code(), ErrorCode::UnsupportedSize);
  EXPECT_STREQ(status.text(), "scan: the library has no schedule for 5 ranks and an operator that does not commute that gives the same bits "
                              "everywhere, as QUADRILLE_REPRODUCIBLE demands");
}

struct Wrong {
  const char *rows, *text;
};

TEST(Table, saysWhatIsWrong) {
  const Wrong wrongs[] = {
      {"# first\nallreduse ring", "own.table:3: `allreduse` is no collective; did you mean `allreduce`?"},
      {"allreduce rign", "own.table:2: the library has no schedule `rign` for allreduce; did you mean `ring`?"},
      {"broadcast quick", "own.table:2: the library has no schedule `quick` for broadcast; it has rooted, plain"},
      {"scan ring", "own.table:2: the library has no schedule `ring` for scan"},
      {"allreduce bytes=4Ki..1Ki ring", "own.table:2: `4Ki..1Ki` is no range of bytes such as `0..4Ki` or `64Ki..`"},
      {"allreduce bytes=1..2..3 ring", "own.table:2: `1..2..3` is no range of bytes such as `0..4Ki` or `64Ki..`"},
      {"allreduce bytes=99999999999999999999 ring", "own.table:2: `99999999999999999999` is no range of bytes such as `0..4Ki` or `64Ki..`"},
      {"allreduce p=2,x ring", "own.table:2: `x` is no range of ranks such as `8`, `3..16` or `17..`"},
      {"allreduce p= ring", "own.table:2: `p=` is followed by nothing; a range such as `3..16` belongs there"},
      {"allreduce op=sum ring", "own.table:2: the operator is `sum`; it can be `any`, `commutative` or `ordered`"},
      {"allreduce", "own.table:2: the row names no schedule; it ends with one, as in `allreduce bytes=0..4Ki hypercube`"},
      {"allreduce ring trees", "own.table:2: a second schedule, `trees`; a row has one"},
      {"allreduce ring p=2", "own.table:2: `p` stands after the schedule; it belongs before it"},
      {"allreduce byte=2 ring", "own.table:2: `byte` stands before the schedule, where `p`, `cores`, `bytes` and `op` belong; did you mean `bytes`?"},
      {"allreduce cores=2 ring", "own.table:2: the cores are `2`; they can be `own` (one for every rank), `shared` or `any`"},
      {"allreduce ring cores=own", "own.table:2: `cores` stands after the schedule; it belongs before it"},
      {"allreduce ring k=2", "own.table:2: `k` is given, but `allreduce/ring` has no parameter; leave it out"},
      {"allreduce two_level", "own.table:2: `allreduce/two_level` takes a parameter `g`; add `g=2`, or another number"},
      {"allreduce two_level h=2", "own.table:2: the parameter of `allreduce/two_level` is `g`, not `h`"},
      {"allreduce two_level g=auto", "own.table:2: `g` is `auto`, which is no number from 1 to 2^31 - 1"},
      {"allreduce trees k=0", "own.table:2: `k` is `0`, which is no number from 1 to 2^31 - 1, nor `auto`"},
      {"backend gpu", "own.table:2: the backend is `gpu`; it can be `shm` or `mpi`"},
  };
  for (const Wrong &wrong : wrongs)
    EXPECT_EQ(chosen(withTable(wrong.rows), 4, allreduce(8)), wrong.text);
}

TEST(Chooser, asksWhetherRanksShareCores) {
  const Settings table = withTable("allreduce cores=shared bytes=0..1Ki ring\nallreduce cores=own p=4 census\nallreduce cores=any trees\n");
  const auto taken = [&](Index p, bool sharesCores, std::uint64_t bytes) {
    Chooser of(table, "shm", p, oneNode(p), sharesCores, all, "quadrille-table 1\nallreduce cores=shared hypercube\n");
    return of.status() ? std::string(of.status().text()) : std::string(of.choose(allreduce(bytes)).candidate->schedule);
  };
  EXPECT_EQ(taken(4, true, 8), "ring");
  EXPECT_EQ(taken(4, true, 2000), "trees");
  EXPECT_EQ(taken(4, false, 8), "census");
  EXPECT_EQ(taken(4, false, 2000), "census");
  EXPECT_EQ(taken(8, false, 8), "trees");
}

TEST(Chooser, takesSchedulesByNodesWhereThereAreSeveral) {
  static constexpr CandidateFacts byNode{"allreduce", "by_node", CandidateParameter::None, nullptr, false, false, true, "1..17", always,
                                         [](Index, Index, Index, const Nodes &nodes) { return nodes.areConsecutive(); }};
  const std::vector<const CandidateFacts *> candidates = {&byNode, &ring};
  const auto taken = [&](const std::vector<Index> &map, std::uint64_t bytes, const Settings &settings = {}) {
    const Index p = static_cast<Index>(map.size());
    Chooser of(settings, "shm", p, Nodes(map, Group::everyone(p, 0), 0), /*sharesCores=*/false, candidates, "quadrille-table 1\nallreduce ring\n");
    return std::string(of.choose(allreduce(bytes)).candidate->schedule);
  };
  EXPECT_EQ(taken({0, 0, 1, 1}, 8), "by_node");
  EXPECT_EQ(taken({0, 0, 1, 1}, 1 << 20), "ring");
  EXPECT_EQ(taken({0, 0, 0, 0}, 8), "ring"); // one node
  EXPECT_EQ(taken({0, 1, 2, 3}, 8), "ring"); // one rank on each
  EXPECT_EQ(taken({0, 1, 0, 1}, 8), "ring"); // not what it requires
  EXPECT_EQ(taken({0, 0, 1, 1}, 8, withTable("allreduce ring\n")), "ring");
  EXPECT_EQ(taken({0, 0, 1, 1}, 1 << 20, withTable("allreduce by_node\n")), "by_node");
  EXPECT_EQ(taken({0, 0, 0, 0}, 8, withTable("allreduce by_node\n")), "ring");
}

TEST(Table, beginsWithItsVersion) {
  Settings settings = withTable("");
  settings.tableText = "\nquadrille-table 2\n";
  EXPECT_EQ(chosen(settings, 4, allreduce(8)),
            "own.table:2: the table is of version 2, this library reads version 1; write it anew with `quadrille tune`");
  settings.tableText = "allreduce ring\n";
  EXPECT_EQ(chosen(settings, 4, allreduce(8)), "own.table:1: this is no table: the first line has to be `quadrille-table 1`");
  settings.tableText = "# nothing\n";
  EXPECT_EQ(chosen(settings, 4, allreduce(8)), "own.table: the table is empty; its first line has to be `quadrille-table 1`");
  // Lines as Windows ends them, and no end of the last one.
  settings.tableText = "quadrille-table 1\r\nmachine something = else\r\nallreduce trees k=2 predicted=3us measured=4us\r";
  EXPECT_EQ(chosen(settings, 4, allreduce(8)), "trees,2");
}

TEST(Table, namesTheVariableThatIsWrong) {
  Settings settings;
  settings.overrides = {{"allreduce", "rign,k=2"}};
  EXPECT_EQ(chosen(settings, 4, allreduce(8)), "QUADRILLE_ALLREDUCE: the library has no schedule `rign` for allreduce; did you mean `ring`?");
  settings.overrides = {{"allreduce", "trees,4"}};
  EXPECT_EQ(chosen(settings, 4, allreduce(8)), "QUADRILLE_ALLREDUCE: after the comma stands `4`, which is no parameter such as `k=4`");
}

TEST(Settings, areTheSameOnOtherRanks) {
  Settings settings = withTable("allreduce ring\n\n");
  settings.overrides = {{"scan", "a:b,3:c"}, {"barrier", ""}};
  settings.reproducible = true;
  settings.trace = Settings::Trace::All;
  settings.problem = "12:none";
  const Settings other = Settings::unpacked(settings.packed());
  EXPECT_EQ(other.packed(), settings.packed());
  EXPECT_EQ(other.tableText, settings.tableText);
  EXPECT_EQ(other.tableName, settings.tableName);
  EXPECT_EQ(other.overrides, settings.overrides);
  EXPECT_EQ(other.problem, settings.problem);
  EXPECT_TRUE(other.reproducible);
  EXPECT_EQ(other.trace, Settings::Trace::All);
}

} // namespace
