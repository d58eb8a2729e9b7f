"""Whether the edges of a tree pass beside its ranks.

usage: edges.py PICTURE

Prints how many edges there are, and how many of them touch a rank between their ends.
"""

import math
import sys
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def numbers(element, names):
    return [float(element.get(name)) for name in names]


def passes(rank, edge):
    """Whether an edge touches a rank. It begins in the middle of one, and its arrow ends before another, in the middle of which it would meet."""
    (x, y, r), (x1, y1, x2, y2) = rank, edge
    length = math.hypot(x2 - x1, y2 - y1)
    along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length
    beside = abs((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) / length
    return 1 < along and beside < r and not (along > length and beside < 1) and along < length + r


def main():
    root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    edges = [numbers(line, ("x1", "y1", "x2", "y2")) for line in root.iter(SVG + "line")]
    ranks = [numbers(circle, ("cx", "cy", "r")) for circle in root.iter(SVG + "circle")]

    through = [edge for edge in edges if any(passes(rank, edge) for rank in ranks)]
    print(f"{len(edges)} edges, {len(through)} through others")


main()
