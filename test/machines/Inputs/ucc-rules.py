"""Usage: ucc-rules.py FILE: reads a value of UCC_TL_UCP_TUNE as UCC says that it does (https://github.com/openucx/ucc/wiki/FAQ). Rules of one
collective and one size of teams must not overlap. Where there is ucc_info, it must know the algorithms."""

import re
import shutil
import subprocess
import sys

ALGORITHMS = {
    "allgather": {"knomial", "ring", "neighbor", "bruck", "sparbit"},
    "allgatherv": {"knomial", "ring"},
    "allreduce": {"knomial", "sra_knomial", "dbt"},
    "alltoall": {"pairwise", "bruck"},
    "alltoallv": {"pairwise", "hybrid"},
    "bcast": {"knomial", "sag_knomial", "dbt"},
    "reduce": {"knomial", "dbt", "srg"},
    "reduce_scatter": {"ring", "knomial"},
    "reduce_scatterv": {"ring"},
}
LONGEST = 131071  # bytes of a variable that Linux passes to a program, with its name

with open(sys.argv[1], encoding="utf-8") as file:
    value = file.read()
if len("UCC_TL_UCP_TUNE=" + value) >= LONGEST:
    sys.exit(f"the value has {len(value)} bytes")
taken = {}
used = set()
for rule in value.split("#"):
    match = re.fullmatch(r"([a-z_]+):host:\[(\d+)-(\d+)\]:(\d+)-(\d+|inf):@([a-z_]+)", rule)
    if not match:
        sys.exit(f"not a rule: {rule}")
    collective, first, last, start, end, algorithm = match.groups()
    if algorithm not in ALGORITHMS[collective]:
        sys.exit(f"{collective} has no {algorithm}")
    used.add(algorithm)
    start, end = int(start), float(end)
    if start >= end or int(first) > int(last):
        sys.exit(f"an empty range: {rule}")
    for p in range(int(first), int(last) + 1):
        for other_start, other_end in taken.setdefault((collective, p), []):
            if start < other_end and other_start < end:
                sys.exit(f"it overlaps another one: {rule}")
        taken[collective, p].append((start, end))
if shutil.which("ucc_info"):
    known = subprocess.run(["ucc_info", "-A"], stdout=subprocess.PIPE, check=True).stdout.decode()
    for algorithm in sorted(used):
        if not re.search(rf"\b{algorithm}\b", known):
            sys.exit(f"ucc_info does not know {algorithm}")
