"""The programs that measure, while they run: started, told what to do, and ended."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile

TITLES = {"threads": "threads", "openmpi": "Open MPI", "mpich": "MPICH", "preload": "Open MPI with the preload library"}
# What a program calls its contestants, and what the tables do.
FAMILIES = {
    ("threads", "emitted"): "threads", ("openmpi", "emitted"): "MPI", ("mpich", "emitted"): "MPI on MPICH",
    ("threads", "runtime"): "runtime", ("openmpi", "library"): "Open MPI", ("mpich", "library"): "MPICH",
    ("preload", "plain"): "plain Open MPI",
}


class Lost(Exception):
    """A program that ended, or does not answer."""


class Contestant:
    def __init__(self, world, index, collective, family, name):
        self.world, self.index, self.collective = world, index, collective
        self.family = FAMILIES.get((world.kind, family), family)
        self.name = name

    def __str__(self):
        return self.family + (f" {self.name}" if self.name else "")


class World:
    """One program with p ranks. Commands and answers are lines on a socket; see runtime/benchmark/collectives/Rank.h."""

    def __init__(self, kind, program, launcher, p, cores, timeout=120, preload=None):
        self.kind, self.program, self.launcher, self.p, self.cores, self.timeout = kind, program, launcher, p, cores, timeout
        self.preload = preload  # the library that is to be loaded before the MPI library
        self.process, self.connection, self.folder = None, None, None
        self.contestants = []

    def command(self, path):
        if self.kind == "threads":
            return [self.program, path, str(self.p), str(self.cores)]
        if self.kind in ("openmpi", "preload"):
            # With a folder of its own: launchers that end remove the common one.
            return ([self.launcher, "-np", str(self.p), "--bind-to", "none", "--mca", "orte_tmpdir_base", self.folder] + self.openmpi_options()
                    + (["--oversubscribe"] if self.p > self.cores else []) + [self.program, path, str(self.cores)])
        return [self.launcher, "-n", str(self.p), "-bind-to", "none", self.program, path, str(self.cores)]

    def openmpi_options(self):
        if self.kind == "preload":
            # No calls are left to the MPI library at the beginning: who is measured makes few.
            return ["-x", f"LD_PRELOAD={self.preload}", "-x", "QUADRILLE_AFTER=0"]
        # The rules are needed for forced algorithms and leave the choice to the library where none is forced.
        return ["--mca", "coll_tuned_use_dynamic_rules", "1"]

    def start(self):
        self.folder = tempfile.mkdtemp(prefix="qbench")
        path = os.path.join(self.folder, "s")
        errors = os.path.join(self.folder, "errors")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(1)
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        with open(errors, "w", encoding="utf-8") as file:
            self.process = subprocess.Popen(self.command(path), stdin=subprocess.DEVNULL, stdout=file, stderr=file, env=environment,
                                            start_new_session=True)
        listener.settimeout(0.2)
        for _ in range(int(self.timeout / 0.2)):
            try:
                self.connection, _ = listener.accept()
                break
            except socket.timeout:
                if self.process.poll() is not None:
                    break
        listener.close()
        if self.connection is None:
            with open(errors, encoding="utf-8", errors="replace") as file:
                text = file.read().strip()
            self.stop()
            raise Lost(f"{TITLES[self.kind]} with {self.p} ranks does not start" + (":\n" + text if text else ""))
        self.connection.settimeout(self.timeout)
        self.pending = b""
        self.contestants = []
        while (line := self.read()) != "ready":
            collective, family, name = line.split("\t")
            self.contestants.append(Contestant(self, len(self.contestants), collective, family, name))

    def read(self):
        while b"\n" not in self.pending:
            try:
                some = self.connection.recv(65536)
            except socket.timeout:
                raise Lost(f"{TITLES[self.kind]} does not answer within {self.timeout} s") from None
            except OSError as error:
                raise Lost(f"{TITLES[self.kind]}: {error}") from None
            if not some:
                raise Lost(f"the program of {TITLES[self.kind]} ended")
            self.pending += some
        line, self.pending = self.pending.split(b"\n", 1)
        return line.decode(errors="replace")

    def ask(self, line):
        """The kind of the answer, and what follows it."""
        try:
            self.connection.sendall(line.encode() + b"\n")
        except OSError as error:
            raise Lost(f"{TITLES[self.kind]}: {error}") from None
        kind, _, rest = self.read().partition(" ")
        return kind, rest

    def prepare(self, collective, words):
        return self.ask(f"prepare {collective} {words}")

    def slice(self, contestant, back_to_back, check_all, calls, warm_up, root, serial):
        return self.ask(f"slice {contestant.index} {'back' if back_to_back else 'sync'} {'all' if check_all else 'some'} {calls} {warm_up} {root} {serial}")

    def stop(self):
        if self.connection:
            self.connection.close()
            self.connection = None
        if self.process:
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                # The group is this program and its ranks, nothing else.
                for sign in (signal.SIGTERM, signal.SIGKILL):
                    try:
                        os.killpg(self.process.pid, sign)
                        self.process.wait(timeout=5)
                        break
                    except (subprocess.TimeoutExpired, ProcessLookupError):
                        continue
            self.process = None
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None
