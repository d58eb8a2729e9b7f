"""check-gaps.py COMPILER: every reason of prove/terms/Gaps.def is given somewhere in the compiler's sources."""
import pathlib
import re
import sys

compiler = pathlib.Path(sys.argv[1])
names = re.findall(r"^GAP\((\w+),", (compiler / "prove" / "terms" / "Gaps.def").read_text(), re.M)
sources = "".join(path.read_text() for path in sorted(compiler.rglob("*")) if path.suffix in (".cpp", ".h"))
used = set(re.findall(r"\bGap::(\w+)", sources))
unused = [name for name in names if name not in used]
assert len(names) > 50
if unused:
    raise SystemExit("nobody gives the reasons " + ", ".join(unused))
