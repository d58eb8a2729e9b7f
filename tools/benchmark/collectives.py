"""Measures emitted collectives beside those of MPI libraries, and barriers beside others; see docs/performance.md."""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time

import arithmetic
import candidates
import measure
import plots
import programs
import report
import worlds

QUICK = {"p": [2, 4], "sizes": [8, 64 << 10, 1 << 20], "seconds": 105}
FULL = {"p": [2, 4, 8], "sizes": [8, 1 << 10, 64 << 10, 1 << 20, 16 << 20], "seconds": 2700}
KINDS = ["threads", "openmpi", "mpich", "preload"]
MOST_RANKS = 64  # runtime/benchmark/collectives/Control.h
FORMAT, VERSION = "quadrille-benchmark", 1


def names_of(what, known):
    """A type for argparse: names, all of them known, separated by commas."""
    def parse(text):
        result = [name.strip() for name in text.split(",") if name.strip()]
        for name in result:
            if name not in known:
                raise argparse.ArgumentTypeError(f"there is no {what} '{name}'; there are {', '.join(known)}")
        if not result:
            raise argparse.ArgumentTypeError(f"no {what} is named; there are {', '.join(known)}")
        return result
    return parse


def numbers_of(what, least, most, parse_one=int):
    def parse(text):
        try:
            result = sorted({parse_one(item) for item in text.split(",")})
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is no list of {what}") from None
        for number in result:
            if not least <= number <= most:
                raise argparse.ArgumentTypeError(f"{number} is none of the {what} from {least} to {most}")
        return result
    return parse


def length(text):
    result = arithmetic.parse_size(text)
    if result % 8:
        raise ValueError
    return result


def positive(text):
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of seconds above 0")
    return value


def schedules_of(text):
    """'default', 'all', or names COLLECTIVE/ALGORITHM separated by commas: {collective: [algorithm]}."""
    if text == "default":
        return candidates.CANDIDATES
    folder = os.path.join(programs.SOURCES, "schedules")
    if text == "all":
        return {c: sorted(name.removesuffix(".quad") for name in os.listdir(os.path.join(folder, c)) if name.endswith(".quad")) for c in candidates.COLLECTIVES}
    result = {}
    for name in text.split(","):
        collective, _, algorithm = name.strip().partition("/")
        if collective not in candidates.COLLECTIVES:
            raise argparse.ArgumentTypeError(f"'{name}': there is no collective '{collective}'; there are {', '.join(candidates.COLLECTIVES)}")
        if not algorithm or not os.path.exists(os.path.join(folder, collective, algorithm + ".quad")):
            raise argparse.ArgumentTypeError(f"the library has no schedule '{name}'; `quadrille list {collective}` shows those that it has")
        result.setdefault(collective, []).append(algorithm)
    return result


def arguments(argv):
    parser = argparse.ArgumentParser(
        prog="tools/bench", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Measures emitted collectives on threads and over MPI beside Open MPI's and MPICH's own, and barriers beside others,\n"
                    "in one run, by turns. Says how many times as long the others take; docs/performance.md tells how.",
        epilog="Installs and builds what is missing first. Exit status: 0; 1 if a result was wrong or a program failed; 2 if the command line is wrong.")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--quick", action="store_true", help="two minutes: p = 2, 4; 8 B, 64 KiB, 1 MiB")
    how.add_argument("--full", action="store_true", help="45 minutes: p = 2, 4, 8 and as many as there are cores; 8 B, 1 KiB, 64 KiB, 1 MiB, 16 MiB")
    how.add_argument("--from", dest="source", metavar="FILE", help="measures nothing: tables, plots and page of what --json wrote")
    parser.add_argument("-p", type=numbers_of("numbers of ranks", 1, MOST_RANKS), metavar="P", help="numbers of ranks, as in 2,4")
    parser.add_argument("--sizes", type=numbers_of("lengths, multiples of 8 bytes,", 8, 1 << 30, length), metavar="N", help="bytes of a block, as in 8,64Ki,1Mi")
    parser.add_argument("--collectives", type=names_of("collective", candidates.COLLECTIVES), metavar="NAMES", default=candidates.COLLECTIVES,
                        help="as in scan,barrier; default: all")
    parser.add_argument("--schedules", type=schedules_of, metavar="NAMES", default=candidates.CANDIDATES,
                        help="as in scan/doubling,scan/two_trees; all: the whole library; default: for each collective those that may be fastest")
    parser.add_argument("--programs", type=names_of("program", KINDS), metavar="NAMES", default=KINDS, help="of threads,openmpi,mpich,preload; default: all")
    parser.add_argument("--seconds", type=positive, metavar="S", help="what measuring may take")
    parser.add_argument("--json", metavar="FILE", help="where to write all figures; default: bench/results.json in the build folder")
    parser.add_argument("--plots", metavar="FOLDER", help="where to write plots; default: bench/plots in the build folder, or beside the page")
    parser.add_argument("--page", metavar="FILE", help="a page, between the marks of which tables and plots are put: docs/performance.md")
    parser.add_argument("--build", metavar="FOLDER", default=os.path.join(programs.SOURCES, "build"), help=argparse.SUPPRESS)
    parser.add_argument("--only-parse", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if not (options.quick or options.full or options.source):
        parser.error("one of --quick, --full and --from is needed")
    if options.page and not os.path.exists(options.page):
        parser.error(f"there is no {options.page}")
    if options.source and not os.path.exists(options.source):
        parser.error(f"there is no {options.source}")
    return options


def cores():
    return len(os.sched_getaffinity(0))


def machine(build):
    processor = "an unknown processor"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            match = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
            processor = match.group(1) if match else processor
    except OSError:
        pass
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        system = platform.system()
    compiler = programs.cached(build, "CMAKE_CXX_COMPILER") or "c++"
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout.splitlines()
    return {"processor": processor, "cores": cores(), "system": system, "compiler": version[0] if version else compiler,
            "load before": os.getloadavg()[0], "load after": os.getloadavg()[0]}


def memory_available():
    try:
        with open("/proc/meminfo", encoding="utf-8") as file:
            return int(re.search(r"^MemAvailable:\s*(\d+) kB", file.read(), re.M).group(1)) * 1024
    except (OSError, AttributeError):
        return 1 << 62


class Limits:
    """Measured several times in a run, with Google Benchmark."""

    def __init__(self, build):
        self.program = os.path.join(build, "bin", "quadrille-benchmark-limits")
        # What a step over MPI takes beyond MPI; without MPI there is none.
        self.steps = os.path.join(build, "bin", "quadrille-benchmark-steps")
        self.values = {}

    def measure(self, seconds):
        if not os.path.exists(self.program):
            raise programs.Absent("limits of the machine, as the build has no Google Benchmark (Debian: apt-get install libbenchmark-dev; then configure anew)")
        # Up to fourteen, each of which is tried with growing numbers of iterations.
        self.run([self.program, f"--benchmark_min_time={seconds / 30:.4f}"])
        if os.path.exists(self.steps):
            self.run([self.steps])

    def run(self, command):
        result = subprocess.run(command + ["--benchmark_format=json"], capture_output=True, text=True)
        if result.returncode != 0:
            raise programs.Broken(f"{command[0]} failed:\n{result.stderr.strip()}")
        for entry in json.loads(result.stdout)["benchmarks"]:
            parts = entry["name"].split("/")
            key = parts[0], int(parts[1]) if parts[1].isdigit() else 0, int(entry["threads"])
            value = (entry["bytes_per_second"], "bytes/s") if "bytes_per_second" in entry else (entry["real_time"] * 1e-9, "s")
            self.values.setdefault((key, value[1]), []).append(value[0])

    def document(self):
        return [dict(arithmetic.summary(values), name=name, bytes=size, threads=threads, unit=unit)
                for ((name, size, threads), unit), values in self.values.items()]


def build_programs(options, absent):
    """{kind: (program, launcher, library to be preloaded)}, and what the libraries are."""
    schedules = {c: options.schedules.get(c, []) for c in options.collectives}
    builder = programs.Builder(options.build, os.path.join(options.build, "bin", "quadrille"))
    found, libraries = {}, {}
    if "threads" in options.programs:
        openmp = subprocess.run([builder.compiler(), "-fopenmp", "-x", "c++", "-o", os.devnull, "-"], input="int main() {}", capture_output=True, text=True)
        if openmp.returncode != 0:
            absent.append("OpenMP's barrier, as the compiler has no OpenMP")
        builder.add("threads", "shm", builder.compiler(), "-std=c++20", "-fopenmp" if openmp.returncode == 0 else "", schedules,
                    ["libquadrille_shm.a", "libquadrille_runtime_common.a"], ["benchmark/collectives/Threads.cpp"])
        found["threads"] = None, None
    for kind in ("openmpi", "mpich"):
        if kind not in options.programs:
            continue
        try:
            compiler, launcher, libraries[kind] = programs.find_mpi(kind)
        except programs.Absent as reason:
            absent.append(str(reason))
            continue
        # The runtime is compiled for each library anew.
        builder.add(kind, "mpi", compiler, "-std=c++17", "-DBENCHMARK_MPI", schedules, [],
                    ["benchmark/collectives/Mpi.cpp"] + programs.runtime_sources("common", "node", "plan", "mpi"))
        found[kind] = launcher, None
    if "preload" in options.programs:
        try:
            compiler, launcher, libraries["openmpi"] = programs.find_mpi("openmpi")
            found["preload"] = launcher, programs.preload_library(options.build)
            builder.add("preload", "mpi", compiler, "-std=c++17", "", {},
                        [f"libquadrille_{name}.a" for name in ("collectives_mpi", "collectives", "mpi", "shm", "runtime_common")],
                        ["benchmark/collectives/Preload.cpp"])
        except programs.Absent as reason:
            absent.append(str(reason))
    for text in absent:
        print(f"Left out: {text}", file=sys.stderr)
    if not found:
        raise programs.Broken("nothing is left to be measured")
    builder.run(quiet=not sys.stderr.isatty())
    return {kind: (builder.programs[kind], launcher, preload) for kind, (launcher, preload) in found.items()}, libraries


def cells_of(options, p):
    return [{"p": p, "collective": collective, "bytes": size, "mode": mode}
            for size in options.sizes for collective in options.collectives if collective != "barrier" or size == options.sizes[0] for mode in report.MODES]


class Progress:
    def __init__(self):
        self.shown = sys.stderr.isatty()

    def __call__(self, text):
        if self.shown:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def tell(self, text):
        self("")
        print(text, file=sys.stderr)


def run(options):
    defaults = FULL if options.full else QUICK
    if not options.p:
        options.p = sorted(set(defaults["p"] + ([min(cores(), MOST_RANKS)] if options.full else [])) - {1})
    options.sizes = options.sizes or defaults["sizes"]
    seconds = options.seconds or defaults["seconds"]
    absent = []
    found, libraries = build_programs(options, absent)

    began = time.monotonic()
    progress = Progress()
    document = {"format": FORMAT, "version": VERSION, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
                "machine": machine(options.build), "libraries": libraries, "absent": absent, "limits": [], "cells": [], "skipped": [], "failures": []}
    measurement = measure.Measurement(measure.Settings(), tell=progress.tell)
    limits = Limits(options.build)
    limit_seconds = min(3.0, seconds * 0.02)

    def measure_limits():
        nonlocal limits
        if limits:
            progress("limits of the machine")
            try:
                limits.measure(limit_seconds)
            except programs.Absent as reason:
                absent.append(str(reason))
                progress.tell(f"Left out: {reason}")
                limits = None

    left = sum(len(cells_of(options, p)) for p in options.p)
    late = 0
    running = []
    try:
        for p in options.p:
            measure_limits()
            for kind, (program, launcher, preload) in found.items():
                progress(f"p = {p}: starting {worlds.TITLES[kind]}")
                world = worlds.World(kind, program, launcher, p, cores(), timeout=max(30, seconds / 5), preload=preload)
                try:
                    world.start()
                    running.append(world)
                except worlds.Lost as lost:
                    measurement.failures.append(str(lost))
                    progress.tell(f"error: {lost}")
            for cell in cells_of(options, p):
                title = f"{cell['collective']}, p = {p}, {arithmetic.size(cell['bytes'])}"
                needed = candidates.buffer_bytes(cell["collective"], cell["bytes"], p) * len(running)
                if needed > memory_available() / 2:
                    sentence = f"{title}: the buffers of all programs take {needed / 2**30:.1f} GiB, more than half of the memory"
                    if sentence not in document["skipped"]:
                        document["skipped"].append(sentence)
                elif began + seconds < time.monotonic():
                    late += 1
                else:
                    progress(f"{title}, {cell['mode']}")
                    try:
                        document["cells"].append(measurement.cell(running, cell, arithmetic.shares(began + seconds - time.monotonic(), left)))
                    except worlds.Lost as lost:
                        measurement.failures.append(f"{title}: {lost}")
                        progress.tell(f"error: {title}: {lost}")
                left -= 1
            while running:
                running.pop().stop()
        measure_limits()
    except KeyboardInterrupt:
        progress.tell("Interrupted: this is what was measured until then.")
        document["skipped"].append("what would have come after an interruption")
    finally:
        while running:
            running.pop().stop()
        progress("")
    if late:
        document["skipped"].append(f"{late} cells, for which the time was over")
    document["limits"] = limits.document() if limits else []
    document["failures"] = measurement.failures
    document["seconds"] = time.monotonic() - began
    document["machine"]["load after"] = os.getloadavg()[0]
    return document


def write(options, document):
    if not options.source:
        path = options.json or os.path.join(options.build, "bench", "results.json")
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
            file.write("\n")
        print(f"\nAll figures: {os.path.relpath(path)}")
    folder = options.plots or (os.path.splitext(os.path.abspath(options.page))[0] if options.page else os.path.join(options.build, "bench", "plots"))
    pictures = plots.all_pictures(document)
    os.makedirs(folder, exist_ok=True)
    for name, _, svg in pictures:
        with open(os.path.join(folder, name + ".svg"), "w", encoding="utf-8") as file:
            file.write(svg)
    print(f"Plots: {os.path.relpath(folder)}/*.svg")
    if options.page:
        report.insert(options.page, report.page(document, [(title, report.relative(os.path.join(folder, name + ".svg"), options.page)) for name, title, _ in pictures]))
        print(f"Page: {options.page}")


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except ValueError as error:
        raise programs.Broken(f"{path} is no JSON: {error}") from None
    if document.get("format") != FORMAT or document.get("version") != VERSION:
        raise programs.Broken(f"{path} is not what this version of tools/bench writes with --json")
    return document


def main():
    options = arguments(sys.argv[1:])
    if options.only_parse:
        return 3 if options.source else 0
    try:
        document = load(options.source) if options.source else run(options)
        print(report.terminal(document))
        for sentence in document["skipped"]:
            print(f"Not measured: {sentence}")
        write(options, document)
    except (programs.Broken, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for sentence in document["failures"]:
        print(f"error: {sentence}", file=sys.stderr)
    return 1 if document["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
