#!/usr/bin/env python3
"""Measures `quadrille check` on large cases and prints a table: ninja -C build benchmark, or tools/benchmark/checker.py QUADRILLE.

Each case runs several times; the fastest run counts, as these are single computations without randomness and whatever
else the machine does only adds. The last column is the time as a fraction of the goal.
"""

import os
import subprocess
import sys
import time

CASES = [
    # schedule, p, goal in seconds, goal in megabytes
    ("allreduce/ring", 256, 0.1, None),
    ("alltoall/shift", 1024, 0.3, None),
    ("allgather/ring", 4096, 1.5, 300),
    ("allreduce/hypercube", 1 << 20, 1.0, None),
]
REPETITIONS = 5


def transfers(quadrille, schedule, p):
    text = subprocess.run([quadrille, "check", "--no-proof", schedule, "-p", str(p), "-v"], check=True, capture_output=True, text=True).stdout
    return int(text.split(" transfers")[0].split()[-1])


def measure(quadrille, schedule, p):
    fastest, memory = float("inf"), 0
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        child = subprocess.Popen([quadrille, "check", "--no-proof", schedule, "-p", str(p)], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        if status != 0:
            sys.exit(f"{schedule} at p = {p} failed")
        fastest = min(fastest, time.perf_counter() - start)
        memory = max(memory, usage.ru_maxrss // 1024)
    return fastest, memory


def main():
    quadrille = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "..", "build", "bin", "quadrille")
    start = time.perf_counter()
    library = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "schedules")
    subprocess.run([quadrille, "check", "--no-proof", library, "-p", "1..33"], check=True, stdout=subprocess.DEVNULL)
    whole = time.perf_counter() - start
    print(f"{'case':<32}{'transfers':>12}{'seconds':>10}{'goal':>7}{'MB':>6}{'goal':>6}{'of goal':>9}")
    print(f"{'the library, p = 1..33':<32}{'':>12}{whole:>10.3f}{10:>7}{'':>12}{whole / 10:>9.2f}")
    for schedule, p, seconds, megabytes in CASES:
        count = transfers(quadrille, schedule, p)
        taken, memory = measure(quadrille, schedule, p)
        print(f"{schedule + ', p = ' + str(p):<32}{count:>12}{taken:>10.3f}{seconds:>7}{memory:>6}"
              f"{megabytes or '':>6}{taken / seconds:>9.2f}")


main()
