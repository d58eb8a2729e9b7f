//===- Mpi.cpp - Cases on processes under MPI -----------------------------===//

#include "MpiLibrary.h"
#include "Program.h"

#include "../mpi/State.h"

#include "quadrille/mpi.h"

namespace quadrille {
namespace harness {

/// Whether other ranks may still be in a call that ended with this status.
static bool mayBeUnderWay(const Status &status) { return static_cast<int>(status.code()) >= static_cast<int>(ErrorCode::BadPartner); }

extern "C" {
static void quadrilleHarnessMultiply(void *in, void *inout, int *count, MPI_Datatype *) {
  combine(Element::Mat2, Combiner::Matmul, inout, in, inout, static_cast<std::uint64_t>(*count));
}
}

namespace {

/// The MPI types and operators of cases.
class Names {
public:
  Names() {
    MPI_Type_contiguous(4, MPI_UINT32_T, &matrix_);
    MPI_Type_commit(&matrix_);
    MPI_Op_create(quadrilleHarnessMultiply, /*commute=*/0, &multiply_);
  }
  Names(const Names &) = delete;
  ~Names() {
    MPI_Op_free(&multiply_);
    MPI_Type_free(&matrix_);
  }

  MPI_Datatype of(Element element) const {
    const MPI_Datatype types[] = {MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T, MPI_UINT32_T, MPI_UINT64_T,
                                  MPI_FLOAT,   MPI_DOUBLE,  matrix_,     MPI_2INT};
    return types[static_cast<std::size_t>(element)];
  }
  MPI_Op of(Combiner combiner) const {
    const MPI_Op operators[] = {MPI_SUM, MPI_PROD, MPI_MIN,   MPI_MAX,    MPI_BAND,
                                MPI_BOR, MPI_BXOR, multiply_, MPI_MINLOC, MPI_MAXLOC};
    return operators[static_cast<std::size_t>(combiner)];
  }

private:
  MPI_Datatype matrix_;
  MPI_Op multiply_;
};

struct Processes {
  using Communicator = mpi::Communicator;

  static void observe(Communicator &comm, quadrille::detail::PlanObserver *observer) {
    mpi::detail::CommunicatorState::of(comm).plans.observer = observer;
  }

  static int runCases(Index p, const std::vector<Call<Communicator>> &calls, const std::string &prefix, const Options &options) {
    int size = 0, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (size != p) {
      std::fprintf(stderr, "%d %s of MPI instead of %lld: the launcher belongs to another MPI library, or has started another number\n", size,
                   size == 1 ? "process" : "processes", static_cast<long long>(p));
      return 1;
    }
    const Names names;
    Communicator comm(MPI_COMM_WORLD);
    Report report(prefix, rank);
    const Collective<Communicator> *before = nullptr;
    for (const Call<Communicator> &call : calls) {
      // All ranks leave the collective before. So if a process dies later, the cause is this one.
      if (before && before != call.collective)
        MPI_Barrier(MPI_COMM_WORLD);
      before = call.collective;
      const mpi::Datatype type(names.of(call.instance->element));
      const mpi::Operator op(names.of(call.instance->combiner));
      CaseRunner<Communicator>::Library library;
      if (!call.instance->library.empty())
        library = [&](const Arguments &arguments) {
          auto calls = std::make_shared<MpiLibrary>(*call.instance, arguments, names.of(call.instance->element),
                                                    names.of(call.instance->combiner), MPI_COMM_WORLD);
          return [calls] { return calls->call(); };
        };
      const Status ended =
          CaseRunner<Communicator>(comm, *call.collective, *call.instance, type, op, options, report, observe, library).run();
      // Messages of the failed call might be received by the next one.
      if (mayBeUnderWay(ended))
        MPI_Abort(MPI_COMM_WORLD, 0);
    }
    return 0;
  }

  template <class Body> static int measure(Index, Body body) {
    Communicator comm(MPI_COMM_WORLD);
    const Status bad = comm.status() ? comm.status() : body(comm);
    if (bad) {
      std::fprintf(stderr, "%s\n", bad.text());
      MPI_Abort(MPI_COMM_WORLD, 1); // other ranks may wait for this one
    }
    return 0;
  }
};

} // namespace
} // namespace harness
} // namespace quadrille

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int result = quadrille::harness::runProgram<quadrille::harness::Processes>(argc, argv);
  MPI_Finalize();
  return result;
}
