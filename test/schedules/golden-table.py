#!/usr/bin/env python3
"""Compares golden-table.txt, which explains itself, with what `quadrille cost` prints for the schedules of the library.

usage: golden-table.py [--quadrille COMMAND] --library FOLDER TABLE
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

RANKS = "2..33"
FUNCTIONS = {"log2": lambda a: a.bit_length() - 1, "pow2": lambda a: a & (a - 1) == 0, "even": lambda a: a % 2 == 0}


class Line:
    """An equation of the table, or an inequality: expression | schedule | measured | cases."""

    def __init__(self, number, text):
        self.number = number
        self.missing = text.startswith("missing:")
        self.reason = ""
        if match := re.search(r"\[(.+)\]$", text):
            self.reason, text = match[1], text[:match.start()]
        fields = [field.strip() for field in text.removeprefix("missing:").split("|")]
        if len(fields) != 4:
            raise SyntaxError(f"line {number}: four fields are needed, there are {len(fields)}")
        expression, self.schedule, self.measured, cases = fields
        self.expression = expression.removeprefix("at most ")
        self.is_bound = self.expression != expression
        options, _, condition = cases.partition("if ") if "if " in cases else (cases, "", "")
        self.condition = condition.strip() or "True"
        self.options = dict(option.split("=", 1) for option in options.split())
        unknown = set(self.options) - {"k", "n", "root"}
        if unknown or self.measured not in ("rounds", "words", "operations", "claimed startups"):
            raise SyntaxError(f"line {number}: unknown {', '.join(unknown) or self.measured}")

    def evaluate(self, expression, names):
        return eval(expression, {"__builtins__": {}, **FUNCTIONS}, names)  # the table is part of this test


def read(path):
    """The lines of the table, the rows as dictionaries, and the names of the columns."""
    lines, rows, names = [], [], None
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = text.strip()
        if not text or text.startswith("#"):
            continue
        if "|" in text:
            lines.append(Line(number, text))
        elif names is None:
            names = text.split()
        else:
            values = [None if value == "-" else int(value) for value in text.split()]
            if len(values) != len(names):
                raise SyntaxError(f"line {number}: {len(values)} values for {len(names)} columns")
            rows.append(dict(zip(names, values)))
    return lines, rows, names[1:]


def costs(quadrille, line):
    """Yields the numbers of each case, and what was measured."""
    command = [*quadrille, "cost", line.schedule, "-p", RANKS]
    for option in ("k", "n"):
        if option in line.options:
            command += ["-" + option, line.options[option]]
    root = line.options.get("root")
    if root is not None:
        command.append("--root=" + (root if root.isdigit() else "all"))
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    for case in output.split("\n\n"):
        if not re.search(r" at p = .*, n = \d+$", case.splitlines()[0]):  # formulas for all p, and p that are left out
            continue
        numbers = {name: int(value) for name, value in re.findall(r"(\w+) = (\d+)", case.splitlines()[0])}
        if root is not None and root != "all" and numbers["root"] != line.evaluate(root, numbers):
            continue
        if line.measured == "rounds":
            found = int(re.search(r"^  rounds +(\d+)$", case, re.MULTILINE)[1])
        else:
            word, unit = {"words": ("synchronous", "beta"), "operations": ("synchronous", "gamma"),
                          "claimed startups": ("claimed", "alpha")}[line.measured]
            formula = re.search(rf"^  {word} +(.*)$", case, re.MULTILINE)[1].split(" = ")[-1]
            factor = re.search(rf"(?:(\d+)\*)?\b{unit}\b", formula)
            found = int(factor[1] or 1) if factor else 0
        yield numbers, found


def main():
    parser = argparse.ArgumentParser(description="Compares counts that others found with those of the library.")
    parser.add_argument("--quadrille", default="quadrille", help="the command that runs the compiler")
    parser.add_argument("--library", required=True, type=pathlib.Path, help="the folder of the schedules")
    parser.add_argument("table", type=pathlib.Path)
    options = parser.parse_args()
    lines, rows, columns = read(options.table)
    table = {row["p"]: row for row in rows}
    problems, compared, missing, seen = [], 0, 0, set()
    for line in lines:
        place = f"{options.table.name}:{line.number}"
        used = set(re.findall(r"\w+", line.expression)) & set(columns)
        seen |= used
        exists = (options.library / (line.schedule + ".quad")).is_file()
        if line.missing and not line.reason:
            problems.append(f"{place}: why is {line.schedule} missing?")
        if line.missing == exists:
            problems.append(f"{place}: {line.schedule} is " + ("in the library now: take `missing:` and the reason away"
                                                               if exists else "not in the library"))
            continue
        if line.missing:
            missing += 1
            continue
        cases = 0
        for numbers, found in costs(shlex.split(options.quadrille), line):
            row = table[numbers["p"]]
            names = {**row, **numbers}
            if not line.evaluate(line.condition, names) or any(row[name] is None for name in used):
                continue
            cases += 1
            expected = line.evaluate(line.expression, names)
            if found > expected if line.is_bound else found != expected:
                case = ", ".join(f"{name} = {value}" for name, value in numbers.items())
                problems.append(f"{place}: {line.schedule} at {case}: {line.measured} {found}, but {'at most ' if line.is_bound else ''}{line.expression} = {expected}")
        if not cases:
            problems.append(f"{place}: no case was compared")
        compared += cases
    problems += [f"{options.table.name}: nothing is said about the column {column}" for column in columns if column not in seen]
    print("\n".join(problems[:40]))
    print(f"{compared} counts compared, {missing} of {len(lines)} lines missing, {len(problems)} problems")
    return 1 if problems or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
