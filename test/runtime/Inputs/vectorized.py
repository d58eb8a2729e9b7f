"""vectorized.py ARCHIVE MEMBER REGISTER: counts the functions `loop` of an object file in a library, and names those that do not use such a register."""

import re
import subprocess
import sys

archive, member, register = sys.argv[1:]
listing = subprocess.run(["objdump", "--disassemble", "--demangle", archive], check=True, stdout=subprocess.PIPE, text=True).stdout
one = re.search(rf"^{re.escape(member)}:(.*?)(?=^\S+\.o:|\Z)", listing, re.M | re.S)[1]
loops = 0
for function in one.split("\n\n"):
    name = re.match(r"[0-9a-f]+ <[^\n]*::(loop<.*?)\(void[^\n]*\)>:", function)
    if name:
        loops += 1
        if register not in function:
            print(f"not vectorized: {name[1]}")
print(f"{loops} loops")
