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


def formatted(text):
    """None after a syntax error."""
    done = subprocess.run(["quadrille", "fmt", "-"], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, timeout=60)
    if done.returncode not in (0, 1):
        sys.exit(f"quadrille fmt ends with status {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode() if done.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--mend", action="store_true")
    arguments = parser.parse_args()
    looked = failures = 0
    for path in [arguments.source / "README.md"] + sorted((arguments.source / "docs").rglob("*.md")):
        page = path.read_text(encoding="utf-8")

        def mended(match):
            nonlocal looked, failures
            example = match.group(2)
            result = formatted(example)
            looked += result is not None
            if result in (None, example) or page[:match.start()].endswith("quadrille fmt --check - -->\n"):
                return match.group()
            failures += 1
            print(f"{path}: not formatted:\n{example}it would be\n{result}")
            return match.group(1) + result + match.group(3)

        after = re.sub(r"(^```quad\n)(.*?)(^```$)", mended, page, flags=re.MULTILINE | re.DOTALL)
        if arguments.mend and after != page:
            path.write_text(after, encoding="utf-8")
    print(f"{looked} examples, {failures} not formatted")
    return 1 if failures or not looked else 0


if __name__ == "__main__":
    sys.exit(main())
