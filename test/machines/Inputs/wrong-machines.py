"""Gives `quadrille cost --machine` descriptions that are wrong, each in one way, and prints what it says.

usage: wrong-machines.py QUADRILLE MACHINE WORK   (MACHINE: a description that is right)
"""

import json
import subprocess
import sys

quadrille, machine, work = sys.argv[1:4]
right = json.load(open(machine))
point = {"words": 1, "lower_quartile": 1e-6, "median": 1e-6, "upper_quartile": 1e-6}
fit = {"pattern": "shift", "ranks": 2, "startup": 1e-6, "per_word": 1e-9, "r2": 0.9, "worst_relative_error": 0.1,
       "worst_words": 1, "points": [point, {**point, "words": 2}]}


def without(name):
    return {key: value for key, value in right.items() if key != name}


cases = {
    "empty": "",
    "not JSON": "alpha: 1",
    "an array": [],
    "no format": without("format"),
    "another format": {**right, "format": "machine"},
    "another version": {**right, "version": 2},
    "no alpha": without("alpha"),
    "a negative beta": {**right, "beta": -1},
    "an endless gamma": json.dumps(right).replace("2e-10", "1e999"),
    "gamma as text": {**right, "gamma": "2e-10"},
    "no ranks": {**right, "ranks": 0},
    "half a rank": {**right, "ranks": 0.5},
    "an unknown backend": {**right, "backend": "gpu"},
    "alpha twice": json.dumps(right)[:-1] + ', "al\\u0070ha": 1}',
    "bytes twice": json.dumps({**right, "element": {"bytes": 8}}).replace('"bytes": 8', '"bytes": 8, "bytes" : 4'),
    "a misspelt member": {**right, "gama": 1},
    "element without bytes": {**right, "element": {"type": "double"}},
    "element is no object": {**right, "element": "double"},
    "no array of fits": {**right, "fits": {}},
    "a point without time": {**right, "fits": [{**fit, "points": [point, {**point, "median": 0}]}]},
    "a fit of what": {**right, "fits": [{**fit, "pattern": "walk"}]},
    "a million brackets": "[" * 1000000,
    "too large": " " * (1 << 20) + json.dumps(right),
    "right": right,
    "right with a fit": {**right, "fits": [fit, {**fit, "segments": [{"up_to_words": 1, "startup": 0, "per_word": 1}]}]},
    "the least": {"format": "quadrille-machine", "version": 1, "alpha": 0, "beta": 0, "gamma": 0},
}
for name, content in cases.items():
    with open(work, "w") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))
    result = subprocess.run([quadrille, "cost", "allgather/ring", "--machine", work], capture_output=True, text=True, timeout=60)
    said = result.stderr.strip().replace(work + ": ", "")
    if result.returncode == 1 and result.stdout:
        said += "; and printed " + result.stdout
    print(f"{name}: {said or 'status ' + str(result.returncode)}")
