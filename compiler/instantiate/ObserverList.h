//===- ObserverList.h - Several observers of one run ----------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_INSTANTIATE_OBSERVERLIST_H
#define QUADRILLE_INSTANTIATE_OBSERVERLIST_H

#include "Round.h"

#include "llvm/ADT/STLExtras.h"

namespace quadrille::compiler {

/// Forwards all calls to several observers.
class ObserverList : public RunObserver {
public:
  std::vector<RunObserver *> list;

  void onRound(const Round &round, const Machine &machine) override {
    for (RunObserver *observer : list)
      observer->onRound(round, machine);
  }
  bool wantsTransfers() const override {
    return llvm::any_of(list, [](const RunObserver *observer) { return observer->wantsTransfers(); });
  }
  bool wantsLoops() const override {
    return llvm::any_of(list, [](const RunObserver *observer) { return observer->wantsLoops(); });
  }
  void onLoopHead(const LoopVisit &visit, const Machine &machine) override {
    for (RunObserver *observer : list)
      if (observer->wantsLoops())
        observer->onLoopHead(visit, machine);
  }
  bool wantsStated() const override {
    return llvm::any_of(list, [](const RunObserver *observer) { return observer->wantsStated(); });
  }
  void onRankHead(const RankVisit &visit, const Machine &machine) override {
    for (RunObserver *observer : list)
      if (observer->wantsStated())
        observer->onRankHead(visit, machine);
  }
  void onHeadsLeftOut() override {
    for (RunObserver *observer : list)
      observer->onHeadsLeftOut();
  }
  void onRestart() override {
    for (RunObserver *observer : list)
      observer->onRestart();
  }
  void onStepEnd(std::uint32_t first, std::uint32_t count) override {
    for (RunObserver *observer : list)
      observer->onStepEnd(first, count);
  }
  void onEnd(const Machine &machine) override {
    for (RunObserver *observer : list)
      observer->onEnd(machine);
  }
  void onWork(std::uint32_t first, std::uint32_t count, const std::int64_t *words, const Machine &machine) override {
    for (RunObserver *observer : list)
      observer->onWork(first, count, words, machine);
  }
};

} // namespace quadrille::compiler

#endif // QUADRILLE_INSTANTIATE_OBSERVERLIST_H
