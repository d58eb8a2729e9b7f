"""Compiles documents with pdfLaTeX, and LuaLaTeX if it is there.

usage: compile-tex.py DOCUMENT...
"""

import pathlib
import re
import shutil
import subprocess
import sys

PIXEL = 0.75  # in points of PDF


def compile_document(engine, path):
    """The size of the only page, in points of PDF."""
    result = subprocess.run([engine, "-interaction=nonstopmode", "-halt-on-error", path.name], cwd=path.parent, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
    if result.returncode or not re.search(r"Output\s+written\s+on\s+\S+\s+\(1\s+page", result.stdout):
        raise SystemExit(f"{engine} {path.name}:\n{result.stdout[-3000:]}")
    if missing := re.search(r"Missing character.*|Overfull.*", path.with_suffix(".log").read_text(encoding="utf-8", errors="replace")):
        raise SystemExit(f"{engine} {path.name}: {missing[0]}")


def main():
    engines = ["pdflatex"] + ([] if not shutil.which("lualatex") else ["lualatex"])
    paths = [pathlib.Path(name) for name in sys.argv[1:]]
    for path in paths:
        for engine in engines:
            compile_document(engine, path)
        text = path.read_text(encoding="utf-8")
        width, height = re.search(r"paperwidth=([\d.]+)bp, paperheight=([\d.]+)bp", text).groups()
        right, bottom = re.search(r"bounding box\] \(0,0\) rectangle \(([\d.]+),([\d.]+)\)", text).groups()
        for paper, picture in ((width, right), (height, bottom)):
            if abs(float(paper) - PIXEL * float(picture)) > 0.1:
                raise SystemExit(f"{path.name}: {paper} points of paper for {picture} pixels")
    print(f"{len(paths)} documents of one page each, as large as the picture")


main()
