#!/usr/bin/env python3
"""Checks docs/sources.md: every statement is listed once, and what is said to show it is there.

Rows are `| ID | where | what | shown by |`. The last cell names files of this project in backquotes, or says `none:` and
why. A file followed by `(not yet)` must not be there; when it is, the words have to go.

usage: run-sources.py --source FOLDER
"""

import argparse
import collections
import pathlib
import re
import sys

WANTED = [f"S{number:02}" for number in range(5, 88)] + [f"E{number:02}" for number in range(1, 28)] + [f"B{number:02}" for number in range(1, 41)]


def problems_of(page, source):
    listed = collections.Counter()
    for number, line in enumerate(page.splitlines(), 1):
        row = re.fullmatch(r"\| ([SEB]\d\d) \| (.+?) \| (.+?) \| (.+) \|", line)
        if not row:
            if re.match(r"\| *[SEB]\d", line):
                yield f"{number}: not a row of four cells: {line}"
            continue
        name, _, _, shown = row.groups()
        listed[name] += 1
        files = re.findall(r"`([\w.-]+/[\w./-]+)`( \(not yet\))?", shown)
        if not files and not re.match(r"none: \w", shown):
            yield f"{number}: {name} names neither a file nor, after `none:`, a reason"
        for file, not_yet in files:
            if (source / file).is_file() == bool(not_yet):
                yield f"{number}: {name}: {file} " + ("is there now; take `(not yet)` away" if not_yet else "does not exist")
    for name in WANTED:
        if listed[name] != 1:
            yield f"{name} is listed {listed[name]} times"
    for name in listed:
        if name not in WANTED:
            yield f"{name} is no statement that is to be listed"


def main():
    parser = argparse.ArgumentParser(description="Checks the page that says where the sources are shown.")
    parser.add_argument("--source", required=True, type=pathlib.Path, help="the folder of the project")
    source = parser.parse_args().source
    problems = list(problems_of((source / "docs/sources.md").read_text(encoding="utf-8"), source))
    for problem in problems:
        print(f"docs/sources.md:{problem}")
    print(f"{len(WANTED)} statements, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
