"""The programs that measure: one for threads, and one for each MPI library that is there. They are built of what the compiler emits."""

import os
import re
import shutil
import subprocess

SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COLLECTIVE_CONSTANTS = {
    "broadcast": "Broadcast", "reduce": "Reduce", "allreduce": "Allreduce", "scan": "Scan", "exscan": "Exscan", "allgather": "Allgather",
    "reduce_scatter": "ReduceScatter", "alltoall": "Alltoall", "gather": "Gather", "scatter": "Scatter", "barrier": "Barrier",
}


class Absent(Exception):
    """Something that this machine does not have; the rest can be measured."""


class Broken(Exception):
    """Something that should work and does not."""


def cached(build, name):
    """A variable of the build's CMakeCache.txt; nothing if it has none."""
    try:
        with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
            match = re.search(rf"^{name}:[^=]*=(.*)$", file.read(), re.M)
    except FileNotFoundError:
        return None
    return match.group(1) if match else None


def macros(compiler):
    """What a compiler's mpi.h defines."""
    result = subprocess.run([compiler, "-x", "c++", "-dM", "-E", "-"], input="#include <mpi.h>\n", capture_output=True, text=True)
    return dict(re.findall(r"^#define (\w+) (.*)$", result.stdout, re.M)) if result.returncode == 0 else {}


def find_mpi(kind):
    """The compiler, the launcher and the version of an MPI library: Debian's names first, which tell two of them apart."""
    wanted = {"openmpi": "OMPI_MAJOR_VERSION", "mpich": "MPICH_VERSION"}[kind]
    title = {"openmpi": "Open MPI", "mpich": "MPICH"}[kind]
    for compiler, launchers in ((f"mpicxx.{kind}", (f"mpirun.{kind}", f"mpiexec.{kind}")), ("mpicxx", ("mpirun", "mpiexec"))):
        path = shutil.which(compiler)
        if not path:
            continue
        defined = macros(path)
        if wanted not in defined:
            continue
        launcher = next((found for found in map(shutil.which, launchers) if found), None)
        if not launcher:
            raise Absent(f"{title} has a compiler, {path}, but no {launchers[0]}")
        if kind == "openmpi":
            version = ".".join(defined[f"OMPI_{part}_VERSION"] for part in ("MAJOR", "MINOR", "RELEASE"))
        else:
            version = defined[wanted].strip('"')
        return path, launcher, f"{title} {version}"
    raise Absent(f"no {title}: neither mpicxx.{kind} nor an mpicxx of {title} is in PATH (Debian: apt-get install "
                 + ("libopenmpi-dev openmpi-bin)" if kind == "openmpi" else "mpich libmpich-dev)"))


def preload_library(build):
    """The library that is to be preloaded with Open MPI, as the build has made it; and that libquadrille, which is measured beside it, is
    for the same MPI library."""
    path = os.path.join(os.path.abspath(build), "lib", "quadrille", "openmpi", "libquadrille_mpi.so")
    if not os.path.exists(path):
        raise Absent("the preload library, as the build has none for Open MPI")
    if "OMPI_MAJOR_VERSION" not in macros(cached(build, "MPI_CXX_COMPILER") or "mpicxx"):
        raise Absent("the preload library, as libquadrille, which is measured beside it, was not built for Open MPI")
    return path


def unit_text(collective, algorithm, backend):
    base = f"{collective}_{algorithm}"
    return (f'#include "{base}.cpp"\n\n#include "Registry.h"\n\n'
            f"static const benchmark::Emitted<&collectives::{base}> unit(benchmark::{COLLECTIVE_CONSTANTS[collective]}, \"{algorithm}\", 0);\n")


class Builder:
    """Writes a build.ninja for the programs wanted, and has ninja build what has changed."""

    def __init__(self, build, quadrille):
        self.build, self.quadrille = os.path.abspath(build), os.path.abspath(quadrille)
        self.folder = os.path.join(self.build, "bench")
        launcher = next(filter(os.path.exists, [cached(self.build, name) or "" for name in ("CMAKE_CXX_COMPILER_LAUNCHER", "CCACHE_PROGRAM")]), "")
        launcher += " " if launcher else ""
        self.lines = ["ninja_required_version = 1.8", "",
                      "rule emit", "  command = $quadrille emit $schedules --backend $backend -o $folder", "  description = emit for $backend", "",
                      "rule compile", f"  command = {launcher}$cxx $flags -MD -MF $out.d -c $in -o $out", "  depfile = $out.d", "  deps = gcc",
                      "  description = compile $out", "",
                      "rule link", "  command = $cxx $flags $in $libraries -o $out", "  description = link $out", "",
                      f"quadrille = {self.quadrille}", ""]
        self.programs = {}

    def compiler(self):
        return cached(self.build, "CMAKE_CXX_COMPILER") or "c++"

    def add(self, name, backend, cxx, standard, flags, schedules, libraries, sources):
        """A program: schedules are {collective: [algorithm]}, sources what else is to be compiled with it."""
        folder = os.path.join(self.folder, backend)
        objects = os.path.join(self.folder, name + ".objects")
        os.makedirs(folder, exist_ok=True)
        os.makedirs(objects, exist_ok=True)
        emitted, files = [], []
        for collective, algorithms in schedules.items():
            for algorithm in algorithms:
                base = os.path.join(folder, f"{collective}_{algorithm}")
                emitted.append(base)
                files.append(os.path.join(SOURCES, "schedules", collective, algorithm + ".quad"))
                write_if_changed(base + "_unit.cc", unit_text(collective, algorithm, backend))
        outputs = " ".join(base + ending for base in emitted for ending in (".h", ".cpp"))
        if emitted and not any(line.startswith(f"build {outputs}:") for line in self.lines):
            self.lines += [f"build {outputs}: emit | {' '.join(files)} {self.quadrille}", f"  schedules = {' '.join(files)}", f"  backend = {backend}",
                           f"  folder = {folder}", ""]
        runtime = os.path.join(SOURCES, "runtime")
        common = f"{standard} {flags} -I{runtime}/include -I{runtime}/benchmark/collectives -I{folder}"
        made = []
        for source, level, needed in ([(base + "_unit.cc", "-O2", base + ".h") for base in emitted] +
                                      [(os.path.join(runtime, source), "-O3 -DNDEBUG", None) for source in sources]):
            made.append(os.path.join(objects, os.path.relpath(source, folder if needed else runtime).replace("/", "_") + ".o"))
            self.lines += [f"build {made[-1]}: compile {source}" + (f" || {needed}" if needed else ""), f"  cxx = {cxx}", f"  flags = {level} {common}", ""]
        program = os.path.join(self.folder, name)
        inputs = " ".join(made + [os.path.join(self.build, "lib", library) for library in libraries])
        self.lines += [f"build {program}: link {inputs}", f"  cxx = {cxx}", f"  flags = {flags}", "  libraries = -pthread", ""]
        self.programs[name] = program

    def run(self, quiet=False):
        write_if_changed(os.path.join(self.folder, "build.ninja"), "\n".join(self.lines))
        result = subprocess.run(["ninja", "-C", self.folder] + (["--quiet"] if quiet else []), stdout=subprocess.PIPE if quiet else None,
                                stderr=subprocess.STDOUT if quiet else None, text=True)
        if result.returncode != 0:
            raise Broken("the programs that measure cannot be built" + (":\n" + result.stdout if quiet else ""))


def write_if_changed(path, text):
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except FileNotFoundError:
        pass
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def runtime_sources(*folders):
    return sorted(os.path.join(folder, name) for folder in folders for name in os.listdir(os.path.join(SOURCES, "runtime", folder))
                  if name.endswith(".cpp"))
