# Configuration of the lit test suite. Values that only CMake knows come from lit.site.cfg.py.

import datetime
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

import lit.formats

sys.path.insert(0, os.path.dirname(__file__))
import only_full
import without_mpi

# What takes minutes is in the full suite only: --param full=1 runs all, --param full=only what the default suite leaves out.
full = lit_config.params.get("full")
config.name = "Quadrille"
if config.quadrille_mpi == "ON":
    form = only_full.OnlyFull if full == "only" else lit.formats.ShTest
else:
    form = without_mpi.OnlyFullWithoutMpi if full == "only" else without_mpi.WithoutMpi
config.test_format = form(execute_external=False)
config.suffixes = [".quad", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt", "unit", "tools"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.quadrille_build, "test")


def cache_folder():
    """In the build, or where that belongs to another user, below whose folders the compiler keeps nothing, in the shared folder."""
    folder = os.path.join(config.quadrille_build, "test", "cache")
    above = os.path.realpath(folder)
    while above != "/":
        above = os.path.dirname(above)
        if os.stat(above).st_uid not in (0, os.geteuid()):
            return os.path.join(tempfile.gettempdir(), f"quadrille-tests-{os.geteuid()}")
    return folder


# One compiled program per schedule and backend serves all tests of a run, and the next run too.
config.environment["QUADRILLE_CACHE"] = cache_folder()
if cache_folder().startswith(config.quadrille_build):
    config.available_features.add("own-folders")
# Lines that tell how far something is would come between those that tests look at, wherever the machine is slow.
config.environment["QUADRILLE_PROGRESS"] = "0"
config.environment["QUADRILLE_LIBRARY"] = os.path.join(config.quadrille_source, "schedules")
for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
    config.environment[name] = "1"
for name in ("HOME", "TMPDIR", "CXX", "CCACHE_DIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# A test asks for more memory than there is, and wants a null pointer; libraries keep what they have allocated.
for name in filter(None, config.quadrille_sanitize.split(",")):
    config.available_features.add({"address": "asan", "thread": "tsan"}.get(name, name))
config.environment["ASAN_OPTIONS"] = "allocator_may_return_null=1:detect_leaks=0"
config.environment["TSAN_OPTIONS"] = "allocator_may_return_null=1"
config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"

paths = [os.path.join(config.quadrille_build, "bin"), config.llvm_tools]
config.environment["PATH"] = os.pathsep.join(paths + [config.environment["PATH"]])

# A second solver, for what the prover has shown.
if shutil.which("cvc5", path=config.environment["PATH"]):
    config.available_features.add("cvc5")

# What colours examples on the site.
if importlib.util.find_spec("pygments"):
    config.available_features.add("pygments")

# Loops for processors with AVX2, which no compiler vectorizes for a debugger, and what shows their instructions.
if config.quadrille_avx2 == "1" and config.quadrille_build_type != "Debug" and shutil.which("objdump", path=config.environment["PATH"]):
    config.available_features.add("avx2")

# Pictures as PDF and PNG.
if config.quadrille_librsvg == "ON":
    config.available_features.add("librsvg")

# A second compiler, for what is emitted.
if shutil.which("clang++", path=config.environment["PATH"]):
    config.available_features.add("clang")

# An editor, with syntax highlighting.
vim = shutil.which("vim", path=config.environment["PATH"])
if vim and b"+syntax" in subprocess.run([vim, "--version"], stdout=subprocess.PIPE, check=False).stdout:
    config.available_features.add("vim")

# One that has a client of language servers built in.
if shutil.which("nvim", path=config.environment["PATH"]):
    config.available_features.add("nvim")

# A second MPI library, for the runtime.
if all(shutil.which(name, path=config.environment["PATH"]) for name in ("mpicxx.mpich", "mpiexec.mpich")):
    config.available_features.add("mpich")
    if shutil.which("mpichversion", path=config.environment["PATH"]):
        version = subprocess.run(["mpichversion"], stdout=subprocess.PIPE, check=False, env=config.environment)
        if b"4.0." in version.stdout.partition(b"\n")[0]:
            config.available_features.add("mpich-4.0")
    archive = subprocess.run(["mpicxx.mpich", "-print-file-name=libmpich.a"], stdout=subprocess.PIPE, check=False, env=config.environment)
    if os.path.isabs(archive.stdout.decode().strip()):
        config.available_features.add("mpich-archive")

# For which MPI libraries there is a preload library, and what is tried with it.
for name in ("openmpi", "mpich"):
    if os.path.exists(os.path.join(config.quadrille_build, "lib", "quadrille", name, "libquadrille_mpi.so")):
        config.available_features.add("preload-" + name)
        if shutil.which("mpif90." + name, path=config.environment["PATH"]) and shutil.which("gfortran", path=config.environment["PATH"]):
            config.available_features.add("fortran-" + name)
if os.path.isdir("/usr/lib/python3/dist-packages/mpi4py"):
    config.available_features.add("mpi4py")
for name in ("hpcc", "lmp"):
    if shutil.which(name, path=config.environment["PATH"]):
        config.available_features.add(name)
config.substitutions.append(("%preload_openmpi", "%bin/quadrille-mpirun --oversubscribe --mca orte_tmpdir_base %t.session"))
config.substitutions.append(("%plain_openmpi", "mpirun.openmpi --oversubscribe --mca orte_tmpdir_base %t.session"))
config.substitutions.append(("%preload_mpich", "%bin/quadrille-mpirun"))

# What the build has of MPI, and what packages need.
if config.quadrille_mpi == "ON":
    config.available_features.add("mpi")
    if config.quadrille_mpi_flavour == "Open MPI":
        config.available_features.add("openmpi")
if config.quadrille_install_libdir == "lib" and shutil.which("dpkg-shlibdeps", path=config.environment["PATH"]):
    config.available_features.add("dpkg")
if config.quadrille_build_type == "Release":
    config.available_features.add("release")
if os.geteuid() == 0:
    config.available_features.add("root")
# Processes with numbers of their own, as in a container.
if shutil.which("unshare") and subprocess.run(["unshare", "-Urpf", "--mount-proc", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
    config.available_features.add("containers")
for name in ("make", "pkg-config", "groff", "bash", "zsh", "fish", "node", "npm", "pdflatex", "mkdocs"):
    if shutil.which(name, path=config.environment["PATH"]):
        config.available_features.add(name)

# Simulated processes, more than a machine has.
if shutil.which("smpicxx", path=config.environment["PATH"]) and shutil.which("smpirun", path=config.environment["PATH"]):
    config.available_features.add("simgrid")

# --param late=1: there is no time left for it, and all of it counts as skipped.
if full and not lit_config.params.get("late"):
    config.available_features.add("full")

config.substitutions.append(("%schedules", os.path.join(config.quadrille_source, "schedules")))
config.substitutions.append(("%docs", os.path.join(config.quadrille_source, "docs")))
# Other random programs every time are for those who look at what they find, who may want more of them: --param fuzz_seconds=3600.
fuzz_seconds = lit_config.params.get("fuzz_seconds", "30")
if fuzz_seconds != "0":
    config.available_features.add("random")
config.substitutions.append(("%fuzz_seconds", fuzz_seconds))
# Another solver takes minutes for what the prover shows of the whole library: it is asked for one of so many parts.
config.substitutions.append(("%recheck_parts", lit_config.params.get("recheck_parts", "16")))
# So it is with what others wrote, of which a change of the prover may win or lose some.
config.substitutions.append(("%corpus_parts", lit_config.params.get("corpus_parts", "16")))
# %today{A|B} is A on one day and B on the next: of two things that are much alike one is tested each day. Of three, one is by the features
# `third0` to `third2`. --param day=N for another day.
day = int(lit_config.params.get("day", datetime.date.today().toordinal()))
config.available_features.add(f"day{day % 2}")
config.available_features.add(f"third{day % 3}")
config.substitutions.append((r"%today\{([^|{}]*)\|([^|{}]*)\}", rf"\{1 + day % 2}"))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%bin", os.path.join(config.quadrille_build, "bin")))
config.substitutions.append(("%source", config.quadrille_source))
config.substitutions.append(("%build", config.quadrille_build))
config.substitutions.append(("%cxx_only", config.quadrille_cxx))
config.substitutions.append(("%cmake_folder", os.path.dirname(config.cmake)))
config.substitutions.append(("%cmake", config.cmake))
config.substitutions.append(("%llvm_tools", config.llvm_tools))
config.substitutions.append(("%lit", config.lit))
# A C++ compiler, with what it takes to link what it makes with the runtime.
config.substitutions.append(("%cxx", (config.environment.get("CXX", config.quadrille_cxx) + " " + config.quadrille_sanitize_flags).strip()))
# What `quadrille run` compiles has no warnings, and in the default suite is optimized as little as is fastest to compile and run. All tests
# compile alike, so that the programs of the library are made once.
config.environment["CXX"] = f"{config.environment.get('CXX', config.quadrille_cxx)} -Wall -Wextra -Werror" + ("" if full else " -O1")
# Compiles what `quadrille run` runs in half the time, where another test has the library optimized as users have it.
config.substitutions.append(("%unoptimized", f'env CXX="{config.environment["CXX"]} -O0"'))
config.substitutions.append(("%mpicxx", (config.quadrille_mpicxx + " " + config.quadrille_sanitize_flags).strip()))
config.substitutions.append(("%mpichcxx", ("mpicxx.mpich " + config.quadrille_sanitize_flags).strip()))
# Of the MPI library that the build does not use.
config.substitutions.append(("%other_mpicxx", "mpicxx.openmpi" if config.quadrille_mpi_flavour == "MPICH" else "mpicxx.mpich"))
# With a session directory of its own: launchers that end remove the common one.
config.substitutions.append(("%mpirun", config.quadrille_mpirun + (
    " --oversubscribe --mca orte_tmpdir_base %t.session" if config.quadrille_mpi_flavour == "Open MPI" else "")))
config.substitutions.append(("%lib", os.path.join(config.quadrille_build, "lib")))
