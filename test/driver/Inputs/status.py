"""Runs a command and checks its exit status and what it says on standard error; standard output must stay empty.

usage: status.py STATUS WORDS COMMAND...
"""

import subprocess
import sys

status, words, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60)
if result.returncode != status or words not in result.stderr or result.stdout:
    print(f"{' '.join(command)}: exit status {result.returncode}, expected {status} and {words!r}")
    print(result.stderr + result.stdout)
    sys.exit(1)
