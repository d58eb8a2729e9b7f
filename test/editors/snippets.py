#!/usr/bin/env python3
"""Checks that the snippets for Visual Studio Code, with what they begin with filled in, can be read. usage: snippets.py FILE"""

import json
import re
import subprocess
import sys

AROUND = {"Schedule": "", "Collective": "", "Function": "", "Tree": ""}  # what stands by itself


def filled(body):
    text = "\n".join(body)
    text = re.sub(r"\$\{\d+\|([^,|]*)[^}]*\}", r"\1", text)
    return re.sub(r"\$\d+", "", re.sub(r"\$\{\d+:([^}]*)\}", r"\1", text))


with open(sys.argv[1], encoding="utf-8") as file:
    snippets = json.load(file)
for name, snippet in snippets.items():
    text = filled(snippet["body"])
    if name not in AROUND:
        text = f"schedule s for allgather(x) -> y {{\n{text}\n}}"
    done = subprocess.run(["quadrille", "fmt", "-"], input=text, text=True, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{name}:\n{text}\n{done.stderr}")
print(len(snippets), "snippets")
