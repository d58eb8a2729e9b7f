"""unreadable.py QUADRILLE SCHEDULES: what is said of a folder in which another cannot be read. Root reads everything, so root becomes another user
for it; where that one cannot run the compiler, nothing can be shown."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

quadrille, schedules = shutil.which(sys.argv[1]), pathlib.Path(sys.argv[2])
other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


def run(*words):
    result = subprocess.run([quadrille, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            env={**os.environ, "QUADRILLE_CACHE": "/nowhere/cache"}, **other)
    return result.stdout + f"exit status {result.returncode}\n"


with tempfile.TemporaryDirectory(dir="/tmp") as name: # lit has a folder for temporary files that is closed to others
    folder = pathlib.Path(name)
    folder.chmod(0o755)
    for part in ("a", "closed", "z"):
        (folder / part).mkdir()
        shutil.copy(schedules / "allgather/ring.quad", folder / part / "ring.quad")
    (folder / "a" / "again").symlink_to(folder)
    (folder / "closed").chmod(0)
    try:
        started = run("--version").startswith("quadrille ")
    except PermissionError:
        started = False
    if started:
        for words in (("check", "--no-proof", "-p", "2"), ("fmt", "--check")):
            print(run(*words, name).replace(name, "FOLDER"), end="")
        print(run("check", "--no-proof", name + "/closed").replace(name, "FOLDER"), end="")
        print(run("check", "--no-proof", "-p", "2", "allgather/ring", "-I", name + "/closed").replace(name, "FOLDER"), end="")
        print(run("check", "--no-proof", "-p", "2", "allgather/ring", "-I", name + "/closed/in").replace(name, "FOLDER"), end="")
    else:
        print("no other user can run it")
    (folder / "closed").chmod(0o755)
