//===- Shm.cpp - Cases on threads -----------------------------------------===//

#include "PlanFile.h"
#include "Program.h"
#include "Validate.h"

#include "../shm/World.h"

#include "quadrille/shm.h"

namespace quadrille {
namespace harness {

static shm::Datatype datatypeOf(Element element) {
  switch (element) {
  case Element::Int32:
    return shm::Datatype::of<std::int32_t>();
  case Element::Int64:
    return shm::Datatype::of<std::int64_t>();
  case Element::UInt8:
    return shm::Datatype::of<std::uint8_t>();
  case Element::UInt32:
    return shm::Datatype::of<std::uint32_t>();
  case Element::UInt64:
    return shm::Datatype::of<std::uint64_t>();
  case Element::Float:
    return shm::Datatype::of<float>();
  case Element::Double:
    return shm::Datatype::of<double>();
  case Element::Mat2:
  case Element::Indexed:
    break;
  }
  return shm::Datatype::opaque(elementBytes(element));
}

static void multiplyMatrices(const void *in, void *inout, std::size_t count, const shm::Datatype &, void *) {
  combine(Element::Mat2, Combiner::Matmul, inout, in, inout, count);
}

template <Combiner combiner>
static void locateElements(const void *in, void *inout, std::size_t count, const shm::Datatype &, void *) {
  combine(Element::Indexed, combiner, inout, in, inout, count);
}

static shm::Operator operatorOf(Combiner combiner) {
  static const shm::Operator builtin[] = {shm::Operator::sum(), shm::Operator::prod(), shm::Operator::min(), shm::Operator::max(),
                                          shm::Operator::band(), shm::Operator::bor(), shm::Operator::bxor()};
  if (combiner == Combiner::Matmul)
    return shm::Operator::user(multiplyMatrices);
  if (combiner == Combiner::Minloc)
    return shm::Operator::user(locateElements<Combiner::Minloc>, nullptr, /*commutative=*/true);
  if (combiner == Combiner::Maxloc)
    return shm::Operator::user(locateElements<Combiner::Maxloc>, nullptr, /*commutative=*/true);
  return builtin[static_cast<std::size_t>(combiner)];
}

namespace {

struct Threads {
  using Communicator = shm::Communicator;

  static void observe(Communicator &comm, quadrille::detail::PlanObserver *observer) {
    shm::detail::CommunicatorState::of(comm).plans.observer = observer;
  }

  /// Returns a function that makes the call of one rank of `world`. An observer gets its plan, which is not carried out.
  static RecordCall recording(shm::World &world, const Call<Communicator> &call) {
    return [&world, &call](Index rank, const Data &data, quadrille::detail::PlanObserver &observer) {
      const Case &c = *call.instance;
      Communicator comm(world, rank);
      comm.setMachine(c.machine);
      observe(comm, &observer);
      return call.collective->run(comm, data.arguments, datatypeOf(c.element), operatorOf(c.combiner));
    };
  }

  /// Validates the cases: this thread records and replays all ranks.
  static int validateCases(Index p, const std::vector<Call<Communicator>> &calls, const std::string &prefix, bool dump) {
    shm::World world(p);
    std::vector<Report> reports;
    for (Index rank = 0; rank < p; ++rank)
      reports.emplace_back(prefix, rank);
    for (const Call<Communicator> &call : calls) {
      limitTime(*call.instance);
      validate(*call.instance, recording(world, call), reports, dump);
    }
    return 0;
  }

  /// Writes the plans of some ranks for one call. Returns the exit status.
  static int writePlans(Index p, const Call<Communicator> &call, const std::string &prefix, const Options &options) {
    shm::World world(p);
    for (Index rank : options.plans) {
      limitTime(*call.instance);
      if (Status bad = writePlan(*call.instance, rank, recording(world, call), options.receivesFirst, prefix)) {
        std::fprintf(stderr, "%s\n", bad.text());
        return 1;
      }
    }
    return 0;
  }

  static int runCases(Index p, const std::vector<Call<Communicator>> &calls, const std::string &prefix, const Options &options) {
    if (!options.plans.empty())
      return writePlans(p, calls.front(), prefix, options);
    if (options.validate)
      return validateCases(p, calls, prefix, options.dump);
    shm::Team team(p);
    std::vector<Report> reports;
    for (Index rank = 0; rank < p; ++rank)
      reports.emplace_back(prefix, rank);
    const Collective<Communicator> *hanging = nullptr;
    for (const Call<Communicator> &call : calls) {
      const Case &c = *call.instance;
      if (call.collective == hanging)
        continue;
      // The report contains the status. A failed case does not affect the next one.
      const Status ended = team.run([&](Communicator &comm) {
        const shm::Datatype type = datatypeOf(c.element);
        const shm::Operator op = operatorOf(c.combiner);
        return CaseRunner<Communicator>(comm, *call.collective, c, type, op, options, reports[static_cast<std::size_t>(comm.rank())], observe).run();
      });
      // Skip further cases of a collective that hangs: each might take as long.
      if (ended.code() == ErrorCode::Timeout)
        hanging = call.collective;
    }
    return 0;
  }

  template <class Body> static int measure(Index p, Body body) {
    shm::Team team(p);
    const Status bad = team.run(body);
    if (bad)
      std::fprintf(stderr, "%s\n", bad.text());
    return bad ? 1 : 0;
  }
};

} // namespace
} // namespace harness
} // namespace quadrille

int main(int argc, char **argv) { return quadrille::harness::runProgram<quadrille::harness::Threads>(argc, argv); }
