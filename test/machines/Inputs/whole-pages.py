"""Usage: whole-pages.py QUADRILLE FILE: makes tables with more and more rows until the rules for MPICH would end with a page."""

import subprocess
import sys

PAGE = 4096
quadrille, name = sys.argv[1:]


def length(rows, longer):
    """The length of the file for so many rows, an even number, the ends of the last `longer` of which have a digit more."""
    ends = [(10001 if i >= rows - longer else 1001) + 2 * i for i in range(rows)]
    with open(name, "w", encoding="utf-8") as table:
        table.write("quadrille-table 1\nbackend mpi\n")
        for i, end in enumerate(ends):
            table.write(f"broadcast bytes=0..{end} {('binomial', 'scatter_ring')[i % 2]}\n")
        table.write("broadcast binomial\n")
    return len(subprocess.run([quadrille, "tune", "--export=mpich", name, "-p", "4"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)


first = length(100, 0)
step = length(102, 0) - first
for rows in range(100, 1000, 2):
    missing = -(first + (rows - 100) // 2 * step) % PAGE
    if 0 < missing <= rows:
        break
found = length(rows, missing)
if found % PAGE != 1:
    sys.exit(f"{found} bytes, and not one more than whole pages")
