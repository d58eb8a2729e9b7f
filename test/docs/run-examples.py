#!/usr/bin/env python3
"""Runs the examples of a Markdown page.

Every fenced block ```quad is a whole file; the comment right before it says what the compiler must make of it, with --full
also what its proofs do:

    <!-- check: ok -->             accepted, exit status 0
    <!-- check: error Q0301 -->    refused with this error and no other, exit status 1

Blocks ```quad fragment are a few lines of a schedule and are not run. A block ```console whose comment is

    <!-- run: 0 -->                exit status 0 of every command

holds commands after `$ `, each followed by lines that its output contains in this order; `...` stands for any lines.
How far apart the columns of a table are does not matter, since that depends on the longest entry.
One with the comment `<!-- suite: full -->`, too, takes long, and runs with --full only. They run in one folder, in which the block
with the comment `<!-- file: NAME -->` right before its check comment is stored as NAME. Blocks of other languages with such a comment
are stored as well.

usage: run-examples.py [--full] --quadrille COMMAND PAGE...
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile


class Block:
    def __init__(self, page, line, info, comments, text):
        self.place = f"{page}:{line}"
        self.info = info
        self.comments = comments
        self.text = text


def blocks(page):
    """The fenced blocks of a page, each with the comments that stand directly before it."""
    comments, lines, opened = {}, None, None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if lines is not None:
            if line.startswith("```"):
                yield Block(page, opened[0], opened[1], comments, "\n".join(lines) + "\n")
                comments, lines = {}, None
            else:
                lines.append(line)
        elif line.startswith("```"):
            lines, opened = [], (number, line[3:].strip())
        elif comment := re.fullmatch(r"<!-- (\w+): (.*) -->", line):
            comments[comment[1]] = comment[2]
        else:
            comments = {}


def columns(line):
    """The line, with one blank between its words; indentation is kept."""
    return re.sub(r"(?<=\S) +", " ", line.rstrip())


def output_of(command, folder):
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, encoding="utf-8", timeout=1200)


def check_file(block, quadrille, folder, proves):
    """What is wrong with a whole file, or None."""
    name = block.comments.get("file")
    path = pathlib.Path(folder, name or "example.quad")
    path.write_text(block.text, encoding="utf-8")
    expected = re.fullmatch(r"ok|error (Q\d{4})", block.comments.get("check", ""))
    if not expected:
        return "the block has no comment `check: ok` or `check: error Qdddd`"
    result = output_of([*quadrille, "check", *([] if proves else ["--no-proof"]), path.name], folder)
    if not name:
        path.unlink()
    if result.returncode != (1 if expected[1] else 0):
        return f"exit status {result.returncode}\n{result.stdout}"
    codes = set(re.findall(r"error: .*\[(Q\d{4})\]", result.stdout))
    if codes != ({expected[1]} if expected[1] else set()):
        return f"expected {block.comments['check']}\n{result.stdout}"
    return None


def check_console(block, quadrille, folder):
    """What is wrong with a block of commands, or None."""
    commands = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands:
            commands[-1][1].append(line)
        else:
            return "the block does not begin with a command"
    for command, shown in commands:
        words = shlex.split(command)
        if words[0] != "quadrille":
            return f"`{command}` is not a command of quadrille"
        result = output_of([*quadrille, *words[1:]], folder)
        if result.returncode != int(block.comments["run"]):
            return f"`{command}`: exit status {result.returncode}\n{result.stdout}"
        printed = iter(result.stdout.splitlines())
        for line in shown:
            if line not in ("...", "") and not any(columns(line) == columns(other) for other in printed):
                return f"`{command}` does not print, or not in this order:\n{line}\nbut\n{result.stdout}"
    return None


def main():
    parser = argparse.ArgumentParser(description="Runs the examples of Markdown pages.")
    parser.add_argument("--quadrille", default="quadrille", help="the command that runs the compiler")
    parser.add_argument("--full", action="store_true", help="run also what takes long")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    quadrille = shlex.split(options.quadrille)

    failed = checked = 0
    for page in options.pages:
        with tempfile.TemporaryDirectory() as folder:
            for block in blocks(page):
                if block.info == "quad":
                    problem = check_file(block, quadrille, folder, options.full)
                elif block.info == "console" and "run" in block.comments:
                    if block.comments.get("suite") == "full" and not options.full:
                        continue
                    problem = check_console(block, quadrille, folder)
                else:
                    if "file" in block.comments:
                        pathlib.Path(folder, block.comments["file"]).write_text(block.text, encoding="utf-8")
                    continue
                checked += 1
                if problem:
                    failed += 1
                    print(f"{block.place}: {problem}")
    print(f"{checked} examples, {failed} failed")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
