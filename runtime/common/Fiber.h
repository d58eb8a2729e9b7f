//===- Fiber.h - A function that can pause --------------------------------===//
//
// Private to the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef QUADRILLE_COMMON_FIBER_H
#define QUADRILLE_COMMON_FIBER_H

#include <cstddef>

#include <ucontext.h>

namespace quadrille {
namespace detail {

/// A function with a stack of its own. `resume` runs it until it calls `pause`,
/// and the next `resume` goes on from there, on whatever thread. Used by one
/// thread at a time; whoever hands a fiber to another thread orders that.
///
/// The function never returns and is never unwound: when a fiber is destroyed,
/// it has paused where nothing on its stack needs a destructor.
class Fiber {
public:
  using Function = void(void *argument);

  Fiber() = default;
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;
  ~Fiber();

  /// Gives it a stack of at least `stackBytes`, with a page below it that
  /// must not be touched. False if there is no memory.
  bool create(std::size_t stackBytes, Function *function, void *argument) noexcept;
  bool exists() const { return memory_ != nullptr; }

  void resume() noexcept;
  /// On the fiber only.
  void pause() noexcept;

private:
  static void begin(unsigned high, unsigned low);

  ucontext_t self_, resumer_;
  void *memory_ = nullptr; ///< the guard page, then the stack
  std::size_t memoryBytes_ = 0;
  Function *function_ = nullptr;
  void *argument_ = nullptr;

  // What the sanitizers have to know; unused without them.
  void *stackBottom() const;
  std::size_t stackBytes() const;
  void *fakeStack_ = nullptr;
  const void *resumerBottom_ = nullptr;
  std::size_t resumerBytes_ = 0;
  void *threadFiber_ = nullptr, *resumerFiber_ = nullptr;
};

} // namespace detail
} // namespace quadrille

#endif // QUADRILLE_COMMON_FIBER_H
