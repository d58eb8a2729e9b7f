//===- Trail.h - A list that grows, and is taken back ---------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_PROVE_EXECUTION_TRAIL_H
#define QUADRILLE_PROVE_EXECUTION_TRAIL_H

#include "llvm/ADT/ArrayRef.h"

#include <cassert>
#include <memory>
#include <vector>

namespace quadrille::compiler::prove {

/// A list that grows at its end. A copy costs nothing: it shares the items and remembers the length. Assigning a copy back
/// removes the items added since; copies that were made while the list was longer must not be used afterwards.
template <typename T> class Trail {
public:
  void push_back(T item) {
    assert(count <= items->size() && "a copy that was taken back itself");
    items->erase(items->begin() + static_cast<std::ptrdiff_t>(count), items->end());
    items->push_back(std::move(item));
    ++count;
  }
  template <typename Range> void append(Range &&range) {
    for (auto &&item : range)
      push_back(item);
  }

  std::size_t size() const { return count; }
  bool empty() const { return count == 0; }
  llvm::ArrayRef<T> all() const {
    assert(count <= items->size() && "a copy that was taken back itself");
    return llvm::ArrayRef<T>(*items).take_front(count);
  }
  /// The items from number `first` on.
  llvm::ArrayRef<T> since(std::size_t first) const { return all().drop_front(first); }
  /// The same items, to be changed.
  llvm::MutableArrayRef<T> newest(std::size_t first) {
    assert(first <= count && count <= items->size());
    return llvm::MutableArrayRef<T>(*items).slice(first, count - first);
  }
  const T &back() const { return all().back(); }
  const T &operator[](std::size_t i) const { return all()[i]; }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
  operator std::vector<T>() const { return all().vec(); }

  /// Its destructor removes the items that were added since its constructor.
  class Scope {
  public:
    explicit Scope(Trail &trail) : trail(trail), count(trail.count) {}
    ~Scope() {
      assert(count <= trail.count && "more was taken back within");
      trail.count = count;
    }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Trail &trail;
    const std::size_t count;
  };

private:
  std::shared_ptr<std::vector<T>> items = std::make_shared<std::vector<T>>();
  std::size_t count = 0;
};

} // namespace quadrille::compiler::prove

#endif // QUADRILLE_PROVE_EXECUTION_TRAIL_H
