"""Usage: link-taken.py WRAPPERS COMPILER ARGUMENT...: compiles and links a program with MPICH's static library, so that functions of MPICH can
be wrapped: those that WRAPPERS tells of."""

import re
import subprocess
import sys

wrappers, *command = sys.argv[1:]
with open(wrappers, encoding="utf-8") as file:
    names = re.findall(r"^TELL\((\w+)\)$", file.read(), re.MULTILINE)
libraries = ["-Wl,-Bstatic", "-lmpich", "-Wl,-Bdynamic", "-lucp", "-lucs", "-lhwloc"]
sys.exit(subprocess.run(command + [wrappers] + [f"-Wl,--wrap=MPIR_{name}" for name in names] + libraries, check=False).returncode)
