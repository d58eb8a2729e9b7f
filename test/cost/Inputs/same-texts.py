"""Runs the test that prints texts of formulas, and counts the different outputs: same-texts.py PROGRAM RUNS"""

import subprocess
import sys

program, runs = sys.argv[1], int(sys.argv[2])
outputs = set()
for _ in range(runs):
    text = subprocess.run([program, "--gtest_filter=*.PrintedTexts", "--gtest_print_time=0"], check=True, capture_output=True).stdout
    assert text.count(b"\n") > 150, "the program printed no formulas"
    outputs.add(text)
print(f"{runs} runs, {len(outputs)} output{'' if len(outputs) == 1 else 's'}")
