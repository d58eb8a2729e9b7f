"""Reads what `quadrille cost` prints, and complains about costs below their lower bounds: above-bounds.py FILE"""

import re
import sys

bounds = 0
case = ""
for line in open(sys.argv[1]):
    if not line.startswith(" "):
        case = line.strip()
    if re.match(r"  (rounds|words) bound ", line):
        bounds += 1
        times = re.search(r"; ([0-9.]+) times that here", line)
        if times and float(times.group(1)) < 1:
            print(f"{case}: {line.strip()}")
print(f"{bounds} bounds")
