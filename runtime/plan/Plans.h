//===- Plans.h - What a communicator keeps for its calls ------------------===//
//
// Private to the runtime. Touched by the thread that is inside the
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

/// Objects that are given back and taken again, so that in the long run nothing
/// is allocated.
template <class Object> class Pool {
public:
  /// Null if there is no memory.
  Object *take() noexcept {
    if (spare_.empty())
      return new (std::nothrow) Object;
    Object *const object = spare_.back().release();
    spare_.pop_back();
    return object;
  }
  void giveBack(Object *object) noexcept {
    if (!object)
      return;
    std::unique_ptr<Object> owned(object);
    try {
      spare_.push_back(std::move(owned));
    } catch (const std::bad_alloc &) {
      // It is freed instead.
    }
  }

private:
  std::vector<std::unique_ptr<Object>> spare_;
};

class Plans {
public:
  Pool<Recorder> recorders;
  Pool<Fragment> fragments;
  PlanCache cache;
  /// Sees calls instead of their being carried out; null: nobody does.
  PlanObserver *observer = nullptr;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_PLAN_PLANS_H
