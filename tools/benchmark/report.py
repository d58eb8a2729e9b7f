"""What was measured, as tables: for the terminal, and for docs/performance.md."""

import math
import os

import arithmetic
import candidates

MODES = ["synchronized", "back to back"]
MODE_TITLES = {"synchronized": "synchronized before each call", "back to back": "back to back, the root going round"}
# Columns: ours, and with whom they are compared.
OURS = ["threads", "MPI", "MPI on MPICH", "runtime", "preload"]
THEIRS = ["Open MPI", "Open MPI tuned", "MPICH", "plain Open MPI", "libquadrille", "std::barrier", "pthread_barrier", "OpenMP"]
BEGIN, END = "<!-- tools/bench: begin -->", "<!-- tools/bench: end -->"


def families(cells):
    """Those of the tables, ours first."""
    there = {family for cell in cells for family in cell["results"]}
    return [family for family in OURS + THEIRS if family in there]


def grouped(document):
    """(p, mode) with its cells, in order."""
    cells = document["cells"]
    for p in sorted({cell["p"] for cell in cells}):
        for mode in MODES:
            group = [cell for cell in cells if cell["p"] == p and cell["mode"] == mode]
            if group:
                yield p, mode, sorted(group, key=lambda c: (candidates.COLLECTIVES.index(c["collective"]), c["bytes"]))


def length(cell):
    return "" if cell["collective"] == "barrier" else arithmetic.size(cell["bytes"])


def spread(entry):
    """Half of the distance of the quartiles, as a share of the median."""
    return (entry["upper"] - entry["lower"]) / 2 / entry["median"] if entry["median"] > 0 else 0.0


def ratio_text(entry):
    return f"{entry['median']:.2f} ({entry['lower']:.2f}-{entry['upper']:.2f})"


def time_text(entry):
    return f"{arithmetic.duration(entry['median'])} ±{100 * spread(entry):.0f} %"


def columns(rows):
    """Aligned; the first two columns to the left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(text.ljust(w) if i < 2 else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths))).rstrip() for row in rows)


def pairs(cells):
    """(ours, theirs) for which there is a ratio, in the order of the columns."""
    there = {(ours, theirs) for cell in cells for ours, entries in cell["ratios"].items() for theirs in entries}
    return [(ours, theirs) for ours in OURS for theirs in THEIRS if (ours, theirs) in there]


def terminal(document):
    """A table of ratios for each number of ranks and each way of calling; barriers stand by themselves."""
    parts = [limits_terminal(document)] if document["limits"] else []
    for p, mode, cells in grouped(document):
        for barriers in (False, True):
            group = [cell for cell in cells if (cell["collective"] == "barrier") == barriers and cell["results"]]
            if not group:
                continue
            wanted = pairs(group)
            ours = [family for family in families(group) if family in OURS]
            rows = [["", ""] + ours + [f"{o}: {t}" for o, t in wanted]]
            for cell in group:
                rows.append([cell["collective"], length(cell)]
                            + [time_text(cell["results"][family]) if family in cell["results"] else "-" for family in ours]
                            + [ratio_text(cell["ratios"][o][t]) if t in cell["ratios"].get(o, {}) else "-" for o, t in wanted])
            parts.append(f"p = {p}, {MODE_TITLES[mode]}\n" + columns(rows))
    if preload_rows(document):
        parts.append(f"{PRELOAD_TITLE}\n" + columns([PRELOAD_HEAD] + preload_rows(document)))
    if document["cells"]:
        parts.append("Columns X: median of X, with half the distance of the quartiles. Columns X: Y: how many times as long Y takes as X, with the\n"
                     "quartiles; above 1, X is faster.")
    return "\n\n".join(parts)


PRELOAD_TITLE = "The preload library: how many times as long plain Open MPI takes, the geometric mean over the lengths, and what MPI's names add"
PRELOAD_HEAD = ["collective", "p", "", "plain Open MPI", "least", "beyond libquadrille, shortest"]


def preload_means(document):
    """{(collective, p, mode): (the cells, the geometric mean of their ratios to plain Open MPI)}."""
    rows = {}
    for cell in document["cells"]:
        if "plain Open MPI" in cell["ratios"].get("preload", {}):
            rows.setdefault((cell["collective"], cell["p"], cell["mode"]), []).append(cell)
    return {key: (cells, arithmetic.geometric_mean([cell["ratios"]["preload"]["plain Open MPI"]["median"] for cell in cells])) for key, cells in rows.items()}


def preload_rows(document):
    rows = []
    for (collective, p, mode), (cells, mean) in sorted(preload_means(document).items(), key=lambda r: (r[0][1], MODES.index(r[0][2]), candidates.COLLECTIVES.index(r[0][0]))):
        least = min(cells, key=lambda cell: cell["ratios"]["preload"]["plain Open MPI"]["median"])
        shortest = min(cells, key=lambda cell: cell["bytes"])
        rows.append([collective, str(p), mode, f"{mean:.2f}", f"{least['ratios']['preload']['plain Open MPI']['median']:.2f}" + (f" at {length(least)}" if length(least) else ""),
                     layer_text(shortest)])
    return rows


def layer_text(cell):
    """What the preload library adds to libquadrille's call."""
    if "layer" not in cell:
        return "-"
    median = cell["layer"]["median"]
    return ("-" if median < 0 else "") + arithmetic.duration(abs(median)) + (f" at {length(cell)}" if length(cell) else "")


def limit_text(limit):
    return (f"{arithmetic.three_digits(limit['median'] / 1e9)} GB/s" if limit["unit"] == "bytes/s" else arithmetic.duration(limit["median"]))


LIMIT_TITLES = {"copy": "copy", "add": "y += x", "line": "a cache line there and back", "switch": "there and back between threads on one core",
                "step": "a replayed exchange and combination of 8 B, beyond its MPI calls"}


def limit_title(limit):
    text = LIMIT_TITLES[limit["name"]]
    if limit["bytes"]:
        text += f", {arithmetic.size(limit['bytes'])}, {limit['threads']} thread" + ("s" if limit["threads"] > 1 else "")
    return text


def limits_terminal(document):
    return columns([["limits of the machine", ""]] + [[limit_title(limit), f"{limit_text(limit)} ±{100 * spread(limit):.0f} %"] for limit in document["limits"]])


def limit_of(cell, limits, cores):
    """Seconds below which no implementation in one memory can be: the data once through memory, one cache line from core to core, and
    where there are more ranks than cores, the switches that let all of them run. Nothing if that was not measured."""
    def measured(name, size=0, threads=2):
        there = [limit for limit in limits if limit["name"] == name and limit["threads"] == threads]
        return min(there, key=lambda l: abs(math.log((l["bytes"] or 1) / (size or 1))))["median"] if there else None

    p, threads = cell["p"], min(cell["p"], cores)
    line, switch = measured("line"), measured("switch")
    copy, add = measured("copy", cell["bytes"], threads), measured("add", cell["bytes"], threads)
    if copy is None or add is None or (line is None and cores > 1) or (switch is None and p > cores):
        return None
    seconds = line / 2 if cores > 1 else 0
    if p > cores:
        seconds += (p - cores) / cores * switch / 2
    if cell["collective"] == "barrier":
        return seconds
    return seconds + cell["bytes"] * (candidates.moved_blocks(cell["collective"], p) / copy + candidates.read_blocks(cell["collective"], p) / add)


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows])


def best_of_others(cell, ours, theirs=("Open MPI", "Open MPI tuned", "MPICH")):
    """The ratio to the fastest of the MPI libraries; nothing if it was not measured."""
    there = [entry for name, entry in cell["ratios"].get(ours, {}).items() if name in theirs]
    return min(there, key=lambda entry: entry["median"]) if there else None


def overview(document):
    """A line per collective: geometric means over lengths of the ratios to the fastest MPI."""
    head, rows = ["collective"], {}
    for ours in ("threads", "MPI"):
        for p, mode, cells in grouped(document):
            column, there = f"{ours}, p = {p}, {mode}", {}
            for cell in cells:
                entry = best_of_others(cell, ours)
                if entry:
                    there.setdefault(cell["collective"], []).append(entry["median"])
            if there:
                head.append(column)
                for collective in candidates.COLLECTIVES:
                    rows.setdefault(collective, []).append(f"{arithmetic.geometric_mean(there[collective]):.2f}" if collective in there else "-")
    return table(head, [[name] + values for name, values in rows.items() if any(v != "-" for v in values)]) if len(head) > 1 else ""


def goal(title, wanted, values, holds, text):
    """A line of the table of goals: what was measured, and whether that is enough; nothing if it was not measured."""
    return [title, wanted, text(values), "yes" if holds(values) else "no"] if values else [title, wanted, "not measured", "-"]


def factor(value):
    return f"{arithmetic.three_digits(value)}x"


def goals_table(document):
    """What Quadrille is to reach, and what it does. Ratios are medians within the run; p includes the oversubscribed ones."""
    cells, limits = document["cells"], {(l["name"], l["bytes"], l["threads"]): l for l in document["limits"]}
    cores = document["machine"]["cores"]

    def ratios(ours, theirs, wanted=lambda cell: True):
        entries = [best_of_others(cell, ours, theirs) for cell in cells if wanted(cell)]
        return [entry["median"] for entry in entries if entry]

    def seconds(family, wanted):
        return [(cell["results"][family]["median"], cell) for cell in cells if wanted(cell) and family in cell["results"]]

    def small(cell):
        return cell["p"] == 2 and cell["bytes"] == 8 and cell["collective"] in ("broadcast", "allreduce")

    mpi = ("Open MPI", "Open MPI tuned", "MPICH")
    rows = []

    def mean_and_least(title, ours, theirs, mean, least, wanted=lambda cell: True):
        rows.append(goal(title, f"geometric mean {mean}x, nowhere below {least}", ratios(ours, theirs, wanted),
                         lambda v: arithmetic.geometric_mean(v) >= mean and min(v) >= least,
                         lambda v: f"{factor(arithmetic.geometric_mean(v))}, least {min(v):.2f}; {sum(x < least for x in v)} of {len(v)} cells below {least}"))

    mean_and_least("threads beside the better of Open MPI and MPICH", "threads", mpi, 2, 0.9)
    line = limits.get(("line", 0, 2))
    rows.append(goal("threads, 8 B allreduce and broadcast, p = 2, in round trips of a cache line", "at most 2",
                     [t / line["median"] for t, _ in seconds("threads", small)] if line else [],
                     lambda v: max(v) <= 2, lambda v: f"{min(v):.1f} to {max(v):.1f}"))
    long = seconds("threads", lambda c: c["p"] == 2 and c["bytes"] == 16 << 20)
    bounded = [t / limit for t, limit in ((t, limit_of(c, document["limits"], cores)) for t, c in long) if limit]
    rows.append(goal("threads, 16 MiB, p = 2, times what bandwidth allows", "at most 1.3", bounded, lambda v: max(v) <= 1.3,
                     lambda v: f"{factor(arithmetic.geometric_mean(v))} in the mean, {min(v):.2f} to {max(v):.2f}"))
    for p in (2, 8):
        peers = ("std::barrier", "pthread_barrier", "OpenMP") + mpi
        barriers = [cell for cell in cells if cell["p"] == p and cell["collective"] == "barrier"]
        own = [(min(cell["results"][f]["median"] for f in ("threads", "runtime") if f in cell["results"]), cell) for cell in barriers
               if "threads" in cell["results"] or "runtime" in cell["results"]]
        if p == 2:
            rows.append(goal("barrier, p = 2, beside the fastest of all", "at least 1.0",
                             [min(cell["results"][f]["median"] for f in peers if f in cell["results"]) / t for t, cell in own],
                             lambda v: min(v) >= 1, lambda v: f"{min(v):.2f} to {max(v):.2f}"))
        else:
            rows.append(goal("barrier, p = 8, beside pthread_barrier", "at least 1.0",
                             [cell["results"]["pthread_barrier"]["median"] / t for t, cell in own if "pthread_barrier" in cell["results"]],
                             lambda v: min(v) >= 1, lambda v: f"{min(v):.2f} to {max(v):.2f}"))
            rows.append(goal("barrier, p = 8, beside the fastest MPI", "at least 3.0",
                             [min(cell["results"][f]["median"] for f in mpi if f in cell["results"]) / t for t, cell in own],
                             lambda v: min(v) >= 3, lambda v: f"{min(v):.1f} to {max(v):.1f}"))
    step = limits.get(("step", 0, 1))
    rows.append(goal("a replayed step over MPI, beyond its MPI calls", "below 30 ns", [step["median"]] if step else [], lambda v: v[0] < 30e-9,
                     lambda v: arithmetic.duration(v[0])))
    mean_and_least("processes, 64 KiB and more, beside Open MPI's best", "MPI", ("Open MPI", "Open MPI tuned"), 1, 0.9, lambda c: c["bytes"] >= 64 << 10)
    mean_and_least("processes of a node beside Open MPI's best and MPICH's", "MPI", mpi, 1.5, 0.95)
    means = preload_means(document)
    rows.append(goal("the preload library beside plain Open MPI, means of a collective at a p", "nowhere below 0.95", [mean for _, mean in means.values()],
                     lambda v: min(v) >= 0.95, lambda v: f"least {min(v):.2f}; {sum(x < 0.95 for x in v)} of {len(v)} below 0.95"))
    layers = [cell["layer"]["median"] for cell in cells if "layer" in cell and cell["p"] == 2 and cell["bytes"] == 8]
    rows.append(goal("the preload library beyond libquadrille, 8 B, p = 2", "at most 50 ns", layers, lambda v: max(v) <= 50e-9,
                     lambda v: f"{1e9 * min(v):.0f} to {1e9 * max(v):.0f} ns"))
    mean_and_least("processes on MPICH beside MPICH's", "MPI on MPICH", ("MPICH",), 1.5, 0.95)
    rows.append(goal("processes, 8 B broadcast and allreduce, p = 2, beside the fastest MPI", "at least 2.0", ratios("MPI", mpi, small),
                     lambda v: min(v) >= 2, lambda v: f"{min(v):.2f} to {max(v):.2f}"))
    return table(["", "goal", "measured", "reached"], rows)


def losses(document):
    """Where the fastest emitted schedule takes longer than the fastest other, by more than the spread."""
    found = []
    for cell in document["cells"]:
        for ours in ("threads", "MPI"):
            for theirs, entry in cell["ratios"].get(ours, {}).items():
                if entry["upper"] < 1 and entry["median"] < 0.95:
                    found.append((entry["median"], cell, ours, theirs, entry))
    # To each loser, only the fastest winner.
    kept = {}
    for item in sorted(found, key=lambda f: f[0]):
        kept.setdefault((item[1]["collective"], item[1]["p"], item[1]["bytes"], item[1]["mode"], item[2]), item)
    return sorted(kept.values(), key=lambda f: f[0])


def losses_table(document):
    rows = [[cell["collective"], str(cell["p"]), length(cell), cell["mode"], f"{ours} `{cell['results'][ours]['name']}`",
             theirs + (f" `{cell['results'][theirs]['name']}`" if cell["results"][theirs]["name"] else ""), ratio_text(entry)]
            for _, cell, ours, theirs, entry in losses(document)]
    if not rows:
        return "Nothing, by more than the spread."
    return table(["collective", "p", "length", "", "emitted", "faster", "ratio"], rows)


def plain(number, singular):
    return f"{number} {singular}" + ("" if number == 1 else "s")


def page(document, pictures):
    """What stands between the marks of the page. `pictures`: (title, path) of the plots."""
    machine = document["machine"]
    parts = [f"Measured on {machine['processor']}, {plain(machine['cores'], 'core')}, {machine['system']}, with {machine['compiler']}; "
             + ", ".join(document["libraries"].values()) + f". A load of {machine['load before']:.1f} before and of {machine['load after']:.1f} after the run, "
             f"which took {document['seconds'] / 60:.0f} minutes."]
    parts += [f"Left out: {text}." for text in document["absent"]]
    parts += ["### Goals", "What Quadrille is to reach, and what was measured in this run. Ratios are times of the other divided by Quadrille's.", goals_table(document)]
    parts += ["### The fastest MPI beside the emitted schedules",
              "How many times as long the fastest of Open MPI, its forced algorithms and MPICH takes: geometric means over the lengths.", overview(document)]
    if preload_rows(document):
        parts += ["### The preload library",
                  "How many times as long plain Open MPI takes as the same call through the preload library, by turns in the same processes: the geometric mean over "
                  "the lengths, and the least of them. Beside it what MPI's names add to libquadrille's own call, where blocks are shortest.",
                  table(PRELOAD_HEAD, preload_rows(document))]
    parts += [f"![{title}]({path})" for title, path in pictures]
    parts += ["### What is lost", "Where another implementation is faster, by more than the quartiles:", losses_table(document)]
    if document["limits"]:
        parts += ["### Limits of the machine",
                  table(["", "median", "quartiles"], [[limit_title(l), limit_text(l), f"{limit_text(dict(l, median=l['lower']))} to {limit_text(dict(l, median=l['upper']))}"]
                                                      for l in document["limits"]])]
    parts.append("### All cells")
    for p, mode, cells in grouped(document):
        names = families(cells)
        rows = []
        for cell in cells:
            limit = limit_of(cell, document["limits"], machine["cores"])
            row = [cell["collective"], length(cell)]
            for family in names:
                entry = cell["results"].get(family)
                row.append("-" if not entry else time_text(entry) + (f" `{entry['name']}`" if entry["name"] else ""))
            rows.append(row + ([arithmetic.duration(limit)] if limit is not None else ["-"]))
        parts += [f"#### p = {p}, {MODE_TITLES[mode]}", table(["collective", "length"] + names + ["limit"], rows)]
    if document["skipped"]:
        parts += ["Not measured: " + "; ".join(document["skipped"]) + "."]
    return "\n\n".join(part for part in parts if part)


def insert(path, text):
    """Replaces what stands between the marks of a page."""
    with open(path, encoding="utf-8") as file:
        whole = file.read()
    begin, end = whole.find(BEGIN), whole.find(END)
    if begin < 0 or end < begin:
        raise ValueError(f"{path} has no lines {BEGIN} and {END}, between which the tables would go")
    with open(path, "w", encoding="utf-8") as file:
        file.write(whole[:begin + len(BEGIN)] + "\n\n" + text + "\n\n" + whole[end:])


def relative(path, page_path):
    return os.path.relpath(path, os.path.dirname(os.path.abspath(page_path)))
