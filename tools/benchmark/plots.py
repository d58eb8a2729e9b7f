"""Pictures of what was measured, as SVG."""

import math
from xml.sax.saxutils import escape

import arithmetic
import candidates
import report

# After Okabe and Ito: they can be told apart by everybody.
COLOURS = {"threads": "#0072B2", "MPI": "#009E73", "MPI on MPICH": "#56B4E9", "runtime": "#999999", "Open MPI": "#D55E00", "Open MPI tuned": "#E69F00",
           "MPICH": "#CC79A7", "preload": "#000000", "plain Open MPI": "#882255", "libquadrille": "#117733", "std::barrier": "#D55E00", "pthread_barrier": "#E69F00", "OpenMP": "#CC79A7"}
DASHES = {"Open MPI": "6 3", "Open MPI tuned": "2 3", "MPICH": "8 3 2 3", "plain Open MPI": "1 2", "libquadrille": "4 2"}
TITLES = {"threads": "emitted, threads", "MPI": "emitted, Open MPI", "MPI on MPICH": "emitted, MPICH", "runtime": "runtime's barriers", "preload": "preload library"}
FONT = "font-family='DejaVu Sans, Verdana, sans-serif'"


def text(x, y, words, size=11, anchor="start", colour="#222", weight="normal", turn=None):
    turned = f" transform='rotate({turn} {x:.1f} {y:.1f})'" if turn is not None else ""
    return (f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' fill='{colour}' font-weight='{weight}'{turned}>"
            f"{escape(words)}</text>")


def fitting(width, *lines):
    """A width in which also these lines find room: each words and a size."""
    return max([width] + [28 + 0.66 * size * len(words) for words, size in lines])


def document(width, height, body):
    return (f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:.0f}' height='{height:.0f}' viewBox='0 0 {width:.0f} {height:.0f}' {FONT}>\n"
            f"<rect width='100%' height='100%' fill='white'/>\n" + "\n".join(body) + "\n</svg>\n")


def legend(x, y, names, width):
    """Lines with names, several in a row; what it takes and the height."""
    body, left, top = [], x, y
    for name in names:
        title = TITLES.get(name, name)
        needed = 48 + 7 * len(title)
        if left + needed > x + width and left > x:
            left, top = x, top + 18
        body.append(f"<line x1='{left:.1f}' y1='{top - 4:.1f}' x2='{left + 26:.1f}' y2='{top - 4:.1f}' stroke='{COLOURS[name]}' stroke-width='2.5'"
                    f" stroke-dasharray='{DASHES.get(name, 'none')}'/>")
        body.append(text(left + 32, top, title))
        left += needed
    return body, top - y + 18


def times(cells, title):
    """A panel per collective: time over length, both logarithmic, with a band from quartile to quartile."""
    cells = [cell for cell in cells if cell["collective"] != "barrier" and cell["results"]]
    collectives = [c for c in candidates.COLLECTIVES if any(cell["collective"] == c for cell in cells)]
    if not collectives:
        return None
    lengths = sorted({cell["bytes"] for cell in cells})
    names = report.families(cells)
    values = [entry[which] for cell in cells for entry in cell["results"].values() for which in ("lower", "upper") if entry[which] > 0]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    across = min(4, len(collectives))
    panel, tall, left, gap = 240, 190, 62, 26
    width = left + across * (panel + gap)
    body = [text(left, 24, title, 15, weight="bold")]
    lines, used = legend(left, 48, names, width - left)
    body += lines
    top = 48 + used + 14
    down = math.ceil(len(collectives) / across)

    def x_of(x0, n):
        return x0 + (panel / 2 if len(lengths) == 1 else panel * (math.log2(n) - math.log2(lengths[0])) / (math.log2(lengths[-1]) - math.log2(lengths[0])))

    for i, collective in enumerate(collectives):
        x0, y0 = left + (i % across) * (panel + gap), top + (i // across) * (tall + 62)

        def y_of(seconds):
            return y0 + tall * (high - math.log10(seconds)) / (high - low)

        body.append(text(x0, y0 - 6, collective, 12, weight="bold"))
        for decade in range(low, high + 1):
            y = y_of(10.0 ** decade)
            body.append(f"<line x1='{x0}' y1='{y:.1f}' x2='{x0 + panel}' y2='{y:.1f}' stroke='#ddd'/>")
            if i % across == 0:
                body.append(text(x0 - 6, y + 4, arithmetic.duration(10.0 ** decade), 10, "end"))
        for n in lengths:
            x = x_of(x0, n)
            body.append(f"<line x1='{x:.1f}' y1='{y0}' x2='{x:.1f}' y2='{y0 + tall}' stroke='#eee'/>")
            body.append(text(x, y0 + tall + 15, arithmetic.size(n), 9, "middle"))
        body.append(f"<rect x='{x0}' y='{y0}' width='{panel}' height='{tall}' fill='none' stroke='#888'/>")
        mine = sorted((cell for cell in cells if cell["collective"] == collective), key=lambda c: c["bytes"])
        for name in reversed(names):
            points = [(x_of(x0, cell["bytes"]), cell["results"][name]) for cell in mine if name in cell["results"] and cell["results"][name]["lower"] > 0]
            if not points:
                continue
            band = [(x, y_of(e["upper"])) for x, e in points] + [(x, y_of(e["lower"])) for x, e in reversed(points)]
            body.append(f"<polygon points='{' '.join(f'{x:.1f},{y:.1f}' for x, y in band)}' fill='{COLOURS[name]}' fill-opacity='0.15'/>")
            body.append("<polyline points='" + " ".join(f"{x:.1f},{y_of(e['median']):.1f}" for x, e in points)
                        + f"' fill='none' stroke='{COLOURS[name]}' stroke-width='2' stroke-dasharray='{DASHES.get(name, 'none')}'/>")
            body += [f"<circle cx='{x:.1f}' cy='{y_of(e['median']):.1f}' r='2.6' fill='{COLOURS[name]}'/>" for x, e in points]
    return document(width, top + down * (tall + 62) - 20, body)


def shade(value):
    """White at 1, blue where the emitted schedule is faster, orange where it is slower; full at a factor of 8."""
    strength = min(1.0, abs(math.log2(value)) / 3) if value > 0 else 1.0
    end = (0, 114, 178) if value >= 1 else (213, 94, 0)
    colour = "#" + "".join(f"{round(255 + (c - 255) * strength):02x}" for c in end)
    return colour, "white" if strength > 0.6 else "#222"


def ratios(document_, mode):
    """A field per collective, number of ranks and length: the fastest MPI's time by that of the emitted schedules."""
    cells = [cell for cell in document_["cells"] if cell["mode"] == mode and cell["collective"] != "barrier"]
    groups = [ours for ours in ("threads", "MPI") if any(report.best_of_others(cell, ours) for cell in cells)]
    if not groups:
        return None
    ranks = sorted({cell["p"] for cell in cells})
    lengths = sorted({cell["bytes"] for cell in cells})
    collectives = [c for c in candidates.COLLECTIVES if any(cell["collective"] == c for cell in cells)]
    field, row, left = 52, 24, 128
    across = len(ranks) * (len(lengths) * field + 14)
    title = f"The fastest MPI beside emitted schedules, {report.MODE_TITLES[mode]}"
    meaning = "How many times as long the fastest of Open MPI, its forced algorithms and MPICH takes; blue: emitted code is faster."
    width = fitting(left + across + 10, (title, 15), (meaning, 11))
    body = [text(14, 24, title, 15, weight="bold"), text(14, 44, meaning)]
    top = 72
    for ours in groups:
        body.append(text(14, top, TITLES[ours], 13, weight="bold"))
        for r, p in enumerate(ranks):
            x0 = left + r * (len(lengths) * field + 14)
            body.append(text(x0 + len(lengths) * field / 2, top, f"p = {p}", 11, "middle", weight="bold"))
            for c, n in enumerate(lengths):
                body.append(text(x0 + (c + 0.5) * field, top + 17, arithmetic.size(n), 10, "middle"))
        for i, collective in enumerate(collectives):
            y = top + 24 + i * row
            body.append(text(left - 8, y + 16, collective, 11, "end"))
            for r, p in enumerate(ranks):
                for c, n in enumerate(lengths):
                    cell = next((cell for cell in cells if (cell["collective"], cell["p"], cell["bytes"]) == (collective, p, n)), None)
                    entry = report.best_of_others(cell, ours) if cell else None
                    x = left + r * (len(lengths) * field + 14) + c * field
                    colour, ink = shade(entry["median"]) if entry else ("#f4f4f4", "#888")
                    body.append(f"<rect x='{x}' y='{y}' width='{field - 2}' height='{row - 2}' fill='{colour}' stroke='#ccc' stroke-width='0.5'/>")
                    body.append(text(x + field / 2 - 1, y + 15, arithmetic.three_digits(entry["median"]) if entry else "-", 10, "middle", ink))
        top += 24 + len(collectives) * row + 30
    return document(width, top - 10, body)


def barriers(document_):
    """Bars with quartiles, for every number of ranks and both ways of calling; the axis is logarithmic."""
    cells = sorted((cell for cell in document_["cells"] if cell["collective"] == "barrier" and cell["results"]), key=lambda c: (report.MODES.index(c["mode"]), c["p"]))
    if not cells:
        return None
    names = report.families(cells)
    values = [entry[which] for cell in cells for entry in cell["results"].values() for which in ("lower", "upper") if entry[which] > 0]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    bar, left, across = 15, 190, 420
    body = [text(14, 24, "Barriers", 15, weight="bold")]
    top = 54

    def x_of(seconds):
        return left + across * (math.log10(seconds) - low) / (high - low)

    for cell in cells:
        body.append(text(14, top, f"p = {cell['p']}, {report.MODE_TITLES[cell['mode']]}", 12, weight="bold"))
        top += 8
        first = top
        for name in names:
            entry = cell["results"].get(name)
            if not entry or entry["lower"] <= 0:
                continue
            x = x_of(entry["median"])
            body.append(text(left - 8, top + 11, TITLES.get(name, name), 10, "end"))
            body.append(f"<rect x='{left}' y='{top + 1}' width='{max(1.0, x - left):.1f}' height='{bar - 3}' fill='{COLOURS[name]}'/>")
            body.append(f"<line x1='{x_of(entry['lower']):.1f}' y1='{top + 7}' x2='{x_of(entry['upper']):.1f}' y2='{top + 7}' stroke='#222' stroke-width='1.5'/>")
            body.append(text(max(x, x_of(entry["upper"])) + 5, top + 11, arithmetic.duration(entry["median"]) + (f"  {entry['name']}" if entry["name"] else ""), 10))
            top += bar
        for decade in range(low, high + 1):
            x = x_of(10.0 ** decade)
            body.insert(1, f"<line x1='{x:.1f}' y1='{first}' x2='{x:.1f}' y2='{top}' stroke='#ddd'/>")
            body.append(text(x, top + 12, arithmetic.duration(10.0 ** decade), 9, "middle"))
        top += 36
    return document(left + across + 190, top - 10, body)


def all_pictures(document_):
    """(name, title, SVG) of each."""
    pictures = []
    for mode in report.MODES:
        pictures.append((f"ratios-{mode.replace(' ', '-')}", f"The fastest MPI beside emitted schedules, {report.MODE_TITLES[mode]}", ratios(document_, mode)))
    for p, mode, cells in report.grouped(document_):
        title = f"Times, p = {p}, {report.MODE_TITLES[mode]}"
        pictures.append((f"times-{p}-{mode.replace(' ', '-')}", title, times(cells, title)))
    pictures.append(("barriers", "Barriers", barriers(document_)))
    return [(name, title, svg) for name, title, svg in pictures if svg]
