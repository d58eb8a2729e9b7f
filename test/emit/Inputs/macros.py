"""Macros of the headers that an emitted header includes.

usage: macros.py names FILE COMPILER... HEADER    writes a schedule in which all of them are names
       macros.py refused FILE                     are they refused as namespaces?
"""

import re
import subprocess
import sys

if sys.argv[1] == "refused":
    # A few of each kind, as each takes a process.
    names = re.findall(r"let (\w+) =", open(sys.argv[2]).read())
    for name in names[::8]:
        ended = subprocess.run(["quadrille", "emit", "allgather/ring", "-o", "-", "--namespace", name], capture_output=True, text=True)
        if ended.returncode != 2 or "as a macro" not in ended.stderr:
            sys.exit(f"{name}: {ended.returncode} {ended.stderr}")
    sys.exit(0)

said = subprocess.run([*sys.argv[3:-1], "-dM", "-E", sys.argv[-1]], capture_output=True, text=True, check=True).stdout
names = sorted(set(re.findall(r"^#define ([A-Za-z]\w*)", said, re.MULTILINE)))
names = [name for name in names if not name.startswith("_") and "__" not in name]
if len(names) < 100:
    sys.exit(f"only {len(names)} macros")
text, before = "schedule macros for scan(x) -> y {\n  requires p == 1\n  y := x\n", "me"
for name in names:
    text += f"  let {name} = ({before} + 1) mod p\n"
    before = name
text += f"  if {before} > 0 {{ y := x }}\n}}\n"
open(sys.argv[2], "w").write(text)
