"""The collectives that tools/bench measures, and which schedules of the library take part by default. Those with packets choose
their number themselves (k = 0). What a schedule cannot do - another p than a power of two - it refuses when it is called."""

CANDIDATES = {
    "broadcast": ["binomial", "doubling", "sequential", "one_writer", "pipelined_path", "pipelined_binary_full", "pipelined_skewed", "two_trees",
                  "edge_disjoint_trees"],
    "reduce": ["all_read", "sequential", "binomial", "pipelined_path", "pipelined_binary_full", "pipelined_skewed", "two_trees",
               "edge_disjoint_trees"],
    "allreduce": ["all_read_all", "recursive_doubling", "hypercube", "census", "ring", "rabenseifner", "sequential", "reduce_broadcast", "doubly_pipelined",
                  "two_trees", "pipelined_binary_full"],
    "scan": ["all_read", "doubling", "hypercube", "incomplete_hypercube", "pipelined_path", "pipelined_binary_full", "two_trees"],
    "exscan": ["all_read", "doubling_123", "digits", "hypercube", "pipelined_path", "pipelined_binary_full", "two_trees"],
    "allgather": ["all_read_all", "bruck", "circulant", "hypercube", "neighbour_exchange", "ring"],
    "reduce_scatter": ["all_read_all", "circulant", "halving", "hypercube", "ring"],
    "alltoall": ["all_read_all", "bruck", "hypercube", "one_factor", "pairwise", "shift"],
    "gather": ["binomial", "direct"],
    "scatter": ["binomial", "direct"],
    "barrier": ["all_read_all", "dissemination", "binomial", "hypercube"],
}

COLLECTIVES = list(CANDIDATES)

ROOTED = {"broadcast", "reduce", "gather", "scatter"}
MANY_IN = {"reduce_scatter", "alltoall", "scatter"}
MANY_OUT = {"allgather", "alltoall", "gather"}


def buffer_bytes(collective, block_bytes, p):
    """What input and output of all ranks of a program take together."""
    if collective == "barrier":
        return 0
    return p * block_bytes * ((p if collective in MANY_IN else 1) + (p if collective in MANY_OUT else 1))


def moved_blocks(collective, p):
    """How many blocks have to be written somewhere else than where they are, at least, at all ranks together: results at other
    places than inputs. For the limit by bandwidth."""
    return {
        "broadcast": p - 1, "reduce": 1, "allreduce": p, "scan": p, "exscan": p - 1, "allgather": p * p, "reduce_scatter": p,
        "alltoall": p * p, "gather": p, "scatter": p,
    }.get(collective, 0)


def read_blocks(collective, p):
    """How many blocks have to be read and added to others, at all ranks together, at least."""
    return {"reduce": p - 1, "allreduce": p - 1, "scan": p - 1, "exscan": p - 2, "reduce_scatter": p * (p - 1)}.get(collective, 0)
