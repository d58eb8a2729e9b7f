//===- Contestants.h - Implementations that are measured --------*- C++ -*-===//

#ifndef QUADRILLE_BENCHMARK_COLLECTIVES_CONTESTANTS_H
#define QUADRILLE_BENCHMARK_COLLECTIVES_CONTESTANTS_H

#include "quadrille/index.h"
#include "quadrille/status.h"

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace benchmark {

/// The arguments of one call on one rank.
struct Arguments {
  const double *x;
  double *y;
  std::size_t words;
  int root, rank;
};

/// An implementation of a collective. `World`: a rank's communicators, which
/// calls need besides their arguments.
template <class World> struct Contestant {
  int collective;
  std::string family; ///< where it comes from: emitted, library, ...
  std::string name;   ///< its name in the family
  quadrille::Status (*call)(World &, const Contestant &, const Arguments &);
  quadrille::Index parameter = 0; ///< the number of packets, if the schedule has one; 0: it chooses
  int algorithm = -1;             ///< index of its communicator in World::theirs
  bool inPlace = false;           ///< a broadcast whose root has its data in `y`
};

//===----------------------------------------------------------------------===//
// Emitted schedules, whose parameters are recognized by their types
//===----------------------------------------------------------------------===//

namespace detail {

template <class Communicator> struct Supply {
  const Arguments &arguments;
  quadrille::Index parameter;
  int numbersLeft; ///< numbers of the schedule that come before the root, if there is one
  const typename Communicator::Datatype &type;
  const typename Communicator::Operator &op;

  template <class T> T get() {
    if constexpr (std::is_same_v<T, quadrille::Index>)
      return numbersLeft-- > 0 ? parameter : arguments.root;
    else if constexpr (std::is_same_v<T, const void *>)
      return arguments.x;
    else if constexpr (std::is_same_v<T, void *>)
      return arguments.y;
    else if constexpr (std::is_same_v<T, std::size_t>)
      return arguments.words;
    else if constexpr (std::is_same_v<T, const typename Communicator::Datatype &>)
      return type;
    else
      return op;
  }
};

} // namespace detail

/// Calls an emitted function.
template <class Communicator, class... Rest>
quadrille::Status callEmitted(quadrille::Status (*function)(Communicator &, Rest...), Communicator &comm, const Arguments &arguments,
                              quadrille::Index parameter, bool rooted, const typename Communicator::Datatype &type,
                              const typename Communicator::Operator &op) {
  constexpr int numbers = (0 + ... + int(std::is_same_v<Rest, quadrille::Index>));
  detail::Supply<Communicator> supply{arguments, parameter, numbers - int(rooted), type, op};
  if constexpr (sizeof...(Rest) == 0)
    return function(comm);
  else {
    // In braces, arguments are evaluated from left to right.
    struct Call {
      quadrille::Status status;
      Call(quadrille::Status (*f)(Communicator &, Rest...), Communicator &c, Rest... rest) : status(f(c, rest...)) {}
    };
    return Call{function, comm, supply.template get<Rest>()...}.status;
  }
}

} // namespace benchmark

#endif // QUADRILLE_BENCHMARK_COLLECTIVES_CONTESTANTS_H
