"""Writes the clocks that `prove --explain` prints into the text that they are about, each before its transfer.

usage: quadrille prove FILE --explain | paste.py FILE > MENDED"""

import re
import sys

with open(sys.argv[1]) as file:
    lines = file.read().split("\n")
found = []
place = None
for line in sys.stdin:
    if match := re.fullmatch(r"    .*:(\d+):(\d+)\n", line):
        place = int(match[1]) - 1, int(match[2]) - 1
    elif place and line.startswith("      clock "):
        found.append((place, line.strip()))
for (row, column), clock in sorted(found, reverse=True):
    lines[row] = lines[row][:column] + clock + " " + lines[row][column:]
print("\n".join(lines), end="")
