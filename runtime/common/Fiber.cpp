//===- Fiber.cpp - A function that can pause ------------------------------===//

#include "Fiber.h"

#include <algorithm>
#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define QUADRILLE_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define QUADRILLE_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define QUADRILLE_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define QUADRILLE_TSAN 1
#endif
#ifdef QUADRILLE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef QUADRILLE_TSAN
#include <sanitizer/tsan_interface.h>
#endif

using namespace quadrille::detail;

static std::size_t pageBytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void *Fiber::stackBottom() const {
  return static_cast<char *>(memory_) + pageBytes();
}

std::size_t Fiber::stackBytes() const { return memoryBytes_ - pageBytes(); }

bool Fiber::create(std::size_t stackBytes, Function *function,
                   void *argument) noexcept {
  constexpr std::size_t leastBytes = 32 * 1024;
  const std::size_t page = pageBytes();
  stackBytes = std::max(stackBytes, leastBytes);
  if (stackBytes > static_cast<std::size_t>(-1) - 2 * page)
    return false;
  const std::size_t bytes = (stackBytes + page - 1) / page * page + page;
  // Pages cost memory when they are first touched.
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  // Stacks grow downwards: one that is too small ends in a fault instead of in
  // somebody else's memory.
  if (mprotect(memory, page, PROT_NONE) != 0 || getcontext(&self_) != 0) {
    munmap(memory, bytes);
    return false;
  }
  memory_ = memory;
  memoryBytes_ = bytes;
  function_ = function;
  argument_ = argument;
  self_.uc_stack.ss_sp = stackBottom();
  self_.uc_stack.ss_size = this->stackBytes();
  self_.uc_link = nullptr;
  // makecontext hands over nothing but ints.
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&self_, reinterpret_cast<void (*)()>(begin), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
#ifdef QUADRILLE_TSAN
  threadFiber_ = __tsan_create_fiber(0);
#endif
  return true;
}

Fiber::~Fiber() {
  if (!memory_)
    return;
#ifdef QUADRILLE_TSAN
  __tsan_destroy_fiber(threadFiber_);
#endif
#ifdef QUADRILLE_ASAN
  // The frames that are left there are of no interest to the next user.
  __asan_unpoison_memory_region(stackBottom(), stackBytes());
#endif
  munmap(memory_, memoryBytes_);
}

void Fiber::begin(unsigned high, unsigned low) {
  Fiber &fiber = *reinterpret_cast<Fiber *>(static_cast<std::uintptr_t>(
      static_cast<std::uint64_t>(high) << 32 | low));
#ifdef QUADRILLE_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &fiber.resumerBottom_,
                                  &fiber.resumerBytes_);
#endif
  fiber.function_(fiber.argument_);
}

void Fiber::resume() noexcept {
#ifdef QUADRILLE_ASAN
  void *fakeStack = nullptr;
  __sanitizer_start_switch_fiber(&fakeStack, stackBottom(), stackBytes());
#endif
#ifdef QUADRILLE_TSAN
  resumerFiber_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(threadFiber_, 0);
#endif
  swapcontext(&resumer_, &self_);
#ifdef QUADRILLE_ASAN
  __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
#endif
}

void Fiber::pause() noexcept {
#ifdef QUADRILLE_ASAN
  __sanitizer_start_switch_fiber(&fakeStack_, resumerBottom_, resumerBytes_);
#endif
#ifdef QUADRILLE_TSAN
  __tsan_switch_to_fiber(resumerFiber_, 0);
#endif
  swapcontext(&self_, &resumer_);
#ifdef QUADRILLE_ASAN
  // The next resumer may be another thread, on another stack.
  __sanitizer_finish_switch_fiber(fakeStack_, &resumerBottom_, &resumerBytes_);
#endif
}
