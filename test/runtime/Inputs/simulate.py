"""Runs a program on simulated processes.

usage: simulate.py PROCESSES FOLDER PROGRAM [NODES]

The platform, a flat cluster with so many nodes, by default one for each process, is written to the folder. The simulation has one core.
"""

import os
import subprocess
import sys

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node-" suffix="" radical="0-{last}" speed="1Gf" bw="10GBps" lat="1us"/>
</platform>
"""


def main():
    processes, folder, program = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    nodes = int(sys.argv[4]) if len(sys.argv) > 4 else processes
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    platform, hosts = os.path.join(folder, "platform.xml"), os.path.join(folder, "hosts")
    with open(platform, "w", encoding="utf-8") as out:
        out.write(PLATFORM.format(last=nodes - 1))
    with open(hosts, "w", encoding="utf-8") as out:
        out.writelines(f"node-{i % nodes}\n" for i in range(processes))
    # What is computed takes no simulated time, so that runs are alike; stacks are small, and the program has no globals that
    # processes write, so that they fit into memory. SimGrid's usual all-gather, with which a communicator finds out who is on which
    # node, has p**2 messages, of which each wait looks at all.
    settings = ["--cfg=smpi/allgather:bruck", "--cfg=smpi/simulate-computation:no", "--cfg=smpi/privatization:no", "--cfg=contexts/stack-size:128", "--log=root.thres:warning"]
    return subprocess.run(["smpirun", "-np", str(processes), "-platform", platform, "-hostfile", hosts, *settings, program]).returncode


sys.exit(main())
