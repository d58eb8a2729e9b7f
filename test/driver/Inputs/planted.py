"""planted.py FOLDER QUADRILLE: a cache that belongs to another user, with a program in it for every key, is not used.

The program would leave a mark. A first run in a cache of our own tells which keys are asked for; then the same files,
marked and owned by another user, are offered: as the whole cache, and as its folder `run`."""
import os
import pathlib
import shutil
import subprocess
import sys

folder, quadrille = pathlib.Path(sys.argv[1]), sys.argv[2]
if os.geteuid() != 0:
    print("not root: no other user to be")
    sys.exit(0)
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
mark = folder / "mark"


def run(cache):
    return subprocess.run([quadrille, "run", "barrier/dissemination", "-p", "2"], env={**os.environ, "QUADRILLE_CACHE": str(cache)},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def plant(cache):
    programs = list(cache.rglob("driver"))
    assert programs, "no program was kept"
    for program in programs:
        program.write_text(f"#!/bin/sh\ntouch {mark}\n")
        program.chmod(0o755)
        program.with_name("size.txt").write_text(str(program.stat().st_size))  # else it is taken for a part of one


# In a cache of our own the planted program runs: otherwise this test would prove nothing.
own = folder / "own"
assert run(own).returncode == 0
plant(own)
run(own)
assert mark.exists(), "the planted program was not even looked for"
mark.unlink()

for part in (own, own / "run"):
    os.chown(part, 65534, 65534)
    for mode in (0o700, 0o755, 0o777):
        os.chmod(part, mode)
        output = run(own).stdout
        assert not mark.exists(), f"{part} with mode {mode:o} was used:\n{output}"
        assert "belongs to another user" in output, output
    os.chown(part, 0, 0)
    os.chmod(part, 0o700)

# Nothing is made in a home of another user, as HOME may be one under sudo.
home = folder / "home"
home.mkdir()
os.chown(home, 65534, 65534)
environment = {name: value for name, value in os.environ.items() if name not in ("QUADRILLE_CACHE", "XDG_CACHE_HOME")}
output = subprocess.run([quadrille, "check", "allgather/ring", "-p", "2"], env={**environment, "HOME": str(home)}, stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT, text=True).stdout
assert "belongs to another user" in output, output
assert not list(home.iterdir()), "something was made there"
print("the folder of another user is refused")
