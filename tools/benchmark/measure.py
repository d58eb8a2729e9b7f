"""One cell of the tables: a collective, a number of ranks, a length and a way of calling, with all contestants by turns."""

import random
import time

import arithmetic
from candidates import ROOTED
from worlds import Lost

MOST_CALLS = 64  # of a slice; runtime/benchmark/collectives/Control.h


class Settings:
    """Of a whole run."""
    slice_seconds = 0.0015  # what the calls of a slice should take
    # In a row, more calls than that, up to so many, if they take no longer than this: behind the first, untimed call ranks are as far
    # apart as that has left them, and a single call tells that distance rather than what calls in a row take.
    calls_in_a_row, row_seconds = 8, 0.025
    least_rounds, most_rounds = 5, 101
    pilot_rounds = 2
    heats = 2


class Measurement:
    """Who takes part, what was refused, and what was wrong, over all cells."""

    def __init__(self, settings, clock=time.monotonic, tell=print):
        self.settings, self.clock, self.tell = settings, clock, tell
        self.serial = 1
        self.failures = []  # sentences
        self.excluded = set()  # (kind of world, p, collective, family, name)

    def key(self, contestant):
        return contestant.world.kind, contestant.world.p, contestant.collective, contestant.family, contestant.name

    def fail(self, contestant, where, text):
        sentence = f"{contestant}, {where}: {text}"
        if sentence not in self.failures:
            self.failures.append(sentence)
            self.tell(f"error: {sentence}")
        self.excluded.add(self.key(contestant))

    def slice(self, contestant, cell, calls, warm_up, check_all):
        """The seconds per call, and what the slice took as a whole; nothing if the contestant cannot do it."""
        start = self.clock()
        where = f"p = {cell['p']}, {arithmetic.size(cell['bytes'])}, {cell['mode']}"
        try:
            kind, rest = contestant.world.slice(contestant, cell["mode"] == "back to back", check_all, calls, warm_up, 0, self.serial)
        except Lost as lost:
            self.fail(contestant, where, str(lost))
            self.restart(contestant.world, cell)
            return None
        self.serial += calls + warm_up
        if kind == "times":
            return arithmetic.median([float(ns) * 1e-9 for ns in rest.split()]), (self.clock() - start) / (calls + warm_up)
        if kind == "wrong":
            self.fail(contestant, where, rest)
        else:
            self.excluded.add(self.key(contestant))
            cell.setdefault("refused", []).append({"family": contestant.family, "name": contestant.name, "why": rest})
        return None

    def calls(self, cell, cost):
        """How many calls of `cost` seconds a slice has."""
        settings = self.settings
        calls = arithmetic.calls_per_slice(cost, settings.slice_seconds, MOST_CALLS)
        if cell["mode"] == "back to back":
            calls = max(calls, arithmetic.calls_per_slice(cost, settings.row_seconds, settings.calls_in_a_row))
        return calls

    def restart(self, world, cell):
        """After a crash: the others of this program can still be measured."""
        world.stop()
        try:
            world.start()
            self.prepare(world, cell)
        except Lost as lost:
            self.tell(f"error: {lost}")
            self.failures.append(str(lost))
            world.contestants = []

    def prepare(self, world, cell):
        kind, rest = world.prepare(cell["collective"], max(1, cell["bytes"] // 8))
        if kind != "ok":
            raise Lost(rest)

    def by_family(self, best):
        families = {}
        for place, seconds_per_call in best.items():
            world, i = place
            if i < len(world.contestants):
                families.setdefault(world.contestants[i].family, {})[place] = seconds_per_call
        return families

    def choose(self, cell, best, cost, until):
        """Who is measured, of whom `best` says how long single calls took. Those that are not far behind run a few slices first:
        a single call begins with ranks that sleep, which calls in a row do not."""
        chosen = []
        for members in self.by_family(best).values():
            running = arithmetic.finalists(members, most=5, within=4)
            heats = {}
            for _ in range(self.settings.heats if len(running) > 1 else 0):
                for place in running:
                    world, i = place
                    if i >= len(world.contestants) or self.clock() > until:
                        continue
                    result = self.slice(world.contestants[i], cell, self.calls(cell, cost[place]), 1, check_all=False)
                    if result is not None:
                        heats[place] = min(heats.get(place, result[0]), result[0])
                        cost[place] = min(cost[place], result[1])
            chosen += arithmetic.finalists(heats or members)
        return chosen

    def cell(self, worlds, cell, seconds):
        """Fills `cell` with what was measured within about that time."""
        settings, began = self.settings, self.clock()
        for world in worlds:
            if world.contestants:
                self.prepare(world, cell)
        taking_part = [(world, i) for world in worlds for i, c in enumerate(world.contestants)
                       if c.collective == cell["collective"] and self.key(c) not in self.excluded]

        # First all of them, each result looked at word by word: who is slow is not asked again.
        best, cost = {}, {}
        for pilot in range(settings.pilot_rounds):
            for place in list(taking_part):
                world, i = place
                if i >= len(world.contestants):
                    continue
                if pilot > 0 and self.clock() - began > seconds / 3:
                    break
                contestant = world.contestants[i]
                if self.key(contestant) in self.excluded:
                    continue
                # A rank that is the root for the first time gets memory for it, which is dear. So each is, before time is taken.
                first_roots = cell["p"] if pilot == 0 and cell["mode"] == "back to back" and cell["collective"] in ROOTED else 1
                result = self.slice(contestant, cell, calls=1 if pilot == 0 else 2, warm_up=first_roots, check_all=pilot == 0)
                if result is None:
                    best.pop(place, None)
                    continue
                best[place] = min(best.get(place, result[0]), result[0])
                cost[place] = min(cost.get(place, result[1]), result[1])
        chosen = self.choose(cell, best, cost, until=began + seconds / 2)

        # Then rounds, in each of which everybody has a slice. Their order is another one each time: whoever runs behind
        # another program finds its data gone from the cache, and that should not always be the same one.
        order = random.Random(0)
        series = {place: [] for place in chosen}
        rounds = 0
        while chosen and rounds < settings.most_rounds:
            if rounds >= settings.least_rounds and self.clock() - began > seconds:
                break
            # Even the least number of rounds has an end.
            if rounds > 0 and self.clock() - began > 3 * seconds:
                break
            results = {}
            for place in order.sample(chosen, len(chosen)):
                world, i = place
                if i >= len(world.contestants) or self.key(world.contestants[i]) in self.excluded:
                    continue
                result = self.slice(world.contestants[i], cell, self.calls(cell, cost[place]), 1, check_all=False)
                if result is not None:
                    results[place] = result[0]
                    cost[place] = (cost[place] + result[1]) / 2
            chosen = [place for place in chosen if place in results]
            for place in chosen:
                series[place].append(results[place])
            rounds += 1

        cell["tried"] = sorted(({"family": w.contestants[i].family, "name": w.contestants[i].name, "seconds": t}
                                for (w, i), t in best.items() if i < len(w.contestants)), key=lambda c: (c["family"], c["seconds"]))
        cell["results"] = {}
        kept = {}
        for place in chosen:
            world, i = place
            contestant = world.contestants[i]
            middle = arithmetic.median(series[place])
            if contestant.family not in kept or middle < kept[contestant.family][0]:
                kept[contestant.family] = middle, contestant.name, series[place]
        for family, (_, name, values) in kept.items():
            cell["results"][family] = dict(arithmetic.summary(values), name=name)
        series = {family: values for family, (_, _, values) in kept.items()}
        cell["ratios"] = ratios(series)
        if "preload" in series and "libquadrille" in series:
            cell["layer"] = arithmetic.difference(series["preload"], series["libquadrille"])  # seconds that MPI's names add
        cell["seconds"] = self.clock() - began
        return cell


OURS = ("threads", "MPI", "MPI on MPICH", "runtime")
# The preload library is compared with what else its program calls, and with nothing of other programs.
BESIDE_PRELOAD = ("plain Open MPI", "libquadrille")


def are_comparable(ours, theirs):
    """Threads with everybody, MPI with its own library."""
    if ours == "preload" or theirs == "preload" or theirs in BESIDE_PRELOAD:
        return ours == "preload" and theirs in BESIDE_PRELOAD
    return ours in OURS and theirs not in OURS and (ours != "MPI on MPICH" or theirs == "MPICH")


def ratios(series):
    """{ours: {theirs: how many times as long they take}}, for what is comparable."""
    result = {}
    for ours in OURS + ("preload",):
        if ours not in series:
            continue
        for theirs in series:
            if not are_comparable(ours, theirs):
                continue
            result.setdefault(ours, {})[theirs] = arithmetic.ratio(series[theirs], series[ours])
    return result
