"""Runs every schedule of the library that its numbers of ranks admit, and counts the cases that were right. What went wrong is
printed to standard error.

usage: every-schedule.py QUADRILLE OPTION...   (options of `quadrille run`)
"""

import concurrent.futures
import subprocess
import sys

quadrille, options = sys.argv[1], sys.argv[2:]
listed = subprocess.run([quadrille, "list"], capture_output=True, text=True, check=True).stdout
names = [line.split()[0] for line in listed.splitlines() if "/" in line.split()[0]]


def run(name):
    return name, subprocess.run([quadrille, "run", name, *options], capture_output=True, text=True)


right = failed = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for name, result in pool.map(run, names):
        lines = result.stdout.splitlines()
        good = [line for line in lines if line.endswith(": ok")]
        right += len(good)
        if result.returncode != 0 or result.stderr or len(good) != len(lines) or not good:
            failed += 1
            print(f"FAILED: {name}\n{result.stdout}{result.stderr}", file=sys.stderr)
print(f"{len(names)} schedules, {failed} failed, {right} cases right")
sys.exit(1 if failed or not names else 0)
