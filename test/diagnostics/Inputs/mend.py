"""Makes the changes that diagnostics propose in a file, the first one of each, and prints the lines that have changed.

usage: mend.py FILE COMMAND...    COMMAND prints the diagnostics as JSON on standard error
"""

import json
import pathlib
import subprocess
import sys

path = pathlib.Path(sys.argv[1])
text = path.read_bytes()
run = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
lines = text.splitlines(keepends=True)


def offset(line, column):
    return sum(len(before) for before in lines[: line - 1]) + column - 1


changes = []
for diagnostic in json.loads(run.stderr)["diagnostics"]:
    print(diagnostic["code"], [mend["title"] for mend in diagnostic["mends"]])
    for mend in diagnostic["mends"][:1]:
        changes.append((offset(mend["line"], mend["column"]), offset(mend["endLine"], mend["endColumn"]), mend["replacement"]))
for begin, end, replacement in sorted(changes, reverse=True):
    text = text[:begin] + replacement.encode() + text[end:]
for line in text.splitlines():
    if line + b"\n" not in lines:
        print("+", line.decode())
path.write_bytes(text)
