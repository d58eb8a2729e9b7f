"""Whether nothing overlaps in a picture of plans: boxes lie apart, each holds its own texts, and no arrow runs through one.

usage: boxes.py PICTURE
"""

import re
import sys
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
BOX_HEIGHT = "38"


def points(path):
    """Some points of the curve `M a b C c d e f g h`."""
    n = [float(x) for x in re.findall(r"-?[0-9.]+", path)]
    for i in range(41):
        t = i / 40
        weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3]
        yield tuple(sum(weights[k] * n[2 * k + axis] for k in range(4)) for axis in (0, 1))


def numbers(element, *names):
    return tuple(float(element.get(name)) for name in names)


def main():
    root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    boxes = [numbers(r, "x", "y", "width", "height") for r in root.iter(SVG + "rect") if r.get("height") == BOX_HEIGHT]
    wrong = []

    def is_inside(px, py, slack=0.5):
        return any(x + slack < px < x + w - slack and y + slack < py < y + h - slack for x, y, w, h in boxes)

    for i, (x, y, w, h) in enumerate(boxes):
        for a, b, c, d in boxes[:i]:
            if x < a + c and a < x + w and y < b + d and b < y + h:
                wrong.append(f"boxes at {x},{y} and {a},{b} overlap")
    for path in root.iter(SVG + "path"):
        wrong += [f"an arrow runs through the box at {px},{py}" for px, py in points(path.get("d")) if is_inside(px, py)][:1]
    for line in root.iter(SVG + "line"):
        x1, x2, y = numbers(line, "x1", "x2", "y1")
        wrong += [f"an arrow passes through a box at height {y}" for i in range(21) if is_inside(x1 + (x2 - x1) * i / 20, y)][:1]
    # Letters of twelve pixels take at least five and a half on average.
    for text in root.iter(SVG + "text"):
        tx, ty = numbers(text, "x", "y")
        for x, y, w, h in boxes:
            if x <= tx <= x + w and y <= ty <= y + h and tx + 5.5 * len(text.text) > x + w:
                wrong.append(f"`{text.text}` is longer than its box")
    width, height = numbers(root, "width", "height")
    wrong += [f"the box at {x},{y} lies outside" for x, y, w, h in boxes if x + w > width or y + h > height]
    print("\n".join(wrong + [f"{len(boxes)} boxes, {sum(1 for _ in root.iter(SVG + 'polygon'))} arrows"]))
    return 1 if wrong or not boxes else 0


sys.exit(main())
