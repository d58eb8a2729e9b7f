"""Checks the schedules of a library, cut off in nine places each: exit status 0 or 1, and quickly."""

import pathlib
import subprocess
import sys

for path in sorted(pathlib.Path(sys.argv[1]).glob("*/*.quad")):
    text = path.read_bytes()
    for tenth in range(1, 10):
        result = subprocess.run(["quadrille", "check", "-"], input=text[: len(text) * tenth // 10],
                                capture_output=True, timeout=30)
        if result.returncode not in (0, 1):
            sys.exit(f"{path}, {tenth} tenths: exit status {result.returncode}\n{result.stderr.decode()}")
