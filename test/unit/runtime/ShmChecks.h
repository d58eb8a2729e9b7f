//===- ShmChecks.h - What the checks of collectives need of threads --------===//

#ifndef QUADRILLE_TEST_RUNTIME_SHMCHECKS_H
#define QUADRILLE_TEST_RUNTIME_SHMCHECKS_H

#include "CollectiveChecks.h"

#include "quadrille/shm.h"

#include <gtest/gtest.h>

#include <atomic>

namespace checks {

/// An operator that does not commute. `context`, if there is one, counts the products: an atomic long.
inline void multiplyMatrices(const void *in, void *inout, std::size_t count, const quadrille::shm::Datatype &type,
                             void *context) {
  EXPECT_EQ(type.sizeBytes(), sizeof(Matrix));
  multiply(in, inout, count);
  if (context)
    *static_cast<std::atomic<long> *>(context) += static_cast<long>(count);
}

inline Environment<quadrille::shm::Communicator> environment() {
  return {quadrille::shm::Datatype::of<Matrix>(), quadrille::shm::Operator::user(multiplyMatrices)};
}

} // namespace checks

#endif // QUADRILLE_TEST_RUNTIME_SHMCHECKS_H
