//===- Contestants.h - Who is measured --------------------------*- C++ -*-===//

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

/// `World` is what a call needs beside its arguments: a rank's communicators.
template <class World> struct Contestant {
  int collective;
  std::string family; ///< who has written it
  std::string name;   ///< which of these it is
  quadrille::Status (*call)(World &, const Contestant &, const Arguments &);
  quadrille::Index parameter = 0; ///< the number of packets of a schedule that has one; 0: it chooses
  int algorithm = -1;             ///< which of the communicators of an MPI library
  bool inPlace = false;           ///< a broadcast from where the root has its input
};

//===----------------------------------------------------------------------===//
// Emitted schedules: whatever the signature, arguments are told by their types
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
