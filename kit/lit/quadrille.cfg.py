"""The conformance kit: configures a lit test suite for schedules. A suite loads it in its lit.cfg.py:

    import subprocess
    kit = subprocess.check_output(["quadrille", "config", "--lit"], text=True).strip()
    lit_config.load_config(config, kit)

What that gives is in docs/conformance.md; lines that follow may change and add to it. `quadrille` is the one in PATH.
"""

import glob
import json
import os
import re
import shlex
import shutil
import subprocess

import lit.formats

installation = json.loads(subprocess.check_output(["quadrille", "config", "--format=json"], text=True))

if config.name in ("", "<unnamed>"):  # lit's own
    config.name = "schedules"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".quad", ".test"]
# Of a test NAME, Inputs/ has files that are none.
config.excludes = ["Inputs", "build"]

# ---- the environment: lit passes on little of its own
passed_on = re.compile(r"HOME$|CXX$|TMPDIR$|XDG_|QUADRILLE_|MPIEXEC|OMPI_|PMIX_|PRTE_|HYDRA_|I_MPI_|SLURM_|PBS_|LSB_|FLUX_")
for name, value in os.environ.items():
    if passed_on.match(name):
        config.environment[name] = value
# Lines that tell how far something is would come between those that tests look at.
config.environment.setdefault("QUADRILLE_PROGRESS", "0")


def version(folder):
    number = re.search(r"llvm-(\d+)$", folder)
    return int(number[1]) if number else 0


# FileCheck, not and count: of QUADRILLE_LLVM, of PATH, or of Debian's newest LLVM.
search = os.environ["PATH"]
chosen = os.environ.get("QUADRILLE_LLVM")
if chosen:
    search = os.pathsep.join([os.path.join(chosen, "bin"), search])
elif not shutil.which("FileCheck"):
    folders = sorted(glob.glob("/usr/lib/llvm-*"), key=version, reverse=True)
    search = os.pathsep.join([search] + [os.path.join(folder, "bin") for folder in folders])
if not shutil.which("FileCheck", path=search):
    lit_config.warning("FileCheck is not found; Debian's package llvm-19-tools has it, and QUADRILLE_LLVM may name its folder")
config.environment["PATH"] = search

# ---- features
for backend in installation["backends"]:
    # Of MPI, programs need a launcher, too.
    if backend["name"] != "mpi" or "launcher" in backend:
        config.available_features.add(backend["name"])
    if "flavour" in backend:
        config.available_features.add(backend["flavour"].lower().replace(" ", ""))  # openmpi, mpich
for tool in ("cmake", "clang++", "cvc5", "make", "python3", "z3"):
    if shutil.which(tool, path=search):
        config.available_features.add(tool.replace("++", ""))


# ---- substitutions
def substitute(name, words):
    """`%name`, but not the beginning of a longer word."""
    config.substitutions.append((f"%{name}(?![A-Za-z0-9_-])", " ".join(map(shlex.quote, words)).replace("\\", r"\\")))


quadrille = installation["executable"]
substitute("quadrille", [quadrille])
for command in ("check", "prove", "cost", "emit", "draw", "fmt"):
    substitute(command, [quadrille, command])
substitute("cxx", shlex.split(config.environment.get("CXX") or installation["compiler"]))
for backend in installation["backends"]:
    substitute(f"run-{backend['name']}", [quadrille, "run", f"--backend={backend['name']}", "--verify"])
    substitute(f"cflags-{backend['name']}", backend["cflags"])
    substitute(f"libs-{backend['name']}", backend["libs"])
