"""What the figures of tools/bench are made of: medians, quartiles, ratios of paired measurements, and how to write them."""

import math


def quantile(values, q):
    """By linear interpolation between the two nearest of the sorted values."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values")
    position = q * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def median(values):
    return quantile(values, 0.5)


def summary(values):
    """The median, the quartiles, and of how many values."""
    return {"median": median(values), "lower": quantile(values, 0.25), "upper": quantile(values, 0.75), "rounds": len(values)}


def ratio(theirs, ours):
    """Of two contestants that were measured in the same rounds: how many times as long the first one takes. Each round gives a
    ratio, so that what slows down a whole round does not count."""
    if len(theirs) != len(ours):
        raise ValueError("not the same rounds")
    return summary([t / o for t, o in zip(theirs, ours)])


def difference(ours, theirs):
    """By how much the first one takes longer, in the same rounds."""
    if len(theirs) != len(ours):
        raise ValueError("not the same rounds")
    return summary([o - t for t, o in zip(theirs, ours)])


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def calls_per_slice(call_seconds, slice_seconds, most):
    """So many calls that a slice takes about so long."""
    if call_seconds <= 0:
        return most
    return max(1, min(most, round(slice_seconds / call_seconds)))


def shares(seconds_left, cells_left):
    """What one cell may take: what is left is divided evenly, so that what a cell leaves goes to those after it."""
    return max(0.0, seconds_left) / max(1, cells_left)


def finalists(best, most=2, within=1.5):
    """Of {contestant: time}: the fastest, and the next ones if they are nearly as fast."""
    ordered = sorted(best, key=lambda c: (best[c], str(c)))
    return [c for c in ordered[:most] if best[c] <= within * best[ordered[0]]]


def three_digits(value):
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value)) + 1e-12))
    text = f"{value:.{digits}f}"
    # 9.996 has become 10.00.
    return text if digits == 0 or len(text.replace(".", "").lstrip("0")) <= 3 else f"{value:.{digits - 1}f}"


def duration(seconds):
    """Three digits with a unit."""
    for limit, unit, factor in ((1e-6, "ns", 1e9), (1e-3, "us", 1e6), (1.0, "ms", 1e3)):
        if seconds < 0.9995 * limit:
            return f"{three_digits(seconds * factor)} {unit}"
    return f"{three_digits(seconds)} s"


def size(count):
    """A number of bytes; what is a multiple of a unit, in this unit."""
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= factor and count % factor == 0:
            return f"{count // factor} {unit}"
    return f"{count} B"


def parse_size(text):
    """8, 8B, 64Ki, 64KiB, 1Mi."""
    number = text.strip().removesuffix("B").strip()
    for unit, factor in (("Ki", 1 << 10), ("Mi", 1 << 20), ("Gi", 1 << 30)):
        if number.endswith(unit):
            return int(number.removesuffix(unit)) * factor
    return int(number)
