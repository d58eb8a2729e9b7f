"""usage: interrupt.py SIGNAL FOLDER COMMAND...

Runs the command with TMPDIR=FOLDER, sends it the signal when a program that it has started runs, and says how it ended and
what it left in the folder."""

import os
import pathlib
import signal
import subprocess
import sys
import time

name, folder, *command = sys.argv[1:]
folder = pathlib.Path(folder)
folder.mkdir(parents=True)
# Background jobs ignore SIGINT, and so would what they start.
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)
process = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(folder)}, stdout=subprocess.DEVNULL)


def child_runs():
    # What it starts writes its output to `log`, in a folder of the command.
    return any(folder.glob("quadrille-run-*/log"))


while not child_runs() and process.poll() is None:
    time.sleep(0.01)
process.send_signal(getattr(signal, name))
status = process.wait()
print("ended by", signal.Signals(-status).name if status < 0 else f"itself: {status}")
print("left:", sorted(str(path.relative_to(folder)) for path in folder.rglob("*")))
