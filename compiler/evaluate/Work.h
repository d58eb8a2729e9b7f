//===- Work.h - Work, counted alike on every machine -------------------------------------------------------------*- C++ -*-===//

#ifndef QUADRILLE_EVALUATE_WORK_H
#define QUADRILLE_EVALUATE_WORK_H

#include <cstdint>

namespace quadrille::compiler {

/// The work of the calling thread since it began. Unlike time, work does not depend on the machine, so a search that ends after some
/// amount of work finds the same everywhere. The unit is one operation of an expression for one rank, which takes some nanoseconds;
/// what takes longer counts several units.
class Work {
public:
  static constexpr std::uint64_t ofCostOperation = 16; // polynomials of rationals
  static constexpr std::uint64_t ofFactor = 8;         // a run of factors in a product that is joined and looked up
  static constexpr std::uint64_t ofStep = 16;          // a statement, for a rank or, in lockstep, for 64
  static constexpr std::uint64_t ofCall = 32;          // a call of a function, whose result is looked up
  static constexpr std::uint64_t ofTransfer = 40;      // a message: matched and metered
  static constexpr std::uint64_t ofSlot = 4;           // content that is moved or compared
  static constexpr std::uint64_t ofSlotOfRank = 2;     // content that a rank reads or writes in its own memory
  static constexpr std::uint64_t ofRank = 400;         // what is set up and compared for each rank

  static void count(std::uint64_t units) { total += units; }
  static std::uint64_t done() { return total; }

private:
  static inline thread_local std::uint64_t total = 0;
};

} // namespace quadrille::compiler

#endif // QUADRILLE_EVALUATE_WORK_H
