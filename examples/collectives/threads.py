"""Four threads: prefix sums, and a norm, which all of them get. Calls of ctypes let other threads run meanwhile."""

import ctypes
import math
import threading

library = ctypes.CDLL("libquadrille_collectives.so")
library.quadrille_error_text.restype = ctypes.c_char_p
library.quadrille_comm_of_world.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.POINTER(ctypes.c_void_p)]
library.quadrille_comm_free.argtypes = library.quadrille_world_free.argtypes = [ctypes.c_void_p]
combine = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_ssize_t, ctypes.c_ssize_t]
library.quadrille_scan.argtypes = library.quadrille_allreduce.argtypes = combine
DOUBLE, SUM = 10, 1  # quadrille.h


def check(error):
    if error:
        raise RuntimeError(library.quadrille_error_text().decode())


def body(rank):
    comm = ctypes.c_void_p()
    check(library.quadrille_comm_of_world(world, rank, ctypes.byref(comm)))
    mine, total, squares = ctypes.c_double(rank + 1), ctypes.c_double(), ctypes.c_double()
    square = ctypes.c_double(mine.value**2)
    check(library.quadrille_scan(comm, ctypes.byref(mine), ctypes.byref(total), 1, DOUBLE, SUM))
    check(library.quadrille_allreduce(comm, ctypes.byref(square), ctypes.byref(squares), 1, DOUBLE, SUM))
    if rank + 1 == RANKS:
        print(f"sum {total.value:g}, norm {math.sqrt(squares.value):.3f}")
    library.quadrille_comm_free(comm)


RANKS = 4
world = ctypes.c_void_p()
library.quadrille_world_create.argtypes = [ctypes.c_int64, ctypes.POINTER(ctypes.c_void_p)]
check(library.quadrille_world_create(RANKS, ctypes.byref(world)))
threads = [threading.Thread(target=body, args=(rank,)) for rank in range(RANKS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
library.quadrille_world_free(world)
