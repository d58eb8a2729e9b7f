//===- Calls.h - Which calls a program makes, as a file ---------*- C++ -*-===//
//
// Rank 0 of MPI_COMM_WORLD writes the file when MPI ends. `quadrille tune --from` reads it
// (compiler/tune/Calls.cpp). docs/preload.md describes it.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_CALLS_H
#define QUADRILLE_RUNTIME_PRELOAD_CALLS_H

#include "Functions.h"

#include <mpi.h>

#include <cstdint>
#include <initializer_list>
#include <string>

namespace quadrille {
namespace preload {

class Calls {
public:
  /// Makes the file, empty until MPI ends. Returns what is wrong; "" if nothing is.
  static std::string begin(const char *file);
  static bool isOn();
  /// Adds a call that the library carries out. `op`: MPI_OP_NULL if data are only moved.
  static void add(Function function, int p, std::uint64_t bytes, std::initializer_list<MPI_Datatype> types, MPI_Op op);
  static void write();
};

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_CALLS_H
