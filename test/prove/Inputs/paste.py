"""Writes the clocks and invariants that `prove --explain` prints into the text that they are about: a clock before its
transfer, an invariant at the beginning of its loop. Comments stay away.

usage: quadrille prove FILE --explain | paste.py FILE > MENDED"""

import re
import sys

with open(sys.argv[1]) as file:
    lines = file.read().split("\n")
found = []
place = None
for line in sys.stdin:
    if match := re.fullmatch(r"    (.*):(\d+):(\d+)\n", line):
        place = int(match[2]) - 1, int(match[3]) - 1
        if not sys.argv[1].endswith(match[1].removeprefix("./")) and not match[1].endswith(sys.argv[1]):
            place = None  # in a file that it uses
    elif place and (line.startswith("      clock ") or line.startswith("      invariant ")):
        found.append((place, len(found), line.strip()))
for (row, column), _, text in sorted(found, reverse=True):
    if text.startswith("invariant"):
        while (brace := lines[row].split("//")[0].find("{", column)) < 0:
            row, column = row + 1, 0
        column = brace + 1
        buffer = re.match(r"invariant \w+", text)[0]
        if any(line.lstrip().startswith(buffer) for line in lines[row + 1 : row + 6]):
            continue  # that is where it comes from
        text = "\n" + text + "\n"
    lines[row] = lines[row][:column] + text + " " + lines[row][column:]
print("\n".join(lines), end="")
