//===- Wishes.h - What the environment says of the preload library -*- C++ -*-===//
//
// Rank 0 of MPI_COMM_WORLD reads the environment and tells the others, so that all decide alike
// which calls the library carries out.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_RUNTIME_PRELOAD_WISHES_H
#define QUADRILLE_RUNTIME_PRELOAD_WISHES_H

#include "Functions.h"

namespace quadrille {
namespace preload {

enum class Insight : unsigned char {
  None,
  Summary, ///< a table at the end
  Compare  ///< the same table, and the MPI library carries out every other call
};

/// What rank 0 has read, which is sent as bytes.
struct Wishes {
  std::array<bool, functionCount> isDisabled{}; ///< QUADRILLE_DISABLE
  Insight insight = Insight::None;              ///< QUADRILLE_TRACE=summary or compare
  /// QUADRILLE_AFTER: the MPI library carries out so many collective calls on a communicator before
  /// it is worth while to prepare the communicator.
  unsigned after = 8;
  char problem[512] = {}; ///< what is wrong with a variable; "" if nothing is

  static Wishes ofEnvironment();
};

} // namespace preload
} // namespace quadrille

#endif // QUADRILLE_RUNTIME_PRELOAD_WISHES_H
