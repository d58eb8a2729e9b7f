//===- Plans.h - What a communicator keeps for its calls ------------------===//
//
// Private to the runtime. Accessed only by the thread that is inside the
// communicator's list of tasks.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_PLAN_PLANS_H
#define QUADRILLE_PLAN_PLANS_H

#include "Fragment.h"
#include "PlanCache.h"
#include "PlanObserver.h"
#include "Recorder.h"

#include <memory>
#include <new>
#include <vector>

namespace quadrille {
namespace detail {

/// Objects that are given back and reused, so that in the long run nothing is
/// allocated.
template <class Object> class Pool {
public:
  /// Returns a spare or a new object; null if there is no memory.
  Object *take() noexcept {
    if (spare_.empty())
      return new (std::nothrow) Object;
    Object *const object = spare_.back();
    spare_.pop_back();
    return object;
  }
  void giveBack(Object *object) noexcept {
    if (!object)
      return;
    try {
      spare_.push_back(object);
    } catch (const std::bad_alloc &) {
      delete object;
    }
  }

  Pool() = default;
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;
  ~Pool() {
    for (Object *object : spare_)
      delete object;
  }

private:
  std::vector<Object *> spare_; ///< owned
};

/// Returns an execution for a call: the one that is ready for it, or one from
/// the pool. `isKept`: a persistent call keeps it. Null if there is no memory.
template <class Execution>
Execution *takeExecution(KnownCall *known, bool isKept, Pool<Execution> &pool) noexcept {
  // A persistent call must not keep the ready one, which other calls need.
  if (!known || isKept || known->isReadyInUse)
    return pool.take();
  if (!known->ready)
    known->ready.reset(pool.take());
  if (!known->ready)
    return nullptr;
  known->isReadyInUse = true;
  Execution *const execution = static_cast<Execution *>(known->ready.get());
  execution->setHome(&known->isReadyInUse);
  return execution;
}

class Plans {
public:
  Pool<Recorder> recorders;
  Pool<Fragment> fragments;
  PlanCache cache;
  /// The node of each rank; empty: all are on one. Constant, as plans depend on it.
  std::vector<Index> nodeOf;
  /// If not null, calls are shown to this observer.
  PlanObserver *observer = nullptr;
  /// Whether calls are shown to it instead of being carried out.
  bool areOnlyShown() const { return observer && observer->stage() != PlanObserver::Stage::CarriedOut; }
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_PLANS_H
