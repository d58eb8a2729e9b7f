"""Whether everything that begins at a rank stands on its line: dots, tags of messages and, within a few pixels, the heads of arrows.

usage: on-lines.py PICTURE

Prints how many dots, tags and heads there are.
"""

import sys
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
LEFT = 64  # where the lines of ranks begin
TAG_HEIGHT = "18"
HEADS_WITHIN = 7


def main():
    root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    lines = {float(line.get("y1")) for line in root.iter(SVG + "line") if line.get("y1") == line.get("y2") and float(line.get("x1")) == LEFT}
    dots = [float(dot.get("cy")) for dot in root.iter(SVG + "circle")]
    tags = [float(tag.get("y")) + float(tag.get("height")) / 2 for tag in root.iter(SVG + "rect") if tag.get("height") == TAG_HEIGHT]
    heads = [float(head.get("points").split()[0].split(",")[1]) for head in root.iter(SVG + "polygon")]
    wrong = []
    for what, places, within in (("dot", dots, 0.11), ("tag", tags, 0.11), ("head", heads, HEADS_WITHIN + 0.11)):
        wrong += [f"a {what} at {y}, {min(abs(y - line) for line in lines)} from any line" for y in places
                  if min(abs(y - line) for line in lines) > within]
    print("\n".join(wrong + [f"{len(lines)} lines, {len(dots)} dots, {len(tags)} tags, {len(heads)} heads"]))
    return bool(wrong)


sys.exit(main())
