#!/usr/bin/env python3
"""Checks that the examples of the documentation which show whole files are formatted: ```quad blocks of README.md and docs/.

Left out are those with a syntax error, which are examples of that, and what `fmt --check` is shown on.

usage: examples.py --source FOLDER [--mend]     --mend: writes them anew
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile


def formatted(texts):
    """For each text, what it is to be; None after a syntax error."""
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / f"{i}.quad" for i in range(len(texts))]
        for file, text in zip(files, texts):
            file.write_text(text, encoding="utf-8")
        done = subprocess.run(["quadrille", "fmt", *map(str, files)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=300)
        if done.returncode not in (0, 1):
            sys.exit(f"quadrille fmt ends with status {done.returncode}: {done.stderr.decode()}")
        refused = set(re.findall(rf"^{re.escape(folder)}/(\d+)\.quad:\d+:\d+: error:", done.stderr.decode(), re.MULTILINE))
        return [None if str(i) in refused else file.read_text(encoding="utf-8") for i, file in enumerate(files)]


EXAMPLE = re.compile(r"(^```quad\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--mend", action="store_true")
    arguments = parser.parse_args()
    looked = failures = 0
    pages = {path: path.read_text(encoding="utf-8")
             for path in [arguments.source / "README.md"] + sorted((arguments.source / "docs").rglob("*.md"))}
    examples = sorted({match.group(2) for page in pages.values() for match in EXAMPLE.finditer(page)})
    known = dict(zip(examples, formatted(examples)))
    for path, page in pages.items():

        def mended(match):
            nonlocal looked, failures
            example = match.group(2)
            result = known[example]
            looked += result is not None
            if result in (None, example) or page[:match.start()].endswith("quadrille fmt --check - -->\n"):
                return match.group()
            failures += 1
            print(f"{path}: not formatted:\n{example}it would be\n{result}")
            return match.group(1) + result + match.group(3)

        after = EXAMPLE.sub(mended, page)
        if arguments.mend and after != page:
            path.write_text(after, encoding="utf-8")
    print(f"{looked} examples, {failures} not formatted")
    return 1 if failures or not looked else 0


if __name__ == "__main__":
    sys.exit(main())
