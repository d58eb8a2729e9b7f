"""Usage: own-rules.py FILE RULES: compares rules with those in the library of MPICH that FILE names."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file, open(file.read().strip(), "rb") as library:
    data = library.read()
start = data.index(b'{"collective=bcast":{"comm_type=intra":{"comm_size')  # its device has others, with compositions
text = data[start : data.index(b"\0", start)].decode()
while "composition=" in text:
    start = data.index(b'{"collective=bcast":{"comm_type=intra":{"comm_size', start + 1)
    text = data[start : data.index(b"\0", start)].decode()
own = json.loads(text.replace("comm_size<8", "comm_size<=7"), object_pairs_hook=list)  # with the order
with open(sys.argv[2], encoding="utf-8") as file:
    written = json.load(file, object_pairs_hook=list)
for one, other in zip(own, written):
    if one != other:
        sys.exit(f"MPICH has {one}, not {other}")
if len(own) != len(written):
    sys.exit(f"MPICH has {len(own)} collectives, not {len(written)}")
