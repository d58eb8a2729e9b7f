# Every collective of mpi4py: on buffers, and on Python's objects, which it pickles. Prints what is wrong.
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
wrong = 0


def expect(what, found, wanted):
    global wrong
    if found != wanted:
        wrong += 1
        print(f"{what}: rank {world.rank} has {found} and not {wanted}", file=sys.stderr)


def numbers(*values):
    from array import array
    return array("i", values)


def blank(n):
    return numbers(*[-1] * n)


def on(comm):
    p, me = comm.size, comm.rank
    ranks = list(range(p))
    comm.Barrier()
    for root in ranks:
        got = numbers(7, root) if me == root else blank(2)
        comm.Bcast([got, MPI.INT], root)
        expect("Bcast", list(got), [7, root])
        got = blank(p)
        comm.Gather([numbers(me), MPI.INT], [got, MPI.INT] if me == root else None, root)
        expect("Gather", list(got), ranks if me == root else [-1] * p)
        got = blank(1)
        comm.Scatter([numbers(*ranks), MPI.INT] if me == root else None, [got, MPI.INT], root)
        expect("Scatter", list(got), [me])
        got = blank(1)
        comm.Reduce([numbers(me), MPI.INT], [got, MPI.INT] if me == root else None, MPI.SUM, root)
        expect("Reduce", list(got), [sum(ranks)] if me == root else [-1])
        counts = [r + 1 for r in ranks]
        places = [sum(counts[:r]) for r in ranks]
        got = blank(sum(counts))
        comm.Gatherv([numbers(*[me] * (me + 1)), MPI.INT], [got, counts, places, MPI.INT] if me == root else None, root)
        expect("Gatherv", list(got), [r for r in ranks for _ in range(r + 1)] if me == root else [-1] * sum(counts))
        expect("bcast", comm.bcast({"root": root} if me == root else None, root), {"root": root})
        expect("gather", comm.gather((me, "a" * me), root), [(r, "a" * r) for r in ranks] if me == root else None)
        expect("scatter", comm.scatter([str(r) for r in ranks] if me == root else None, root), str(me))
        expect("reduce", comm.reduce([me], MPI.SUM, root), ranks if me == root else None)
    got = blank(1)
    comm.Allreduce([numbers(me), MPI.INT], [got, MPI.INT], MPI.MAX)
    expect("Allreduce", list(got), [p - 1])
    got = numbers(me)
    comm.Allreduce(MPI.IN_PLACE, [got, MPI.INT], MPI.SUM)
    expect("Allreduce in place", list(got), [sum(ranks)])
    got = blank(1)
    comm.Scan([numbers(me), MPI.INT], [got, MPI.INT])
    expect("Scan", list(got), [sum(ranks[:me + 1])])
    got = blank(1)
    comm.Exscan([numbers(me), MPI.INT], [got, MPI.INT])
    expect("Exscan", list(got)[:me], [sum(ranks[:me])][:me])
    got = blank(p)
    comm.Allgather([numbers(me), MPI.INT], [got, MPI.INT])
    expect("Allgather", list(got), ranks)
    got = blank(2 * p)
    comm.Allgatherv([numbers(me), MPI.INT], [got, [1] * p, [2 * r for r in ranks], MPI.INT])
    expect("Allgatherv", list(got), [x for r in ranks for x in (r, -1)])
    got = blank(p)
    comm.Alltoall([numbers(*[10 * me + r for r in ranks]), MPI.INT], [got, MPI.INT])
    expect("Alltoall", list(got), [10 * r + me for r in ranks])
    for root in ranks:
        got = blank(me + 1)
        comm.Scatterv([numbers(*[r for r in ranks for _ in range(r + 1)]), counts, places, MPI.INT] if me == root else None, [got, MPI.INT], root)
        expect("Scatterv", list(got), [me] * (me + 1))
    # Rank i sends j + 1 numbers to rank j, none to itself.
    sent, received = [r + 1 if r != me else 0 for r in ranks], [me + 1 if r != me else 0 for r in ranks]
    got = blank(sum(received))
    comm.Alltoallv([numbers(*[100 * me + r for r in ranks for _ in range(sent[r])]), sent, MPI.INT], [got, received, MPI.INT])
    expect("Alltoallv", list(got), [100 * r + me for r in ranks for _ in range(received[r])])
    got = blank(1)
    comm.Reduce_scatter_block([numbers(*ranks), MPI.INT], [got, MPI.INT])
    expect("Reduce_scatter_block", list(got), [p * me])
    got = blank(1)
    comm.Reduce_scatter([numbers(*ranks), MPI.INT], [got, MPI.INT], [1] * p)
    expect("Reduce_scatter", list(got), [p * me])
    expect("allgather", comm.allgather({me}), [{r} for r in ranks])
    expect("alltoall", comm.alltoall([(me, r) for r in ranks]), [(r, me) for r in ranks])
    expect("allreduce", comm.allreduce("x", MPI.SUM), "x" * p)
    expect("scan", comm.scan([me], MPI.SUM), ranks[:me + 1])
    # An operator in Python, which does not commute, on elements of its own.
    def chain(x, y, _):
        a, b = bytes(x), bytes(y)
        y[:] = bytes([a[0], b[1]])  # the first of the left, the last of the right
    op = MPI.Op.Create(chain, commute=False)
    pair = MPI.BYTE.Create_contiguous(2).Commit()
    got = bytearray(2)
    comm.Allreduce([bytes([me, me]), 1, pair], [got, 1, pair], op)
    expect("an operator of one's own", list(got), [0, p - 1])
    pair.Free()
    op.Free()
    # Collectives that do not block, beside others.
    put, got, more = numbers(me), blank(1), blank(1)
    first = comm.Iallreduce([put, MPI.INT], [got, MPI.INT])
    comm.Allreduce([numbers(1), MPI.INT], [more, MPI.INT])
    second = comm.Ibarrier()
    MPI.Request.Waitall([first, second])
    expect("Iallreduce", list(got) + list(more), [sum(ranks), p])


on(world)
half = world.Split(world.rank % 2, -world.rank)
on(half)
half.Free()
for _ in range(20):
    again = world.Dup()
    expect("a communicator in a loop", again.allreduce(1), world.size)
    again.Free()
total = world.reduce(wrong)
if world.rank == 0:
    print(f"{world.size} processes of Python: {total} wrong")
