"""A C++ compiler that makes a mistake: what is emitted is not quite what it should be.

usage: faulty_cxx.py FAULT COMPILER ARGUMENT...

Compiles unit.cpp with a change in the file beside it, and everything else as it is.
"""

import os
import shutil
import subprocess
import sys
import tempfile


# What is emitted, and what stands there instead.
FAULTS = {
    "operands-exchanged": ("combine(y, t, y)", "combine(y, y, t)"),
    "operands-of-message-exchanged": ("Side::Left", "Side::Right"),
    "no-combination": ("call.combine(sum, sum, t);", ";"),
    "combined-twice": ("call.combine(y, t, y);", "call.combine(y, t, y); call.combine(sum, sum, t); call.copy(sum, y);"),
    "no-copy": ("call.copy(sum, x);", ""),
    "other-partner": ("(me + quadrille::shl(1, d)) % p", "quadrille::floorMod(me - quadrille::shl(1, d), p)"),
    "other-choice": ("quadrille::bit(l, d)", "!quadrille::bit(l, d)"),
    "other-block": ("y[me ^ 1]", "y[me]"),
    "one-round-less": ("s < p / 2", "s < p / 2 - 1"),
    "two-steps": (
        "step.send(x, peer);\n  step.recv",
        "step.send(x, peer);\n  (void)step.finish();\n  auto second = call.step(group, 13);\n  second.recv",
    ),
    "ranks-not-renamed": ("real(me + 1)", "(me + 1)"),
    "other-packets": ("y.split(k)", "y.split(k + 1)"),
    "one-sender-less": ("me % (2 * w) == w", "me % (2 * w) == w && me < p - 1"),
    "not-in-lockstep": ("call.lockstep(", "call.step("),
    "one-message-more": ("step.send(x, peer);", "step.send(x, peer); step.send(x, peer); step.recv(y[me ^ 1], peer);"),
}


def main():
    text, replacement = FAULTS[sys.argv[1]]
    command = sys.argv[2:]
    units = [i for i, word in enumerate(command) if os.path.basename(word) == "unit.cpp"]
    if not units:
        return subprocess.run(command).returncode
    with tempfile.TemporaryDirectory() as scratch:
        copy = os.path.join(scratch, "unit")
        shutil.copytree(os.path.dirname(command[units[0]]) or ".", copy)
        changes = 0
        for name in os.listdir(copy):
            path = os.path.join(copy, name)
            if name == "unit.cpp" or not name.endswith(".cpp"):
                continue
            with open(path) as file:
                source = file.read()
            changes += source.count(text)
            with open(path, "w") as file:
                file.write(source.replace(text, replacement))
        if changes == 0:
            print("nothing like that is emitted:", text, file=sys.stderr)
            return 1
        for i in units:
            command[i] = os.path.join(copy, "unit.cpp")
        return subprocess.run(command).returncode


sys.exit(main())
