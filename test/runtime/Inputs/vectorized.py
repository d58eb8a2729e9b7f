"""vectorized.py OBJECT REGISTER: counts the functions `loop` of an object file, and names those that use no such register."""

import re
import subprocess
import sys

listing = subprocess.run(["objdump", "--disassemble", "--demangle", sys.argv[1]], check=True, stdout=subprocess.PIPE, text=True).stdout
loops = 0
for function in listing.split("\n\n"):
    name = re.match(r"[0-9a-f]+ <.*::(loop<.*?)\(void", function)
    if name:
        loops += 1
        if sys.argv[2] not in function:
            print(f"not vectorized: {name[1]}")
print(f"{loops} loops")
