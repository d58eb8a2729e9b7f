# names.py LIBRARY COMPILER NAME...: compares the names that the preload library defines with those of the MPI libraries NAME... (as in libNAME.so),
# which are where COMPILER looks for them. Prints names of collectives that the preload library lacks, and names of MPI that only it has.
import os
import re
import subprocess
import sys

own, compiler, libraries = sys.argv[1], sys.argv[2], sys.argv[3:]
collectives = """Allgather Allgatherv Allreduce Alltoall Alltoallv Barrier Bcast Exscan Gather Gatherv Reduce Reduce_scatter Reduce_scatter_block Scan
Scatter Scatterv""".split()
requests = """Wait Waitall Waitany Waitsome Test Testall Testany Testsome Request_get_status Request_free Start Startall Cancel Type_free Op_free
Comm_free Init Init_thread""".split()


def names_of(file):
    text = subprocess.run(["nm", "-D", "--defined-only", file], stdout=subprocess.PIPE, check=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in text.splitlines() if len(line.split()) > 1}


def manglings(prefix, name):
    lower = f"{prefix.lower()}_{name.lower()}"
    return [lower, lower + "_", lower + "__", lower.upper(), f"o{lower}_f"]


shown = subprocess.run([compiler, "-show"], stdout=subprocess.PIPE, check=True, text=True).stdout
folders = re.findall(r"-L(\S+)", shown) + ["/usr/lib/" + os.uname().machine + "-linux-gnu"]
theirs = set()
for library in libraries:
    theirs |= names_of(next(path for folder in folders for path in [f"{folder}/lib{library}.so"] if os.path.exists(path)))

wanted = set()
for prefix, name in [("MPI", name) for name in requests] + [
        (prefix, form) for prefix in ("MPI", "MPIX") for name in collectives for form in (name, f"I{name.lower()}", f"{name}_init")]:
    wanted |= {f"{prefix}_{name}", f"{prefix}_{name}_c"}
    if "mpi_mpifh" in libraries:  # Open MPI's Fortran calls no C function that could be taken over
        wanted |= set(manglings(prefix, name))
ours = names_of(own)
of_mpi = {name for name in ours if re.match(r"(?i)o?p?mpix?_", name)}
print(f"{len(ours & wanted)} names of collectives, requests and what they use are taken over")
for name in sorted(wanted & theirs - ours):
    print("missing:", name)
for name in sorted(of_mpi - theirs):
    print("not of the MPI library:", name)
