"""labels.py PICTURE.svg...: in a map of what is fastest where, every name that is written into a region lies in that region with the height of its
letters and most of its width; prints how many names there are."""
import re
import sys

LETTER = 6.0  # a letter is about this wide


def inside(points, x, y):
    within = False
    for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1]):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            within = not within
    return within


names = 0
for picture in sys.argv[1:]:
    text = open(picture, encoding="utf-8").read()
    regions = [([tuple(map(float, point.split(","))) for point in points.split()], fill)
               for points, fill in re.findall(r'<polygon points="([^"]*)" fill="(#\w+)"', text)]
    colours = {name: fill for fill, name in re.findall(r'<rect [^>]*rx="3" fill="(#\w+)"[^>]*/>\s*</g>\s*<text [^>]*>([\w/]+)</text>', text)}
    for attributes, name in re.findall(r"<text ([^>]*paint-order[^>]*)>([\w/]+)</text>", text):
        x, y = (float(re.search(rf'\b{axis}="([\d.]+)"', attributes)[1]) for axis in "xy")
        half = LETTER * len(name) / 2 - LETTER / 2
        names += 1
        for at in (x - half, x, x + half):
            for height in (y, y - 8):
                found = {fill for points, fill in regions if inside(points, at, height)}
                assert colours[name] in found, f"{picture}: {name} at {x},{y} reaches into another region, at {at:.0f},{height:.0f}: {found}"
assert names, "no names"
print(names, "names")
