// reduce_inorder_tree.h: the schedule reduce/inorder_tree, backend shm.
// Written by quadrille 0.1.0 (--backend shm --namespace collectives); edit the schedule instead.
//
// checked for p = 1..17, all n: matching, no deadlock, result
// model half_duplex, operator associative
// cost <= 2*height(T) * (alpha + beta*n)

#ifndef QUADRILLE_EMITTED_REDUCE_INORDER_TREE_H
#define QUADRILLE_EMITTED_REDUCE_INORDER_TREE_H

#include "quadrille/shm.h"

#include <cstddef>

namespace collectives {

using Communicator = quadrille::shm::Communicator;

/// A reduce by the schedule `reduce/inorder_tree`. Collective: all ranks of `comm` call it alike.
///
/// \param root a rank, the same on all ranks
/// \param x input: one block of n elements
/// \param y output: one block of n elements; at rank `root` only, elsewhere it may be null; may be the input's memory
/// \param op associative; need not be commutative
quadrille::Status reduce_inorder_tree(Communicator &comm, quadrille::Index root, const void *x,
                                      void *y, std::size_t n, const Communicator::Datatype &type,
                                      const Communicator::Operator &op);

} // namespace collectives

#endif // QUADRILLE_EMITTED_REDUCE_INORDER_TREE_H
