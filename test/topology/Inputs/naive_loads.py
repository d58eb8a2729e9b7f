#!/usr/bin/env python3
"""Compares the loads that `quadrille draw --topology` prints for a grid with those of messages that walk link by link.

Every node sends one word to every other one (alltoall/shift). The grids are meshes and tori of many sides, with all routings.
"""

import collections
import itertools
import re
import subprocess
import sys


def walk(source, target, sides, wraps, turn, column_first):
    """The links (node, node, dimension, upwards) on the way; nodes are tuples."""
    at = list(source)
    order = range(len(sides))
    for d in order if column_first else reversed(order):
        side = sides[d]
        wrapped = wraps and side > 2
        up = (target[d] - at[d]) % side
        if not wrapped:
            step = 1 if target[d] > at[d] else -1
        elif turn == "clockwise" or (turn == "balanced" and (2 * up < side or (2 * up == side and at[d] % 2 == 0))):
            step = 1
        else:
            step = -1
        while at[d] != target[d]:
            before = tuple(at)
            at[d] = (at[d] + step) % side
            yield before, tuple(at), d, step


def expected(sides, wraps, turn, column_first):
    loads = collections.Counter()
    nodes = list(itertools.product(*map(range, sides)))
    number = {node: i for i, node in enumerate(nodes)}
    for source, target in itertools.permutations(nodes, 2):
        for a, b, d, step in walk(source, target, sides, wraps, turn, column_first):
            loads[number[a], number[b], d, step] += 1
    # Where a side has two nodes, only the direction tells links apart; drop the dimension.
    result = collections.Counter()
    for (a, b, _, step), load in loads.items():
        result[a, b, step] += load
    return result


def printed(topology):
    text = subprocess.run(["quadrille", "draw", "alltoall/shift", "--topology", topology, "-n", "1"], check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    loads = collections.Counter()
    for line in text.split("\n\n")[1].splitlines()[1:]:
        words = line.split()
        for here, link, there in zip(words[::2], words[1::2], words[2::2]):
            load = int(re.sub("[^0-9]", "", link))
            if not load:
                continue
            if link.endswith("→"):
                loads[int(here), int(there), 1] += load
            else:
                loads[int(there), int(here), -1] += load
    return loads


def main():
    cases = 0
    for sides in [(2,), (5,), (8,), (3, 4), (4, 2), (1, 6), (2, 3, 4), (5, 1, 3), (2, 2, 2, 2), (4, 3, 2)]:
        for shape, turns in (("mesh", ["balanced"]), ("torus", ["balanced", "clockwise", "counterclockwise"])):
            for turn, order in itertools.product(turns, ["row-first", "column-first"]):
                name = shape + ":" + "x".join(map(str, sides)) + (":" + turn if shape == "torus" else "") + ":" + order
                want = expected(sides, shape == "torus", turn, order == "column-first")
                if printed(name) != want:
                    print("loads differ on", name, printed(name) - want, want - printed(name))
                    return 1
                cases += 1
    print(cases, "networks agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
