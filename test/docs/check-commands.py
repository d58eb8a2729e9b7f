#!/usr/bin/env python3
"""Checks every command line of Quadrille that a page mentions, in text or in a block, as far as that can be done without running it.

The command has to exist, its options have to be among those of `quadrille COMMAND --help`, and schedules of the library that are named have to
be there. Words in capitals and `...` stand for something; a line that shows what a wrong command gives is checked where it is run.

usage: check-commands.py --quadrille COMMAND PAGE...
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys


def output_of(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=True).stdout


class Program:
    def __init__(self, path):
        self.path = path
        self.options = {}
        listed = re.findall(r"^  ([a-z]+) ", output_of(path, "--help"), re.MULTILINE)
        for command in listed:
            help_text = output_of(path, command, "--help")
            self.options[command] = {name.lstrip("-") for name in re.findall(r"^\s+(--?[\w-]+)", help_text, re.MULTILINE)} | {"help", "version"}
        schedules = json.loads(output_of(path, "list", "--no-proof", "--format=json"))["schedules"]
        self.schedules = {entry["collective"] + "/" + entry["algorithm"] for entry in schedules}
        self.collectives = {entry["collective"] for entry in schedules}


def words_of(text):
    """The words of a command line up to what belongs to the shell."""
    try:
        lexer = shlex.shlex(text, posix=True, punctuation_chars="|;&<>()")
        lexer.whitespace_split = True
        lexer.commenters = "#"
        for word in lexer:
            if re.fullmatch(r"[|;&<>()]+", word):
                return
            yield word
    except ValueError: # a quotation mark of the text around it
        return


def command_lines(text):
    """What a page says is typed: its line and the words after `quadrille`."""
    in_block, prose = False, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_block = not in_block
            prose.append("")
        elif in_block:
            prose.append("")
            for found in re.finditer(r"(?:^|[\s(;&|])quadrille (?=[a-z-])(.*)", re.sub(r"^\$ ", "", line)):
                yield number, found[1]
        else:
            prose.append(line)
    for found in re.finditer(r"`([^`]+)`", "\n".join(prose)):
        line = " ".join(found[1].split())
        if match := re.match(r"(?:[A-Z_]+=\S* )*quadrille (.+)", line):
            yield text.count("\n", 0, 0) + "\n".join(prose).count("\n", 0, found.start()) + 1, match[1]


def problems_of(page, program):
    checked = 0
    problems = []
    for number, line in command_lines(page.read_text(encoding="utf-8")):
        words = list(words_of(line))
        if not words or re.fullmatch(r"[A-Z]+|\.\.\.", words[0]):
            continue
        command = words[0]
        if command in ("--help", "--version"):
            continue
        if command == "help":
            words = words[1:]
            if not words or re.fullmatch(r"[A-Z]+|\.\.\.", words[0]):
                continue
            command = words[0]
        if command in ("--cflags", "--libs"):
            command = "config"
        elif command not in program.options:
            if re.fullmatch(r"[a-z]+", command) and not (page.parent / command).exists():
                problems.append(f"{page}:{number}: there is no command `{command}`: {line}")
            continue
        checked += 1
        for word in words[1:]:
            word = word.strip("[]")
            option = re.match(r"--?([A-Za-z][\w-]*)", word)
            if option and not any(option[1] == known or (len(known) == 1 and option[1].startswith(known) and not word.startswith("--"))
                                  for known in program.options[command]):
                problems.append(f"{page}:{number}: `quadrille {command}` has no option `{word}`")
            schedule = re.fullmatch(r"([a-z_]+)/([a-z_0-9]+)", word)
            if schedule and schedule[1] in program.collectives and word not in program.schedules:
                problems.append(f"{page}:{number}: the library has no schedule `{word}`")
    return checked, problems


def main():
    parser = argparse.ArgumentParser(description="Checks the command lines that pages mention.")
    parser.add_argument("--quadrille", required=True)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    program = Program(options.quadrille)
    checked, problems = 0, []
    for page in options.pages:
        found, wrong = problems_of(page, program)
        checked += found
        problems += wrong
    print("\n".join(problems + [f"{checked} command lines, {len(problems)} problems"]))
    return 1 if problems or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
