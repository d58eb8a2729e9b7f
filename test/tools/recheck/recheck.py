#!/usr/bin/env python3
"""Proves once more, with another solver, what `quadrille prove --dump` has written.

usage: recheck.py SOLVER FOLDER [PARTS [PART]]

Every script whose status is `proved` has to be unsatisfiable. Only one of so many parts is asked, which is another one every day unless it is
named; with 1, all are. The solver is given many scripts at a time, and for each a
number of resource units instead of seconds, so that answers do not depend on the machine; what it does not come to an end
with it is asked in other ways. Besides, it is told of how many the hypotheses can hold, and what those are about of which
they cannot. Exit status 0: all are unsatisfiable; 1: some are not, and they are named.
"""

import collections
import concurrent.futures
import datetime
import hashlib
import os
import pathlib
import re
import subprocess
import sys

BATCH = 50  # scripts for one start of the solver, or fewer, so that all processors have some
# What cvc5 (1.0) is told, one after the other, and the resource units. Branching on integers loses itself where few of them are
# bounded. To decide only what the formula asks for ends up to ten times sooner where nodes of trees meet; functions help best as numbers that are
# equal for equal arguments, where many applications meet.
NO_BRANCHING, JUSTIFIED, ACKERMANN = "--no-arith-brab", "--decision=justification", "--ackermann"
ATTEMPTS = [([NO_BRANCHING], 150000), ([NO_BRANCHING, JUSTIFIED], 500000), ([ACKERMANN, NO_BRANCHING], 4000000), ([NO_BRANCHING], 1000000),
            ([ACKERMANN], 12000000)]


def comment(text, name):
    return re.search(rf"^; {name}: (.*)$", text, re.M).group(1)


def what(text):
    """The claim and, from the line after the statuses, what is shown; trees have names of their own."""
    return comment(text, "claim") + ": " + re.sub("^`.*`: ", "", text.split("\n")[3].removeprefix("; "))


def answers(solver, scripts, options, resources):
    """One answer for each script: sat, unsat, unknown or what went wrong."""
    command = [solver, "--lang=smt2", f"--rlimit-per={resources}", *options, "-"]
    run = subprocess.run(command, input="\n(reset)\n".join(scripts), capture_output=True, text=True)
    lines = run.stdout.split("\n")[:-1]
    if run.returncode != 0 or len(lines) != len(scripts):
        if len(scripts) == 1:
            return [(run.stdout + run.stderr).strip() or f"exit status {run.returncode}"]
        return [answer for script in scripts for answer in answers(solver, [script], options, resources)]
    return lines


def main():
    solver, folder = sys.argv[1:3]
    parts = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    part = int(sys.argv[4]) if len(sys.argv) > 4 else datetime.date.today().toordinal() % parts
    texts = {path: path.read_text() for path in sorted(pathlib.Path(folder).rglob("*.smt2"))}
    proved = [path for path, text in texts.items() if comment(text, "status") == "proved"]
    # Schedules that use others, or functions of others, have obligations in common.
    answer = {}
    asked = [path for path in proved if int(hashlib.sha256(texts[path].encode()).hexdigest(), 16) % parts == part]
    left = sorted({texts[path] for path in asked})
    for options, resources in ATTEMPTS:
        size = max(1, min(BATCH, len(left) // (4 * os.cpu_count())))
        batches = [left[first : first + size] for first in range(0, len(left), size)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for batch, found in zip(batches, pool.map(lambda batch: answers(solver, batch, options, resources), batches)):
                answer.update(zip(batch, found))
        left = [script for script in left if answer[script] not in ("sat", "unsat")]
    failures = [path for path in asked if answer[texts[path]] != "unsat"]
    for path in failures:
        print(f"{path.relative_to(folder)}: {answer[texts[path]]}")
    print(f"{len(texts)} obligations, {len(proved)} of them proved; part {part} of {parts}: "
          f"{len(asked)} asked again, {len(asked) - len(failures)} proved, {len(failures)} not")
    kinds = collections.Counter(comment(text, "hypotheses") for text in texts.values())
    print("hypotheses: " + ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items())))
    never = collections.Counter(what(text) for text in texts.values() if comment(text, "hypotheses") == "contradict each other")
    for name, number in sorted(never.items()):
        print(f"{number} about what never happens: {name}")
    return 1 if failures or not asked else 0


sys.exit(main())
