"""Emits every schedule of the library for both backends and compiles it without a warning, with nothing but what it includes.

Each backend takes its turn with the next compiler: other pairs are compiled where `quadrille run` runs the library, with headers that
are precompiled. Of every second schedule it is one backend today, and the other one tomorrow.

usage: compile-all.py QUADRILLE LIBRARY INCLUDE WORK COMPILER...   (compilers that are not installed are left out)
"""

import concurrent.futures
import datetime
import glob
import os
import shutil
import subprocess
import sys

quadrille, library, include, work = sys.argv[1:5]
compilers = [c for c in sys.argv[5:] if shutil.which(c)]
shutil.rmtree(work, ignore_errors=True)
mpi = subprocess.run(["mpicxx", "--showme:compile"], capture_output=True, text=True, check=True).stdout.split()

jobs = []
for number, backend in enumerate(("shm", "mpi")):
    compiler = compilers[number % len(compilers)]
    folder = os.path.join(work, backend)
    subprocess.run([quadrille, "emit", library, "--backend", backend, "-o", folder], check=True)
    for source in sorted(glob.glob(os.path.join(folder, "*.cpp")))[(number + datetime.date.today().toordinal()) % 2 :: 2]:
        jobs.append([compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", include, "-I", folder,
                     *(mpi if backend == "mpi" else []), source])


def compile(command):
    return command, subprocess.run(command, capture_output=True, text=True)


failed = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for command, result in pool.map(compile, jobs):
        if result.returncode != 0 or result.stderr:
            failed += 1
            print("FAILED:", *command)
            print(result.stderr)
print(f"{len(jobs)} compilations with {' and '.join(compilers)}, {failed} with warnings or errors")
sys.exit(1 if failed or not jobs else 0)
